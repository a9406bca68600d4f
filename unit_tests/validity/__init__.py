"""How right the diagnosis is: agents with known defects run on the committed data, and what is said of them."""

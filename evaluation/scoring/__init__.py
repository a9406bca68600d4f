"""One answer: parsed, scored, and what is wrong with it in words."""

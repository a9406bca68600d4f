"""Generation of level 4: the office, what instances add to it, their wording and their certificates."""

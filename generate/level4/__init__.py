"""Generation of level 4: the office that its instances share, their sampling, and the wording."""

"""Sampling of level 4: what an instance adds to the office so that its mechanisms decide, in tags without text."""

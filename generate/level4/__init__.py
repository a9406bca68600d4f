"""The generator of level 4."""

"""The tools of level 4: typed functions over the records of a world, one module for each system."""

"""The data model of level 4: worlds, instances and labels. Levels 1 to 3 have that of `mpcbench.schema`."""

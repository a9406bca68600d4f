"""`mpcbench play`: a person plays episodes, one command a turn or in a web page."""

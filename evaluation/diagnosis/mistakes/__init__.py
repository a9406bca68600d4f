"""The kinds of mistake that the search tries: each turns a problem into the one that the agent may have solved."""

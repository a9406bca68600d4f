"""The kinds of mistake that the search tries; each changes a problem into one that the agent may have solved."""

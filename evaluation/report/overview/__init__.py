"""The overview, the list of episodes and the comparison of models."""

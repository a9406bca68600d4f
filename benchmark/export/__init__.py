"""Training data from runs and from the generator."""

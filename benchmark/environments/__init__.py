"""The benchmark as an environment of other libraries: for evaluation, and for reinforcement learning."""

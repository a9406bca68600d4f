"""The agents that `--model` names."""

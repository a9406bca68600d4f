"""The agent's environment: tools, prompts, and what `--reveal` discloses."""

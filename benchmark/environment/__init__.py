"""What an agent meets: the tools, the prompts, and what may be revealed to it."""

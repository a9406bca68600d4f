"""The agent behind an OpenAI-compatible endpoint."""

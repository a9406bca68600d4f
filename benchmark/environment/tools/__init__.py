"""The source tools: typed functions over a world, offered to the agent level by level."""

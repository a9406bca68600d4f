"""Programs as agents: `--model 'command:…'`, run once for each episode, with the tools over MCP."""

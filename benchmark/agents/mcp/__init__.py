"""Episodes over the Model Context Protocol: `--model mcp`, and `mpcbench serve` for a single one."""

"""Serves an episode over MCP's stdio transport: on this process's standard input and output."""

import threading

import anyio
from mcp.server.stdio import stdio_server

from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.benchmark.agents.mcp.protocol_server import server_of


def serve_on_stdio(episode: McpEpisode) -> threading.Thread:
    """Serve until the client closes the connection, which ends an episode without an answer.

    Meanwhile what this process prints goes to standard error.

    Returns:
        A thread that ends with the connection.
    """
    server = server_of(episode)

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    def run() -> None:
        try:
            anyio.run(serve)
        finally:
            episode.end("the client closed the connection without submitting an answer")

    thread = threading.Thread(target=run, daemon=True, name="mcp-stdio")
    thread.start()
    return thread

"""The reference agent as an MCP client, made with the official SDK."""

import json
import os
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.server.stdio import stdio_server

from mpcbench.benchmark.agents.mcp.episode import HOW_TO_ANSWER, SUBMIT, McpEpisode
from mpcbench.benchmark.agents.mcp.protocol_server import PROMPT, TURN, server_of
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference.any_level import reference_agent
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply, ToolCall


class RemoteTool(NamedTuple):
    name: str
    parameters: dict[str, Any]


class RemoteToolbox:
    """What the reference agent needs of a toolbox, over MCP."""

    max_calls: None = None

    def __init__(self, client: Any, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal
        listed = portal.call(client.list_tools)
        self.tools = [RemoteTool(tool.name, tool.input_schema) for tool in listed.tools]

    def call(self, name: str, arguments: Mapping[str, Any], *, turn: int | None = None) -> str:
        async def ask() -> Any:
            return await self._client.call_tool(name, dict(arguments), meta={TURN: turn})

        return str(self._portal.call(ask).content[0].text)

    def results(self, calls: Iterable[tuple[str, Mapping[str, Any]]], *, turn: int) -> Iterator[str]:
        for name, arguments in calls:
            yield self.call(name, arguments, turn=turn)


def solve(server: Any, how_to_answer: str = HOW_TO_ANSWER) -> str:
    """Take an episode at an address or over a transport as the reference agent does; returns what follows the answer."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(cast("Any", Client(server))) as client:
        tools = RemoteToolbox(client, portal)
        prompt = portal.call(client.get_prompt, PROMPT).messages[0].content.text
        system, _, text = prompt.partition(f"\n\n{how_to_answer}\n\n")
        reply = reference_agent(Task("", system, text), cast("Toolbox", tools), Budget(1000))
        return tools.call(SUBMIT, json.loads(reply.text), turn=reply.turns)


@asynccontextmanager
async def _streams(read: int, write: int) -> AsyncIterator[Any]:
    with os.fdopen(read, encoding="utf-8") as source, os.fdopen(write, "w", encoding="utf-8") as sink:
        async with stdio_server(anyio.wrap_file(source), anyio.wrap_file(sink)) as streams:
            try:
                yield streams
            finally:
                sink.close()  # the other side ends, and with it what still waits for its next line here


def over_pipes(task: Task, tools: Toolbox, budget: Budget, seconds: float = 600) -> Reply:  # noqa: ARG001 - as of any agent
    """The reference agent over the stdio transport, client and server in threads of this process.

    Args:
        task, tools, budget: As any agent gets them.
        seconds: How long to wait for the answer, and for each of the threads to end.
    """
    episode = McpEpisode(task, tools)
    server = server_of(episode)
    (server_in, client_out), (client_in, server_out) = os.pipe(), os.pipe()

    async def serve() -> None:
        async with _streams(server_in, server_out) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    threads = [threading.Thread(target=anyio.run, args=(serve,), daemon=True)]
    threads.append(threading.Thread(target=solve, args=(_streams(client_in, client_out),), daemon=True))
    for thread in threads:
        thread.start()
    reply = episode.reply(seconds)
    for thread in threads:
        thread.join(min(seconds, threading.TIMEOUT_MAX))
    return reply


def called_over_pipes(task: Task, tools: Toolbox, calls: Iterable[ToolCall]) -> list[str]:
    """The results of some calls over the stdio transport, by a client that does nothing but write and read lines."""
    server = server_of(McpEpisode(task, tools))
    (server_in, client_out), (client_in, server_out) = os.pipe(), os.pipe()

    async def serve() -> None:
        async with _streams(server_in, server_out) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    thread = threading.Thread(target=lambda: anyio.run(serve), daemon=True)
    thread.start()
    with os.fdopen(client_in) as answers, os.fdopen(client_out, "w", buffering=1) as requests:

        def ask(method: str, **parameters: Any) -> Any:
            requests.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}) + "\n")
            return json.loads(answers.readline())["result"]

        ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "bare", "version": "1"})
        requests.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        results = [ask("tools/call", name=call.name, arguments=call.arguments) for call in calls]
    thread.join(10)
    return [str(result["content"][0]["text"]) for result in results]

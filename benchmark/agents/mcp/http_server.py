"""Serves episodes over MCP's streamable HTTP, on a thread: each under a path of its own, on 127.0.0.1 only."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.benchmark.agents.mcp.protocol_server import server_of

HOST: Final = "127.0.0.1"

_AFTERLIFE = 5.0
"""Seconds for which an episode that is over still answers: the client is yet to be told that its answer has arrived."""

_LOOK_SECONDS = 0.1
_END_SECONDS = 1
_BACKLOG = 128


class EpisodeServer:
    """A server that runs from its making until `close`.

    Args:
        port: 0 for a free one.
        announces: Whether `GET /next` waits for an episode that nobody has been told of, and answers with its address.

    Raises:
        OSError: the port cannot be bound.
    """

    def __init__(self, port: int = 0, *, announces: bool = False) -> None:
        self._announces = announces
        self._socket = socket.create_server((HOST, port), backlog=_BACKLOG)
        self.url = f"http://{HOST}:{self._socket.getsockname()[1]}"
        self._routes: dict[str, StreamableHTTPSessionManager] = {}
        self._waiting: dict[str, McpEpisode] = {}
        """By name, the episodes that `/next` has not given out."""

        self._tasks: set[asyncio.Task[None]] = set()
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._answer, interface="asgi3", lifespan="off", log_config=None, timeout_graceful_shutdown=_END_SECONDS
            )
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True, name="mcp-http")
        self._thread.start()
        self._ready.wait()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        await self._server.serve(sockets=[self._socket])

    def close(self) -> None:
        """End the server and whatever it still serves."""
        self._server.should_exit = True
        self._thread.join(2 * _END_SECONDS)

    def address(self, name: str) -> str:
        """Where an episode is while it is open."""
        return f"{self.url}/{name}/mcp"

    @contextmanager
    def serving(self, name: str, episode: McpEpisode) -> Iterator[str]:
        """Serve an episode under its name, and a little longer; gives its address."""
        assert self._loop is not None
        over = asyncio.Event()
        asyncio.run_coroutine_threadsafe(self._open(name, episode, over), self._loop).result()
        try:
            yield self.address(name)
        finally:
            with suppress(RuntimeError):  # the server has been closed
                self._loop.call_soon_threadsafe(self._loop.call_later, _AFTERLIFE, over.set)

    async def _open(self, name: str, episode: McpEpisode, over: asyncio.Event) -> None:
        manager = StreamableHTTPSessionManager(
            server_of(episode),
            json_response=True,
            stateless=True,
            security_settings=TransportSecuritySettings(allowed_hosts=[f"{HOST}:*", "localhost:*"]),
        )
        opened = asyncio.Event()

        async def run() -> None:
            async with manager.run():
                self._routes[name] = manager
                self._waiting[name] = episode
                opened.set()
                await over.wait()
            if self._routes.get(name) is manager:
                del self._routes[name]
                self._waiting.pop(name, None)

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await opened.wait()

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        name, _, rest = str(scope["path"]).removeprefix("/").partition("/")
        if any(header == b"origin" for header, _ in scope["headers"]):
            await _send_text(send, 403, "no web page is served\n")
        elif (name, rest) == ("next", "") and self._announces:
            await self._give_next(receive, send)
        elif rest == "mcp" and name in self._routes:
            await self._routes[name].handle_request(scope, receive, send)
        else:
            await _send_text(send, 404, "no such episode is open\n")

    async def _give_next(self, receive: Any, send: Any) -> None:
        gone = asyncio.create_task(_disconnected(receive))
        while not gone.done() and not self._server.should_exit:
            for name, episode in list(self._waiting.items()):
                del self._waiting[name]
                if not episode.is_taken:
                    gone.cancel()
                    await _send_text(send, 200, f"{self.address(name)}\n")
                    return
            await asyncio.sleep(_LOOK_SECONDS)
        if not gone.done():
            gone.cancel()
            await _send_text(send, 503, "the run is over\n")


async def _disconnected(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_text(send: Any, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})

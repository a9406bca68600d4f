"""The server: authorisation, injected faults, and the record of requests."""

import asyncio
import functools
import hashlib
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from mpcbench.benchmark.practice_endpoint import chat, generate_content, messages, responses
from mpcbench.benchmark.practice_endpoint.brains import Brain, Conversation, ModelTurn, RejectedError
from mpcbench.benchmark.practice_endpoint.chaos import Chaos
from mpcbench.benchmark.practice_endpoint.connection import Request, serve
from mpcbench.benchmark.practice_endpoint.fault import Fault, FaultKind
from mpcbench.benchmark.practice_endpoint.mistakes import Erring
from mpcbench.benchmark.practice_endpoint.request_log import RequestLog

_ROUTES: dict[str, ModuleType] = {"/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": messages}
_LONGEST_HEAD = 2**20
_STEPS_OF_ACCEPTING = 5


@dataclass(frozen=True)
class Received:
    """One request, as remembered by the server."""

    path: str
    body: Any
    headers: Mapping[str, str]
    """By lower-case name."""

    at: float
    """On the monotonic clock, in seconds."""

    fault: FaultKind | None = None
    """The fault injected on the wire by rate and seed, if any."""


class EndpointServer:
    """Serves on a port of 127.0.0.1 from construction until `close`, or as a context manager.

    One thread handles all connections. Unless a brain `is_quick`, each request runs it in a thread of its own.

    Args:
        brain: Answers the requests.
        port: 0 takes a free one.
        key: The only API key that is accepted; None accepts any.
        unsupported: Parameters that the model rejects.
        faults: The faults of the first requests, in order; None lets a request through.
        chaos: The faults of all other requests, by rate and seed.
        latency: Seconds by which every answer is delayed; other requests are answered meanwhile.
        denied_after: After how many requests every other one is answered with 401; 0 denies the first one.
        keeps_requests: Whether to fill `requests`, which a long-running server must not.
        log: A file to which every request appends a line of JSON, see `request_log`.
    """

    def __init__(
        self,
        brain: Brain,
        *,
        port: int = 0,
        key: str | None = None,
        unsupported: Collection[str] = (),
        faults: Iterable[Fault | None] = (),
        chaos: Chaos | None = None,
        latency: float = 0.0,
        denied_after: int | None = None,
        keeps_requests: bool = True,
        log: Path | None = None,
    ) -> None:
        self.requests: list[Received] = []
        self.served = 0
        """How many requests have arrived so far."""

        self._brain = Erring(brain, chaos) if chaos else brain
        self._key = key
        self._unsupported = unsupported
        self._faults = list(faults)
        self._chaos = chaos
        self._latency = latency
        self._denied_after = denied_after
        self._keeps_requests = keeps_requests
        self._tries: Counter[bytes] = Counter()
        self._connections: set[asyncio.Task[None]] = set()
        self._log = None if log is None else RequestLog(log)
        self._listener = socket.create_server(("127.0.0.1", port), backlog=1024)
        self._port: int = self._listener.getsockname()[1]
        self._loop = asyncio.SelectorEventLoop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """The base URL for clients."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving and close open connections."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connected, sock=self._listener, limit=_LONGEST_HEAD)
        await self._closing.wait()
        # asyncio never closes the sockets of connections that are half accepted when the server closes.
        self._loop.remove_reader(self._listener)
        for _ in range(_STEPS_OF_ACCEPTING):
            await asyncio.sleep(0)
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await asyncio.sleep(0)  # let closed connections end

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(serve(reader, writer, self._answered))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        task.add_done_callback(lambda _: writer.close())  # even if it was cancelled before it began

    async def _answered(self, request: Request) -> Fault:
        self.served += 1
        planned = self._faults.pop(0) if self._faults else None
        body = _decoded(request.content)
        conversation, refusal = None, None
        try:
            conversation = self._admitted(request, body)
        except RejectedError as error:
            refusal = _error(error.status, str(error))
        kind = self._injected(request) if conversation and not planned else None
        if self._keeps_requests:
            self.requests.append(Received(request.path, body, request.headers, request.at, kind))
        if self._log is not None:
            fault = kind or (planned and "planned") or (refusal and str(refusal.status)) or None
            self._log.append(request.path, conversation, fault)
        answer = planned or refusal
        if answer is None:
            assert conversation is not None
            answer = await self._answer(request.path, conversation, body)
            if self._chaos and kind:
                answer = self._chaos.spoiled(kind, answer)
            if isinstance(body, dict) and body.get("stream"):
                answer = _streamed(answer, body)
        return replace(answer, delay=answer.delay + self._latency) if self._latency else answer

    def _admitted(self, request: Request, body: Any) -> Conversation:
        """Parse a request; raises `RejectedError` for one that the real endpoint would reject."""
        named = (request.headers.get(name, "") for name in ("authorization", "x-api-key", "x-goog-api-key"))
        key = next(filter(None, named), "").removeprefix("Bearer ")
        denied = self._denied_after is not None and self.served > self._denied_after
        if not key or denied or (self._key and key != self._key):
            raise RejectedError(f"Incorrect API key provided: {key}.", status=401)
        route = _route(request.path)
        if route is None or request.method != "POST":
            raise RejectedError(f"Unknown request URL: {request.method} {request.path}", status=404)
        if not isinstance(body, dict):
            raise RejectedError("We could not parse the JSON body of your request.")
        for name in self._unsupported:
            if name in body:
                raise RejectedError(f"Unsupported parameter: '{name}' is not supported with this model.")
        conversation: Conversation = route.read(body)
        return conversation

    def _injected(self, request: Request) -> FaultKind | None:
        if self._chaos is None:
            return None
        digest = hashlib.sha256(request.path.encode() + request.content).digest()
        tries = self._tries[digest]
        self._tries[digest] += 1
        return self._chaos.on_the_wire(request.path, request.content, tries)

    async def _answer(self, path: str, conversation: Conversation, body: Mapping[str, Any]) -> Fault:
        try:
            if getattr(self._brain, "is_quick", False):
                turn = self._brain(conversation)
            else:
                turn = await _in_thread(functools.partial(self._brain, conversation))
            return Fault(body=json.dumps(_route(path).write(turn, conversation, body)).encode())
        except RejectedError as error:
            return _error(error.status, str(error))
        except Exception as error:  # noqa: BLE001 - a fault of the brain is reported to the client
            return _error(500, f"{type(error).__name__}: {error}")


def _route(path: str) -> Any:
    """The module of an API; None where nothing is."""
    if path.startswith("/v1/models/") and path.endswith(":generateContent"):
        return generate_content
    return _ROUTES.get(path)


def _streamed(answer: Fault, body: Mapping[str, Any]) -> Fault:
    """The answer as a stream, where it is one of the chat API; errors and other faults come as they are."""
    response = _decoded(answer.body)
    if not isinstance(response, dict) or not response.get("choices"):
        return answer
    return replace(answer, body=chat.events(response, body), headers={"Content-Type": "text/event-stream"})


def _decoded(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _error(status: int, message: str) -> Fault:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Fault(status, json.dumps({"error": error}).encode())


def _in_thread(function: Callable[[], ModelTurn]) -> asyncio.Future[ModelTurn]:
    """The result of a function that may block; runs in a daemon thread, which cannot keep the process alive."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[ModelTurn] = loop.create_future()

    def settle(turn: ModelTurn | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            assert turn is not None
            future.set_result(turn)

    def run() -> None:
        turn, error = None, None
        try:
            turn = function()
        except BaseException as raised:  # noqa: BLE001 - passed on to the client
            error = raised
        with suppress(RuntimeError):  # the loop is closed if nobody waits any more
            loop.call_soon_threadsafe(settle, turn, error)

    threading.Thread(target=run, daemon=True).start()
    return future

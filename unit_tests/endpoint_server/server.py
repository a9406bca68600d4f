"""The HTTP server."""

import json
import socket
import sys
import threading
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from unit_tests.endpoint_server import chat, responses
from unit_tests.endpoint_server.brains import Brain, RejectedError

_ROUTES = {"/v1/chat/completions": chat, "/v1/responses": responses}


@dataclass(frozen=True)
class Fault:
    """What happens to a request instead of an answer by the brain."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds to wait first."""

    drop: bool = False
    """Whether the connection is closed without an answer."""


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    body: Any
    headers: Mapping[str, str]
    """By lower-case name."""

    at: float
    """On the monotonic clock, in seconds."""


class EndpointServer:
    """Serves on a port of 127.0.0.1 from construction until `close`, or as a context manager.

    Args:
        brain: Answers the requests.
        port: 0 takes a free one.
        key: The only API key that is accepted; None accepts any.
        unsupported: Parameters that the model refuses.
        faults: What happens to the first requests, in order; None lets a request through.
    """

    def __init__(
        self,
        brain: Brain,
        *,
        port: int = 0,
        key: str | None = None,
        unsupported: Collection[str] = (),
        faults: Iterable[Fault | None] = (),
    ) -> None:
        self.requests: list[Received] = []
        self._brain = brain
        self._key = key
        self._unsupported = unsupported
        self._faults = list(faults)
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """For clients."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def respond(self, request: Received) -> Fault:
        """Log a request and answer it."""
        with self._lock:
            self.requests.append(request)
            fault = self._faults.pop(0) if self._faults else None
        if fault:
            return fault
        try:
            return Fault(body=json.dumps(self._answer(request)).encode())
        except RejectedError as error:
            return _error(error.status, str(error))
        except Exception as error:  # noqa: BLE001 - a fault of the brain, seen by the client
            return _error(500, f"{type(error).__name__}: {error}")

    def _answer(self, request: Received) -> dict[str, Any]:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not given or (self._key and given != self._key):
            raise RejectedError(f"Incorrect API key provided: {given}.", status=401)
        route = _ROUTES.get(request.path)
        if route is None:
            raise RejectedError(f"Unknown request URL: {request.path}", status=404)
        for name in self._unsupported:
            if name in request.body:
                raise RejectedError(f"Unsupported parameter: '{name}' is not supported with this model.")
        conversation = route.read(request.body)
        answer: dict[str, Any] = route.write(self._brain(conversation), conversation, request.body)
        return answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay quiet where a client has gone."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(endpoint: EndpointServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            at = time.monotonic()
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = endpoint.respond(Received(self.path, body, headers, at))
            time.sleep(answer.delay)
            if answer.drop:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: Any) -> None:
            """Requests are kept, not printed."""

    return Handler


def _error(status: int, message: str) -> Fault:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Fault(status, json.dumps({"error": error}).encode())

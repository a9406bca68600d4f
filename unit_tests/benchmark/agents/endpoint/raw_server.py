"""A server that says bytes: what no HTTP server would say."""

import itertools
import socket
import threading
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self, TypeAlias

Script: TypeAlias = Iterable[bytes | float]
"""What is said in turn, and seconds of silence."""


class RawServer:
    """Answers each request on a connection of its own, by the next script; the last one serves for all that follow."""

    def __init__(self, *scripts: Script) -> None:
        self.requests: list[bytes] = []
        self.hung_up = threading.Event()
        """Set as soon as a client has closed a connection before the script's end."""

        self._scripts = itertools.chain(scripts, itertools.repeat(scripts[-1]))
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """For clients."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection, next(self._scripts)), daemon=True).start()

    def _talk(self, connection: socket.socket, script: Script) -> None:
        with connection:
            try:
                self.requests.append(_request(connection))
                for said in script:
                    if isinstance(said, bytes):
                        connection.sendall(said)
                    elif _closed_within(connection, said):
                        self.hung_up.set()
                        return
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                self.hung_up.set()


def response(body: bytes, *headers: str, status: str = "200 OK", last: bool = True) -> bytes:
    """A whole response, which says that it is the last one on its connection."""
    closing = ["Connection: close"] if last else []
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *closing, *headers, "", ""])
    return head.encode("latin-1") + body


def drip(content: bytes, pause: float = 0.05) -> Sequence[bytes | float]:
    """The content one byte at a time."""
    return [piece for byte in content for piece in (bytes([byte]), pause)]


def _request(connection: socket.socket) -> bytes:
    content = b""
    while True:
        head, end, body = content.partition(b"\r\n\r\n")
        sizes = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        if end and len(body) >= int(sizes[0]):
            return content
        received = connection.recv(65536)
        if not received:
            raise ConnectionError("the request breaks off")
        content += received


def _closed_within(connection: socket.socket, seconds: float) -> bool:
    until = time.monotonic() + seconds
    try:
        while (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(65536):
                return True
    except TimeoutError:
        pass
    finally:
        connection.settimeout(None)
    return False

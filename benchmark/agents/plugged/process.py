"""The process of an agent, as the run sees it: messages over a socket, output that is read and cut, and an end by force."""

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

LARGEST_MESSAGE: Final = 24 * 2**20
"""Bytes of one message from the agent."""

LARGEST_OUTPUT: Final = 64 * 2**20
"""Bytes that the agent may print."""

_KEPT_OUTPUT = 4_000
"""Bytes of the end of what it printed."""

_EXIT_SECONDS = 1.0
"""For what the agent's libraries do at the end, such as sending traces."""


class AgentEndedError(Exception):
    """The agent ended before its reply, or was ended; the message is one line that says why."""


class AgentProcess:
    """A started process; it is ended with the block, and with it whatever it has started.

    Args:
        command: What to run; the number of its end of the socket is added.
        environment: Its environment variables.
        folder: Its working folder.
        seconds: After which it is ended.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path, seconds: float) -> None:
        self._seconds = seconds
        self._refusal: str | None = None
        self._printed = b""
        self._over = False
        self._socket, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(  # noqa: S603 - the user's own agent
                [*command, str(number)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(number,),
                env=dict(environment),
                cwd=folder,
                start_new_session=True,
            )
        self._messages = self._socket.makefile("rb")
        self._reader = threading.Thread(target=self._read_output, daemon=True, name="agent-output")
        self._reader.start()
        threading.Thread(target=self._watch, daemon=True, name="agent-end").start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS if kind is None else 0)
        self._end()
        self._process.wait()
        self._over = True
        self._messages.close()
        self._socket.close()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message; one that an ended process does not get is lost."""
        with suppress(OSError):
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        """The next message.

        Raises:
            AgentEndedError: there is none, or it is not one that `guest` writes.
        """
        try:
            line = self._messages.readline(LARGEST_MESSAGE + 1)
        except OSError:
            line = b""
        if not line:
            raise AgentEndedError(self._ending())
        if len(line) > LARGEST_MESSAGE:
            raise AgentEndedError(f"the agent sent more than {LARGEST_MESSAGE // 2**20} MiB at once")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise AgentEndedError("the agent wrote to the connection with the run")
        return message

    @property
    def output(self) -> str:
        """The end of what the process has printed."""
        return self._printed.decode(errors="replace")

    def _watch(self) -> None:
        """End the process at its time, and wake up who waits for its messages when it has ended."""
        try:
            self._process.wait(self._seconds)
        except subprocess.TimeoutExpired:
            if self._over:
                return
            self._refuse(f"the agent gave no answer within {self._seconds:g} s")
            self._process.wait()
        with suppress(OSError):
            # Its children may hold the other end for ever. What it has sent can still be read.
            self._socket.shutdown(socket.SHUT_RDWR)

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        size = 0
        with self._process.stdout as pipe:
            while chunk := os.read(pipe.fileno(), 2**16):
                size += len(chunk)
                self._printed = (self._printed + chunk)[-_KEPT_OUTPUT:]
                if size > LARGEST_OUTPUT:
                    self._refuse(f"the agent printed more than {LARGEST_OUTPUT // 2**20} MiB")
                    return

    def _refuse(self, why: str) -> None:
        self._refusal = self._refusal or why
        self._end()

    def _end(self) -> None:
        with suppress(OSError):  # what it has started, where nothing else holds that together
            os.killpg(self._process.pid, signal.SIGKILL)

    def _ending(self) -> str:
        """How the process ended, or why it is ended now."""
        try:
            code = self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._refuse("the agent closed its connection with the run")
        self._reader.join(_EXIT_SECONDS)
        if self._refusal is not None:
            return self._refusal
        return f"the agent's process {ending_text(code)}"


def ending_text(code: int) -> str:
    """How a process ended that gave no answer.

    Args:
        code: Its exit code; negative, or above 128, for a signal.
    """
    number = -code if code < 0 else code - 128
    if number in set(signal.Signals):
        memory = ", perhaps for lack of memory" if number == signal.SIGKILL else ""
        return f"was ended by {signal.Signals(number).name}{memory}"
    return f"ended with exit code {code} before it answered"

"""A program as the run sees it: what it prints is read and cut, and it is ended by force with all that it started."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from mpcbench.benchmark.agents.plugged.process import LARGEST_OUTPUT

LARGEST_MESSAGE: Final = 2**20
"""Bytes of the end of what the program prints that are its final message."""

_KEPT_ERRORS = 4_000
"""Bytes of the end of what it prints to standard error."""

_READ_SECONDS = 1.0
"""For what is still in the pipes when the program has ended."""


class Program:
    """A started program; it is ended with the block, and with it its process group.

    Args:
        command: What to run.
        environment: Its environment variables.
        folder: Its working folder.
        told: The file that is its standard input.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path, told: Path) -> None:
        self.refusal: str | None = None
        """Why it was ended, if it went beyond a limit."""

        self._size = 0
        self._kept = {"stdout": b"", "stderr": b""}
        with told.open("rb") as stdin:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own program
                list(command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                cwd=folder,
                start_new_session=True,
            )
        pipes = (("stdout", self._process.stdout, LARGEST_MESSAGE), ("stderr", self._process.stderr, _KEPT_ERRORS))
        self._readers = [threading.Thread(target=self._read, args=pipe, daemon=True) for pipe in pipes]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        self._process.wait()

    def wait(self, seconds: float) -> int | None:
        """Wait for its end; returns its exit code, or None if it has not ended in time."""
        try:
            code = self._process.wait(min(seconds, threading.TIMEOUT_MAX))
        except subprocess.TimeoutExpired:
            return None
        self.end()  # what it has started may hold the pipes
        for reader in self._readers:
            reader.join(_READ_SECONDS)
        return code

    def end(self) -> None:
        """Kill its process group."""
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    @property
    def output(self) -> str:
        """The end of what it has printed to standard output."""
        return self._kept["stdout"].decode(errors="replace")

    @property
    def errors(self) -> str:
        """The end of what it has printed to standard error."""
        return self._kept["stderr"].decode(errors="replace")

    def _read(self, name: str, pipe: IO[bytes], most: int) -> None:
        with pipe:
            while chunk := os.read(pipe.fileno(), 2**16):
                self._size += len(chunk)
                self._kept[name] = (self._kept[name] + chunk)[-most:]
                if self._size > LARGEST_OUTPUT:
                    self.refusal = f"the program printed more than {LARGEST_OUTPUT // 2**20} MiB"
                    self.end()
                    return

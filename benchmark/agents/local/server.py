"""The life of the server: started by one process, used by all workers, gone with the process that started it."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Any, Self

from mpcbench.benchmark.agents.local.model import LocalModel
from mpcbench.benchmark.agents.local.serve import KEY_VARIABLE
from mpcbench.benchmark.agents.local.weights import LocalModelError

URL_VARIABLE = "MPCBENCH_LOCAL_URL"
"""Holds the base URL while the server runs. Workers are started with it, and with the key beside it."""

START_SECONDS = 300.0
"""How long loading the weights may take; slow disks need time."""

_PATIENT = {"OMP_WAIT_POLICY": "PASSIVE"}
"""Threads that wait for each other sleep. By default they spin, which beside other busy processes took 8 times as long."""

_END_SECONDS = 5.0
_PROGRAM = Path(__file__).with_name("serve.py")
_ENTRY = re.compile(r"[0-9.]+ (?P<kind>[A-Z]) (?P<text>.*)")
"""A line of the native server's log: time, kind (E for errors), text."""


class LocalServer:
    """One server process for one local model.

    It holds the only other end of the process's standard input. So when this process ends, however it ends, the
    server ends too, and no lock or list of processes has to be kept. Start it before the workers.
    """

    def __init__(self, model: LocalModel, *, start_seconds: float = START_SECONDS) -> None:
        self.model = model
        self._start_seconds = start_seconds
        self._process: subprocess.Popen[str] | None = None
        self._log: IO[str] | None = None
        self._closed = False
        self.base_url: str | None = None
        self.seconds: float | None = None
        """How long the start took."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> str:
        """Start the process, wait until it serves, and put its address and key into the environment.

        Returns:
            The base URL, on 127.0.0.1 and a port that was free.

        Raises:
            LocalModelError: the server could not start, or not in time.
        """
        assert self._process is None, "started twice"
        key = secrets.token_urlsafe(32)
        started = time.perf_counter()
        # To be appended to: this process's reading must not move where the other one writes.
        self._log = tempfile.TemporaryFile("a+", encoding="utf-8", errors="replace")  # noqa: SIM115 - closed in close()
        self._process = subprocess.Popen(  # noqa: S603 - this project's own program
            [sys.executable, "-P", str(_PROGRAM), json.dumps(self._settings())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            env={**_PATIENT, **os.environ, KEY_VARIABLE: key},
        )
        try:
            self.base_url = self._address() + "/v1"
        except BaseException:
            self.close()
            raise
        self.seconds = time.perf_counter() - started
        os.environ |= {URL_VARIABLE: self.base_url, KEY_VARIABLE: key}
        return self.base_url

    @property
    def pid(self) -> int:
        """The server's process."""
        assert self._process is not None, "not started"
        return self._process.pid

    def lines(self) -> list[str]:
        """What is served and where, for people."""
        lines = self.model.lines()
        if self.seconds is not None and self._process is not None:
            lines.append(f"process {self.pid} at {self.base_url}, ready after {self.seconds:.1f} s")
        return lines

    def death(self) -> str | None:
        """How the server ended, in one line, if it was not closed; None while it runs."""
        if self._process is None or self._closed or self._process.poll() is None:
            return None
        return f"the server of --model local (process {self.pid}) died: {self._ending()}"

    def close(self) -> None:
        """End the process, even during a request; nothing happens if it has ended."""
        if self._process is None or self._closed:
            return
        self._closed = True
        for name in (URL_VARIABLE, KEY_VARIABLE):
            os.environ.pop(name, None)
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._wait()
        assert self._process.stdout is not None
        assert self._log is not None
        self._process.stdout.close()
        self._log.close()

    def _settings(self) -> dict[str, Any]:
        model = self.model
        return {
            "path": str(model.weights.path),
            "chat_template": model.template and model.template.text,
            "context_tokens": model.context_tokens,
            "message_tokens": model.message_tokens,
            "slots": model.slots,
            "threads": model.threads,
        }

    def _address(self) -> str:
        assert self._process is not None
        said: SimpleQueue[str] = SimpleQueue()
        # Windows cannot wait for a pipe with a time limit, a thread can.
        output = self._process.stdout
        assert output is not None
        threading.Thread(target=lambda: said.put(output.readline()), daemon=True).start()
        try:
            line = said.get(timeout=self._start_seconds)
        except Empty:
            raise self._failed(f"no server after {self._start_seconds:g} s") from None
        try:
            answer = json.loads(line)
        except ValueError:
            self._wait()
            raise self._failed(self._first_error() or self._ending()) from None
        if "address" not in answer:
            self._wait()
            raise self._failed(self._first_error() or str(answer.get("error")))
        return str(answer["address"])

    def _wait(self) -> None:
        """See the process end, by force if it takes its time."""
        assert self._process is not None
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _failed(self, cause: str) -> LocalModelError:
        return LocalModelError(f"--model local: {self.model.weights.path.name} cannot be served: {cause}")

    def _ending(self) -> str:
        assert self._process is not None
        code = self._process.returncode
        ending = f"exit code {code}"
        if code < 0:
            with suppress(ValueError):
                ending = signal.Signals(-code).name
        if ending == "SIGKILL":  # from outside, so the log knows nothing of it
            return f"{ending}, perhaps for lack of memory"
        words = self._last_words()
        return f"{ending}: {words}" if words else ending

    def _first_error(self) -> str | None:
        """The first error in the log: the others follow from it."""
        found = (_ENTRY.fullmatch(line) for line in self._lines())
        return next((entry["text"] for entry in found if entry and entry["kind"] == "E"), None)

    def _last_words(self) -> str | None:
        """The last line of the log, unless it tells of nothing wrong."""
        lines = self._lines()
        entry = _ENTRY.fullmatch(lines[-1]) if lines else None
        if entry is None:
            return lines[-1] if lines else None
        return entry["text"] if entry["kind"] == "E" else None

    def _lines(self) -> list[str]:
        assert self._log is not None
        self._log.seek(0)
        return [" ".join(line.split()) for line in self._log if line.strip()]

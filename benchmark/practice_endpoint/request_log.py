"""The request log, for other processes to read: one JSON line per request, appended atomically on arrival."""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mpcbench.benchmark.practice_endpoint.brains import Conversation


class Logged(NamedTuple):
    """One request."""

    time: float
    """Seconds since 1970."""

    path: str
    episode: str | None
    """The `episode_key`; None if the request has no conversation."""

    turn: int | None
    """The number of the requested turn, from 1."""

    fault: str | None
    """The fault that was injected on the wire, or the status of a refusal."""


def episode_key(text: str) -> str:
    """The key of an episode in the log: 16 hexadecimal digits of the task text's hash, shared by its trials."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


class RequestLog:
    """A file that grows by one line per request; several servers may share it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(self, path: str, conversation: Conversation | None, fault: str | None) -> None:
        """Log a request that has just arrived."""
        key, turn = (episode_key(conversation.user), conversation.turns + 1) if conversation else (None, None)
        line = json.dumps(Logged(time.time(), path, key, turn, fault)._asdict())
        os.write(self._file, f"{line}\n".encode())

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def logged(path: Path) -> Iterator[Logged]:
    """The requests of a log, in order of arrival."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield Logged(**json.loads(line))

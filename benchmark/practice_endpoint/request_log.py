"""The log of requests that other processes read: one line of JSON each, written as a whole when the request comes."""

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
    """The `episode_key`; None where the request holds no conversation."""

    turn: int | None
    """Which turn it asks for, from 1."""

    fault: str | None
    """The fault that was injected on the wire, or the status of a refusal."""


def episode_key(text: str) -> str:
    """What stands for an episode in the log: 16 hexadecimal digits of the task's text.

    Trials of one task share it.
    """
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


class RequestLog:
    """A file that grows by a line a request; several servers may share it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(self, path: str, conversation: Conversation | None, fault: str | None) -> None:
        """Log a request that came just now."""
        key, turn = (episode_key(conversation.user), conversation.turns + 1) if conversation else (None, None)
        line = json.dumps(Logged(time.time(), path, key, turn, fault)._asdict())
        os.write(self._file, f"{line}\n".encode())

    def close(self) -> None:
        """Write no more."""
        os.close(self._file)


def logged(path: Path) -> Iterator[Logged]:
    """The requests of a log, in the order in which they came."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield Logged(**json.loads(line))

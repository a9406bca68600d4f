"""Why a run ends early: a reason that one process records and all processes honour, and the budgets that give one."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from errno import ELOOP
from math import fsum
from pathlib import Path
from stat import S_ISREG
from threading import Lock

from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.evaluation.runs.folder import RunFolder, read_episode
from mpcbench.schema.episode import Episode, Usage

_FILE = "STOPPED"
_LONGEST = 500
_ITSELF = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Opens a file itself, and waits for nobody at the other end of a pipe."""


class NotRunError(Exception):
    """An episode was not begun, because the run has been stopped; the message is the reason, on one line."""


@dataclass(frozen=True)
class StopSign:
    """The reason to begin no more episodes, if there is one; a file, as the workers share nothing else."""

    folder: RunFolder

    def reserve(self) -> None:
        """Make an empty sign that has room for a reason, so that it can go up on a full disk."""
        write_durably(self._file, " " * _LONGEST + "\n")

    def up(self, reason: str) -> None:
        """Stop the run, unless it is stopped already; raises `OSError`."""
        if self.reason() is None:
            content = reason.encode()[:_LONGEST].decode(errors="ignore").encode() + b"\n"
            descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | _ITSELF, 0o666)
            try:
                os.pwrite(descriptor, content, 0)
            finally:
                os.close(descriptor)

    def reason(self) -> str | None:
        """Why the run is stopped; None while it is not. Something else in the file's place stops it, too."""
        try:
            descriptor = os.open(self._file, os.O_RDONLY | _ITSELF)
        except FileNotFoundError:
            return None
        except OSError as error:
            return self._unreadable(error)
        try:
            if not S_ISREG(os.fstat(descriptor).st_mode):
                return self._unreadable(None)
            return os.pread(descriptor, _LONGEST + 1, 0).decode(errors="replace").strip() or None
        except OSError as error:
            return self._unreadable(error)
        finally:
            os.close(descriptor)

    def take_down(self) -> str | None:
        """Remove the sign, unless it is a folder; returns what it said."""
        reason = self.reason()
        with suppress(OSError):
            self._file.unlink()
        return reason

    def _unreadable(self, error: OSError | None) -> str:
        what = "a link, a folder or a pipe" if error is None or error.errno == ELOOP else str(error.strerror).lower()
        return f"{self._file} was replaced during the run: {what}"

    @property
    def _file(self) -> Path:
        return self.folder.path / _FILE


@dataclass
class Spending:
    """What the stored episodes of a run have cost so far; errors, repairs and other workers' are included.

    Episodes in flight are not counted, so a run ends with more than its budget by what they cost: at most as many
    as there are workers times `--concurrency`.
    """

    folder: RunFolder
    budget_usd: float | None
    max_tokens: int | None
    _costs: dict[str, float] = field(default_factory=dict)
    _tokens: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def reached(self) -> str | None:
        """The budget that is used up, for people; None if none is."""
        if self.budget_usd is None and self.max_tokens is None:
            return None
        with self._lock:
            self._look()
            cost, tokens = fsum(self._costs.values()), sum(self._tokens.values())
        if self.budget_usd is not None and cost >= self.budget_usd:
            return f"the budget of {self.budget_usd:g} USD is used up: {cost:.4f} USD"
        if self.max_tokens is not None and tokens >= self.max_tokens:
            return f"the budget of {self.max_tokens:,} tokens is used up: {tokens:,} tokens"
        return None

    def _look(self) -> None:
        """Read the episodes that were stored since the last time."""
        for file in self.folder.episode_files():
            if file.name not in self._costs:
                spent = list(_spent(read_episode(file)))
                self._costs[file.name] = fsum(cost or 0.0 for cost, _ in spent)
                self._tokens[file.name] = sum(_tokens(usage) for _, usage in spent)


def _spent(episode: Episode) -> Iterator[tuple[float | None, Usage | None]]:
    """The cost and the tokens of an episode and of every repair trial after it."""
    yield episode.cost_usd, None if episode.reply is None else episode.reply.usage
    for trial in () if episode.attribution is None else episode.attribution.reruns:
        yield trial.cost_usd, trial.usage


def _tokens(usage: Usage | None) -> int:
    return 0 if usage is None else (usage.input_tokens or 0) + (usage.output_tokens or 0)

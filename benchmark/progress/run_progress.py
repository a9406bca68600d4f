"""How far a run is, read from its folder alone, so that any process can say it."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from mpcbench.benchmark.progress.in_flight import InFlight
from mpcbench.evaluation.runs.durable_file import read_file
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.lock import holder_at
from mpcbench.evaluation.statistics import Estimate, share
from mpcbench.schema.dataset import DataError


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """What is known of one model."""

    model: str
    exact_match: Estimate | None
    """None as long as nothing is scored."""

    f1: Estimate | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run at one moment."""

    planned: int
    done: int
    """Stored episodes, errors included."""

    errors: int
    tokens: int
    """Input and output, as far as they are known."""

    cost_usd: float | None
    """None where no cost is known."""

    models: tuple[ModelProgress, ...]
    """By name."""

    slowest: tuple[str, float] | None
    """The episode that has been in flight longest, and for how many seconds."""

    seconds: float | None
    """Since the session began; None if no session is alive."""

    seconds_left: float | None
    """At the pace of this session so far; None where it is unknown."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """What counts of an episode's file."""

    changed: float
    model: str
    instance_id: str
    f1: float | None
    exact_match: float | None
    tokens: int
    cost_usd: float | None

    @classmethod
    def read(cls, file: Path, changed: float) -> "_Stored":
        """Raises `DataError`, `ValueError`, `KeyError`, `TypeError` or `AttributeError` where it is no episode."""
        value: dict[str, Any] = json.loads(read_file(file))
        scores, usage = value["scores"] or {}, (value["reply"] or {}).get("usage") or {}
        return cls(
            changed=changed,
            model=value["model"],
            instance_id=value["instance_id"],
            f1=scores.get("f1"),
            exact_match=None if not scores else float(scores["exact_match"]),
            tokens=(usage.get("input_tokens") or 0) + (usage.get("output_tokens") or 0),
            cost_usd=value["cost_usd"],
        )


@dataclass
class RunProgress:
    """The progress of a run; each look reads the episodes that were stored since the last one.

    Its numbers are for people who wait. Those of `summary.json` come from validated episodes.
    """

    run: RunFolder
    _stored: dict[str, _Stored] = field(default_factory=dict)

    def look(self) -> Snapshot:
        """The run now; raises `RunError` if its folder cannot be read."""
        for file in self.run.episode_files():
            with suppress(OSError, DataError, ValueError, KeyError, TypeError, AttributeError):
                changed = file.stat().st_mtime
                known = self._stored.get(file.name)
                if known is None or known.changed != changed:
                    self._stored[file.name] = _Stored.read(file, changed)
        stored = list(self._stored.values())
        costs = [one.cost_usd for one in stored if one.cost_usd is not None]
        planned = max(len(self._cases()), len(stored))
        begun = self._begun()
        seconds = None if begun is None else max(0.0, time.time() - begun)
        fresh = 0 if begun is None else sum(one.changed >= begun for one in stored)
        return Snapshot(
            planned=planned,
            done=len(stored),
            errors=sum(one.f1 is None for one in stored),
            tokens=sum(one.tokens for one in stored),
            cost_usd=sum(costs) if costs else None,
            models=tuple(self._models(stored)),
            slowest=None if seconds is None else InFlight(self.run).longest(),
            seconds=seconds,
            seconds_left=(planned - len(stored)) * seconds / fresh if seconds is not None and fresh else None,
        )

    def _cases(self) -> tuple[object, ...]:
        """The plan, which a session writes again and again."""
        self.run.__dict__.pop("info", None)
        return self.run.info.cases

    def _begun(self) -> float | None:
        since = (holder_at(self.run.path) or {}).get("since")
        with suppress(ValueError):
            return datetime.strptime(f"{since}", "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC).timestamp()
        return None

    @staticmethod
    def _models(stored: list[_Stored]) -> Iterator[ModelProgress]:
        """By model; trials of an instance are averaged first."""
        for model in sorted({one.model for one in stored}):
            own: dict[str, list[_Stored]] = {}
            for one in stored:
                if one.model == model and one.f1 is not None:
                    own.setdefault(one.instance_id, []).append(one)
            yield ModelProgress(
                model,
                share([fmean(one.exact_match or 0.0 for one in trials) for trials in own.values()]),
                share([fmean(one.f1 or 0.0 for one in trials) for trials in own.values()]),
            )

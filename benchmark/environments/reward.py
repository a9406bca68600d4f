"""The reward of an episode: its score and, for those who want them, what its stages and its economy are worth.

The reward is the sum of the parts times their weights, in the order of `Weights`. By default it is the F1 alone, so that
what is trained on is what is measured.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final

from mpcbench.schema.episode import Episode
from mpcbench.schema.exam import Exam


class WeightError(ValueError):
    """A weight has no part, or is no number; the message is one line."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts for; every part is from 0 to 1. The last two are taken off."""

    f1: float = 1.0
    exact_match: float = 0.0
    decomposition: float = 0.0
    """The share of the needed sources that the agent queried."""

    acquisition: float = 0.0
    """The share of the needed records that tool results showed it."""

    integration: float = 0.0
    """The F1 if it saw every needed record, otherwise 0."""

    extra_candidates: float = 0.0
    """How many more options it proposed than were asked for, relative to that number; at most 1."""

    unneeded_calls: float = 0.0
    """The share of its calls that failed, that repeat an earlier one, or that query no needed source."""

    @classmethod
    def of(cls, given: Mapping[str, object]) -> "Weights":
        """The weights that are given, with 0 for all others; none at all means the default.

        Raises:
            WeightError: a name is unknown, or a value is no finite number.
        """
        weights = {field.name: 0.0 for field in fields(cls)} if given else {}
        for name, value in given.items():
            if name not in weights:
                raise WeightError(f"weights: no part is called {name!r}; the parts are {', '.join(weights)}")
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise WeightError(f"weights: {name}: {value!r} is no finite number")
            weights[name] = float(value)
        return cls(**weights)


DEFAULT_WEIGHTS: Final = Weights()

PENALTIES: Final = ("extra_candidates", "unneeded_calls")
"""The parts that are taken off."""


@dataclass(frozen=True, slots=True)
class Reward:
    """An episode's reward."""

    total: float
    parts: Mapping[str, float]
    """By name, without weights, in the order of `Weights`."""


def reward(episode: Episode, exam: Exam, weights: Weights = DEFAULT_WEIGHTS) -> Reward:
    """The reward of a scored episode."""
    assert episode.scores is not None
    assert episode.diagnosis is not None
    capability = episode.diagnosis.capability
    parts = {
        "f1": episode.scores.f1,
        "exact_match": float(episode.scores.exact_match),
        "decomposition": capability.decomposition or 0.0,
        "acquisition": capability.acquisition or 0.0,
        "integration": capability.integration or 0.0,
        "extra_candidates": _extra_candidates(episode),
        "unneeded_calls": _unneeded_calls(episode, exam),
    }
    signed = {name: -weight if name in PENALTIES else weight for name, weight in asdict(weights).items()}
    return Reward(sum(signed[name] * part for name, part in parts.items()), parts)


def _extra_candidates(episode: Episode) -> float:
    wanted = len(episode.gold)
    return min(1.0, max(0, len(episode.answer or ()) - wanted) / wanted)


def _unneeded_calls(episode: Episode, exam: Exam) -> float:
    calls = episode.tool_calls
    made: list[tuple[str, object]] = []
    unneeded = 0
    for call in calls:
        same = (call.name, call.arguments)
        unneeded += call.is_error or call.source not in exam.label.sources or same in made
        made.append(same)
    return unneeded / len(calls) if calls else 0.0

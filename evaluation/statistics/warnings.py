"""What a reader of the averages should know: levels without room to differ, odd instances, unearned answers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from mpcbench.evaluation.statistics import InstanceTrials
from mpcbench.evaluation.statistics.averages import LevelSummary
from mpcbench.schema.episode import Outcome
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result

SATURATED: Final = 0.95
"""A level is saturated for a model where the interval of its F1 lies above this."""

FLOOR: Final = 0.05
"""A level is at its floor for a model where the interval of its F1 lies below this."""

_MOST_NAMED = 5


class WarningKind(StrEnum):
    """What to beware of."""

    SATURATED = "saturated"
    """The level is too easy to tell this model from a better one."""

    FLOOR = "floor"
    """The level is too hard to tell this model from a worse one."""

    INVERTED = "inverted"
    """Weaker models solve instances that the strongest never does: look at these first."""

    LATE_ERRORS = "late_errors"
    """The endpoint failed after the model had begun: what the model did may be the reason, and no average counts it."""

    UNEARNED = "unearned"
    """Exact matches of a model that was never shown some needed record: it guessed, or it knew the answer."""


class SummaryWarning(Model):
    """One thing to beware of."""

    kind: WarningKind
    level: AnyLevel
    models: tuple[str, ...]
    """The model; if inverted, the strongest one, and any others with exactly its average F1."""

    low: float | None = None
    """The interval of F1; None, like high, if inverted or unearned."""

    high: float | None = None
    instances: tuple[str, ...] = ()
    """If inverted: those that none of the models solved in any trial, and a weaker one in more than half of its.

    If late errors: those that had one. If unearned: those with an unearned exact match.
    """

    solved_by: tuple[str, ...] = ()
    """If inverted: the weaker models that solved any of the instances."""

    def text(self, name: Callable[[str], str]) -> str:
        """In words, with names that others made (of models and instances) as the function writes them."""
        models = ", ".join(map(name, self.models))
        few = ", ".join(map(name, self.instances[:_MOST_NAMED]))
        more = f" and {len(self.instances) - _MOST_NAMED} more" if len(self.instances) > _MOST_NAMED else ""
        if self.kind is WarningKind.LATE_ERRORS:
            return (
                f"level {self.level}: {models} had answered before the endpoint failed in {len(self.instances)} "
                f"instances, which may hide failures of the model: {few}{more}"
            )
        if self.kind is WarningKind.INVERTED:
            weaker = ", ".join(map(name, self.solved_by))
            return f"level {self.level}: {models} never solved what {weaker} did, with a lower F1: {few}{more}"
        if self.kind is WarningKind.UNEARNED:
            return f"level {self.level}: {models} has exact matches without being shown the needed records: {few}{more}"
        what = "saturated" if self.kind is WarningKind.SATURATED else "at its floor"
        return f"level {self.level} is {what} for {models}: F1 lies in [{self.low:.3f}, {self.high:.3f}]"


def warnings(
    levels: Sequence[LevelSummary],
    instances: Mapping[tuple[AnyLevel, str], Sequence[InstanceTrials]],
    by_design: Collection[str] = (),
) -> tuple[SummaryWarning, ...]:
    """The warnings about a run, by level.

    Args:
        levels: The summaries, by level and model.
        instances: The episodes of each of them, by level and model.
        by_design: Models that are a ceiling or a floor on purpose; no warning mentions that.
    """
    found = []
    for level in sorted({one.level for one in levels}):
        of_level = [one for one in levels if one.level == level]
        models = [one for one in of_level if one.model not in by_design]
        found += [warning for one in models for warning in _extreme(one)]
        found += [warning for one in models for warning in _unearned(level, one.model, instances[level, one.model])]
        found += _inverted(level, of_level, instances)
    return tuple(found)


def late_errors(level: AnyLevel, model: str, results: Iterable[Result]) -> list[SummaryWarning]:
    """The warning about one model's errors of the endpoint after its first turn, if there are any."""
    late = {
        one.instance_id
        for one in results
        if one.outcome is Outcome.ERROR and one.fault is not None and one.fault.kind == "endpoint" and one.turns
    }
    if not late:
        return []
    return [SummaryWarning(kind=WarningKind.LATE_ERRORS, level=level, models=(model,), instances=tuple(sorted(late)))]


def _extreme(summary: LevelSummary) -> list[SummaryWarning]:
    f1 = summary.estimates.f1
    if f1 is None or f1.low is None or f1.high is None:
        return []
    if f1.low > SATURATED:
        kind = WarningKind.SATURATED
    elif f1.high < FLOOR:
        kind = WarningKind.FLOOR
    else:
        return []
    return [SummaryWarning(kind=kind, level=summary.level, models=(summary.model,), low=f1.low, high=f1.high)]


def _unearned(level: AnyLevel, model: str, instances: Sequence[InstanceTrials]) -> list[SummaryWarning]:
    odd = tuple(one.instance_id for one in instances if any(result.unearned for result in one.results))
    return [SummaryWarning(kind=WarningKind.UNEARNED, level=level, models=(model,), instances=odd)] if odd else []


def _inverted(
    level: AnyLevel,
    summaries: Sequence[LevelSummary],
    instances: Mapping[tuple[AnyLevel, str], Sequence[InstanceTrials]],
) -> list[SummaryWarning]:
    f1 = {one.model: one.estimates.f1.mean for one in summaries if one.estimates.f1 is not None}
    if len(f1) < 2:
        return []
    strong = [model for model, mean in f1.items() if mean == max(f1.values())]
    weak = [model for model in f1 if model not in strong]
    never = [{(one.world, one.instance_id) for one in instances[level, model] if one.never_solved} for model in strong]
    missed = set.intersection(*never)
    solved = {
        model: {(one.world, one.instance_id) for one in instances[level, model] if one.solved} & missed
        for model in weak
    }
    odd = sorted(set.union(*solved.values())) if solved else []
    if not odd:
        return []
    return [
        SummaryWarning(
            kind=WarningKind.INVERTED,
            level=level,
            models=tuple(strong),
            instances=tuple(instance_id for _, instance_id in odd),
            solved_by=tuple(model for model in weak if solved[model]),
        )
    ]

"""Two runs compared on the same instances: how large the difference is, and whether their number can show it."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.evaluation.statistics import ALPHA, CONFIDENCE, POWER, InstanceTrials, by_instance
from mpcbench.evaluation.statistics.agreement import Agreement, Answers, agreement
from mpcbench.evaluation.statistics.comparison_part import ComparisonPart, Pair, part_of
from mpcbench.evaluation.statistics.horizon_move import HorizonMove, horizon_move
from mpcbench.evaluation.statistics.ladder_summary import climbed
from mpcbench.schema.cause import stage_of
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result
from mpcbench.schema.untrusted_text import one_line


class IncomparableError(ValueError):
    """The two runs cannot be compared; the message is one line that says why."""


class CauseMove(Model):
    """A primary cause, deduced, in both runs."""

    reason: str
    a: float
    """The number of compared instances that failed so, each trial counted by its part of the instance."""

    b: float


class Side(Model):
    """One of the two runs."""

    name: str
    model: str
    trials: int
    """The most scored trials of an instance that is compared."""

    unearned: tuple[str, ...]
    """Compared instances with an exact match to which some needed record was never shown."""

    left_out: tuple[str, ...]
    """Instances that it scored and the other run did not: missing there, or an error in every trial."""


class Comparison(Model):
    """Run A and run B on the instances that both scored; differences are B - A."""

    confidence: float = CONFIDENCE
    alpha: float = ALPHA
    power: float = POWER
    a: Side
    b: Side
    differing: dict[str, tuple[str, str]]
    """Settings that differ, with those of A and of B: a difference of scores may come from them."""

    levels: tuple[ComparisonPart, ...]
    overall: ComparisonPart | None
    """All levels together; None where there is only one."""

    agreement: Agreement | None
    """None where no episode of one has its like in the other."""

    causes: tuple[CauseMove, ...]
    """By how much they moved, most first."""

    symptoms: tuple[CauseMove, ...] = ()
    """What is observed where the cause is not known, likewise."""

    horizon: HorizonMove | None = None
    """Of the composition horizons, where level 4 is compared; else the field is absent in files."""

    @model_serializer(mode="wrap")
    def _stored(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        stored: dict[str, Any] = handler(self)
        return {name: value for name, value in stored.items() if value is not None or name != "horizon"}


def compare(
    a: Sequence[Result],
    b: Sequence[Result],
    *,
    hashes_a: Mapping[str, str],
    hashes_b: Mapping[str, str],
    names: tuple[str, str] = ("A", "B"),
    models: tuple[str | None, str | None] = (None, None),
    answers: tuple[Answers, Answers] | None = None,
    target: float | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare two runs of one model each.

    Args:
        a: The results of run A, in any order.
        b: Those of run B.
        hashes_a: The hashes of run A's data, by file or by level.
        hashes_b: Those of run B; what both name has to be equal.
        names: What to call the runs.
        models: Which model of each run to take; needed where a run has several.
        answers: Those of run A and of run B, if they are at hand.
        target: A difference of F1 between 0 and 1, to say how many instances or trials it would need.
        seed: Of the permutation tests.

    Raises:
        IncomparableError: the data or the grading differ, no instance was scored in both runs, a run has several
            models and none was chosen, or the target is out of range.
    """
    if target is not None and not 0 < target <= 1:
        raise IncomparableError(f"the difference to detect must be above 0 and at most 1, not {target:g}")
    _check_data(hashes_a, hashes_b)
    of_a = _of_one_model(a, models[0], names[0])
    of_b = _of_one_model(b, models[1], names[1])
    versions = [sorted({result.grading_version for result in run}) for run in (of_a, of_b)]
    if versions[0] != versions[1] or len(versions[0]) > 1:
        raise IncomparableError(f"graded by different versions: {', '.join(versions[0])} and {', '.join(versions[1])}")
    scored_a, scored_b = _scored(of_a), _scored(of_b)
    both = sorted(scored_a.keys() & scored_b.keys())
    if not both:
        raise IncomparableError("no instance was scored in both runs")
    pairs = {key: (scored_a[key], scored_b[key]) for key in both}
    levels = sorted({level for level, _ in both})
    by_level = [[pairs[key] for key in both if key[0] == level] for level in levels]
    single = all(len(one.scored) == 1 for pair in pairs.values() for one in pair)
    parts = tuple(part_of(level, [one], single, target, seed) for level, one in zip(levels, by_level, strict=True))
    moves = _causes(list(pairs.values()))
    return Comparison(
        a=_side(names[0], of_a[0].model, scored_a, scored_b),
        b=_side(names[1], of_b[0].model, scored_b, scored_a),
        differing=_differing(of_a, of_b),
        levels=parts,
        overall=part_of(None, by_level, single, target, seed) if len(levels) > 1 else None,
        agreement=agreement(of_a, of_b, answers),
        causes=tuple(move for move in moves if stage_of(move.reason) is not None),
        symptoms=tuple(move for move in moves if stage_of(move.reason) is None),
        horizon=horizon_move(*(climbed([pair[side] for pair in pairs.values()]) for side in (0, 1))),
    )


Key = tuple[AnyLevel, str]


def _check_data(hashes_a: Mapping[str, str], hashes_b: Mapping[str, str]) -> None:
    common = hashes_a.keys() & hashes_b.keys()
    if not common:
        raise IncomparableError("the runs name no data in common")
    differing = sorted(name for name in common if hashes_a[name] != hashes_b[name])
    if differing:
        raise IncomparableError(f"the runs are on different data: {', '.join(differing)}")


def _of_one_model(results: Sequence[Result], model: str | None, run: str) -> list[Result]:
    models = sorted({result.model for result in results})
    if model is None and len(models) > 1:
        raise IncomparableError(f"{run} has several models, choose one: {', '.join(map(_shown, models))}")
    chosen = [result for result in results if model is None or result.model == model]
    if not chosen:
        raise IncomparableError(f"{run} has no episodes" + ("" if model is None else f" of {_shown(model)}"))
    return chosen


def _shown(model: str) -> str:
    return one_line(model, 60)


def _scored(results: Iterable[Result]) -> dict[Key, InstanceTrials]:
    return {(one.results[0].level, one.instance_id): one for one in by_instance(results) if one.scored}


def _side(name: str, model: str, own: Mapping[Key, InstanceTrials], other: Mapping[Key, InstanceTrials]) -> Side:
    return Side(
        name=name,
        model=model,
        trials=max(len(own[key].scored) for key in own.keys() & other.keys()),
        unearned=tuple(
            instance_id
            for level, instance_id in sorted(own.keys() & other.keys())
            if any(result.unearned for result in own[level, instance_id].scored)
        ),
        left_out=tuple(instance_id for _, instance_id in sorted(own.keys() - other.keys())),
    )


def _differing(a: Sequence[Result], b: Sequence[Result]) -> dict[str, tuple[str, str]]:
    differing = {}
    for name in ("paraphrase", "tags", "reveal"):
        of_a, of_b = (", ".join(sorted({str(getattr(result, name)) for result in run})) for run in (a, b))
        if of_a != of_b:
            differing[name] = (of_a, of_b)
    return differing


def _causes(pairs: Sequence[Pair]) -> tuple[CauseMove, ...]:
    of_a, of_b = (_cause_counts(run) for run in zip(*pairs, strict=True))
    moves = [
        CauseMove(reason=reason, a=of_a.get(reason, 0), b=of_b.get(reason, 0))
        for reason in sorted(of_a.keys() | of_b.keys())
    ]
    return tuple(sorted(moves, key=lambda move: (-abs(move.b - move.a), -(move.a + move.b), move.reason)))


def _cause_counts(instances: Iterable[InstanceTrials]) -> dict[str, float]:
    shares: dict[str, list[float]] = {}
    for instance in instances:
        for result in instance.scored:
            if result.diagnosis is not None:
                for reason, part in primary_reasons(result.diagnosis).items():
                    shares.setdefault(reason, []).append(part / len(instance.scored))
    return {reason: fsum(parts) for reason, parts in shares.items()}

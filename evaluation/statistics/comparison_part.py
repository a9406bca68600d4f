"""One part of a comparison: two runs on the instances of one level, or of all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import fsum
from statistics import variance
from typing import Final

from mpcbench.evaluation.statistics import (
    Estimate,
    InstanceTrials,
    PairedTest,
    Spread,
    combined,
    detectable,
    difference,
    mcnemar,
    needed_instances,
    needed_trials,
    permutation,
    share,
    spread_of,
)
from mpcbench.schema.model import AnyLevel, Model
from mpcbench.schema.result import Result


class ComparisonVerdict(StrEnum):
    """What the difference of F1 shows."""

    A_BETTER = "a_better"
    B_BETTER = "b_better"
    INCONCLUSIVE = "inconclusive"
    """The interval includes 0, or the difference is smaller than this number of instances can reliably detect."""


class Needed(Model):
    """How much a run must hold to detect a difference of F1, with the spread of differences that was observed."""

    difference: float
    """Without its sign."""

    instances: int | None
    """At the same number of trials; None where the observed differences have no spread, or the difference is 0."""

    trials: int | None
    """Of each instance, with the same instances; None where it is unknown or no number is enough."""

    trials_enough: bool | None
    """Whether any number of trials is enough; None where it is unknown, as a run has one trial an instance."""


class StageScore(Model):
    """A score of what comes before the candidates are combined, in both runs."""

    name: str
    """`answer`, the share of answers that can be read; `decomposition` or `acquisition`."""

    instances: int
    """Those in which both runs have it."""

    a: Estimate
    b: Estimate
    difference: Estimate
    """B - A."""

    test: PairedTest


class ComparisonPart(Model):
    """The comparison at one level, or at all; only instances that both runs scored."""

    level: AnyLevel | None
    """None: all levels."""

    instances: int
    f1_a: Estimate
    f1_b: Estimate
    f1_difference: Estimate
    """B - A."""

    f1_test: PairedTest
    exact_match_a: Estimate
    exact_match_b: Estimate
    exact_match_difference: Estimate
    """B - A."""

    exact_match_test: PairedTest
    """McNemar's where every compared instance has one scored trial in both runs; otherwise a permutation test on the
    instances' rates."""

    detectable: float | None
    """The smallest difference of F1 that is found with 80 % power at a level of 5 %; None where no spread shows it."""

    needed: tuple[Needed, ...]
    """For the observed difference and for the one that was asked for."""

    gained: tuple[str, ...]
    """Instances solved by B and not by A; solved is more than half of the scored trials."""

    lost: tuple[str, ...]
    """Instances solved by A and not by B."""

    stages: tuple[StageScore, ...] = ()
    """The scores of the stages in which some instance differs."""

    verdict: ComparisonVerdict


Pair = tuple[InstanceTrials, InstanceTrials]
"""An instance in run A and in run B, both with scored trials."""


def part_of(
    level: AnyLevel | None, levels: Sequence[Sequence[Pair]], single: bool, target: float | None, seed: int
) -> ComparisonPart:
    """The comparison at some levels.

    Args:
        level: Which; None for all.
        levels: The instances by level.
        single: Whether every instance of the whole comparison has one scored trial in both runs.
        target: A further difference of F1 to detect.
        seed: Of the permutation tests.
    """
    pairs = [pair for of_level in levels for pair in of_level]
    f1 = [[(_f1(a), _f1(b)) for a, b in of_level] for of_level in levels]
    exact = [[(_exact(a), _exact(b)) for a, b in of_level] for of_level in levels]
    f1_difference = _difference(f1)
    gained = tuple(b.instance_id for a, b in pairs if b.solved and not a.solved)
    lost = tuple(b.instance_id for a, b in pairs if a.solved and not b.solved)
    spread = spread_of(
        [[b - a for a, b in of_level] for of_level in f1],
        max(len(one.scored) for pair in pairs for one in pair),
        _trial_variances(pairs),
    )
    smallest = None if spread is None else detectable(spread)
    return ComparisonPart(
        level=level,
        instances=len(pairs),
        f1_a=_mean([[a for a, _ in of_level] for of_level in f1]),
        f1_b=_mean([[b for _, b in of_level] for of_level in f1]),
        f1_difference=f1_difference,
        f1_test=_permutation(f1, seed),
        exact_match_a=_mean([[a for a, _ in of_level] for of_level in exact]),
        exact_match_b=_mean([[b for _, b in of_level] for of_level in exact]),
        exact_match_difference=_difference(exact),
        exact_match_test=mcnemar(len(gained), len(lost)) if single else _permutation(exact, seed),
        detectable=smallest,
        needed=_needed(spread, f1_difference.mean, target),
        gained=gained,
        lost=lost,
        stages=tuple(_stages(levels, seed)),
        verdict=_verdict(f1_difference, smallest),
    )


def _stages(levels: Sequence[Sequence[Pair]], seed: int) -> Iterator[StageScore]:
    for name, measure in _STAGES.items():
        values = [[(a.mean(measure), b.mean(measure)) for a, b in of_level] for of_level in levels]
        known = [[(a, b) for a, b in of_level if a is not None and b is not None] for of_level in values]
        known = [of_level for of_level in known if of_level]
        if any(a != b for of_level in known for a, b in of_level):
            yield StageScore(
                name=name,
                instances=sum(map(len, known)),
                a=_mean([[a for a, _ in of_level] for of_level in known]),
                b=_mean([[b for _, b in of_level] for of_level in known]),
                difference=_difference(known),
                test=_permutation(known, seed),
            )


def _read(result: Result) -> float:
    return float(result.answer_status == "parsed")


def _decomposition(result: Result) -> float | None:
    return None if result.diagnosis is None else result.diagnosis.capability.decomposition


def _acquisition(result: Result) -> float | None:
    return None if result.diagnosis is None else result.diagnosis.capability.acquisition


_STAGES: Final[Mapping[str, Callable[[Result], float | None]]] = {
    "answer": _read,
    "decomposition": _decomposition,
    "acquisition": _acquisition,
}


def _f1(instance: InstanceTrials) -> float:
    return fsum(_f1_scores(instance)) / len(instance.scored)


def _f1_scores(instance: InstanceTrials) -> list[float]:
    return [result.scores.f1 for result in instance.scored if result.scores is not None]


def _exact(instance: InstanceTrials) -> float:
    return instance.passed / len(instance.scored)


def _mean(levels: Sequence[Sequence[float]]) -> Estimate:
    mean = combined([share(values) for values in levels])
    assert mean is not None
    return mean


def _difference(levels: Sequence[Sequence[tuple[float, float]]]) -> Estimate:
    mean = combined([difference([b - a for a, b in values]) for values in levels])
    assert mean is not None
    return mean


def _permutation(levels: Sequence[Sequence[tuple[float, float]]], seed: int) -> PairedTest:
    pairs = [pair for values in levels for pair in values]
    return permutation([a for a, _ in pairs], [b for _, b in pairs], seed=seed)


def _trial_variances(pairs: Sequence[Pair]) -> list[float] | None:
    """The variance of each instance's difference that comes from its trials, where every one has several."""
    if any(len(one.scored) < 2 for pair in pairs for one in pair):
        return None
    return [fsum(variance(_f1_scores(one)) / len(one.scored) for one in pair) for pair in pairs]


def _needed(spread: Spread | None, observed: float, target: float | None) -> tuple[Needed, ...]:
    found = []
    for wanted in dict.fromkeys([abs(observed)] if target is None else [abs(observed), target]):
        instances = None if spread is None else needed_instances(spread, wanted)
        known = spread is not None and spread.trial_variance is not None and instances is not None
        trials = needed_trials(spread, wanted) if spread is not None and known else None
        found.append(
            Needed(
                difference=wanted,
                instances=instances,
                trials=trials,
                trials_enough=trials is not None if known else None,
            )
        )
    return tuple(found)


def _verdict(found: Estimate, smallest: float | None) -> ComparisonVerdict:
    if found.low is None or found.high is None or found.low <= 0 <= found.high:
        return ComparisonVerdict.INCONCLUSIVE
    if smallest is not None and abs(found.mean) < smallest:
        return ComparisonVerdict.INCONCLUSIVE
    return ComparisonVerdict.B_BETTER if found.mean > 0 else ComparisonVerdict.A_BETTER

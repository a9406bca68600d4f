"""A learned prior: how likely a candidate is gold, by when it is and where it ranks, whatever its task says."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from mpcbench.benchmark.agents.baselines.options import Case, Option
from mpcbench.oracle.solve import Choice

_OTHERS = 40  # candidates of each instance that are learned from besides its gold
_PASSES = 12
_RATE = 0.3
_DECAY = 0.002

Weights = dict[tuple[int, int], float]
"""Coefficients of a logistic regression by feature and value; the intercept does not matter."""


def learned(cases: Sequence[Case]) -> Weights:
    """A logistic regression over the options of all cases, the same for the same cases.

    Of what is not gold only a sample is learned from. That changes the intercept alone.
    """
    rng = Random(0)  # noqa: S311 - no secret
    rows: list[tuple[tuple[tuple[int, int], ...], bool]] = []
    for case in cases:
        gold = [option for option in case.options if option.choice in case.gold]
        others = [option for option in case.options if option.choice not in case.gold]
        others = rng.sample(others, min(_OTHERS, len(others)))
        rows += [(tuple(_features(option, case)), option.choice in case.gold) for option in (*gold, *others)]
    weights: Weights = {}
    for number in range(_PASSES):
        rate = _RATE / (1 + number)
        rng.shuffle(rows)
        for features, is_gold in rows:
            logit = sum(weights.get(feature, 0.0) for feature in features)
            step = rate * (is_gold - 1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))))
            for feature in features:
                weight = weights.get(feature, 0.0)
                weights[feature] = weight + step - rate * _DECAY * weight
    return weights


def most_likely(case: Case, weights: Weights, count: int) -> list[Choice]:
    """The options of the highest probability."""
    ranked = sorted(case.options, key=lambda option: -_logit(option, case, weights))
    return [option.choice for option in ranked[:count]]


def most_likely_run(case: Case, weights: Weights) -> list[Choice]:
    """The N consecutive options that are the most probable together."""
    logits = [_logit(option, case, weights) for option in case.options]
    starts = range(max(1, len(logits) - case.count + 1))
    start = max(starts, key=lambda place: sum(logits[place : place + case.count]))
    return [option.choice for option in islice(case.options, start, start + case.count)]


def _logit(option: Option, case: Case, weights: Weights) -> float:
    return sum(weights.get(feature, 0.0) for feature in _features(option, case))


def _features(option: Option, case: Case) -> Iterator[tuple[int, int]]:
    yield 0, option.minute // 30
    yield 1, option.weekday
    yield 2, min(option.day, 14)
    yield 3, min(option.rank, 39)
    yield 4, min(2 * option.rank // case.count, 12)
    yield 5, min(option.place_on_day, 20)
    yield 6, min(option.room_place, 5)
    yield 7, min(option.before, 12)
    yield 8, min(option.after, 12)
    yield 9, max(-8, min(option.rank - case.count, 12))

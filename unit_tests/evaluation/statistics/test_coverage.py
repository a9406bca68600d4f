"""Against 2,000 simulated data sets 93 to 97 % of the intervals hold the true mean, each kind in its regime.

The numbers are drawn with fixed seeds, so the tests say the same every time.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from mpcbench.evaluation.statistics import Estimate, Method, amount, clustered, combined, difference, share
from unit_tests.marks import UNTRACED

pytestmark = [UNTRACED, pytest.mark.slow]  # simulates 2,000 data sets for every figure

DATA_SETS = 2_000
BETWEEN = np.array([1 / 3, 0.4, 0.5, 2 / 3, 0.75, 0.8, 6 / 7, 8 / 9])
"""F1 scores of answers that are right in part."""

Draws = NDArray[np.float64]


def f1_scores(generator: np.random.Generator, n: int, zero: float, one: float) -> Draws:
    """Data sets of n scores that are 0 or 1 with these probabilities and otherwise in between."""
    kind = generator.random((DATA_SETS, n))
    between = generator.choice(BETWEEN, (DATA_SETS, n))
    return np.where(kind < zero, 0.0, np.where(kind < zero + one, 1.0, between))


def f1_mean(zero: float, one: float) -> float:
    return float(one + (1 - zero - one) * BETWEEN.mean())


def coverage(found: Iterator[Estimate | None], truth: float) -> tuple[float, Method]:
    """Which share of the intervals holds the truth, and the method that was used most."""
    methods: Counter[Method] = Counter()
    held = 0
    for one in found:
        assert one is not None
        assert one.low is not None
        assert one.high is not None
        methods[one.method] += 1
        held += one.low <= truth <= one.high
    assert methods.total() == DATA_SETS
    return held / DATA_SETS, methods.most_common(1)[0][0]


def each(draws: Draws, estimate: Callable[[list[float]], Estimate | None]) -> Iterator[Estimate | None]:
    return map(estimate, draws.tolist())


@pytest.mark.parametrize(
    ("n", "zero", "one", "method"),
    [
        (15, 0.2, 0.3, Method.STUDENT),
        (100, 0.2, 0.3, Method.STUDENT),
        (100, 0.5, 0.1, Method.STUDENT),
        (300, 0.05, 0.7, Method.STUDENT),
        (100, 0.8, 0.05, Method.KORN_GRAUBARD),
        (100, 0.05, 0.75, Method.KORN_GRAUBARD),
        (200, 0.01, 0.93, Method.KORN_GRAUBARD),
        (50, 0.3, 0.7, Method.WILSON),
        (100, 0.05, 0.95, Method.WILSON),
        (300, 0.97, 0.03, Method.WILSON),
    ],
)
def test_f1_scores(n: int, zero: float, one: float, method: Method) -> None:
    """Skewed scores with much mass at 0 and at 1, one trial an instance; rates where there is nothing in between."""
    draws = f1_scores(np.random.default_rng(1), n, zero, one)
    actual, used = coverage(each(draws, share), f1_mean(zero, one))

    assert method is used
    assert 0.93 <= actual <= 0.97


@pytest.mark.parametrize(("n", "zero", "one"), [(3, 0.2, 0.3), (10, 0.05, 0.85), (30, 0.9, 0.02), (100, 0, 0.98)])
def test_small_and_extreme_samples_are_on_the_safe_side(n: int, zero: float, one: float) -> None:
    """Where few instances differ, intervals hold the mean rather too often than too seldom."""
    draws = f1_scores(np.random.default_rng(2), n, zero, one)
    actual, _ = coverage(each(draws, share), f1_mean(zero, one))

    assert actual >= 0.93


@pytest.mark.parametrize(("n", "trials"), [(40, 5), (100, 3)])
def test_trials_within_instances(n: int, trials: int) -> None:
    """Instances are easy or hard: their means are the unit; pooling all episodes would claim too much."""
    generator = np.random.default_rng(3)
    passed = generator.binomial(trials, generator.beta(0.6, 0.4, (DATA_SETS, n)))
    actual, used = coverage(each(passed / trials, share), 0.6)
    pooled, _ = coverage(
        (share([1.0] * total + [0.0] * (n * trials - total)) for total in passed.sum(axis=1).tolist()), 0.6
    )

    assert Method.STUDENT is used
    assert 0.93 <= actual <= 0.97
    assert pooled < 0.85


def test_worlds_are_clusters() -> None:
    """Worlds differ, too: with their number as the unit the interval holds, with the instances' it does not."""
    generator = np.random.default_rng(4)
    worlds = [f"world {world}" for world in range(20) for _ in range(3 + world % 3)]
    means = np.repeat(generator.beta(3, 2, (DATA_SETS, 20)), [3 + world % 3 for world in range(20)], axis=1)
    draws = generator.beta(4 * means, 4 * (1 - means))
    actual, used = coverage(each(draws, lambda values: clustered(values, worlds)), 0.6)
    unclustered, _ = coverage(each(draws, share), 0.6)

    assert Method.CLUSTER_ROBUST is used
    assert 0.93 <= actual <= 0.97
    assert unclustered < 0.9


def test_levels_together() -> None:
    """An easy, a middling and a hard level, each with a method of its own."""
    generator = np.random.default_rng(5)
    mixes = ((60, 0.02, 0.85), (80, 0.2, 0.3), (60, 0.6, 0.4))
    levels = [f1_scores(generator, *mix).tolist() for mix in mixes]
    truth = sum(n * f1_mean(zero, one) for n, zero, one in mixes) / 200
    actual, used = coverage((combined([share(one) for one in row]) for row in zip(*levels, strict=True)), truth)

    assert Method.BY_LEVEL is used
    assert 0.93 <= actual <= 0.97


@pytest.mark.parametrize(
    ("n", "gain", "loss", "method"),
    [
        (20, 0.4, 0.3, Method.STUDENT),
        (100, 0.4, 0.3, Method.STUDENT),
        (100, 0.2, 0.2, Method.STUDENT),
        (100, 0.1, 0.05, Method.KORN_GRAUBARD),
        (150, 0.05, 0.05, Method.KORN_GRAUBARD),
    ],
)
def test_paired_differences(n: int, gain: float, loss: float, method: Method) -> None:
    """Most pairs are equal, the others differ by a half or wholly."""
    generator = np.random.default_rng(6)
    kind = generator.random((DATA_SETS, n))
    size = generator.choice([1 / 3, 0.5, 2 / 3, 1.0], (DATA_SETS, n))
    draws = np.where(kind < gain, size, np.where(kind < gain + loss, -size, 0.0))
    actual, used = coverage(each(draws, difference), (gain - loss) * 0.625)

    assert method is used
    assert 0.93 <= actual <= 0.97


def test_amounts() -> None:
    """Skewed amounts, such as tokens."""
    draws = np.random.default_rng(7).gamma(4.0, 1_000.0, (DATA_SETS, 50))
    actual, used = coverage(each(draws, amount), 4_000)

    assert Method.STUDENT is used
    assert 0.93 <= actual <= 0.97

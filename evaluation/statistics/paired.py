"""Two runs on the same instances: tests of the difference, and how small a difference their number can show."""

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from itertools import product
from math import ceil, comb, fsum, isnan, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from mpcbench.evaluation.statistics.estimate import CONFIDENCE
from mpcbench.schema.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALPHA: Final = 1 - CONFIDENCE
"""Probability of finding a difference where there is none."""

POWER: Final = 0.8
"""Probability of finding a difference that is there."""

RESAMPLES: Final = 9_999
"""Of a permutation test; it is exact where there are no more different ones."""

_MOST_AT_ONCE = 1_000_000  # numbers in memory
_DIGITS = 9  # smaller differences come from rounding


class TestName(StrEnum):
    """Which test of a paired difference."""

    __test__ = False  # not for pytest

    MCNEMAR = "mcnemar"
    """McNemar's exact test on exact matches, one trial an instance in both runs."""

    PERMUTATION = "permutation"
    """Paired permutation test on the instances' means."""


class PairedTest(Model):
    """A two-sided test of "no difference"."""

    name: TestName
    p_value: float
    exact: bool
    """Whether every permutation was counted, not a random sample of them."""


class Spread(NamedTuple):
    """How paired differences vary."""

    n: int
    deviation: float
    """The standard deviation of the instances' differences; within levels, where there are several."""

    trials: int
    """The most trials of an instance in either run."""

    trial_variance: float | None
    """The part of the variance that comes from having so few trials; None where there is only one of each."""


def mcnemar(gained: int, lost: int) -> PairedTest:
    """McNemar's exact test (McNemar 1947): whether instances that only one run solved favour one of the runs.

    Without a difference each of those n instances is as likely to be gained as to be lost. The p-value is twice the
    probability of a binomial B(n, 1/2) to be at most the smaller number, and at most 1.
    """
    n = gained + lost
    tail = sum(comb(n, k) for k in range(min(gained, lost) + 1))
    return PairedTest(name=TestName.MCNEMAR, p_value=round(min(2 * tail / 2**n, 1.0), _DIGITS), exact=True)


def permutation(a: Sequence[float], b: Sequence[float], *, seed: int) -> PairedTest:
    """Whether the mean of b - a is further from 0 than by exchanging a and b within instances at random.

    Args:
        a: The values of one run, one an instance.
        b: Those of the other, of the same instances in the same order.
        seed: Of the permutations, where there are too many to count all.
    """
    # Equal pairs stay as they are however they are exchanged, and one pair only changes its sign.
    differences = [y - x for x, y in zip(a, b, strict=True) if round(y - x, _DIGITS)]
    if len(differences) < 2:
        return PairedTest(name=TestName.PERMUTATION, p_value=1.0, exact=True)
    exact = 2 ** len(differences) <= RESAMPLES
    observed = fsum(differences)
    slack = 1e-13 * abs(observed)  # sums that differ by rounding are equal
    sums = _exchanged_sums(differences, None if exact else seed)
    tail = min((sums <= observed + slack).sum(), (sums >= observed - slack).sum())
    # A random sample of permutations counts the observed one as a further one (Phipson and Smyth 2010).
    p_value = float(2 * tail / len(sums)) if exact else float(2 * (tail + 1) / (len(sums) + 1))
    return PairedTest(name=TestName.PERMUTATION, p_value=round(min(p_value, 1.0), _DIGITS), exact=exact)


def _exchanged_sums(differences: Sequence[float], seed: int | None) -> "NDArray[np.float64]":
    """The sums of the differences with their signs permuted: in all ways, or in 9,999 random ones if there is a seed."""
    import numpy as np  # noqa: PLC0415  # only comparisons need it

    if seed is None:
        sums: NDArray[np.float64] = np.array(list(product((1, -1), repeat=len(differences)))) @ np.array(differences)
        return sums
    generator = np.random.default_rng(seed)
    rows = max(1, _MOST_AT_ONCE // len(differences))
    parts = []
    for start in range(0, RESAMPLES, rows):
        pairs = np.tile([0, 1], (min(rows, RESAMPLES - start), len(differences), 1))
        exchanged = generator.permuted(pairs, axis=-1)[:, :, 0]
        parts.append((1 - 2 * exchanged) @ np.array(differences))
    return np.concatenate(parts)


def spread_of(
    levels: Sequence[Sequence[float]], trials: int = 1, trial_variances: Sequence[float] | None = None
) -> Spread | None:
    """The spread of the differences of several levels, or of one; None where no level has two instances.

    Args:
        levels: The differences by level and instance.
        trials: The most trials of an instance in either run.
        trial_variances: Of every instance, the variance of its difference that comes from its trials; None if unknown.
    """
    n = sum(len(level) for level in levels)
    freedom = sum(len(level) - 1 for level in levels)
    if freedom < 1:
        return None
    squares = fsum((value - fsum(level) / len(level)) ** 2 for level in levels for value in level)
    variance = None if not trial_variances else fsum(trial_variances) / len(trial_variances)
    return Spread(n, sqrt(squares / freedom), trials, variance)


def detectable(spread: Spread) -> float | None:
    """The smallest difference that a paired t test shows with 80 % power at a level of 5 %; None without spread."""
    if not spread.deviation:
        return None
    return _effect(spread.n) * spread.deviation


def needed_instances(spread: Spread, difference: float) -> int | None:
    """How many instances such a test needs for a difference, at the same number of trials; None without spread."""
    if not spread.deviation or not round(difference, _DIGITS):
        return None
    effect = abs(difference) / spread.deviation
    enough = 2
    while _power(effect, enough) < POWER:
        enough *= 2
    sizes = range(max(2, enough // 2), enough + 1)
    return sizes[bisect_left(sizes, POWER, key=lambda n: _power(effect, n))]


def needed_trials(spread: Spread, difference: float) -> int | None:
    """How many trials an instance such a test needs for a difference, with the same instances.

    None where no number is enough: the instances differ too much; raises where `trial_variance` is None.

    The variance of an instance's difference is a part that does not depend on trials and `trial_variance`, which
    shrinks as the number of trials grows.
    """
    if spread.trial_variance is None:
        raise ValueError("trial_variance: unknown")
    if not spread.deviation or not round(difference, _DIGITS):
        return None
    wanted = (abs(difference) / _effect(spread.n)) ** 2
    if spread.deviation**2 <= wanted:
        return spread.trials
    others = max(spread.deviation**2 - spread.trial_variance, 0)
    if wanted <= others:
        return None
    return max(spread.trials, ceil(spread.trials * spread.trial_variance / (wanted - others)))


def _effect(n: int) -> float:
    """The detectable difference in standard deviations."""
    low, high = 0.0, 1.0
    while _power(high, n) < POWER:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _power(middle, n) < POWER else (low, middle)
    return high


def _power(effect: float, n: int) -> float:
    """The power of a two-sided paired t test of n differences whose mean is so many standard deviations from 0.

    The test statistic then has a noncentral t distribution with n - 1 degrees of freedom and noncentrality
    effect · √n (Cohen 1988, "Statistical Power Analysis for the Behavioral Sciences", chapter 2).
    """
    from scipy import special  # noqa: PLC0415  # half a second

    critical = special.stdtrit(n - 1, 1 - ALPHA / 2)
    lower, upper = (float(special.nctdtr(n - 1, effect * sqrt(n), bound)) for bound in (-critical, critical))
    # SciPy gives no number for probabilities that are too small for it.
    return 1 - (0 if isnan(upper) else upper) + (0 if isnan(lower) else lower)

"""95 % intervals of means over instances.

Which interval is used depends on the values alone. Of values from 0 to 1, such as F1 scores and rates:

- all of them 0 or 1: Wilson's score interval (Wilson 1927; recommended by Brown, Cai and DasGupta 2001); it holds the
  true rate in 95 % of the cases on average, but in as few as 84 % for some rates so close to 0 or 1 that less than one
  exception is to be expected;
- otherwise, where enough of them differ from the most frequent one (30, or half of them in smaller samples, but at
  least 5), so that the central limit theorem holds: Student's t;
- otherwise, as when nearly every F1 is 1: Clopper and Pearson's interval with the effective number of instances
  (Korn and Graubard 1998), of what lies below the most frequent value and of what lies above it; where both are
  possible, the two are combined by the method of variance estimates recovery (Zou and Donner 2008). It is
  conservative. It also serves where all values are equal: there Student's t would have width 0.

For paired differences, from -1 to 1, the last two hold likewise, with gains and losses in place of what lies above and
below. What has no upper bound (turns, tokens, seconds, cost) gets Student's t.

The instances of one world share its threads and participants, so an interval over one world speaks of further
instances of that world. Where several worlds of one level are pooled, the world is the unit that was drawn: the
standard error is cluster-robust, with t of G - 1 degrees of freedom for G worlds. With fewer than about 10 worlds of
different sizes such an interval is somewhat too short.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import fsum, hypot, sqrt
from statistics import NormalDist
from typing import Final

from mpcbench.evaluation.statistics.estimate import CONFIDENCE, Estimate, Method

_TAIL: Final = (1 - CONFIDENCE) / 2
_NORMAL: Final = NormalDist().inv_cdf(1 - _TAIL)
_DIGITS: Final = 9  # means over trials that differ by rounding are equal


def share(values: Sequence[float]) -> Estimate | None:
    """The mean of values from 0 to 1, one an instance, in any order; None without any."""
    if not values:
        return None
    counts = _counts(values)
    if counts.keys() <= {0, 1}:
        low, high = _wilson(counts[1], len(values))
        method = Method.WILSON
    elif _varied(values):
        low, high = _student(values)
        method = Method.STUDENT
    else:
        low, high = _about(_mode(values), values, 0, 1)
        method = Method.KORN_GRAUBARD
    return _estimate(values, low, high, method, within=(0, 1))


def amount(values: Sequence[float]) -> Estimate | None:
    """The mean of values of 0 or more, one an instance; None without any."""
    if not values:
        return None
    if len(_counts(values)) == 1:
        return Estimate(mean=_mean(values), n=len(values), low=None, high=None, method=Method.NONE)
    return _estimate(values, *_student(values), Method.STUDENT, within=(0, float("inf")))


def difference(values: Sequence[float]) -> Estimate | None:
    """The mean of paired differences from -1 to 1, one an instance; None without any."""
    if not values:
        return None
    if _varied(values):
        return _estimate(values, *_student(values), Method.STUDENT, within=(-1, 1))
    return _estimate(values, *_about(0, values, -1, 1), Method.KORN_GRAUBARD, within=(-1, 1))


def clustered(values: Sequence[float], worlds: Sequence[str], *, most: float = 1) -> Estimate | None:
    """The mean of values from 0 to most, one an instance, of instances from several worlds; None without any.

    Args:
        values: By instance.
        worlds: The world of each instance, at least two different ones.
        most: The upper bound of a value; infinite where there is none.
    """
    if not values:
        return None
    by_world: dict[str, list[float]] = {}
    for world, value in zip(worlds, values, strict=True):
        by_world.setdefault(world, []).append(value)
    if len(by_world) < 2:
        raise ValueError(f"worlds: {len(by_world)} given, at least 2 wanted")
    mean = _mean(values)
    reach = _student_quantile(len(by_world) - 1) * _cluster_robust_error(by_world.values(), mean)
    if round(2 * reach, _DIGITS) == 0:
        # The worlds' means are equal, so there is no spread to measure: each world counts as one observation.
        same = [mean] * len(by_world)
        if most != 1:
            return Estimate(mean=mean, n=len(values), low=None, high=None, method=Method.NONE)
        return _estimate(values, *_about(mean, same, 0, 1), Method.KORN_GRAUBARD, within=(0, 1))
    return _estimate(values, mean - reach, mean + reach, Method.CLUSTER_ROBUST, within=(0, most))


def combined(parts: Sequence[Estimate | None]) -> Estimate | None:
    """The mean over the instances of several levels, from the levels' means; None without any.

    Levels differ on purpose and are no sample of levels, so the differences between them are no uncertainty: each
    level's distance from its mean to its bound enters with the level's share of the instances, squared and added
    (Zou and Donner 2008). The interval speaks of further instances of the same worlds, as those of the levels do.
    """
    known = [part for part in parts if part is not None]
    if len(known) < 2:
        return known[0] if known else None
    n = sum(part.n for part in known)
    mean = fsum(part.n * part.mean for part in known) / n
    below = [part.n / n * (part.mean - part.low) for part in known if part.low is not None]
    above = [part.n / n * (part.high - part.mean) for part in known if part.high is not None]
    if len(below) < len(known) or len(above) < len(known):
        return Estimate(mean=mean, n=n, low=None, high=None, method=Method.NONE)
    low, high = _rounded(mean - hypot(*below)), _rounded(mean + hypot(*above))
    return Estimate(mean=mean, n=n, low=low, high=high, method=Method.BY_LEVEL)


def _estimate(
    values: Sequence[float],
    low: float,
    high: float,
    method: Method,
    *,
    within: tuple[float, float],
) -> Estimate:
    mean = _mean(values)
    return Estimate(
        mean=mean,
        n=len(values),
        low=min(max(_rounded(low), within[0]), mean),
        high=max(min(_rounded(high), within[1]), mean),
        method=method,
    )


def _rounded(bound: float) -> float:
    # Machines and versions of SciPy differ in the last digits; recomputed summaries should not.
    return float(f"{bound:.{_DIGITS}g}")


def _mean(values: Sequence[float]) -> float:
    # Exact before the one division: the order of the values does not matter.
    return fsum(values) / len(values)


def _counts(values: Sequence[float]) -> Counter[float]:
    return Counter(round(value, _DIGITS) for value in values)


def _varied(values: Sequence[float]) -> bool:
    different = len(values) - max(_counts(values).values())
    return different >= max(5, min(30, len(values) / 2))


def _student(values: Sequence[float]) -> tuple[float, float]:
    mean = _mean(values)
    reach = _student_quantile(len(values) - 1) * _standard_error(values)
    return mean - reach, mean + reach


def _student_quantile(freedom: int) -> float:
    """What Student's t exceeds with a probability of 2.5 %."""
    from scipy import special  # noqa: PLC0415  # half a second

    return float(special.stdtrit(freedom, 1 - _TAIL))


def _standard_error(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def _cluster_robust_error(clusters: Collection[Sequence[float]], mean: float) -> float:
    """The standard error of the mean of n values in G clusters.

    It is the square root of G / (G - 1) times the sum over the clusters of the squared sums of their values' distances
    from the mean, divided by n: the sandwich estimator of Liang and Zeger (1986) for a regression on a constant, with
    the correction for few clusters of Cameron and Miller (2015), "A Practitioner's Guide to Cluster-Robust Inference",
    equations 11 and 12.
    """
    n = sum(map(len, clusters))
    squares = fsum(fsum(value - mean for value in cluster) ** 2 for cluster in clusters)
    return sqrt(len(clusters) / (len(clusters) - 1) * squares) / n


def _wilson(successes: int, n: int) -> tuple[float, float]:
    """Wilson (1927): the rates from which the observed one is no more than 1.96 of their standard errors away."""
    rate, square = successes / n, _NORMAL**2
    centre = (rate + square / (2 * n)) / (1 + square / n)
    reach = _NORMAL / (1 + square / n) * sqrt(rate * (1 - rate) / n + square / (4 * n**2))
    return (centre - reach if successes else 0.0), (centre + reach if successes < n else 1.0)


def _mode(values: Sequence[float]) -> float:
    counts = _counts(values)
    return max(counts, key=lambda value: (counts[value], value))


def _about(centre: float, values: Sequence[float], least: float, most: float) -> tuple[float, float]:
    """For values between the two bounds, most of them equal to the centre."""
    mean = _mean(values)
    down = _korn_graubard([max(round(centre - value, _DIGITS), 0) for value in values], centre - least)
    up = _korn_graubard([max(round(value - centre, _DIGITS), 0) for value in values], most - centre)
    return mean - hypot(down[1], up[0]), mean + hypot(down[0], up[1])


def _korn_graubard(values: Sequence[float], most: float) -> tuple[float, float]:
    """How far the interval of values from 0 to most, mostly 0, reaches below and above their mean.

    It is that of as many 0s and 1s as would give the mean the same variance; with t instead of normal quantiles, as
    the variance is estimated. Where all values are 0, of as many as there are: no values between the bounds vary more.
    """
    if not most:
        return 0.0, 0.0
    from scipy import special  # noqa: PLC0415  # half a second

    scaled = [min(value / most, 1) for value in values]
    n = len(scaled)
    mean, effective = _mean(scaled), float(n)
    if len(_counts(scaled)) > 1:
        quantiles = _NORMAL / _student_quantile(n - 1)
        effective = mean * (1 - mean) / _standard_error(scaled) ** 2 * quantiles**2
    ones, zeros = mean * effective, (1 - mean) * effective
    low = float(special.betaincinv(ones, zeros + 1, _TAIL)) if ones else 0.0
    high = float(special.betaincinv(ones + 1, zeros, 1 - _TAIL)) if zeros else 1.0
    return (mean - low) * most, (high - mean) * most

"""The composition horizon: the load at which exact match falls to one half."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import inf, log2
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mpcbench.evaluation.statistics.logistic import crossings
from mpcbench.schema.model import Model

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES: Final = 1000
"""Of the bootstrap."""

FEWEST: Final = 10
"""Instances; with fewer there is no interval, as their resamples say too little about others."""

_SEED: Final = 20270225
_DIGITS: Final = 4
_WHOLE: Final = 100
"""Loads from here on are written without decimals."""


class Climbed(NamedTuple):
    """An instance of level 4 and how often it was answered exactly."""

    rung: int
    load: int
    rate: float
    """Of exact matches over its trials."""


class Place(StrEnum):
    """Where a load lies."""

    AT = "at"
    """Among the loads of the instances that were run."""

    ABOVE = "above"
    """Above all of them."""

    BELOW = "below"
    """Below all of them."""


class Bound(Model):
    """A load, or on which side of the loads that were run it lies; nothing is extrapolated."""

    place: Place
    load: float | None
    """None unless it lies among them."""

    rung: int
    """The rung whose instances' loads are nearest; beyond them, the highest or lowest rung that was run."""

    @property
    def text(self) -> str:
        """Such as `load 95 (rung 4)`, `above rung 8`."""
        if self.load is None:
            return f"{self.place} rung {self.rung}"
        number = f"{self.load:,.0f}" if self.load >= _WHOLE else f"{self.load:.3g}"
        return f"load {number} (rung {self.rung})"


class Horizon(Model):
    """The composition horizon of a model with its 95 % interval."""

    estimate: Bound
    low: Bound | None
    """None, like high, where there are too few instances for an interval."""

    high: Bound | None
    slope: float
    """How much the log-odds of an exact match change when the load doubles; at most 0."""

    n: int
    """The number of instances."""

    separated: bool
    """Whether every instance below some load was always solved and every one above it never: then the curve is steep, but
    how steep is not known, and the horizon only lies somewhere between the two."""

    @property
    def text(self) -> str:
        """Such as `load 95 (rung 4) [load 60 (rung 3), load 140 (rung 4)]`."""
        if self.low is None or self.high is None:
            return f"{self.estimate.text}, no interval with fewer than {FEWEST} instances"
        told = f"{self.estimate.text} [{self.low.text}, {self.high.text}]"
        return f"{told}; all instances below it were solved and none above" if self._splits else told

    @property
    def _splits(self) -> bool:
        return self.separated and self.estimate.place is Place.AT


def horizon(climbed: Sequence[Climbed]) -> Horizon | None:
    """The horizon over instances; None without any.

    The curve is that of `evaluation.statistics.logistic` over the binary logarithm of the load. The interval is the expanded
    percentile interval (Hesterberg 2015) of a bootstrap over instances with a fixed seed; where a load separates solved
    from unsolved instances, it holds the gap between them.
    """
    if not climbed:
        return None
    ladder = Ladder.of(climbed)
    found, slope = _once(climbed)
    gap = _gap(climbed)
    low = high = None
    if len(climbed) >= FEWEST:
        bounds = percentiles(resampled(climbed, RESAMPLES)[0], len(climbed))
        low, high = (bounds[0], bounds[1]) if gap is None else (min(bounds[0], gap[0]), max(bounds[1], gap[1]))
    return Horizon(
        estimate=ladder.bound(found),
        low=None if low is None else ladder.bound(min(low, found)),
        high=None if high is None else ladder.bound(max(high, found)),
        slope=float(f"{slope:.{_DIGITS}g}"),
        n=len(climbed),
        separated=gap is not None,
    )


class Ladder(NamedTuple):
    """The loads that were run."""

    lowest: float
    """As a binary logarithm, like the others."""

    highest: float
    middles: Mapping[int, float]
    """The median of each rung."""

    @classmethod
    def of(cls, climbed: Sequence[Climbed]) -> "Ladder":
        """The loads of some instances, at least one."""
        logs = [log2(max(one.load, 1)) for one in climbed]
        rungs: dict[int, list[float]] = {}
        for one, log in zip(climbed, logs, strict=True):
            rungs.setdefault(one.rung, []).append(log)
        return cls(min(logs), max(logs), {rung: median(rungs[rung]) for rung in sorted(rungs)})

    def bound(self, log: float) -> Bound:
        """What can be said about a load, given as its logarithm."""
        if log > self.highest:
            return Bound(place=Place.ABOVE, load=None, rung=max(self.middles))
        if log < self.lowest:
            return Bound(place=Place.BELOW, load=None, rung=min(self.middles))
        nearest = min(self.middles, key=lambda rung: (abs(self.middles[rung] - log), rung))
        return Bound(place=Place.AT, load=float(f"{2**log:.{_DIGITS}g}"), rung=nearest)


def resampled(climbed: Sequence[Climbed], times: int, others: Sequence[Sequence[float]] = ()) -> "NDArray[Any]":
    """The crossings of bootstrap samples of the instances; one row for the rates, and one for each of the others.

    Args:
        climbed: The instances.
        times: How many samples.
        others: Further rates of the same instances, which each sample takes together.
    """
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    size = len(climbed)
    weights = np.random.default_rng(_SEED).multinomial(size, [1 / size] * size, size=times)
    logs = [log2(max(one.load, 1)) for one in climbed]
    rates = [[one.rate for one in climbed], *others]
    if len(set(logs)) < 2:
        means = [weights @ np.asarray(one) / size for one in rates]
        return np.array([np.where(mean > 0.5, inf, -inf) for mean in means])
    return np.array([crossings(logs, one, weights)[0] for one in rates])


def percentiles(values: "NDArray[Any]", size: int) -> tuple[float, float]:
    """The expanded percentile interval of bootstrapped values of so many instances; infinite values count as such."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second
    from scipy import special  # noqa: PLC0415 - half a second

    reach = float(special.stdtrit(size - 1, 0.975)) * (size / (size - 1)) ** 0.5
    tail = float(special.ndtr(-reach))
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)


def _once(climbed: Sequence[Climbed]) -> tuple[float, float]:
    """Crossing and slope of the instances themselves."""
    logs = [log2(max(one.load, 1)) for one in climbed]
    if len(set(logs)) < 2:
        mean = sum(one.rate for one in climbed) / len(climbed)
        return (inf if mean > 0.5 else -inf), 0.0
    found, slope = crossings(logs, [one.rate for one in climbed])
    return float(found[0]), float(slope[0])


def _gap(climbed: Sequence[Climbed]) -> tuple[float, float] | None:
    """The highest load that was solved and the lowest that was not, if all solved ones lie below all others."""
    if any(0 < one.rate < 1 for one in climbed):
        return None
    solved = max((log2(max(one.load, 1)) for one in climbed if one.rate == 1), default=-inf)
    failed = min((log2(max(one.load, 1)) for one in climbed if one.rate == 0), default=inf)
    return (solved, failed) if solved < failed else None

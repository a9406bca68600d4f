"""A logistic curve of exact match over the logarithm of the load, fitted to many weightings of the instances at once.

The likelihood is Firth's (1993), penalised by Jeffreys' prior: it has a maximum even where a load separates what is solved
from what is not, and the plain one has none (Heinze and Schemper 2002). A rate of several trials counts as that fraction of
a success. The curve never rises with the load: where the best one would, the best constant takes its place.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEPS: Final = 20
_CLOSE: Final = 1e-6
_LONGEST_STEP: Final = 2.0
_STEEPEST: Final = 60.0
_FLATTEST: Final = 1e-6
_TINY: Final = 1e-12


def crossings(x: Sequence[float], y: Sequence[float], weights: Any = None) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Where the fitted curves cross one half, and how steep they are.

    Args:
        x: The binary logarithm of each instance's load; at least two different ones.
        y: The rate of exact matches of each instance.
        weights: One row for each fit, one column for each instance: how often the instance counts. None for one fit
            in which each counts once.

    Returns:
        For each fit, the place of the crossing, which is infinite where a constant of more than one half fits best, and
        negatively so where one of at most one half does; and the slope, at most 0.
    """
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    logs, rates = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    counts = np.ones((1, len(logs))) if weights is None else np.asarray(weights, dtype=float)
    centre, scale = logs.mean(), max(float(logs.std()), _TINY)
    level, slope = _fitted((logs - centre) / scale, rates, counts)
    means = (counts @ rates) / counts.sum(axis=1)
    falls = slope < -_FLATTEST
    constant = np.where(means > 0.5, np.inf, -np.inf)
    found = np.where(falls, centre + scale * (-level / np.where(falls, slope, -1.0)), constant)
    return found, np.where(falls, slope / scale, 0.0)


def _fitted(x: "NDArray[Any]", y: "NDArray[Any]", counts: "NDArray[Any]") -> "tuple[NDArray[Any], NDArray[Any]]":
    """Level and slope of each fit by Newton's method on the penalised score, with bounded steps."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    level, slope = np.zeros(len(counts)), np.zeros(len(counts))
    for _ in range(_STEPS):
        rate = 1 / (1 + np.exp(-np.clip(level[:, None] + slope[:, None] * x, -700, 700)))
        spread = rate * (1 - rate)
        w = counts * spread
        s0, s1, s2 = w.sum(axis=1), w @ x, w @ (x * x)
        determinant = np.maximum(s0 * s2 - s1 * s1, _TINY)
        leverage = spread * (s2[:, None] - 2 * s1[:, None] * x + s0[:, None] * x * x) / determinant[:, None]
        residual = counts * (y - rate + leverage * (0.5 - rate))
        u0, u1 = residual.sum(axis=1), residual @ x
        d0 = (s2 * u0 - s1 * u1) / determinant
        d1 = (s0 * u1 - s1 * u0) / determinant
        longest = np.maximum(np.maximum(np.abs(d0), np.abs(d1)) / _LONGEST_STEP, 1.0)
        level, slope = level + d0 / longest, np.clip(slope + d1 / longest, -_STEEPEST, _STEEPEST)
        if np.max(np.maximum(np.abs(d0), np.abs(d1))) < _CLOSE:
            break
    return level, slope

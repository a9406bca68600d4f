"""How far apart the horizons of two models are, on the same instances."""

from collections.abc import Sequence
from math import isfinite

from mpcbench.evaluation.statistics.horizon import FEWEST, RESAMPLES, Climbed, Horizon, horizon, percentiles, resampled
from mpcbench.schema.model import Model

_DIGITS = 4


class HorizonMove(Model):
    """Two horizons, and by which factor that of B is the load of A's."""

    a: Horizon
    b: Horizon
    factor: float | None
    """None unless both horizons lie among the loads that were run."""

    low: float | None
    """Of its 95 % interval; None, like high, where the instances do not bound it."""

    high: float | None

    def text(self, names: tuple[str, str] = ("A", "B")) -> str:
        """In one sentence, with what A and B are called."""
        said = f"composition horizon of {names[0]}: {self.a.text}; of {names[1]}: {self.b.text}"
        if self.factor is None:
            return f"{said}; how many times as high cannot be told"
        low = "0" if self.low is None else f"{self.low:.2g}"
        high = "unbounded" if self.high is None else f"{self.high:.2g}"
        return f"{said}; the latter is {self.factor:.2g} times the former [{low}, {high}]"


def horizon_move(a: Sequence[Climbed], b: Sequence[Climbed]) -> HorizonMove | None:
    """The move from A to B; None without instances.

    Args:
        a: The instances as model A answered them.
        b: The same ones in the same order, as model B did.
    """
    of_a, of_b = horizon(a), horizon(b)
    if of_a is None or of_b is None:
        return None
    factor = low = high = None
    if of_a.estimate.load is not None and of_b.estimate.load is not None:
        factor = float(f"{of_b.estimate.load / of_a.estimate.load:.{_DIGITS}g}")
        if len(a) >= FEWEST:
            low, high = _interval(a, b)
    return HorizonMove(a=of_a, b=of_b, factor=factor, low=low, high=high)


def _interval(a: Sequence[Climbed], b: Sequence[Climbed]) -> tuple[float | None, float | None]:
    """Of the factor, over samples of instances that A and B share; a horizon beyond the loads of a sample has no bound."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    of_a, of_b = resampled(a, RESAMPLES, [[one.rate for one in b]])
    with np.errstate(invalid="ignore"):
        moves = of_b - of_a
    moves = np.where(np.isnan(moves), 0.0, moves)  # both beyond the same end
    bounds = percentiles(moves, len(a))
    low, high = (float(f"{2**bound:.{_DIGITS}g}") if isfinite(bound) and abs(bound) < 64 else None for bound in bounds)
    return low, high

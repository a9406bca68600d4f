"""Exact match over the composition load: the rungs, the fitted curve, and the horizon on it."""

from collections.abc import Iterator, Sequence
from math import exp, log2
from typing import Final

from mpcbench.evaluation.report.plots.plot import WIDTH, Plot, decade_ticks, label
from mpcbench.evaluation.report.shapes import Disc, Group, Path, box, pixels
from mpcbench.evaluation.statistics.horizon import Horizon
from mpcbench.evaluation.statistics.ladder_summary import LadderSummary, RungSummary

_HEIGHT: Final = 220
_LEFT: Final = 40
_RIGHT: Final = WIDTH - 16
_TOP: Final = 12
_BOTTOM: Final = _HEIGHT - 40
_MARGIN: Final = 0.5
"""Doublings of the load beyond the lowest and the highest rung."""

_PIECES: Final = 60
_STEEPEST: Final = 700.0


def horizon_plot(found: LadderSummary, title: str) -> Plot:
    """A point and an interval for each rung, the curve where the horizon is known, and the horizon's interval."""
    scale = _Scale(found.rungs)
    points, intervals = [], []
    for one in found.rungs:
        x, estimate = scale.x(one.load), one.exact_match
        points.append(Disc(pixels(x), pixels(_y(estimate.mean)), "3.8"))
        if estimate.low is not None and estimate.high is not None:
            intervals.append(Path(box(x - 1.2, _y(estimate.high), 2.4, _y(estimate.low) - _y(estimate.high))))
    grid = "".join(f"M{_LEFT} {pixels(_y(rate))}H{_RIGHT}" for rate in (0, 0.5, 1))
    grid += "".join(f"M{pixels(scale.x(tick))} {_TOP}V{_BOTTOM}" for tick in scale.ticks)
    below = [label(scale.x(tick), _BOTTOM + 10, f"{tick:,.0f}") for tick in scale.ticks]
    beside = [label(_LEFT - 6, _y(rate), f"{rate:.0%}") for rate in (0, 0.5, 1)]
    middle = (_LEFT + _RIGHT) / 2
    return Plot(
        title,
        "A point for each rung with its 95 % interval over the mean load of its instances, on a logarithmic scale; the line is "
        "the fitted curve, the bar at one half the interval of the horizon. The table holds the numbers.",
        pixels(_HEIGHT),
        (
            Group("stroke-rule", (Path(grid),)),
            Group("axis middle", texts=(*below, label(middle, _BOTTOM + 27, "composition load"))),
            Group("axis end", texts=tuple(beside)),
            *_curve(found.horizon, scale),
            Group("fill-accent", tuple(intervals), discs=tuple(points)),
        ),
    )


class _Scale:
    """The logarithmic axis of loads."""

    def __init__(self, rungs: Sequence[RungSummary]) -> None:
        loads = [max(one.load, 1.0) for one in rungs]
        self.low, self.high = log2(min(loads)) - _MARGIN, log2(max(loads)) + _MARGIN
        self.ticks = list(decade_ticks(2**self.low, 2**self.high)) or [loads[0]]

    def x(self, load: float) -> float:
        place = (log2(max(load, 1.0)) - self.low) / (self.high - self.low)
        return _LEFT + min(max(place, 0.0), 1.0) * (_RIGHT - _LEFT)


def _y(rate: float) -> float:
    return _BOTTOM - rate * (_BOTTOM - _TOP)


def _curve(found: Horizon | None, scale: _Scale) -> Iterator[Group]:
    if found is None or found.estimate.load is None:
        return
    middle = log2(found.estimate.load)
    logs = [scale.low + place / _PIECES * (scale.high - scale.low) for place in range(_PIECES + 1)]
    rates = [1 / (1 + exp(min(max(-found.slope * (log - middle), -_STEEPEST), _STEEPEST))) for log in logs]
    line = "L".join(f"{pixels(scale.x(2**log))} {pixels(_y(rate))}" for log, rate in zip(logs, rates, strict=True))
    yield Group("stroke-accent", (Path(f"M{line}"),))
    if found.low is not None and found.high is not None:
        low = _LEFT if found.low.load is None else scale.x(found.low.load)
        high = _RIGHT if found.high.load is None else scale.x(found.high.load)
        yield Group("fill-muted", (Path(box(low, _y(0.5) - 1.2, high - low, 2.4)),))

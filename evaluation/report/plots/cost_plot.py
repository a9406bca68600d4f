"""Cost against score: one plot for each level, and which models no other one beats on both."""

from collections.abc import Callable, Sequence
from math import log
from typing import Final, NamedTuple

from mpcbench.evaluation.report.plots.plot import WIDTH, Plot, decade_ticks, even_ticks, label
from mpcbench.evaluation.report.shapes import Disc, Group, Path, pixels

_HEIGHT: Final = 230
_LEFT: Final = 34
_RIGHT: Final = WIDTH - 120
"""To the right of it are the names of the points."""

_TOP: Final = 10
_BOTTOM: Final = _HEIGHT - 44
_MOST_SCORE: Final = 1.03
_LINE: Final = 15
_WIDE_RANGE: Final = 20
"""A greater ratio between the highest and the lowest cost gets a logarithmic axis."""


class Point(NamedTuple):
    """A model at a level: the mean cost of an episode in US dollars and its exact-match rate."""

    name: str
    cost: float
    score: float


def pareto_front(points: Sequence[Point]) -> list[bool]:
    """For each point whether none other is at least as good on both cost and score and better on one."""
    return [
        not any(
            other.cost <= point.cost
            and other.score >= point.score
            and (other.cost, other.score) != (point.cost, point.score)
            for other in points
        )
        for point in points
    ]


def cost_plot(points: Sequence[Point], title: str) -> Plot:
    """The points, those on the front filled and joined by a line, with their names at the right.

    Raises:
        ValueError: there is no point.
    """
    if not points:
        raise ValueError("a plot of costs needs a point")
    x, ticks = _scale([point.cost for point in points])
    front = pareto_front(points)
    best = sorted({(point.cost, point.score) for point, on_front in zip(points, front, strict=True) if on_front})
    # The names from the best to the worst, each as near to the height of its point as the others permit.
    order = sorted(range(len(points)), key=lambda place: (-points[place].score, points[place].cost))
    heights = spread_down([_BOTTOM - _y(points[place].score) for place in order], _LINE)
    names = {place: _BOTTOM - height for place, height in zip(order, heights, strict=True)}
    grid = "".join(f"M{pixels(x(tick))} {_TOP}V{_BOTTOM}" for tick in ticks)
    grid += "".join(f"M{_LEFT} {pixels(_y(score))}H{_RIGHT}" for score in (0, 0.5, 1))
    leaders = "".join(
        f"M{_RIGHT + 13} {pixels(names[place])}L{pixels(x(point.cost))} {pixels(_y(point.score))}"
        for place, point in enumerate(points)
    )
    line = " ".join(f"{pixels(x(cost))} {pixels(_y(score))}" for cost, score in best)

    def discs(of_front: bool, radius: str) -> tuple[Disc, ...]:
        chosen = (point for point, on_front in zip(points, front, strict=True) if on_front == of_front)
        return tuple(Disc(pixels(x(point.cost)), pixels(_y(point.score)), radius) for point in chosen)

    def texts(look: str, of_front: bool) -> Group:
        chosen = (place for place in order if front[place] == of_front)
        return Group(look, texts=tuple(label(_RIGHT + 16, names[place], points[place].name) for place in chosen))

    below = [label(x(tick), _BOTTOM + 10, f"${tick:g}") for tick in ticks]
    return Plot(
        title,
        "Filled points joined by a line are on the Pareto front: no other model is both cheaper and better. "
        "The table holds the numbers.",
        pixels(_HEIGHT),
        (
            Group("stroke-rule", (Path(grid), Path(leaders))),
            Group("stroke-accent", (Path(f"M{line}"),)),
            Group("hollow", discs=discs(of_front=False, radius="4")),
            Group("fill-accent", discs=discs(of_front=True, radius="4.8")),
            texts("fill-ink", of_front=True),
            texts("fill-muted", of_front=False),
            Group("axis end", texts=tuple(label(_LEFT - 6, _y(score), f"{score:g}") for score in (0, 0.5, 1))),
            Group("axis middle", texts=(*below, label((_LEFT + _RIGHT) / 2, _BOTTOM + 31, "cost of an episode"))),
        ),
    )


def _y(score: float) -> float:
    return _BOTTOM - score / _MOST_SCORE * (_BOTTOM - _TOP)


def _scale(costs: Sequence[float]) -> tuple[Callable[[float], float], list[float]]:
    """Where each cost is drawn, and the costs with a tick."""
    low, high = min(costs), max(costs)
    if low > 0 and high / low > _WIDE_RANGE:
        low, high = low / 1.6, high * 1.6
        return lambda cost: _LEFT + log(cost / low) / log(high / low) * (_RIGHT - _LEFT), [*decade_ticks(low, high)]
    most = high * 1.08 or 1
    return lambda cost: _LEFT + cost / most * (_RIGHT - _LEFT), [*even_ticks(most)]


def spread_down(heights: Sequence[float], apart: float) -> list[float]:
    """Descending heights moved as little as needed to lie at least so far apart, none below 0 if they can.

    The first pass moves what is too near down; where the lowest would fall below 0, all above make room for it.
    """
    placed: list[float] = []
    for height in heights:
        placed.append(height if not placed else min(height, placed[-1] - apart))
    floor = 0.0
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = max(placed[place], floor)
        floor = placed[place] + apart
    return placed

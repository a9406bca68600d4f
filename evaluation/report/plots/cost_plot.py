"""Cost against score: one plot for each level, and which models no other one beats on both."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mpcbench.evaluation.report.plots.svg import Paint, drawing, svg

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes

_WIDTH: Final = 400.0
_HEIGHT: Final = 230.0
_LEFT: Final = 34.0
_TOP: Final = 10.0
_BOTTOM: Final = 44.0
_NAMES: Final = 120.0
"""The column at the right with the names of the points."""

_LINE: Final = 15.0
_WIDE_RANGE: Final = 20
"""A greater ratio between the dearest and the cheapest is drawn on a logarithmic axis."""


class Point(NamedTuple):
    """A model at a level: the mean cost of an episode in US dollars and its average F1."""

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


def cost_plot(points: Sequence[Point], title: str, *, salt: str) -> "Markup":
    """The points, those on the front filled and joined by a line; the names stand at the right.

    Raises:
        ValueError: there is no point.
    """
    if not points:
        raise ValueError("a plot of costs needs a point")
    with drawing(salt):
        from matplotlib.figure import Figure  # noqa: PLC0415 - see drawing()

        figure = Figure(figsize=(_WIDTH / 72, _HEIGHT / 72), dpi=72)
        axes = figure.add_axes(
            (
                _LEFT / _WIDTH,
                _BOTTOM / _HEIGHT,
                (_WIDTH - _LEFT - _NAMES) / _WIDTH,
                (_HEIGHT - _TOP - _BOTTOM) / _HEIGHT,
            )
        )
        _scales(axes, [point.cost for point in points])
        front = pareto_front(points)
        best = sorted(point for point, on_front in zip(points, front, strict=True) if on_front)
        best.sort(key=lambda point: (point.cost, point.score))
        axes.plot([point.cost for point in best], [point.score for point in best], color=Paint.ACCENT, linewidth=1.2)
        for point, on_front in zip(points, front, strict=True):
            axes.plot(
                [point.cost],
                [point.score],
                "o",
                markersize=8,
                markerfacecolor=Paint.ACCENT if on_front else Paint.SURFACE,
                markeredgecolor=Paint.ACCENT if on_front else Paint.MUTED,
                markeredgewidth=1.6,
                clip_on=False,
                zorder=3,
            )
        _names(axes, points, front)
        return svg(
            figure,
            title,
            "Filled points joined by a line are on the Pareto front: no other model is both cheaper and better. "
            "The table holds the numbers.",
        )


def _scales(axes: "Axes", costs: Sequence[float]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator  # noqa: PLC0415

    low, high = min(costs), max(costs)
    if low > 0 and high / low > _WIDE_RANGE:
        axes.set_xscale("log")
        axes.set_xlim(low / 1.6, high * 1.6)
        axes.xaxis.set_major_locator(LogLocator(numticks=4))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.set_xlim(0, high * 1.08 or 1)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"${value:g}"))
    axes.set_xlabel("cost of an episode", fontsize=11, color=Paint.MUTED, labelpad=6)
    axes.set_ylim(0, 1.03)
    axes.set_yticks([0, 0.5, 1], labels=("0", "0.5", "1"))
    axes.set_frame_on(False)
    axes.tick_params(length=0, labelsize=11, labelcolor=Paint.MUTED, pad=6)
    axes.grid(color=Paint.RULE, linewidth=1)
    axes.set_axisbelow(True)


def _names(axes: "Axes", points: Sequence[Point], front: Sequence[bool]) -> None:
    """The names at the right from the best to the worst, each as near to its point's height as the others let it."""
    scale = (_HEIGHT - _TOP - _BOTTOM) / 1.03
    order = sorted(range(len(points)), key=lambda place: (-points[place].score, points[place].cost))
    wanted = [points[place].score * scale for place in order]
    placed = spread_down(wanted, _LINE)
    left = _WIDTH - _NAMES + 16
    for place, height in zip(order, placed, strict=True):
        point = points[place]
        bottom = _BOTTOM + height
        axes.annotate(
            point.name,
            xy=(point.cost, point.score),
            xytext=(left / _WIDTH, bottom / _HEIGHT),
            textcoords="figure fraction",
            fontsize=11.5,
            va="center_baseline",
            color=Paint.INK if front[place] else Paint.MUTED,
            arrowprops={
                "arrowstyle": "-",
                "color": Paint.RULE,
                "linewidth": 1,
                "shrinkA": 2,
                "shrinkB": 6,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )


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

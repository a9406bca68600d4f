"""The plots of the report, each with rows for the models below a heading for every level."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import TYPE_CHECKING, Final, Literal

from mpcbench.evaluation.report.model_result import ModelResult
from mpcbench.evaluation.report.plots.svg import Paint, drawing, svg
from mpcbench.schema.cause import Stage, stage_of

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from mpcbench.evaluation.statistics import Estimate

_WIDTH: Final = 400.0
"""Of every plot, in pixels at a scale of 1, which is about that of a phone and of two columns on a desk."""

_TEXT: Final = 12
_SMALL: Final = 11
_HEADING: Final = 24.0
_TOP: Final = 4.0
_AXIS: Final = 26.0
_LEGEND: Final = 24.0
_CHARACTER: Final = 6.6

STAGE_PAINT: Final = {
    Stage.FORMAT: Paint.FORMAT,
    Stage.DECOMPOSITION: Paint.DECOMPOSITION,
    Stage.ACQUISITION: Paint.ACQUISITION,
    Stage.INTEGRATION: Paint.INTEGRATION,
    None: Paint.UNEXPLAINED,
}
"""The colour of each stage, in the order in which stages are shown."""

CAPABILITIES: Final[tuple[Literal["decomposition", "acquisition", "integration"], ...]] = (
    "decomposition",
    "acquisition",
    "integration",
)

Namer = Callable[[ModelResult], str]
"""Gives the name that stands beside a row."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A figure with one row for each standing, whose y is the distance from the top in pixels."""

    figure: "Figure"
    axes: "Axes"
    rows: tuple[tuple[ModelResult, float], ...]


def scores_plot(
    model_results: Sequence[ModelResult], name: Namer, score: Literal["f1", "exact_match"], title: str
) -> "Markup":
    """A point and an interval for each standing, with the value at the right."""
    with drawing(f"scores-{score}"):
        sheet = _sheet(model_results, name, row_height=22, right=52)
        _unit_axis(sheet.axes, percent=score == "exact_match")
        for standing, y in sheet.rows:
            estimate: Estimate | None = getattr(standing.row.estimates, score)
            if estimate is None:
                _beside(sheet, y, "no score", paint=Paint.MUTED)
                continue
            if estimate.low is not None and estimate.high is not None:
                sheet.axes.plot(
                    [estimate.low, estimate.high], [y, y], color=Paint.ACCENT, linewidth=2.4, solid_capstyle="butt"
                )
            sheet.axes.plot(
                [estimate.mean], [y], "o", color=Paint.ACCENT, markersize=7.5, markeredgewidth=0, clip_on=False
            )
            _beside(sheet, y, f"{estimate.mean:.1%}" if score == "exact_match" else f"{estimate.mean:.3f}")
        return svg(
            sheet.figure, title, "A point for each model and level, and its 95 % interval; the table holds the numbers."
        )


def capability_plot(model_results: Sequence[ModelResult], name: Namer, title: str) -> "Markup":
    """Three bars for each standing: decomposition, acquisition, integration."""
    with drawing("capability"):
        sheet = _sheet(model_results, name, row_height=34, right=16, legend=True)
        _unit_axis(sheet.axes)
        for standing, y in sheet.rows:
            for place, capability in enumerate(CAPABILITIES):
                estimate: Estimate | None = getattr(standing.row.estimates, capability)
                at = y + (place - 1) * 9
                if estimate is not None:
                    sheet.axes.barh([at], [estimate.mean], height=7, color=STAGE_PAINT[Stage(capability)], linewidth=0)
                else:
                    sheet.axes.text(0.01, at, "unknown", fontsize=9, va="center_baseline", color=Paint.MUTED)
        _legend(sheet.figure, [(capability, STAGE_PAINT[Stage(capability)]) for capability in CAPABILITIES])
        return svg(
            sheet.figure, title, "Three bars from 0 to 1 for each model and level; the table below holds the numbers."
        )


def causes_plot(model_results: Sequence[ModelResult], name: Namer, title: str) -> "Markup":
    """One bar for each standing: its failed episodes, a piece for every primary cause, coloured by stage."""
    order = list(STAGE_PAINT)
    with drawing("causes"):
        sheet = _sheet(model_results, name, row_height=22, right=40, legend=True)
        most = max((standing.row.failed for standing in model_results), default=0)
        _count_axis(sheet.axes, max(most, 1))
        for standing, y in sheet.rows:
            left = 0.0
            causes = sorted(standing.row.causes, key=lambda one: order.index(stage_of(one.reason)))
            for stage, group in groupby(causes, lambda one: stage_of(one.reason)):
                begin = left
                left += fsum(cause.episodes for cause in group)
                sheet.axes.barh([y], [left - begin], left=begin, height=13, color=STAGE_PAINT[stage], linewidth=0)
                if begin:
                    sheet.axes.plot([begin, begin], [y - 6.5, y + 6.5], color=Paint.SURFACE, linewidth=1.5)
            _beside(sheet, y, f"{standing.row.failed:,}", paint=Paint.INK if standing.row.failed else Paint.MUTED)
        stages = {stage_of(cause.reason) for standing in model_results for cause in standing.row.causes}
        _legend(
            sheet.figure,
            [
                ("unexplained" if stage is None else stage.value, STAGE_PAINT[stage])
                for stage in order
                if stage in stages
            ],
        )
        return svg(
            sheet.figure,
            title,
            "Failed episodes of each model and level, by the stage of their primary cause; the table holds the causes.",
        )


def _sheet(
    model_results: Sequence[ModelResult], name: Namer, *, row_height: float, right: float, legend: bool = False
) -> _Sheet:
    from matplotlib.figure import Figure  # noqa: PLC0415 - see drawing()

    names = [name(standing) for standing in model_results]
    left = min(max((len(one) for one in names), default=0) * _CHARACTER + 20, 150)
    top = _TOP + (_LEGEND if legend else 0)
    levels = [
        (level, list(group))
        for level, group in groupby(zip(model_results, names, strict=True), lambda one: one[0].row.level)
    ]
    height = top + sum(_HEADING + row_height * len(group) for _, group in levels) + _AXIS
    figure = Figure(figsize=(_WIDTH / 72, height / 72), dpi=72)
    axes = figure.add_axes(
        (left / _WIDTH, _AXIS / height, (_WIDTH - left - right) / _WIDTH, (height - top - _AXIS) / height)
    )
    axes.set_ylim(height - _AXIS, top)
    axes.set_frame_on(False)
    axes.tick_params(length=0, labelsize=_SMALL, labelcolor=Paint.MUTED, pad=6)
    axes.set_yticks([])
    rows = []
    y = top
    for level, group in levels:
        figure.text(
            0,
            1 - (y + _HEADING / 2 + 2) / height,
            f"Level {level}",
            fontsize=_SMALL,
            va="center_baseline",
            color=Paint.MUTED,
        )
        y += _HEADING
        for standing, text in group:
            middle = y + row_height / 2
            figure.text(12 / _WIDTH, 1 - middle / height, text, fontsize=_TEXT, va="center_baseline", color=Paint.INK)
            rows.append((standing, middle))
            y += row_height
    return _Sheet(figure, axes, tuple(rows))


def _unit_axis(axes: "Axes", *, percent: bool = False) -> None:
    axes.set_xlim(0, 1)
    labels = ("0%", "", "50%", "", "100%") if percent else ("0", "", "0.5", "", "1")
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=labels)
    axes.grid(axis="x", color=Paint.RULE, linewidth=1)
    axes.set_axisbelow(True)


def _count_axis(axes: "Axes", most: int) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    axes.set_xlim(0, most)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
    axes.grid(axis="x", color=Paint.RULE, linewidth=1)
    axes.set_axisbelow(True)


def _beside(sheet: _Sheet, y: float, text: str, paint: Paint = Paint.INK) -> None:
    """Text at the right margin of a row."""
    height = sheet.figure.get_figheight() * 72
    sheet.figure.text(1, 1 - y / height, text, fontsize=_TEXT, ha="right", va="center_baseline", color=paint)


def _legend(figure: "Figure", entries: Sequence[tuple[str, Paint]]) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    height = figure.get_figheight() * 72
    x = 0.0
    for text, paint in entries:
        figure.add_artist(Rectangle((x / _WIDTH, 1 - 16 / height), 9 / _WIDTH, 9 / height, color=paint, linewidth=0))
        figure.text((x + 13) / _WIDTH, 1 - 11.5 / height, text, fontsize=_SMALL, va="center_baseline", color=Paint.INK)
        x += 13 + len(text) * 6.1 + 14

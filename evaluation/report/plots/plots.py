"""The plots of the report, each with a row for every model below a heading for every level."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Final, Literal

from mpcbench.evaluation.report.model_result import ModelResult
from mpcbench.evaluation.report.plots.plot import WIDTH, Plot, even_ticks, label
from mpcbench.evaluation.report.shapes import Disc, Group, Path, Text, box, pixels
from mpcbench.schema.cause import Stage, stage_of

_HEADING: Final = 24.0
_TOP: Final = 4.0
_AXIS: Final = 26.0
_LEGEND: Final = 24.0
_CHARACTER: Final = 6.6

STAGES: Final = {
    Stage.FORMAT: "format",
    Stage.DECOMPOSITION: "decomposition",
    Stage.ACQUISITION: "acquisition",
    Stage.INTEGRATION: "integration",
    None: "unexplained",
}
"""The names of the stages, in the order in which they are shown; the class of the colour is `fill-` and the name."""

CAPABILITIES: Final = ("decomposition", "acquisition", "integration")
_SCORE_TICKS: Final = ((0.0, "0"), (0.25, ""), (0.5, "0.5"), (0.75, ""), (1.0, "1"))
_RATE_TICKS: Final = ((0.0, "0%"), (0.25, ""), (0.5, "50%"), (0.75, ""), (1.0, "100%"))

Namer = Callable[[ModelResult], str]
"""Gives the name beside a row."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Rows of names, and an axis beside them."""

    rows: tuple[tuple[ModelResult, float], ...]
    """Each with the height of its middle."""

    headings: tuple[Text, ...]
    names: tuple[Text, ...]
    left: float
    """Where the axis begins."""

    right: float
    top: float
    bottom: float
    most: float
    """What the axis ends with; it begins with 0."""

    @classmethod
    def of(
        cls,
        results: Sequence[ModelResult],
        name: Namer,
        *,
        row_height: float,
        margin: float,
        most: float = 1,
        legend: bool = False,
    ) -> "_Sheet":
        """The sheet of some results, with a margin at the right."""
        names = {result: name(result) for result in results}
        top = y = _TOP + (_LEGEND if legend else 0)
        rows, headings = [], []
        for level, group in groupby(results, lambda one: one.summary.level):
            headings.append(label(0, y + _HEADING / 2 + 2, f"Level {level}"))
            y += _HEADING
            for result in group:
                rows.append((result, y + row_height / 2))
                y += row_height
        return cls(
            rows=tuple(rows),
            headings=tuple(headings),
            names=tuple(label(12, middle, names[result]) for result, middle in rows),
            left=min(max(map(len, names.values()), default=0) * _CHARACTER + 20, 150),
            right=WIDTH - margin,
            top=top,
            bottom=y,
            most=most,
        )

    @property
    def height(self) -> str:
        return pixels(self.bottom + _AXIS)

    def x(self, value: float) -> float:
        return self.left + value / self.most * (self.right - self.left)

    def bar(self, begin: float, end: float, middle: float, thickness: float) -> Path:
        """From one value to another."""
        return Path(box(self.x(begin), middle - thickness / 2, self.x(end) - self.x(begin), thickness))

    def backdrop(self, ticks: Iterable[tuple[float, str]]) -> Iterator[Group]:
        """The names, and the lines and texts of the ticks."""
        ticks = list(ticks)
        lines = "".join(f"M{pixels(self.x(value))} {pixels(self.top)}V{pixels(self.bottom)}" for value, _ in ticks)
        yield Group("stroke-rule", (Path(lines),))
        yield Group("axis middle", texts=tuple(label(self.x(value), self.bottom + 10, text) for value, text in ticks))
        yield Group("axis", texts=self.headings)
        yield Group("fill-ink", texts=self.names)


def scores_plot(results: Sequence[ModelResult], name: Namer, score: Literal["f1", "exact_match"], title: str) -> Plot:
    """A point and an interval for each result, with the value at the right."""
    sheet = _Sheet.of(results, name, row_height=22, margin=52)
    percent = score == "exact_match"
    intervals, points, values, unknown = [], [], [], []
    for result, y in sheet.rows:
        estimate = result.summary.estimates.exact_match if percent else result.summary.estimates.f1
        if estimate is None:
            unknown.append(label(WIDTH, y, "no score"))
            continue
        if estimate.low is not None and estimate.high is not None:
            intervals.append(sheet.bar(estimate.low, estimate.high, y, 2.4))
        points.append(Disc(pixels(sheet.x(estimate.mean)), pixels(y), "3.8"))
        values.append(label(WIDTH, y, f"{estimate.mean:.1%}" if percent else f"{estimate.mean:.3f}"))
    return Plot(
        title,
        "A point for each model and level, and its 95 % interval; the table holds the numbers.",
        sheet.height,
        (
            *sheet.backdrop(_RATE_TICKS if percent else _SCORE_TICKS),
            Group("fill-accent", tuple(intervals), discs=tuple(points)),
            Group("fill-ink end", texts=tuple(values)),
            Group("fill-muted end", texts=tuple(unknown)),
        ),
    )


def capability_plot(results: Sequence[ModelResult], name: Namer, title: str) -> Plot:
    """Three bars for each result: decomposition, acquisition, integration."""
    sheet = _Sheet.of(results, name, row_height=34, margin=16, legend=True)
    bars: dict[str, list[Path]] = {capability: [] for capability in CAPABILITIES}
    unknown = []
    for result, y in sheet.rows:
        found = result.summary.estimates
        estimates = (found.decomposition, found.acquisition, found.integration)
        for capability, estimate, middle in zip(CAPABILITIES, estimates, (y - 9, y, y + 9), strict=True):
            if estimate is None:
                unknown.append(label(sheet.x(0.01), middle - 1, "unknown"))
            else:
                bars[capability].append(sheet.bar(0, estimate.mean, middle, 7))
    return Plot(
        title,
        "Three bars from 0 to 1 for each model and level; the table below holds the numbers.",
        sheet.height,
        (
            *sheet.backdrop(_SCORE_TICKS),
            *(Group(f"fill-{capability}", tuple(paths)) for capability, paths in bars.items()),
            Group("tiny", texts=tuple(unknown)),
            *_legend(CAPABILITIES),
        ),
    )


def causes_plot(results: Sequence[ModelResult], name: Namer, title: str) -> Plot:
    """One bar for each result: its failed episodes, a piece for each stage of their primary causes."""
    most = max([1, *(result.summary.failed for result in results)])
    sheet = _Sheet.of(results, name, row_height=22, margin=40, most=most, legend=True)
    pieces: dict[str, list[Path]] = {stage: [] for stage in STAGES.values()}
    gaps: list[Path] = []
    failed: list[Text] = []
    none: list[Text] = []
    for result, y in sheet.rows:
        begin = 0.0
        for stage, stage_name in STAGES.items():
            episodes = (
                fsum(one.episodes for one in result.summary.causes if stage_of(one.reason) is stage)
                if stage is not None
                else round(result.summary.failed - begin, 6)  # of which no cause is known, but perhaps symptoms
            )
            if episodes:
                pieces[stage_name].append(sheet.bar(begin, begin + episodes, y, 13))
                if begin:
                    gaps.append(Path(box(sheet.x(begin) - 0.75, y - 6.5, 1.5, 13)))
            begin += episodes
        (failed if result.summary.failed else none).append(label(WIDTH, y, f"{result.summary.failed:,}"))
    return Plot(
        title,
        "Failed episodes of each model and level, by the stage of their primary cause; the table holds the causes.",
        sheet.height,
        (
            *sheet.backdrop((tick, f"{tick:,.0f}") for tick in even_ticks(most, whole=True)),
            *(Group(f"fill-{stage}", tuple(paths)) for stage, paths in pieces.items() if paths),
            Group("fill-page", tuple(gaps)),
            Group("fill-ink end", texts=tuple(failed)),
            Group("fill-muted end", texts=tuple(none)),
            *_legend(stage for stage, paths in pieces.items() if paths),
        ),
    )


def _legend(names: Iterable[str]) -> Iterator[Group]:
    x = 0.0
    for name in names:
        yield Group(f"fill-{name}", (Path(box(x, 7, 9, 9)),))
        yield Group("axis fill-ink", texts=(label(x + 13, 11.5, name),))
        x += 13 + len(name) * 6.1 + 14

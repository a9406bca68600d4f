"""What the report's overview says, in words and numbers ready for its templates."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from mpcbench.evaluation.report.model_result import ModelResult, model_results
from mpcbench.evaluation.report.number_text import cost_text, count_text, rate_text
from mpcbench.evaluation.report.overview.episode_list import LONGEST_NAME, letter
from mpcbench.evaluation.report.overview.run_card import run_card
from mpcbench.evaluation.report.plots.cost_plot import Point, cost_plot, pareto_front
from mpcbench.evaluation.report.plots.horizon_plot import horizon_plot
from mpcbench.evaluation.report.plots.plot import Plot
from mpcbench.evaluation.report.plots.plots import capability_plot, causes_plot, scores_plot
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.statistics import Estimate
from mpcbench.evaluation.statistics.attribution import AttributionRow
from mpcbench.evaluation.statistics.averages import CauseCount, EpisodesSummary
from mpcbench.evaluation.statistics.ladder_text import (
    PROFILE_HEADING,
    RUNG_HEADING,
    profile_lines,
    remarks,
    rung_lines,
)
from mpcbench.evaluation.statistics.pass_rate_table import pass_rate_lines, shown_ks
from mpcbench.evaluation.statistics.summary_text import cost
from mpcbench.schema.cause import in_words
from mpcbench.schema.model import AnyLevel
from mpcbench.schema.untrusted_text import one_line

_PLOTTED_NAME: Final = 18  # characters of a model's name beside a plot
_FIXES: Final = 3  # causes listed for a model as worth mending first

Namer = Callable[[ModelResult], str]


class CauseLine(NamedTuple):
    """A primary cause in words and the number of its episodes, as it is written."""

    words: str
    episodes: str


@dataclass(frozen=True, slots=True)
class Line:
    """A model at a level, or at all levels, as shown in the tables."""

    name: str
    summary: EpisodesSummary
    instances: str
    causes: tuple[CauseLine, ...]
    symptoms: tuple[CauseLine, ...]
    attribution: AttributionRow | None
    cost: str
    """The mean cost of an episode."""

    total_cost: str
    front: str
    """Whether it is on its level's Pareto front of cost and score; empty if unknown."""

    effort: tuple[str, ...]
    """Turns, tool calls, input, output and reasoning tokens, seconds."""

    pass_rates: tuple[tuple[str, tuple[str, ...]], ...]
    """pass@k and pass^k for each k of the table's heading."""


class FixLines(NamedTuple):
    """What to fix first in a model."""

    name: str
    failed: int
    """Its failed episodes."""

    lines: tuple[tuple[str, str, str], ...]
    """A cause in words, how many exact matches mending it alone would give, and in how many failed episodes it is."""


class LadderLines(NamedTuple):
    """What is known of a model at level 4 besides."""

    name: str
    plot: Plot
    remarks: tuple[str, ...]
    """Whole sentences without their full stop."""

    rungs: tuple[tuple[str, ...], ...]
    """The heading first."""

    profile: tuple[tuple[str, ...], ...]
    """Likewise; empty where no mechanism can be told from the others."""


class LineGroup(NamedTuple):
    """The lines of a level, or of all levels."""

    heading: str
    lines: tuple[Line, ...]


def overview(runs: Sequence[ReportedRun]) -> dict[str, Any]:
    """The values of the overview's template."""
    several = len(runs) > 1
    found = model_results(runs)
    levels = [(level, list(group)) for level, group in groupby(found, lambda one: one.summary.level)]
    ks = shown_ks(one.summary for one in found)

    def name(result: ModelResult) -> str:
        return _name(result.summary.model, result.run if several else None, LONGEST_NAME)

    def plotted(result: ModelResult) -> str:
        return _name(result.summary.model, result.run if several else None, _PLOTTED_NAME)

    groups = [_group(level, group, name, ks) for level, group in levels]
    return {
        "title": f"Results of {len(runs)} runs" if several else "Results of a run",
        "several": several,
        "runs": [run_card(letter(place), run) for place, run in enumerate(runs)],
        "notes": list(_notes(runs)),
        "fixes": list(_fixes(runs)),
        "groups": groups,
        "all_groups": [*groups, *_overall(runs)],
        "ks": ks,
        "proven": [
            LineGroup(group.heading, tuple(line for line in group.lines if line.attribution is not None))
            for group in groups
            if any(line.attribution is not None for line in group.lines)
        ],
        "score_plots": [
            ("Exact match", scores_plot(found, plotted, "exact_match", "Exact-match rate")),
            ("Average F1", scores_plot(found, plotted, "f1", "Average F1")),
        ],
        "capability_plot": capability_plot(found, plotted, "Capability profile"),
        "causes_plot": causes_plot(found, plotted, "Failed episodes by stage of the primary cause")
        if any(one.summary.causes for one in found)
        else None,
        "ladder": list(_ladder(found, name)),
        "cost_plots": list(_cost_plots(levels, plotted)),
    }


def _name(model: str, run: int | None, length: int) -> str:
    """A model's name for one line, with its run's letter if there are several runs."""
    suffix = "" if run is None else f" · {letter(run)}"
    text = one_line(model, LONGEST_NAME) or "(no name)"
    return (text if len(text) + len(suffix) <= length else f"{text[: length - len(suffix) - 1]}…") + suffix


def _group(level: AnyLevel, group: Sequence[ModelResult], name: Namer, ks: Sequence[int]) -> LineGroup:
    points = {one: point for one in group if (point := _point(one, "")) is not None}
    front = dict(zip(points, pareto_front(list(points.values())), strict=True))
    return LineGroup(
        f"Level {level}",
        tuple(_line(name(one), one.summary, one.attribution, front.get(one), ks) for one in group),
    )


def _overall(runs: Sequence[ReportedRun]) -> Iterator[LineGroup]:
    """The models at all levels, if any ran at several."""
    several = len(runs) > 1
    found = [
        (summary.model, place, summary)
        for place, run in enumerate(runs)
        for summary in run.summary.overall
        if len(summary.levels) > 1
    ]
    lines = [
        _line(_name(model, place if several else None, LONGEST_NAME), summary, None, None, ())
        for model, place, summary in sorted(found, key=lambda one: one[:2])
    ]
    if lines:
        yield LineGroup("All levels", tuple(lines))


def _line(
    name: str, summary: EpisodesSummary, attribution: AttributionRow | None, on_front: bool | None, ks: Sequence[int]
) -> Line:
    found = summary.estimates
    effort = (
        found.turns,
        found.tool_calls,
        found.input_tokens,
        found.output_tokens,
        found.reasoning_tokens,
        found.seconds,
    )
    return Line(
        name=name,
        summary=summary,
        instances=f"{summary.instances:,}",
        causes=_cause_lines(summary.causes),
        symptoms=_cause_lines(summary.symptoms),
        attribution=attribution,
        cost=cost_text(_mean(found.cost_usd)),
        total_cost=cost(summary),
        front="" if on_front is None else "yes" if on_front else "no",
        effort=tuple(count_text(_mean(one)) for one in effort),
        pass_rates=tuple(
            (title, tuple("" if one is None else rate_text(one.mean) for one in rates))
            for title, rates in pass_rate_lines(summary, ks)
        ),
    )


def _cause_lines(causes: Sequence[CauseCount]) -> tuple[CauseLine, ...]:
    return tuple(CauseLine(in_words(cause.reason), f"{cause.episodes:.3g}") for cause in causes)


def _fixes(runs: Sequence[ReportedRun]) -> Iterator[FixLines]:
    """For each model what to fix first, if that is known."""
    for place, run in enumerate(runs):
        for summary in run.summary.overall:
            if summary.fix_first:
                yield FixLines(
                    _name(summary.model, place if len(runs) > 1 else None, LONGEST_NAME),
                    summary.failed,
                    tuple(
                        (in_words(cause.reason), f"{cause.mended:.3g}", f"{cause.episodes:.3g}")
                        for cause in summary.fix_first[:_FIXES]
                    ),
                )


def _ladder(results: Sequence[ModelResult], name: Namer) -> Iterator[LadderLines]:
    """The models that ran at level 4."""
    for result in results:
        found = result.summary.ladder
        if found is not None:
            yield LadderLines(
                name(result),
                horizon_plot(found, f"{name(result)}: exact match over the composition load"),
                tuple(remark[:1].upper() + remark[1:] for remark in remarks(result.summary)),
                (RUNG_HEADING, *rung_lines(found)),
                (PROFILE_HEADING, *profile_lines(found)) if found.profile else (),
            )


def _mean(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.mean


def _point(result: ModelResult, name: str) -> Point | None:
    found = result.summary.estimates
    if found.cost_usd is None or found.exact_match is None:
        return None
    return Point(name, found.cost_usd.mean, found.exact_match.mean)


def _cost_plots(levels: Sequence[tuple[AnyLevel, list[ModelResult]]], name: Namer) -> Iterator[tuple[str, Plot]]:
    for level, group in levels:
        points = [point for one in group if (point := _point(one, name(one))) is not None]
        if points:
            yield f"Level {level}", cost_plot(points, f"Level {level}: exact-match rate against cost")


def _notes(runs: Sequence[ReportedRun]) -> Iterator[str]:
    """What a reader should know, in whole sentences."""
    for place, run in enumerate(runs):
        notes = []
        if run.info.stopped:
            notes.append(f"the run ended early: {one_line(run.info.stopped, LONGEST_NAME)}")
        missing = len(run.info.cases) - len(run.results)
        if missing > 0:
            notes.append(f"{missing:,} of {len(run.info.cases):,} planned episodes are not there")
        notes += [
            f"the episodes of {one_line(model, LONGEST_NAME)} were played by a person"
            f"{'' if agent['player'] is None else ', ' + one_line(str(agent['player']), LONGEST_NAME)}: a human baseline"
            for model, agent in run.info.agents.items()
            if agent is not None and "player" in agent
        ]
        if run.dataset is None:
            notes.append("the data that it ran on are not at hand, so the pages of its episodes have no timeline")
        notes += [warning.text(lambda text: one_line(text, LONGEST_NAME)) for warning in run.summary.warnings]
        for note in notes:
            text = f"run {letter(place)}: {note}" if len(runs) > 1 else note
            yield text[:1].upper() + text[1:]

"""A summary for people: as tables of plain text for the terminal, and in Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.statistics import Estimate
from mpcbench.evaluation.statistics.averages import CauseCount, EpisodesSummary, LevelSummary
from mpcbench.evaluation.statistics.ladder_text import (
    PROFILE_HEADING,
    RUNG_HEADING,
    profile_lines,
    remarks,
    rung_lines,
)
from mpcbench.evaluation.statistics.pass_rate_table import pass_rate_lines, shown_ks
from mpcbench.schema.cause import in_words
from mpcbench.schema.untrusted_text import one_line

if TYPE_CHECKING:
    from mpcbench.evaluation.statistics.summary import Summary

_CAUSES = 10  # causes listed for a model at a level
_FIXES = 3  # causes listed for a model as worth mending first
_LONGEST_NAME = 60
_WIDTH = 98


def table(summary: "Summary") -> str:
    """The results as an aligned text table, then pass@k, what to fix first, capabilities with causes, and warnings.

    Columns in which nothing is known are left out; with one trial an instance trials are not mentioned.
    """
    heading, right, lines = _results(summary, plain_name)
    parts = [text_table([heading, *lines], right=right)]
    rates = _pass_rates(summary, plain_name)
    if rates:
        parts.append(text_table(rates, right=(0, *range(3, len(rates[0])))))
    parts += [list(_ladder(one)) for one in summary.rows if any(remarks(one))]
    parts += [list(_fixes(one)) for one in summary.overall if one.fix_first]
    parts += [list(_capabilities_and_causes(one)) for one in summary.rows if one.causes or one.symptoms]
    warned = [f"warning: {warning.text(plain_name)}" for warning in summary.warnings]
    parts += [[line for one in warned for line in wrap(one, _WIDTH, subsequent_indent="  ")]] if warned else []
    return "\n\n".join("\n".join(part) for part in parts)


def markdown(summary: "Summary") -> str:
    """The same in Markdown, fit for a GitHub step summary; whatever a name holds, it stays one code span."""
    heading, right, lines = _results(summary, code)
    parts = [markdown_table(heading, right, lines)]
    rates = _pass_rates(summary, code)
    if rates:
        parts.append(markdown_table(rates[0], (0, *range(3, len(rates[0]))), rates[1:]))
    for row in summary.rows:
        parts += _ladder_markdown(row)
    capabilities = [
        (str(one.level), code(one.model), *map(interval, _capabilities(one)))
        for one in summary.rows
        if any(_capabilities(one))
    ]
    if capabilities:
        names = ("level", "model", "decomposition", "acquisition", "integration")
        parts.append(markdown_table(names, (0, 2, 3, 4), capabilities))
    fixes = [
        (code(one.model), f"{cause.mended:.3g}", f"{cause.episodes:.3g} of {one.failed}", in_words(cause.reason))
        for one in summary.overall
        for cause in one.fix_first[:_FIXES]
    ]
    if fixes:
        heading = ("model", "exact matches gained", "failed episodes", "what to fix first")
        parts.append(markdown_table(heading, (1, 2), fixes))
    for title, field in (("primary cause (deduced)", "causes"), ("observed, cause unknown", "symptoms")):
        counted = [
            (str(one.level), code(one.model), f"{cause.episodes:.3g}", in_words(cause.reason))
            for one in summary.rows
            for cause in getattr(one, field)[:_CAUSES]
        ]
        if counted:
            parts.append(markdown_table(("level", "model", "episodes", title), (0, 2), counted))
    if summary.warnings:
        parts.append("\n".join(f"- **Warning:** {warning.text(code)}" for warning in summary.warnings))
    partly = " A plus: the cost of some episodes is unknown." if any("+" in cost(one) for one in summary.rows) else ""
    parts.append(
        f"Brackets: {summary.confidence:.0%} intervals over n instances; trials of an instance are averaged first. "
        f"Episodes with the outcome error are part of no average.{partly}"
    )
    return "\n\n".join(parts) + "\n"


def plain_name(text: str) -> str:
    """A name that others made, on one line of a terminal."""
    return one_line(text, _LONGEST_NAME)


def code(text: str) -> str:
    """A name that others made, as one code span of Markdown, also inside a table."""
    plain = one_line(text, _LONGEST_NAME) or "(no name)"
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    padding = " " if plain.startswith("`") or plain.endswith("`") else ""
    # In a table a bar ends the cell, unless an unescaped backslash precedes it.
    return fence + padding + re.sub(r"(\\*)\|", r"\1\1\\|", plain) + padding + fence


def interval(estimate: Estimate | None, digits: int = 3) -> str:
    """A mean with its interval: `0.912 [0.88, 0.94]`, the bounds with a digit less."""
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.{digits}f}"
    return f"{estimate.mean:.{digits}f} [{estimate.low:.{digits - 1}f}, {estimate.high:.{digits - 1}f}]"


def percent(estimate: Estimate | None) -> str:
    """A rate with its interval: `91.0% [84, 95]`."""
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.1%}"
    return f"{estimate.mean:.1%} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def _results(
    summary: "Summary", name: Callable[[str], str]
) -> tuple[tuple[str, ...], tuple[int, ...], list[tuple[str, ...]]]:
    """The heading, which columns hold numbers, and the lines; a model with several levels has one for all."""
    summaries: list[tuple[str, EpisodesSummary]] = [(str(one.level), one) for one in summary.rows]
    summaries += [("all", one) for one in summary.overall if len(one.levels) > 1]
    columns: list[tuple[str, Callable[[EpisodesSummary], str]]] = [
        ("n", lambda one: str(one.estimates.f1.n if one.estimates.f1 else 0)),
        ("trials", lambda one: str(one.trials)),
        ("exact match", lambda one: percent(one.estimates.exact_match)),
        ("F1 [95%]", lambda one: interval(one.estimates.f1)),
        ("unearned", lambda one: str(one.unearned)),
        ("errors", lambda one: str(one.errors)),
        ("turns", lambda one: "-" if one.estimates.turns is None else f"{one.estimates.turns.mean:.1f}"),
        ("tokens", _tokens),
        ("cost", cost),
    ]
    shown = {"n", "exact match", "F1 [95%]", "errors"}
    shown |= {"trials"} if any(one.trials > 1 for one in summary.rows) else set()
    shown |= {"unearned"} if any(one.unearned for one in summary.rows) else set()
    shown |= {"turns"} if any(one.estimates.turns is not None for one in summary.rows) else set()
    shown |= {"tokens"} if any(_tokens(one) != "-" for one in summary.rows) else set()
    shown |= {"cost"} if any(one.total_cost_usd is not None for one in summary.rows) else set()
    chosen = [(title, cell) for title, cell in columns if title in shown]
    lines = [(level, name(one.model), *(cell(one) for _, cell in chosen)) for level, one in summaries]
    right = (0, *range(2, len(chosen) + 2))
    return ("level", "model", *(title for title, _ in chosen)), right, lines


def _tokens(summary: EpisodesSummary) -> str:
    """The average of an episode, input and output together."""
    tokens = (summary.estimates.input_tokens, summary.estimates.output_tokens)
    known = [one.mean for one in tokens if one is not None]
    return _short(sum(known)) if known else "-"


def _short(number: float) -> str:
    if number < 1_000:
        return f"{number:.0f}"
    return f"{number / 1_000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.1f}M"


def cost(summary: EpisodesSummary) -> str:
    """The total in US dollars: `$1.23`, with a plus where some episodes' cost is unknown, or `unknown`."""
    if summary.total_cost_usd is None:
        return "unknown"
    return dollars(summary.total_cost_usd) + ("+" if summary.cost_unknown else "")


def dollars(amount: float) -> str:
    """An amount of US dollars: `$12.30`, small ones with more digits."""
    return f"${amount:.2f}" if amount >= 0.1 or not amount else f"${amount:.4f}"


def _pass_rates(summary: "Summary", name: Callable[[str], str]) -> list[tuple[str, ...]]:
    """A heading and two lines for each model and level; empty where no instance has two trials."""
    ks = shown_ks(summary.rows)
    if not ks:
        return []
    lines: list[tuple[str, ...]] = [("level", "model", "", *(f"k={k}" for k in ks))]
    lines += [
        (str(one.level), name(one.model), title, *map(percent, rates))
        for one in summary.rows
        for title, rates in pass_rate_lines(one, ks)
    ]
    return lines


def _capabilities(summary: LevelSummary) -> tuple[Estimate | None, ...]:
    found = summary.estimates
    return found.decomposition, found.acquisition, found.integration


def _ladder(summary: LevelSummary) -> Iterator[str]:
    """What is known of level 4 besides, and of a budget of calls at any level."""
    yield f"level {summary.level}, {plain_name(summary.model)}:"
    for remark in remarks(summary):
        yield from wrap(remark, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    if summary.ladder is not None:
        yield from text_table(
            [("", *RUNG_HEADING), *(("", *line) for line in rung_lines(summary.ladder))], right=range(8)
        )
        if summary.ladder.profile:
            lines = [("", *PROFILE_HEADING), *(("", *line) for line in profile_lines(summary.ladder))]
            yield from text_table(lines, right=(2, 3, 4, 5))


def _ladder_markdown(summary: LevelSummary) -> list[str]:
    """The same in Markdown."""
    told = list(remarks(summary))
    if not told:
        return []
    parts = ["\n".join(f"- Level {summary.level}, {code(summary.model)}: {remark}" for remark in told)]
    if summary.ladder is not None:
        parts.append(markdown_table(RUNG_HEADING, tuple(range(len(RUNG_HEADING))), rung_lines(summary.ladder)))
        if summary.ladder.profile:
            parts.append(markdown_table(PROFILE_HEADING, (1, 2, 3, 4), profile_lines(summary.ladder)))
    return parts


def _fixes(summary: EpisodesSummary) -> Iterator[str]:
    """What to fix first: the causes whose mending alone would give most exact matches."""
    yield f"{plain_name(summary.model)}: what to fix first, of {summary.failed} failed episodes"
    yield from text_table(
        [
            ("", f"+{cause.mended:.3g}", "exact", f"in {cause.episodes:.3g}", in_words(cause.reason))
            for cause in summary.fix_first[:_FIXES]
        ],
        right=(1, 3),
    )


def _capabilities_and_causes(summary: LevelSummary) -> Iterator[str]:
    names = ("decomposition", "acquisition", "integration")
    found = zip(names, _capabilities(summary), strict=True)
    known = [f"{name} {one.mean:.3f}" for name, one in found if one is not None]
    yield f"level {summary.level}, {plain_name(summary.model)}: {', '.join([*known, 'deduced causes:'])}"
    yield from _counted(summary.causes, "causes")
    if summary.symptoms:
        yield "observed, cause unknown:"
        yield from _counted(summary.symptoms, "symptoms")


def _counted(causes: Sequence[CauseCount], name: str) -> Iterator[str]:
    yield from text_table(
        [("", f"{one.episodes:.3g}", in_words(one.reason)) for one in causes[:_CAUSES]] or [("", "none")], right=(1,)
    )
    if len(causes) > _CAUSES:
        yield f"  and {len(causes) - _CAUSES} other {name}"


def markdown_table(heading: Sequence[str], right: Sequence[int], lines: Sequence[Sequence[str]]) -> str:
    """A table; the columns whose numbers are in right are aligned to the right."""
    marks = ["---:" if place in right else "---" for place in range(len(heading))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (heading, marks, *lines))

"""What a summary says of level 4, for people."""

from collections.abc import Iterator, Sequence

from mpcbench.evaluation.statistics.averages import LevelSummary
from mpcbench.evaluation.statistics.estimate import Estimate
from mpcbench.evaluation.statistics.ladder_summary import Efficiency, LadderSummary
from mpcbench.evaluation.statistics.mechanism_profile import Contrast, in_words, mechanism_name

Lines = list[tuple[str, ...]]

RUNG_HEADING = ("rung", "n", "load", "exact match", "F1 [95%]", "calls", "characters")
PROFILE_HEADING = ("mechanism", "with", "without", "exact match with", "without", "difference [95%]", "F1")


def remarks(summary: LevelSummary) -> Iterator[str]:
    """The horizon, the effort, what breaks the model first, and whether calls ran out, one sentence each."""
    ladder = summary.ladder
    if ladder is not None:
        if ladder.horizon is not None:
            yield f"composition horizon: {ladder.horizon.text}"
        if ladder.efficiency is not None:
            yield effort(ladder.efficiency)
        words = in_words(ladder.profile)
        if words:
            yield words
    if summary.out_of_calls is not None:
        yield f"the budget of tool calls ran out in {summary.out_of_calls} of {summary.attempted} episodes"


def effort(found: Efficiency) -> str:
    """The calls and characters of an episode against the plan's."""
    return (
        f"{_times(found.calls)} the plan's calls, {_times(found.characters)} its characters of results; acquisition "
        f"precision {found.acquisition_precision.mean:.2f}"
    )


def rung_lines(ladder: LadderSummary) -> Lines:
    """One line a rung, below `RUNG_HEADING`."""
    return [
        (
            str(one.rung),
            str(one.instances),
            f"{one.load:.0f}",
            _rate(one.exact_match),
            _score(one.f1),
            f"{one.tool_calls:.1f}",
            f"{one.result_characters:,.0f}",
        )
        for one in ladder.rungs
    ]


def profile_lines(ladder: LadderSummary) -> Lines:
    """One line a mechanism, below `PROFILE_HEADING`."""
    return [
        (
            mechanism_name(one.mechanism),
            str(one.with_it),
            str(one.without_it),
            f"{one.exact_match.with_it:.0%}",
            f"{one.exact_match.without_it:.0%}",
            points(one.exact_match),
            f"{one.f1.difference:+.2f} [{one.f1.low:+.2f}, {one.f1.high:+.2f}]",
        )
        for one in ladder.profile
    ]


def points(contrast: Contrast) -> str:
    """A difference of rates in points: `-34 [-58, -10]`."""
    return f"{100 * contrast.difference:+.0f} [{100 * contrast.low:+.0f}, {100 * contrast.high:+.0f}]"


def laddered(rows: Sequence[LevelSummary]) -> list[tuple[LevelSummary, LadderSummary]]:
    """The rows of level 4 with what is known of it."""
    return [(one, one.ladder) for one in rows if one.ladder is not None]


def _times(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.2g} times"
    return f"{estimate.mean:.2g} [{estimate.low:.2g}, {estimate.high:.2g}] times"


def _rate(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.0%}"
    return f"{estimate.mean:.0%} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def _score(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.2f}"
    return f"{estimate.mean:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"

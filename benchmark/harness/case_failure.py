"""How a case that did not pass is shown: its page, or the lines that fit a log with many of them."""

from collections.abc import Callable

import pytest

from mpcbench.benchmark.harness.trial import Trial, TrialResult
from mpcbench.evaluation.scoring.brief import brief, verdict
from mpcbench.evaluation.statistics.attribution import verdict_text
from mpcbench.schema.untrusted_text import printable, well_formed

_TRACE = 8  # lines of a traceback


class CaseFailure(pytest.fail.Exception):  # type: ignore[misc, name-defined]  # mypy sees no class there
    """A case that did not pass.

    Args:
        summary: Its line in pytest's short test summary, and in the message of JUnit's report.
        text: What pytest shows of it.
        is_error: Whether it has no scores.
    """

    def __init__(self, summary: str, text: str, *, is_error: bool) -> None:
        super().__init__(text, pytrace=False)
        self.summary = summary
        self.is_error = is_error


def is_whole(config: pytest.Config) -> bool:
    """Whether failures are shown with everything that is known: with `-v` or `--tb=long`."""
    return bool(config.option.verbose > 0 or config.option.tbstyle == "long")


def case_failure(
    trial: Trial | None, result: TrialResult, file: str, *, hide: Callable[[str], str], whole: bool
) -> CaseFailure:
    """The failure of a case that was an error or did not pass.

    Args:
        trial: The trial; None if it could not be made.
        result: What came of it.
        file: Of the episode, for people.
        hide: Takes secrets out of texts.
        whole: Whether everything is shown.
    """
    text = _page(trial, result) if whole else _brief(trial, result, file)
    return CaseFailure(hide(f"{verdict(result.episode)} · {file}"), hide(well_formed(text)), is_error=trial is None)


def _page(trial: Trial | None, result: TrialResult) -> str:
    return _told(result) if trial is None else trial.explanation(result.episode)


def _brief(trial: Trial | None, result: TrialResult, file: str) -> str:
    """At most eleven lines; of a traceback, the end."""
    if trial is None:
        cause, _, trace = _told(result).partition("\n\n")
        lines = [cause, *trace.splitlines()[-_TRACE:]]
    else:
        lines = brief(result.episode, trial.exam).splitlines()
        if result.episode.attribution is not None:
            lines.append(f"{'proven':9}{verdict_text(result.episode.attribution)}")
    return "\n".join([*lines, f"{'file':9}{file}; -v shows the whole page"])


def _told(result: TrialResult) -> str:
    """The cause of an error, and behind it the traceback of a defect."""
    return printable(well_formed(result.error or ""))


def show(report: pytest.TestReport, failure: CaseFailure, style: str) -> None:
    """Give the failure's one line to what shows one: the short test summary, JUnit's report and `--tb=line`."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = failure.summary
    if style == "line":  # pytest writes the line of a failure itself, behind the text, but not that of an error
        for entry in report.longrepr.reprtraceback.reprentries:  # type: ignore[union-attr]
            entry.lines = [failure.summary] if failure.is_error else []

"""Collects pytest's reports on the cases, in the controlling process, and sums up the run."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from mpcbench.benchmark.harness.record import PROPERTY, as_json_text, as_properties, decode, encode, recorded
from mpcbench.benchmark.harness.selection import case_id
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import error_episode, single_spaced
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.summary_files import run_summary
from mpcbench.evaluation.statistics.summary import Summary, summary_of
from mpcbench.schema.episode import Fault, Outcome
from mpcbench.schema.result import Result, result_of
from mpcbench.schema.run import Case, case_of

_TEST = "test_instances.py::test_instance["
"""What the node ID of a case ends with, before its name and a closing bracket."""

_MOST_NAMED = 5
_LONGEST_CAUSE = 300


@dataclass(frozen=True)
class RunEnd:
    """The state of a run at the end of a session."""

    episodes: dict[str, Result] = field(default_factory=dict)
    """Of every case that was begun in the session, by node ID in the order of collection."""

    results: Sequence[Result] = ()
    """Of every stored episode of the run, those of earlier sessions included, in their order."""

    totals: Summary = field(default_factory=lambda: summary_of([]))
    """All numbers of the run, computed once."""

    lost: tuple[str, ...] = ()
    """What is lost, in whole lines."""

    not_run: int = 0
    """How many planned cases have no episode."""

    stopped: str | None = None
    """Why no further episodes were begun, if a budget or the endpoint stopped the run."""


class CaseReports:
    """The reports of the cases' tests, by node ID."""

    def __init__(self, settings: Settings, cases: Iterable[Case], folder: RunFolder) -> None:
        self._settings = settings
        self._folder = folder
        self._cases = {case_id(case): case for case in cases}
        self._places: dict[str, int] = {}
        """The place of every collected test."""

        self._finished: set[str] = set()
        self._records: dict[str, str] = {}
        self._crashed: set[str] = set()
        """Tests whose worker died and whose last report is still to come."""

        self._causes: dict[str, str] = {}
        """Why a test has no record, as far as its own report says so."""

        self._skipped: set[str] = set()
        """Tests of cases that were not begun."""

    def collected(self, nodeids: Iterable[str]) -> None:
        """Learn the tests and their order: by instance and model, in whatever order they run."""
        places = {name: place for place, name in enumerate(self._cases)}
        names = {nodeid: name_of(nodeid) for nodeid in nodeids}
        ordered = sorted(names, key=lambda nodeid: places.get(names[nodeid], len(places)))
        self._places = {nodeid: place for place, nodeid in enumerate(ordered)}

    def planned(self) -> tuple[Case, ...]:
        """The cases of the collected tests, in order."""
        return tuple(case for case in map(self._case_of, self._places) if case is not None)

    def crash(self, nodeid: str, report: pytest.TestReport) -> None:
        """Make the case during which a worker died an error with a record, not a failure without one."""
        case = self._case_of(nodeid)
        if case is not None and report.failed:
            result = self._error(case, Fault(kind="worker", message=str(report.longrepr)))
            report.when = "call"
            report.user_properties.append((PROPERTY, encode(result)))
            self._crashed.add(nodeid)

    def take(self, report: pytest.TestReport) -> pytest.TestReport | None:
        """Take the record from a report of a test.

        Returns:
            The last report of a test whose worker died, which pytest has still to be given; otherwise None.
        """
        record = recorded(report.user_properties)
        if record is not None:
            self._records[report.nodeid] = record
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            cause = crash.message if crash else report.longreprtext
            self._causes[report.nodeid] = single_spaced(cause)[:_LONGEST_CAUSE]
        if report.skipped and self._case_of(report.nodeid) is not None:
            self._skipped.add(report.nodeid)
        if report.when == "teardown":
            self._finished.add(report.nodeid)
        elif report.nodeid in self._crashed:
            self._crashed.remove(report.nodeid)
            return _end_of(report)
        return None

    def end(self, tests: int, *, early: bool, stopped: str | None) -> RunEnd:
        """What the run is now.

        Args:
            tests: How many tests pytest collected.
            early: Whether the session ended before its last test, so that missing reports are expected.
            stopped: Why no further episodes were begun.
        """
        episodes = {}
        for nodeid in self._in_order((self._finished | self._records.keys()) - self._skipped):
            case = self._case_of(nodeid)
            if case is not None and nodeid in self._records:
                episodes[nodeid] = decode(self._records[nodeid])
            elif case is not None:
                cause = self._causes.get(nodeid, "the case ended without a record")
                episodes[nodeid] = self._error(case, Fault(kind="harness", message=cause))
        known = {case_of(result): result for result in episodes.values()}
        results = [known.get(case) or self._folder.result(case) for case in self._folder.cases()]
        planned = {*self._folder.info.cases, *(() if self._settings.adaptive else self.planned())}
        return RunEnd(
            episodes,
            results,
            run_summary(self._folder.info, results),
            tuple(self._lost(episodes, tests, early=early)),
            len(planned.difference(map(case_of, results))),
            stopped,
        )

    def missing(self, tests: int) -> int:
        """How many tests, of so many that pytest collected, have not reported their end."""
        return max(tests, len(self._places)) - len(self._finished)

    def place(self, nodeid: str) -> tuple[int, str]:
        """By which tests are sorted: the order of their cases; those that were never collected come last."""
        return self._places.get(nodeid, len(self._places)), nodeid

    def _in_order(self, nodeids: Iterable[str]) -> list[str]:
        return sorted(nodeids, key=self.place)

    def _case_of(self, nodeid: str) -> Case | None:
        """The case that a test runs; None for any other test."""
        return self._cases.get(name_of(nodeid)) if _TEST in nodeid else None

    def _error(self, case: Case, fault: Fault) -> Result:
        """The result of a case that left no record, stored unless an episode of it has ended well or the disk is full."""
        stored = self._folder.episode(case)
        if stored is not None and stored.outcome is not Outcome.ERROR:
            return result_of(stored)
        episode = error_episode(case, self._settings, fault)
        with suppress(OSError):  # what is not stored is reported as lost
            self._folder.write_episode(case, as_json_text(episode))
        return result_of(episode)

    def _lost(self, episodes: dict[str, Result], tests: int, *, early: bool) -> Iterable[str]:
        missing = self.missing(tests)
        if missing and not early:
            lost = self._in_order(self._places.keys() - self._finished)
            yield f"lost: {missing} of {tests} tests have no report{such_as(lost)}"
        unrecorded = [nodeid for nodeid in episodes if nodeid not in self._records]
        if unrecorded:
            yield f"lost: {len(unrecorded)} of {len(episodes)} cases have no record{such_as(unrecorded)}"
        unstored = [
            nodeid for nodeid, result in episodes.items() if not self._folder.episode_file(case_of(result)).is_file()
        ]
        if unstored:
            yield (
                f"lost: {len(unstored)} of {len(episodes)} episodes are not in {self._folder.path}"
                f"{such_as(unstored)}; do all hosts share it?"
            )


def with_fields(report: pytest.TestReport) -> None:
    """Put the fields of the record in its place, in the last report of a test, whose properties JUnit's report shows."""
    record = recorded(report.user_properties)
    if report.when == "teardown" and record is not None:
        others = [(name, value) for name, value in report.user_properties if name != PROPERTY]
        report.user_properties = [*others, *as_properties(decode(record))]


def is_error(report: pytest.TestReport) -> bool:
    """Whether a report of a case's test says that it has no scores."""
    if not report.failed or report.when != "call" or _TEST not in report.nodeid:
        return False
    record = recorded(report.user_properties)
    return record is None or decode(record).scores is None


def name_of(nodeid: str) -> str:
    """The name of a case in the node ID of its test; empty for any other test."""
    return nodeid.partition(_TEST)[2].removesuffix("]")


def such_as(nodeids: Sequence[str]) -> str:
    """The first of some tests in brackets, by the names of their cases; empty if there are none."""
    shown = [name_of(nodeid) or nodeid for nodeid in nodeids[:_MOST_NAMED]]
    more = f" and {len(nodeids) - _MOST_NAMED} more" if len(nodeids) > _MOST_NAMED else ""
    return f" ({', '.join(shown)}{more})" if shown else ""


def _end_of(crash: pytest.TestReport) -> pytest.TestReport:
    """The last report of a test whose worker died: reporters read properties from no other."""
    end = pytest.TestReport(
        nodeid=crash.nodeid,
        location=crash.location,
        keywords={},
        outcome="passed",
        longrepr=None,
        when="teardown",
        user_properties=crash.user_properties,
    )
    if hasattr(crash, "node"):
        end.node = crash.node  # type: ignore[attr-defined]  # as xdist does
    return end

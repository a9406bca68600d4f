"""The reports of a run, made where all results come together: in the only process, or in xdist's controller."""

import json
import re
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.harness.record import PROPERTY, as_json, as_json_text, decode, encode, recorded
from mpcbench.benchmark.harness.run_info import data_versions
from mpcbench.benchmark.harness.selection import case_id
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import error_episode, one_line
from mpcbench.evaluation.runs.folder import Case, RunFolder, case_of
from mpcbench.evaluation.runs.summary_files import run_summary
from mpcbench.evaluation.statistics.attribution import attribution_rows, attribution_table
from mpcbench.evaluation.statistics.summary import summary_of
from mpcbench.evaluation.statistics.summary_text import table
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import GRADING_VERSION, Fault, Outcome
from mpcbench.schema.model_output import printable
from mpcbench.schema.result import Result, result_of

TEST = "test_instances.py::test_instance["
"""What the node ID of a case ends with, before its name and a closing bracket."""

WORKER_LINE = re.compile(r"\A\[gw\d+\] .*\n?")
"""What pytest-xdist puts before the error text of every report, whether there is one or not."""

_LOOKING = ("collectonly", "setuponly", "setupplan", "showfixtures", "show_fixtures_per_test")
"""The options of pytest with which it runs no test."""

MOST_NAMED = 5
MOST_CAUSES = 10
MAX_CAUSE = 300
CLOCK_SLACK = 2.0
"""Seconds by which a file system's clock may be behind."""


class RunReport:
    """A pytest plugin: gathers the records, completes the JSON report, prints the table, misses what is lost."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        dataset: Dataset,
        cases: Sequence[Case],
        folder: RunFolder,
    ) -> None:
        self.begun = time.time()
        self.config = config
        self.settings = settings
        self.dataset = dataset
        self.folder = folder
        self.cases = {case_id(case): case for case in cases}
        self.order: dict[str, int] = {}
        """The place of every collected test, by node ID."""

        self.finished: set[str] = set()
        self.records: dict[str, str] = {}
        self.crashed: set[str] = set()
        """Tests whose worker died and whose last report is still to come."""

        self.causes: dict[str, str] = {}
        """Why a test has no record, as far as its own report says so, by node ID."""

        self.skipped: set[str] = set()
        """Tests of cases that were not begun."""

        self.episodes: dict[str, Result] = {}
        """Of every case that was begun, by node ID in the order of collection; known when the session is over."""

        self.totals = summary_of([])
        """All numbers of the run, computed once."""

        self.results: list[Result] = []
        """Of every stored episode of the run, those of earlier sessions included, in their order."""

        self.complaints: list[str] = []
        """What is lost, in whole lines."""

        self.not_run = 0
        """How many planned cases have no episode."""

        option = config.option
        self.idle = any(getattr(option, name, False) for name in _LOOKING)
        """Whether no test will run."""

        self.stopped: str | None = None
        """Why no further episodes were begun, if a budget or the endpoint forbade it."""

    def case_of(self, nodeid: str) -> Case | None:
        """The case that a test runs; None for any other test."""
        _, found, name = nodeid.partition(TEST)
        return self.cases.get(name.removesuffix("]")) if found else None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn the order of the tests, where this process runs them."""
        self._collected(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Learn the order of the tests from a worker."""
        self._collected(ids)

    def _collected(self, nodeids: Iterable[str]) -> None:
        # By instance and model, in whatever order they run.
        places = {name: place for place, name in enumerate(self.cases)}
        names = {nodeid: nodeid.partition(TEST)[2].removesuffix("]") for nodeid in nodeids}
        ordered = sorted(names, key=lambda nodeid: places.get(names[nodeid], len(places)))
        self.order = {nodeid: place for place, nodeid in enumerate(ordered)}

    @pytest.hookimpl(optionalhook=True, trylast=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Make the case during which a worker died an error with a record, not a failure without one."""
        case = self.case_of(crashitem)
        if case is not None and report.failed:
            result = self._void(case, Fault(kind="worker", message=str(report.longrepr)))
            report.when = "setup"
            report.user_properties.append((PROPERTY, encode(result)))
            self.crashed.add(crashitem)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the record from the reports of a test."""
        record = recorded(report.user_properties)
        if record is not None:
            self.records[report.nodeid] = record
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.causes[report.nodeid] = one_line(crash.message if crash else report.longreprtext)[:MAX_CAUSE]
        if report.skipped and self.case_of(report.nodeid) is not None:
            self.skipped.add(report.nodeid)
        if report.when == "teardown":
            self.finished.add(report.nodeid)
        elif report.nodeid in self.crashed:
            self.crashed.remove(report.nodeid)
            self.config.hook.pytest_runtest_logreport(report=_end_of(report))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Let no run pass that lost a case; this comes before the reports are written."""
        option = session.config.option
        if not self.idle:
            self._close(session)
            if self.complaints and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
        result = yield
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")
        if getattr(option, "json_report", False) and not self._is_written(option.json_report_file):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            if terminal is not None:
                terminal.write_line(f"lost: the JSON report {option.json_report_file} could not be written", red=True)
        if session.exitstatus == pytest.ExitCode.INTERNAL_ERROR and terminal is not None:
            # pytest prints no summary then.
            self.pytest_terminal_summary(terminal)
        return result

    def _is_written(self, name: str | None) -> bool:
        """Whether the JSON report was written in this run, or was not to be saved at all (no name)."""
        if name is None:
            return True
        file = Path(name)
        return file.is_file() and file.stat().st_mtime >= self.begun - CLOCK_SLACK

    def _close(self, session: pytest.Session) -> None:
        missing = max(session.testscollected, len(self.order)) - len(self.finished)
        for nodeid in self._in_order((self.finished | self.records.keys()) - self.skipped):
            case = self.case_of(nodeid)
            if case is not None and nodeid in self.records:
                self.episodes[nodeid] = decode(self.records[nodeid])
            elif case is not None:
                cause = self.causes.get(nodeid, "the case ended without a record")
                self.episodes[nodeid] = self._void(case, Fault(kind="harness", message=cause))
        early = session.shouldfail or session.shouldstop or session.exitstatus == pytest.ExitCode.INTERRUPTED
        if missing and not early:
            lost = self._in_order(self.order.keys() - self.finished)
            self.complaints.append(f"lost: {missing} of {session.testscollected} tests have no report{_such_as(lost)}")
        unrecorded = [nodeid for nodeid in self.episodes if nodeid not in self.records]
        if unrecorded:
            self.complaints.append(
                f"lost: {len(unrecorded)} of {len(self.episodes)} cases have no record{_such_as(unrecorded)}"
            )
        unstored = [
            nodeid
            for nodeid, result in self.episodes.items()
            if not self.folder.episode_file(case_of(result)).is_file()
        ]
        if unstored:
            self.complaints.append(
                f"lost: {len(unstored)} of {len(self.episodes)} episodes are not in {self.folder.path}"
                f"{_such_as(unstored)}; do all hosts share it?"
            )
        known = {case_of(result): result for result in self.episodes.values()}
        self.results = [known.get(case) or self.folder.result(case) for case in self.folder.cases()]
        self.totals = run_summary(self.folder.info, self.results)
        planned = {case for case in map(self.case_of, self.order) if case is not None} | set(self.folder.info.cases)
        self.not_run = len(planned.difference(map(case_of, self.results)))

    def _void(self, case: Case, fault: Fault) -> Result:
        """The result of a case that left no record, stored unless an episode of it has ended well."""
        stored = self.folder.episode(case)
        if stored is not None and stored.outcome is not Outcome.ERROR:
            return result_of(stored)
        episode = error_episode(case, self.settings, fault)
        self.folder.write_episode(case, as_json_text(episode))
        return result_of(episode)

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """Complete pytest-json-report's report, and make its content the same for any number of workers."""
        for test in json_report.get("tests", []):
            properties = [one for one in test.pop("user_properties", []) if PROPERTY not in one]
            if properties:
                test["user_properties"] = properties
            for stage in (test[name] for name in ("setup", "call", "teardown") if name in test):
                text = WORKER_LINE.sub("", stage.pop("longrepr", ""))
                if text:
                    stage["longrepr"] = text
            if test["nodeid"] in self.episodes:
                result = self.episodes[test["nodeid"]]
                file = self.folder.episode_file(case_of(result)).relative_to(self.folder.path)
                test["episode"] = {**as_json(result), "file": file.as_posix()}
        if "tests" in json_report:
            json_report["tests"].sort(key=lambda test: self._place(test["nodeid"]))
        if "warnings" in json_report:
            # Every worker warns anew of what one process warns of once.
            unique = {json.dumps(warning, sort_keys=True): warning for warning in json_report["warnings"]}
            json_report["warnings"] = [unique[key] for key in sorted(unique)]
        # Workers do not tell the controller of collectors that passed, nor of what they deselected.
        collectors = [one for one in json_report.pop("collectors", []) if one["outcome"] != "passed"]
        if collectors:
            json_report["collectors"] = collectors
        json_report["summary"]["collected"] -= json_report["summary"].pop("deselected", 0)
        json_report["mpcbench"] = self.summary()

    def summary(self) -> dict[str, Any]:
        """The block about the whole run: settings, data, versions and the scores of every model and level."""
        levels = sorted({case.level for case in self.cases.values()})
        return {
            "grading_version": GRADING_VERSION,
            "settings": self.settings.described(),
            "data": {"versions": data_versions(self.dataset, levels), "sha256": self.dataset.hashes(levels)},
            "rows": [as_json(row) for row in self.totals.rows],
            "overall": [as_json(row) for row in self.totals.overall],
            "warnings": [as_json(warning) for warning in self.totals.warnings],
            "attribution": [as_json(row) for row in attribution_rows(self.results)],
            "lost": self.complaints,
            "not_run": self.not_run,
            "stopped": self.stopped,
        }

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table of results and what is an error or lost."""
        write = terminalreporter.write_line
        if self.results:
            terminalreporter.write_sep("=", "MPCBench")
            for line in self._tables():
                write(line)
        faults: dict[str, list[str]] = {}
        for nodeid, episode in self.episodes.items():
            if episode.fault is not None:
                cause = printable(one_line(f"{episode.fault.kind}: {episode.fault.message}"))
                faults.setdefault(cause, []).append(nodeid)
        for cause, nodeids in list(faults.items())[:MOST_CAUSES]:
            write(f"error: {len(nodeids)} because of {cause}{_such_as(nodeids)}", red=True)
        others = sum(map(len, list(faults.values())[MOST_CAUSES:]))
        if others:
            write(f"error: {others} because of other faults", red=True)
        for line in self._ends():
            write(line, red=True)
        if self.results:
            write(f"run: {self._shown_path()}")

    def _ends(self) -> Iterator[str]:
        if self.stopped is not None:
            yield f"stopped: {printable(self.stopped)}"
        if self.not_run:
            yield f"not run: {self.not_run} of {self.not_run + len(self.results)} episodes; --resume goes on with them"
        yield from self.complaints

    def _shown_path(self) -> Path:
        here = self.config.invocation_params.dir
        return self.folder.path.relative_to(here) if self.folder.path.is_relative_to(here) else self.folder.path

    def _tables(self) -> Iterator[str]:
        yield from table(self.totals).splitlines()
        attributed = attribution_rows(self.results)
        if attributed:
            yield "Proven causes: failures by the stage whose repair first gave an exact match"
            yield from attribution_table(attributed).splitlines()

    def _place(self, nodeid: str) -> tuple[int, str]:
        return self.order.get(nodeid, len(self.order)), nodeid

    def _in_order(self, nodeids: Iterable[str]) -> list[str]:
        return sorted(nodeids, key=self._place)


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


def _such_as(nodeids: Sequence[str]) -> str:
    shown = [nodeid.partition(TEST)[2].removesuffix("]") or nodeid for nodeid in nodeids[:MOST_NAMED]]
    more = f" and {len(nodeids) - MOST_NAMED} more" if len(nodeids) > MOST_NAMED else ""
    return f" ({', '.join(shown)}{more})" if shown else ""

"""The files of a run that are computed from its episodes: made again and compared."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.harness.case_reports import RunEnd, name_of
from mpcbench.benchmark.harness.record import as_json
from mpcbench.benchmark.harness.reporting import run_block
from mpcbench.benchmark.harness.run_info import data_versions
from mpcbench.benchmark.harness.selection import case_id
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.report.document import report
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import EPISODES, RUN_FILE, SUMS_FILE, RunFolder
from mpcbench.evaluation.runs.identity import FURTHER_SELECTIONS
from mpcbench.evaluation.runs.run_files import (
    JSON_REPORT_FILE,
    MARKDOWN_FILE,
    REPORT_FILE,
    SUMMARY_FILE,
    is_readable,
)
from mpcbench.evaluation.runs.summary_files import (
    run_summary,
    summary_json,
    summary_markdown,
)
from mpcbench.evaluation.statistics.summary import MixedVersionsError, Summary
from mpcbench.schema.dataset import DataError, Dataset, read_json
from mpcbench.schema.episode import Outcome
from mpcbench.schema.result import Result
from mpcbench.schema.run import case_of
from mpcbench.schema.untrusted_text import one_line

_LONGEST = 100


class DerivedFiles:
    """The files that follow from the episodes.

    Args:
        folder: The run's folder.
        results: Of all its episodes, in their order.
        dataset: The data that it ran on.
        settings: Its settings; None if they could not be made.
    """

    def __init__(
        self, folder: RunFolder, results: Sequence[Result], dataset: Dataset, settings: Settings | None
    ) -> None:
        self._folder = folder
        self._results = results
        self._dataset = dataset
        self._settings = settings
        self.names: list[str] = []
        """Of the files that have been compared."""

    def findings(self) -> Iterator[str]:
        """Every file that does not follow, or should be there."""
        info = self._folder.info
        try:
            summary = run_summary(info, self._results)
        except MixedVersionsError as error:
            yield f"{SUMMARY_FILE}: {error}"
            return
        ended = (self._folder.path / SUMS_FILE).is_file()
        expected = {
            SUMMARY_FILE: summary_json(info, self._results, summary),
            MARKDOWN_FILE: summary_markdown(info, self._results, summary),
        }
        for name, text in expected.items():
            if not self._is_there(name):
                if ended:
                    yield f"{name}: missing"
            elif (self._folder.path / name).read_text(encoding="utf-8", errors="replace") != text:
                yield f"{name}: does not follow from the episodes"
        if self._is_there(REPORT_FILE) and not self._same_report(summary):
            yield f"{REPORT_FILE}: does not follow from the episodes; `report` writes it anew"
        if self._is_there(JSON_REPORT_FILE):
            yield from (f"{JSON_REPORT_FILE}: {finding}" for finding in self._json_report(summary))

    def _is_there(self, name: str) -> bool:
        file = self._folder.path / name
        there = file.exists() and is_readable(file)
        if there:
            self.names.append(name)
        return there

    def _same_report(self, summary: Summary) -> bool:
        """Whether the report is the run's, with or without timelines, which need the data."""
        file = self._folder.path / REPORT_FILE
        return any(
            _holds(file, report([ReportedRun(self._folder, self._results, summary, dataset)]))
            for dataset in (self._dataset, None)
        )

    def _json_report(self, summary: Summary) -> Iterator[str]:
        try:
            content = read_json(self._folder.path / JSON_REPORT_FILE)
        except DataError as error:
            yield str(error)
            return
        if not isinstance(content, dict):
            yield "not an object"
            return
        found = content.get("mpcbench")
        block = found if isinstance(found, dict) else {}
        expected = self._block(summary)
        for name, value in expected.items():
            if name not in self._own and block.get(name) != value:
                yield f"$.mpcbench.{name}: does not follow from the run"
        for name in sorted(block.keys() - expected.keys()):
            yield f"$.mpcbench: no field {one_line(name, _LONGEST)}"
        if block.get("lost") != []:
            yield f"$.mpcbench.lost: {one_line(str(block.get('lost')), _LONGEST)}"
        if block.get("stopped") not in (None, self._folder.info.stopped):
            yield f"$.mpcbench.stopped: {one_line(str(block.get('stopped')), _LONGEST)}, and {RUN_FILE} does not say so"
        yield from self._tests(content)

    def _block(self, summary: Summary) -> dict[str, Any]:
        info = self._folder.info
        missing = len(set(info.cases) - {case_of(result) for result in self._results})
        end = RunEnd(results=self._results, totals=summary, not_run=missing)
        levels = sorted({case.level for case in info.cases} & set(self._dataset.all_levels))
        data = {"versions": data_versions(self._dataset, levels), "sha256": self._dataset.hashes(levels)}
        settings = {} if self._settings is None else self._settings.described()
        block: dict[str, Any] = json.loads(json.dumps(run_block(end, settings, data)))
        block["settings"] |= {"dataset": info.settings.get("dataset")}
        return block

    @property
    def _own(self) -> set[str]:
        """What a session says of itself: it may differ from what the whole run was; so may where its data were."""
        return {"lost", "stopped"} | (
            {"settings", "data"} if FURTHER_SELECTIONS in self._folder.info.settings else set()
        )

    def _tests(self, content: dict[str, Any]) -> Iterator[str]:
        tests = content.get("tests")
        if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
            yield "$.tests: no list of objects"
            return
        results = {case_id(case_of(result)): result for result in self._results}
        seen = Counter[str]()
        planned = {case_id(case) for case in self._folder.info.cases}
        for number, test in enumerate(tests):
            name = name_of(str(test.get("nodeid")))
            if name not in planned and self._left_out(test):
                continue
            if name not in planned:
                yield f"$.tests[{number}].nodeid: no episode of the run: {one_line(str(test.get('nodeid')), _LONGEST)}"
                continue
            seen[name] += 1
            for what in self._test(test, results.get(name)):
                yield f"$.tests[{number}].{what}"
        if any(times > 1 for times in seen.values()):
            yield "$.tests: an episode has two"
        # An interrupted session stores episodes whose reports have not come.
        partly = FURTHER_SELECTIONS in self._folder.info.settings or self._folder.info.stopped is not None
        missing = [] if partly else sorted(results.keys() - seen.keys())
        if missing:
            yield f"$.tests: lacks {len(missing)} episodes, such as {one_line(missing[0], _LONGEST)}"
        counted = Counter(str(test.get("outcome")) for test in tests)
        summary = content.get("summary")
        said = summary if isinstance(summary, dict) else {}
        if {name: said[name] for name in said if name not in ("total", "collected")} != counted:
            yield "$.summary: not the outcomes of the tests"
        if said.get("total", 0) != len(tests):
            yield "$.summary.total: not the number of tests"
        yield from self._exit_code(content.get("exitcode"), failed=bool(counted["failed"] or counted["error"]))

    def _left_out(self, test: dict[str, Any]) -> bool:
        """Whether it is the test of a case that the staircase did not ask for."""
        adaptive = self._settings is not None and self._settings.adaptive
        return bool(adaptive) and test.get("outcome") == "skipped" and "episode" not in test

    def _exit_code(self, code: object, *, failed: bool) -> Iterator[str]:
        stopped = self._folder.info.stopped is not None
        if type(code) is not int or not pytest.ExitCode.OK <= code <= pytest.ExitCode.INTERNAL_ERROR:
            yield f"$.exitcode: no exit code of a run: {one_line(str(code), _LONGEST)}"
        elif code == pytest.ExitCode.OK and (failed or stopped):
            yield f"$.exitcode: 0, and {'tests failed' if failed else 'the run was stopped'}"
        elif code == pytest.ExitCode.TESTS_FAILED and not failed:
            yield "$.exitcode: 1, and no test failed"
        elif code == pytest.ExitCode.INTERRUPTED and not stopped:
            yield f"$.exitcode: 2, and {RUN_FILE} does not say that the run was stopped"

    def _test(self, test: dict[str, Any], result: Result | None) -> Iterator[str]:
        outcome = test.get("outcome")
        if result is None:
            if outcome != "skipped" or "episode" in test:
                yield "episode: the run has none"
            return
        interrupted = self._folder.info.stopped is not None  # between any two stages of a test
        if outcome == "skipped" and not interrupted and result.outcome is not Outcome.ERROR:
            yield "outcome: skipped, and the run was not stopped"
            return
        if outcome == "skipped" or (interrupted and "episode" not in test):  # such as an error that was not run again
            return
        file = self._folder.episode_file(case_of(result)).name
        if test.get("episode") != {**as_json(result), "file": f"{EPISODES}/{file}"}:
            yield "episode: not what the file of the episode says"
        if not interrupted:
            yield from self._outcome(test, result)

    def _outcome(self, test: dict[str, Any], result: Result) -> Iterator[str]:
        """Whether a test ended as its episode says."""
        if self._settings is None:
            return
        outcome = test.get("outcome")
        stages = {name: stage.get("outcome") for name in ("setup", "call") if isinstance(stage := test.get(name), dict)}
        if result.scores is None:
            expected, wanted = "error", {"setup": "passed", "call": "failed"}
        elif self._settings.fail_on.fails(result.scores):
            expected, wanted = "failed", {"setup": "passed", "call": "failed"}
        else:
            expected, wanted = "passed", {"setup": "passed", "call": "passed"}
        if outcome != expected:
            yield f"outcome: {one_line(str(outcome), _LONGEST)}, and the episode's is {expected}"
        elif stages and stages != wanted:
            yield "outcome: does not follow from its stages"


def _holds(file: Path, parts: Iterator[str]) -> bool:
    """Whether a file is what the parts make; only one part is held at a time."""
    with file.open(encoding="utf-8", errors="replace", newline="") as stream:
        return all(stream.read(len(part)) == part for part in parts) and not stream.read(1)

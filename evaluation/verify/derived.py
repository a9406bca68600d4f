"""The files of a run that are computed from its episodes: made again and compared."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mpcbench.benchmark.harness.case_reports import RunEnd, name_of
from mpcbench.benchmark.harness.record import as_json
from mpcbench.benchmark.harness.reporting import run_block
from mpcbench.benchmark.harness.run_info import data_versions
from mpcbench.benchmark.harness.selection import case_id
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.report.document import report
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import EPISODES, SUMS_FILE, RunFolder
from mpcbench.evaluation.runs.identity import FURTHER_SELECTIONS
from mpcbench.evaluation.runs.summary_files import (
    MARKDOWN_FILE,
    REPORT_FILE,
    SUMMARY_FILE,
    run_summary,
    summary_json,
    summary_markdown,
)
from mpcbench.evaluation.statistics.summary import MixedVersionsError, Summary
from mpcbench.evaluation.verify.files import JSON_REPORT_FILE, is_readable
from mpcbench.schema.dataset import DataError, Dataset, read_json
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
        block = content.get("mpcbench")
        expected = self._block(summary)
        for name, value in expected.items():
            if not isinstance(block, dict) or block.get(name) != value:
                yield f"$.mpcbench.{name}: does not follow from the run"
        if isinstance(block, dict) and block.get("lost"):
            yield f"$.mpcbench.lost: {one_line(str(block['lost']), _LONGEST)}"
        yield from self._tests(content)

    def _block(self, summary: Summary) -> dict[str, Any]:
        info = self._folder.info
        missing = len(set(info.cases) - {case_of(result) for result in self._results})
        end = RunEnd(results=self._results, totals=summary, not_run=missing)
        levels = sorted({case.level for case in info.cases} & set(self._dataset.levels))
        data = {"versions": data_versions(self._dataset, levels), "sha256": self._dataset.hashes(levels)}
        settings = {} if self._settings is None else self._settings.described()
        block = json.loads(json.dumps(run_block(end, settings, data)))
        # What a session of the run was told may differ from what the whole run was; so may where its data were.
        own = {"lost", "stopped"} | ({"settings", "data"} if FURTHER_SELECTIONS in info.settings else set())
        if "settings" not in own:
            block["settings"] |= {"dataset": info.settings.get("dataset")}
        return {name: value for name, value in block.items() if name not in own}

    def _tests(self, content: dict[str, Any]) -> Iterator[str]:
        tests = content.get("tests")
        if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
            yield "$.tests: no list of objects"
            return
        results = {case_id(case_of(result)): result for result in self._results}
        seen = Counter[str]()
        for number, test in enumerate(tests):
            name = name_of(str(test.get("nodeid")))
            if not name:
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
        if content.get("exitcode") == 0 and (counted["failed"] or counted["error"]):
            yield "$.exitcode: 0, and tests failed"

    def _test(self, test: dict[str, Any], result: Result | None) -> Iterator[str]:
        outcome = test.get("outcome")
        stages = {name: stage["outcome"] for name in ("setup", "call") if isinstance(stage := test.get(name), dict)}
        if result is None:
            if outcome != "skipped" or "episode" in test:
                yield "episode: the run has none"
            return
        interrupted = self._folder.info.stopped is not None  # between any two stages of a test
        if outcome == "skipped" or (interrupted and "episode" not in test):  # such as an error that was not run again
            return
        file = self._folder.episode_file(case_of(result)).name
        if test.get("episode") != {**as_json(result), "file": f"{EPISODES}/{file}"}:
            yield "episode: not what the file of the episode says"
        if self._settings is None or interrupted:
            return
        if result.scores is None:
            expected, wanted = "error", {"setup": "failed"}
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

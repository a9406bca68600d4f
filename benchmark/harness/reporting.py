"""What a session of a run reports in the end: lines for the terminal, and what completes the JSON report."""

import json
import re
from collections.abc import Iterator
from typing import Any

from mpcbench.benchmark.harness.case_reports import CaseReports, RunEnd, such_as
from mpcbench.benchmark.harness.record import FIELDS, PROPERTY, as_json
from mpcbench.benchmark.harness.trial import single_spaced
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.statistics.attribution import attribution_rows, attribution_table
from mpcbench.evaluation.statistics.summary_text import table
from mpcbench.schema.episode import GRADING_VERSION
from mpcbench.schema.run import case_of
from mpcbench.schema.untrusted_text import printable

_WORKER_LINE = re.compile(r"\A\[gw\d+\] .*\n?")
"""What pytest-xdist puts before the error text of every report, whether there is one or not."""

_MOST_CAUSES = 10


def result_lines(end: RunEnd) -> Iterator[str]:
    """The tables of results."""
    yield from table(end.totals).splitlines()
    attributed = attribution_rows(end.results)
    if attributed:
        yield "Proven causes: failures by the stage whose repair first gave an exact match"
        yield from attribution_table(attributed).splitlines()


def problem_lines(end: RunEnd) -> Iterator[str]:
    """What was an error, why the run ended early, and what is not run or lost."""
    faults: dict[str, list[str]] = {}
    for nodeid, episode in end.episodes.items():
        if episode.fault is not None:
            cause = printable(single_spaced(f"{episode.fault.kind}: {episode.fault.message}"))
            faults.setdefault(cause, []).append(nodeid)
    for cause, nodeids in list(faults.items())[:_MOST_CAUSES]:
        yield f"error: {len(nodeids)} because of {cause}{such_as(nodeids)}"
    others = sum(map(len, list(faults.values())[_MOST_CAUSES:]))
    if others:
        yield f"error: {others} because of other faults"
    if end.stopped is not None:
        yield f"stopped: {printable(end.stopped)}"
    if end.not_run:
        yield f"not run: {end.not_run} of {end.not_run + len(end.results)} episodes; --resume runs them"
    yield from end.lost


def run_block(end: RunEnd, settings: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """The block of the JSON report about the whole run: settings, data, versions and the scores of every model."""
    return {
        "grading_version": GRADING_VERSION,
        "settings": settings,
        "data": data,
        "rows": [as_json(row) for row in end.totals.rows],
        "overall": [as_json(row) for row in end.totals.overall],
        "warnings": [as_json(warning) for warning in end.totals.warnings],
        "attribution": [as_json(row) for row in attribution_rows(end.results)],
        "lost": list(end.lost),
        "not_run": end.not_run,
        "stopped": end.stopped,
    }


def complete_json(
    json_report: dict[str, Any], end: RunEnd, reports: CaseReports, folder: RunFolder, shown: str
) -> None:
    """Put the records into pytest-json-report's report, and make its content the same for any number of workers.

    Args:
        json_report: The report.
        end: The state of the run.
        reports: Of its cases.
        folder: Of the run.
        shown: What failures call the folder; in the report their files are relative to it.
    """
    for test in json_report.get("tests", []):
        properties = [one for one in test.pop("user_properties", []) if not one.keys() <= {PROPERTY, *FIELDS}]
        if properties:
            test["user_properties"] = properties
        for stage in (test[name] for name in ("setup", "call", "teardown") if name in test):
            text = _WORKER_LINE.sub("", stage.pop("longrepr", "")).replace(f"{shown}/", "")
            for surplus in ("crash", "traceback"):  # of the harness; the text has the agent's
                stage.pop(surplus, None)
            if text:
                stage["longrepr"] = text
        if test["nodeid"] in end.episodes:
            result = end.episodes[test["nodeid"]]
            file = folder.episode_file(case_of(result)).relative_to(folder.path)
            test["episode"] = {**as_json(result), "file": file.as_posix()}
    if "tests" in json_report:
        json_report["tests"].sort(key=lambda test: reports.place(test["nodeid"]))
    if "warnings" in json_report:
        # Each worker repeats warnings that a single process would give once.
        unique = {json.dumps(warning, sort_keys=True): warning for warning in json_report["warnings"]}
        json_report["warnings"] = [unique[key] for key in sorted(unique)]
    # Workers report neither passed collectors nor deselected items to the controller.
    collectors = [one for one in json_report.pop("collectors", []) if one["outcome"] != "passed"]
    if collectors:
        json_report["collectors"] = collectors
    json_report["summary"]["collected"] -= json_report["summary"].pop("deselected", 0)

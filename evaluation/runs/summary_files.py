"""The summaries of a run: every file of its folder that is computed from its episodes."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.run_files import MARKDOWN_FILE, REPORT_FILE, SUMMARY_FILE
from mpcbench.evaluation.statistics.summary import Summary, summary_of
from mpcbench.evaluation.statistics.summary_text import markdown
from mpcbench.schema.episode import GRADING_VERSION
from mpcbench.schema.result import Result
from mpcbench.schema.run import RunInfo
from mpcbench.schema.untrusted_text import plain_json


def run_summary(info: RunInfo, results: Sequence[Result]) -> Summary:
    """The numbers of a run; raises `MixedVersionsError`."""
    return summary_of(results, by_design=[name for name, agent in info.agents.items() if agent is None])


def write_summary(
    folder: RunFolder,
    results: Sequence[Result],
    summary: Summary | None = None,
    *,
    write_report: Callable[[Summary, Path], None] | None = None,
) -> Summary:
    """Write `summary.json`, `summary.md`, perhaps `report.html`, and then the sums of all files of the run.

    Args:
        folder: The run's folder.
        results: The results of all its stored episodes, in any order.
        summary: Theirs, if it is known already.
        write_report: Writes the report of the summary to a file; None writes no report, and removes an older one.

    Returns:
        The summary.

    Raises:
        MixedVersionsError: the results carry more than one grading version.
    """
    if summary is None:
        summary = run_summary(folder.info, results)
    write_durably(folder.path / SUMMARY_FILE, summary_json(folder.info, results, summary))
    write_durably(folder.path / MARKDOWN_FILE, summary_markdown(folder.info, results, summary))
    report = folder.path / REPORT_FILE
    if write_report is None or not results:
        report.unlink(missing_ok=True)
    else:
        write_report(summary, report)
    folder.write_sums()
    return summary


def summary_json(info: RunInfo, results: Sequence[Result], summary: Summary) -> str:
    """What `summary.json` says."""
    content: dict[str, Any] = {
        "run_id": info.run_id,
        "grading_version": GRADING_VERSION,
        "planned": len(info.cases),
        "not_run": len(info.cases) - len(results),
        "stopped": info.stopped,
        **summary.model_dump(mode="json"),
    }
    return json.dumps(plain_json(content), indent=1, allow_nan=False) + "\n"


def summary_markdown(info: RunInfo, results: Sequence[Result], summary: Summary) -> str:
    """What `summary.md` says: fit for a step summary of GitHub."""
    missing = len(info.cases) - len(results)
    ends = f"\nNot run: {missing} of {len(info.cases)} episodes.\n" if missing else ""
    return f"{markdown(summary)}\n{ends}"

"""The summaries of a run: every file of its folder that is computed from its episodes."""

import json
from collections.abc import Sequence

from evaluation.episode import GRADING_VERSION
from evaluation.result import Result
from evaluation.run_folder import RunFolder, write_durably
from evaluation.summary import summary_of

SUMMARY_FILE = "summary.json"


def write_summary(folder: RunFolder, results: Sequence[Result]) -> None:
    """Write `summary.json` and then the sums of all files of the run.

    Args:
        folder: The run's folder.
        results: The results of all its stored episodes, in the folder's order.
    """
    write_durably(folder.path / SUMMARY_FILE, summary_text(folder, results))
    folder.write_sums()


def summary_text(folder: RunFolder, results: Sequence[Result]) -> str:
    """What `summary.json` says of these results."""
    summary = {
        "run_id": folder.info.run_id,
        "grading_version": GRADING_VERSION,
        "planned": len(folder.info.cases),
        "not_run": len(folder.info.cases) - len(results),
        "stopped": folder.info.stopped,
        **summary_of(results).model_dump(mode="json"),
    }
    return json.dumps(summary, indent=1) + "\n"

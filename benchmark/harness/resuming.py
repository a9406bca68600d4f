"""What a session takes over from an earlier one of the run: its folder, its options, and what it has planned."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from mpcbench.benchmark.harness.option_values import RUNS, resumed
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.identity import differences, joined
from mpcbench.evaluation.runs.options import wrong_option
from mpcbench.schema.run import RunInfo, new_run_id
from mpcbench.schema.untrusted_text import one_line


def with_earlier(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The options of the command line; with `--resume`, what it does not say is as it was."""
    earlier = resumed(given, folder)
    if earlier is None:
        return dict(given)
    folder_of_run = RunFolder.open(earlier)
    stored = folder_of_run.info.options
    wrong = wrong_option(stored)
    if wrong is not None:
        value = one_line(str(stored[wrong]), 100)
        raise RunError(f"{folder_of_run.run_file}: $.options.{wrong}: {value} is not a value of the option")
    return {name: stored.get(name) if value in (None, []) else value for name, value in given.items()}


def run_path(settings: Settings, now: datetime) -> Path:
    named = settings.resume or settings.run_dir
    if named is not None:
        return named
    runs = settings.folder / RUNS
    taken = [path.name for path in runs.iterdir()] if runs.is_dir() else []
    return runs / new_run_id(now, settings.models, taken)


def resumable(folder: RunFolder, info: RunInfo) -> RunInfo:
    """The information of the earlier run with what this session adds; raises `RunError` if the two do not fit."""
    earlier = folder.info
    found = list(differences(earlier, info))
    if found:
        raise RunError(f"--resume: {folder.path} cannot be resumed: it was run with {'; '.join(found)}")
    return joined(earlier, info)

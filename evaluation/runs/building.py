"""Builds a whole run aside, so that a failure on the way leaves nothing that passes for one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mpcbench.evaluation.runs.durable_file import TEMPORARY, sweep
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.lock_file import LOCK_FILE
from mpcbench.schema.run import RunInfo


@contextmanager
def built_aside(out: Path, info: RunInfo) -> Iterator[RunFolder]:
    """A new run beside the folder that it is for; it is moved there in the end, or removed where something fails.

    Args:
        out: The folder, which is empty or does not exist.
        info: What the run is, but for its name, which is the folder's.

    Raises:
        RunError: the folder holds something, lies in that of a run, or cannot be made.
        OSError: the run cannot be moved there.
    """
    target = Path(os.path.realpath(out))
    was_there = target.is_dir()
    RunFolder(target).make_room()
    aside = target.with_name(f"{TEMPORARY}{os.getpid()}-{target.name}")
    try:
        yield RunFolder.create(aside, info.model_copy(update={"run_id": target.name}))
        sweep(target)
        (target / LOCK_FILE).unlink(missing_ok=True)
        aside.replace(target)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        if not was_there:
            with suppress(OSError):
                target.rmdir()
        raise

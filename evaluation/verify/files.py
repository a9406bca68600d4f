"""The files of a run: which there are, and whether they are as they were when the run ended."""

import os
import stat
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path

from mpcbench.evaluation.runs.durable_file import is_half_written
from mpcbench.evaluation.runs.folder import EPISODES, RUN_FILE, SUMS_FILE, RunError, RunFolder
from mpcbench.evaluation.runs.lock_file import LOCK_FILE, is_lock
from mpcbench.evaluation.runs.run_files import DERIVED_FILES, IN_PLAY, is_readable, most_bytes

_KNOWN = {RUN_FILE, SUMS_FILE, *DERIVED_FILES}


def file_findings(folder: RunFolder) -> Iterator[str]:
    """What is missing, changed, added, a link or no file of a run, and the sums themselves; nothing is followed."""
    present: dict[str, Path] = {}
    for path in sorted(_below(folder.path)):
        name = path.relative_to(folder.path).as_posix()
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            yield f"{name}: a link; a run holds its files themselves"
        elif stat.S_ISDIR(mode):
            if name != EPISODES:
                yield f"{name}: no folder of a run"
        elif not stat.S_ISREG(mode):
            yield f"{name}: neither a file nor a folder"
        elif name == LOCK_FILE:
            if not is_lock(path):
                yield f"{name}: not the lock of a run"
        elif not is_half_written(path):
            present[name] = path
        elif (folder.path / SUMS_FILE).exists():
            yield f"{name}: half-written, though the run has ended; --resume removes what a killed process left"
    episodes = {f"{EPISODES}/{case.file_name}" for case in folder.info.cases}
    yield from (
        f"{name}: no file of a run"
        for name in present
        if name not in _KNOWN | episodes and not (name.startswith(f"{EPISODES}/") and name.endswith(".json"))
    )
    in_play = sorted((folder.path / IN_PLAY).glob("*"))
    yield from (f"{IN_PLAY}/{file.name}: an episode that a person has begun and not ended" for file in in_play)
    yield from _sum_findings(folder, present)


def _sum_findings(folder: RunFolder, present: dict[str, Path]) -> Iterator[str]:
    if (folder.path / SUMS_FILE).is_symlink():
        return
    try:
        sums = folder.sums()
    except RunError as error:
        yield str(error)
        return
    if sums is None:
        yield f"{SUMS_FILE}: missing, so the files cannot be checked; the run has not ended, or the file was removed"
        return
    lines = (folder.path / SUMS_FILE).read_text(encoding="utf-8").splitlines()
    if len(lines) > len(sums):
        yield f"{SUMS_FILE}: names a file twice"
    for name in sorted((sums.keys() | present.keys()) - {SUMS_FILE}):
        if name not in present:
            yield f"{name}: missing"
        elif name not in sums:
            yield f"{name}: not there when the run ended"
        elif not is_readable(present[name]):
            yield f"{name}: {present[name].stat().st_size:,} bytes, and at most {most_bytes(name):,} are read"
        else:
            with present[name].open("rb") as stream:
                if file_digest(stream, "sha256").hexdigest() != sums[name]:
                    yield f"{name}: changed since the run ended: another SHA-256"


def _below(folder: Path) -> Iterator[Path]:
    """What the folder holds, without the episodes in play."""
    for where, folders, files in os.walk(folder):
        if IN_PLAY in folders and not Path(where, IN_PLAY).is_symlink():
            folders.remove(IN_PLAY)
        yield from (Path(where, name) for name in (*folders, *files))

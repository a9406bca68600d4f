"""Several files of a folder, written all or none."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files below a folder, all or none.

    Files are written to a staging folder first and moved into place once all are complete. An error while moving
    restores the old files; a kill before the move leaves them untouched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        for name, text in texts.items():
            staged = staging / name
            staged.parent.mkdir(parents=True, exist_ok=True)
            staged.write_text(text, encoding="utf-8", newline="\n")
        _put_in_place(folder, staging, list(texts))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _put_in_place(folder: Path, staging: Path, names: list[str]) -> None:
    old = Path(tempfile.mkdtemp(prefix=".old-", dir=staging))
    for number, name in enumerate(names):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            shutil.copy2(target, old / str(number))
    placed = 0
    try:
        for name in names:
            (staging / name).replace(folder / name)
            placed += 1
    except BaseException:
        for number, name in enumerate(names[:placed]):
            if (old / str(number)).exists():
                (old / str(number)).replace(folder / name)
            else:
                (folder / name).unlink()
        raise

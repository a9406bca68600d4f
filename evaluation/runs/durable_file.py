"""Files of a run: written whole or not at all, and read only if they are regular files of a sensible size."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Final

from mpcbench.schema.dataset import DataError, read_text

TEMPORARY: Final = ".writing-"
"""What the name of a half-written file begins with."""

LARGEST: Final = 64 * 2**20
"""Bytes of the largest file that is read; an episode of 40 turns has about 0.1 MB."""


def read_file(file: Path) -> str:
    """The content of a regular file; nothing else is opened, as a pipe or a device could block or never end.

    Raises:
        DataError: it is missing, no regular file, larger than `LARGEST`, or not UTF-8.
    """
    try:
        found = file.stat()
    except OSError as error:
        raise DataError(f"{file}: {(error.strerror or 'cannot be read').lower()}") from None
    if not S_ISREG(found.st_mode):
        raise DataError(f"{file}: not a regular file")
    if found.st_size > LARGEST:
        raise DataError(f"{file}: {found.st_size:,} bytes, and at most {LARGEST:,} are read")
    return read_text(file)


def write_durably(file: Path, text: str) -> None:
    """Write or replace a file atomically; on return it is on the disk.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    staged = _unused(file)
    try:
        with staged.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        staged.replace(file)
    except BaseException:
        with suppress(OSError):
            staged.unlink(missing_ok=True)
        raise
    _sync_folder(file.parent)


def sweep(folder: Path) -> None:
    """Remove the files of a folder, not of those below it, that a killed process left half-written."""
    for file in folder.glob(f"{TEMPORARY}*"):
        file.unlink(missing_ok=True)


def _unused(file: Path) -> Path:
    for number in count():
        staged = file.with_name(f"{TEMPORARY}{os.getpid()}-{number}-{file.name[-60:]}")
        if not staged.exists():
            return staged
    raise AssertionError("unreachable")


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, if the system supports that."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""Files of a run: written whole or not at all, and read only if they are regular files of a sensible size."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Final

from mpcbench.schema.dataset import DataError, read_text

TEMPORARY: Final = ".writing-"
"""What the name of a half-written file begins with."""

_STAGED: Final = re.compile(re.escape(TEMPORARY) + r"[0-9]+-[0-9]+-")
"""What the whole name begins with: the ID of the process and a number follow."""

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


def write_durably(file: Path, content: str | bytes | Iterable[str]) -> None:
    """Write or replace a file atomically; on return it is on the disk. A link is replaced, not followed.

    Args:
        file: Where; its folder must exist.
        content: The content, or its parts in order.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    staged = _unused(file)
    try:
        with staged.open("xb") as stream:
            for part in (content,) if isinstance(content, str | bytes) else content:
                stream.write(part.encode() if isinstance(part, str) else part)
            stream.flush()
            os.fsync(stream.fileno())
        staged.replace(file)
    except BaseException as error:
        with suppress(OSError):
            staged.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(file), None
        raise
    _sync_folder(file.parent)


def is_half_written(file: Path) -> bool:
    """Whether it is a file that `write_durably` left when its process was killed."""
    return _STAGED.match(file.name) is not None and is_regular(file)


def is_regular(file: Path) -> bool:
    """Whether it is a file itself: no link, which may lead anywhere, and no pipe, which may never end."""
    return S_ISREG(file.lstat().st_mode)


def sweep(folder: Path) -> None:
    """Remove the files of a folder, not of those below it, that a killed process left half-written."""
    for file in folder.glob(f"{TEMPORARY}*"):
        if is_half_written(file):
            file.unlink(missing_ok=True)


def _unused(file: Path) -> Path:
    for number in count():
        staged = file.with_name(f"{TEMPORARY}{os.getpid()}-{number}-{file.name[-60:]}")
        if not os.path.lexists(staged):
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

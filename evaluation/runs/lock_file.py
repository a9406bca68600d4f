"""The file `LOCK` of a run, which says whose session has it; the lock itself is the operating system's."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from mpcbench.evaluation.runs.durable_file import is_regular

LOCK_FILE: Final = "LOCK"

_LENGTH: Final = 500
_HELD: Final = b'{"pid": '
"""What a holder begins with."""


class NoLockError(ValueError):
    """A file is not the lock of a run; the message says what it is."""


def opened(file: Path, flags: int) -> int:
    """A descriptor of the file.

    Raises:
        OSError: it cannot be opened.
        NoLockError: it is not the lock of a run: no file itself, shared with another folder, or of other content.
    """
    if os.path.lexists(file) and not is_regular(file):
        raise NoLockError("a link, a folder or a pipe")
    descriptor = os.open(file, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    found, content = os.fstat(descriptor), os.pread(descriptor, _LENGTH, 0)
    if found.st_nlink > 1 or found.st_size > _LENGTH or (content.strip() and not content.startswith(_HELD)):
        os.close(descriptor)
        raise NoLockError("a hard link" if found.st_nlink > 1 else "another file")
    return descriptor


def is_lock(file: Path) -> bool:
    """Whether a file is the lock of a run."""
    with suppress(OSError, NoLockError):
        os.close(opened(file, os.O_RDONLY))
        return True
    return False


def read_holder(descriptor: int) -> dict[str, object]:
    """Whose session it is; empty if it is nobody's."""
    with suppress(ValueError, OSError):
        value = json.loads(os.pread(descriptor, _LENGTH, 0))
        return value if isinstance(value, dict) else {}
    return {}


def write_holder(descriptor: int, holder: dict[str, object]) -> None:
    """Write in place, padded, so that a reader never meets a shorter text and a full disk has room for it."""
    text = json.dumps(holder) if holder else ""
    os.pwrite(descriptor, text.ljust(_LENGTH - 1).encode()[: _LENGTH - 1] + b"\n", 0)

"""The lock of a run, which all processes of a session hold: a run has one session at a time.

It is a lock of the operating system (`flock`) on the file `LOCK`, so that it ends with the process that holds it,
however that dies. The controller and its workers share it, which locks of the package filelock cannot. To begin, a
session needs it alone: then neither another controller nor a worker that outlived its own is at the folder.
"""

import fcntl
import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from mpcbench.evaluation.runs.folder import RunError
from mpcbench.evaluation.runs.lock_file import LOCK_FILE, NoLockError, opened, read_holder, write_holder
from mpcbench.schema.untrusted_text import one_line

_PATIENCE = 5.0
"""Seconds that a session waits for the workers of one whose controller died."""

_LOOK_SECONDS = 0.05


@dataclass
class RunLock:
    """The lock of a run, held by this process until `release` or its end."""

    folder: Path
    descriptor: int

    @classmethod
    def take(cls, folder: Path) -> Self:
        """The lock for a new session.

        Raises:
            RunError: another session has the run, or the folder cannot be locked.
        """
        lock = cls(folder, _opened(folder))
        end = time.monotonic() + _PATIENCE
        while not lock.is_alone():
            held_by = lock.holder()
            if _lives(held_by) or time.monotonic() > end:
                lock.release()
                raise RunError(f"{folder}: in use by {said(held_by)}; wait until it has ended")
            time.sleep(_LOOK_SECONDS)
        try:
            write_holder(lock.descriptor, {"pid": os.getpid(), "host": socket.gethostname(), "since": _now()})
        except OSError as error:
            lock.release()
            raise _unusable(folder, error) from None
        if not lock._flock(fcntl.LOCK_SH):
            lock.release()
            raise RunError(f"{folder}: in use by another process; wait until it has ended")
        return lock

    @classmethod
    def join(cls, folder: Path) -> Self | None:
        """The lock for a worker of the session that has it; None if this host does not see the run's folder."""
        if not (folder / LOCK_FILE).is_file():
            return None
        lock = cls(folder, _opened(folder))
        lock._flock(fcntl.LOCK_SH)
        return lock

    def holder(self) -> dict[str, object]:
        """Whose session it is; empty once that session stores nothing more."""
        return read_holder(self.descriptor)

    def is_alone(self) -> bool:
        """Take the lock for this process alone; whether no other holds it."""
        return self._flock(fcntl.LOCK_EX)

    def seal(self) -> bool:
        """Tell the workers to end; whether all of them have ended."""
        with suppress(OSError):
            write_holder(self.descriptor, {})
        end = time.monotonic() + _PATIENCE
        while not self.is_alone():
            if time.monotonic() > end:
                return False
            time.sleep(_LOOK_SECONDS)
        return True

    def release(self) -> None:
        """Give the run free."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def _flock(self, kind: int) -> bool:
        try:
            fcntl.flock(self.descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise _unusable(self.folder, error) from None
        return True


def check_idle(folder: Path) -> None:
    """Raise `RunError` if a session of a run is alive."""
    held_by = session_at(folder)
    if held_by is not None:
        raise RunError(f"{folder}: in use by {held_by}; wait until it has ended")


def session_at(folder: Path) -> str | None:
    """Whose session is at a run, for people; None if none is."""
    holder = holder_at(folder)
    return None if holder is None else said(holder)


def holder_at(folder: Path) -> dict[str, object] | None:
    """Whose session is at a run: process, host, and since when; None if none is."""
    with suppress(OSError, RunError, NoLockError), RunLock(folder, opened(folder / LOCK_FILE, os.O_RDONLY)) as lock:
        if not lock.is_alone():
            return lock.holder()
    return None


def said(holder: dict[str, object]) -> str:
    """A holder of the lock, for people."""
    if not holder:
        return "another process"
    return one_line(f"process {holder.get('pid')} on {holder.get('host')} since {holder.get('since')}", 200)


def _opened(folder: Path) -> int:
    try:
        return opened(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise _unusable(folder, error) from None
    except NoLockError as error:
        raise RunError(f"{folder / LOCK_FILE}: {error}, not the lock of a run; move it away") from None


def _unusable(folder: Path, error: OSError) -> RunError:
    return RunError(f"{folder / LOCK_FILE}: cannot be locked: {(error.strerror or str(error)).lower()}")


def _lives(holder: dict[str, object]) -> bool:
    """Whether the process of the session lives, as far as this host can know."""
    pid = holder.get("pid")
    if holder.get("host") != socket.gethostname() or not isinstance(pid, int) or not 0 < pid < 2**31:
        return bool(holder)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"

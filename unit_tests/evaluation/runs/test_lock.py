"""The lock of a run: one session at a time, with its workers."""

import errno
import json
import os
import shutil
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mpcbench.evaluation.runs import lock as lock_module
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.evaluation.runs.lock import RunLock, check_idle, session_at
from mpcbench.evaluation.runs.lock_file import LOCK_FILE

HOST = socket.gethostname()
NO_PROCESS = 2**22 + 1
"""More than the IDs of processes go up to on Linux."""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_module, "_PATIENCE", 0.2)


def test_second_session_is_told_who_is_there(tmp_path: Path) -> None:
    """In one line; once the first has gone it gets the lock."""
    with RunLock.take(tmp_path):
        for refused in (RunLock.take, check_idle):
            with pytest.raises(RunError) as caught:
                refused(tmp_path)
            told = str(caught.value)
            assert told.startswith(f"{tmp_path}: in use by process {os.getpid()} on {HOST} since 20")
            assert told.endswith("; wait until it has ended")
    assert session_at(tmp_path) is None
    RunLock.take(tmp_path).release()


@pytest.mark.usefixtures("impatient")
def test_worker_keeps_the_lock_of_its_session(tmp_path: Path) -> None:
    """A new session waits for it; where it does not end, it is refused."""
    controller = RunLock.take(tmp_path)
    worker = RunLock.join(tmp_path)
    controller.release()

    assert worker is not None
    with pytest.raises(RunError, match="in use by process"):
        RunLock.take(tmp_path)
    worker.release()
    RunLock.take(tmp_path).release()


def test_session_waits_for_workers_whose_controller_died(tmp_path: Path) -> None:
    """Not for those of a controller that lives."""
    controller, worker = RunLock.take(tmp_path), RunLock.join(tmp_path)
    assert worker is not None
    controller.release()
    holder = {"pid": NO_PROCESS, "host": HOST, "since": "then"}
    (tmp_path / LOCK_FILE).write_text(json.dumps(holder))
    timer = threading.Timer(0.2, worker.release)
    timer.start()
    taken = RunLock.take(tmp_path)
    timer.join()

    assert os.getpid() == taken.holder()["pid"]
    taken.release()


@pytest.mark.usefixtures("impatient")
def test_sealed_run_has_no_holder(tmp_path: Path) -> None:
    """By this its workers know that they are to end; the controller learns whether they have."""
    controller, worker = RunLock.take(tmp_path), RunLock.join(tmp_path)
    assert worker is not None
    first = controller.seal()
    told = worker.holder()
    worker.release()

    assert (False, {}, True) == (first, told, controller.seal())
    controller.release()


def test_lock_of_a_folder_without_one(tmp_path: Path) -> None:
    """Nobody is there, and a worker on a host that does not share the folder holds nothing."""
    assert session_at(tmp_path) is None
    assert RunLock.join(tmp_path) is None


@pytest.mark.parametrize("text", ["", "\n", '{"pid": ', '{"pid": "x"}', '{"pid": -1, "host": 5}'])
def test_forged_holder_is_nobody(tmp_path: Path, text: str) -> None:
    """What a file says that nobody holds has no effect."""
    (tmp_path / LOCK_FILE).write_text(text)

    assert session_at(tmp_path) is None
    RunLock.take(tmp_path).release()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_lock_that_is_no_file(tmp_path: Path, make: object) -> None:
    """It is refused by name, and nothing hangs."""
    assert callable(make)
    make(tmp_path / LOCK_FILE)

    assert session_at(tmp_path) is None
    with pytest.raises(RunError, match=f"{LOCK_FILE}: a link, a folder or a pipe, not the lock of a run"):
        RunLock.take(tmp_path)


@pytest.mark.parametrize("text", ["notes", "[", "null", "\x1b[2J", '{"pid": 1}' + " " * 500])
@pytest.mark.parametrize("make", [Path.symlink_to, Path.hardlink_to, shutil.copy])
def test_file_of_others_is_not_overwritten(tmp_path: Path, text: str, make: Callable[[Path, Path], object]) -> None:
    """A link and a file that no run wrote are refused by name."""
    other, run = tmp_path / "other", tmp_path / "run"
    run.mkdir()
    other.write_text(text)
    make(*((other, run / LOCK_FILE) if make is shutil.copy else (run / LOCK_FILE, other)))
    with pytest.raises(RunError, match=f"{LOCK_FILE}: .+, not the lock of a run; move it away"):
        RunLock.take(run)

    assert session_at(run) is None
    assert [text, text] == [other.read_text(), (run / LOCK_FILE).read_text()]


def test_hard_link_to_the_lock_of_another_run_is_refused(tmp_path: Path) -> None:
    """Two runs that share a lock would keep each other waiting."""
    other, run = tmp_path / "other", tmp_path / "run"
    for folder in (other, run):
        folder.mkdir()
    RunLock.take(other).release()
    (run / LOCK_FILE).hardlink_to(other / LOCK_FILE)
    with pytest.raises(RunError) as caught:
        RunLock.take(run)

    assert f"{run / LOCK_FILE}: a hard link, not the lock of a run; move it away" == str(caught.value)


def test_lock_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk the error is one line that names the file."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(RunError) as caught:
        RunLock.take(tmp_path)

    assert f"{tmp_path / LOCK_FILE}: cannot be locked: no space left on device" == str(caught.value)

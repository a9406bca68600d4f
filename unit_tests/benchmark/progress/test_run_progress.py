"""How far a run is, as its folder tells."""

import os
import time
from pathlib import Path

import pytest

from mpcbench.benchmark.progress.__main__ import main
from mpcbench.benchmark.progress.in_flight import InFlight
from mpcbench.benchmark.progress.progress_text import clock, progress_line
from mpcbench.benchmark.progress.run_progress import RunProgress
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.lock import RunLock
from mpcbench.schema.run import Case
from unit_tests.builders.made_runs import made_run


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """Three models on three instances: the reference agent, one that is wrong at times, and one that always is."""
    return made_run(tmp_path / "run")


def test_finished_run(run: RunFolder) -> None:
    """Counts, and exact match and F1 with their intervals, of each model."""
    found = RunProgress(run).look()

    assert (9, 9, 0, None, None) == (found.planned, found.done, found.errors, found.seconds, found.slowest)
    assert ["flawed:prose-only", "flawed:too-many", "reference"] == [one.model for one in found.models]
    assert "9/9 (100%) · " in progress_line(found)
    assert "reference: exact match 100.0% [44, 100], F1 1.000 [0.44, 1.00] · 0 errors" in progress_line(found)
    assert progress_line(found).endswith("no session is alive")


def test_running_run(run: RunFolder) -> None:
    """Each look reads what was stored since the last; the pace of the session tells how long it will take."""
    files = run.episode_files()
    kept = {file: file.read_bytes() for file in files[4:]}
    for file in kept:
        file.unlink()
    with RunLock.take(run.path):
        progress = RunProgress(run)
        first = progress.look()
        for file, content in kept.items():
            file.write_bytes(content)
        os.utime(files[-1], (time.time() + 5, time.time() + 5))
        second = progress.look()

    assert (4, 9) == (first.done, second.done)
    assert first.seconds is not None
    assert 0 == second.seconds_left
    assert "ETA 0:00" in progress_line(second)


def test_slowest_in_flight(run: RunFolder) -> None:
    """The episode that has been running longest is named while a session is alive."""
    flight = InFlight(run)
    flight.open()
    slow, quick = Case("level1-003", 1, "a/b:c"), Case("level1-042", 1, "m")
    with RunLock.take(run.path), flight.noted(slow), flight.noted(quick):
        os.utime(run.path / "in-flight" / slow.file_name, (time.time() - 65, time.time() - 65))
        line = progress_line(RunProgress(run).look())
    left = list((run.path / "in-flight").iterdir())
    flight.close()

    assert "slowest in flight level1-003-a/b:c, 1:05" in line
    assert [] == left
    assert not (run.path / "in-flight").exists()


def test_notes_never_disturb_a_run(tmp_path: Path) -> None:
    """Without a folder, and with a link in its place, an episode runs all the same, and nothing is written elsewhere."""
    folder, other = RunFolder(tmp_path), tmp_path / "other"
    with InFlight(folder).noted(Case("level1-003", 1, "m")):
        pass
    other.mkdir()
    (tmp_path / "in-flight").symlink_to(other)
    InFlight(folder).open()
    with InFlight(folder).noted(Case("level1-003", 1, "m")):
        noted = list(other.iterdir())

    assert [] == noted


def test_damaged_file_is_left_out(run: RunFolder) -> None:
    """What is no episode is not counted; `verify` and `--resume` name it."""
    run.episode_files()[0].write_text("[")

    assert 8 == RunProgress(run).look().done


def test_watch_prints_a_line(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a session there is one line; a folder without a run is bad input."""
    codes = main([str(run.path)]), main([str(run.path / "episodes")])
    printed = capsys.readouterr()

    assert (0, 2) == codes
    assert 1 == len(printed.out.splitlines())
    assert "no run: run.json is missing" in printed.err


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (3723, "1:02:03")])
def test_clock(seconds: float, text: str) -> None:
    """Seconds as a person reads them."""
    assert text == clock(seconds)

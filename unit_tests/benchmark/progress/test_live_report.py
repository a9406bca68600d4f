"""`mpcbench watch RUN --html FILE`."""

import re
from pathlib import Path

import pytest

from mpcbench.benchmark.progress.__main__ import main
from mpcbench.benchmark.progress.live_report import LiveReport
from mpcbench.benchmark.progress.run_progress import RunProgress
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.lock import RunLock
from unit_tests.builders.made_runs import made_run

_RELOAD = re.compile(r'<meta http-equiv="refresh" content="(\d+)">')


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Three models on three instances."""
    return made_run(tmp_path_factory.mktemp("made") / "run")


def test_page_of_a_run_that_goes_on(run: RunFolder, tmp_path: Path) -> None:
    """It shows the episodes so far and loads itself again; it is not written again before its time."""
    files = run.episode_files()
    content = files[-1].read_bytes()
    files[-1].unlink()
    report = LiveReport(run.path, tmp_path / "live.html", 7.0)
    with RunLock.take(run.path):
        report.keep(RunProgress(run))
        page = report.out.read_text()
        files[-1].write_bytes(content)
        report.keep(RunProgress(run))
        unchanged = report.out.read_text()

    assert ["7"] == _RELOAD.findall(page)
    assert "The run goes on: 8/9 (89%)" in page
    assert page == unchanged


def test_page_of_a_run_that_has_ended(run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the report, and stays as it is."""
    file = tmp_path / "live.html"

    assert 0 == main([str(run.path), "--html", str(file)])
    assert "9/9 (100%)" in capsys.readouterr().out
    assert [] == _RELOAD.findall(file.read_text())
    assert "The run goes on" not in file.read_text()


def test_page_when_watching_ends_first(run: RunFolder, tmp_path: Path) -> None:
    """It says that the run had not ended, and does not load itself again, as nobody writes it."""
    file = tmp_path / "live.html"
    with RunLock.take(run.path):
        assert 0 == main([str(run.path), "--once", "--html", str(file)])

    assert "The run had not ended: 9/9 (100%)" in file.read_text()
    assert [] == _RELOAD.findall(file.read_text())


def test_page_within_a_run(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder of a run is no place for it."""
    assert 2 == main([str(run.path), "--html", str(run.path / "report.html")])
    assert "choose a place outside it" in capsys.readouterr().err

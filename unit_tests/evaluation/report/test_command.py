"""`python -m evaluation report`, called as from the command line."""

import shutil
from pathlib import Path

import pytest

from mpcbench.evaluation.__main__ import main
from mpcbench.evaluation.runs.folder import RunFolder


@pytest.fixture
def copy(sample: RunFolder, tmp_path: Path) -> RunFolder:
    return RunFolder(Path(shutil.copytree(sample.path, tmp_path / "copy")))


def test_report_stands_in_the_folder_of_its_run(copy: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """The report of one run is one of its files, and the run is verified with it."""
    file = copy.path / "report.html"

    assert 0 == main(["report", str(copy.path)])
    assert capsys.readouterr().out.startswith(f"{file}: 18 episodes, 0.")
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert 0o644 == file.stat().st_mode & 0o777
    sums = copy.sums()
    assert sums is not None
    assert "report.html" in sums


def test_report_of_several_runs_stands_where_it_is_told(
    sample: RunFolder, copy: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Several runs make one file, at the place that is named."""
    out = tmp_path / "both.html"

    assert 0 == main(["report", str(sample.path), str(copy.path), "--out", str(out)])
    assert capsys.readouterr().out.startswith(f"{out}: 36 episodes")
    assert "Results of 2 runs" in out.read_text(encoding="utf-8")
    assert not (copy.path / "report.html").exists()


def test_report_without_the_data_says_so(copy: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the data are gone there is a report all the same, and one line says what it lacks."""
    data = copy.info.data.model_copy(update={"sha256": {"worlds/world_level1.json": "0" * 64}})
    copy.write_info(copy.info.model_copy(update={"data": data}))
    out = tmp_path / "report.html"

    assert 0 == main(["report", str(copy.path), "--out", str(out)])
    error = capsys.readouterr().err
    assert error.startswith(f"no timelines for {copy.path}: ")
    assert 1 == error.count("\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{copy}", "{copy}"], "error: {copy}: the same run is given twice\n"),
        (["{copy}/nowhere"], "error: {copy}/nowhere: no such folder\n"),
        (
            ["{copy}", "--dataset", "{copy}"],
            "error: {copy}: no data set: it has no instances/instances_level1.jsonl and no other level\n",
        ),
        (["{copy}", "--out", "{copy}-no/report.html"], "error: {copy}-no/report.html: {copy}-no is no folder\n"),
        (["{copy}", "--out", "{copy}/no/report.html"], "error: {copy}/no/report.html: lies in {copy}, the folder of a"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, copy: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs that are named twice or do not exist, and data that are not there, are named in one line."""
    code = main(["report", *(one.format(copy=copy.path) for one in arguments)])
    error = capsys.readouterr().err

    assert 2 == code
    assert error.startswith(message.format(copy=copy.path))
    assert 1 == error.count("\n")


def test_run_without_episodes_has_no_report(copy: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to show of a run that has not begun."""
    for file in (copy.path / "episodes").iterdir():
        file.unlink()

    assert 2 == main(["report", str(copy.path)])
    assert f"error: {copy.path}: no episodes to report\n" == capsys.readouterr().err

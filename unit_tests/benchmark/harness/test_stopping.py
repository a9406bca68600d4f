"""What stops a run: the sign that all processes see, and files of the run that somebody took away."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mpcbench.benchmark.harness.case_reports import RunEnd
from mpcbench.benchmark.harness.episode_runner import EpisodeRunner
from mpcbench.benchmark.harness.json_report import JsonReport
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.run_info import run_info
from mpcbench.benchmark.harness.run_writer import RunWriter
from mpcbench.benchmark.harness.selection import select
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.stopping import NotRunError, StopSign
from mpcbench.evaluation.runs.folder import RunFolder
from unit_tests.builders.committed import DATASET
from unit_tests.builders.made_runs import INSTANCES


@pytest.fixture
def runner(tmp_path: Path) -> EpisodeRunner:
    """What runs the episodes of a run that has just begun."""
    given = {"model": ["reference"], "instance": list(INSTANCES)}
    settings = Settings.from_options(given, Path())
    agents = agents_of(settings, DATASET)
    info = run_info("run", datetime(2027, 1, 9, 12, tzinfo=UTC), settings, given, DATASET, (1, 2), agents)
    folder = RunFolder.create(tmp_path / "run", info.model_copy(update={"cases": select(DATASET, settings)}))
    StopSign(folder).reserve()
    return EpisodeRunner(settings, DATASET, agents, folder, str)


def link(file: Path) -> None:
    file.symlink_to(file.parent.parent / "elsewhere")


@pytest.mark.parametrize("replace", [os.mkfifo, Path.mkdir, link])
def test_something_in_the_place_of_the_sign_stops_the_run(
    runner: EpisodeRunner, replace: Callable[[Path], object]
) -> None:
    """No process waits for it, follows it or fails at it: one line says that the sign was replaced."""
    elsewhere = runner.folder.path.parent / "elsewhere"
    elsewhere.write_text("")
    sign, file = StopSign(runner.folder), runner.folder.path / "STOPPED"
    file.unlink()
    replace(file)
    expected = f"{file} was replaced during the run: a link, a folder or a pipe"
    with pytest.raises(NotRunError) as caught:
        runner.run(runner.folder.info.cases[0])
    sign.up("another reason")

    assert expected == str(caught.value) == sign.take_down()
    assert "" == elsewhere.read_text()


def test_sign_says_the_first_reason(runner: EpisodeRunner) -> None:
    """It holds one, and is gone once it was taken down."""
    sign = StopSign(runner.folder)
    for reason in ("first", "second"):
        sign.up(reason)

    assert "first" == sign.reason() == sign.take_down()
    assert sign.reason() is None


def test_run_whose_description_is_gone_stops_at_once(runner: EpisodeRunner) -> None:
    """The episode that ends is stored, and no other begins, as no run can be made of them."""
    first, second, _ = runner.folder.info.cases
    runner.folder.run_file.unlink()
    runner.run(first)
    with pytest.raises(NotRunError) as caught:
        runner.run(second)

    assert runner.folder.episode_file(first).is_file()
    assert f"{runner.folder.run_file} was removed or replaced during the run" == str(caught.value)


@pytest.mark.parametrize("stopped", [None, "interrupted by SIGTERM"])
def test_half_written_files_of_a_stopped_run_are_removed(
    runner: EpisodeRunner, pytestconfig: pytest.Config, stopped: str | None
) -> None:
    """A process that a signal ended in mid-write leaves none; where nothing was stopped, none is touched."""
    half = runner.folder.episode_file(runner.folder.info.cases[0]).with_name(".writing-1-0-a.json")
    half.parent.mkdir(exist_ok=True)
    half.write_text("{")
    report = JsonReport(pytestconfig, is_kept=False)
    RunWriter(runner.folder, runner.folder.info).complete(RunEnd(), stopped, report, None)

    assert half.exists() == (stopped is None)
    assert stopped == runner.folder.info.stopped

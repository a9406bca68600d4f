"""`mpcbench run --ray`."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mpcbench.__main__ import main
from mpcbench.benchmark.cluster.__main__ import main as run_on_cluster
from mpcbench.benchmark.cluster.shard import ShardJob, run_shard, unpack
from mpcbench.evaluation.runs.folder import RunFolder
from unit_tests.builders.ray_nodes import kill_one, two_nodes

RUN = ("--model", "reference,noop", "--level", "1", "--limit", "3", "--preflight", "off")


@pytest.fixture
def cluster() -> Iterator[Any]:
    pytest.importorskip("ray", reason="make cluster installs it")
    with two_nodes() as made:
        yield made


def scores(folder: Path) -> Sequence[tuple[str, str, object]]:
    """What the run says of each case, whatever the time it took."""
    return [(one.instance_id, one.model, one.scores) for one in RunFolder.open(folder).results()]


@pytest.mark.slow
def test_a_run_of_which_a_node_is_killed(cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its merged run is that of one process; the exit code says that cases failed, and no part stays."""
    there, here = tmp_path / "there", tmp_path / "here"
    killer = kill_one(cluster, (tmp_path / "there.shards").exists)

    assert 1 == main(["run", "--ray", cluster.address, "--shards", "3", "--run-dir", str(there), *RUN])
    killer.join()
    assert f"{there}: 6 of 6 planned episodes\n" in capsys.readouterr().out
    assert 1 == main(["run", *RUN, "--run-dir", str(here), "--report", "off", "-p", "no:cacheprovider"])
    assert 6 == len(scores(here))
    assert scores(here) == scores(there)
    assert {"here", "there"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.slow
def test_a_shard_that_does_not_end(cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others stay, and the line says what to do."""
    options = ["--ray", cluster.address, "--shards", "2", "--run-dir", str(tmp_path / "run"), "--model", "no:such"]

    assert 2 == run_on_cluster(options)
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: 2 of 2 shards did not end; shard 1/2 ended with exit code 4: ")
    assert error.endswith("; the same command goes on with the missing ones")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_shard_travels_as_bytes(tmp_path: Path) -> None:
    """Its folder is the same elsewhere."""
    done = run_shard(ShardJob(2, 3, RUN))
    unpack(done, tmp_path / "parts" / "2-of-3")
    shutil.rmtree(tmp_path / "parts" / "2-of-3" / "episodes")

    assert 1 == done.status
    assert "2/3" == RunFolder.open(tmp_path / "parts" / "2-of-3").info.settings["shard"]
    assert ["2-of-3"] == [path.name for path in (tmp_path / "parts").iterdir()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--shard", "1/2"], "--shard is not for --ray, which makes the shards itself"),
        (["--resume=old"], "--resume is not for --ray, which makes the shards itself"),
        (["--shards", "0"], "argument --shards: not a whole number from 1: '0'"),
        (["--run-dir", "{folder}"], "argument --run-dir: {folder}: exists; choose another place, or remove it"),
    ],
)
def test_usage_errors(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What makes no sense is refused before a cluster is looked for."""
    given = ["--ray", "auto", "--shards", "2", "--run-dir", str(tmp_path / "new")]
    with pytest.raises(SystemExit) as caught:
        run_on_cluster([*given, *(one.format(folder=tmp_path) for one in arguments)])

    assert 2 == caught.value.code
    assert capsys.readouterr().err.splitlines()[-1].endswith(message.format(folder=tmp_path))

"""Tasks on a Ray cluster of two nodes, one of which is killed."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mpcbench.generate.__main__ import main
from mpcbench.generate.making import GenerationError, make_instances
from mpcbench.generate.ray_cluster import ClusterError, RayCluster
from unit_tests.builders.ray_nodes import kill_one, two_nodes
from unit_tests.generate.samples import SEED, made

pytest.importorskip("ray", reason="make cluster installs it")
pytestmark = pytest.mark.slow


@pytest.fixture
def cluster() -> Iterator[Any]:
    with two_nodes() as made:
        yield made


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def note(job: tuple[Path, int]) -> int:
    """Write down that the task has begun, and take a while."""
    folder, number = job
    with (folder / "begun").open("a", encoding="utf-8") as file:
        file.write(f"{number}\n")
    time.sleep(1.5)
    return number


def fail(_: int) -> None:
    raise GenerationError("none of 60000 samples passed")


def test_a_lost_node_costs_only_its_tasks(cluster: Any, tmp_path: Path) -> None:
    """The task that a node had when it was killed runs again, and every other one once; the results keep their order."""
    begun = tmp_path / "begun"
    begun.touch()
    with RayCluster.connected(cluster.address) as connected:
        killer = kill_one(cluster, lambda: len(begun.read_text(encoding="utf-8").splitlines()) >= 3)
        found = list(connected.map(note, ((tmp_path, number) for number in range(7))))
        killer.join()
    times = Counter(Counter(begun.read_text(encoding="utf-8").split()).values())

    assert list(range(7)) == found
    assert {1: 6, 2: 1} == times


def test_a_killed_node_changes_no_byte(cluster: Any, tmp_path: Path) -> None:
    """What a cluster of which a node is killed on the way makes is what one process makes."""
    arguments = ["--level", "1", "--count", "6", "--seed", "100123", "--world-size", "1"]
    here, there = tmp_path / "here", tmp_path / "there"
    killer = kill_one(cluster, there.exists)

    assert 0 == main([*arguments, "--ray", cluster.address, "--out", str(there)])
    killer.join()
    assert 0 == main([*arguments, "--workers", "1", "--out", str(here)])
    assert 18 == len(contents(here))
    assert contents(here) == contents(there)


def test_the_instances_of_one_world(cluster: Any) -> None:
    """They are made in batches, and keep their order."""
    with RayCluster.connected(cluster.address) as connected:
        found = list(make_instances(1, SEED, range(3), replace(connected, batch=2)))

    assert [made(1, index) for index in range(3)] == found


def test_a_task_that_fails_says_why(cluster: Any) -> None:
    """An error of a task is raised as it was, without Ray's traceback."""
    with (
        RayCluster.connected(cluster.address) as connected,
        pytest.raises(GenerationError, match=r"^none of 60000 samples passed$"),
    ):
        list(connected.map(fail, [1]))


def test_other_software_on_a_node(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node with another version would make other data, so its tasks are refused."""
    monkeypatch.setattr("mpcbench.generate.ray_cluster._SOFTWARE", "mpcbench 0.9, generator 1.0.0")

    with (
        RayCluster.connected(cluster.address) as connected,
        pytest.raises(ClusterError, match=r"^node \S+ has mpcbench .*, not mpcbench 0\.9, generator 1\.0\.0$"),
    ):
        list(connected.map(fail, [1]))


def test_no_cluster_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An address where nothing answers is one line."""
    assert 2 == main(["--level", "1", "--count", "1", "--ray", "127.0.0.1:9", "--out", str(tmp_path / "new")])

    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: --ray 127.0.0.1:9: no cluster there: ")

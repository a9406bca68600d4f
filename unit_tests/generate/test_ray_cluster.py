"""Tasks on a Ray cluster of two nodes, one of which is killed."""

import time
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


@pytest.fixture(scope="module")
def lasting() -> Iterator[Any]:
    """A cluster that no test harms."""
    with two_nodes() as made:
        yield made


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def note(job: tuple[Path, int]) -> int:
    """Write down where the task has begun, and take a while."""
    import ray  # noqa: PLC0415 - an extra

    folder, number = job
    with (folder / "begun").open("a", encoding="utf-8") as file:
        file.write(f"{number} {ray.get_runtime_context().get_node_id()}\n")
    time.sleep(3)
    return number


def fail(_: int) -> None:
    raise GenerationError("none of 60000 samples passed")


def test_a_lost_node_costs_only_its_tasks(cluster: Any, tmp_path: Path) -> None:
    """The task that a node had when it was killed runs again elsewhere, every other one once; the order is kept."""
    begun = tmp_path / "begun"
    begun.touch()
    lost = next(iter(cluster.worker_nodes)).node_id
    with RayCluster.connected(cluster.address) as connected:
        killer = kill_one(cluster, lambda: f" {lost}\n" in begun.read_text(encoding="utf-8"))
        found = list(connected.map(note, ((tmp_path, number) for number in range(5))))
        killer.join()
    places = [line.split() for line in begun.read_text(encoding="utf-8").splitlines()]
    (again,) = [number for number, node in places if node == lost]

    assert list(range(5)) == found
    assert sorted([*map(str, range(5)), again]) == sorted(number for number, _ in places)


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


def test_the_instances_of_one_world(lasting: Any) -> None:
    """They are made in batches, and keep their order."""
    with RayCluster.connected(lasting.address) as connected:
        found = list(make_instances(1, SEED, range(3), replace(connected, batch=2)))

    assert [made(1, index) for index in range(3)] == found


def test_a_task_that_fails_says_why(lasting: Any) -> None:
    """An error of a task is raised as it was, without Ray's traceback."""
    with (
        RayCluster.connected(lasting.address) as connected,
        pytest.raises(GenerationError, match=r"^none of 60000 samples passed$"),
    ):
        list(connected.map(fail, [1]))


def test_other_software_on_a_node(lasting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node with another version would make other data, so its tasks are refused."""
    monkeypatch.setattr("mpcbench.generate.ray_cluster._SOFTWARE", "mpcbench 0.9, generator 1.0.0")

    with (
        RayCluster.connected(lasting.address) as connected,
        pytest.raises(ClusterError, match=r"^node \S+ has mpcbench .*, not mpcbench 0\.9, generator 1\.0\.0$"),
    ):
        list(connected.map(fail, [1]))


def test_no_cluster_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An address where nothing answers is one line."""
    assert 2 == main(["--level", "1", "--count", "1", "--ray", "127.0.0.1:9", "--out", str(tmp_path / "new")])

    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: --ray 127.0.0.1:9: no cluster there: ")

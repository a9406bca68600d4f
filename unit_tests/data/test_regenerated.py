"""The committed data come out of the generator again."""

import subprocess
import sys
from pathlib import Path

import pytest

from mpcbench.schema import World
from mpcbench.schema.dataset import COMMITTED, Dataset, instances_path, labels_path, world_path
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

pytestmark = pytest.mark.slow  # generates committed data again

TENTH = 10
"""In CI one instance in so many is made again; at level 3, which takes most of the time, only `make data` makes all."""


def generated(level: Level, folder: Path, *options: str) -> Dataset:
    """What the command of the README writes, in processes of its own and with other hash seeds."""
    command = [
        sys.executable,
        "-m",
        "generate",
        "--level",
        str(level),
        "--workers",
        "2",
        "--out",
        str(folder),
        *options,
    ]
    done = subprocess.run(command, cwd=COMMITTED, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    dataset = Dataset(folder)
    assert dataset.levels == (level,)
    return dataset


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [1, 2])
def test_files_are_regenerated_byte_for_byte(level: Level, tmp_path: Path) -> None:
    """All three files of a level are written again as they are."""
    made = generated(level, tmp_path)

    for path in (world_path(level), instances_path(level), labels_path(level)):
        assert (DATASET.folder / path).read_bytes() == (made.folder / path).read_bytes(), path


@pytest.mark.parametrize(
    ("level", "step"), [(1, TENTH), (2, TENTH), (3, TENTH), pytest.param(3, 4, marks=pytest.mark.exhaustive)]
)
def test_one_instance_in_so_many_is_regenerated(level: Level, step: int, tmp_path: Path) -> None:
    """The lines of instances and labels are the same, byte for byte, and so are the world and their threads."""
    made = generated(level, tmp_path, "--shard", f"1/{step}")

    for path in (instances_path(level), labels_path(level)):
        assert (DATASET.folder / path).read_bytes().splitlines()[::step] == (
            made.folder / path
        ).read_bytes().splitlines()
    world, committed = made.world(level), DATASET.world(level)
    for name in {*World.model_fields} - {"threads"}:
        assert getattr(committed, name) == getattr(world, name), name
    assert {*world.threads} <= {*committed.threads}
    assert {thread for instance in made.instances(level) for thread in instance.references.threads} <= {
        thread.thread_id for thread in world.threads
    }

"""Shards of a data set."""

from pathlib import Path

import pytest

from mpcbench.generate.making import files_of, make_instance
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.shards import join
from mpcbench.generate.world.base import base_world
from mpcbench.schema.dataset import DataError, Dataset, write_files
from mpcbench.schema.model import Level
from unit_tests.generate.samples import SEED, made


def written(folder: Path, level: Level, *indices: int) -> Dataset:
    """A shard of the committed seed."""
    write_files(folder, files_of(level, SEED, [made(level, index) for index in indices]))
    return Dataset(folder)


@pytest.mark.parametrize("level", [1, 2])
def test_shards_make_the_whole(level: Level, tmp_path: Path) -> None:
    """Joined in any order, shards are byte for byte what is made at once."""
    odd = written(tmp_path / "odd", level, 8, 23)
    even = written(tmp_path / "even", level, 5, 17)
    whole = files_of(level, SEED, [made(level, index) for index in (5, 8, 17, 23)])

    assert whole == join([odd, even])
    assert whole == join([even, odd])


def test_instances_are_sorted_by_number(tmp_path: Path) -> None:
    """1000 comes after 999, as it does when made at once."""
    first = written(tmp_path / "first", 1, 999)
    second = written(tmp_path / "second", 1, 1000)

    assert join([second, first]) == files_of(1, SEED, [made(1, 999), made(1, 1000)])


def test_shards_of_several_levels(tmp_path: Path) -> None:
    """A level that only one of the shards has is taken as it is."""
    shards = [written(tmp_path / "one", 1, 0), written(tmp_path / "two", 2, 5)]
    expected = files_of(1, SEED, [made(1, 0)]) | files_of(2, SEED, [made(2, 5)])

    assert expected == join(shards)


def test_an_instance_is_in_one_shard(tmp_path: Path) -> None:
    """Shards that overlap are not shards of one set."""
    shards = [written(tmp_path / "one", 1, 0, 1), written(tmp_path / "two", 1, 1)]
    with pytest.raises(DataError, match=r"/two: 'level1-001' is also in another shard$"):
        join(shards)


def test_shards_are_of_one_seed(tmp_path: Path) -> None:
    """The message names the shard, the file and the first field that differs."""
    one = written(tmp_path / "one", 1, 0)
    other = make_instance(Setting.of(base_world(1, SEED + 1)), 1)
    write_files(tmp_path / "other", files_of(1, SEED + 1, [other]))
    with pytest.raises(
        DataError, match=r"/other/worlds/world_level1.json: \$\.seed: not as in .*/one: other seed or generator$"
    ):
        join([one, Dataset(tmp_path / "other")])

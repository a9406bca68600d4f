"""Sets too large for one world: a folder of data sets, one a seed, each written as soon as it is made."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mpcbench.generate.making import files_of, make_instance, setting_of
from mpcbench.generate.shards import join
from mpcbench.schema import GENERATOR_VERSION
from mpcbench.schema.dataset import (
    DataError,
    Dataset,
    data_sets,
    instances_path,
    labels_path,
    read_text,
    world_path,
    write_files,
)
from mpcbench.schema.model import Level

WORLD_SIZE = 100
"""Instances of each world unless another number is asked for, as in the committed data."""


class WorldJob(NamedTuple):
    """One world of a level to be made with its instances."""

    level: Level
    seed: int
    instances: int


def world_jobs(
    levels: Sequence[Level], seed: int, count: int, size: int, shard: tuple[int, int] = (1, 1)
) -> Iterator[WorldJob]:
    """The worlds of so many instances a level, with consecutive seeds; of shard I/K every K-th seed from the I-th on."""
    first, step = shard
    numbers = range(first - 1, -(-count // size), step)
    for number in numbers:
        for level in levels:
            yield WorldJob(level, seed + number, min(size, count - number * size))


def make_world(job: WorldJob) -> tuple[WorldJob, dict[str, str]]:
    """The job and the texts of its three files, by path relative to the folder of its seed."""
    setting = setting_of(job.level, job.seed)
    made = [make_instance(setting, index) for index in range(job.instances)]
    return job, files_of(job.level, job.seed, made)


def folder_of(out: Path, seed: int) -> Path:
    """The data set of a seed."""
    return out / str(seed)


def is_made(out: Path, job: WorldJob) -> bool:
    """Whether a whole data set of the job is there already, from this generator."""
    folder = folder_of(out, job.seed)
    files = [folder / name(job.level) for name in (world_path, instances_path, labels_path)]
    return all(file.is_file() for file in files) and all(_holds(file, job) for file in files[1:])


def _holds(file: Path, job: WorldJob) -> bool:
    with file.open(encoding="utf-8") as lines:
        try:
            first = json.loads(next(lines, "null"))
            headed = (first["generator_version"], first["seed"]) == (GENERATOR_VERSION, job.seed)
        except (ValueError, KeyError, TypeError):
            return False
        return headed and 1 + sum(1 for _ in islice(lines, job.instances)) == job.instances


def join_large(shards: Sequence[Path], out: Path) -> int:
    """Put the data sets of all shards into one folder, one at a time; returns their number.

    Raises:
        DataError: a shard holds none, or a seed's data set is in two shards that cannot be joined.
    """
    found: dict[str, list[Path]] = {}
    for shard in shards:
        parts = data_sets(shard)
        if not parts or parts == [shard]:
            raise DataError(f"{shard}: not a folder of data sets that are named by their seed, as other shards are")
        for part in parts:
            found.setdefault(part.name, []).append(part)
    for name, parts in found.items():
        write_files(out / name, _texts(parts[0]) if len(parts) == 1 else join([Dataset.open(part) for part in parts]))
    return len(found)


def _texts(folder: Path) -> dict[str, str]:
    return {
        name: read_text(folder / name)
        for level in Dataset.open(folder).levels
        for name in (world_path(level), instances_path(level), labels_path(level))
    }

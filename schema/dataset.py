"""Data sets on disk: the `worlds/`, `instances/` and `oracles/` of a folder."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from mpcbench.schema.data_file import (
    DataError,
    json_path,
    numbered_lines,
    read_json,
    read_json_lines,
    read_jsonl,
    read_model,
    read_text,
    to_json_text,
    to_jsonl_text,
)
from mpcbench.schema.exam import Exam
from mpcbench.schema.file_set import write_files
from mpcbench.schema.instance import Instance
from mpcbench.schema.label import Label
from mpcbench.schema.level_files import UnknownInstanceError, instances_path, labels_path, read_by_id, world_path
from mpcbench.schema.model import LADDER, AnyLevel, Level
from mpcbench.schema.world import World

if TYPE_CHECKING:
    from mpcbench.schema.level4.dataset import LadderDataset

__all__ = [
    "ALL_LEVELS",
    "COMMITTED",
    "IS_CHECKOUT",
    "LEVELS",
    "DataError",
    "Dataset",
    "UnknownInstanceError",
    "data_sets",
    "instances_path",
    "json_path",
    "labels_path",
    "numbered_lines",
    "read_json",
    "read_json_lines",
    "read_jsonl",
    "read_text",
    "to_json_text",
    "to_jsonl_text",
    "world_path",
    "write_files",
]

LEVELS: tuple[Level, ...] = (1, 2, 3)
"""The levels that a `Dataset` reads itself; its `ladder` reads level 4."""

ALL_LEVELS: tuple[AnyLevel, ...] = (*LEVELS, LADDER)

COMMITTED = Path(__file__).resolve().parents[1]
"""The folder of the committed data set: the checkout, or the installed package."""

IS_CHECKOUT = (COMMITTED / "pyproject.toml").is_file()
"""Whether `COMMITTED` is a checkout, whose files may be regenerated."""


@dataclass(frozen=True)
class Dataset:
    """A folder of worlds, instances and labels; each file is read on first use and cached."""

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> "Dataset":
        """The data set of a folder.

        Raises:
            DataError: the folder holds no level.
        """
        dataset = cls(folder)
        if not dataset.all_levels:
            parts = data_sets(folder)
            if parts:
                raise DataError(f"{folder}: holds {len(parts):,} data sets; choose one, such as {parts[0]}")
            raise DataError(f"{folder}: no data set: it has no {instances_path(1)} and no other level")
        return dataset

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Those of levels 1 to 3 that have instances."""
        return tuple(level for level in LEVELS if (self.folder / instances_path(level)).is_file())

    @cached_property
    def has_ladder(self) -> bool:
        """Whether level 4 has instances."""
        return (self.folder / instances_path(LADDER)).is_file()

    @property
    def all_levels(self) -> tuple[AnyLevel, ...]:
        """The levels that have instances, level 4 included."""
        return (*self.levels, LADDER) if self.has_ladder else self.levels

    @cached_property
    def ladder(self) -> "LadderDataset":
        """The files of level 4, which are read on first use."""
        from mpcbench.schema.level4.dataset import LadderDataset  # noqa: PLC0415 - its models take a tenth of a second

        return LadderDataset(self.folder)

    @cached_property
    def _worlds(self) -> dict[Level, World]:
        return {}

    @cached_property
    def _instances(self) -> dict[Level, dict[str, Instance]]:
        return {}

    @cached_property
    def _labels(self) -> dict[Level, dict[str, Label]]:
        return {}

    def world(self, level: Level) -> World:
        """The world of a level; raises `DataError`."""
        if level not in self._worlds:
            path = self.folder / world_path(level)
            world = read_model(path, World)
            if world.level != level:
                raise DataError(f"{path}: $.level: {world.level} in the file of level {level}")
            self._worlds[level] = world
        return self._worlds[level]

    def instances(self, level: Level) -> tuple[Instance, ...]:
        """The instances of a level in file order; raises `DataError`."""
        return tuple(self._by_id(level).values())

    def _by_id(self, level: Level) -> dict[str, Instance]:
        if level not in self._instances:
            path = self.folder / instances_path(level)
            found = read_by_id(path, Instance, level)
            if not found:
                raise DataError(f"{path}: no instances")
            self._instances[level] = found
        return self._instances[level]

    def labels(self, level: Level) -> dict[str, Label]:
        """The labels of a level by instance ID, one for every instance; raises `DataError`."""
        if level not in self._labels:
            path = self.folder / labels_path(level)
            labels = read_by_id(path, Label, level)
            for instance in self.instances(level):
                if instance.instance_id not in labels:
                    raise DataError(f"{path}: no label for {instance.instance_id!r}")
            self._labels[level] = labels
        return self._labels[level]

    def exam(self, instance_id: str) -> Exam:
        """An instance with its world and its label.

        Raises:
            UnknownInstanceError: there is no instance of that ID.
            DataError: a file of its level is missing or wrong.
        """
        for level in self.levels:
            if instance_id.startswith(f"level{level}-") and instance_id in self._by_id(level):
                return Exam(self.world(level), self._by_id(level)[instance_id], self.labels(level)[instance_id])
        raise UnknownInstanceError(f"{self.folder}: no instance {instance_id!r}")

    def instance_ids(self, level: AnyLevel) -> list[str]:
        """The instance IDs of a level in file order, read without validating the instances; raises `DataError`."""
        path = self.folder / instances_path(level)
        ids = []
        for line, value in read_json_lines(path):
            instance_id = value.get("instance_id") if isinstance(value, dict) else None
            if not isinstance(instance_id, str):
                raise DataError(f"{path}:{line}: $.instance_id: missing")
            ids.append(instance_id)
        if not ids:
            raise DataError(f"{path}: no instances")
        return ids

    def require(self, level: AnyLevel) -> None:
        """Raise `DataError` if a level's world or labels are missing, without reading them."""
        for name in (world_path(level), labels_path(level)):
            if not (self.folder / name).is_file():
                raise DataError(f"{self.folder / name}: no such file")

    def hashes(self, levels: Iterable[AnyLevel] | None = None) -> dict[str, str]:
        """The SHA-256 of every data file, by path relative to the folder; all levels by default."""
        return {
            name: sha256((self.folder / name).read_bytes()).hexdigest()
            for level in (self.all_levels if levels is None else levels)
            for name in (world_path(level), instances_path(level), labels_path(level))
            if (self.folder / name).is_file()
        }


def data_sets(folder: Path) -> list[Path]:
    """The data sets of a folder: itself if it is one, or else those in it that are named by their seed, by seed."""
    if Dataset(folder).all_levels:
        return [folder]
    named = [part for part in folder.glob("*") if re.fullmatch(r"-?[0-9]+", part.name)]
    return sorted((part for part in named if Dataset(part).all_levels), key=lambda part: int(part.name))

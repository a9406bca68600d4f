"""Level 4 of a data set on disk."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mpcbench.schema.data_file import DataError, read_model, to_json_text, to_jsonl_text
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.world import LadderWorld
from mpcbench.schema.level_files import UnknownInstanceError, instances_path, labels_path, read_by_id, world_path
from mpcbench.schema.model import LADDER


@dataclass(frozen=True, slots=True)
class LadderExam:
    """An instance with its world and its label; `LadderDataset.exam` gives one."""

    world: LadderWorld = field(repr=False)
    """The world of all instances, as it is before the instance's change."""

    instance: LadderInstance
    label: LadderLabel
    """The gold and the required records."""

    def as_answered(self, shown: Collection[str]) -> "LadderExam":
        """The exam of somebody to whom these records have been shown when they answer.

        Until its records have been shown, the instance's change has not happened: what holds is the gold before it, of
        which there is no certificate.
        """
        change = self.instance.change
        if change is None or set(change.when_shown).issubset(shown):
            return self
        instance = self.instance.model_copy(update={"change": None})
        label = self.label.model_copy(update={"gold": self.label.gold_before, "gold_before": (), "certificate": None})
        return LadderExam(self.world, instance, label)


@dataclass(frozen=True)
class LadderDataset:
    """The files of level 4 in a folder; each is read on first use and cached."""

    folder: Path

    @cached_property
    def world(self) -> LadderWorld:
        """The world; raises `DataError`."""
        return read_model(self.folder / world_path(LADDER), LadderWorld)

    @property
    def instances(self) -> tuple[LadderInstance, ...]:
        """The instances in file order; raises `DataError`."""
        return tuple(self._by_id.values())

    @cached_property
    def _by_id(self) -> dict[str, LadderInstance]:
        path = self.folder / instances_path(LADDER)
        found = read_by_id(path, LadderInstance, LADDER)
        if not found:
            raise DataError(f"{path}: no instances")
        return found

    @cached_property
    def labels(self) -> dict[str, LadderLabel]:
        """The labels by instance ID, one for every instance and with its rung; raises `DataError`."""
        path = self.folder / labels_path(LADDER)
        labels = read_by_id(path, LadderLabel, LADDER)
        for instance_id, instance in self._by_id.items():
            if instance_id not in labels:
                raise DataError(f"{path}: no label for {instance_id!r}")
            rung = labels[instance_id].rung
            if rung != instance.rung:
                raise DataError(
                    f"{path}: $.rung: {rung} in the label of {instance_id!r}, which is on rung {instance.rung}"
                )
        return labels

    @cached_property
    def rungs(self) -> dict[str, int]:
        """The rung of every instance by its ID, in file order; raises `DataError`."""
        return {instance_id: instance.rung for instance_id, instance in self._by_id.items()}

    def exam(self, instance_id: str) -> LadderExam:
        """An instance with its world and its label.

        Raises:
            UnknownInstanceError: there is no instance of that ID.
            DataError: a file is missing or wrong.
        """
        if instance_id not in self._by_id:
            raise UnknownInstanceError(f"{self.folder}: no instance {instance_id!r}")
        return LadderExam(self.world, self._by_id[instance_id], self.labels[instance_id])


def ladder_texts(
    world: LadderWorld, instances: tuple[LadderInstance, ...], labels: tuple[LadderLabel, ...]
) -> dict[str, str]:
    """The texts of the three files of level 4, by path relative to the data set's folder."""
    return {
        world_path(LADDER): to_json_text(world, spaced=False),
        instances_path(LADDER): to_jsonl_text(instances),
        labels_path(LADDER): to_jsonl_text(labels),
    }

"""The files of a level in a data set's folder."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mpcbench.schema.data_file import DataError, read_jsonl
from mpcbench.schema.instance import Instance
from mpcbench.schema.label import Label
from mpcbench.schema.model import AnyLevel

if TYPE_CHECKING:
    from mpcbench.schema.level4.instance import LadderInstance
    from mpcbench.schema.level4.label import LadderLabel

Item = TypeVar("Item", Instance, Label, "LadderInstance", "LadderLabel")


class UnknownInstanceError(DataError):
    """The data set holds no instance of that ID."""


def world_path(level: AnyLevel) -> str:
    """The file of a level's world, relative to the data set's folder."""
    return f"worlds/world_level{level}.json"


def instances_path(level: AnyLevel) -> str:
    """The file of a level's instances, relative to the data set's folder."""
    return f"instances/instances_level{level}.jsonl"


def labels_path(level: AnyLevel) -> str:
    """The file of a level's labels, relative to the data set's folder."""
    return f"oracles/oracle_level{level}.jsonl"


def read_by_id(path: Path, model: type[Item], level: AnyLevel) -> dict[str, Item]:
    """The instances or labels of a level's file by instance ID, in file order; raises `DataError`."""
    items: dict[str, Item] = {}
    for line, item in read_jsonl(path, model):
        if item.level != level:
            raise DataError(f"{path}:{line}: $.level: {item.level} in the file of level {level}")
        if item.instance_id in items:
            raise DataError(f"{path}:{line}: $.instance_id: {item.instance_id!r} is not unique")
        items[item.instance_id] = item
    return items

"""Data sets on disk: reads and writes the `worlds/`, `instances/` and `oracles/` of a folder."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from mpcbench.schema.exam import Exam
from mpcbench.schema.instance import Instance
from mpcbench.schema.label import Label
from mpcbench.schema.model import Level, Model
from mpcbench.schema.world import World

LEVELS: tuple[Level, ...] = (1, 2, 3)

COMMITTED = Path(__file__).resolve().parents[1]
"""The folder of the committed data set: the checkout, or the installed package."""

IS_CHECKOUT = (COMMITTED / "pyproject.toml").is_file()
"""Whether `COMMITTED` is a checkout, whose files may be regenerated."""

M = TypeVar("M", bound=Model)
Item = TypeVar("Item", Instance, Label)


class DataError(ValueError):
    """A data file is missing or invalid; the message is one line `FILE:LINE: $.json.path: what`."""


class UnknownInstanceError(DataError):
    """The data set holds no instance of that ID."""


def world_path(level: Level) -> str:
    """The file of a level's world, relative to the data set's folder."""
    return f"worlds/world_level{level}.json"


def instances_path(level: Level) -> str:
    """The file of a level's instances, relative to the data set's folder."""
    return f"instances/instances_level{level}.jsonl"


def labels_path(level: Level) -> str:
    """The file of a level's labels, relative to the data set's folder."""
    return f"oracles/oracle_level{level}.jsonl"


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
        if not dataset.levels:
            parts = data_sets(folder)
            if parts:
                raise DataError(f"{folder}: holds {len(parts):,} data sets; choose one, such as {parts[0]}")
            raise DataError(f"{folder}: no data set: it has no {instances_path(1)} and no other level")
        return dataset

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The levels that have instances."""
        return tuple(level for level in LEVELS if (self.folder / instances_path(level)).is_file())

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
            world = _validated(World, read_text(path), path)
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
            found = _by_id(path, Instance, level)
            if not found:
                raise DataError(f"{path}: no instances")
            self._instances[level] = found
        return self._instances[level]

    def labels(self, level: Level) -> dict[str, Label]:
        """The labels of a level by instance ID, one for every instance; raises `DataError`."""
        if level not in self._labels:
            path = self.folder / labels_path(level)
            labels = _by_id(path, Label, level)
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

    def instance_ids(self, level: Level) -> list[str]:
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

    def require(self, level: Level) -> None:
        """Raise `DataError` if a level's world or labels are missing, without reading them."""
        for name in (world_path(level), labels_path(level)):
            if not (self.folder / name).is_file():
                raise DataError(f"{self.folder / name}: no such file")

    def hashes(self, levels: Iterable[Level] | None = None) -> dict[str, str]:
        """The SHA-256 of every data file, by path relative to the folder; all levels by default."""
        return {
            name: sha256((self.folder / name).read_bytes()).hexdigest()
            for level in (self.levels if levels is None else levels)
            for name in (world_path(level), instances_path(level), labels_path(level))
            if (self.folder / name).is_file()
        }


def data_sets(folder: Path) -> list[Path]:
    """The data sets of a folder: itself if it is one, or else those in it that are named by their seed, by seed."""
    if Dataset(folder).levels:
        return [folder]
    named = [part for part in folder.glob("*") if re.fullmatch(r"-?[0-9]+", part.name)]
    return sorted((part for part in named if Dataset(part).levels), key=lambda part: int(part.name))


def read_text(path: Path) -> str:
    """The content of a text file; raises `DataError` if it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 at byte {error.start}") from None


def read_json(path: Path) -> object:
    """The value of a JSON file; raises `DataError` naming the line of a syntax error."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from None


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, without what indents them, and their numbers from 1; blank ones cost no memory."""
    number, counted = 1, 0
    for match in re.finditer(r"\S[^\n]*", text):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        yield number, match[0]


def read_json_lines(path: Path) -> Iterator[tuple[int, object]]:
    """The values of a JSONL file with their line numbers from 1; blank lines are skipped."""
    for number, line in numbered_lines(read_text(path)):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}:{number}: not JSON: {error}") from None


def read_jsonl(path: Path, model: type[M]) -> Iterator[tuple[int, M]]:
    """The validated values of a JSONL file with their line numbers from 1; raises `DataError`."""
    for number, line in numbered_lines(read_text(path)):
        yield number, _validated(model, line, path, number)


def _by_id(path: Path, model: type[Item], level: Level) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for line, item in read_jsonl(path, model):
        if item.level != level:
            raise DataError(f"{path}:{line}: $.level: {item.level} in the file of level {level}")
        if item.instance_id in items:
            raise DataError(f"{path}:{line}: $.instance_id: {item.instance_id!r} is not unique")
        items[item.instance_id] = item
    return items


def _validated(model: type[M], text: str, path: Path, line: int | None = None) -> M:
    """Validate strictly, so that pydantic agrees with JSON Schema: "3" is not a number."""
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        what, _, where = str(first["ctx"]["error"]).rpartition(" at line ")
        row, _, column = where.partition(" column ")
        raise DataError(f"{path}:{line or row}: not JSON: {what} at column {column}")
    place = f"{path}" if line is None else f"{path}:{line}"
    where = json_path(_location(first["loc"], json.loads(text)))
    raise DataError(f"{place}: {where}: {_one_line(first['msg'])}")


def _location(parts: tuple[int | str, ...], value: Any) -> Iterator[int | str]:
    """The parts of a pydantic location that exist in the value; pydantic also names the chosen member of a union."""
    for place, part in enumerate(parts, start=1):
        if isinstance(part, int) or (isinstance(value, dict) and part in value):
            yield part
            value = value[part]
        elif place == len(parts) and isinstance(value, dict):
            yield part  # a missing field


def json_path(location: Iterable[int | str]) -> str:
    """A location within a JSON value as a one-line JSONPath, such as `$.people[3].name` or `$["a b"]`."""
    return "$" + "".join(
        f".{part}" if isinstance(part, str) and part.isidentifier() else f"[{json.dumps(part)}]" for part in location
    )


def _one_line(message: str) -> str:
    return re.sub(r"\s+", " ", message).strip()


def to_json_text(model: Model) -> str:
    """A model as the text of a JSON file, with one line per list item to keep diffs readable."""
    fields = []
    for name, value in model.model_dump(mode="json").items():
        if isinstance(value, list) and value:
            items = ",\n".join(f"  {_compact(item)}" for item in value)
            fields.append(f" {_compact(name)}: [\n{items}\n ]")
        else:
            fields.append(f" {_compact(name)}: {_compact(value)}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def to_jsonl_text(models: Iterable[Model]) -> str:
    """Models as the text of a JSONL file."""
    return "".join(f"{_compact(model.model_dump(mode='json'))}\n" for model in models)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files below a folder, all or none.

    Files are written to a staging folder first and moved into place once all are complete. An error while moving
    restores the old files; a kill before the move leaves them untouched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        for name, text in texts.items():
            staged = staging / name
            staged.parent.mkdir(parents=True, exist_ok=True)
            staged.write_text(text, encoding="utf-8", newline="\n")
        _put_in_place(folder, staging, list(texts))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _put_in_place(folder: Path, staging: Path, names: list[str]) -> None:
    old = Path(tempfile.mkdtemp(prefix=".old-", dir=staging))
    for number, name in enumerate(names):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            shutil.copy2(target, old / str(number))
    placed = 0
    try:
        for name in names:
            (staging / name).replace(folder / name)
            placed += 1
    except BaseException:
        for number, name in enumerate(names[:placed]):
            if (old / str(number)).exists():
                (old / str(number)).replace(folder / name)
            else:
                (folder / name).unlink()
        raise

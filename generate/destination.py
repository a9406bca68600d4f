"""The folder that a set is written to: it may hold what the same command has made, or less of it, and nothing else."""

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from mpcbench.generate.large_set import WorldJob, folder_of
from mpcbench.generate.level4.rung_wish import LadderWish
from mpcbench.generate.shards import index_of
from mpcbench.schema.dataset import Dataset, data_sets, instances_path, read_json_lines
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.model import LADDER, AnyLevel


class OccupiedError(ValueError):
    """A folder holds what a command would not make; the message is one line that names the folder and an instance."""


class _Line(BaseModel):
    """What is needed of a stored instance."""

    instance_id: Annotated[str, Field(pattern=r"^level[1-4]-[0-9]+$")]
    seed: int
    rung: int = 0
    mechanisms: frozenset[Mechanism] = frozenset()


class _Held(NamedTuple):
    """An instance that a folder holds."""

    folder: Path
    level: AnyLevel
    number: int
    line: _Line

    def is_wished(self, wish: LadderWish) -> bool:
        """Whether it is what a command asks of level 4, as far as it can be told from what was drawn."""
        alike = wish.mechanisms is None or wish.mechanisms == self.line.mechanisms
        return self.level != LADDER or (alike and self.line.rung == wish.rung_of(self.number))


def check_for_one_world(
    out: Path, levels: Container[AnyLevel], seed: int, numbers: Container[int], wish: LadderWish
) -> None:
    """Raise `OccupiedError` unless a data set can replace all that a folder holds of its levels.

    Args:
        out: The folder, which may be missing.
        levels: Those that are made; others only have to be of the same seed.
        seed: That of the data set.
        numbers: Those of its instances.
        wish: What is asked of level 4.
    """
    for one in _held(out):
        same_set = one.folder == out and one.line.seed == seed
        if not same_set or (one.level in levels and not (one.number in numbers and one.is_wished(wish))):
            raise _occupied(one)


def check_for_worlds(out: Path, jobs: Iterable[WorldJob]) -> None:
    """Raise `OccupiedError` unless the worlds of a large set can replace all that a folder holds of their levels.

    Args:
        out: The folder, which may be missing.
        jobs: The worlds of all shards, which may share a folder.
    """
    sizes: dict[tuple[AnyLevel, int], int] = {(job.level, job.seed): job.instances for job in jobs}
    levels = {level for level, _ in sizes}
    for one in _held(out):
        in_place = one.folder == folder_of(out, one.line.seed)
        if not in_place or (one.level in levels and one.number >= sizes.get((one.level, one.line.seed), 0)):
            raise _occupied(one)


def _held(out: Path) -> Iterator[_Held]:
    """The instances that a folder holds; what is no longer legible is left out, since it is made again."""
    for folder in data_sets(out):
        for level in Dataset(folder).all_levels:
            with suppress(ValueError):
                for _, value in read_json_lines(folder / instances_path(level)):
                    line = _Line.model_validate(value)
                    yield _Held(folder, level, index_of(line.instance_id), line)


def _occupied(one: _Held) -> OccupiedError:
    line = one.line
    drawn = f" on rung {line.rung} with {', '.join(sorted(line.mechanisms))}" if one.level == LADDER else ""
    return OccupiedError(
        f"{one.folder}: holds {line.instance_id} of seed {line.seed}{drawn}, which this command would not write there; "
        "choose another --out, or remove that folder"
    )

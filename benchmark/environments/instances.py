"""The instances of an environment: stored ones, or fresh ones that are generated once and kept."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mpcbench.benchmark.export.sources import is_named_like_a_test
from mpcbench.benchmark.export.splits import Split, split_of, worlds
from mpcbench.generate.making import files_of, make_instances
from mpcbench.generate.parallel import Processes
from mpcbench.schema.dataset import COMMITTED, LEVELS, Dataset, labels_path, write_files
from mpcbench.schema.exam import Exam
from mpcbench.schema.instance import Instance
from mpcbench.schema.model import Level
from mpcbench.schema.versions import CANARY, GENERATOR_VERSION

CACHE_VARIABLE = "MPCBENCH_CACHE"
"""The environment variable that names the folder of generated instances; by default it is `~/.cache/mpcbench`."""


class SelectionError(ValueError):
    """What was asked for cannot be offered; the message is one line."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An instance on disk, as small as a task of a library has to be."""

    folder: Path
    """Of its data set."""

    instance_id: str

    @property
    def exam(self) -> Exam:
        """The instance with its world and its label; raises `DataError`."""
        return opened(self.folder).exam(self.instance_id)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which instances an environment offers.

    Raises:
        SelectionError: there are no such instances, or they are for tests, which nobody has allowed.
        SplitError: the seeds do not belong to the split.
    """

    level: Level
    split: Split = Split.TRAIN
    """`test` is the committed data."""

    count: int = 100
    """How many, at most."""

    seed: int | None = None
    """Of the first world; the split's first by default."""

    dataset: Path | None = None
    """Stored instances instead of fresh ones."""

    allow_test: bool = False
    """Whether instances for tests are offered: to measure, never to train."""

    def __post_init__(self) -> None:
        """Check what needs no files."""
        for wrong, why in (
            (self.level not in LEVELS, f"level: {self.level!r} is none of {', '.join(map(str, LEVELS))}"),
            (self.count < 1, f"count: {self.count} is less than 1"),
            (self.seed is not None and self.dataset is not None, "seed: not together with dataset"),
            (self.seed is not None and self.split is Split.TEST, "seed: not for the split test, the committed data"),
        ):
            if wrong:
                raise SelectionError(why)

    def instances(self) -> Iterator[Stored]:
        """The instances, in their order; fresh ones that are named like a test are left out."""
        left = self.count
        for folder in self._folders():
            for instance in opened(folder).instances(self.level)[:left]:
                self._admit(instance)
                left -= 1
                if not is_named_like_a_test(instance):
                    yield Stored(folder, instance.instance_id)

    def _folders(self) -> Iterator[Path]:
        if self.dataset is not None:
            if self.level not in Dataset.open(self.dataset).levels:
                raise SelectionError(f"{self.dataset}: holds no level {self.level}")
            yield self.dataset.resolve()
        elif self.split is Split.TEST:
            yield COMMITTED
        else:
            for world in worlds(self.split, self.count, self.seed):
                yield generated(self.level, world.seed, world.instances)

    def _admit(self, instance: Instance) -> None:
        if split_of(instance.seed) is Split.TEST and not self.allow_test:
            raise SelectionError(
                f"{instance.instance_id} of seed {instance.seed}: it is for tests, and training on it spoils the "
                "benchmark; allow_test=true offers it all the same, to measure"
            )


@cache
def opened(folder: Path) -> Dataset:
    """A data set, with what has been read of it."""
    return Dataset.open(folder)


def generated(level: Level, seed: int, count: int) -> Path:
    """The folder of a world's certified instances, which are generated unless they are there; raises `GenerationError`."""
    folder = cache_folder() / f"data-{GENERATOR_VERSION}" / f"level{level}-seed{seed}-{count}"
    if not (folder / labels_path(level)).is_file():
        made = list(make_instances(level, seed, range(count), Processes(os.cpu_count() or 1)))
        write_files(folder, files_of(level, seed, made))
    return folder


def cache_folder() -> Path:
    """Where generated instances are kept."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else Path.home() / ".cache" / "mpcbench"


def origin(instance: Instance) -> dict[str, Any]:
    """Where an instance comes from, for the logs and traces of a library."""
    split = split_of(instance.seed)
    return {
        "canary": CANARY,
        "instance_id": instance.instance_id,
        "level": instance.level,
        "seed": instance.seed,
        "split": split.value,
        "do_not_train": split is Split.TEST,
        "generator_version": instance.generator_version,
    }

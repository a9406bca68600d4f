"""Make certified instances: sample, put into words and certify until a sample passes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from mpcbench.generate.certificate import certify, steps_from_text
from mpcbench.generate.composition import compose
from mpcbench.generate.parallel import Runner
from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling import level1, level2, level3
from mpcbench.generate.sampling.sample import Rejected, Sample
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.world.base import base_world, with_threads
from mpcbench.oracle import resolve, solve
from mpcbench.schema import Instance, Label, Thread, World
from mpcbench.schema.dataset import instances_path, labels_path, to_json_text, to_jsonl_text, world_path
from mpcbench.schema.model import Level

_PROPOSE: dict[Level, Callable[[Setting, Random, Random], Sample]] = {
    1: level1.propose,
    2: level2.propose,
    3: level3.propose,
}
_SHAPE_TRIES: dict[Level, int] = {1: 150, 2: 150, 3: 6}
"""How many samples share a shape; at level 3 each of them is the outcome of a search."""

_MOST_TRIES = 60_000


class GenerationError(RuntimeError):
    """No certified instance could be made."""


@dataclass(frozen=True, slots=True)
class Made:
    """One certified instance with the threads that it adds to its world."""

    instance: Instance
    threads: tuple[Thread, ...]
    label: Label


def make_instance(setting: Setting, index: int) -> Made:
    """Make instance number `index` of a base world; it depends on seed, level and index alone.

    Raises:
        GenerationError: no sample passed.
    """
    world = setting.world
    rng = stream(world.seed, world.level, "instance", index)
    rejected: Counter[str] = Counter()
    for attempt in range(_MOST_TRIES):
        shape = stream(world.seed, world.level, "shape", index, attempt // _SHAPE_TRIES[world.level])
        try:
            sample = _PROPOSE[world.level](setting, shape, rng)
            instance, threads = compose(setting, index, sample, rng)
            label = certify(with_threads(world, threads), instance, rejected)
        except Rejected as rejection:
            rejected[rejection.check.value] += 1
        else:
            return Made(instance, threads, label)
    raise GenerationError(f"level {world.level}, instance {index}: none of {_MOST_TRIES} samples passed")


def make_instances(level: Level, seed: int, indices: Sequence[int], runner: Runner) -> Iterator[Made]:
    """Make the instances with the given numbers, in that order."""
    size = runner.batch
    jobs = ((level, seed, indices[place : place + size]) for place in range(0, len(indices), size))
    for made in runner.map(_make_batch, jobs):
        yield from made


def _make_batch(job: tuple[Level, int, Sequence[int]]) -> list[Made]:
    level, seed, indices = job
    return [make_instance(setting_of(level, seed), index) for index in indices]


@lru_cache(maxsize=3)
def setting_of(level: Level, seed: int) -> Setting:
    """The setting of a level's base world."""
    return Setting.of(base_world(level, seed))


def whole_world(level: Level, seed: int, made: Iterable[Made]) -> World:
    """The base world with the threads of all instances.

    Raises:
        GenerationError: the reference agent can no longer solve an instance among the others.
    """
    made = tuple(made)
    world = with_threads(setting_of(level, seed).world, (thread for item in made for thread in item.threads))
    for item in made:
        try:
            steps_from_text(world, item.instance, solve(resolve(world, item.instance)), item.label.records)
        except Rejected as rejection:
            raise GenerationError(f"{item.instance.instance_id} among the others: {rejection}") from rejection
    return world


def files_of(level: Level, seed: int, made: Sequence[Made]) -> dict[str, str]:
    """The texts of a level's three files, by path relative to the data set's folder."""
    return {
        world_path(level): to_json_text(whole_world(level, seed, made)),
        instances_path(level): to_jsonl_text(item.instance for item in made),
        labels_path(level): to_jsonl_text(item.label for item in made),
    }

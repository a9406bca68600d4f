"""Labels worked out by the engine, and data sets of worlds made by hand on disk."""

from collections.abc import Iterable
from pathlib import Path

from mpcbench.oracle import resolve, solve
from mpcbench.schema import Instance, Label, Source, World
from mpcbench.schema.dataset import instances_path, labels_path, to_json_text, to_jsonl_text, world_path, write_files


def label_of(world: World, instance: Instance, records: tuple[str, ...], sources: tuple[Source, ...] = ()) -> Label:
    """What the engine says of an instance, with the records that it is said to need."""
    solution = solve(resolve(world, instance))
    return Label(
        generator_version=instance.generator_version,
        seed=instance.seed,
        instance_id=instance.instance_id,
        level=instance.level,
        gold=solution.gold,
        sources=sources,
        records=records,
        requirements=(),
        counts=solution.counts,
        digest=solution.digest,
    )


def write_level(folder: Path, world: World, instances: Iterable[Instance], labels: Iterable[Label]) -> None:
    """The three files of a level."""
    write_files(
        folder,
        {
            world_path(world.level): to_json_text(world),
            instances_path(world.level): to_jsonl_text(instances),
            labels_path(world.level): to_jsonl_text(labels),
        },
    )

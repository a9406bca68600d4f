"""Join the shards of a data set: the union of their instances, labels and threads."""

from collections.abc import Sequence

from mpcbench.generate.level4.shards import join_ladders
from mpcbench.schema import Instance, Label, World
from mpcbench.schema.dataset import (
    LEVELS,
    DataError,
    Dataset,
    instances_path,
    labels_path,
    to_json_text,
    to_jsonl_text,
    world_path,
)
from mpcbench.schema.model import Level


def join(shards: Sequence[Dataset]) -> dict[str, str]:
    """The texts of the joined data set's files, by path relative to its folder.

    Raises:
        DataError: the shards come from different seeds or generators, or share an instance.
    """
    texts: dict[str, str] = {}
    for level in LEVELS:
        parts = [shard for shard in shards if level in shard.levels]
        if parts:
            texts |= _join_level(level, parts)
    ladders = [shard.ladder for shard in shards if shard.has_ladder]
    return texts | join_ladders(ladders) if ladders else texts


def _join_level(level: Level, shards: Sequence[Dataset]) -> dict[str, str]:
    instances: dict[str, Instance] = {}
    labels: dict[str, Label] = {}
    for shard in shards:
        for instance in shard.instances(level):
            if instance.instance_id in instances:
                raise DataError(f"{shard.folder}: {instance.instance_id!r} is also in another shard")
            instances[instance.instance_id] = instance
        labels |= shard.labels(level)
    order = sorted(instances, key=index_of)
    return {
        world_path(level): to_json_text(_join_worlds(level, shards)),
        instances_path(level): to_jsonl_text(instances[instance_id] for instance_id in order),
        labels_path(level): to_jsonl_text(labels[instance_id] for instance_id in order),
    }


def index_of(instance_id: str) -> int:
    """The number of an instance within its level."""
    return int(instance_id.partition("-")[2])


def _join_worlds(level: Level, shards: Sequence[Dataset]) -> World:
    first = shards[0].world(level)
    threads = {thread.thread_id: thread for thread in first.threads}
    for shard in shards[1:]:
        world = shard.world(level)
        for name in World.model_fields:
            if name != "threads" and getattr(world, name) != getattr(first, name):
                raise DataError(
                    f"{shard.folder / world_path(level)}: $.{name}: not as in {shards[0].folder}: other seed or generator"
                )
        threads |= {thread.thread_id: thread for thread in world.threads}
    fields = {name: getattr(first, name) for name in World.model_fields}
    fields["threads"] = tuple(threads[thread_id] for thread_id in sorted(threads))
    return World(**fields)

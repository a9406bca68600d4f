"""Join the shards of level 4: the union of their instances, labels, threads and pages."""

from collections.abc import Sequence

from mpcbench.schema.dataset import DataError, world_path
from mpcbench.schema.level4.dataset import LadderDataset, ladder_texts
from mpcbench.schema.level4.world import LadderWorld
from mpcbench.schema.model import LADDER

_ADDED = ("threads", "pages")


def join_ladders(shards: Sequence[LadderDataset]) -> dict[str, str]:
    """The texts of the joined files, by path relative to the data set's folder.

    Raises:
        DataError: the shards come from different seeds or generators, or share an instance.
    """
    seen: set[str] = set()
    for shard in shards:
        for instance in shard.instances:
            if instance.instance_id in seen:
                raise DataError(f"{shard.folder}: {instance.instance_id!r} is also in another shard")
            seen.add(instance.instance_id)
    instances = {one.instance_id: one for shard in shards for one in shard.instances}
    labels = {name: label for shard in shards for name, label in shard.labels.items()}
    order = sorted(instances, key=lambda name: int(name.partition("-")[2]))
    return ladder_texts(
        _join_worlds(shards), tuple(instances[name] for name in order), tuple(labels[name] for name in order)
    )


def _join_worlds(shards: Sequence[LadderDataset]) -> LadderWorld:
    first = shards[0].world
    threads = {thread.thread_id: thread for thread in first.threads}
    pages = {(page.collection, page.page_id): page for page in first.pages}
    for shard in shards[1:]:
        for name in LadderWorld.model_fields:
            if name not in _ADDED and getattr(shard.world, name) != getattr(first, name):
                raise DataError(
                    f"{shard.folder / world_path(LADDER)}: $.{name}: not as in {shards[0].folder}: "
                    "other seed or generator"
                )
        threads |= {thread.thread_id: thread for thread in shard.world.threads}
        pages |= {(page.collection, page.page_id): page for page in shard.world.pages}
    update = {
        "threads": tuple(threads[name] for name in sorted(threads)),
        "pages": tuple(pages[name] for name in sorted(pages)),
    }
    return first.model_copy(update=update)

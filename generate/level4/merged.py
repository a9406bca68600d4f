"""One world for many instances: the office with what all of them add, in which each keeps its gold."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.generate.level4.naming import PAGES, THREADS, page_id, thread_id
from mpcbench.generate.level4.readable import UnreadableTextError, check_agent, check_page, check_task, check_thread
from mpcbench.generate.level4.resolver import WorldResolver, tags_of
from mpcbench.generate.level4.sampling.rungs import rung_of
from mpcbench.generate.level4.setting import OfficeSetting, with_additions
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.oracle.level4.load import Gold, ignorable
from mpcbench.oracle.level4.solve import solve
from mpcbench.schema.level4.facts import Handover, NewManager, Notice, Swap
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from mpcbench.schema.level4.world import LadderCollection, LadderPage, LadderThread, LadderWorld


class MergeError(RuntimeError):
    """Instances cannot share a world; the message names one of them."""


@dataclass(frozen=True, slots=True)
class LadderMade:
    """One certified instance with the threads and pages that it adds to the office."""

    instance: LadderInstance
    threads: tuple[LadderThread, ...]
    pages: tuple[LadderPage, ...]
    label: LadderLabel


def merged_world(setting: OfficeSetting, made: Sequence[LadderMade]) -> LadderWorld:
    """The office with what all instances add, in an order that does not tell them apart.

    Raises:
        MergeError: an instance adds what could change another's gold, or is not what it was certified to be among the
            others.
    """
    _check_apart(made)
    world = _with_all(setting, made)
    indexed = known(world, setting.indexed)
    resolver = setting.resolver.knowing(
        [thread for one in made for thread in one.threads],
        [page for one in made for page in one.pages],
        _said_in_tasks(made),
    )
    reading = LadderRecords(world, setting.records)
    for one in made:
        check_among_others(reading, one, indexed, resolver)
    return world


def _with_all(setting: OfficeSetting, made: Sequence[LadderMade]) -> LadderWorld:
    threads = [thread for one in made for thread in one.threads]
    pages = [page for one in made for page in one.pages]
    try:
        return with_additions(setting.office, threads, pages)
    except ValueError as error:
        raise MergeError(f"two instances add the same: {error}") from error


def crowded(setting: OfficeSetting, made: Sequence[LadderMade]) -> list[int]:
    """The places of those instances of which a mechanism can be ignored among the others, though it cannot be alone.

    Somebody may take a meeting for one of another instance that is called more like it.

    Raises:
        MergeError: two instances add the same.
    """
    world = _with_all(setting, made)
    indexed = known(world, setting.indexed)
    found = []
    for place, one in enumerate(made):
        gold = Gold(knowledge_of(world, one.instance, indexed))
        if any(ignorable(gold, one.instance.mechanisms, rung_of(one.instance.rung).found)):
            found.append(place)
    return found


def check_among_others(reading: LadderRecords, one: LadderMade, indexed: Knowledge, resolver: WorldResolver) -> None:
    """Solve an instance in the world of all, read what it adds, and let the reference agent do it.

    Args:
        reading: The world of all instances.
        one: The instance.
        indexed: `known(world)`.
        resolver: Knows all names of the world.

    Raises:
        MergeError: the gold, the counts or the feasible candidates are not those of the label, a text cannot be
            read, or the reference agent finds others.
    """
    name = one.instance.instance_id
    solution = solve(knowledge_of(reading.world, one.instance, indexed))
    label = one.label
    if (solution.gold, solution.counts, solution.digest) != (label.gold, label.counts, label.digest):
        raise MergeError(f"{name}: the gold is another one among the other instances")
    try:
        check_task(one.instance, resolver)
        for thread in one.threads:
            check_thread(thread, resolver)
        for page in one.pages:
            check_page(page, resolver)
        check_agent(reading, one.instance, label)
    except UnreadableTextError as error:
        raise MergeError(f"{name} among the other instances: {error}") from error


def _check_apart(made: Sequence[LadderMade]) -> None:
    """Raise `MergeError` if an instance states facts that others share, or says something about another one's meeting."""
    owners: dict[str, str] = {}
    for one in made:
        name = one.instance.instance_id
        tags = list(tags_of(one.threads, one.pages))
        for tag in tags:
            if isinstance(tag, Handover | NewManager | Notice | Swap):
                raise MergeError(f"{name}: it adds a {tag.kind}, which concerns other instances, too")
        said = [
            tag for tag in (*tags, *one.instance.references.statements) if isinstance(tag, Said | Agreed | Declined)
        ]
        for meeting in sorted({tag.about for tag in said if not tag.about.startswith(ALIAS)}):
            if owners.setdefault(meeting, name) != name:
                raise MergeError(f"{name}: it speaks about {meeting!r}, as {owners[meeting]} does")


def _said_in_tasks(made: Iterable[LadderMade]) -> Iterator[Said]:
    for one in made:
        yield from one.instance.references.statements


def divided(
    world: LadderWorld, numbers: Sequence[int]
) -> tuple[LadderWorld, dict[int, tuple[tuple[LadderThread, ...], tuple[LadderPage, ...]]]]:
    """A world of many instances divided again: the office, and what each instance adds, by its number.

    The places in the shuffled pools of IDs tell what belongs to which instance.
    """
    owners: dict[str, int] = {}
    for k in numbers:
        owners |= {thread_id(world.seed, THREADS * k + place): k for place in range(THREADS)}
        for collection in LadderCollection:
            pages = (page_id(world.seed, collection, PAGES * k + place) for place in range(PAGES))
            owners |= {f"{collection}:{page}": k for page in pages}
    threads: dict[int | None, list[LadderThread]] = {}
    pages_of: dict[int | None, list[LadderPage]] = {}
    for thread in world.threads:
        threads.setdefault(owners.get(thread.thread_id), []).append(thread)
    for page in world.pages:
        pages_of.setdefault(owners.get(f"{page.collection}:{page.page_id}"), []).append(page)
    office = world.model_copy(update={"threads": tuple(threads.pop(None, ())), "pages": tuple(pages_of.pop(None, ()))})
    vars(office).pop("thread_by_id", None)
    added = {k: (tuple(threads.get(k, ())), tuple(pages_of.get(k, ()))) for k in numbers}
    return office, added

"""What things of a world are called: meetings, threads, people, events and documents."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.meeting_names import MEETING_NAMES, MeetingName, meeting_name
from mpcbench.generate.wording.phrasing import NamedEvent, Voice
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.schema import Document, World
from mpcbench.schema.model import Level

MOST_INSTANCES = 5_000
"""Meeting names from this index on are for noise."""

SIBLINGS, ASIDES = MOST_INSTANCES + 200, MEETING_NAMES - 400
"""From the first index on they are for meetings that resemble an instance's, from the second on for asides alone.

So no two threads tell different things about one meeting of a world.
"""

_NEIGHBOURS = 100
"""The meetings of so many instances, from a multiple of it on, are told apart from one another in advance."""

THREADS_PER_INSTANCE = 10
"""Thread IDs reserved for each instance, whether or not it uses them all."""

_THREAD_IDS = 100_000


def name_of_meeting(world: World, index: int) -> MeetingName:
    """The name of an instance's meeting or, from MOST_INSTANCES on, of a noise meeting."""
    return _named(world.seed, world.level, index)[0]


def channel_of_meeting(world: World, index: int) -> str:
    """The channel where a meeting is announced."""
    return CHANNELS[_named(world.seed, world.level, index)[1]]


def sibling_of_meeting(world: World, index: int) -> MeetingName | None:
    """A noise meeting of the same project, another one for each instance of a project as far as the names suffice."""
    return _sibling(world.seed, world.level, index)


def is_only_one(world: World, index: int, name: MeetingName) -> bool:
    """Whether, near an index, no other meeting of an instance or like an instance's has this subject and kind.

    If one has, two people and a month may fit both.
    """
    return _subjects_and_kinds(world.seed, world.level, index // _NEIGHBOURS)[name.subject, name.kind] == 1


def thread_id(seed: int, level: Level, place: int) -> str:
    """The ID of the thread at a place: unique, and without a hint of the place or the instance that it belongs to."""
    return f"T{_shuffled_ids(seed, level)[place]:05d}"


def instance_thread_ids(world: World, index: int) -> Sequence[str]:
    """The thread IDs reserved for an instance."""
    first = index * THREADS_PER_INSTANCE
    return [thread_id(world.seed, world.level, first + number) for number in range(THREADS_PER_INSTANCE)]


def voice_of(world: World, events: Mapping[str, NamedEvent] | None = None) -> Voice:
    """How people in a world refer to things: namesakes with their team, policies with their document at level 2."""
    names = Counter(person.name for person in world.people)
    return Voice(
        zone=world.zone,
        names={
            person.person_id: person.name if names[person.name] == 1 else f"{person.name} ({person.team})"
            for person in world.people
        },
        events=events or {},
        documents=_homes(world.documents) if world.level == 2 else {},
    )


def _named(seed: int, level: Level, index: int) -> tuple[MeetingName, int]:
    return meeting_name(index, seed * 10 + level, len(CHANNELS))


def _sibling(seed: int, level: Level, index: int) -> MeetingName | None:
    project = _named(seed, level, index)[0].project
    siblings = _siblings_by_project(seed, level).get(project, [])
    rank = sum(_named(seed, level, other)[0].project == project for other in range(index))
    return siblings[rank % len(siblings)] if siblings else None


@cache
def _subjects_and_kinds(seed: int, level: Level, block: int) -> Counter[tuple[str, str]]:
    """How many of the meetings of a block of instances, and of their siblings, have a subject and kind."""
    indices = range(block * _NEIGHBOURS, (block + 1) * _NEIGHBOURS)
    names = {_named(seed, level, index)[0] for index in indices}
    names.update(filter(None, (_sibling(seed, level, index) for index in indices)))
    return Counter((name.subject, name.kind) for name in names)


@cache
def _siblings_by_project(seed: int, level: Level) -> dict[str, list[MeetingName]]:
    found: dict[str, list[MeetingName]] = {}
    for index in range(SIBLINGS, ASIDES):
        name, _ = _named(seed, level, index)
        found.setdefault(name.project, []).append(name)
    return found


@cache
def _shuffled_ids(seed: int, level: Level) -> list[int]:
    return stream(seed, level, "thread IDs").sample(range(_THREAD_IDS), _THREAD_IDS)


def _homes(documents: Iterable[Document]) -> dict[str, str | None]:
    return {
        section.policy_id: document.document_id
        for document in documents
        for section in document.sections
        if section.policy_id is not None
    }

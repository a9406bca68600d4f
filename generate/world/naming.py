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

THREADS_PER_INSTANCE = 10
"""Thread IDs reserved for each instance, whether or not it uses them all."""

_THREAD_IDS = 100_000


def name_of_meeting(world: World, index: int) -> MeetingName:
    """The name of an instance's meeting or, from MOST_INSTANCES on, of a noise meeting."""
    return _named(world, index)[0]


def channel_of_meeting(world: World, index: int) -> str:
    """The channel where a meeting is announced."""
    return CHANNELS[_named(world, index)[1]]


def sibling_of_meeting(world: World, index: int) -> MeetingName | None:
    """A noise meeting of the same project, another one for each instance of a project as far as the names suffice."""
    project = name_of_meeting(world, index).project
    siblings = _siblings_by_project(world.seed, world.level).get(project, [])
    rank = sum(name_of_meeting(world, other).project == project for other in range(index))
    return siblings[rank % len(siblings)] if siblings else None


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


def _named(world: World, index: int) -> tuple[MeetingName, int]:
    return meeting_name(index, world.seed * 10 + world.level, len(CHANNELS))


@cache
def _siblings_by_project(seed: int, level: Level) -> dict[str, list[MeetingName]]:
    found: dict[str, list[MeetingName]] = {}
    for index in range(SIBLINGS, ASIDES):
        name, _ = meeting_name(index, seed * 10 + level, len(CHANNELS))
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

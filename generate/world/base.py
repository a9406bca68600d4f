"""The base world of a level: everything except the threads of its instances."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.phrasing import NamedEvent, Voice
from mpcbench.generate.wording.vocabulary import CHANNELS, meeting_name
from mpcbench.generate.world.calendars import local_time, person_calendars, room_calendars
from mpcbench.generate.world.documents import archived_pages, write_documents
from mpcbench.generate.world.noise import NoisePlan, noise_thread
from mpcbench.generate.world.organisation import people_of, policies_of, rooms_of
from mpcbench.generate.world.pages import write_pages
from mpcbench.generate.world.threads import ThreadKind, smalltalk_thread
from mpcbench.schema import GENERATOR_VERSION, AfterEvent, Document, Period, Person, Thread, World
from mpcbench.schema.model import MINUTES_PER_DAY, Level

FIRST_DAY = date(2027, 1, 18)
"""A Monday."""

WEEKS = 12
TIMEZONES: dict[Level, str] = {1: "Europe/Berlin", 2: "America/New_York", 3: "Europe/London"}
MOST_INSTANCES = 10_000
"""Meeting names and thread IDs beyond this index are for noise."""

_THREADS_PER_INSTANCE = 4
_NOISE_MEETINGS = {1: 0, 2: 110, 3: 150}
_SMALLTALK = {1: 0, 2: 40, 3: 60}
_THREAD_IDS = 99_991  # a prime, so that multiplication permutes the IDs


def base_world(level: Level, seed: int) -> World:
    """The world of a level and seed without the threads of any instance."""
    zone = ZoneInfo(TIMEZONES[level])
    days = [FIRST_DAY + timedelta(days=number) for number in range(7 * WEEKS)]
    people = people_of(level, stream(seed, level, "people"))
    policies = policies_of(level, stream(seed, level, "policies"))
    documents = write_documents(policies, level, stream(seed, level, "documents"))
    rooms = rooms_of(stream(seed, level, "rooms")) if level == 3 else ()
    pages = write_pages(level, people, stream(seed, level, "pages"))
    if level == 3:
        pages += archived_pages(policies, stream(seed, level, "archive"))
    world = World(
        generator_version=GENERATOR_VERSION,
        seed=seed,
        level=level,
        timezone=zone.key,
        period=Period(
            start=local_time(days[0], 0, zone),
            end=local_time(days[-1], MINUTES_PER_DAY, zone),
        ),
        people=people,
        calendars=tuple(person_calendars(people, days, zone, stream(seed, level, "calendars"))),
        documents=documents,
        rooms=rooms,
        room_calendars=tuple(
            room_calendars([room.room_id for room in rooms], days, zone, stream(seed, level, "bookings"))
        ),
        pages=pages,
    )
    return with_threads(world, _noise(world, seed))


def with_threads(world: World, threads: Iterable[Thread]) -> World:
    """The world with more threads, sorted by ID, so that their order reveals nothing."""
    return world.with_threads(sorted((*world.threads, *threads), key=lambda thread: thread.thread_id))


def name_of_meeting(world: World, index: int) -> str:
    """The name of an instance's meeting or, from MOST_INSTANCES on, of a noise meeting."""
    return meeting_name(index, world.seed * 10 + world.level)


def thread_id(seed: int, level: Level, place: int) -> str:
    """The ID of the thread at a place: unique, and without a hint of the instance it belongs to."""
    scramble = stream(seed, level, "thread IDs")
    factor, shift = scramble.randrange(10_000, _THREAD_IDS), scramble.randrange(_THREAD_IDS)
    return f"T{(place * factor + shift) % _THREAD_IDS:05d}"


def instance_thread_id(seed: int, level: Level, index: int, number: int) -> str:
    """The ID of the number-th thread of an instance."""
    return thread_id(seed, level, index * _THREADS_PER_INSTANCE + number)


def voice_of(world: World, events: Mapping[str, NamedEvent] | None = None) -> Voice:
    """How people in a world refer to things: namesakes with their team, policies with their document at level 2."""
    names = Counter(person.name for person in world.people)
    return Voice(
        zone=world.zone,
        names={
            person.person_id: person.name if names[person.name] == 1 else f"{person.name} from {person.team}"
            for person in world.people
        },
        events=events or {},
        documents=_homes(world.documents) if world.level == 2 else {},
    )


def _homes(documents: Iterable[Document]) -> dict[str, str | None]:
    return {
        section.policy_id: document.document_id
        for document in documents
        for section in document.sections
        if section.policy_id is not None
    }


def _noise(world: World, seed: int) -> Iterator[Thread]:
    level = world.level
    place = MOST_INSTANCES * _THREADS_PER_INSTANCE
    for number in range(_NOISE_MEETINGS[level]):
        rng = stream(seed, level, "noise", number)
        chosen, named = _some_events(world, rng)
        first = _when(world, rng)
        for kind in (ThreadKind.KICKOFF, ThreadKind.UPDATE)[: rng.choice((1, 1, 2))]:
            plan = NoisePlan(
                thread_id=thread_id(seed, level, place),
                channel=rng.choice(CHANNELS),
                meeting=name_of_meeting(world, MOST_INSTANCES + number),
                kind=kind,
                first=first,
                authors=_authors(world.people, rng),
                voice=voice_of(world, named),
                level=level,
                people=[person.person_id for person in world.people],
                policies=sorted(world.policy_by_id),
                sites=sorted({room.site for room in world.rooms}),
                events=chosen,
                others=(name_of_meeting(world, MOST_INSTANCES + rng.randrange(_NOISE_MEETINGS[level])),),
            )
            thread = noise_thread(plan, rng)
            yield thread
            place += 1
            first = thread.messages[-1].sent + timedelta(days=1)
    for number in range(_SMALLTALK[level]):
        rng = stream(seed, level, "small talk", number)
        yield smalltalk_thread(
            thread_id(seed, level, place), rng.choice(CHANNELS), _when(world, rng), _authors(world.people, rng), rng
        )
        place += 1


def _some_events(world: World, rng: Random) -> tuple[list[AfterEvent], dict[str, NamedEvent]]:
    chosen, named = [], {}
    for calendar in rng.sample(world.calendars, 3):
        event = rng.choice(calendar.events)
        chosen.append(AfterEvent(person_id=calendar.person_id, event_id=event.event_id))
        named[event.event_id] = NamedEvent(event.title, event.start)
    return chosen, named


def _authors(people: Iterable[Person], rng: Random) -> tuple[str, ...]:
    return tuple(person.person_id for person in rng.sample(list(people), rng.randint(2, 4)))


def _when(world: World, rng: Random) -> datetime:
    day = FIRST_DAY + timedelta(days=rng.randrange(-14, 7 * (WEEKS - 2)))
    return local_time(day, rng.randrange(9 * 60, 17 * 60), world.zone)

"""The base world of a level: everything except the threads of its instances."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from random import Random
from zoneinfo import ZoneInfo

from mpcbench.generate.randomness import stream
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.generate.world.calendars import Quiet, local_time, person_calendars, room_calendars
from mpcbench.generate.world.documents import archived_pages, write_documents
from mpcbench.generate.world.lookalikes import WINDOW_DAYS, called, noise_meeting
from mpcbench.generate.world.meetings import MOST_THREADS
from mpcbench.generate.world.naming import MOST_INSTANCES, THREADS_PER_INSTANCE, name_of_meeting, thread_id
from mpcbench.generate.world.organisation import people_of, policies_of, rooms_of
from mpcbench.generate.world.pages import write_pages
from mpcbench.generate.world.threads import smalltalk_thread
from mpcbench.schema import GENERATOR_VERSION, Period, Thread, World
from mpcbench.schema.model import MINUTES_PER_DAY, Level

FIRST_DAY = date(2027, 1, 18)
"""A Monday."""

WEEKS = 12
TIMEZONES: dict[Level, str] = {1: "Europe/Berlin", 2: "America/New_York", 3: "Europe/London"}
_NOISE_MEETINGS = {1: 0, 2: 110, 3: 150}
_SMALLTALK = {1: 0, 2: 25, 3: 35}
_QUIET: dict[Level, Quiet] = {1: Quiet(2, (120, 150)), 2: Quiet(2, (120, 150)), 3: Quiet(5, (45, 60, 75))}
"""Level 3 has shorter ones and more of them, so that policies differ in which of them they leave."""


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
        calendars=tuple(person_calendars(people, days, zone, _QUIET[level], stream(seed, level, "calendars"))),
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


def _noise(world: World, seed: int) -> Iterator[Thread]:
    level = world.level
    place = MOST_INSTANCES * THREADS_PER_INSTANCE
    for number in range(_NOISE_MEETINGS[level]):
        rng = stream(seed, level, "noise", number)
        thread_ids = [thread_id(seed, level, place + more) for more in range(MOST_THREADS)]
        place += MOST_THREADS
        first_day = _begins(level, rng)
        yield from noise_meeting(world, name_of_meeting(world, MOST_INSTANCES + number), thread_ids, first_day, rng)
    for number in range(_SMALLTALK[level]):
        rng = stream(seed, level, "small talk", number)
        first = local_time(called(_begins(level, rng), rng), rng.randrange(9 * 60, 17 * 60), world.zone)
        authors = [person.person_id for person in rng.sample(world.people, rng.randint(2, 3))]
        yield smalltalk_thread(thread_id(seed, level, place), rng.choice(CHANNELS), first, authors, rng, most=3)
        place += 1


def _begins(level: Level, rng: Random) -> date:
    """A day on which the window of a meeting may begin."""
    return FIRST_DAY + timedelta(days=rng.randrange(7 * WEEKS - max(WINDOW_DAYS[level])))

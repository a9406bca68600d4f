"""Threads about meetings that no instance asks for, among them some that are easily taken for an instance's."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.meeting_names import MEETING_NAMES, MeetingName
from mpcbench.generate.wording.phrasing import NamedEvent
from mpcbench.generate.wording.smalltalk import TIMES
from mpcbench.generate.wording.values import MONTHS, WEEKDAYS, duration
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.generate.world.calendars import local_time
from mpcbench.generate.world.meetings import MOST_THREADS, MeetingPlan, write_meeting
from mpcbench.generate.world.naming import MOST_INSTANCES, name_of_meeting, noise_meetings, voice_of
from mpcbench.generate.world.noise import NoiseTopic, noise_talks
from mpcbench.generate.world.threads import Hearsay, Part
from mpcbench.schema import AfterEvent, Thread, World

_SIZES = {2: (2, 2, 2, 3, 3), 3: (3, 3, 3, 4, 4, 5)}
WINDOW_DAYS = (9, 10, 11, 12, 13, 14)
"""The lengths of windows, as those of instances."""


class Sought(NamedTuple):
    """The meeting of an instance, which others may be taken for."""

    name: MeetingName
    people: tuple[str, ...]
    organiser: str
    first_day: date


def noise_meeting(
    world: World,
    name: MeetingName,
    thread_ids: Sequence[str],
    first_day: date,
    rng: Random,
    *,
    key: str | None = None,
    people: tuple[str, ...] = (),
    hearsay: tuple[Hearsay, ...] = (),
) -> tuple[Thread, ...]:
    """The threads of a meeting whose window begins on a day.

    Args:
        world: The world, with or without threads.
        name: What people call the meeting.
        thread_ids: At least three.
        first_day: The first day of the window.
        rng: Draws everything else.
        key: What the tags call the meeting, if not by its name.
        people: Who takes part; drawn if empty.
        hearsay: Messages about other meetings.
    """
    everybody = [person.person_id for person in world.people]
    people = people or tuple(rng.sample(everybody, rng.choice(_SIZES[world.level])))
    outsiders = [person for person in everybody if person not in people]
    events, named = _some_events(world, rng)
    topic = NoiseTopic(
        level=world.level,
        zone=world.zone,
        first_day=first_day,
        days=rng.choice(WINDOW_DAYS),
        people=people,
        outsiders=tuple(outsiders),
        policies=sorted(world.policy_by_id),
        sites=sorted({room.site for room in world.rooms}),
        events=events if world.level == 3 else (),
    )
    plan = MeetingPlan(
        key=key or str(name),
        name=name,
        channel=rng.choice(CHANNELS),
        thread_ids=thread_ids,
        talks=noise_talks(topic, rng),
        people=people,
        first_day=first_day,
        days=topic.days,
        first=local_time(first_day - timedelta(days=rng.randint(7, 20)), rng.randrange(9 * 60, 17 * 60), world.zone),
        voice=voice_of(world, named),
        deputy=deputy(world, people, rng),
        guest=guest(world, rng),
        others=mentioned(world, rng),
        notices=(_old_edition(first_day - timedelta(days=70), rng),) if key is None and rng.random() < 0.25 else (),
        hearsay=hearsay or rumours(world, people, rng),
    )
    return write_meeting(plan, rng)


def lookalikes(world: World, sought: Sought, thread_ids: Sequence[str], rng: Random) -> tuple[Thread, ...]:
    """Threads about meetings that resemble an instance's: of the same project, or an earlier one of the same name."""
    threads: tuple[Thread, ...] = ()
    siblings = noise_meetings(world, sought.name.project)
    if siblings and rng.random() < 0.75:
        strangers = [person.person_id for person in world.people if person.person_id not in sought.people]
        people = (rng.choice(sought.people), *rng.sample(strangers, rng.choice(_SIZES[world.level]) - 1))
        first_day = sought.first_day + timedelta(days=7 * rng.choice((-1, 0, 0, 1)))
        said = tuple(
            _hearsay(world, sought.name, sought.organiser, rng.choice(people[1:]), rng)
            for _ in range(rng.choice((0, 1, 1, 2)))
        )
        threads += noise_meeting(
            world, rng.choice(siblings), thread_ids[:MOST_THREADS], first_day, rng, people=people, hearsay=said
        )
    return threads


def earlier_edition(
    world: World, sought: Sought, thread_ids: Sequence[str], rng: Random
) -> tuple[tuple[Thread, ...], str]:
    """The threads of an earlier meeting of the same name, months ago, and how the new kick-off tells the two apart."""
    first_day = sought.first_day - timedelta(days=7 * rng.randint(9, 13))
    key = f"{sought.name} ({MONTHS[first_day.month - 1]} {first_day.year})"
    threads = noise_meeting(world, sought.name, thread_ids, first_day, rng, key=key, people=sought.people)
    return threads, _old_edition(first_day, rng)


def deputy(world: World, people: Sequence[str], rng: Random) -> str:
    """Somebody who is not among these people and shares nobody's name."""
    names = {world.person_by_id[person].name for person in people}
    return rng.choice([person.person_id for person in world.people if person.name not in names])


def mentioned(world: World, rng: Random) -> tuple[str, ...]:
    """Names of noise meetings."""
    return tuple(str(_noise_name(world, rng)) for _ in range(2))


def guest(world: World, rng: Random) -> Part | None:
    """Often, what is said about a noise meeting in a thread about another one."""
    if rng.random() < 0.4:
        return None
    name = _noise_name(world, rng)
    everybody = [person.person_id for person in world.people]
    people = tuple(rng.sample(everybody, 3))
    topic = NoiseTopic(
        level=world.level,
        zone=world.zone,
        first_day=world.period.start.astimezone(world.zone).date() + timedelta(days=7 * rng.randint(0, 9)),
        days=5,
        people=people,
        outsiders=tuple(person for person in everybody if person not in people),
        policies=sorted(world.policy_by_id),
    )
    statements = [item for talk in noise_talks(topic, rng) for item in talk if not item.correcting]
    return Part(str(name), f"the {name}", tuple(rng.sample(statements, rng.choice((1, 1, 2)))))


def rumours(world: World, people: Sequence[str], rng: Random) -> tuple[Hearsay, ...]:
    """Sometimes, hearsay of one of these people about a noise meeting."""
    if rng.random() < 0.75:
        return ()
    organiser = rng.choice([person.person_id for person in world.people if person.person_id not in people])
    return (_hearsay(world, _noise_name(world, rng), organiser, rng.choice(people), rng),)


def _old_edition(first_day: date, rng: Random) -> str:
    return rng.choice(chatter.OLD_EDITION).format(month=MONTHS[first_day.month - 1])


def _noise_name(world: World, rng: Random) -> MeetingName:
    return name_of_meeting(world, rng.randrange(MOST_INSTANCES, MEETING_NAMES))


def _hearsay(world: World, name: MeetingName, organiser: str, author: str, rng: Random) -> Hearsay:
    claim = rng.choice(chatter.HEARSAY_CLAIMS).format(
        name=name,
        duration=duration(rng, rng.choice((15, 30, 45, 60, 90))),
        policy=rng.choice(sorted(world.policy_by_id)),
        weekday=WEEKDAYS[rng.randrange(5)],
        time=rng.choice(TIMES),
    )
    limits = rng.choice(chatter.HEARSAY_LIMITS).format(organiser=voice_of(world).names[organiser])
    return Hearsay(author, f"{rng.choice(chatter.HEARSAY_SOURCES)} {claim} {limits}")


def _some_events(world: World, rng: Random) -> tuple[list[AfterEvent], dict[str, NamedEvent]]:
    chosen, named = [], {}
    for calendar in rng.sample(world.calendars, 3):
        event = rng.choice(calendar.events)
        chosen.append(AfterEvent(person_id=calendar.person_id, event_id=event.event_id))
        named[event.event_id] = NamedEvent(event.title, event.start)
    return chosen, named

"""Threads about meetings that no instance asks for, among them some that are easily taken for an instance's."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.choices import chosen
from mpcbench.generate.wording.meeting_names import MEETING_NAMES, MeetingName
from mpcbench.generate.wording.phrasing import NamedEvent
from mpcbench.generate.wording.values import MONTHS, duration
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.generate.world.calendars import local_time
from mpcbench.generate.world.meetings import MOST_THREADS, MeetingPlan, write_meeting
from mpcbench.generate.world.naming import (
    ASIDES,
    MOST_INSTANCES,
    is_only_one,
    name_of_meeting,
    sibling_of_meeting,
    voice_of,
)
from mpcbench.generate.world.noise import NoiseTopic, noise_talks
from mpcbench.generate.world.threads import Hearsay, Part
from mpcbench.schema import (
    AfterEvent,
    CallPolicy,
    Duration,
    OptionCount,
    Participants,
    Statement,
    Thread,
    Window,
    World,
)

_SIZES = {2: (2, 2, 2, 2, 2, 3), 3: (2, 2, 2, 3, 3, 3, 3, 4, 4, 5)}
_AT_KICKOFF = (Participants, Window, OptionCount)
"""What nobody says about a meeting in passing."""

WINDOW_DAYS = {2: (18, 19, 20, 21, 22, 23, 24), 3: (9, 10, 11, 12, 13, 14)}
"""The lengths of the windows of noise meetings, by level."""

EARLIEST_CALL = 20
"""The most days that a meeting is called before its window begins."""

_EDITION_AGE = {level: timedelta(days=days[-1] + EARLIEST_CALL + 1) for level, days in WINDOW_DAYS.items()}
"""How long before a meeting's window the one of its namesake begins, at least: that one is over by the call."""


class Sought(NamedTuple):
    """The meeting of an instance, which others may be taken for."""

    number: int
    """The number of the instance."""

    people: tuple[str, ...]
    organiser: str
    first_day: date
    said: tuple[Statement, ...]
    """What is stated about it, which hearsay does not repeat."""


def noise_meeting(
    world: World,
    name: MeetingName,
    thread_ids: Sequence[str],
    first_day: date,
    rng: Random,
    *,
    key: str | None = None,
    people: tuple[str, ...] = (),
    known_by_people: bool = True,
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
        known_by_people: Whether people and months tell it from other meetings with its subject and kind.
        hearsay: Messages about other meetings.
    """
    everybody = [person.person_id for person in world.people]
    people = people or tuple(rng.sample(everybody, rng.choice(_SIZES[world.level])))
    days = rng.choice(WINDOW_DAYS[world.level])
    events, named = _some_events(world, first_day, days, rng)
    topic = replace(
        _topic(world, first_day, days, people),
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
        days=days,
        first=local_time(called(first_day, rng), rng.randrange(9 * 60, 17 * 60), world.zone),
        voice=voice_of(world, named),
        deputy=deputy(world, people, rng),
        known_by_people=known_by_people,
        guest=guest(world, first_day, rng),
        others=mentioned(world, rng),
        remark=_old_edition(first_day - timedelta(days=70), rng) if key is None and rng.random() < 0.25 else "",
        hearsay=hearsay or rumours(world, people, rng),
    )
    return write_meeting(plan, rng)


def lookalikes(world: World, sought: Sought, thread_ids: Sequence[str], rng: Random) -> tuple[Thread, ...]:
    """Often, the threads about another meeting of the same project, which one of the participants also attends."""
    sibling = sibling_of_meeting(world, sought.number)
    if sibling is None or rng.random() >= 0.75:
        return ()
    strangers = [person.person_id for person in world.people if person.person_id not in sought.people]
    known = rng.choice([person for person in sought.people if person != sought.organiser])
    people = (known, *rng.sample(strangers, rng.choice(_SIZES[world.level]) - 1))
    first_day = sought.first_day + timedelta(days=7 * rng.choice((-1, 0, 0, 1)))
    hearsay: tuple[Hearsay, ...] = ()
    if rng.random() < 0.3:
        name = name_of_meeting(world, sought.number)
        hearsay = (_hearsay(world, name, sought.organiser, rng.choice(people[1:]), rng, sought.said),)
    return noise_meeting(
        world,
        sibling,
        thread_ids[:MOST_THREADS],
        first_day,
        rng,
        people=people,
        known_by_people=is_only_one(world, sought.number, sibling),
        hearsay=hearsay,
    )


def called(first_day: date, rng: Random) -> date:
    """The day on which a meeting is called whose window begins on a day."""
    return first_day - timedelta(days=rng.randint(7, EARLIEST_CALL))


def room_for_earlier_edition(world: World, first_day: date) -> bool:
    """Whether an earlier meeting of the same name can have been in the world's period, before a window begins.

    One before the period would be known by its dates: no needed thread is that old.
    """
    return first_day - _EDITION_AGE[world.level] >= _first_day(world)


def earlier_edition(
    world: World, sought: Sought, thread_ids: Sequence[str], rng: Random
) -> tuple[tuple[Thread, ...], str]:
    """The threads of an earlier meeting of the same name, and how the new kick-off tells the two apart.

    It lies within the world's period and was over when the new one was called, as `room_for_earlier_edition` says.
    """
    latest = sought.first_day - _EDITION_AGE[world.level]
    first_day = latest - timedelta(days=rng.randint(0, (latest - _first_day(world)).days))
    name = name_of_meeting(world, sought.number)
    key = f"{name} ({MONTHS[first_day.month - 1]} {first_day.year})"
    threads = noise_meeting(world, name, thread_ids, first_day, rng, key=key, people=sought.people)
    return threads, _old_edition(first_day, rng)


def deputy(world: World, people: Sequence[str], rng: Random) -> str:
    """Somebody who is not among these people and shares nobody's name."""
    names = {world.person_by_id[person].name for person in people}
    return rng.choice([person.person_id for person in world.people if person.name not in names])


def mentioned(world: World, rng: Random) -> tuple[str, ...]:
    """Names of noise meetings."""
    return tuple(str(_noise_name(world, rng)) for _ in range(2))


def guest(world: World, first_day: date, rng: Random) -> Part | None:
    """Often, what is said about a noise meeting in a thread about another one, whose window begins on a day."""
    if rng.random() < 0.4:
        return None
    name = name_of_meeting(world, rng.randrange(ASIDES, MEETING_NAMES))
    people = tuple(rng.sample([person.person_id for person in world.people], 3))
    first_day += timedelta(days=7 * rng.randint(0, 1))
    topic = _topic(world, first_day, rng.choice(WINDOW_DAYS[world.level]), people)
    statements = [
        item
        for talk in noise_talks(topic, rng)
        for item in talk
        if not item.correcting and not isinstance(item.statement, _AT_KICKOFF)
    ]
    return Part(str(name), f"the {name}", (rng.choice(statements),))


def rumours(world: World, people: Sequence[str], rng: Random) -> tuple[Hearsay, ...]:
    """Sometimes, hearsay of one of these people about a noise meeting."""
    if rng.random() < 0.9:
        return ()
    organiser = rng.choice([person.person_id for person in world.people if person.person_id not in people])
    return (_hearsay(world, _noise_name(world, rng), organiser, rng.choice(people), rng),)


def _first_day(world: World) -> date:
    return world.period.start.astimezone(world.zone).date()


def _old_edition(first_day: date, rng: Random) -> str:
    return chosen(rng.choice(chatter.OLD_EDITION), rng).format(month=MONTHS[first_day.month - 1])


def _topic(world: World, first_day: date, days: int, people: tuple[str, ...]) -> NoiseTopic:
    return NoiseTopic(
        level=world.level,
        zone=world.zone,
        first_day=first_day,
        days=days,
        people=people,
        outsiders=tuple(person.person_id for person in world.people if person.person_id not in people),
        policies=sorted(world.policy_by_id),
    )


def _noise_name(world: World, rng: Random) -> MeetingName:
    return name_of_meeting(world, rng.randrange(MOST_INSTANCES, MEETING_NAMES))


def _hearsay(
    world: World, name: MeetingName, organiser: str, author: str, rng: Random, said: Sequence[Statement] = ()
) -> Hearsay:
    """Somebody passes on a length or a policy that nobody has stated, and says who would know."""
    fields = {"name": str(name), "organiser": voice_of(world).names[organiser]}
    claims: list[Duration | CallPolicy] = [Duration(minutes=minutes) for minutes in (15, 30, 45, 60, 90)]
    if rng.random() < 0.4:
        claims = [CallPolicy(policy_id=policy) for policy in sorted(world.policy_by_id)]
    claim = rng.choice([one for one in claims if one not in said])
    templates: tuple[str, ...]
    match claim:
        case Duration(minutes=minutes):
            templates, fields["duration"] = chatter.HEARSAY_LENGTHS, duration(rng, minutes)
        case CallPolicy(policy_id=policy):
            templates, fields["policy"] = chatter.HEARSAY_POLICIES, policy
    return Hearsay(author, chosen(rng.choice(templates), rng).format(**fields), claim)


def _some_events(
    world: World, first_day: date, days: int, rng: Random
) -> tuple[list[AfterEvent], dict[str, NamedEvent]]:
    """Up to three events in the first half of a window, of different people, whose title is unique on their day."""
    start = local_time(first_day, 0, world.zone)
    end = start + timedelta(days=days // 2)
    awaited: list[AfterEvent] = []
    named: dict[str, NamedEvent] = {}
    for calendar in rng.sample(world.calendars, 12):
        titles = Counter((event.title, event.start.astimezone(world.zone).date()) for event in calendar.events)
        fitting = [
            event
            for event in calendar.events
            if start <= event.start and event.end <= end
            if titles[event.title, event.start.astimezone(world.zone).date()] == 1
        ]
        if fitting and len(awaited) < 3:
            event = rng.choice(fitting)
            awaited.append(AfterEvent(person_id=calendar.person_id, event_id=event.event_id))
            named[event.event_id] = NamedEvent(event.title, event.start)
    return awaited, named

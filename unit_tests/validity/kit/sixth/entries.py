"""Events and bookings that were shown, and are lost or taken for others."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from mpcbench.benchmark.agents.reference.facts import Busy, Facts
from unit_tests.validity.kit.core import Mind
from unit_tests.validity.kit.sixth.step import (
    ADDED,
    BROKEN,
    BUSY,
    LOST,
    MISREAD,
    NUMBER,
    OMITTED,
    ONE,
    PASSED,
    ROOMS,
    WRONG,
    agent,
    by_lot,
    day_of,
    knowing,
    local,
    moved,
    of_events,
    one_event,
    with_events,
)

_PRIVATE: Final = ("Choir", "Museum", "Gym", "Dentist", "Doctor", "School", "Yoga", "Birthday", "Lunch", "Tour")


def _end_to_the_hour(busy: Busy, facts: Facts) -> Busy:
    return busy._replace(end=busy.end - local(busy.end, facts).minute)


def _noon_as_midnight(busy: Busy, facts: Facts) -> Busy:
    return moved(busy, facts, hours=-12) if local(busy.start, facts).hour == 12 else busy


def _lost_to_other_month(busy: Busy, facts: Facts) -> Busy | None:
    """An entry of the second to the twelfth of a month belongs to another month if the two are swapped."""
    start = local(busy.start, facts)
    return None if start.day <= 12 and start.day != start.month else busy


def _first_by_day(facts: Facts, *, last: bool = False) -> Facts:
    calendars = {}
    for owner, entries in facts.calendars.items():
        by_day = {day_of(one.start, facts): one for one in sorted(entries, reverse=not last)}
        calendars[owner] = [one for one in entries if one not in {*by_day.values()}]
    return replace(facts, calendars=calendars)


def _titles_once(facts: Facts) -> Facts:
    calendars = {
        owner: list({one.title: one for one in sorted(entries, reverse=True)}.values())
        for owner, entries in facts.calendars.items()
    }
    return replace(facts, calendars=calendars)


def _day_free(mind: Mind, facts: Facts) -> Iterator[tuple[dict[str, Any], Facts]]:
    for owner, entries in facts.calendars.items():
        for day in sorted({day_of(one.start, facts) for one in entries}):
            left = [one for one in entries if day_of(one.start, facts) != day]
            yield {"record": mind.calendar_record(owner), "day": str(day)}, with_events(facts, owner, left)


def _block_as_one(mind: Mind, facts: Facts) -> Iterator[tuple[dict[str, Any], Facts]]:
    """Of two events that follow each other without a gap only the first is taken in."""
    for owner, entries in facts.calendars.items():
        for one, following in pairwise(sorted(entries)):
            if one.end == following.start:
                left = [other for other in entries if other != following]
                yield (
                    {"record": mind.calendar_record(owner), "event": following._asdict()},
                    with_events(facts, owner, left),
                )


def _calendar_shifted(mind: Mind, facts: Facts) -> Iterator[tuple[dict[str, Any], Facts]]:
    for owner, entries in facts.calendars.items():
        earlier = [moved(one, facts, hours=-2) for one in entries]
        yield {"record": mind.calendar_record(owner)}, with_events(facts, owner, earlier)


def _majority(_: Mind, facts: Facts) -> Facts:
    """With three or more participants, a time is free if only the one with the most events is busy."""
    if len(facts.calendars) < 3:
        return facts
    busiest = max(facts.calendars, key=lambda owner: len(facts.calendars[owner]))
    return with_events(facts, busiest, [])


AGENTS = (
    agent(
        "event-begins-late",
        "Takes one event to begin half an hour late",
        one_event(lambda busy, _: busy._replace(start=busy.start + 30)),
        *(MISREAD, LOST),
        also=BUSY,
        why="One event was shown and read as shorter; what is missing of it seems free.",
    ),
    agent(
        "event-day-late",
        "Copies one event to the day after its date",
        one_event(lambda busy, facts: moved(busy, facts, days=1)),
        *(MISREAD, LOST),
        also=BUSY,
        why="One event was shown and copied with a wrong date.",
    ),
    agent(
        "back-to-back-lost",
        "Loses the second of two events that follow each other without a gap",
        by_lot(_block_as_one),
        LOST,
        also=(MISREAD, *BUSY),
        why="One event was shown and does not count; one may say that the two were read as a shorter one.",
    ),
    agent(
        "event-drawn-out",
        "Takes one event to last an hour longer than it does",
        one_event(lambda busy, _: busy._replace(end=busy.end + 60)),
        MISREAD,
        also=(PASSED, ONE, NUMBER),
        why="One event was shown and read as longer, so that a free time is passed over.",
    ),
    agent(
        "day-of-one-calendar-free",
        "Takes one participant to be free all day on one day that has events",
        by_lot(_day_free),
        LOST,
        also=(MISREAD, *BUSY, PASSED),
        why="The events of one day were shown and do not count.",
    ),
    agent(
        "ends-to-the-hour",
        "Drops the minutes of the ends of events, so that one until 10:45 ends at 10:00",
        of_events(_end_to_the_hour),
        MISREAD,
        also=(LOST, *BUSY),
        why="Events that end past the hour are read as shorter.",
    ),
    agent(
        "noon-as-midnight",
        "Takes events that start after 12:00 noon to start after midnight",
        of_events(_noon_as_midnight),
        *(MISREAD, LOST),
        also=BUSY,
        why="The events of one hour of the day were shown and read in the other half of the day.",
    ),
    agent(
        "first-event-of-day-lost",
        "Leaves out the first event of each day",
        knowing(lambda _, facts: _first_by_day(facts)),
        LOST,
        also=BUSY,
        why="Many events were shown and do not count.",
    ),
    agent(
        "same-title-once",
        "Counts events with the same title only once, on the first date",
        knowing(lambda _, facts: _titles_once(facts)),
        LOST,
        also=BUSY,
        why="All later events of a title were shown and do not count.",
    ),
    agent(
        "short-events-ignored",
        "Ignores events of half an hour or less",
        of_events(lambda busy, _: busy if busy.end - busy.start > 30 else None),
        LOST,
        also=BUSY,
        why="Short events were shown and do not count.",
    ),
    agent(
        "private-events-ignored",
        "Ignores events that sound private, such as choir practice or a museum tour",
        of_events(lambda busy, _: None if any(word in busy.title for word in _PRIVATE) else busy),
        LOST,
        also=BUSY,
        why="Events with certain titles were shown and do not count.",
    ),
    agent(
        "day-month-confused",
        "Confuses day and month in the dates of events up to the twelfth of a month",
        of_events(_lost_to_other_month),
        *(LOST, MISREAD),
        also=BUSY,
        why="These events were shown and noted in other months, so that their days seem free.",
    ),
    agent(
        "touching-forbidden",
        "Takes a meeting that begins when an event ends, or ends when one begins, to overlap it",
        of_events(lambda busy, _: busy._replace(start=busy.start - 1, end=busy.end + 1)),
        f"{WRONG}:touching",
        also=(f"{WRONG}:buffer_min", f"{ADDED}:buffer", PASSED),
        why="Spans are half-open, and the agent takes both ends of events to be busy.",
    ),
    agent(
        "one-calendar-shifted",
        "Reads one calendar by another time zone, with all its events two hours early",
        by_lot(_calendar_shifted),
        f"{WRONG}:clock",
        also=(MISREAD, LOST, *BUSY, PASSED),
        why="All events of one calendar are off by the same time.",
    ),
    agent(
        "busiest-outvoted",
        "Outvotes the busiest of three or more participants and ignores that calendar",
        knowing(_majority),
        *(f"{OMITTED}:busy", f"{OMITTED}:participant"),
        also=(LOST, f"{BROKEN}:busy"),
        why="The whole calendar of one participant was shown and does not count.",
        levels=ROOMS,
    ),
)

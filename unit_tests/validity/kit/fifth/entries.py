"""Events and bookings that were shown and are taken for others, lost or made up: once, on one day, or by habit."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Busy, Facts, same_person
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fifth.step import (
    BROKEN,
    MISREAD,
    NUMBER,
    OMITTED,
    ONE,
    OVERLOOKED,
    PASSED,
    WEEK,
    agent,
    moved,
    organiser,
)
from unit_tests.validity.kit.fourth.step import (
    WITH_ROOMS,
    WITH_THREADS,
    Change,
    clock,
    every,
    in_window,
    one_booking,
    one_event,
)
from unit_tests.validity.kit.third.steps import bookings, events, remembered
from unit_tests.validity.kit.tools import entry, first_that_matters, with_bookings, with_events

_LOST: Final = f"{OVERLOOKED}:event"
_MISREAD: Final = f"{MISREAD}:event"
_BUSY: Final = (f"{OMITTED}:busy", f"{BROKEN}:busy")
_UNBOOKED: Final = f"{OVERLOOKED}:booking"
_MISBOOKED: Final = f"{MISREAD}:booking"
_BOOKED: Final = (f"{OMITTED}:bookings", f"{BROKEN}:bookings")
_QUARTER: Final = 15
_KEPT: Final = 40
"""Events at either end of a long listing that fit into what the agent keeps of a result."""

_TRAVEL: Final = {"Travel to client", "Travel booking", "Airport transfer", "On-call shift", "Site inspection"}


def _digits_swapped(busy: Busy, facts: Facts) -> Busy:
    hour = clock(busy.start, facts).hour
    swapped = int(f"{hour:02d}"[::-1])
    return moved(busy, facts, timedelta(hours=swapped - hour)) if swapped < 24 else busy


def _quarter_short(busy: Busy, _: Facts) -> Busy:
    return busy._replace(end=max(busy.start + 5, busy.end - _QUARTER))


def _from_afternoon(busy: Busy, facts: Facts) -> Busy:
    return moved(busy, facts, timedelta(hours=-12)) if clock(busy.start, facts).hour > 12 else busy


def _nearest_quarters(busy: Busy, _: Facts) -> Busy | None:
    start, end = ((moment + 7) // _QUARTER * _QUARTER for moment in (busy.start, busy.end))
    return busy._replace(start=start, end=end) if start < end else None


def _five_minutes_given(busy: Busy, _: Facts) -> Busy | None:
    start, end = busy.start + 5, busy.end - 5
    return busy._replace(start=start, end=end) if start < end else None


def _day_of_events(change: Change) -> Plan:
    """Taking the events of one participant on one day otherwise, where it matters."""

    def step(mind: Mind, facts: Facts) -> Facts:
        slips = []
        for owner, entries in facts.calendars.items():
            record = mind.calendar_record(owner)
            for day in sorted({clock(one.start, facts).date() for one in entries if in_window(one, facts)}):
                taken = [change(one, facts) if clock(one.start, facts).date() == day else one for one in entries]
                kept = [one for one in taken if one is not None]
                slips.append(({"record": record, "day": str(day)}, with_events(facts, owner, kept)))
        return first_that_matters(mind, facts, slips)

    return remembered(step)


def _days_swapped(mind: Mind, facts: Facts) -> Facts:
    """The events of one participant on two successive days are swapped, where it matters."""
    slips = []
    for owner, entries in facts.calendars.items():
        record = mind.calendar_record(owner)
        days = sorted({clock(one.start, facts).date() for one in entries if in_window(one, facts)})
        for day, following in pairwise(days):
            by = {day: following - day, following: day - following}
            swapped = [moved(one, facts, by.get(clock(one.start, facts).date(), timedelta(0))) for one in entries]
            slips.append(({"record": record, "days": [str(day), str(following)]}, with_events(facts, owner, swapped)))
    return first_that_matters(mind, facts, slips)


def _gap_closed(mind: Mind, facts: Facts) -> Facts:
    """One event is taken to last until the next one of the same calendar, where it matters."""
    slips = []
    for owner, entries in facts.calendars.items():
        record = mind.calendar_record(owner)
        for one, following in pairwise(sorted(busy for busy in entries if in_window(busy, facts))):
            if one.end < following.start and clock(one.start, facts).date() == clock(following.start, facts).date():
                longer = [*entries, one._replace(end=following.start)]
                slips.append(({"record": record} | entry(one), with_events(facts, owner, longer)))
    return first_that_matters(mind, facts, slips)


def _made_up(mind: Mind, facts: Facts) -> Facts:
    """An event at the time of the first option that no calendar has."""
    options = every(facts)
    if not options:
        return facts
    owner = mind.rng.choice(list(facts.calendars))
    start, end = (round(moment.timestamp()) // 60 for moment in options[0][:2])
    mind.note(made_up=str(options[0].start), of=mind.calendar_record(owner))
    return with_events(facts, owner, [*facts.calendars[owner], Busy(start, end, "Team lunch")])


def _thought_weekly(mind: Mind, facts: Facts) -> Facts:
    """One event is taken to recur in the week after, where it matters."""
    slips = [
        ({"again": entry(again)}, with_events(facts, owner, [*entries, again]))
        for owner, entries in facts.calendars.items()
        for again in (moved(one, facts, WEEK) for one in entries if in_window(one, facts))
    ]
    return first_that_matters(mind, facts, slips)


def _first_week_repeated(mind: Mind, facts: Facts) -> Facts:
    """The events of the first week of the window are taken to recur in each later week, and others are not read."""
    assert facts.request.window is not None
    first, last = facts.request.window.days
    calendars = {}
    for owner, entries in facts.calendars.items():
        week = [one for one in entries if first <= clock(one.start, facts).date() < first + WEEK]
        calendars[owner] = [
            moved(one, facts, WEEK * weeks) for weeks in range((last - first).days // 7 + 2) for one in week
        ]
    mind.note(read="the first week")
    return replace(facts, calendars=calendars)


def _middle_left_out(mind: Mind, facts: Facts) -> Facts:
    """Of a long listing the beginning and the end are kept."""
    calendars = {}
    for owner, entries in facts.calendars.items():
        listed = sorted(entries)
        calendars[owner] = listed if len(listed) <= 2 * _KEPT else [*listed[:_KEPT], *listed[-_KEPT:]]
        mind.note(lost=len(listed) - len(calendars[owner]))
    return replace(facts, calendars=calendars)


def _organiser_flexible(mind: Mind, facts: Facts) -> Facts:
    """The organiser's own events are not compared."""
    who = organiser(mind)
    owners = zip(facts.request.people, facts.calendars, strict=False)
    own = [owner for person, owner in owners if who is not None and same_person(person, who)]
    mind.note(left_out=[mind.calendar_record(owner) for owner in own])
    return replace(facts, calendars={owner: one for owner, one in facts.calendars.items() if owner not in own})


def _day_of_bookings_lost(mind: Mind, facts: Facts) -> Facts:
    """The bookings of one room on one day are lost, where it matters."""
    slips = []
    for room, entries in facts.bookings.items():
        for day in sorted({clock(one.start, facts).date() for one in entries if in_window(one, facts)}):
            left = [one for one in entries if clock(one.start, facts).date() != day]
            slips.append(({"record": f"room_calendar:{room}", "day": str(day)}, with_bookings(facts, room, left)))
    return first_that_matters(mind, facts, slips)


def _unless(ignored: Callable[[Busy, Facts], bool]) -> Change:
    return lambda busy, facts: None if ignored(busy, facts) else busy


def _is_on_weekend(busy: Busy, facts: Facts) -> bool:
    return clock(busy.start, facts).weekday() > 4


AGENTS = (
    agent(
        "event-week-early",
        "Notes one event a week before its date",
        one_event(lambda busy, facts: moved(busy, facts, -WEEK)),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event was shown, and noted for another date; its own time seems free.",
        single=True,
    ),
    agent(
        "event-hour-digits",
        "Swaps the digits of the hour of one event, such as 12 for 21",
        one_event(_digits_swapped),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event was shown, and noted at another hour.",
        single=True,
    ),
    agent(
        "event-ends-quarter-early",
        "Takes one event to end a quarter of an hour before its end",
        one_event(_quarter_short),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event was shown, and read as shorter.",
        single=True,
    ),
    agent(
        "day-of-events-hour-early",
        "Notes the events of one participant on one day an hour early",
        _day_of_events(lambda busy, facts: moved(busy, facts, timedelta(hours=-1))),
        *(_MISREAD, _LOST),
        also=(f"{OMITTED}:busy", f"{BROKEN}:busy", PASSED),
        why="The events of one day were shown, and read at other times.",
        single=True,
    ),
    agent(
        "days-swapped",
        "Notes the events of one participant on two successive days each under the other's date",
        remembered(_days_swapped),
        *(_MISREAD, _LOST),
        also=(*_BUSY, PASSED, NUMBER),
        why="The events of two days were shown, and read with wrong dates.",
        single=True,
    ),
    agent(
        "gap-closed",
        "Takes one event to last until the next one of the same participant begins",
        remembered(_gap_closed),
        _MISREAD,
        also=(PASSED, ONE, NUMBER),
        why="One event was shown, and read as longer than it is, so that a free time is passed over.",
        single=True,
    ),
    agent(
        "event-made-up",
        "Believes in an event at the time of the best option that no calendar has",
        remembered(_made_up),
        also=(PASSED, ONE, NUMBER, "integration.constraint_added"),
        why="No reason says that an entry was made up; that the best time is passed over is true.",
        single=True,
    ),
    agent(
        "event-thought-weekly",
        "Takes one event for a weekly one and blocks the same time in the week after",
        remembered(_thought_weekly),
        also=(_MISREAD, PASSED, ONE, NUMBER, "integration.constraint_added"),
        why="No reason says that a copy of an entry was made up; one may say that the entry was misread.",
        single=True,
    ),
    agent(
        "first-week-repeated",
        "Takes the later weeks of every calendar for copies of the first one",
        remembered(_first_week_repeated),
        *(_MISREAD, _LOST),
        also=(*_BUSY, PASSED, NUMBER, f"{OMITTED}:participant"),
        why="The events of later weeks were shown, and those of the first week count instead.",
    ),
    agent(
        "middle-of-listing-lost",
        "Keeps the first and the last forty events of a long calendar and loses those between",
        remembered(_middle_left_out),
        _LOST,
        also=(*_BUSY, f"{OMITTED}:participant"),
        why="Many events were shown and do not count.",
    ),
    agent(
        "organiser-is-flexible",
        "Does not compare the organiser's own events",
        remembered(_organiser_flexible),
        *(f"{OMITTED}:participant", f"{OMITTED}:busy"),
        also=(_LOST, f"{BROKEN}:busy"),
        why="The calendar of one participant was read and is ignored.",
        levels=WITH_THREADS,
    ),
    agent(
        "five-minutes-given",
        "Lets an option reach five minutes into an event at either end",
        events(_five_minutes_given),
        _MISREAD,
        also=(_LOST, *_BUSY, "integration.value_wrong:buffer_min", "integration.value_wrong:touching"),
        why="All events count for shorter than they are.",
    ),
    agent(
        "events-to-nearest-quarter",
        "Rounds the times of events to the nearest quarter of an hour",
        events(_nearest_quarters),
        _MISREAD,
        also=(_LOST, *_BUSY, PASSED, "integration.value_wrong:buffer_min"),
        why="Events that begin or end between two quarters are read with other times.",
    ),
    agent(
        "travel-is-free",
        "Takes travelling, transfers and shifts on call for time in which one can meet",
        events(_unless(lambda busy, _: busy.title in _TRAVEL)),
        _LOST,
        also=_BUSY,
        why="Events with some titles were shown and do not count.",
    ),
    agent(
        "booking-half-hour-short",
        "Takes one booking to end half an hour before its end",
        one_booking(lambda busy, _: busy._replace(end=max(busy.start + 5, busy.end - 30))),
        *(_MISBOOKED, _UNBOOKED),
        also=_BOOKED,
        why="One booking was shown, and read as shorter.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "booking-in-the-night",
        "Notes one booking of the afternoon twelve hours early",
        one_booking(_from_afternoon),
        *(_MISBOOKED, _UNBOOKED),
        also=_BOOKED,
        why="One booking was shown, and noted in the other half of the day.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "day-of-bookings-lost",
        "Does not notice the bookings of one room on one day",
        remembered(_day_of_bookings_lost),
        _UNBOOKED,
        also=(_MISBOOKED, *_BOOKED),
        why="The bookings of one day were shown and do not count.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "bookings-off-at-weekends",
        "Takes all rooms for free on Saturdays and Sundays",
        bookings(_unless(_is_on_weekend)),
        *(_UNBOOKED, f"{OMITTED}:bookings"),
        also=(f"{BROKEN}:bookings",),
        why="Bookings of two weekdays were shown and do not count.",
        levels=WITH_ROOMS,
    ),
    agent(
        "short-bookings-free",
        "Does not count bookings of less than an hour",
        bookings(_unless(lambda busy, _: busy.end - busy.start < 60)),
        _UNBOOKED,
        also=_BOOKED,
        why="Short bookings were shown and do not count.",
        levels=WITH_ROOMS,
    ),
)

"""Single slips at what was read: one event or one booking, each where it matters."""

from dataclasses import replace

from mpcbench.benchmark.agents.reference.facts import Busy, Facts
from mpcbench.benchmark.agents.reference.integrate import choose
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import (
    DAY,
    HOUR,
    WITH_ROOMS,
    Change,
    agent,
    by_lot,
    clock,
    in_window,
    one_booking,
    one_event,
)

_LOST = "integration.record_overlooked:event"
_MISREAD = "integration.record_misread:event"
_BUSY = ("integration.constraint_omitted:busy", "observed.condition_broken:busy")
_UNBOOKED = "integration.record_overlooked:booking"
_MISBOOKED = "integration.record_misread:booking"
_BOOKED = ("integration.constraint_omitted:bookings", "observed.condition_broken:bookings")


def _shifted(by: int) -> Change:
    return lambda busy, _: busy._replace(start=busy.start + by, end=busy.end + by)


def _hour_of_end(busy: Busy, facts: Facts) -> Busy:
    end = busy.end - clock(busy.end, facts).minute
    return busy._replace(end=end) if end > busy.start else busy


def _an_hour_long(busy: Busy, _: Facts) -> Busy:
    return busy._replace(end=min(busy.end, busy.start + HOUR))


def _half_an_hour_late(busy: Busy, _: Facts) -> Busy:
    return busy._replace(start=min(busy.start + HOUR // 2, busy.end - 1))


def _in_the_morning(busy: Busy, facts: Facts) -> Busy:
    by = DAY // 2 if clock(busy.start, facts).hour > 12 else 0
    return busy._replace(start=busy.start - by, end=busy.end - by)


def _beside(busy: Busy, facts: Facts) -> list[Busy]:
    """The entries of the same calendar in the window, oldest first."""
    own = next(entries for entries in facts.calendars.values() if busy in entries)
    return sorted(one for one in own if in_window(one, facts))


def _not_last_of_its_day(busy: Busy, facts: Facts) -> Busy | None:
    day = clock(busy.start, facts).date()
    later = [one for one in _beside(busy, facts) if one > busy and clock(one.start, facts).date() == day]
    return busy if later else None


def _not_second_of_two(busy: Busy, facts: Facts) -> Busy | None:
    return None if any(one.end == busy.start for one in _beside(busy, facts)) else busy


def _not_met_before(busy: Busy, facts: Facts) -> Busy | None:
    return None if any(one.title == busy.title and one < busy for one in _beside(busy, facts)) else busy


def _day_of_events_lost(mind: Mind, facts: Facts) -> Facts:
    right = choose(facts)
    days = [
        (owner, clock(one.start, facts).date())
        for owner, entries in facts.calendars.items()
        for one in entries
        if in_window(one, facts)
    ]
    for owner, day in by_lot(mind, sorted({*days})):
        left = [one for one in facts.calendars[owner] if clock(one.start, facts).date() != day]
        slipped = replace(facts, calendars={**facts.calendars, owner: left})
        if choose(slipped) != right:
            mind.note(record=mind.calendar_record(owner), day=str(day))
            return slipped
    return facts


def _booking_of_neighbour(mind: Mind, facts: Facts) -> Facts:
    right, rooms = choose(facts), list(facts.bookings)
    places = [(room, one) for room in rooms for one in facts.bookings[room] if in_window(one, facts)]
    for room, busy in by_lot(mind, places):
        other = rooms[(rooms.index(room) + 1) % len(rooms)]
        moved = {**facts.bookings, other: [*facts.bookings[other], busy]}
        moved[room] = [one for one in moved[room] if one != busy]
        slipped = replace(facts, bookings=moved)
        if choose(slipped) != right:
            mind.note(booking=busy.title, of=room, taken_for_one_of=other)
            return slipped
    return facts


AGENTS = (
    agent(
        "event-ends-on-the-hour",
        "Takes one event to end at the last full hour before its end",
        one_event(_hour_of_end),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="The end of one event lost its minutes: it was shown, and read with another end.",
        single=True,
    ),
    agent(
        "event-lasts-one-hour",
        "Takes one long event to last an hour",
        one_event(_an_hour_long),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event is assumed to have the usual length: it was shown, and read as shorter.",
        single=True,
    ),
    agent(
        "event-begins-late",
        "Takes one event to begin half an hour late",
        one_event(_half_an_hour_late),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event was shown, and read with another start.",
        single=True,
    ),
    agent(
        "event-day-before",
        "Takes one event to be on the day before",
        one_event(_shifted(-DAY)),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event was shown, and noted one day off; its own day seems free.",
        single=True,
    ),
    agent(
        "event-before-noon",
        "Takes one event of the afternoon to be twelve hours earlier",
        one_event(_in_the_morning),
        *(_MISREAD, _LOST),
        also=_BUSY,
        why="One event was shown, and noted at a time of the other half of the day.",
        single=True,
    ),
    agent(
        "last-event-of-day-lost",
        "Does not notice the last event of one day of one participant",
        one_event(_not_last_of_its_day),
        _LOST,
        also=(_MISREAD, *_BUSY),
        why="One event was shown and not taken into account.",
        single=True,
    ),
    agent(
        "second-of-two-lost",
        "Does not notice the second of two events that follow without a break, once",
        one_event(_not_second_of_two),
        _LOST,
        also=(_MISREAD, "integration.record_misread:overlap", *_BUSY),
        why="One event was shown and not taken into account; one may also say that the two were merged wrongly.",
        single=True,
    ),
    agent(
        "same-title-lost",
        "Takes one event for a repetition of an earlier one with the same title, and drops it",
        one_event(_not_met_before),
        _LOST,
        also=(_MISREAD, *_BUSY),
        why="One event was shown and not taken into account.",
        single=True,
    ),
    agent(
        "day-of-events-lost",
        "Does not notice the events of one participant on one day",
        Plan(facts=_day_of_events_lost),
        _LOST,
        also=(_MISREAD, *_BUSY),
        why="The events of one day were shown and not taken into account.",
        single=True,
    ),
    agent(
        "booking-of-neighbour",
        "Notes one booking for the next room instead of its own",
        Plan(facts=_booking_of_neighbour),
        *(_UNBOOKED, _MISBOOKED),
        also=(*_BOOKED, "observed.passed_over:room"),
        why="One booking was shown, and is missing where it belongs.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "booking-ends-on-the-hour",
        "Takes one booking to end at the last full hour before its end",
        one_booking(_hour_of_end),
        *(_MISBOOKED, _UNBOOKED),
        also=_BOOKED,
        why="The end of one booking lost its minutes: it was shown, and read with another end.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "booking-week-late",
        "Notes one booking a week late",
        one_booking(_shifted(7 * DAY)),
        *(_MISBOOKED, _UNBOOKED),
        also=_BOOKED,
        why="One booking was shown, and noted for another date.",
        levels=WITH_ROOMS,
        single=True,
    ),
)

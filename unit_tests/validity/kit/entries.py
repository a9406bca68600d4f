"""Single slips at one event or one booking that was read."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from mpcbench.benchmark.agents.reference.facts import Busy, Facts
from unit_tests.validity.kit.core import Mind, Plan, Slip, flawed
from unit_tests.validity.kit.tools import (
    booking_slip,
    event_slip,
    every_booking,
    every_event,
    first_that_matters,
    iso,
    local,
    with_bookings,
    with_events,
)

_DAY = 24 * 60
_HOUR = 60
_SHORT = 30
Change = Callable[[Busy], Busy | None]
"""What becomes of an entry; None if it is overlooked."""


def _changed(entries: Sequence[Busy], one: Busy, new: Busy | None) -> list[Busy]:
    return [kept for entry in entries for kept in ([new] if entry is one else [entry]) if kept is not None]


def _read_as(new: Busy | None) -> Slip:
    return {"what": "overlooked"} if new is None else {"what": "misread", "as": [iso(new.start), iso(new.end)]}


def _one_event(change: Change, suits: Callable[[Busy, Facts], bool] = lambda *_: True) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        slips = []
        for owner, event in every_event(facts):
            if suits(event, facts):
                new = change(event)
                changed = with_events(facts, owner, _changed(facts.calendars[owner], event, new))
                slips.append((event_slip(mind, owner, event) | _read_as(new), changed))
        return first_that_matters(mind, facts, slips)

    return Plan(facts=slip)


def _one_booking(change: Change) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        slips = []
        for room_id, booking in every_booking(facts):
            new = change(booking)
            changed = with_bookings(facts, room_id, _changed(facts.bookings[room_id], booking, new))
            slips.append((booking_slip(room_id, booking) | _read_as(new), changed))
        return first_that_matters(mind, facts, slips)

    return Plan(facts=slip)


def _one_calendar_day(mind: Mind, facts: Facts) -> Facts:
    """Skips one day of one calendar, as if its line had been jumped over."""
    days = dict.fromkeys((owner, local(event.start, facts.zone).date()) for owner, event in every_event(facts))
    slips = []
    for owner, day in days:
        kept = [event for event in facts.calendars[owner] if local(event.start, facts.zone).date() != day]
        changed = with_events(facts, owner, kept)
        slips.append(({"record": mind.calendar_record(owner), "day": str(day), "what": "overlooked"}, changed))
    return first_that_matters(mind, facts, slips)


def _one_room(mind: Mind, facts: Facts) -> Facts:
    """Takes one room for free throughout, although its bookings were read."""
    slips = [
        ({"record": f"room_calendar:{room_id}", "what": "overlooked"}, with_bookings(facts, room_id, ()))
        for room_id in facts.bookings
    ]
    return first_that_matters(mind, facts, slips)


def _swapped_bookings(mind: Mind, facts: Facts) -> Facts:
    """Attributes the bookings of two rooms to each other."""
    rooms = sorted(facts.bookings)
    slips = []
    for first, second in pairwise(rooms):
        swapped = {first: facts.bookings[second], second: facts.bookings[first]}
        changed = replace(facts, bookings=facts.bookings | swapped)
        slips.append(({"record": f"room_calendar:{first}", "other": f"room_calendar:{second}"}, changed))
    return first_that_matters(mind, facts, slips)


def _last_listed(mind: Mind, facts: Facts) -> Facts:
    """Leaves the last third of one calendar out, as long lists are often copied without their end."""
    slips = []
    for owner, events in facts.calendars.items():
        kept = sorted(events)[: -(-2 * len(events) // 3)]
        if len(kept) < len(events):
            first_lost = sorted(events)[len(kept)]
            note = event_slip(mind, owner, first_lost) | {"what": f"the last {len(events) - len(kept)} overlooked"}
            slips.append((note, with_events(facts, owner, kept)))
    return first_that_matters(mind, facts, slips)


def _is_short(event: Busy, _: Facts) -> bool:
    return event.end - event.start <= _SHORT


def _is_odd(event: Busy, _: Facts) -> bool:
    return event.start % 15 != 0


def _is_first_of_day(event: Busy, facts: Facts) -> bool:
    day = local(event.start, facts.zone).date()
    return not any(
        event in events and any(one < event and local(one.start, facts.zone).date() == day for one in events)
        for events in facts.calendars.values()
    )


def _moved(minutes: int) -> Change:
    return lambda event: event._replace(start=event.start + minutes, end=event.end + minutes)


_event = partial(flawed, lead="The calendar and the event of the slip", single=True)
_booking = partial(flawed, lead="The bookings of the room of the slip", levels=(3,), single=True)

_BUSY = "integration.constraint_omitted:busy"
_BOOKED = "integration.constraint_omitted:bookings"
_EVENT_VALUE = "the event with a wrong time"
_BOOKING_VALUE = "the booking with a wrong time"

AGENTS = (
    _event("event-overlooked", "Overlooks one event of a calendar that it read.", _one_event(lambda _: None), (_BUSY,)),
    _event(
        "short-event-overlooked",
        "Overlooks one event of at most half an hour.",
        _one_event(lambda _: None, _is_short),
        (_BUSY,),
    ),
    _event(
        "odd-event-overlooked",
        "Overlooks one event that does not start at a quarter of an hour.",
        _one_event(lambda _: None, _is_odd),
        (_BUSY,),
    ),
    _event(
        "first-event-overlooked",
        "Overlooks the first event of a day in one calendar.",
        _one_event(lambda _: None, _is_first_of_day),
        (_BUSY,),
    ),
    _event(
        "event-on-next-day",
        "Reads one event as a day later than it is.",
        _one_event(_moved(_DAY)),
        (_BUSY,),
        _EVENT_VALUE,
    ),
    _event(
        "event-hour-late",
        "Reads one event as an hour later than it is.",
        _one_event(_moved(_HOUR)),
        (_BUSY,),
        _EVENT_VALUE,
    ),
    _event(
        "event-half-as-long",
        "Takes one event for half as long as it is.",
        _one_event(lambda event: event._replace(end=(event.start + event.end) // 2)),
        (_BUSY,),
        _EVENT_VALUE,
    ),
    _event(
        "event-in-afternoon",
        "Reads one event's time as 12 hours off (am for pm).",
        _one_event(lambda event: _moved(_DAY // 2 if event.start % _DAY < _DAY // 2 else -_DAY // 2)(event)),
        (_BUSY,),
        _EVENT_VALUE,
    ),
    _event(
        "calendar-day-skipped", "Skips one day of one calendar.", Plan(facts=_one_calendar_day), (_BUSY,), single=False
    ),
    _event(
        "calendar-end-cut",
        "Leaves the last third of one calendar out.",
        Plan(facts=_last_listed),
        (_BUSY,),
        single=False,
    ),
    _booking(
        "booking-overlooked",
        "Overlooks one booking of a room.",
        _one_booking(lambda _: None),
        (_BOOKED,),
    ),
    _booking(
        "booking-on-next-day",
        "Reads one booking as a day later than it is.",
        _one_booking(_moved(_DAY)),
        (_BOOKED,),
        _BOOKING_VALUE,
    ),
    _booking(
        "booking-hour-early",
        "Reads one booking as an hour earlier than it is.",
        _one_booking(_moved(-_HOUR)),
        (_BOOKED,),
        _BOOKING_VALUE,
    ),
    _booking(
        "room-taken-for-free",
        "Ignores all bookings of one room.",
        Plan(facts=_one_room),
        (_BOOKED,),
        single=False,
    ),
    _booking(
        "bookings-swapped",
        "Mixes up the bookings of two rooms.",
        Plan(facts=_swapped_bookings),
        (_BOOKED,),
        "the bookings of one room taken for another's",
        single=False,
    ),
)
"""The agents of this module."""

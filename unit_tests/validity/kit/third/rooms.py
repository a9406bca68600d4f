"""Rooms whose seats, equipment, bookings or order were read and then taken for others."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request, Room
from mpcbench.benchmark.agents.reference.grammar_policy import RoomPause
from mpcbench.benchmark.agents.reference.integrate import Option, room_choices
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.third.steps import Step, bookings, remembered, requested
from unit_tests.validity.kit.tools import (
    every_booking,
    local,
    options_of,
    ordered_slots,
    top,
    with_bookings,
    with_request,
)

_ALIKE = (
    {"projector", "interactive display"},
    {"whiteboard", "flip chart"},
    {"conference phone", "video conferencing"},
    {"sound system", "lectern"},
)
_CLOSED = {"Maintenance", "Reserved", "Project room"}


def _guests(change: Callable[[Request], int]) -> Plan:
    """The plan that counts other guests among the heads to be seated."""

    def step(mind: Mind, request: Request) -> Request:
        guests = change(request)
        if mind.level < 3 or guests == request.guests:
            return request
        mind.note(record=mind.record_of(Kind.GUESTS), right=request.guests, used=guests)
        return replace(request, guests=guests)

    return requested(step)


def _first_guests(mind: Mind, request: Request) -> Request:
    """Keeps the number of guests that was said first."""
    said = [heard.value for heard, _ in mind.said if heard.kind is Kind.GUESTS]
    if not said or said[0] == request.guests:
        return request
    mind.note(record=mind.record_of(Kind.GUESTS), right=request.guests, used=said[0])
    return replace(request, guests=said[0])


def _equipped(suits: Callable[[set[str], Room], bool]) -> Plan:
    """The plan that looks for rooms without regard to their equipment and then judges that in its own way."""

    def unasked(_: Mind, request: Request) -> Request:
        return replace(request, equipment=[])

    def step(mind: Mind, facts: Facts) -> Facts:
        wanted = {item for heard, _ in mind.said if heard.kind is Kind.EQUIPMENT for item in heard.value}
        rooms = [room for room in facts.rooms or () if suits(wanted, room)]
        mind.note(
            record=mind.record_of(Kind.EQUIPMENT),
            taken=[room.room_id for room in rooms if not wanted <= {*room.equipment}],
        )
        return facts if facts.rooms is None else replace(facts, rooms=rooms)

    return Plan(request=unasked, facts=step)


def _has_like(item: str, room: Room) -> bool:
    alike = next((group for group in _ALIKE if item in group), {item})
    return bool(alike & {*room.equipment})


def _order(change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Plan:
    """The plan that ranks the rooms of a slot by other keys."""

    def step(mind: Mind, facts: Facts) -> Facts:
        order = facts.request.room_order
        if facts.rooms is None or change(order) == order:
            return facts
        mind.note(record=mind.record_of(Kind.ROOM_ORDER), right=str(order), used=str(change(order)))
        return with_request(facts, room_order=change(order))

    return remembered(step)


def _renamed(key: str, name: Callable[[Room], str]) -> Step:
    """Ranks rooms by a made-up name where they are to be ranked by a key."""

    def step(mind: Mind, facts: Facts) -> Facts:
        order = facts.request.room_order
        if facts.rooms is None or "name" in order or (key and key not in order):
            return facts
        mind.note(record=mind.record_of(Kind.ROOM_ORDER), right=str(order))
        rooms = [room._replace(name=name(room)) for room in facts.rooms]
        keys = tuple("name" if one == key else one for one in order) if key else (*order, "name")
        return with_request(replace(facts, rooms=rooms), room_order=keys)

    return step


def _first_of_day(mind: Mind, facts: Facts) -> Facts:
    """Counts only the first booking of each day of a room."""
    kept = facts
    for room, listed in facts.bookings.items():
        days = {local(booking.start, facts.zone).date(): booking for booking in sorted(listed, reverse=True)}
        kept = with_bookings(kept, room, days.values())
    mind.note(lost=len(every_booking(facts)) - len(every_booking(kept)))
    return kept


def _starts_free(_: Mind, facts: Facts) -> list[Option]:
    """Takes a room for free if no booking covers the start of the meeting."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, RoomPause)), default=0)
    places = [room for room, _ in room_choices(facts)]
    if facts.rooms is None:
        return top(facts, options_of(facts, ordered_slots(facts)))

    def free() -> Iterator[Option]:
        for slot in ordered_slots(facts):
            for room in places:
                listed = facts.bookings.get(room or "", ())
                if not any(one.start - margin <= slot.start < one.end + margin for one in listed):
                    yield Option(local(slot.start, facts.zone), local(slot.end, facts.zone), room)

    return top(facts, free())


_agent = partial(flawed, lead="The room or its record with the value used", levels=(3,))

_VALUE = "integration.value_wrong"
_OMITTED = "integration.constraint_omitted"
_TIE = "integration.ranking:tie_break"
_SEATS = (f"{_VALUE}:capacity", f"{_VALUE}:guests")
_BOOKING = "integration.record_overlooked:booking"

LARGER_ROOM = _guests(lambda request: request.guests + 1)
HEADS_TAKEN_FOR_ALL = _guests(lambda request: max(0, request.guests - len(request.people)))
FIRST_GUESTS = requested(_first_guests)
ANY_EQUIPMENT = _equipped(lambda wanted, room: not wanted or bool(wanted & {*room.equipment}))
SECOND_KEY_LOST = _order(lambda order: order[:1])
ASCENDING = _order(lambda order: tuple(key.removeprefix("-") for key in order))
SMALLEST_FIRST = _order(lambda _: ("capacity",))
FIRST_OF_DAY = remembered(_first_of_day)

AGENTS = (
    _agent(
        "k4-guests-taken-for-all-heads",
        "Takes the number of guests for the number of all who need a seat, if it is the larger one.",
        HEADS_TAKEN_FOR_ALL,
        _SEATS,
        f"{_OMITTED}:capacity",
        f"{_OMITTED}:guests",
    ),
    _agent("k4-guests-unamended", _first_guests.__doc__ or "", FIRST_GUESTS, _SEATS, f"{_OMITTED}:guests"),
    _agent("k4-one-seat-spare", "Wants a seat more than there are people.", LARGER_ROOM, _SEATS),
    _agent(
        "k4-equipment-any",
        "Is content with a room that has any of the equipment asked for.",
        ANY_EQUIPMENT,
        (f"{_OMITTED}:equipment", f"{_VALUE}:equipment"),
    ),
    _agent(
        "k4-equipment-alike",
        "Takes equipment for something alike, such as a flip chart for a whiteboard.",
        _equipped(lambda wanted, room: all(_has_like(item, room) for item in wanted)),
        (f"{_OMITTED}:equipment", f"{_VALUE}:equipment"),
    ),
    _agent(
        "k4-second-key-lost",
        "Ranks rooms by the first key only, then by ID.",
        SECOND_KEY_LOST,
        (_TIE,),
        "observed.passed_over:room",
    ),
    _agent(
        "k4-descending-lost",
        "Ranks rooms by ascending values where descending ones are asked for.",
        ASCENDING,
        (_TIE,),
        "observed.passed_over:room",
    ),
    _agent(
        "k4-smallest-room-first",
        "Prefers the smallest room whatever order is asked for.",
        SMALLEST_FIRST,
        (_TIE,),
        "observed.passed_over:room",
    ),
    _agent(
        "k4-seats-as-text",
        "Compares numbers of seats as texts, so that 10 comes before 6.",
        remembered(_renamed("capacity", lambda room: str(room.capacity))),
        (_TIE,),
        "observed.passed_over:room",
    ),
    _agent(
        "k4-highest-room-id",
        "Prefers the highest room ID where the keys are equal.",
        remembered(_renamed("", lambda room: f"{999 - int(room.room_id[1:]):03d}")),
        (_TIE,),
        "observed.passed_over:room",
    ),
    _agent(
        "k4-first-booking-of-day",
        _first_of_day.__doc__ or "",
        FIRST_OF_DAY,
        (_BOOKING,),
        f"{_OMITTED}:bookings",
    ),
    _agent(
        "k4-closures-ignored",
        "Does not count bookings whose title names no meeting, such as maintenance.",
        bookings(lambda booking, _: None if booking.title in _CLOSED else booking),
        (_BOOKING,),
        f"{_OMITTED}:bookings",
    ),
    _agent(
        "k4-room-free-at-start",
        _starts_free.__doc__ or "",
        Plan(choose=_starts_free),
        ("integration.starts_only:bookings",),
        _BOOKING,
    ),
    _agent(
        "k4-bookings-half-hour-longer",
        "Takes every booking for half an hour longer than it is.",
        bookings(lambda booking, _: booking._replace(end=booking.end + 30)),
        ("integration.record_misread:booking",),
        f"{_VALUE}:room_turnaround",
        "integration.constraint_added:buffer",
        "integration.constraint_added:policy",
        "observed.passed_over",
    ),
    _agent(
        "k4-booking-half-hour-early",
        "Reads every booking half an hour early.",
        bookings(lambda booking, _: booking._replace(start=booking.start - 30, end=booking.end - 30)),
        ("integration.record_misread:booking",),
        f"{_VALUE}:clock",
        _BOOKING,
    ),
)
"""The agents of this module."""

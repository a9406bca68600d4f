"""Flaws in the demands on the room: seats, equipment, site and the order of rooms."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request
from mpcbench.benchmark.agents.reference.integrate import room_choices
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.tools import with_request


def _seats(difference: int) -> Plan:
    """So many seats more are asked for; bookings of the rooms added are as yet unread, so they are fetched."""

    def slip(mind: Mind, request: Request) -> Request:
        mind.note(record=mind.record_of(Kind.GUESTS), seats=difference, right=len(request.people) + request.guests)
        return replace(request, guests=request.guests + difference)

    return Plan(request=slip)


def _no_guests(mind: Mind, request: Request) -> Request:
    if request.guests:
        mind.note(record=mind.record_of(Kind.GUESTS), right=request.guests, used=0)
    return replace(request, guests=0)


def _guests_only(mind: Mind, request: Request) -> Request:
    """Counts seats for the visitors and forgets those of the participants."""
    mind.note(right=len(request.people) + request.guests, used=request.guests)
    return replace(request, guests=request.guests - len(request.people))


def _one_item_lost(mind: Mind, request: Request) -> Request:
    if not request.equipment:
        return request
    item = mind.rng.choice(request.equipment)
    mind.note(record=mind.record_of(Kind.EQUIPMENT), lost=item)
    return replace(request, equipment=[one for one in request.equipment if one != item])


def _equipment_lost(mind: Mind, request: Request) -> Request:
    if request.equipment:
        mind.note(record=mind.record_of(Kind.EQUIPMENT), lost=request.equipment)
    return replace(request, equipment=[])


def _site_lost(mind: Mind, request: Request) -> Request:
    if request.site is not None:
        mind.note(record=mind.record_of(Kind.SITE), lost=request.site)
    return replace(request, site=None)


def _order(change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        right = facts.request.room_order
        wrong = with_request(facts, room_order=change(right))
        if [room for room, _ in room_choices(wrong)] != [room for room, _ in room_choices(facts)]:
            mind.note(record=mind.record_of(Kind.ROOM_ORDER), right=list(right), used=list(change(right)))
        return wrong

    return Plan(facts=slip)


def _turned(keys: tuple[str, ...]) -> tuple[str, ...]:
    """With the first key in the opposite order."""
    first = {"capacity": "-capacity", "-capacity": "capacity", "floor": "-floor", "-floor": "floor"}
    return (first.get(keys[0], keys[0]), *keys[1:]) if keys else keys


_agent = partial(flawed, lead="The statement or record of the slip", levels=(3,))

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"
_TIE = "integration.ranking:tie_break"

AGENTS = (
    _agent(
        "seat-too-many",
        "Asks for one seat too many.",
        _seats(1),
        (f"{_VALUE}:capacity", f"{_VALUE}:guests"),
        "one seat",
    ),
    _agent(
        "seat-too-few",
        "Asks for one seat too few.",
        _seats(-1),
        (f"{_VALUE}:capacity", f"{_VALUE}:guests"),
        f"{_OMITTED}:capacity",
        "one seat",
    ),
    _agent(
        "visitors-without-seats",
        "Forgets the seats of the visitors.",
        Plan(request=_no_guests),
        (f"{_VALUE}:guests", f"{_VALUE}:capacity", f"{_OMITTED}:guests"),
        f"{_OMITTED}:capacity",
    ),
    _agent(
        "participants-without-seats",
        "Counts seats for the visitors only.",
        Plan(request=_guests_only),
        (f"{_OMITTED}:capacity", f"{_VALUE}:capacity"),
        f"{_VALUE}:guests",
    ),
    _agent(
        "equipment-item-lost",
        "Drops one item of the equipment.",
        Plan(request=_one_item_lost),
        (f"{_OMITTED}:equipment", f"{_VALUE}:equipment"),
    ),
    _agent("equipment-lost", "Drops all of the equipment.", Plan(request=_equipment_lost), (f"{_OMITTED}:equipment",)),
    _agent("site-lost", "Forgets the site.", Plan(request=_site_lost), (f"{_OMITTED}:site",)),
    _agent("tie-break-turned", "Sorts rooms by the first key in the opposite order.", _order(_turned), (_TIE,)),
    _agent("tie-break-first-key", "Sorts rooms by the first key only.", _order(lambda keys: keys[:1]), (_TIE,)),
    _agent(
        "tie-break-swapped", "Sorts rooms by the second key before the first.", _order(lambda keys: keys[::-1]), (_TIE,)
    ),
    _agent("tie-break-room-id", "Sorts rooms by their IDs only.", _order(lambda _: ()), (_TIE,)),
    _agent("tie-break-by-size", "Always prefers the smallest room.", _order(lambda _: ("capacity",)), (_TIE,)),
)
"""The agents of this module."""

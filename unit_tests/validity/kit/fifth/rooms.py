"""Rooms that are misread, left out or ranked in another order."""

from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo
from itertools import groupby, pairwise
from typing import Any, Final

from mpcbench.benchmark.agents.reference.acquire import acquire, suitable_rooms
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request, Room
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fifth.step import (
    ADDED,
    BROKEN,
    HABIT,
    NUMBER,
    OMITTED,
    PASSED,
    RANKING,
    TIES,
    WRONG,
    agent,
    organiser,
)
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, every, recalled
from unit_tests.validity.kit.third.steps import remembered

_KEYS: Final = {"capacity": "floor", "-capacity": "-floor", "floor": "capacity", "-floor": "-capacity"}


def _kept(keeps: Callable[[Facts], Callable[[Room], bool]]) -> Plan:
    """Considering only some of the suitable rooms."""

    def step(mind: Mind, facts: Facts) -> Facts:
        keep = keeps(facts)
        left_out = [room for room in suitable_rooms(facts) if not keep(room)]
        mind.note(rooms_left_out=[room.room_id for room in left_out])
        return replace(facts, rooms=[room for room in facts.rooms or () if room not in left_out])

    return remembered(step)


def _is_smallest(facts: Facts) -> Callable[[Room], bool]:
    least = min((room.capacity for room in suitable_rooms(facts)), default=0)
    return lambda room: room.capacity == least


def _at_site_of_organiser(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
    facts, who = acquire(desk, request, zone), organiser(mind)
    if who is None or request.site is not None:
        return facts
    desk.next_turn()
    rows = desk.call_json("search_people", name=who.name)["people"]
    site = next(row["site"] for row in rows if who.team in (None, row["team"]))
    mind.note(site=site)
    return replace(facts, rooms=[room for room in facts.rooms or () if room.site == site])


def _without_equipment(_: Mind, request: Request) -> Request:
    return replace(request, equipment=[])


def _row_off(mind: Mind, facts: Facts) -> Facts:
    """The equipment of each room is read from the row below."""
    wanted = {item for one, _ in mind.said if one.kind is Kind.EQUIPMENT for item in one.value}
    rooms = facts.rooms or []
    below = {room: following.equipment for room, following in pairwise(rooms)}
    taken = [room for room in rooms if wanted <= {*below.get(room, room.equipment)}]
    mind.note(record=mind.record_of(Kind.EQUIPMENT), taken=[room.room_id for room in taken])
    return replace(facts, rooms=taken)


def _sorted_anew(key: Callable[[Room], Any]) -> Plan:
    """The rooms of each time in another order."""

    def step(_: Mind, facts: Facts) -> list[Option]:
        rooms = {room.room_id: room for room in facts.rooms or ()}
        times = groupby(every(facts), key=lambda one: one.start)
        anew = [one for _, same in times for one in sorted(same, key=lambda one: key(rooms[one.room_id or ""]))]
        return anew[: facts.request.count]

    return Plan(choose=step)


def _from_z(_: Mind, facts: Facts) -> list[Option]:
    """Names in the opposite of alphabetical order."""
    options = every(facts)
    if facts.request.room_order == ("name",):
        times = groupby(options, key=lambda one: one.start)
        options = [one for _, same in times for one in reversed(list(same))]
    return options[: facts.request.count]


def _hour_then_room(_: Mind, facts: Facts) -> list[Option]:
    """Options of the same hour are sorted by their rooms, and only then by their starts."""
    hours = groupby(every(facts), key=lambda one: (one.start.date(), one.start.hour))
    order = [room.room_id for room in sorted(suitable_rooms(facts), key=_rank(facts))]
    anew = [one for _, same in hours for one in sorted(same, key=lambda one: order.index(one.room_id or ""))]
    return anew[: facts.request.count]


def _rank(facts: Facts) -> Callable[[Room], tuple[Any, ...]]:
    def value(room: Room, key: str) -> Any:
        return -getattr(room, key[1:]) if key.startswith("-") else getattr(room, key)

    return lambda room: (*(value(room, key) for key in facts.request.room_order), room.room_id)


AGENTS = (
    agent(
        "smallest-rooms-only",
        "Considers only the smallest of the rooms that are large enough",
        _kept(_is_smallest),
        *(f"{ADDED}:capacity", ADDED, HABIT),
        also=(PASSED, f"{WRONG}:capacity", TIES, NUMBER),
        why="Larger rooms are left out, which nobody asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "lower-floors-only",
        "Considers only rooms on the ground floor and the first floor",
        _kept(lambda _: lambda room: room.floor < 2),
        ADDED,
        also=(PASSED, HABIT),
        why="Rooms on higher floors are left out, which nobody asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "site-of-organiser",
        "Considers only rooms at the organiser's own site if no site is asked for",
        Plan(acquire=_at_site_of_organiser),
        f"{ADDED}:site",
        also=(ADDED, PASSED, HABIT, NUMBER),
        why="Rooms at other sites are left out, which nobody asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "equipment-a-row-off",
        "Reads the equipment of each room in the row below",
        Plan(request=_without_equipment, facts=_row_off),
        *(f"{WRONG}:equipment", f"{OMITTED}:equipment"),
        also=(f"{BROKEN}:equipment", PASSED, BROKEN),
        why="Rooms are taken that lack a piece of equipment, and others that have all of it are not.",
        levels=WITH_ROOMS,
    ),
    agent(
        "floor-for-seats",
        "Ranks rooms by floor where seats are asked for, and by seats where the floor is",
        recalled(lambda one: replace(one, room_order=tuple(_KEYS.get(key, key) for key in one.room_order))),
        TIES,
        also=(PASSED, f"{WRONG}:order"),
        why="The rooms of a time are ranked by another key than asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "names-from-z",
        "Ranks rooms by name from Z to A",
        Plan(choose=_from_z),
        TIES,
        also=(PASSED, f"{WRONG}:order"),
        why="The direction of the ranking of rooms is misread.",
        levels=WITH_ROOMS,
    ),
    agent(
        "best-equipped-first",
        "Prefers the rooms with most equipment at each time",
        _sorted_anew(lambda room: -len(room.equipment)),
        TIES,
        also=(PASSED, HABIT),
        why="The rooms of a time are ranked by something that nobody asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "hour-then-room",
        "Sorts the options of an hour by room first and by start second",
        Plan(choose=_hour_then_room),
        *(TIES, RANKING, f"{HABIT}:room_before_time"),
        also=(PASSED, HABIT),
        why="The order of the rooms counts before the start, though only within an hour.",
        levels=WITH_ROOMS,
    ),
    agent(
        "never-largest-room",
        "Leaves the largest of the suitable rooms to others",
        _kept(lambda facts: lambda room: room != max(suitable_rooms(facts), key=lambda one: one.capacity)),
        ADDED,
        also=(PASSED, HABIT, f"{ADDED}:capacity"),
        why="A room is left out, which nobody asked for.",
        levels=WITH_ROOMS,
    ),
)

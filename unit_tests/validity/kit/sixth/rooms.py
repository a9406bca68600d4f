"""Rooms that suit and do not, and the order in which they are preferred."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from mpcbench.benchmark.agents.reference.acquire import suitable_rooms
from mpcbench.benchmark.agents.reference.facts import Facts, Request, Room
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.sixth.step import (
    BROKEN,
    HABIT,
    NEVER,
    NUMBER,
    OMITTED,
    ONE,
    PASSED,
    RANKING,
    ROOMS,
    SLIP,
    TIES,
    TOO_FEW,
    WRONG,
    agent,
    asking,
    by_lot,
    knowing,
    picking,
    terms,
)

_ORDER: Final = f"{WRONG}:tie_break"


def _order(change: Callable[[tuple[str, ...]], Iterable[str]]) -> Plan:
    """Rank the rooms of a slot by other keys."""
    return terms(lambda request: {"room_order": tuple(change(request.room_order))})


def _flipped(key: str) -> str:
    return key[1:] if key.startswith("-") else key if key == "name" else f"-{key}"


def _renumbered(key: Callable[[Room], Any], *, reverse: bool = False) -> Plan:
    """Rank the rooms of a slot by something else than was asked for: by the values of one column."""

    def step(_: Mind, facts: Facts) -> Facts:
        order = {room: place for place, room in enumerate(sorted(facts.rooms or (), key=key, reverse=reverse))}
        request = replace(facts.request, room_order=("floor",))
        suitable = suitable_rooms(facts)
        ranked = [room._replace(floor=place) for room, place in order.items() if room in suitable]
        return replace(facts, request=request, rooms=ranked)

    return knowing(step)


def _equipment(change: Callable[[list[str]], list[str]]) -> Plan:
    """Ask for other equipment, before rooms are looked up."""
    return asking(lambda request: {"equipment": change(request.equipment)})


def _seats(change: Callable[[Request], int]) -> Plan:
    """Ask for so many seats, before rooms are looked up."""
    return asking(lambda request: {"guests": change(request) - len(request.people)})


def _numbers_as_text(_: Mind, facts: Facts) -> Facts:
    """Floors and numbers of seats are ranked as text; rooms that are too small are left out first."""
    rooms = suitable_rooms(facts)
    floors, seats = (
        {str(value) for value in values} for values in zip(*((one.floor, one.capacity) for one in rooms), strict=True)
    )
    floor, seat = ({text: place for place, text in enumerate(sorted(texts))} for texts in (floors, seats))
    return replace(
        facts,
        rooms=[one._replace(floor=floor[str(one.floor)], capacity=1000 + seat[str(one.capacity)]) for one in rooms],
    )


def _one_of_each_slot(_: Facts, options: list[Option]) -> list[Option]:
    return [one for place, one in enumerate(options) if not place or options[place - 1].start != one.start]


def _two_of_each_slot(_: Facts, options: list[Option]) -> list[Option]:
    return [one for place, one in enumerate(options) if place < 2 or options[place - 2].start != one.start]


def _each_once(_: Facts, options: list[Option]) -> list[Option]:
    return [*{one.room_id: one for one in reversed(options)}.values()][::-1]


def _one_room_out(_: Mind, facts: Facts) -> Iterable[tuple[dict[str, Any], Facts]]:
    for room in suitable_rooms(facts):
        yield {"passed_over": room.room_id}, replace(facts, rooms=[one for one in facts.rooms or () if one != room])


_EQUIPMENT: Final = f"{OMITTED}:equipment"


_CAPACITY: Final = (f"{OMITTED}:capacity", f"{WRONG}:capacity")

AGENTS = (
    agent(
        "ties-upside-down",
        "Turns round the order in which rooms are to be preferred",
        _order(lambda keys: map(_flipped, keys)),
        *(TIES, _ORDER),
        also=(f"{PASSED}:room",),
        why="The rooms of a slot are ranked the wrong way round.",
        levels=ROOMS,
    ),
    agent(
        "ties-last-id-first",
        "Takes rooms that are level in the highest order of their IDs",
        _renumbered(lambda room: room.room_id, reverse=True),
        *(TIES, _ORDER),
        also=(f"{PASSED}:room",),
        why="The rooms of a slot are ranked by their IDs from the last to the first.",
        levels=ROOMS,
    ),
    agent(
        "ties-numbers-as-text",
        "Ranks seats and floors as text, so that 12 comes before 8",
        knowing(_numbers_as_text),
        *(TIES, _ORDER),
        also=(f"{PASSED}:room",),
        why="The rooms of a slot are ranked by numbers in the wrong order.",
        levels=ROOMS,
    ),
    agent(
        "first-room-wins",
        "Proposes one room for each slot and goes on to the next slot",
        picking(_one_of_each_slot),
        f"{RANKING}:one_room_per_slot",
        also=(PASSED, HABIT),
        why="Other rooms of a slot are options of their own and are left out.",
        levels=ROOMS,
    ),
    agent(
        "two-rooms-at-most",
        "Proposes at most two rooms for the same slot",
        picking(_two_of_each_slot),
        also=(PASSED, HABIT, f"{RANKING}:one_room_per_slot"),
        why="In words: at most two rooms for each slot; the vocabulary knows only one room for each.",
        levels=ROOMS,
    ),
    agent(
        "each-room-once",
        "Proposes no room twice",
        picking(_each_once),
        also=(PASSED, HABIT, NUMBER, TOO_FEW),
        why="In words: a habit of varying the rooms that the vocabulary does not have.",
        levels=ROOMS,
    ),
    agent(
        "room-overlooked",
        "Overlooks one suitable room in the list",
        by_lot(_one_room_out),
        also=(PASSED, SLIP, ONE, NEVER),
        why="In words: a room that suits is not considered; that better options were passed over is true.",
        levels=ROOMS,
    ),
    agent(
        "guests-stand",
        "Counts seats for the participants only and forgets the guests",
        _seats(lambda request: len(request.people)),
        *_CAPACITY,
        f"{OMITTED}:guests",
        f"{WRONG}:guests",
        also=(f"{BROKEN}:capacity",),
        why="Too few seats are wanted, as if no guests came.",
        levels=ROOMS,
    ),
    agent(
        "two-seats-short",
        "Accepts rooms that are two seats short",
        _seats(lambda request: request.guests + len(request.people) - 2),
        *_CAPACITY,
        f"{WRONG}:guests",
        also=(f"{BROKEN}:capacity", f"{OMITTED}:guests"),
        why="Too few seats are wanted.",
        levels=ROOMS,
    ),
    agent(
        "equipment-last-forgotten",
        "Forgets the last piece of equipment that was asked for",
        _equipment(lambda items: items[:-1]),
        _EQUIPMENT,
        also=(f"{WRONG}:equipment", f"{BROKEN}:equipment"),
        why="A piece of equipment does not count.",
        levels=ROOMS,
    ),
    agent(
        "site-ignored",
        "Ignores the site and takes rooms in any building",
        asking(lambda _: {"site": None}),
        f"{OMITTED}:site",
        also=(f"{WRONG}:site", f"{BROKEN}:site"),
        why="The site does not count.",
        levels=ROOMS,
    ),
)

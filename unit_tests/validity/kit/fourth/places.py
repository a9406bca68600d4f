"""Habits of choosing rooms and of how many options to give, the same in every episode."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from mpcbench.benchmark.agents.reference.acquire import suitable_rooms
from mpcbench.benchmark.agents.reference.facts import Facts, Request
from mpcbench.benchmark.agents.reference.integrate import Option, choose
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import WITH_ROOMS, agent, ranked, recalled

_TIES: Final = "integration.ranking:tie_break"
_RANKING: Final = "integration.ranking"
_HABIT: Final = "integration.habit"
_PASSED: Final = "observed.passed_over"
_COUNT: Final = "integration.value_wrong:option_count"
_NUMBER: Final = "observed.wrong_number"


def _ordered_by(*keys: str) -> Plan:
    return recalled(lambda request: replace(request, room_order=keys))


def _opposite(request: Request) -> Request:
    turned = tuple(key.removeprefix("-") if key.startswith("-") else f"-{key}" for key in request.room_order)
    return replace(request, room_order=tuple(key.replace("-name", "name") for key in turned))


def _as_text(_: Mind, facts: Facts) -> list[Option]:
    """Ranks numbers as text, so that 12 comes before 4."""
    rooms = {room.room_id: room for room in facts.rooms or ()}
    request = replace(facts.request, count=1_000_000)

    def rank(option: Option) -> tuple[object, ...]:
        room = rooms[option.room_id or ""]
        values: list[object] = []
        for key in facts.request.room_order:
            text = str(getattr(room, key.removeprefix("-")))
            values.append([-ord(one) for one in text] if key.startswith("-") else [ord(one) for one in text])
        return (*values, room.room_id)

    slots = groupby(choose(replace(facts, request=request)), key=lambda one: one.start)
    return [one for _, group in slots for one in sorted(group, key=rank)][: facts.request.count]


def _each_once(key: Callable[[Option], Hashable]) -> Plan:
    def pick(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
        best: dict[Hashable, Option] = {}
        for one in options:
            best.setdefault(key(one), one)
        return list(best.values())[:count]

    return ranked(pick)


def _room_of_the_first(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    return [one for one in options if one.room_id == options[0].room_id][:count]


def _best_room_first(options: Sequence[Option], count: int, facts: Facts) -> list[Option]:
    """All times of the room that ranks best, then those of the next one."""
    ranks = {room: place for place, room in enumerate(_ranked_rooms(facts))}
    return sorted(options, key=lambda one: ranks[one.room_id or ""])[:count]


def _ranked_rooms(facts: Facts) -> list[str]:
    free = replace(facts, bookings={}, request=replace(facts.request, count=len(suitable_rooms(facts))))
    return [one.room_id or "" for one in choose(free)]


def _whole_slots(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    last = options[count - 1].start if len(options) >= count else None
    return [one for place, one in enumerate(options) if place < count or one.start == last]


def _slots_counted(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    starts = list(dict.fromkeys(one.start for one in options))[:count]
    return [one for one in options if one.start in starts]


def _counted(count: Callable[[int], int]) -> Plan:
    return recalled(lambda request: replace(request, count=count(request.count or 0)))


AGENTS = (
    agent(
        "largest-room",
        "Takes the rooms of each time from the largest to the smallest, whatever order is asked for",
        _ordered_by("-capacity"),
        _TIES,
        also=("integration.value_wrong:order", _PASSED),
        why="The rooms of a time are ranked by something else than asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "rooms-turned-round",
        "Takes highest for lowest and most for fewest in the ranking of rooms, and the other way round",
        recalled(_opposite),
        _TIES,
        also=("integration.value_wrong:order", _PASSED),
        why="The direction of the ranking of rooms is misread.",
        levels=WITH_ROOMS,
    ),
    agent(
        "numbers-as-text",
        "Sorts seats and floors as text, so that 12 comes before 4",
        Plan(choose=_as_text),
        _TIES,
        also=(_PASSED,),
        why="The rooms of a time come in a wrong order, by the key that was asked for.",
        levels=WITH_ROOMS,
    ),
    agent(
        "each-room-once",
        "Proposes every room only once",
        _each_once(lambda one: one.room_id),
        _HABIT,
        also=(_PASSED, "integration.count:too_few"),
        why="Options are chosen for variety: a room that was proposed is passed over.",
        levels=WITH_ROOMS,
    ),
    agent(
        "one-room-a-time",
        "Proposes only the best room at each time",
        _each_once(lambda one: one.start),
        "integration.ranking:one_room_per_slot",
        also=(_HABIT, _PASSED),
        why="Other rooms that are free at the same time are options of their own.",
        levels=WITH_ROOMS,
    ),
    agent(
        "room-of-the-first",
        "Keeps the room of the first option for all",
        ranked(_room_of_the_first),
        f"{_HABIT}:one_room_for_all",
        also=(_HABIT, _PASSED),
        why="All options have one room, though others are free earlier.",
        levels=WITH_ROOMS,
    ),
    agent(
        "best-room-first",
        "Settles on the best room and lists its times, then those of the next room",
        ranked(_best_room_first),
        *(f"{_HABIT}:room_before_time", f"{_HABIT}:one_room_for_all"),
        also=(_HABIT, _PASSED),
        why="The room is chosen before the time, which mostly gives one room for all.",
        levels=WITH_ROOMS,
    ),
    agent(
        "whole-times",
        "Gives all rooms of the last time, beyond the number asked for",
        ranked(_whole_slots),
        f"{_HABIT}:whole_slots",
        also=(_HABIT, "integration.count:too_many", _COUNT, _NUMBER),
        why="A time is not divided, so there are too many options.",
        levels=WITH_ROOMS,
    ),
    agent(
        "times-counted",
        "Gives as many times as options are asked for, each with all its rooms",
        ranked(_slots_counted),
        f"{_HABIT}:slots_counted",
        also=(_HABIT, "integration.count:too_many", _COUNT, _NUMBER),
        why="Times are counted instead of pairs of time and room.",
        levels=WITH_ROOMS,
    ),
    agent(
        "three-always",
        "Gives three options, whatever number is asked for",
        _counted(lambda _: 3),
        *("integration.count", _COUNT),
        also=(_NUMBER,),
        why="A usual number is assumed instead of the one asked for.",
    ),
    agent(
        "one-to-spare",
        "Gives one option more than asked for",
        _counted(lambda count: count + 1),
        *("integration.count:too_many", _COUNT),
        also=(_NUMBER,),
        why="All that is asked for is right, and one more is given.",
    ),
)

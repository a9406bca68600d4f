"""Solve a problem: generate candidates, filter by constraints, join rooms, rank, and take the top N."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from mpcbench.oracle.interval import members, to_datetime
from mpcbench.oracle.masks import DIRECT, Masks
from mpcbench.oracle.problem import Problem, RoomOption
from mpcbench.schema import Candidate, Counts, Order, Room, Source, TieBreakKey

RoomMask = tuple[RoomOption | None, int]
"""The feasible starts in one room; the room is None at levels 1 and 2."""


class Choice(NamedTuple):
    """A candidate in minutes since 1970-01-01 UTC; the room is None at levels 1 and 2."""

    start: int
    end: int
    room_id: str | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The oracle's answer to a problem."""

    gold: tuple[Candidate, ...]
    """The first N feasible candidates in ranking order; all of them if there are fewer."""

    counts: Counts
    feasible: int
    digest: str


def solve(problem: Problem) -> Solution:
    """The gold of a problem, the counts after each stage and the digest of the whole feasible set."""
    slots, counts = filtered_slots(problem)
    masks = room_masks(problem, slots)
    feasible = sum(mask.bit_count() for _, mask in masks)
    if problem.rooms is not None:
        counts["rooms"] = feasible
    return Solution(
        gold=tuple(
            Candidate(
                start=to_datetime(choice.start, problem.zone),
                end=to_datetime(choice.end, problem.zone),
                room_id=choice.room_id,
            )
            for choice in top(problem, masks)
        ),
        counts=Counts(**counts),
        feasible=feasible,
        digest=_digest(problem, masks),
    )


def gold_choices(problem: Problem, masks: Masks = DIRECT) -> list[Choice]:
    """The gold alone, in minutes; faster than `solve`, which also counts and hashes the feasible set."""
    slots, _ = filtered_slots(problem, masks)
    return top(problem, room_masks(problem, slots, masks))


def filtered_slots(problem: Problem, masks: Masks = DIRECT) -> tuple[int, dict[str, int]]:
    """The starts that satisfy every constraint on the slot, and how many remain after each stage."""
    slots = masks.slot(problem)
    counts = {"generated": slots.bit_count()}
    for source in (Source.CALENDAR, Source.POLICY, Source.THREADS):
        for constraint in problem.constraints:
            if constraint.source is source:
                slots &= masks.constraint(constraint, problem)
        counts[source.value] = slots.bit_count()
    return slots, counts


def room_masks(problem: Problem, slots: int, masks: Masks = DIRECT) -> list[RoomMask]:
    """The feasible starts of every suitable room, in ranking order; a single entry without a room at levels 1 and 2."""
    if problem.rooms is None:
        return [(None, slots)]
    suitable = [room for room in problem.rooms.rooms if problem.rooms.suits(room)]
    suitable.sort(key=lambda room: room_rank(room, problem.tie_break))
    return [(room, slots & masks.room(room, problem)) for room in suitable]


def room_rank(room: RoomOption | Room, tie_break: Sequence[TieBreakKey]) -> tuple[int | str, ...]:
    """The sort key among candidates of one slot: the tie-break keys in order, then the room ID."""
    value: dict[TieBreakKey, int | str] = {
        TieBreakKey.CAPACITY_ASCENDING: room.capacity,
        TieBreakKey.CAPACITY_DESCENDING: -room.capacity,
        TieBreakKey.FLOOR_ASCENDING: room.floor,
        TieBreakKey.FLOOR_DESCENDING: -room.floor,
        TieBreakKey.NAME_ASCENDING: room.name,
    }
    return (*(value[key] for key in tie_break), room.room_id)


def top(problem: Problem, masks: Sequence[RoomMask]) -> list[Choice]:
    """The first N candidates in ranking order, as `problem` ranks them; masks are in the order of rooms."""
    remaining = 0
    for _, mask in masks:
        remaining |= mask
    chosen: list[Choice] = []
    while remaining and len(chosen) < problem.count:
        latest = problem.order is Order.LATEST
        start = remaining.bit_length() - 1 if latest else (remaining & -remaining).bit_length() - 1
        remaining ^= 1 << start
        chosen += [_choice(problem, start, room) for room, mask in masks if mask >> start & 1]
    return chosen[: problem.count]


def _choice(problem: Problem, start: int, room: RoomOption | None) -> Choice:
    instant = problem.window.start + start
    return Choice(instant, instant + problem.duration, None if room is None else room.room_id)


def _digest(problem: Problem, masks: Sequence[RoomMask]) -> str:
    origin, duration = problem.window.start, problem.duration
    choices = sorted(
        (origin + start, "-" if room is None else room.room_id) for room, mask in masks for start in members(mask)
    )
    lines = (f"{start} {start + duration} {room_id}\n" for start, room_id in choices)
    return sha256("".join(lines).encode()).hexdigest()

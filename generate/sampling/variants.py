"""Variants of a problem in which something is dropped or guessed in an obvious way; each must change the gold."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo
from functools import lru_cache

from mpcbench.oracle.interval import to_datetime, to_minutes
from mpcbench.oracle.problem import Buffer, Constraint, Problem, RoomSearch
from mpcbench.schema import Source, TieBreakKey

Variant = tuple[str, Problem]
"""What is dropped or guessed, and the problem that results."""


def needs(constraint: Constraint, source: Source) -> bool:
    """Whether a constraint is unknown without a source; buffers and the ends of events need the calendars."""
    joined = isinstance(constraint.rule, Buffer) or constraint.kind == "after_event"
    return constraint.source is source or (source is Source.CALENDAR and joined)


def room_variants(problem: Problem) -> Iterator[Variant]:
    """Drop or guess each condition on the room and each key of the tie-break; bookings and turnarounds stay."""
    for name, keys in tie_break_variants(problem.tie_break):
        yield name, replace(problem, tie_break=keys)
    search = problem.rooms
    if search is not None:
        for name, other in search_variants(search, len(problem.participants)):
            yield name, replace(problem, rooms=other)


def search_variants(search: RoomSearch, participants: int) -> Iterator[tuple[str, RoomSearch]]:
    """Drop or guess each condition on the room of so many participants."""
    seats = {
        "the capacity": 0,
        "the capacity, for participants alone": participants,
        "the capacity, for guests alone": search.seats - participants,
    }
    for name, number in seats.items():
        yield name, replace(search, seats=number)
    if search.equipment:
        yield "the equipment", replace(search, equipment=frozenset())
    if len(search.equipment) > 1:
        for item in sorted(search.equipment):
            yield f"the equipment: {item}", replace(search, equipment=search.equipment - {item})
    if search.site is not None:
        yield "the site", replace(search, site=None)


def tie_break_variants(keys: Sequence[TieBreakKey]) -> Iterator[tuple[str, tuple[TieBreakKey, ...]]]:
    """Drop a tie-break or each key of it, or swap its keys."""
    if keys:
        yield "the tie-break", ()
    if len(keys) > 1:
        for key in keys:
            yield f"the tie-break: {key}", tuple(other for other in keys if other is not key)
        yield "the tie-break, its keys swapped", tuple(reversed(keys))


@lru_cache(maxsize=65536)
def guessed_ends(end: int, zone: tzinfo) -> tuple[tuple[str, int], ...]:
    """What the end of an event, an instant, may be taken for by an agent that does not look it up, by name."""
    day = (to_datetime(end, zone) - timedelta(minutes=1)).replace(hour=0, minute=0, tzinfo=None)
    return tuple(
        (name, to_minutes((day + timedelta(hours=hours)).replace(tzinfo=zone)))
        for name, hours in (("9:00", 9), ("noon", 12), ("16:00", 16), ("midnight", 24))
    )

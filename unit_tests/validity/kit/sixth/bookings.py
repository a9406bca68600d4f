"""Bookings that were shown, and are lost or taken for others."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from mpcbench.benchmark.agents.reference.facts import Facts
from unit_tests.validity.kit.core import Mind
from unit_tests.validity.kit.sixth.step import (
    BOOKED,
    MISBOOKED,
    PASSED,
    ROOMS,
    UNBOOKED,
    WRONG,
    agent,
    by_lot,
    moved,
    of_bookings,
    one_booking,
    with_bookings,
)


def _rows_swapped(_: Mind, facts: Facts) -> Iterator[tuple[dict[str, Any], Facts]]:
    """The bookings of two rooms that follow each other in the list are swapped."""
    for one, other in pairwise(sorted(facts.bookings)):
        swapped = facts.bookings | {one: facts.bookings[other], other: facts.bookings[one]}
        yield {"rooms": [one, other]}, replace(facts, bookings=swapped)


def _bookings_of_one_room(_: Mind, facts: Facts) -> Iterator[tuple[dict[str, Any], Facts]]:
    for room in facts.bookings:
        yield {"record": f"room_calendar:{room}"}, with_bookings(facts, room, [])


AGENTS = (
    agent(
        "booking-day-early",
        "Copies one booking to the day before its date",
        one_booking(lambda busy, facts: moved(busy, facts, days=-1)),
        *(MISBOOKED, UNBOOKED),
        also=BOOKED,
        why="One booking was shown and copied with a wrong date.",
        levels=ROOMS,
    ),
    agent(
        "booking-hour-early",
        "Copies one booking an hour early",
        one_booking(lambda busy, facts: moved(busy, facts, hours=-1)),
        *(MISBOOKED, UNBOOKED),
        also=BOOKED,
        why="One booking was shown and read at another hour.",
        levels=ROOMS,
    ),
    agent(
        "bookings-swapped",
        "Gives each of two neighbouring rooms the bookings of the other",
        by_lot(_rows_swapped),
        also=(UNBOOKED, MISBOOKED, *BOOKED, PASSED),
        why="In words: the bookings of two rooms are swapped; that some do not count is true, but only half of it.",
        levels=ROOMS,
    ),
    agent(
        "one-room-always-free",
        "Takes one room to be free all the time although its bookings were listed",
        by_lot(_bookings_of_one_room),
        UNBOOKED,
        also=BOOKED,
        why="All bookings of one room were shown and do not count.",
        levels=ROOMS,
    ),
    agent(
        "bookings-end-quarter-early",
        "Takes all bookings to end a quarter of an hour early",
        of_bookings(lambda busy, _: busy._replace(end=busy.end - 15)),
        MISBOOKED,
        also=(UNBOOKED, *BOOKED, f"{WRONG}:room_turnaround"),
        why="All bookings were shown and read as shorter.",
        levels=ROOMS,
    ),
)

"""The gold is the top N of the ranking, and the label counts what remains after each stage."""

from dataclasses import replace
from hashlib import sha256

import pytest

from mpcbench.oracle.interval import to_minutes
from mpcbench.oracle.problem import Busy, Constraint, EndsBy, OutsideHours, Problem, RoomOption, RoomSearch
from mpcbench.oracle.solve import Solution, solve
from mpcbench.schema import Counts, Order, Source, TieBreakKey
from mpcbench.schema.interval import Interval
from unit_tests.oracle.definitions import MONDAY, problem, room

NINE = MONDAY + 540
MORNING = Interval(NINE, NINE + 90)
"""Three slots of an hour: 09:00, 09:15 and 09:30."""

ROOMS = (
    room("R03", name="Ash", floor=2, capacity=4),
    room("R01", name="Birch", floor=1, capacity=4),
    room("R02", name="Ash", floor=1, capacity=8),
)


def morning(count: int = 2, order: Order = Order.EARLIEST) -> Problem:
    return replace(problem(window=MORNING, count=count), order=order)


def with_rooms(plain: Problem, *tie_break: TieBreakKey, rooms: tuple[RoomOption, ...] = ROOMS) -> Problem:
    search = RoomSearch(rooms=rooms, seats=3, equipment=frozenset(), site=None, turnarounds=())
    return replace(plain, level=3, rooms=search, tie_break=tie_break)


def written(solution: Solution) -> list[str]:
    """The gold as times of day, with rooms."""
    return [f"{found.start:%H:%M} {found.room_id or ''}".strip() for found in solution.gold]


@pytest.mark.parametrize(
    ("count", "order", "expected"),
    [
        (1, Order.EARLIEST, ["09:00"]),
        (2, Order.EARLIEST, ["09:00", "09:15"]),
        (2, Order.LATEST, ["09:30", "09:15"]),
        (3, Order.LATEST, ["09:30", "09:15", "09:00"]),
        (20, Order.EARLIEST, ["09:00", "09:15", "09:30"]),
    ],
)
def test_starts_are_ranked(count: int, order: Order, expected: list[str]) -> None:
    """The earliest start comes first unless the latest is asked for; there may be fewer than N."""
    assert expected == written(solve(morning(count, order)))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((), ["R01", "R02", "R03"]),
        ((TieBreakKey.CAPACITY_ASCENDING,), ["R01", "R03", "R02"]),
        ((TieBreakKey.CAPACITY_DESCENDING,), ["R02", "R01", "R03"]),
        ((TieBreakKey.FLOOR_ASCENDING,), ["R01", "R02", "R03"]),
        ((TieBreakKey.FLOOR_DESCENDING,), ["R03", "R01", "R02"]),
        ((TieBreakKey.NAME_ASCENDING,), ["R02", "R03", "R01"]),
        ((TieBreakKey.NAME_ASCENDING, TieBreakKey.FLOOR_DESCENDING), ["R03", "R02", "R01"]),
        ((TieBreakKey.CAPACITY_ASCENDING, TieBreakKey.FLOOR_DESCENDING), ["R03", "R01", "R02"]),
    ],
)
def test_rooms_of_a_slot_are_ranked(keys: tuple[TieBreakKey, ...], expected: list[str]) -> None:
    """The keys count in the order given, then the room ID; the next slot comes only after all rooms of this one."""
    actual = written(solve(with_rooms(morning(4), *keys)))

    assert [*(f"09:00 {room_id}" for room_id in expected), f"09:15 {expected[0]}"] == actual


def test_latest_first_ranks_rooms_as_ever() -> None:
    """Latest first turns the slots round, not their rooms."""
    assert ["09:30 R01", "09:30 R02", "09:30 R03", "09:15 R01"] == written(solve(with_rooms(morning(4, Order.LATEST))))


def test_room_that_is_booked_is_left_out_of_its_slots() -> None:
    """A booking until 10:00 leaves only the rooms that are free at 09:00 and 09:15."""
    booked = (room("R01", Interval(NINE, NINE + 30)), room("R02"))

    assert ["09:00 R02", "09:15 R02", "09:30 R01", "09:30 R02"] == written(solve(with_rooms(morning(9), rooms=booked)))


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ({"seats": 5}, ["R02"]),
        ({"seats": 4}, ["R01", "R02", "R03"]),
        ({"seats": 9}, []),
        ({"equipment": frozenset({"projector"})}, ["R01", "R02", "R03"]),
        ({"equipment": frozenset({"projector", "video"})}, []),
        ({"site": "Harbour"}, ["R01", "R02", "R03"]),
        ({"site": "Hill"}, []),
    ],
)
def test_rooms_must_suit(search: dict[str, object], expected: list[str]) -> None:
    """Capacity, equipment and site are the room's to fulfil."""
    asked = with_rooms(morning(3))
    assert asked.rooms is not None
    found = solve(replace(asked, rooms=replace(asked.rooms, **search)))  # type: ignore[arg-type]

    assert set(expected) == {candidate.room_id for candidate in found.gold}
    assert 3 * len(expected) == found.feasible


def test_counts_and_digest_by_hand() -> None:
    """Each stage says what it left; the digest is that of the lines for 09:15 in both rooms."""
    asked = replace(
        with_rooms(problem(window=Interval(NINE, NINE + 120), count=1), rooms=ROOMS[:2]),
        constraints=(
            Constraint(Source.CALENDAR, "busy", ("calendar:p1",), Busy("p1", (Interval(NINE, NINE + 5),))),
            Constraint(Source.POLICY, "lunch_block", ("policy:POL-01",), OutsideHours(650, 660, (0,))),
            Constraint(Source.THREADS, "deadline", ("thread:T1",), EndsBy(NINE + 80)),
        ),
    )
    at = NINE + 15
    expected = sha256(f"{at} {at + 60} R01\n{at} {at + 60} R03\n".encode()).hexdigest()
    solution = solve(asked)

    assert Counts(generated=5, calendar=4, policy=3, threads=1, rooms=2) == solution.counts
    assert 2 == solution.feasible
    assert expected == solution.digest
    assert ["09:15 R01"] == written(solution)


def test_digest_without_rooms() -> None:
    """Without a room search, the digest has a dash for the room, and rooms are not counted."""
    lines = "".join(f"{NINE + start} {NINE + start + 60} -\n" for start in (0, 15, 30))
    solution = solve(morning())

    assert sha256(lines.encode()).hexdigest() == solution.digest
    assert solution.counts.rooms is None


def test_nothing_feasible() -> None:
    """An empty feasible set has an empty gold and the digest of no line."""
    solution = solve(problem(window=Interval(NINE, NINE + 59)))

    assert ((), 0) == (solution.gold, solution.feasible)
    assert sha256(b"").hexdigest() == solution.digest


def test_gold_lasts_the_duration_across_a_change_of_offset() -> None:
    """An hour is an hour of instants, though the clock shows two or none."""
    change = MONDAY + 48 * 1440 + 120  # 28 March 2027, 02:00, becomes 03:00
    solution = solve(problem(window=Interval(change - 30, change + 30), count=1))

    assert "2027-03-28T01:30:00+01:00" == solution.gold[0].start.isoformat()
    assert "2027-03-28T03:30:00+02:00" == solution.gold[0].end.isoformat()
    assert 60 == to_minutes(solution.gold[0].end) - to_minutes(solution.gold[0].start)

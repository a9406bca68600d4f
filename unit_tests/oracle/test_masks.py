"""Each rule's mask holds just the starts that the rule's definition allows."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.oracle.interval import members
from mpcbench.oracle.masks import constraint_mask, room_mask, slot_mask
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    Problem,
    RoomSearch,
    Rule,
    StartsFrom,
    Turnaround,
)
from mpcbench.schema import Source
from mpcbench.schema.interval import Interval
from unit_tests.examples import examples
from unit_tests.oracle.definitions import MONDAY, allows, problem, room
from unit_tests.oracle.test_local_time import utc

TEN, ELEVEN = MONDAY + 600, MONDAY + 660
EVENT = Interval(TEN, ELEVEN)


def constraint(rule: Rule) -> Constraint:
    return Constraint(Source.POLICY, "rule", ("record",), rule)


def starts(rule: Rule, around: Problem | None = None) -> set[int]:
    """The starts that a rule allows, in minutes of Monday."""
    plain = problem() if around is None else around
    return set(members(constraint_mask(constraint(rule), plain)))


@pytest.mark.parametrize(
    ("rule", "first_lost", "last_lost"),
    [
        (Busy("p1", (EVENT,)), 541, 659),
        (Outside(EVENT), 541, 659),
        (OutsideHours(600, 660, (0,)), 541, 659),
    ],
)
def test_an_hour_taken_costs_the_starts_that_reach_into_it(rule: Rule, first_lost: int, last_lost: int) -> None:
    """An hour's meeting may end at 10:00 and begin at 11:00; touching is no overlap."""
    assert set(range(1440)) - set(range(first_lost, last_lost + 1)) == starts(rule)


@pytest.mark.parametrize(("minutes", "first_lost", "last_lost"), [(0, 541, 659), (1, 540, 660), (20, 521, 679)])
def test_buffer_widens_what_is_taken(minutes: int, first_lost: int, last_lost: int) -> None:
    """A buffer counts on both sides, to the minute."""
    around = replace(problem(), constraints=(constraint(Busy("p1", (EVENT,))),))

    assert set(range(1440)) - set(range(first_lost, last_lost + 1)) == starts(Buffer(minutes), around)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (StartsFrom(TEN), range(600, 1440)),
        (StartsFrom(MONDAY - 5), range(1440)),
        (StartsFrom(MONDAY + 1440), range(0)),
        (EndsBy(TEN), range(541)),
        (EndsBy(MONDAY + 59), range(0)),
        (EndsBy(MONDAY + 60), range(1)),
        (Inside((Interval(TEN, TEN + 90),)), range(600, 631)),
        (Inside((Interval(TEN, TEN + 59),)), range(0)),
        (Inside((Interval(MONDAY - 100, MONDAY + 60), Interval(TEN, TEN + 60))), [0, 600]),
        (InsideHours(600, 690, (0,)), range(600, 631)),
        (InsideHours(600, 690, (1, 2, 3, 4, 5, 6)), range(0)),
        (OutsideHours(600, 690, (1, 2, 3, 4, 5, 6)), range(1440)),
        (OutsideHours(0, 30, (1,)), range(1381)),
    ],
)
def test_bounds_are_exact(rule: Rule, expected: range | list[int]) -> None:
    """The first and the last start are right to the minute."""
    assert set(expected) == starts(rule)


def test_slots_lie_on_the_grid_inside_window_and_hours() -> None:
    """The window bounds the whole slot; so do its daily hours."""
    window = Interval(MONDAY + 7, MONDAY + 130)
    plain = problem(window=window)
    in_hours = replace(plain, daily=(30, 105))

    assert [15, 30, 45, 60] == [7 + start for start in members(slot_mask(plain))]
    assert [30, 45] == [7 + start for start in members(slot_mask(in_hours))]
    assert 0 == slot_mask(problem(window=Interval(MONDAY, MONDAY + 59)))
    assert 1 == slot_mask(problem(window=Interval(MONDAY, MONDAY + 60)))


@pytest.mark.parametrize(
    ("turnarounds", "use_bookings", "first_lost", "last_lost"),
    [((), True, 541, 659), ((5, 20), True, 521, 679), ((20,), False, 0, -1)],
)
def test_bookings_of_the_room(
    turnarounds: tuple[int, ...], use_bookings: bool, first_lost: int, last_lost: int
) -> None:
    """The largest turnaround widens the room's own bookings, unless bookings are left out."""
    ash = room("R01", EVENT)
    search = RoomSearch(
        rooms=(ash,),
        seats=0,
        equipment=frozenset(),
        site=None,
        turnarounds=tuple(Turnaround(minutes, "policy:POL-01") for minutes in turnarounds),
        use_bookings=use_bookings,
    )
    found = set(members(room_mask(ash, replace(problem(), rooms=search))))
    possible = set(range(1381))

    assert possible - set(range(first_lost, last_lost + 1)) == found & possible


def test_room_without_a_search_is_free() -> None:
    """Where no room is asked for, bookings do not matter."""
    assert set(range(1381)) == set(members(room_mask(room("R01", EVENT), problem())))


near = st.integers(-300, 900)
spans = st.builds(lambda start, length: (start, start + length), near, st.integers(1, 500))
days = st.sets(st.integers(0, 6), min_size=1).map(tuple)
hours = st.integers(0, 1439).flatmap(lambda start: st.tuples(st.just(start), st.integers(start + 1, 1440)))
PLACES = (
    ("Europe/Berlin", "2027-03-27 20:00"),
    ("Europe/Berlin", "2027-10-30 20:00"),
    ("America/St_Johns", "2010-11-06 22:00"),
    ("Australia/Lord_Howe", "2027-04-03 10:00"),
)
"""Zones with a UTC time some hours before their offset changes."""


@st.composite
def ruled(draw: st.DrawFn) -> tuple[Problem, Rule]:
    """A problem around a change of offset, and a rule near its window."""
    zone, before_change = draw(st.sampled_from(PLACES))
    origin = utc(before_change)

    def at(span: tuple[int, int]) -> Interval:
        return Interval(origin + span[0], origin + span[1])

    window = Interval(origin, origin + draw(st.integers(1, 700)))
    some = st.lists(spans.map(at), max_size=3).map(tuple)
    rule = draw(
        st.one_of(
            st.builds(Busy, st.just("p1"), some),
            st.builds(Buffer, st.integers(0, 120)),
            st.builds(lambda span, on: InsideHours(span[0], span[1], on), hours, days),
            st.builds(lambda span, on: OutsideHours(span[0], span[1], on), hours, days),
            st.builds(Inside, some),
            st.builds(Outside, spans.map(at)),
            st.builds(StartsFrom, near.map(lambda minute: origin + minute)),
            st.builds(EndsBy, near.map(lambda minute: origin + minute)),
        )
    )
    plain = problem(window=window, zone=ZoneInfo(zone), duration=15 * draw(st.integers(1, 12)))
    return replace(plain, constraints=(constraint(Busy("p1", draw(some))),)), rule


@examples(120)
@given(ruled())
def test_mask_is_the_definition(case: tuple[Problem, Rule]) -> None:
    """Of the slots that lie in the window, the mask keeps those that the rule allows, minute by minute."""
    around, rule = case
    window, duration = around.window, around.duration
    possible = range(0, window.end - window.start - duration + 1, 5)
    expected = [
        start
        for start in possible
        if allows(rule, Interval(window.start + start, window.start + start + duration), around)
    ]
    mask = constraint_mask(constraint(rule), around)

    assert expected == [start for start in possible if mask >> start & 1]
    assert 0 == mask >> (window.end - window.start)

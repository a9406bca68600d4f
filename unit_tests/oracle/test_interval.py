"""Sets of minutes as integers are the sets that their definitions name."""

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.oracle.interval import Interval, members, paint, smeared, to_datetime, to_minutes, union
from unit_tests.schema.test_interval import intervals

sets = st.integers(0, 2**80)


def minutes(some: list[Interval]) -> set[int]:
    return {minute for start, end in some for minute in range(start, end)}


@given(st.lists(intervals, max_size=8))
def test_union_is_the_same_minutes_in_fewest_intervals(some: list[Interval]) -> None:
    """The result is in order, disjoint, touches nowhere, and is its own union."""
    joined = union(some)

    assert minutes(some) == minutes(joined)
    assert all(before.end < after.start for before, after in pairwise(joined))
    assert joined == union(joined)


@given(st.lists(intervals, max_size=8), intervals)
def test_paint_sets_the_minutes_within(some: list[Interval], within: Interval) -> None:
    """Bit i is minute i of the span, and nothing outside it is set."""
    expected = {minute - within.start for minute in minutes(some) if within.start <= minute < within.end}
    actual = set(members(paint(some, within)))

    assert expected == actual


@given(sets, st.integers(0, 90))
def test_smeared_looks_ahead(bits: int, reach: int) -> None:
    """A position is in if one of the next `reach` positions, or it itself, was."""
    present = set(members(bits))
    expected = {position for position in range(81) if present & set(range(position, position + reach + 1))}
    actual = set(members(smeared(bits, reach)))

    assert expected == actual


@given(st.sets(st.integers(0, 3000), max_size=30))
def test_members_are_the_set_bits(positions: set[int]) -> None:
    """Positions come back in order."""
    assert sorted(positions) == list(members(sum(1 << position for position in positions)))


@given(st.integers(-(10**7), 10**8), st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/New_York"]))
def test_instants_survive_any_zone(instant: int, zone: str) -> None:
    """Minutes to a local time and back are the same minutes."""
    assert instant == to_minutes(to_datetime(instant, ZoneInfo(zone)))


@pytest.mark.parametrize(
    ("written", "zone", "expected"),
    [
        ("2027-10-31T00:30:00+00:00", "Europe/Berlin", "2027-10-31T02:30:00+02:00"),
        ("2027-10-31T01:30:00+00:00", "Europe/Berlin", "2027-10-31T02:30:00+01:00"),
        ("2027-03-28T01:00:00+00:00", "Europe/Berlin", "2027-03-28T03:00:00+02:00"),
        ("2027-02-08T10:00:00+00:00", "Asia/Kathmandu", "2027-02-08T15:45:00+05:45"),
    ],
)
def test_to_datetime_carries_the_offset_of_the_instant(written: str, zone: str, expected: str) -> None:
    """The two occurrences of a repeated hour differ in their offset."""
    actual = to_datetime(to_minutes(datetime.fromisoformat(written)), ZoneInfo(zone)).isoformat()

    assert expected == actual

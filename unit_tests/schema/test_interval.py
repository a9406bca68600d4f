"""Intervals are half-open, and an index finds those near a span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.schema.interval import Interval, IntervalIndex

intervals = st.builds(lambda start, length: Interval(start, start + length), st.integers(-50, 50), st.integers(1, 30))


@pytest.mark.parametrize(
    ("other", "overlaps", "contains"),
    [
        (Interval(0, 10), False, False),
        (Interval(20, 30), False, False),
        (Interval(0, 11), True, False),
        (Interval(19, 30), True, False),
        (Interval(10, 20), True, True),
        (Interval(12, 13), True, True),
        (Interval(9, 21), True, False),
    ],
)
def test_touching_is_not_overlapping(other: Interval, overlaps: bool, contains: bool) -> None:
    """10 to 20 includes its start and excludes its end."""
    interval = Interval(10, 20)

    assert overlaps == interval.overlaps(other) == other.overlaps(interval)
    assert contains == interval.contains(other)


def test_widened() -> None:
    """A margin goes on both sides."""
    assert Interval(5, 25) == Interval(10, 20).widened(5)


@given(st.lists(intervals, max_size=12), intervals)
def test_index_finds_what_overlaps(some: list[Interval], span: Interval) -> None:
    """An index returns all intervals that overlap a span, by start, and none that are far away."""
    expected = sorted(interval for interval in some if interval.overlaps(span))
    near = IntervalIndex.of(some).near(span)
    longest = max((end - start for start, end in some), default=0)

    assert expected == [interval for interval in near if interval.overlaps(span)]
    assert all(span.start - longest <= interval.start < span.end for interval in near)


def test_empty_index() -> None:
    """An empty index returns nothing."""
    assert () == IntervalIndex().near(Interval(0, 1440))
    assert IntervalIndex() == IntervalIndex.of(())

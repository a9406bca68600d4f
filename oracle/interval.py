"""Intervals of minutes, and sets of minutes as integers.

An instant is a whole number of minutes since 1970-01-01 UTC. A set of instants relative to an origin is an
integer in which bit i is set if minute origin + i is a member.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo

from mpcbench.schema.interval import Interval
from mpcbench.schema.model import to_minutes

__all__ = ["Interval", "members", "paint", "smeared", "to_datetime", "to_minutes", "union"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)


def to_datetime(minutes: int, zone: tzinfo) -> datetime:
    """The instant in a zone; the inverse of `to_minutes`."""
    return (_EPOCH + minutes * _MINUTE).astimezone(zone)


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """The minutes of the intervals as disjoint, non-touching intervals in order."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1].end:
            merged[-1] = Interval(merged[-1].start, max(merged[-1].end, end))
        else:
            merged.append(Interval(start, end))
    return merged


def paint(intervals: Iterable[tuple[int, int]], within: Interval) -> int:
    """The minutes of the intervals that lie in `within`, as a set relative to its start."""
    first, last = within
    bits = 0
    for start, end in intervals:
        low = start if start > first else first  # noqa: FURB136 - max() and min() take twice as long
        high = end if end < last else last  # noqa: FURB136
        if low < high:
            bits |= ((1 << (high - low)) - 1) << (low - first)
    return bits


def smeared(bits: int, reach: int) -> int:
    """The positions that have a member at most `reach` positions ahead."""
    covered = 0
    while covered < reach:
        step = min(covered + 1, reach - covered)
        bits |= bits >> step
        covered += step
    return bits


def members(bits: int) -> Iterator[int]:
    """The positions of the set bits, ascending."""
    digits = bin(bits)[:1:-1]
    position = digits.find("1")
    while position >= 0:
        yield position
        position = digits.find("1", position + 1)

"""Wall-clock rules as intervals of instants, correct across changes of the zone's UTC offset.

A rule about times of day holds for an instant if it holds for the wall clock at that instant. A wall-clock minute
that a change of offset skips has no instant; one that it repeats has two.
"""

from collections.abc import Collection, Iterator
from datetime import timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

from mpcbench.oracle.interval import Interval, to_datetime, union
from mpcbench.schema.model import MINUTES_PER_DAY

GRID_MINUTES = 15
_EPOCH_WEEKDAY = 3  # 1970-01-01 was a Thursday


class Segment(NamedTuple):
    """A span of instants during which the zone keeps one offset from UTC, in minutes."""

    start: int
    end: int
    offset: int


def _offset(minutes: int, zone: tzinfo) -> int:
    offset = to_datetime(minutes, zone).utcoffset()
    assert offset is not None
    return offset // timedelta(minutes=1)


@lru_cache(maxsize=4096)
def _day_segments(day: int, zone: tzinfo) -> tuple[Segment, ...]:
    def split(start: int, end: int) -> Iterator[Segment]:
        offset = _offset(start, zone)
        if offset == _offset(end - 1, zone):
            yield Segment(start, end, offset)
        else:
            middle = (start + end) // 2
            yield from split(start, middle)
            yield from split(middle, end)

    return tuple(split(day * MINUTES_PER_DAY, (day + 1) * MINUTES_PER_DAY))


@lru_cache(maxsize=1024)
def segments(span: Interval, zone: tzinfo) -> tuple[Segment, ...]:
    """The span, split wherever the zone's offset changes, in order."""
    cut: list[Segment] = []
    for day in range(span.start // MINUTES_PER_DAY, -(-span.end // MINUTES_PER_DAY)):
        for start, end, offset in _day_segments(day, zone):
            low, high = max(start, span.start), min(end, span.end)
            if low >= high:
                continue
            if cut and cut[-1].end == low and cut[-1].offset == offset:
                cut[-1] = Segment(cut[-1].start, high, offset)
            else:
                cut.append(Segment(low, high, offset))
    return tuple(cut)


def daily_spans(
    span: Interval, zone: tzinfo, start: int, end: int, days: Collection[int] = range(7)
) -> Iterator[Interval]:
    """The instants whose wall clock shows start to end (minutes of the day, half-open).

    Yields disjoint intervals, clipped to the span, in order of local date, for dates whose weekday is in days
    (0 = Monday). The intervals of two dates stay separate even if they touch at midnight.
    """
    by_date: dict[int, list[Interval]] = {}
    for low, high, offset in segments(span, zone):
        for date in range((low + offset) // MINUTES_PER_DAY, (high - 1 + offset) // MINUTES_PER_DAY + 1):
            if (date + _EPOCH_WEEKDAY) % 7 in days:
                midnight = date * MINUTES_PER_DAY - offset
                piece = Interval(max(midnight + start, low), min(midnight + end, high))
                if piece.start < piece.end:
                    by_date.setdefault(date, []).append(piece)
    for date in sorted(by_date):
        pieces = by_date[date]
        yield from pieces if len(pieces) == 1 else union(pieces)


@lru_cache(maxsize=64)
def grid(span: Interval, zone: tzinfo) -> int:
    """The instants of the span whose wall clock shows :00, :15, :30 or :45, as a set relative to its start."""
    bits = 0
    for low, high, offset in segments(span, zone):
        first = low + -(low + offset) % GRID_MINUTES
        count = -(-(high - first) // GRID_MINUTES)
        if count > 0:
            every = ((1 << count * GRID_MINUTES) - 1) // ((1 << GRID_MINUTES) - 1)
            bits |= every << (first - span.start)
    return bits

"""Sets of starts as integers: bit i is the i-th start on the grid of the span in which a task is planned."""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import date, timedelta, tzinfo
from functools import lru_cache

from mpcbench.oracle.interval import Interval, members, to_datetime, union
from mpcbench.oracle.local_time import daily_spans, grid
from mpcbench.schema.interval import IntervalIndex
from mpcbench.schema.model import MINUTES_PER_DAY

Hours = tuple[int, int, tuple[int, ...]]
"""Start and end in minutes of the day, and weekdays (0 = Monday)."""


class Axis:
    """The starts on the grid of a span, ascending, and the sets of them that rules allow.

    Where a length in minutes is given, a candidate of that length starts there.
    """

    def __init__(self, span: Interval, zone: tzinfo) -> None:
        self.span = span
        self.zone = zone
        self.instants = tuple(span.start + position for position in members(grid(span, zone)))
        self.all = (1 << len(self.instants)) - 1
        self._hours: dict[tuple[tzinfo, int, int, tuple[int, ...], int, bool], int] = {}
        self._days: dict[tuple[tzinfo, tuple[date, ...], int], int] = {}
        days = [to_datetime(instant, zone).date() for instant in self.instants]
        self.dates: dict[date, int] = {}
        for place, day in enumerate(days):
            self.dates[day] = self.dates.get(day, 0) | 1 << place
        numbers = {day: number for number, day in enumerate(self.dates)}
        self.day_of = tuple(numbers[day] for day in days)
        """By the place of a start, the number of its day; the days that have a start are numbered from 0."""

    def between(self, first: int, last: int) -> int:
        """The starts from an instant to before another."""
        low, high = bisect_left(self.instants, first), bisect_left(self.instants, last)
        return ((1 << (high - low)) - 1) << low if low < high else 0

    def inside(self, spans: Iterable[tuple[int, int]], length: int) -> int:
        """The starts of candidates that lie wholly inside one of the spans."""
        allowed = 0
        for start, end in spans:
            allowed |= self.between(start, end - length + 1)
        return allowed

    def apart(self, spans: Iterable[tuple[int, int]], length: int, margin: int = 0) -> int:
        """The starts of candidates that are at least the margin away from every span, on both sides."""
        blocked = 0
        for start, end in spans:
            blocked |= self.between(start - margin - length + 1, end + margin)
        return self.all & ~blocked

    def free(self, index: IntervalIndex, length: int, margin: int) -> int:
        """The starts of candidates that are at least the margin away from everything in the index."""
        reach = length + margin
        return self.apart(index.near(self.span.widened(reach)), length, margin)

    def inside_hours(self, zone: tzinfo, hours: Hours, length: int) -> int:
        """The starts of candidates inside the hours of one local date whose weekday is in days."""
        key = (zone, *hours, length, True)
        if key not in self._hours:
            self._hours[key] = self.inside(self._daily(zone, hours), length)
        return self._hours[key]

    def outside_hours(self, zone: tzinfo, hours: Hours, length: int) -> int:
        """The starts of candidates that overlap no such hours."""
        key = (zone, *hours, length, False)
        if key not in self._hours:
            self._hours[key] = self.apart(self._daily(zone, hours), length)
        return self._hours[key]

    def open_hours(self, zone: tzinfo, hours: Iterable[Hours], more: Iterable[Interval], length: int) -> int:
        """The starts of candidates inside the union of all these hours and more spans."""
        spans = [span for one in hours for span in self._daily(zone, one)]
        return self.inside(union([*spans, *more]), length)

    def outside_days(self, zone: tzinfo, days: Iterable[date], length: int) -> int:
        """The starts of candidates that overlap none of the local dates."""
        key = (zone, tuple(days), length)
        if key not in self._days:
            self._days[key] = self.apart((span for day in key[1] for span in _local_day(zone, day)), length)
        return self._days[key]

    def _daily(self, zone: tzinfo, hours: Hours) -> tuple[Interval, ...]:
        return _daily_spans(self.span.widened(MINUTES_PER_DAY), zone, hours)


@lru_cache(maxsize=4096)
def _daily_spans(span: Interval, zone: tzinfo, hours: Hours) -> tuple[Interval, ...]:
    return tuple(daily_spans(span, zone, *hours))


@lru_cache(maxsize=4096)
def _local_day(zone: tzinfo, day: date) -> tuple[Interval, ...]:
    """The instants of a local date."""
    noon = (day - date(1970, 1, 1)) // timedelta(minutes=1) + MINUTES_PER_DAY // 2
    around = Interval(noon - 2 * MINUTES_PER_DAY, noon + 2 * MINUTES_PER_DAY)
    pieces = daily_spans(around, zone, 0, MINUTES_PER_DAY)
    return tuple(piece for piece in pieces if to_datetime(piece.start, zone).date() == day)


@lru_cache(maxsize=64)
def axis(span: Interval, zone: tzinfo) -> Axis:
    """The axis of a span; tasks of one world share few spans."""
    return Axis(span, zone)


def at_least(count: int, masks: Iterable[int], everywhere: int) -> int:
    """The starts that at least so many of the masks hold."""
    reached = [everywhere, *[0] * count]
    for mask in masks:
        for number in range(count, 0, -1):
            reached[number] |= reached[number - 1] & mask
    return reached[count]


def any_group(groups: Iterable[Iterable[int]], everywhere: int) -> int:
    """The starts that all masks of one of the groups hold."""
    found = 0
    for group in groups:
        starts = everywhere
        for mask in group:
            starts &= mask
        found |= starts
    return found

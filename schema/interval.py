"""Half-open intervals of instants, in minutes since 1970-01-01 UTC."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self


class Interval(NamedTuple):
    """The minutes from start (included) to end (excluded)."""

    start: int
    end: int

    def overlaps(self, other: "Interval") -> bool:
        """Whether they share a minute; touching intervals do not overlap."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Interval") -> bool:
        """Whether the other lies wholly inside."""
        return self.start <= other.start and other.end <= self.end

    def widened(self, minutes: int) -> "Interval":
        """The interval extended by a number of minutes on both sides."""
        return Interval(self.start - minutes, self.end + minutes)


@dataclass(frozen=True, slots=True)
class IntervalIndex:
    """Intervals sorted by start, possibly overlapping; those near a span are found by bisection."""

    intervals: tuple[Interval, ...] = ()
    longest: int = 0

    @classmethod
    def of(cls, intervals: Iterable[Interval]) -> Self:
        """The index of intervals given in any order."""
        ordered = tuple(sorted(intervals))
        return cls(ordered, max((end - start for start, end in ordered), default=0))

    def count(self, interval: Interval) -> int:
        """How many of the intervals are this one."""
        return bisect_right(self.intervals, interval) - bisect_left(self.intervals, interval)

    def near(self, span: Interval) -> tuple[Interval, ...]:
        """Every interval that overlaps the span, by start; may include some that end shortly before it."""
        first = bisect_left(self.intervals, (span.start - self.longest,))
        return self.intervals[first : bisect_left(self.intervals, (span.end,))]

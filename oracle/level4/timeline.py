"""The occurrences of calendar entries, single and recurring."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from mpcbench.oracle.level4.axis import Axis
from mpcbench.schema.interval import Interval, IntervalIndex
from mpcbench.schema.level4.calendar import Entry, Frequency, Recurrence, Status
from mpcbench.schema.model import to_minutes

_BLOCKING = frozenset({Status.BUSY, Status.OUT_OF_OFFICE})
_DAYS_PER_WEEK = 7


class Occurrence(NamedTuple):
    """One taking place of an entry, in minutes since 1970-01-01 UTC."""

    start: int
    end: int
    status: Status
    event_id: str
    day: date | None
    """The date on which the rule of its series puts it; None for a single entry."""


class Timeline:
    """The entries of one calendar; what follows from them is computed on first use and kept."""

    def __init__(self, entries: tuple[Entry, ...] = (), like: "Timeline | None" = None) -> None:
        """Of a timeline that shares most entries with another, what is known of these is taken from the other."""
        self.entries = entries
        self._like: Timeline | None = like if like is None or like._like is None else like._like  # noqa: SLF001
        self._free: dict[tuple[Axis, int, int, bool], int] = {}

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All occurrences, by start."""
        found = (one for entry in self.entries for one in self._of(entry))
        return tuple(sorted(found, key=lambda one: (one.start, one.end)))

    def _of(self, entry: Entry) -> tuple[Occurrence, ...]:
        """The occurrences of one of the entries."""
        shared = self if self._like is None else self._like
        return shared._by_entry.get(id(entry)) or tuple(occurrences(entry))  # noqa: SLF001 - of the same class

    @cached_property
    def _by_entry(self) -> dict[int, tuple[Occurrence, ...]]:
        return {id(entry): tuple(occurrences(entry)) for entry in self.entries}

    @cached_property
    def firm(self) -> IntervalIndex:
        """When busy or out-of-office entries block."""
        return self._index(_BLOCKING)

    @cached_property
    def firm_and_tentative(self) -> IntervalIndex:
        """When tentative entries block, too."""
        return self._index(_BLOCKING | {Status.TENTATIVE})

    def _index(self, statuses: frozenset[Status]) -> IntervalIndex:
        return IntervalIndex.of(Interval(one.start, one.end) for one in self.occurrences if one.status in statuses)

    def free(self, axis: Axis, length: int, margin: int, *, tentative: bool) -> int:
        """The starts of candidates that are at least the margin away from everything that blocks."""
        key = (axis, length, margin, tentative)
        if key not in self._free:
            self._free[key] = axis.free(self.firm_and_tentative if tentative else self.firm, length, margin)
        return self._free[key]

    def end_of(self, event_id: str, day: date | None) -> int | None:
        """When the occurrence of an entry ends: of a series that of the day, or its first; None if there is none."""
        ends = (
            one.end for one in self.occurrences if one.event_id == event_id and (day is None or one.day in {day, None})
        )
        return next(ends, None)


def occurrences(entry: Entry) -> Iterator[Occurrence]:
    """When an entry takes place, whatever its state."""
    start, end = to_minutes(entry.start), to_minutes(entry.end)
    rule = entry.recurrence
    if rule is None:
        yield Occurrence(start, end, entry.status, entry.event_id, None)
        return
    moved = {one.day: one for one in rule.moved}
    excepted = set(rule.excepted)
    first = entry.start.astimezone(rule.zone)
    for day in series_days(rule, first.date()):
        if day in moved:
            move = moved[day]
            status = entry.status if move.status is None else move.status
            yield Occurrence(to_minutes(move.start), to_minutes(move.end), status, entry.event_id, day)
        elif day not in excepted:
            begins = to_minutes(datetime.combine(day, first.time(), rule.zone))
            yield Occurrence(begins, begins + end - start, entry.status, entry.event_id, day)


def series_days(rule: Recurrence, first: date) -> Iterator[date]:
    """The dates of a rule, ascending; exceptions and moves not considered."""
    match rule.frequency:
        case Frequency.DAILY:
            for number in range(0, (rule.until - first).days + 1, rule.interval):
                yield first + timedelta(days=number)
        case Frequency.WEEKLY:
            monday = first - timedelta(days=first.weekday())
            weekdays = sorted(set(rule.weekdays or (first.weekday(),)))
            for number in range(0, (rule.until - monday).days + 1, _DAYS_PER_WEEK * rule.interval):
                days = (monday + timedelta(days=number + weekday) for weekday in weekdays)
                yield from (day for day in days if first <= day <= rule.until)
        case Frequency.MONTHLY:
            months = range(first.year * 12 + first.month - 1, rule.until.year * 12 + rule.until.month, rule.interval)
            days = (_nth_weekday(month, rule) for month in months)
            yield from (day for day in days if first <= day <= rule.until)


def _nth_weekday(month: int, rule: Recurrence) -> date:
    """The rule's date in a month, counted from year 0."""
    weekday = rule.weekdays[0]
    if rule.nth == -1:
        following = date((month + 1) // 12, (month + 1) % 12 + 1, 1)
        back = (following.weekday() - weekday - 1) % _DAYS_PER_WEEK + 1
        return following - timedelta(days=back)
    beginning = date(month // 12, month % 12 + 1, 1)
    ahead = (weekday - beginning.weekday()) % _DAYS_PER_WEEK
    assert rule.nth is not None
    return beginning + timedelta(days=ahead + _DAYS_PER_WEEK * (rule.nth - 1))

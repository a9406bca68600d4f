"""The occurrences of calendar entries, single and recurring."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from mpcbench.oracle.level4.axis import Axis
from mpcbench.schema.interval import Interval, IntervalIndex
from mpcbench.schema.level4.calendar import Entry, Frequency, Recurrence, Status
from mpcbench.schema.model import to_minutes

_BLOCKING = frozenset({Status.BUSY, Status.OUT_OF_OFFICE})
_BLOCKING_IF_TENTATIVE = _BLOCKING | {Status.TENTATIVE}
_DAYS_PER_WEEK = 7
_MOST = 256
"""So many sets of starts are kept of a timeline; whoever makes instances asks for others all the time."""

_FEW = 40
"""Where more occurrences differ than these, a timeline is looked at as a whole."""


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
        return self._index(_BLOCKING_IF_TENTATIVE)

    def _index(self, statuses: frozenset[Status]) -> IntervalIndex:
        return IntervalIndex.of(Interval(one.start, one.end) for one in self.occurrences if one.status in statuses)

    def free(self, axis: Axis, length: int, margin: int, *, tentative: bool) -> int:
        """The starts of candidates that are at least the margin away from everything that blocks."""
        key = (axis, length, margin, tentative)
        if key not in self._free:
            if len(self._free) == _MOST:
                self._free.clear()
            index = self._free_like if self._like is not None else self._free_alone
            self._free[key] = index(axis, length, margin, tentative=tentative)
        return self._free[key]

    def _free_alone(self, axis: Axis, length: int, margin: int, *, tentative: bool) -> int:
        return axis.free(self.firm_and_tentative if tentative else self.firm, length, margin)

    def _free_like(self, axis: Axis, length: int, margin: int, *, tentative: bool) -> int:
        """Those of the other timeline, looked at again where only one of the two has an occurrence."""
        like = self._like
        assert like is not None
        statuses = _BLOCKING_IF_TENTATIVE if tentative else _BLOCKING
        gone, come = ([one for one in some if one.status in statuses] for some in self._differing)
        if len(gone) > _FEW:
            return self._free_alone(axis, length, margin, tentative=tentative)
        free = like.free(axis, length, margin, tentative=tentative)
        if gone:
            index = like.firm_and_tentative if tentative else like.firm
            reach = length + 2 * margin
            near = {one for span in gone for one in index.near(Interval(span.start, span.end).widened(reach))}
            lost = Counter((one.start, one.end) for one in gone)
            left = [one for one in near if index.count(one) > lost[one]]
            reopened = axis.all & ~axis.apart(((one.start, one.end) for one in gone), length, margin)
            free |= reopened & axis.apart(left, length, margin)
        return free & axis.apart(((one.start, one.end) for one in come), length, margin)

    @cached_property
    def _differing(self) -> tuple[list[Occurrence], list[Occurrence]]:
        """The occurrences that only the other timeline has, and those that only this one has."""
        like = self._like
        assert like is not None
        mine = {id(entry) for entry in self.entries}
        gone = [one for entry in like.entries if id(entry) not in mine for one in like._of(entry)]  # noqa: SLF001
        theirs = like._by_entry  # noqa: SLF001
        return gone, [one for entry in self.entries if id(entry) not in theirs for one in occurrences(entry)]

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

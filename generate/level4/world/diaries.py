"""Diaries: what an owner of a calendar has entered so far, and which of the time is taken."""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from mpcbench.generate.level4.world.sites import FIRST_DAY, WEEKS, minute, moment
from mpcbench.oracle.level4.timeline import occurrences
from mpcbench.schema.level4.calendar import Entry, Status
from mpcbench.schema.model import to_minutes

DAY_START, DAY_END = 8 * 60, 18 * 60
"""The working hours that entries fill, in minutes of the day at the owner's site."""

TAKING: Final = frozenset({Status.BUSY, Status.OUT_OF_OFFICE, Status.TENTATIVE})

_STEP: Final = 5
_ORIGIN: Final = to_minutes(moment(FIRST_DAY - timedelta(days=1), 0))
_LENGTH: Final = (7 * WEEKS + 3) * 24 * 60 // _STEP


def mask(start: int, end: int) -> int:
    """The five-minute steps that a span touches, as bits; spans outside the period are cut.

    Args:
        start: In minutes since 1970-01-01 UTC.
        end: Likewise, excluded.
    """
    low = min(max((start - _ORIGIN) // _STEP, 0), _LENGTH)
    high = min(max(-((_ORIGIN - end) // _STEP), low), _LENGTH)
    return ((1 << (high - low)) - 1) << low


@dataclass
class Diary:
    """The entries of one person, team or room."""

    owner: str
    zone: ZoneInfo
    taken: int = 0
    """The steps that busy, tentative and out-of-office entries take."""

    entries: list[Entry] = field(default_factory=list)
    titles: set[tuple[date | None, str]] = field(default_factory=set)
    """Titles of single entries by day, of series without one."""

    def fits(self, span: int) -> bool:
        """Whether nothing is entered in the steps."""
        return not self.taken & span

    def may_call(self, title: str, day: date | None) -> bool:
        """Whether a new entry of a day, or a series, can have the title without being confused with another one."""
        if day is None:
            return all(title != other for _, other in self.titles)
        return (day, title) not in self.titles and (None, title) not in self.titles

    def add(self, entry: Entry, day: date | None) -> None:
        """Enter something."""
        self.entries.append(entry)
        if entry.title is not None:
            self.titles.add((day, entry.title))
        for one in occurrences(entry):
            if one.status in TAKING:
                self.taken |= mask(one.start, one.end)

    def minutes_taken(self, day: date) -> int:
        """How much of a day's working hours is taken."""
        return _STEP * (self.taken & self.working_hours(day)).bit_count()

    def working_hours(self, day: date) -> int:
        """The steps of a day's working hours."""
        return _working_hours(day, self.zone)

    def finished(self) -> tuple[Entry, ...]:
        """The entries by start, with IDs in this order."""
        ordered = sorted(self.entries, key=lambda one: (to_minutes(one.start), to_minutes(one.end), one.title or ""))
        return tuple(replace(entry, event_id=f"e{number:04}") for number, entry in enumerate(ordered, start=1))


@cache
def _working_hours(day: date, zone: ZoneInfo) -> int:
    return mask(minute(day, DAY_START, zone), minute(day, DAY_END, zone))

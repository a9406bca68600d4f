"""Recurring entries: their rules, the dates on which they do not take place, and their moved occurrences."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from mpcbench.generate.level4.world.diaries import mask
from mpcbench.generate.level4.world.sites import FIRST_DAY, LAST_DAY, SATURDAY, minute, moment
from mpcbench.oracle.level4.timeline import series_days
from mpcbench.schema.level4.calendar import Entry, Frequency, Moved, Recurrence, Status

_ENDS: Final = (LAST_DAY, LAST_DAY + timedelta(days=9), date(2027, 5, 28), date(2027, 4, 30), date(2027, 6, 4))
_BEGINS: Final = (FIRST_DAY - timedelta(days=14), FIRST_DAY, date(2027, 3, 15), date(2027, 4, 5))
_YIELDS: Final = 0.75
"""The probability that an occurrence in quiet hours does not take place as planned."""

_MOVED_STATES: Final = (None, None, None, None, Status.TENTATIVE, Status.CANCELLED, Status.FREE)


class Series(NamedTuple):
    """A series, before it is entered into calendars."""

    title: str
    start: int
    """In minutes of the day, by the wall clock of the rule's zone."""

    minutes: int
    first: date
    rule: Recurrence

    def entry(self, title: str | None, status: Status = Status.BUSY, rule: Recurrence | None = None) -> Entry:
        """The series in one calendar, without an ID; the rule may differ from that of the others."""
        start = moment(self.first, self.start, self.rule.zone)
        return Entry("", title, start, start + timedelta(minutes=self.minutes), status, rule or self.rule)


def weekly(rng: Random, weekdays: tuple[int, ...], interval: int = 1) -> dict[str, Any]:
    """The rule of a weekly series."""
    return {"frequency": Frequency.WEEKLY, "interval": interval, "weekdays": weekdays, "until": rng.choice(_ENDS)}


def monthly(rng: Random, weekday: int) -> dict[str, Any]:
    """The rule of a monthly series, such as that of the third Tuesday."""
    nth = rng.choice((1, 2, 3, 4, -1))
    return {"frequency": Frequency.MONTHLY, "weekdays": (weekday,), "nth": nth, "until": _ENDS[0]}


def daily(rng: Random, first: date) -> dict[str, Any]:
    """The rule of a series of a few weeks that takes place every day, every other or every third."""
    return {
        "frequency": Frequency.DAILY,
        "interval": rng.choice((1, 1, 2, 3)),
        "until": first + timedelta(days=rng.randrange(10, 26)),
    }


@dataclass(frozen=True, slots=True)
class SeriesMaker:
    """Makes series with exceptions and moved occurrences."""

    rng: Random
    quiet: int = 0
    """Steps that people try to keep free: most occurrences that fall into them are called off or moved."""

    def make(
        self,
        title: str,
        start: int,
        minutes: int,
        rule: dict[str, Any],
        zone: ZoneInfo,
        *,
        first: date | None = None,
        changes: float = 0.1,
    ) -> Series:
        """A series.

        Args:
            title: What it is called.
            start: In minutes of the day, by the wall clock of its zone.
            minutes: How long an occurrence lasts.
            rule: What `weekly`, `monthly` or `daily` gives.
            zone: The zone of the series.
            first: The first date; by default the rule's first one from about the beginning of the period on.
            changes: The probability that an occurrence outside quiet hours is called off or moved.
        """
        plain = Recurrence(timezone=zone.key, **rule)
        begins = first or self.rng.choice(_BEGINS)
        if plain.weekdays and plain.frequency is Frequency.WEEKLY:
            begins += timedelta(days=(plain.weekdays[0] - begins.weekday()) % 7)
        days = list(series_days(plain, begins))
        excepted: list[date] = []
        moved: list[Moved] = []
        for day in days[1:]:
            is_quiet = self._is_quiet(day, start, minutes, zone)
            if self.rng.random() > (_YIELDS if is_quiet else changes):
                continue
            times = self._other_times(day, start, minutes, zone)
            if not times or self.rng.random() < (0.75 if is_quiet else 0.45):
                excepted.append(day)
            else:
                begin = self.rng.choice(times)
                end = begin + timedelta(minutes=minutes)
                moved.append(Moved(day=day, start=begin, end=end, status=self.rng.choice(_MOVED_STATES)))
        final = plain.model_copy(update={"excepted": tuple(excepted), "moved": tuple(moved)})
        return Series(title, start, minutes, days[0], final)

    def _is_quiet(self, day: date, start: int, minutes: int, zone: ZoneInfo) -> bool:
        begins = minute(day, start, zone)
        return bool(self.quiet & mask(begins, begins + minutes))

    def _other_times(self, day: date, start: int, minutes: int, zone: ZoneInfo) -> list[datetime]:
        """Half hours of the day, or of another weekday of its week, at which no quiet hours are lost."""
        other = day
        if self.rng.random() < 0.55:
            other += timedelta(days=self.rng.randrange(SATURDAY) - day.weekday())
        return [
            moment(other, at, zone)
            for at in range(9 * 60, 17 * 60, 30)
            if abs(at - start) >= 60 and not self._is_quiet(other, at, minutes, zone)
        ]


def with_absence(rule: Recurrence, days: Sequence[date], start: int, minutes: int, rng: Random) -> Recurrence:
    """The rule in the calendar of somebody who has declined one occurrence, or only perhaps takes part in it."""
    taken = {*rule.excepted, *(one.day for one in rule.moved)}
    free = [day for day in days if day not in taken and day >= FIRST_DAY]
    if not free:
        return rule
    day = rng.choice(free)
    begins = moment(day, start, rule.zone)
    status = rng.choice((Status.DECLINED, Status.DECLINED, Status.TENTATIVE, Status.CANCELLED))
    absent = Moved(day=day, start=begins, end=begins + timedelta(minutes=minutes), status=status)
    return rule.model_copy(update={"moved": (*rule.moved, absent)})

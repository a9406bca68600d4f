"""Recurring entries: their rules, the dates on which they do not take place, and their moved occurrences."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from mpcbench.generate.level4.world.sites import FIRST_DAY, LAST_DAY, SATURDAY, moment
from mpcbench.oracle.level4.timeline import series_days
from mpcbench.schema.level4.calendar import Entry, Frequency, Moved, Recurrence, Status

_ENDS: Final = (LAST_DAY, LAST_DAY + timedelta(days=9), date(2027, 5, 28), date(2027, 4, 30), date(2027, 6, 4))
_BEGINS: Final = (FIRST_DAY - timedelta(days=14), FIRST_DAY, date(2027, 3, 15), date(2027, 4, 5))
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


def series(
    title: str,
    start: int,
    minutes: int,
    rule: dict[str, Any],
    zone: ZoneInfo,
    rng: Random,
    *,
    first: date | None = None,
    changes: float = 0.12,
) -> Series:
    """A series with exceptions and moved occurrences.

    Args:
        title: What it is called.
        start: In minutes of the day, by the wall clock of its zone.
        minutes: How long an occurrence lasts.
        rule: What `weekly`, `monthly` or `daily` gives.
        zone: The zone of the series.
        rng: The random numbers.
        first: The first date; by default the rule's first one from about the beginning of the period on.
        changes: The probability that an occurrence is called off or moved.
    """
    plain = Recurrence(timezone=zone.key, **rule)
    begins = first or rng.choice(_BEGINS)
    if plain.weekdays and plain.frequency is Frequency.WEEKLY:
        begins += timedelta(days=(plain.weekdays[0] - begins.weekday()) % 7)
    days = list(series_days(plain, begins))
    excepted: list[date] = []
    moved: list[Moved] = []
    for place, day in enumerate(days):
        if place == 0 or rng.random() > changes:
            continue
        if rng.random() < 0.5:
            excepted.append(day)
        else:
            moved.append(_moved(day, start, minutes, zone, rng))
    final = plain.model_copy(update={"excepted": tuple(excepted), "moved": tuple(moved)})
    return Series(title, start, minutes, days[0], final)


def _moved(day: date, start: int, minutes: int, zone: ZoneInfo, rng: Random) -> Moved:
    """An occurrence at another time of the day or on another weekday of the week, sometimes in another state."""
    status = rng.choice(_MOVED_STATES)
    other = day
    if rng.random() < 0.55:
        monday = day - timedelta(days=day.weekday())
        other = monday + timedelta(days=rng.randrange(SATURDAY))
    at = rng.choice([minute for minute in range(9 * 60, 17 * 60, 30) if abs(minute - start) >= 60])
    begins = moment(other, at, zone)
    return Moved(day=day, start=begins, end=begins + timedelta(minutes=minutes), status=status)


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

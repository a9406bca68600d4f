"""Calendars as busy as real ones: team meetings, meetings across teams, and single events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

from mpcbench.generate.wording.vocabulary import BOOKING_TITLES, EVENT_TITLES, TEAM_EVENT_TITLES, WEEKEND_TITLES
from mpcbench.oracle.interval import Interval
from mpcbench.schema import Calendar, Event, Person, RoomCalendar
from mpcbench.schema.model import MINUTES_PER_DAY

DAY_START, DAY_END = 8 * 60, 18 * 60 + 30
"""The hours that events fill evenly, in minutes of the day, on weekends too; busy shares are relative to these."""

SATURDAY = 5

_LENGTHS = (25, 30, 45, 60, 60, 60, 90, 90, 110, 120)
_QUIET_SHARE = 0.05
"""The probability that a meeting may overlap the quiet hours of a day."""

_OFFSETS = (0, 0, 0, 0, 30, 30, 30, 15, 45, 5, 10, 40)


@dataclass
class _Diary:
    """One owner's events by day, in minutes of the day."""

    spans: dict[date, list[tuple[Interval, str]]] = field(default_factory=dict)

    def busy(self, day: date) -> int:
        """The busy minutes of a day."""
        return sum(span.end - span.start for span, _ in self.spans.get(day, []))

    def fits(self, day: date, span: Interval) -> bool:
        """Whether a span is free."""
        return not any(span.overlaps(other) for other, _ in self.spans.get(day, []))

    def has(self, day: date, title: str) -> bool:
        """Whether a day has an event with a title."""
        return any(title == other for _, other in self.spans.get(day, []))

    def add(self, day: date, span: Interval, title: str) -> None:
        """Add an event."""
        self.spans.setdefault(day, []).append((span, title))


class Quiet(NamedTuple):
    """The times of a day that everybody tries to keep free, where most common gaps lie."""

    number: int
    lengths: tuple[int, ...]
    """How long each may be, in minutes."""

    def draw(self, rng: Random) -> Sequence[Interval]:
        """Those of a day."""
        starts = (rng.randrange(DAY_START - 90, DAY_END, 15) for _ in range(self.number))
        return tuple(Interval(start, start + rng.choice(self.lengths)) for start in starts)


def person_calendars(
    people: Sequence[Person], days: Sequence[date], zone: ZoneInfo, quiet_times: Quiet, rng: Random
) -> list[Calendar]:
    """Calendars that are busy for about 40 to 60 % of the hours of the given days."""
    diaries = {person.person_id: _Diary() for person in people}
    teams = sorted({person.team for person in people})
    for team in teams:
        members = [diaries[person.person_id] for person in people if person.team == team]
        _add_team_meetings(members, days, rng)
    everyone = list(diaries.values())
    for day in days:
        quiet = quiet_times.draw(rng)
        titles = EVENT_TITLES if day.weekday() < SATURDAY else WEEKEND_TITLES
        for _ in range(len(people) // 3):
            group = rng.sample(everyone, min(len(everyone), rng.randint(2, 5)))
            _add_meeting(group, day, quiet, titles, rng)
        for diary in everyone:
            _fill(diary, day, rng.randint(44, 64), quiet, titles, rng)
    return [
        Calendar(person_id=person_id, events=tuple(_events(diary, person_id, zone)))
        for person_id, diary in diaries.items()
    ]


def room_calendars(room_ids: Sequence[str], days: Sequence[date], zone: ZoneInfo, rng: Random) -> list[RoomCalendar]:
    """Bookings that take about 35 to 65 % of the hours of the given days."""
    calendars = []
    for room_id in room_ids:
        diary = _Diary()
        for day in days:
            _fill(diary, day, rng.randint(35, 65), (), BOOKING_TITLES, rng)
        calendars.append(RoomCalendar(room_id=room_id, bookings=tuple(_events(diary, room_id, zone))))
    return calendars


def _add_team_meetings(members: Sequence[_Diary], days: Sequence[date], rng: Random) -> None:
    standup = rng.randrange(DAY_START, DAY_END - 15, 15)
    weekly = [
        (rng.randrange(5), rng.randrange(DAY_START + 60, DAY_END - 90, 30), rng.choice((45, 60, 90)), title)
        for title in rng.sample(TEAM_EVENT_TITLES, 4)
    ]
    for day in (day for day in days if day.weekday() < SATURDAY):
        for diary in members:
            diary.add(day, Interval(standup, standup + 15), "Stand-up")
        for weekday, start, minutes, title in weekly:
            if day.weekday() == weekday:
                for diary in members:
                    if diary.fits(day, Interval(start, start + minutes)):
                        diary.add(day, Interval(start, start + minutes), title)


def _add_meeting(
    diaries: Sequence[_Diary], day: date, quiet: Sequence[Interval], titles: Sequence[str], rng: Random
) -> bool:
    minutes = rng.choice(_LENGTHS)
    start = rng.randrange(DAY_START // 60 - 1, DAY_END // 60 + 1) * 60 + rng.choice(_OFFSETS)
    span = Interval(start, start + minutes)
    title = rng.choice(titles)
    if any(span.overlaps(hours) for hours in quiet) and rng.random() > _QUIET_SHARE:
        return False
    if all(diary.fits(day, span) and not diary.has(day, title) for diary in diaries):
        for diary in diaries:
            diary.add(day, span, title)
        return True
    return False


def _fill(
    diary: _Diary, day: date, percent: int, quiet: Sequence[Interval], titles: Sequence[str], rng: Random
) -> None:
    wanted = (DAY_END - DAY_START) * percent // 100
    for _ in range(60):
        if diary.busy(day) >= wanted - 15:
            return
        _add_meeting([diary], day, quiet, titles, rng)


def _events(diary: _Diary, owner: str, zone: ZoneInfo) -> list[Event]:
    ordered = sorted((day, span, title) for day, spans in diary.spans.items() for span, title in spans)
    return [
        Event(
            event_id=f"{owner}-{number:03d}",
            title=title,
            start=local_time(day, span.start, zone),
            end=local_time(day, span.end, zone),
        )
        for number, (day, span, title) in enumerate(ordered, start=1)
    ]


def local_time(day: date, minute: int, zone: ZoneInfo) -> datetime:
    """The wall-clock time of a day, minutes after midnight (1440 is the next midnight), in its zone."""
    days, rest = divmod(minute, MINUTES_PER_DAY)
    return datetime.combine(day + timedelta(days=days), time(rest // 60, rest % 60), zone)

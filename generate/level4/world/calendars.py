"""The calendars of people and teams: 40 to 60 % of everybody's working hours are taken, much of it by series."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final, NamedTuple

from mpcbench.generate.level4.world.diaries import DAY_END, DAY_START, Diary, mask
from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.recurring import (
    SERIES_STATES,
    one_to_one,
    own_series,
    project_series,
    team_series,
    time_of_day,
)
from mpcbench.generate.level4.world.series import SeriesMaker, weekly
from mpcbench.generate.level4.world.sites import DAYS, LAST_DAY, SATURDAY, ZONES, minute, moment
from mpcbench.generate.wording.vocabulary import EVENT_TITLES, TEAM_EVENT_TITLES, WEEKEND_TITLES
from mpcbench.schema.level4.calendar import Entry, Status
from mpcbench.schema.level4.world import PersonalCalendar, TeamCalendar

_LENGTHS: Final = (30, 45, 60, 60, 90, 90, 105, 120, 120, 150)
_OFFSETS: Final = (0, 0, 0, 0, 30, 30, 30, 15, 45, 5, 10, 40)
_QUIET: Final = 0.04
"""The probability that a single entry may overlap the quiet hours of a day."""

_PRIVATE: Final = 0.07
_SINGLE_STATES: Final = (*24 * [Status.BUSY], Status.TENTATIVE, Status.OUT_OF_OFFICE)
_LOOSE_STATES: Final = (
    *4 * [Status.TENTATIVE], *3 * [Status.DECLINED], *2 * [Status.CANCELLED], *3 * [Status.FREE],
)  # fmt: skip
"""Of entries that may be put anywhere, even in quiet hours and over others."""

ABSENCES: Final = ("Vacation", "Parental leave day", "Conference trip", "Business trip", "Training course")
_TEAM_EVENTS: Final = (
    "Team offsite", "Stocktaking", "Equipment check", "Data clean-up", "Fire drill", "Visit of the auditors",
    "Customer open house", "Team photo", "Room move", "Cross-training",
)  # fmt: skip


class _QuietHours(NamedTuple):
    """The steps of a day that most people try to keep free, where most common gaps lie."""

    own: int
    """Some of any hours, kept free of single entries."""

    shared: int
    """Some of the hours in which all sites work, kept free of most occurrences of series, too."""


def personal_calendars(people: Staff, rng: Random) -> tuple[PersonalCalendar, ...]:
    """Everybody's calendar."""
    diaries = {person.person_id: Diary(person.person_id, ZONES[person.site]) for person in people.people}
    quiet = {day: _quiet_hours(day, rng) for day in DAYS if day.weekday() < SATURDAY}
    shared = 0
    for hours in quiet.values():
        shared |= hours.shared
    maker = SeriesMaker(rng, shared)
    names = {person.person_id: person.name for person in people.people}
    for team in people.line_teams:
        team_series(team, diaries, maker)
    for team in people.project_teams:
        project_series(team, diaries, maker)
    for person in people.people:
        if person.manager is not None:
            one_to_one(diaries[person.person_id], diaries[person.manager], names, maker)
        own_series(diaries[person.person_id], maker)
        _absences(diaries[person.person_id], rng)
    _add_singles(people, diaries, quiet, rng)
    for diary in diaries.values():
        _loose_entries(diary, rng)
    return tuple(PersonalCalendar(person_id=owner, entries=diary.finished()) for owner, diary in diaries.items())


def team_calendars(people: Staff, rng: Random) -> tuple[TeamCalendar, ...]:
    """The calendars of teams: a few series and events, which are in nobody's own calendar."""
    maker = SeriesMaker(rng)
    found = []
    for team in people.teams:
        zone = ZONES[people.site_of[team.members[0]]]
        diary = Diary(team.team_id, zone)
        for title in rng.sample(TEAM_EVENT_TITLES, 2):
            rule = weekly(rng, (rng.randrange(SATURDAY),), rng.choice((1, 2)))
            one = maker.make(f"Open {title.lower()}", time_of_day(rng, 120), rng.choice((45, 60, 90)), rule, zone)
            diary.add(one.entry(one.title, rng.choice(SERIES_STATES)), None)
        for day in rng.sample([day for day in DAYS if day.weekday() < SATURDAY], 18):
            title = rng.choice(_TEAM_EVENTS)
            start = moment(day, time_of_day(rng, 120), zone)
            status = rng.choice((*8 * [Status.BUSY], *_LOOSE_STATES[2:]))
            diary.add(Entry("", title, start, start + timedelta(minutes=rng.choice((60, 90, 120, 180))), status), day)
        found.append(TeamCalendar(team_id=team.team_id, entries=diary.finished()))
    return tuple(found)


def _add_singles(people: Staff, diaries: dict[str, Diary], quiet: dict[date, _QuietHours], rng: Random) -> None:
    """Meetings of several people, and what fills everybody's days; a few entries at weekends."""
    shares = {owner: rng.uniform(0.42, 0.57) for owner in diaries}
    for day in DAYS:
        if day.weekday() >= SATURDAY:
            for diary in rng.sample(list(diaries.values()), 12):
                _single([diary], day, 0, rng, WEEKEND_TITLES)
            continue
        kept = quiet[day].own | quiet[day].shared
        for _ in range(len(diaries) // 4):
            _single([diaries[one] for one in _group(people, rng)], day, kept, rng)
        for owner, diary in diaries.items():
            _fill(diary, day, shares[owner] + rng.uniform(-0.06, 0.06), kept, rng)


def _absences(diary: Diary, rng: Random) -> None:
    """Days out of office: for most people once or twice in the period, at most ten days in a row."""
    for title in rng.sample(ABSENCES, rng.choice((0, 1, 1, 2))):
        first = rng.choice(DAYS)
        last = min(first + timedelta(days=rng.choice((0, 0, 1, 2, 4, 9))), LAST_DAY)
        start, end = moment(first, 0, diary.zone), moment(last + timedelta(days=1), 0, diary.zone)
        diary.add(Entry("", None if rng.random() < 0.2 else title, start, end, Status.OUT_OF_OFFICE), first)


def _quiet_hours(day: date, rng: Random) -> _QuietHours:
    any_time = minute(day, rng.randrange(DAY_START, DAY_END - 120, 15))
    overlap = minute(day, rng.randrange(14 * 60, 16 * 60, 15))
    length = rng.choice((105, 120, 135))
    return _QuietHours(mask(any_time, any_time + length), mask(overlap, overlap + length))


def _group(people: Staff, rng: Random) -> list[str]:
    """Two to five people of one site, of one project or of anywhere."""
    count = rng.randint(2, 5)
    kind = rng.random()
    if kind < 0.55:
        return [person.person_id for person in rng.sample(people.at(rng.choice(people.people).site), count)]
    if kind < 0.85:
        return rng.sample(rng.choice(people.project_teams).members, count)
    return [person.person_id for person in rng.sample(people.people, count)]


def _single(diaries: Sequence[Diary], day: date, quiet: int, rng: Random, titles: Sequence[str] = EVENT_TITLES) -> bool:
    """Try to enter a meeting of several people, or something of one person's own."""
    minutes = rng.choice(_LENGTHS)
    at = rng.randrange(DAY_START // 60, DAY_END // 60) * 60 + rng.choice(_OFFSETS)
    title = rng.choice(titles)
    begins = minute(day, at, diaries[0].zone)
    span = mask(begins, begins + minutes)
    if span & quiet and rng.random() > _QUIET:
        return False
    if not all(diary.fits(span) and diary.may_call(title, day) for diary in diaries):
        return False
    start = moment(day, at, diaries[0].zone)
    for diary in diaries:
        own = start.astimezone(moment(day, at, diary.zone).tzinfo)
        shown = None if rng.random() < _PRIVATE else title
        diary.add(Entry("", shown, own, own + timedelta(minutes=minutes), rng.choice(_SINGLE_STATES)), day)
    return True


def _fill(diary: Diary, day: date, share: float, quiet: int, rng: Random) -> None:
    wanted = share * (DAY_END - DAY_START)
    for _ in range(40):
        if diary.minutes_taken(day) >= wanted - 20:
            return
        _single([diary], day, quiet, rng)


def _loose_entries(diary: Diary, rng: Random) -> None:
    """About three a week that are declined, cancelled, free or tentative, anywhere in working hours."""
    for day in (day for day in DAYS if day.weekday() < SATURDAY and rng.random() < 0.4):
        title = rng.choice(EVENT_TITLES)
        if diary.may_call(title, day):
            start = moment(day, time_of_day(rng, 60), diary.zone)
            end = start + timedelta(minutes=rng.choice((30, 45, 60, 60, 90)))
            diary.add(Entry("", title, start, end, rng.choice(_LOOSE_STATES)), day)

"""The calendars of people and teams: 40 to 60 % of everybody's working hours are taken, much of it by series."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.world.diaries import DAY_END, DAY_START, Diary, mask
from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.series import Series, daily, monthly, series, weekly, with_absence
from mpcbench.generate.level4.world.sites import DAYS, FIRST_DAY, HOME, LAST_DAY, SATURDAY, ZONES, minute, moment
from mpcbench.generate.wording.vocabulary import EVENT_TITLES, TEAM_EVENT_TITLES, WEEKEND_TITLES
from mpcbench.oracle.level4.timeline import series_days
from mpcbench.schema.level4.calendar import Entry, Status
from mpcbench.schema.level4.world import PersonalCalendar, Team, TeamCalendar

_LENGTHS: Final = (30, 45, 60, 60, 90, 90, 105, 120, 120, 150)
_OFFSETS: Final = (0, 0, 0, 0, 30, 30, 30, 15, 45, 5, 10, 40)
_QUIET: Final = 0.04
"""The probability that a single entry may overlap the quiet hours of a day."""

_PRIVATE: Final = 0.07
_SINGLE_STATES: Final = (*24 * [Status.BUSY], Status.TENTATIVE, Status.OUT_OF_OFFICE)
_SERIES_STATES: Final = (*30 * [Status.BUSY], *2 * [Status.TENTATIVE], Status.DECLINED, Status.FREE)
_LOOSE_STATES: Final = (
    *4 * [Status.TENTATIVE], *3 * [Status.DECLINED], *2 * [Status.CANCELLED], *3 * [Status.FREE],
)  # fmt: skip
"""Of entries that may be put anywhere, even in quiet hours and over others."""

_OWN_SERIES: Final = (
    "Focus block", "Desk research", "Ticket review", "Mail and paperwork", "Language lesson", "Coaching", "Reading hour",
    "Figures check", "Supplier line", "Rehearsal", "Mentoring circle", "Inbox hour",
)  # fmt: skip
_DAILY_TITLES: Final = ("Hand-off call", "Cut-over call", "Launch watch", "Audit check-in", "Trial run")
_ABSENCES: Final = ("Vacation", "Parental leave day", "Conference trip", "Business trip", "Training course")
_TEAM_EVENTS: Final = (
    "Team offsite", "Stocktaking", "Equipment check", "Data clean-up", "Fire drill", "Visit of the auditors",
    "Customer open house", "Team photo", "Room move", "Cross-training",
)  # fmt: skip


def personal_calendars(people: Staff, rng: Random) -> tuple[PersonalCalendar, ...]:
    """Everybody's calendar."""
    diaries = {person.person_id: Diary(person.person_id, ZONES[person.site]) for person in people.people}
    names = {person.person_id: person.name for person in people.people}
    for team in people.line_teams:
        _team_series(team, diaries, rng)
    for team in people.project_teams:
        _project_series(team, diaries, rng)
    for person in people.people:
        if person.manager is not None:
            _one_to_one(diaries[person.person_id], diaries[person.manager], names, rng)
        _own_series(diaries[person.person_id], rng)
        _absences(diaries[person.person_id], rng)
    _add_singles(people, diaries, rng)
    for diary in diaries.values():
        _loose_entries(diary, rng)
    return tuple(PersonalCalendar(person_id=owner, entries=diary.finished()) for owner, diary in diaries.items())


def _add_singles(people: Staff, diaries: dict[str, Diary], rng: Random) -> None:
    """Meetings of several people, and what fills everybody's days; a few entries at weekends."""
    shares = {owner: rng.uniform(0.42, 0.57) for owner in diaries}
    for day in DAYS:
        if day.weekday() >= SATURDAY:
            for diary in rng.sample(list(diaries.values()), 12):
                _single([diary], day, 0, rng, WEEKEND_TITLES)
            continue
        quiet = _quiet_hours(day, rng)
        for _ in range(len(diaries) // 4):
            _single([diaries[one] for one in _group(people, rng)], day, quiet, rng)
        for owner, diary in diaries.items():
            _fill(diary, day, shares[owner] + rng.uniform(-0.06, 0.06), quiet, rng)


def team_calendars(people: Staff, rng: Random) -> tuple[TeamCalendar, ...]:
    """The calendars of teams: a few series and events, which are in nobody's own calendar."""
    found = []
    for team in people.teams:
        zone = ZONES[people.site_of[team.members[0]]]
        diary = Diary(team.team_id, zone)
        for title in rng.sample(TEAM_EVENT_TITLES, 2):
            rule = weekly(rng, (rng.randrange(SATURDAY),), rng.choice((1, 2)))
            one = series(f"Open {title.lower()}", _at(rng, 120), rng.choice((45, 60, 90)), rule, zone, rng)
            diary.add(one.entry(one.title, rng.choice(_SERIES_STATES)), None)
        for day in rng.sample([day for day in DAYS if day.weekday() < SATURDAY], 18):
            title = rng.choice(_TEAM_EVENTS)
            start = moment(day, _at(rng, 120), zone)
            status = rng.choice((*8 * [Status.BUSY], *_LOOSE_STATES[2:]))
            diary.add(Entry("", title, start, start + timedelta(minutes=rng.choice((60, 90, 120, 180))), status), day)
        found.append(TeamCalendar(team_id=team.team_id, entries=diary.finished()))
    return tuple(found)


def _at(rng: Random, length: int) -> int:
    """A half hour of the working day that leaves a length before its end."""
    return rng.randrange(DAY_START, DAY_END - length + 1, 30)


def _enter(one: Series, diaries: Sequence[Diary], rng: Random) -> None:
    """Enter a series for several people, of whom some miss an occurrence or are not sure to take part at all."""
    entries = [(diary, one.entry(one.title, rng.choice(_SERIES_STATES))) for diary in diaries]
    days = list(series_days(one.rule, one.first))
    for diary, entry in entries:
        if not diary.may_call(one.title, None):
            continue
        if entry.status is Status.BUSY and rng.random() < 0.3:
            entry = one.entry(one.title, rule=with_absence(one.rule, days, one.start, one.minutes, rng))  # noqa: PLW2901
        diary.add(entry, None)


def _team_series(team: Team, diaries: dict[str, Diary], rng: Random) -> None:
    members = [diaries[member] for member in team.members]
    zone = members[0].zone
    titles = iter(rng.sample(TEAM_EVENT_TITLES, 4))
    _enter(
        series("Stand-up", rng.choice((530, 540, 555, 570, 585)), 15, weekly(rng, (0, 1, 2, 3, 4)), zone, rng,
               changes=0.04), members, rng,
    )  # fmt: skip
    for interval in (1, 1, 2):
        rule = weekly(rng, (rng.randrange(SATURDAY),), interval)
        _enter(series(next(titles), _at(rng, 90), rng.choice((45, 60, 90)), rule, zone, rng), members, rng)
    rule = monthly(rng, rng.randrange(SATURDAY))
    _enter(series(next(titles), _at(rng, 120), rng.choice((90, 120)), rule, zone, rng), members, rng)


def _project_series(team: Team, diaries: dict[str, Diary], rng: Random) -> None:
    """Two weekly meetings in the zone of one of the members, so that the others' clocks may move against them."""
    members = [diaries[member] for member in team.members]
    for kind in ("sync", "working hour"):
        start = rng.choice((840, 870, 900, 930, 960)) if rng.random() < 0.6 else _at(rng, 90)
        weekdays = (rng.randrange(SATURDAY),)
        rule = weekly(rng, weekdays, rng.choice((1, 1, 2, 3)))
        one = series(f"{team.name} {kind}", start, rng.choice((45, 60, 60)), rule, HOME, rng)
        if rng.random() < 0.5:
            zone = rng.choice(members).zone
            shifted = start if zone == HOME else _at(rng, 60)
            one = series(one.title, shifted, one.minutes, rule, zone, rng)
        _enter(one, members, rng)


def _one_to_one(diary: Diary, manager: Diary, names: dict[str, str], rng: Random) -> None:
    rule = weekly(rng, (rng.randrange(SATURDAY),), rng.choice((2, 2, 3, 4)))
    one = series("", _at(rng, 30), 30, rule, manager.zone, rng)
    for owner, other in ((diary, manager), (manager, diary)):
        _enter(one._replace(title=f"One-to-one with {names[other.owner]}"), [owner], rng)


def _own_series(diary: Diary, rng: Random) -> None:
    """Blocks of one's own, some of them private, and for some people a call every day of a few weeks."""
    for title in rng.sample(_OWN_SERIES, rng.choice((3, 3, 4, 5))):
        weekdays = tuple(sorted(rng.sample(range(SATURDAY), rng.choice((1, 2, 2)))))
        one = series(title, _at(rng, 90), rng.choice((45, 60, 90, 120)), weekly(rng, weekdays), diary.zone, rng)
        entry = one.entry(None if rng.random() < 0.2 else title, rng.choice(_SERIES_STATES))
        if diary.may_call(title, None):
            diary.add(entry, None)
    if rng.random() < 0.35:
        first = FIRST_DAY + timedelta(days=rng.randrange(84))
        title = rng.choice(_DAILY_TITLES)
        _enter(series(title, _at(rng, 30), rng.choice((15, 20, 30)), daily(rng, first), diary.zone, rng, first=first),
               [diary], rng)  # fmt: skip


def _absences(diary: Diary, rng: Random) -> None:
    """Days out of office: for most people once or twice in the period, at most ten days in a row."""
    for title in rng.sample(_ABSENCES, rng.choice((0, 1, 1, 2))):
        first = rng.choice(DAYS)
        last = min(first + timedelta(days=rng.choice((0, 0, 1, 2, 4, 9))), LAST_DAY)
        start, end = moment(first, 0, diary.zone), moment(last + timedelta(days=1), 0, diary.zone)
        diary.add(Entry("", None if rng.random() < 0.2 else title, start, end, Status.OUT_OF_OFFICE), first)


def _quiet_hours(day: date, rng: Random) -> int:
    """The steps that most people try to keep free: some of any hours, some of those in which all sites work."""
    found = 0
    for start in (rng.randrange(DAY_START, DAY_END - 120, 15), rng.randrange(14 * 60, 16 * 60, 15)):
        begins = minute(day, start)
        found |= mask(begins, begins + rng.choice((105, 120, 135)))
    return found


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
            start = moment(day, _at(rng, 60), diary.zone)
            end = start + timedelta(minutes=rng.choice((30, 45, 60, 60, 90)))
            diary.add(Entry("", title, start, end, rng.choice(_LOOSE_STATES)), day)

"""The series in people's calendars: those of teams, of projects, of two people, and of one's own."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.world.diaries import DAY_END, DAY_START, Diary
from mpcbench.generate.level4.world.series import Series, SeriesMaker, daily, monthly, weekly, with_absence
from mpcbench.generate.level4.world.sites import FIRST_DAY, HOME, SATURDAY
from mpcbench.generate.wording.vocabulary import TEAM_EVENT_TITLES
from mpcbench.oracle.level4.timeline import series_days
from mpcbench.schema.level4.calendar import Status
from mpcbench.schema.level4.world import Team

SERIES_STATES: Final = (*30 * [Status.BUSY], *2 * [Status.TENTATIVE], Status.DECLINED, Status.FREE)
_OWN_SERIES: Final = (
    "Focus block", "Desk research", "Ticket review", "Mail and paperwork", "Language lesson", "Coaching", "Reading hour",
    "Figures check", "Supplier line", "Rehearsal", "Mentoring circle", "Inbox hour",
)  # fmt: skip
_DAILY_TITLES: Final = ("Hand-off call", "Cut-over call", "Launch watch", "Audit check-in", "Trial run")


def time_of_day(rng: Random, length: int) -> int:
    """A half hour of the working day that leaves a length before its end."""
    return rng.randrange(DAY_START, DAY_END - length + 1, 30)


def _enter(one: Series, diaries: Sequence[Diary], rng: Random) -> None:
    """Enter a series for several people, of whom some miss an occurrence or are not sure to take part at all."""
    entries = [(diary, one.entry(one.title, rng.choice(SERIES_STATES))) for diary in diaries]
    days = list(series_days(one.rule, one.first))
    for diary, entry in entries:
        if not diary.may_call(one.title, None):
            continue
        if entry.status is Status.BUSY and rng.random() < 0.3:
            entry = one.entry(one.title, rule=with_absence(one.rule, days, one.start, one.minutes, rng))  # noqa: PLW2901
        diary.add(entry, None)


def team_series(team: Team, diaries: dict[str, Diary], maker: SeriesMaker) -> None:
    """A stand-up on every working day, two weekly meetings, one every other week and a monthly one."""
    rng = maker.rng
    members = [diaries[member] for member in team.members]
    zone = members[0].zone
    titles = iter(rng.sample(TEAM_EVENT_TITLES, 4))
    _enter(
        maker.make("Stand-up", rng.choice((530, 540, 555, 570, 585)), 15, weekly(rng, (0, 1, 2, 3, 4)), zone,
                   changes=0.04), members, rng,
    )  # fmt: skip
    for interval in (1, 1, 2):
        rule = weekly(rng, (rng.randrange(SATURDAY),), interval)
        _enter(maker.make(next(titles), time_of_day(rng, 90), rng.choice((45, 60, 90)), rule, zone), members, rng)
    rule = monthly(rng, rng.randrange(SATURDAY))
    _enter(maker.make(next(titles), time_of_day(rng, 120), rng.choice((90, 120)), rule, zone), members, rng)


def project_series(team: Team, diaries: dict[str, Diary], maker: SeriesMaker) -> None:
    """Two weekly meetings in the zone of one of the members, so that the others' clocks may move against them."""
    rng = maker.rng
    members = [diaries[member] for member in team.members]
    for kind in ("sync", "working hour"):
        start = rng.choice((840, 870, 900, 930, 960)) if rng.random() < 0.6 else time_of_day(rng, 90)
        weekdays = (rng.randrange(SATURDAY),)
        rule = weekly(rng, weekdays, rng.choice((1, 1, 2, 3)))
        one = maker.make(f"{team.name} {kind}", start, rng.choice((45, 60, 60)), rule, HOME)
        if rng.random() < 0.5:
            zone = rng.choice(members).zone
            shifted = start if zone == HOME else time_of_day(rng, 60)
            one = maker.make(one.title, shifted, one.minutes, rule, zone)
        _enter(one, members, rng)


def one_to_one(diary: Diary, manager: Diary, names: dict[str, str], maker: SeriesMaker) -> None:
    """A meeting every few weeks, in both calendars and by the manager's clock."""
    rng = maker.rng
    rule = weekly(rng, (rng.randrange(SATURDAY),), rng.choice((2, 2, 3, 4)))
    one = maker.make("", time_of_day(rng, 30), 30, rule, manager.zone)
    for owner, other in ((diary, manager), (manager, diary)):
        _enter(one._replace(title=f"One-to-one with {names[other.owner]}"), [owner], rng)


def own_series(diary: Diary, maker: SeriesMaker) -> None:
    """Blocks of one's own, some of them private, and for some people a call every day of a few weeks."""
    rng = maker.rng
    for title in rng.sample(_OWN_SERIES, rng.choice((3, 3, 4, 5))):
        weekdays = tuple(sorted(rng.sample(range(SATURDAY), rng.choice((1, 2, 2)))))
        one = maker.make(title, time_of_day(rng, 90), rng.choice((45, 60, 90, 120)), weekly(rng, weekdays), diary.zone)
        entry = one.entry(None if rng.random() < 0.2 else title, rng.choice(SERIES_STATES))
        if diary.may_call(title, None):
            diary.add(entry, None)
    if rng.random() < 0.35:
        first = FIRST_DAY + timedelta(days=rng.randrange(84))
        title = rng.choice(_DAILY_TITLES)
        _enter(maker.make(title, time_of_day(rng, 30), rng.choice((15, 20, 30)), daily(rng, first), diary.zone, first=first),
               [diary], rng)  # fmt: skip

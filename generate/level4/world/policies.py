"""The policies of the office, edition by edition, and the documents that hold them."""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Any, Final, NamedTuple

from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.sites import HARBOUR, MILL, NORTH, STATION
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, RoomTurnaround, WorkHours
from mpcbench.schema.level4.policy import (
    BuildingOpen,
    Exemption,
    HolidaysBlock,
    LadderRule,
    Policy,
    Scope,
    TeamCalendarBlocks,
    TentativeFree,
)

WEEK: Final = (0, 1, 2, 3, 4)
ARCHIVED: Final = "archive"


class Edition(NamedTuple):
    """One edition of a policy: what it says, and where it is to be found."""

    rules: tuple[LadderRule, ...]
    terms: dict[str, Any]
    archived: bool
    """Whether only the archive holds it."""


class Guideline(NamedTuple):
    """A policy with all its editions, oldest first; `key` is what other policies call it here."""

    key: str
    document: str
    heading: str
    editions: tuple[Edition, ...]
    exempt: tuple[tuple[str, Scope], ...] = ()
    """What the last edition exempts from which policy."""


def _now(*rules: LadderRule, **terms: Any) -> Edition:
    return Edition(rules, terms, archived=False)


def _old(*rules: LadderRule, **terms: Any) -> Edition:
    return Edition(rules, terms, archived=True)


def _hours(start: str, end: str) -> WorkHours:
    return WorkHours(start=start, end=end, days=WEEK)


def _lunch(start: str, end: str, days: tuple[int, ...] = WEEK) -> LunchBlock:
    return LunchBlock(start=start, end=end, days=days)


def _ban(day: int, start: str, end: str) -> BanDowTime:
    return BanDowTime(day=day, start=start, end=end)


def guidelines(people: Staff, rng: Random) -> list[Guideline]:
    """All policies. Several hold for any meeting; even all together they leave every weekday but one some hours."""
    return [*_on_hours(rng), *_on_rooms(rng), *_on_calendars(people, rng), *_of_teams(people, rng)]


def _on_hours(rng: Random) -> Iterator[Guideline]:
    spring = date(2027, 4, rng.choice((7, 8, 13, 14)))
    late = date(2027, 5, rng.choice((5, 11, 12, 19)))
    yield Guideline(
        "hours harbour",
        "Working time",
        "Working hours at Harbour House",
        (
            _old(_hours("07:30", "18:30"), people_at=(HARBOUR,)),
            _now(_hours("08:00", "18:00"), people_at=(HARBOUR,), first=date(2026, 9, 1)),
        ),
    )
    yield Guideline(
        "hours mill",
        "Working time",
        "Working hours at Mill Lane",
        (
            _old(_hours("08:00", "17:30"), people_at=(MILL,)),
            _now(_hours("09:00", "18:30"), people_at=(MILL,), first=spring),
        ),
    )
    yield Guideline(
        "hours north",
        "Working time",
        "Working hours at North Campus",
        (
            _now(_hours("08:00", "17:00"), people_at=(NORTH,)),
            _now(_hours("08:30", "17:30"), people_at=(NORTH,), first=late),
        ),
    )
    yield Guideline(
        "hours station",
        "Working time",
        "Working hours at Station Square",
        (_now(_hours("07:30", "18:00"), people_at=(STATION,)),),
    )
    yield Guideline(
        "summer",
        "Working time",
        "Summer hours",
        (_now(_hours("08:00", "17:00"), people_at=(HARBOUR, MILL), first=date(2027, 6, 1), last=date(2027, 8, 31)),),
        (("lunch mill", Scope(at_most=60)),),
    )
    lunch = rng.choice(("12:00", "12:15"))
    yield Guideline(
        "lunch harbour",
        "Breaks",
        "Lunch at Harbour House",
        (
            _now(_lunch(lunch, "13:00"), people_at=(HARBOUR,)),
            _now(_lunch("12:30", "13:30"), people_at=(HARBOUR,), first=date(2027, 3, rng.choice((16, 17, 23)))),
        ),
        (("lunch harbour", Scope(at_most=30)),),
    )
    yield Guideline(
        "lunch mill", "Breaks", "Lunch at Mill Lane", (_now(_lunch("13:00", "14:00"), people_at=(MILL,)),)
    )
    yield Guideline(
        "lunch overseas",
        "Breaks",
        "Lunch at North Campus and Station Square",
        (_now(_lunch("12:00", "13:00"), people_at=(NORTH, STATION), scope=Scope(guests=False)),),
    )
    yield Guideline(
        "long",
        "Breaks",
        "Pauses around long meetings",
        (_now(BufferMin(minutes=rng.choice((15, 20))), scope=Scope(longer_than=75)),),
    )
    yield Guideline(
        "short",
        "Breaks",
        "Short meetings",
        (_now(BufferMin(minutes=5), scope=Scope(at_most=45)),),
        (("pause station", Scope(at_most=45)),),
    )
    yield Guideline(
        "pause station",
        "Breaks",
        "Pauses at Station Square",
        (
            _old(BufferMin(minutes=5), people_at=(STATION,)),
            _now(BufferMin(minutes=10), people_at=(STATION,), first=date(2027, 4, rng.choice((20, 21, 28)))),
        ),
    )
    yield Guideline(
        "monday",
        "Focus time",
        "Quiet start of the week",
        (
            _now(_ban(0, "08:00", "10:00"), scope=Scope(guests=False), last=date(2027, 4, 30)),
            _now(_ban(1, "08:00", "10:00"), scope=Scope(guests=False), first=date(2027, 5, 3)),
        ),
    )
    yield Guideline(
        "friday mill",
        "Focus time",
        "Friday afternoons at Mill Lane",
        (_now(_ban(4, "13:00", "18:30"), people_at=(MILL,)),),
        (("friday mill", Scope(guests=True)),),
    )
    yield Guideline(
        "wednesday north",
        "Focus time",
        "Wednesday mornings at North Campus",
        (_now(_ban(2, "08:00", "11:00"), people_at=(NORTH,), scope=Scope(longer_than=30)),),
    )
    yield Guideline(
        "thursday",
        "Focus time",
        "Thursday trial",
        (_now(_ban(3, "14:30", "18:00"), first=date(2027, 3, 15), last=date(2027, 4, 16), scope=Scope(at_most=60)),),
        (("thursday", Scope(guests=True)), ("thursday", Scope(room_sites=(NORTH, STATION)))),
    )


def _on_rooms(rng: Random) -> Iterator[Guideline]:
    turnaround = rng.choice((10, 15))
    yield Guideline(
        "turnaround harbour",
        "Meeting rooms",
        "Turnaround of rooms at Harbour House",
        (
            _now(RoomTurnaround(minutes=turnaround), scope=Scope(room_sites=(HARBOUR,))),
            _now(
                RoomTurnaround(minutes=turnaround + 10),
                scope=Scope(room_sites=(HARBOUR,)),
                first=date(2027, 4, rng.choice((1, 6, 15))),
            ),
        ),
    )
    yield Guideline(
        "turnaround",
        "Meeting rooms",
        "Turnaround of rooms elsewhere",
        (
            _old(RoomTurnaround(minutes=15), scope=Scope(room_sites=(MILL, NORTH, STATION))),
            _now(
                RoomTurnaround(minutes=5), scope=Scope(room_sites=(MILL, NORTH, STATION)), first=date(2027, 3, 30)
            ),
        ),
        (("turnaround", Scope(at_most=30)),),
    )
    yield Guideline(
        "turnaround long",
        "Meeting rooms",
        "Rooms after long meetings",
        (_now(RoomTurnaround(minutes=30), scope=Scope(longer_than=105)),),
    )
    yield Guideline(
        "open harbour",
        "Buildings",
        "Opening hours of Harbour House and Station Square",
        (_now(BuildingOpen(), scope=Scope(room_sites=(HARBOUR, STATION))),),
        (("open overseas", Scope(guests=False)),),
    )
    yield Guideline(
        "open mill",
        "Buildings",
        "Opening hours of Mill Lane during the works on its entrance",
        (
            _now(
                BuildingOpen(),
                scope=Scope(room_sites=(MILL,)),
                first=date(2027, 3, rng.choice((22, 24))),
                last=date(2027, 5, rng.choice((14, 20))),
            ),
        ),
    )
    yield Guideline(
        "open overseas",
        "Buildings",
        "Opening hours of North Campus",
        (_now(BuildingOpen(), scope=Scope(room_sites=(NORTH,))),),
    )
    yield Guideline(
        "guests hours",
        "Guests",
        "Hours for guests",
        (_now(_hours("08:30", "17:30"), scope=Scope(guests=True)),),
        (("lunch mill", Scope(guests=True, at_most=60)),),
    )
    yield Guideline(
        "guests room",
        "Guests",
        "Preparing rooms for guests",
        (
            _old(RoomTurnaround(minutes=10), scope=Scope(guests=True)),
            _now(RoomTurnaround(minutes=20), scope=Scope(guests=True), first=date(2027, 2, 1)),
        ),
        (("guests room", Scope(room_sites=(MILL,))),),
    )
    yield Guideline(
        "guests pause",
        "Guests",
        "Time to see guests out",
        (_now(BufferMin(minutes=15), scope=Scope(guests=True)),),
        (("guests pause", Scope(at_most=45)),),
    )


def _on_calendars(people: Staff, rng: Random) -> Iterator[Guideline]:
    yield Guideline(
        "holidays europe",
        "Public holidays",
        "Public holidays in Europe",
        (_now(HolidaysBlock(), people_at=(HARBOUR, MILL)),),
    )
    yield Guideline(
        "holidays north",
        "Public holidays",
        "Public holidays in the United States",
        (_now(HolidaysBlock(), people_at=(NORTH,)),),
        (("holidays north", Scope(guests=True)),),
    )
    yield Guideline(
        "holidays station",
        "Public holidays",
        "Public holidays in South Africa",
        (
            _old(HolidaysBlock(), people_at=(STATION,), scope=Scope(guests=False)),
            _now(HolidaysBlock(), people_at=(STATION,), first=date(2027, 3, 25)),
        ),
        (("holidays station", Scope(at_most=30)),),
    )
    yield Guideline(
        "tentative",
        "Calendars",
        "Tentative entries and guests",
        (
            _now(TentativeFree(), scope=Scope(guests=True)),
            _now(TentativeFree(), scope=Scope(guests=True, longer_than=30), first=date(2027, 4, 26)),
        ),
    )
    yield Guideline(
        "tentative short",
        "Calendars",
        "Tentative entries and long meetings",
        (_now(TentativeFree(), scope=Scope(longer_than=60), people_at=(HARBOUR, NORTH)),),
    )
    yield Guideline(
        "team calendars",
        "Calendars",
        "Team calendars",
        (
            _now(TeamCalendarBlocks(), people_at=(MILL, STATION)),
            _now(TeamCalendarBlocks(), people_at=(MILL, HARBOUR), first=date(2027, 4, rng.choice((9, 19, 29)))),
        ),
        (("team calendars", Scope(longer_than=90)),),
    )
    yield Guideline(
        "team calendars north",
        "Calendars",
        "Team calendars at North Campus",
        (_now(TeamCalendarBlocks(), people_at=(NORTH,), scope=Scope(guests=False, room_sites=(HARBOUR, NORTH))),),
    )


def _of_teams(people: Staff, rng: Random) -> Iterator[Guideline]:
    def some(count: int) -> tuple[str, ...]:
        return tuple(sorted(team.team_id for team in rng.sample(people.line_teams, count)))

    yield Guideline(
        "closing",
        "Finance",
        "Closing of the quarter",
        (
            _old(_ban(0, "09:00", "12:00"), scope=Scope(organiser_teams=some(4)), last=date(2026, 12, 31)),
            _now(
                _ban(1, "09:00", "12:30"),
                _ban(3, "09:00", "12:30"),
                scope=Scope(organiser_teams=some(6)),
                first=date(2027, 3, 1),
                last=date(2027, 4, 9),
            ),
        ),
    )
    yield Guideline(
        "engineers",
        "Engineering",
        "Maker mornings",
        (
            _now(
                _ban(2, "08:00", "12:00"),
                _ban(4, "08:00", "11:00"),
                scope=Scope(organiser_teams=some(8)),
            ),
        ),
        (("maker pause", Scope(guests=True)),),
    )
    yield Guideline(
        "maker pause",
        "Engineering",
        "Pauses between engineering meetings",
        (
            _now(BufferMin(minutes=10), scope=Scope(organiser_teams=some(8))),
            _now(BufferMin(minutes=20), scope=Scope(organiser_teams=some(7)), first=date(2027, 5, 10)),
        ),
    )
    yield Guideline(
        "customers",
        "Customers",
        "Meetings of those who work with customers",
        (_now(_ban(0, "08:00", "11:00"), TentativeFree(), scope=Scope(organiser_teams=some(7))),),
        (
            ("monday", Scope(organiser_teams=some(8))),
            ("guests pause", Scope(room_sites=(HARBOUR, NORTH))),
        ),
    )
    yield Guideline(
        "deal teams",
        "Customers",
        "Exceptions for those who negotiate contracts",
        (_now(first=date(2027, 3, 8), last=date(2027, 5, 28)),),
        (
            ("turnaround harbour", Scope(at_most=60, organiser_teams=some(12))),
            ("wednesday north", Scope(organiser_teams=some(10))),
            ("hours north", Scope(guests=True, longer_than=60)),
        ),
    )


def editions_of(guideline: Guideline, ids: dict[str, str]) -> Iterator[tuple[Policy, bool]]:
    """The editions as policies, each with whether only the archive holds it; exemptions are in the last."""
    for number, edition in enumerate(guideline.editions, start=1):
        exemptions = tuple(
            Exemption(policy_id=ids[key], when=scope)
            for key, scope in (guideline.exempt if number == len(guideline.editions) else ())
        )
        yield (
            Policy(
                policy_id=ids[guideline.key],
                edition=number,
                rules=edition.rules,
                exemptions=exemptions,
                **edition.terms,
            ),
            edition.archived,
        )

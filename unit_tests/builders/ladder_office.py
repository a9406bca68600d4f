"""A level-4 world of full size from a seed, with tasks of several people, rooms and sites: calendars about half busy.

It is made to measure and to compare solvers, not to be read: texts are empty.
"""

from datetime import date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from mpcbench.schema import (
    BufferMin,
    Duration,
    Equipment,
    Guests,
    LunchBlock,
    OptionCount,
    Room,
    RoomTurnaround,
    Window,
    WorkHours,
)
from mpcbench.schema.level4.calendar import Entry, Frequency, Recurrence, Status
from mpcbench.schema.level4.instance import LadderInstance, LadderReferences
from mpcbench.schema.level4.people import AtLeast, Named, OnRoster, Required
from mpcbench.schema.level4.policy import HolidaysBlock, Policy, Scope
from mpcbench.schema.level4.statements import (
    AfterMeeting,
    Agenda,
    DailyLimit,
    Invited,
    LadderStatement,
    Organiser,
    Said,
)
from mpcbench.schema.level4.world import (
    Bookings,
    Colleague,
    Holiday,
    HolidayCalendar,
    LadderDocument,
    LadderMessage,
    LadderSection,
    LadderThread,
    LadderWorld,
    Office,
    PersonalCalendar,
    Roster,
    Shift,
    Team,
)
from mpcbench.schema.world import Period

FIRST = date(2027, 3, 8)
WEEKS = 6
SITES = (
    ("Harbour", "Europe/Berlin", "DE"),
    ("Hill", "Europe/Lisbon", "PT"),
    ("Pier", "America/New_York", "US"),
    ("Quay", "Europe/London", "GB"),
)
WEEKDAYS = (0, 1, 2, 3, 4)
HOME = ZoneInfo("Europe/Berlin")


class Office300:
    """A world and its tasks, all from one seed."""

    def __init__(self, seed: int, people: int = 300, rooms: int = 80, threads: int = 2500) -> None:
        self.random = Random(seed)
        self.serial = 0
        self.world = self._world(people, rooms, threads)

    def single(self, number: int, invited: int = 9, weeks: int = 3) -> LadderInstance:
        """A meeting of several people, some of them a choice and one from a roster, in weeks around a change of zones."""
        people = self._team(invited)
        statements: list[LadderStatement] = [
            Organiser(person=people[0]),
            Duration(minutes=self.random.choice((30, 45))),
            OptionCount(count=8),
            _window(weeks),
            Invited(
                invitations=(
                    *(Required(who=Named(person=one)) for one in people[: invited - 5]),
                    AtLeast(count=2, of=tuple(Named(person=one) for one in people[invited - 5 : invited - 1])),
                    Required(who=OnRoster(roster="RST-01")),
                )
            ),
            Guests(count=2),
            Equipment(items=("video",)),
        ]
        return _instance(number, "Curlew review", [Said(about="Curlew review", statement=one) for one in statements])

    def plan(self, number: int, meetings: int = 7, people: int = 9, weeks: int = 1, limit: int = 2) -> LadderInstance:
        """Several meetings of few people who share few rooms, in an order, with a limit per person and day."""
        team = self._team(people)
        names = [f"Session {letter}" for letter in "ABCDEFGHIJKLMNOP"[:meetings]]
        common: list[LadderStatement] = [
            Organiser(person=team[0]),
            Agenda(meetings=tuple(names)),
            DailyLimit(count=limit),
            _window(weeks),
            Equipment(items=("stage",)),
        ]
        said = [Said(about="Spring week", statement=one) for one in common]
        for place, name in enumerate(names):
            invitations = tuple(Required(who=Named(person=one)) for one in self.random.sample(team, min(people, 3)))
            said += [
                Said(about=name, statement=Duration(minutes=self.random.choice((60, 75, 90, 120)))),
                Said(about=name, statement=Invited(invitations=invitations)),
            ]
            if place and self.random.random() < 0.3:
                said.append(Said(about=name, statement=AfterMeeting(meeting=self.random.choice(names[:place]))))
            elif place < meetings - 1 and self.random.random() < 0.15:
                said.append(Said(about=name, statement=AfterMeeting(meeting=names[meetings - 1])))
        return _instance(number, "Spring week", said)

    def _team(self, size: int) -> list[str]:
        near = [one.person_id for one in self.world.people if one.site in {"Harbour", "Hill"}]
        far = [one.person_id for one in self.world.people if one.site in {"Pier", "Quay"}]
        return [*self.random.sample(near, size - 1), self.random.choice(far)]

    def _world(self, people: int, rooms: int, threads: int) -> LadderWorld:
        colleagues = tuple(
            Colleague(
                person_id=f"p{number:03}",
                name=f"Person {number}",
                team=f"TEAM-{number % 12 + 1:02}",
                site=SITES[number % 4][0],
                title="",
                email="",
            )
            for number in range(people)
        )
        zones = {site: zone for site, zone, _ in SITES}
        days = [FIRST + timedelta(days=7 * week) for week in range(WEEKS)]
        shifts = tuple(
            Shift(first=day, last=day + timedelta(days=6), person_id=self.random.choice(colleagues).person_id)
            for day in days
        )
        teams = sorted({one.team for one in colleagues})
        return LadderWorld(
            generator_version="1",
            seed=1,
            timezone="Europe/Berlin",
            today=_moment(FIRST - timedelta(days=3), 600, HOME),
            period=Period(start=_moment(FIRST, 0, HOME), end=_moment(FIRST + timedelta(weeks=WEEKS), 0, HOME)),
            sites=tuple(Office(site=site, timezone=zone, country=country) for site, zone, country in SITES),
            holidays=(HolidayCalendar(country="PT", days=(Holiday(day=date(2027, 3, 26), name="Good Friday"),)),),
            people=colleagues,
            teams=tuple(
                Team(
                    team_id=team,
                    name=team,
                    members=tuple(one.person_id for one in colleagues if one.team == team),
                )
                for team in teams
            ),
            rosters=(Roster(roster_id="RST-01", name="desk", shifts=shifts),),
            calendars=tuple(
                PersonalCalendar(person_id=one.person_id, entries=self._entries(zones[one.site], 0.22))
                for one in colleagues
            ),
            documents=(
                LadderDocument(document_id="DOC-01", title="", introduction="", sections=tuple(self._sections())),
            ),
            threads=tuple(self._threads(threads, colleagues)),
            rooms=tuple(
                Room(
                    room_id=f"R{number:02}",
                    name=f"Room {number}",
                    site=SITES[number % 4][0],
                    floor=number % 5,
                    capacity=4 + 2 * (number % 6),
                    equipment=("video", *(("stage",) if number in {5, 8} else ())) if number % 3 else (),
                )
                for number in range(1, rooms + 1)
            ),
            room_calendars=tuple(
                Bookings(room_id=f"R{number:02}", entries=self._entries(SITES[number % 4][1], 0.4))
                for number in range(1, rooms + 1)
            ),
        )

    def _entries(self, zone: str, busy: float) -> tuple[Entry, ...]:
        """Single entries that take about that part of the working day, and some series."""
        place = ZoneInfo(zone)
        found = []
        for week in range(WEEKS):
            for weekday in WEEKDAYS:
                day = FIRST + timedelta(days=7 * week + weekday)
                at = 8 * 60
                while at < 18 * 60:
                    length = self.random.choice((30, 45, 60, 90))
                    if self.random.random() < busy:
                        status = Status.BUSY if self.random.random() < 0.85 else self.random.choice(tuple(Status))
                        found.append(self._entry(_moment(day, at, place), length, status))
                    at += length
        for weekday in self.random.sample(WEEKDAYS, 2):
            day = FIRST + timedelta(days=weekday)
            rule = Recurrence(
                timezone=zone,
                frequency=Frequency.WEEKLY,
                weekdays=(weekday,),
                until=FIRST + timedelta(weeks=WEEKS),
                excepted=(day + timedelta(days=14),),
            )
            found.append(self._entry(_moment(day, 9 * 60, place), 30, Status.BUSY, rule))
        return tuple(found)

    def _entry(self, start: datetime, length: int, status: Status, rule: Recurrence | None = None) -> Entry:
        self.serial += 1
        return Entry(f"e{self.serial:05}", "Busy", start, start + timedelta(minutes=length), status, rule)

    def _sections(self) -> list[LadderSection]:
        policies = [
            _policy(1, WorkHours(start="08:00", end="18:00", days=WEEKDAYS)),
            _policy(2, LunchBlock(start="12:00", end="12:30", days=WEEKDAYS), people_at=("Hill", "Harbour")),
            _policy(3, BufferMin(minutes=5), scope=Scope(guests=True)),
            _policy(4, RoomTurnaround(minutes=10), last=FIRST + timedelta(days=9)),
            _policy(5, HolidaysBlock()),
        ]
        policies += [
            _policy(number, BufferMin(minutes=number), scope=Scope(organiser_teams=("TEAM-99",)))
            for number in range(6, 36)
        ]
        return [LadderSection(heading="", text="", policy=policy) for policy in policies]

    def _threads(self, count: int, people: tuple[Colleague, ...]) -> list[LadderThread]:
        found = []
        for number in range(count):
            sent = _moment(FIRST - timedelta(days=10), 480 + number % 600, HOME)
            statements: list[LadderStatement] = [
                Organiser(person=self.random.choice(people).person_id),
                Duration(minutes=30),
                _window(1),
            ]
            messages = tuple(
                LadderMessage(
                    sent=sent + timedelta(minutes=place),
                    author=self.random.choice(people).person_id,
                    text="",
                    tags=(Said(about=f"Other meeting {number}", statement=statement),),
                )
                for place, statement in enumerate(statements)
            )
            found.append(LadderThread(thread_id=f"T{number:04}", channel="general", messages=messages))
        return found


def _policy(number: int, *rules: Any, **more: Any) -> Policy:
    return Policy(policy_id=f"POL-{number:02}", edition=1, rules=rules, **more)


def _moment(day: date, minute: int, zone: ZoneInfo) -> datetime:
    midnight = datetime.combine(day, datetime.min.time(), zone)
    return midnight.replace(hour=minute // 60, minute=minute % 60)


def _window(weeks: int) -> Window:
    last = FIRST + timedelta(weeks=weeks)
    return Window(start=_moment(FIRST, 0, HOME), end=_moment(last, 0, HOME), daily=None)


def _instance(number: int, subject: str, said: list[Said]) -> LadderInstance:
    return LadderInstance(
        generator_version="1",
        seed=1,
        instance_id=f"level4-{number:03}",
        rung=1,
        mechanisms=(),
        subject=subject,
        task=("", "", ""),
        references=LadderReferences(statements=tuple(said)),
    )

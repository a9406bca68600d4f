"""Hypothesis strategies for arbitrary valid worlds of level 4 with an instance.

Worlds are small and untidy: two sites with zones of their own around a change of their offsets, entries off the grid,
series with exceptions and moves, editions, notices that replace one another, statements by people who may not decide.
Windows are at most three days, so that brute force is quick.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from mpcbench.schema import (
    BanDowTime,
    BanWindow,
    BufferMin,
    Deadline,
    Duration,
    Equipment,
    Guests,
    LunchBlock,
    NotBefore,
    OptionCount,
    RequiredWindow,
    Room,
    RoomTurnaround,
    Site,
    TieBreak,
    TieBreakKey,
    Window,
    WorkHours,
)
from mpcbench.schema.level4.calendar import Entry, Frequency, Moved, Recurrence, Status
from mpcbench.schema.level4.facts import (
    Definition,
    Handover,
    NewManager,
    Notice,
    RoomClosed,
    SiteClosed,
    SiteOpen,
    Swap,
)
from mpcbench.schema.level4.instance import (
    BookingChanged,
    Change,
    EntryChanged,
    LadderInstance,
    LadderReferences,
    MessageSent,
    PagePosted,
)
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    Invitation,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    Optional,
    Required,
    SamePeople,
    StandIn,
    Who,
)
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
from mpcbench.schema.level4.statements import (
    AfterEntry,
    AfterMeeting,
    Agenda,
    Agreed,
    DailyLimit,
    Declined,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    LadderStatement,
    Organiser,
    Said,
    Seats,
    SiteOf,
    TentativeEntries,
    Uninvite,
)
from mpcbench.schema.level4.world import (
    Bookings,
    Colleague,
    Holiday,
    HolidayCalendar,
    LadderCollection,
    LadderDocument,
    LadderMessage,
    LadderPage,
    LadderSection,
    LadderThread,
    LadderWorld,
    Office,
    OpeningHours,
    PersonalCalendar,
    Role,
    Roster,
    Shift,
    Tag,
    Team,
    TeamCalendar,
)
from mpcbench.schema.statements import DailyHours
from mpcbench.schema.world import Period

T = TypeVar("T")

DAY = 24 * 60
MEETING, PLAN, OTHER = "Curlew review", "Spring week", "Wagtail workshop"
PLANNED = ("Curlew review", "Design critique", "Budget talk", "Retrospective")
PEOPLE = ("p001", "p002", "p003", "p004", "p005")
SITES = ("Harbour", "Hill")
COUNTRIES = ("PT", "US")
EQUIPMENT = ("projector", "video")
ALIASES = {
    "the Dutch thing": MEETING,
    "the week": PLAN,
    "the bird one": OTHER,
    "AL": "p001",
    "Raven": "TEAM-01",
    "ours": "alias:the Dutch thing",
}

# The world's zone, those of the sites, and the local date on which the story begins, mostly a day before a change.
PLACES = (
    ("Europe/Berlin", "Europe/Berlin", "America/New_York", "2027-03-13"),
    ("Europe/Berlin", "Europe/London", "America/New_York", "2027-03-27"),
    ("Europe/Lisbon", "Europe/Lisbon", "America/New_York", "2027-10-30"),
    ("UTC", "America/New_York", "America/Sao_Paulo", "2027-11-06"),
    ("Asia/Kathmandu", "Europe/Berlin", "Asia/Tokyo", "2027-10-30"),
    ("Australia/Lord_Howe", "Australia/Lord_Howe", "Pacific/Chatham", "2027-04-03"),
    ("Africa/Casablanca", "Africa/Casablanca", "Europe/Madrid", "2027-02-06"),
)


class Theme(StrEnum):
    """What a case concentrates on, so that statements of one kind meet often."""

    AUTHORITY = "authority"
    JOINT = "joint"
    PEOPLE = "people"
    POLICIES = "policies"
    REFERENCES = "references"
    ROOMS = "rooms"
    STATES = "states"
    TIMES = "times"


class LadderCase(NamedTuple):
    """A world of level 4 and an instance of it."""

    world: LadderWorld
    instance: LadderInstance


class Story:
    """Draws the parts of one case; moments count in minutes from the story's first midnight."""

    def __init__(self, draw: st.DrawFn, theme: Theme) -> None:
        self.draw = draw
        self.theme = theme
        self.zone, *self.sites, first = self.pick(PLACES)
        self.first = date.fromisoformat(first)
        self.midnight = datetime.combine(self.first, datetime.min.time(), ZoneInfo(self.zone)).astimezone(UTC)
        self.serial = 0
        plan = theme is Theme.JOINT
        self.meetings: tuple[str, ...] = PLANNED[: self.number(2, 4 if self.chance(4) else 3)] if plan else (MEETING,)

    def pick(self, items: Sequence[T]) -> T:
        return self.draw(st.sampled_from(items))

    def some(self, items: Sequence[T], most: int) -> tuple[T, ...]:
        return tuple(self.draw(st.lists(st.sampled_from(items), max_size=most, unique=True)))

    def number(self, least: int, most: int) -> int:
        return self.draw(st.integers(least, most))

    def chance(self, one_in: int = 2) -> bool:
        return self.number(1, one_in) == 1

    def at(self, minutes: int) -> datetime:
        return self.midnight + timedelta(minutes=minutes)

    def minutes(self) -> int:
        """A moment of the days that matter, on the grid half of the time."""
        return self.number(-DAY // 15, 4 * DAY // 15) * 15 if self.chance() else self.number(-DAY, 4 * DAY)

    def span(self, longest: int = DAY // 2) -> dict[str, datetime]:
        start = self.minutes()
        length = self.pick((15, 30, 60, 120)) if self.chance() else self.number(1, longest)
        return {"start": self.at(start), "end": self.at(start + length)}

    def day(self) -> date:
        return self.first + timedelta(days=self.number(-1, 4))

    def days(self) -> dict[str, date]:
        first = self.day()
        return {"first": first, "last": first + timedelta(days=self.number(0, 2))}

    def hours(self) -> dict[str, str]:
        start, end = self.pick(((0, 600), (60, 720), (480, 1080), (540, 1020), (720, 780), (735, 1439), (1080, DAY)))
        return {"start": f"{start // 60:02}:{start % 60:02}", "end": f"{end // 60:02}:{end % 60:02}"}

    def weekdays(self) -> tuple[int, ...]:
        return self.pick(((0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (5, 6), (6, 0), (0,)))

    # Who.

    def person(self) -> str:
        return "alias:AL" if self.chance(6) else self.pick(PEOPLE)

    def who(self) -> Who:
        kinds: tuple[Who, ...] = (
            Named(person=self.person()),
            Named(person=self.person()),
            Holder(role="ROLE-01"),
            ManagerOf(person=self.person()),
            OnRoster(roster="RST-01"),
            MembersOf(team=self.pick(("TEAM-01", "TEAM-02", "alias:Raven")), contractors=self.chance()),
        )
        return self.pick(kinds) if self.theme in {Theme.PEOPLE, Theme.REFERENCES} else kinds[0]

    def invitation(self) -> Invitation:
        match self.number(1, 8):
            case 1:
                return Optional(who=self.who())
            case 2:
                return StandIn(who=self.who(), stand_in=self.who())
            case 3 | 4:
                some = tuple(self.who() for _ in range(self.number(1, 3)))
                return AtLeast(count=self.number(1, 2), of=some)
            case 5 if self.theme is Theme.REFERENCES:
                return SamePeople(meeting=self.pick((OTHER, "alias:the bird one")))
        return Required(who=self.who())

    # What is said.

    def needed(self, about: str) -> list[Said]:
        """What no task can do without; the window starts near the first midnight."""
        start = self.pick((0, 8 * 60, 9 * 60, DAY))
        length = self.pick((DAY, 2 * DAY)) if self.theme is not Theme.JOINT else self.pick((8 * 60, DAY))
        daily = DailyHours(**self.hours()) if self.chance(4) else None
        statements: list[LadderStatement] = [
            Organiser(person=self.person()),
            Duration(minutes=15 * self.number(1, 8)),
            OptionCount(count=self.number(1, 6)),
            Window(start=self.at(start), end=self.at(start + length), daily=daily),
            Invited(invitations=tuple(self.invitation() for _ in range(self.number(1, 3)))),
        ]
        return [Said(about=about, statement=statement) for statement in statements]

    def statement(self, meeting: str) -> LadderStatement:
        times: list[LadderStatement] = [
            Duration(minutes=15 * self.number(1, 8)),
            Deadline(at=self.at(self.minutes())),
            NotBefore(at=self.at(self.minutes())),
            BanWindow(**self.span()),
            RequiredWindow(**self.span(2 * DAY)),
            AfterEntry(person=self.person(), event_id="anchor", day=None),
        ]
        rooms: list[LadderStatement] = [
            Guests(count=self.number(0, 3)),
            Seats(count=self.number(1, 5)),
            Equipment(items=(self.pick(EQUIPMENT),)),
            Site(site=self.pick(SITES)),
            TieBreak(keys=self.some(tuple(TieBreakKey), 2) or (TieBreakKey.FLOOR_ASCENDING,)),
        ]
        people: list[LadderStatement] = [
            Invite(invitation=self.invitation()),
            Uninvite(who=self.who()),
            TentativeEntries(block=self.chance()),
            Delegate(person=self.person()),
        ]
        other = self.pick((OTHER, "alias:the bird one"))
        references: list[LadderStatement] = [
            DurationOf(meeting=other),
            EquipmentOf(meeting=other),
            SiteOf(meeting=other),
        ]
        others = [one for one in self.meetings if one != meeting]
        joint: list[LadderStatement] = [AfterMeeting(meeting=self.pick(others))] if others else times
        return self.pick(
            {
                Theme.AUTHORITY: [*times[:3], *rooms[:2], people[3], people[3], people[1]],
                Theme.JOINT: [*joint, *joint, times[1], times[2], times[3], people[0]],
                Theme.PEOPLE: [*people, rooms[0]],
                Theme.POLICIES: [rooms[0], times[0], rooms[3]],
                Theme.REFERENCES: [*references, *people[:2]],
                Theme.ROOMS: rooms,
                Theme.STATES: [people[2], times[5]],
                Theme.TIMES: times,
            }[self.theme]
        )

    def about(self) -> str:
        names = list(self.meetings)
        if self.theme is Theme.JOINT:
            names.append(PLAN)
        if self.theme is Theme.REFERENCES:
            names.append(OTHER)
        name = self.pick(names)
        return self.pick([name, *(f"alias:{alias}" for alias, means in ALIASES.items() if means == name)])

    def tags(self, number: int) -> tuple[Tag, ...]:
        about = self.about()
        name = ALIASES.get(about.removeprefix("alias:"), about)
        if number and self.chance(3):
            answer = {"about": about, "message": self.number(0, number - 1)}
            return (Agreed(**answer) if self.chance(4) is False else Declined(**answer),)
        if name == PLAN and self.chance():
            return (Said(about=about, statement=DailyLimit(count=self.number(1, 2))),)
        if name in {PLAN, OTHER}:
            return (Said(about=about, statement=Guests(count=self.number(0, 2))),)
        return (Said(about=about, statement=self.statement(name)),)

    def message(self, number: int) -> LadderMessage:
        sent = self.at(-10 * DAY + 60 * number + self.number(0, 30))
        return LadderMessage(sent=sent, author=self.pick(PEOPLE), text="", tags=self.tags(number))

    def threads(self) -> tuple[LadderThread, ...]:
        found = []
        for thread in range(self.number(1, 2)):
            messages = [self.message(number) for number in range(self.number(1, 5))]
            found.append(LadderThread(thread_id=f"T{thread:04}", channel="general", messages=tuple(messages)))
        if self.theme is Theme.REFERENCES:
            tags = [*self.needed(OTHER), Said(about=OTHER, statement=Equipment(items=("video",)))]
            kept = [tag for tag in tags if not isinstance(tag.statement, Invited) or not _same(tag.statement)]
            first = LadderMessage(sent=self.at(-12 * DAY), author="p001", text="", tags=tuple(kept))
            found.append(LadderThread(thread_id="T0009", channel="general", messages=(first,)))
        return tuple(found)

    def task(self) -> tuple[Said, ...]:
        if self.theme is not Theme.JOINT:
            return tuple(self.needed(MEETING))
        agenda = Said(about=PLAN, statement=Agenda(meetings=self.meetings))
        own = [
            Said(about=name, statement=statement)
            for name in self.meetings
            for statement in (
                Duration(minutes=15 * self.number(1, 8)),
                Invited(invitations=tuple(self.invitation() for _ in range(self.number(1, 2)))),
            )
            if self.chance(3) is False
        ]
        return (agenda, *self.needed(PLAN), *own)

    # Records.

    def recurrence(self, first: date, zone: str) -> Recurrence:
        frequency = self.pick(tuple(Frequency))
        days = [first + timedelta(days=number) for number in range(8)]
        excepted = self.some(days, 2)
        moved = tuple(
            Moved(day=day, **self.span(), status=self.pick((None, *Status)))
            for day in self.some(days, 2)
            if day not in excepted
        )
        weekly = self.some(range(7), 3)
        monthly = frequency is Frequency.MONTHLY
        return Recurrence(
            timezone=zone,
            frequency=frequency,
            interval=self.number(1, 2),
            weekdays=(first.weekday(),) if monthly else weekly if frequency is Frequency.WEEKLY else (),
            nth=self.pick((1, 2, 3, 4, -1)) if monthly else None,
            until=first + timedelta(days=self.number(0, 40)),
            excepted=excepted,
            moved=moved,
        )

    def entry(self) -> Entry:
        self.serial += 1
        span = self.span()
        status = self.pick(tuple(Status)) if self.theme is Theme.STATES or self.chance(3) else Status.BUSY
        recurrence = None
        if self.chance(2 if self.theme is Theme.STATES else 4):
            zone = self.pick(self.sites)
            earlier = timedelta(days=self.pick((0, 7, 21)))
            span = {name: moment - earlier for name, moment in span.items()}
            recurrence = self.recurrence(span["start"].astimezone(ZoneInfo(zone)).date(), zone)
        return Entry(f"e{self.serial}", None, span["start"], span["end"], status, recurrence)

    def anchor(self) -> Entry:
        """An entry that everybody has, for statements to name."""
        span = self.span()
        return Entry("anchor", "Anchor", span["start"], span["end"])

    def entries(self, most: int) -> tuple[Entry, ...]:
        return tuple(self.entry() for _ in range(self.number(0, most)))

    def rule(self) -> LadderRule:
        rules: tuple[LadderRule, ...] = (
            WorkHours(**self.hours(), days=self.weekdays()),
            LunchBlock(**self.hours(), days=self.weekdays()),
            BanDowTime(**self.hours(), day=self.number(0, 6)),
            BufferMin(minutes=self.pick((5, 10, 30, 45))),
            RoomTurnaround(minutes=self.pick((5, 10, 30, 45))),
            HolidaysBlock(),
            TentativeFree(),
            TeamCalendarBlocks(),
            BuildingOpen(),
        )
        return self.pick(rules)

    def scope(self) -> Scope:
        return Scope(
            guests=self.pick((None, None, True, False)),
            room_sites=self.some(SITES, 1) if self.chance(3) else (),
            organiser_teams=self.some(("TEAM-01", "TEAM-02"), 1) if self.chance(3) else (),
            longer_than=self.pick((None, None, 0, 30, 60)),
            at_most=self.pick((None, None, 30, 60)),
        )

    def policy(self, number: int, edition: int) -> Policy:
        first = self.day() if self.chance() else None
        exemptions = [Exemption(policy_id=f"POL-0{self.number(1, 3)}", when=self.scope())] if self.chance(3) else []
        return Policy(
            policy_id=f"POL-0{number}",
            edition=edition,
            first=first,
            last=(first or self.first) + timedelta(days=self.number(0, 3)) if self.chance(3) else None,
            scope=self.scope() if self.chance() else Scope(),
            people_at=self.some(SITES, 1) if self.chance(3) else (),
            rules=tuple(self.rule() for _ in range(self.number(1, 2))),
            exemptions=tuple(exemptions),
        )

    def documents(self) -> tuple[LadderDocument, ...]:
        most = 3 if self.theme in {Theme.POLICIES, Theme.TIMES} else 2
        policies = [
            self.policy(number, edition)
            for number in range(1, self.number(1, most) + 1)
            for edition in range(1, self.number(1, 2) + 1)
        ]
        sections = tuple(LadderSection(heading="", text="", policy=policy) for policy in policies)
        return (LadderDocument(document_id="DOC-01", title="", introduction="", sections=sections),)

    def notice(self, number: int) -> Notice:
        effects = (
            RoomClosed(**self.span(), room_id="R01"),
            SiteClosed(**self.span(), site=self.pick(SITES)),
            SiteOpen(**self.span(), site=self.pick(SITES)),
        )
        replaces = f"N00{number - 1}" if number and self.chance() else None
        return Notice(notice_id=f"N00{number}", effects=self.some(effects, 2), replaces=replaces)

    def page(self, number: int) -> LadderPage:
        fact = self.pick(
            (
                Handover(role="ROLE-01", person_id=self.pick(PEOPLE), since=self.day()),
                NewManager(person_id=self.pick(PEOPLE), manager=self.pick(PEOPLE), since=self.day()),
                Swap(roster="RST-01", person_id=self.pick(PEOPLE), **self.days()),
                self.notice(number),
            )
        )
        posted = self.at(-10 * DAY + 30 * self.number(0, 9))
        return LadderPage(
            page_id=f"A{number}",
            collection=LadderCollection.ANNOUNCEMENT,
            title="",
            text="",
            posted=posted,
            facts=(fact, self.notice(number)) if not isinstance(fact, Notice) and self.chance() else (fact,),
        )

    def glossary(self) -> LadderPage:
        facts = tuple(Definition(alias=alias, means=means) for alias, means in ALIASES.items())
        return LadderPage(
            page_id="G1",
            collection=LadderCollection.GLOSSARY,
            title="",
            text="",
            posted=self.at(-20 * DAY),
            facts=facts,
        )

    def world(self) -> LadderWorld:
        anchor = self.anchor()
        return LadderWorld(
            generator_version="1",
            seed=1,
            timezone=self.zone,
            today=self.at(-2 * DAY),
            period=Period(start=self.at(-9 * DAY), end=self.at(30 * DAY)),
            sites=tuple(
                Office(
                    site=site,
                    timezone=zone,
                    country=country,
                    opening=(OpeningHours(**self.hours(), days=self.weekdays()),) if self.chance() else (),
                )
                for site, zone, country in zip(SITES, self.sites, COUNTRIES, strict=True)
            ),
            holidays=(HolidayCalendar(country="PT", days=(Holiday(day=self.day(), name="Feast"),)),),
            people=tuple(
                Colleague(
                    person_id=person_id,
                    name=person_id,
                    team=self.pick(("TEAM-01", "TEAM-02")),
                    site=self.pick(SITES),
                    title="",
                    email="",
                    manager=self.pick((None, *PEOPLE)),
                    contractor=self.chance(3),
                )
                for person_id in PEOPLE
            ),
            teams=tuple(
                Team(team_id=team_id, name=team_id, members=self.some(PEOPLE, 3)) for team_id in ("TEAM-01", "TEAM-02")
            ),
            roles=(Role(role_id="ROLE-01", name="", holder=self.pick((None, *PEOPLE)), shown_in="team:TEAM-01"),),
            rosters=(
                Roster(
                    roster_id="RST-01",
                    name="",
                    shifts=tuple(Shift(**self.days(), person_id=self.pick(PEOPLE)) for _ in range(self.number(0, 3))),
                ),
            ),
            calendars=tuple(
                PersonalCalendar(person_id=person_id, entries=(anchor, *self.entries(3))) for person_id in PEOPLE
            ),
            team_calendars=(TeamCalendar(team_id="TEAM-01", entries=self.entries(2)),),
            documents=self.documents(),
            threads=self.threads(),
            rooms=tuple(
                Room(
                    room_id=f"R0{number}",
                    name=self.pick("ABC"),
                    site=SITES[number % 2],
                    floor=self.number(1, 2),
                    capacity=self.number(3, 8),
                    equipment=self.some(EQUIPMENT, 2),
                )
                for number in range(1, 2 if self.theme is Theme.JOINT and self.chance() else 4)
            ),
            room_calendars=(Bookings(room_id="R01", entries=self.entries(2)),),
            pages=(self.glossary(), *(self.page(number) for number in range(self.number(0, 3)))),
        )

    def change(self) -> Change | None:
        if not self.chance(4):
            return None
        edits: tuple[Any, ...] = (
            MessageSent(thread_id="T0000", message=self.message(9)),
            PagePosted(page=self.page(9)),
            EntryChanged(person_id=self.pick(PEOPLE), entry=self.entry()),
            EntryChanged(person_id="p001", entry=self.anchor()),
            BookingChanged(room_id="R01", entry=self.entry()),
        )
        return Change(when_shown=("thread:T0000",), edit=self.pick(edits))

    def case(self) -> LadderCase:
        subject = PLAN if self.theme is Theme.JOINT else self.pick((MEETING, "alias:the Dutch thing", "alias:ours"))
        world = self.world()
        instance = LadderInstance(
            generator_version="1",
            seed=1,
            instance_id="level4-000",
            rung=1,
            mechanisms=(),
            subject=subject,
            task=("", "", ""),
            references=LadderReferences(statements=self.task()),
            change=self.change(),
        )
        return LadderCase(world, instance)


def _same(statement: Invited) -> bool:
    return any(isinstance(invitation, SamePeople) for invitation in statement.invitations)


@st.composite
def ladder_cases(draw: st.DrawFn, theme: Theme) -> LadderCase:
    """A world and an instance that concentrate on a theme."""
    return Story(draw, theme).case()

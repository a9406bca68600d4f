"""One small valid document of each concept of level 4, and one for every kind of statement, fact, rule and edit."""

from collections.abc import Iterator
from datetime import date
from typing import Any

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
from mpcbench.schema.level4.label import (
    LadderCandidate,
    LadderCertificate,
    LadderCounts,
    LadderLabel,
    LoadBearing,
    MisreadEffect,
)
from mpcbench.schema.level4.mechanism import LadderSource, Mechanism
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    Optional,
    Required,
    SamePeople,
    StandIn,
)
from mpcbench.schema.level4.policy import (
    BuildingOpen,
    Exemption,
    HolidaysBlock,
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
    Team,
    TeamCalendar,
)
from mpcbench.schema.model import Model
from mpcbench.schema.statements import BufferMin, Duration
from mpcbench.schema.world import Period, Room
from unit_tests.builders.tiny import at

START, END = at("2027-02-08 10:00"), at("2027-02-08 11:00")
DAY = date(2027, 2, 8)
WEEKLY = Recurrence(
    timezone="Europe/Berlin",
    frequency=Frequency.WEEKLY,
    interval=2,
    weekdays=(0,),
    until=date(2027, 3, 8),
    excepted=(date(2027, 2, 22),),
    moved=(Moved(day=DAY, start=START, end=END, status=Status.TENTATIVE),),
)
MONTHLY = Recurrence(timezone="UTC", frequency=Frequency.MONTHLY, weekdays=(1,), nth=-1, until=DAY)
SINGLE = Entry(event_id="e1", title="Review", start=START, end=END)
SERIES = Entry(event_id="e2", title=None, start=START, end=END, status=Status.OUT_OF_OFFICE, recurrence=WEEKLY)
WHOS = (
    Named(person="p1"),
    Named(person="alias:AL"),
    Holder(role="ROLE-01"),
    ManagerOf(person="p1"),
    OnRoster(roster="RST-01"),
    MembersOf(team="TEAM-01", contractors=False),
    MembersOf(team="alias:Raven"),
)
INVITATIONS = (
    *(Required(who=who) for who in WHOS),
    Optional(who=WHOS[0]),
    StandIn(who=WHOS[0], stand_in=WHOS[2]),
    AtLeast(count=2, of=WHOS[:2]),
    SamePeople(meeting="alias:the other one"),
)
STATEMENTS = (
    Organiser(person="p1"),
    Delegate(person="alias:AL"),
    Duration(minutes=30),
    DurationOf(meeting="Audit"),
    *(Invited(invitations=(invitation,)) for invitation in INVITATIONS),
    Invite(invitation=INVITATIONS[0]),
    Uninvite(who=WHOS[0]),
    Seats(count=5),
    AfterEntry(person="p1", event_id="e2", day=DAY),
    TentativeEntries(block=False),
    EquipmentOf(meeting="Audit"),
    SiteOf(meeting="Audit"),
    Agenda(meetings=("Audit", "Review")),
    AfterMeeting(meeting="Audit"),
    DailyLimit(count=2),
)
NOTICE = Notice(
    notice_id="N001",
    effects=(
        RoomClosed(start=START, end=END, room_id="R01"),
        SiteClosed(start=START, end=END, site="Harbour"),
        SiteOpen(start=START, end=END, site="Harbour"),
    ),
    replaces="N000",
)
TAGS = (
    Said(about="alias:the Dutch thing", statement=STATEMENTS[0]),
    Agreed(about="Review", message=0),
    Declined(about="Review", message=1),
    Definition(alias="the Dutch thing", means="Review"),
    Handover(role="ROLE-01", person_id="p1", since=DAY),
    NewManager(person_id="p1", manager="p2", since=DAY),
    Swap(roster="RST-01", first=DAY, last=DAY, person_id="p1"),
    NOTICE,
)
RULES = (HolidaysBlock(), TentativeFree(), TeamCalendarBlocks(), BuildingOpen(), BufferMin(minutes=5))
POLICY = Policy(
    policy_id="POL-01",
    edition=2,
    first=DAY,
    last=DAY,
    scope=Scope(guests=True, room_sites=("Harbour",), organiser_teams=("TEAM-01",), longer_than=30, at_most=60),
    people_at=("Harbour",),
    rules=RULES[:1],
    exemptions=(Exemption(policy_id="POL-02", when=Scope(guests=False)),),
)
MESSAGE = LadderMessage(sent=START, author="p1", text="Hello", tags=(TAGS[0], TAGS[3]))
PAGE = LadderPage(
    page_id="A1",
    collection=LadderCollection.ANNOUNCEMENT,
    title="News",
    text="Text",
    posted=START,
    facts=(Definition(alias="AL", means="p1"),),
)
EDITS = (
    MessageSent(thread_id="T0001", message=MESSAGE),
    PagePosted(page=PAGE),
    EntryChanged(person_id="p1", entry=SINGLE),
    BookingChanged(room_id="R01", entry=SINGLE),
)
WORLD = LadderWorld(
    generator_version="1",
    seed=1,
    timezone="Europe/Berlin",
    today=END,
    period=Period(start=START, end=END),
    sites=(
        Office(
            site="Harbour",
            timezone="Europe/Lisbon",
            country="PT",
            opening=(OpeningHours(start="08:00", end="18:00", days=(0, 1)),),
        ),
    ),
    holidays=(HolidayCalendar(country="PT", days=(Holiday(day=DAY, name="Carnival"),)),),
    people=(
        Colleague(
            person_id="p1",
            name="Ada",
            team="TEAM-01",
            site="Harbour",
            title="Engineer",
            email="ada@example.org",
            manager="p2",
            contractor=True,
        ),
    ),
    teams=(Team(team_id="TEAM-01", name="Raven", members=("p1",)),),
    roles=(Role(role_id="ROLE-01", name="head of Raven", holder="p1", shown_in="team:TEAM-01"),),
    rosters=(Roster(roster_id="RST-01", name="Desk", shifts=(Shift(first=DAY, last=DAY, person_id="p1"),)),),
    calendars=(PersonalCalendar(person_id="p1", entries=(SERIES,)),),
    team_calendars=(TeamCalendar(team_id="TEAM-01", entries=(SINGLE,)),),
    documents=(
        LadderDocument(
            document_id="DOC-01",
            title="Rules",
            introduction="",
            archived=True,
            sections=(LadderSection(heading="Rule", text="Do.", policy=POLICY),),
        ),
    ),
    threads=(LadderThread(thread_id="T0001", channel="general", messages=(MESSAGE,)),),
    rooms=(Room(room_id="R01", name="Ash", site="Harbour", floor=-1, capacity=4, equipment=("projector",)),),
    room_calendars=(Bookings(room_id="R01", entries=(SINGLE,)),),
    pages=(PAGE,),
)
INSTANCE = LadderInstance(
    generator_version="1",
    seed=1,
    instance_id="level4-000",
    rung=3,
    mechanisms=(Mechanism.ALIAS,),
    subject="Review",
    task=("One", "Two", "Three"),
    references=LadderReferences(statements=(Said(about="Review", statement=Duration(minutes=30)),)),
    change=Change(when_shown=("thread:T0001",), edit=EDITS[0]),
)
LABEL = LadderLabel(
    generator_version="1",
    seed=1,
    instance_id="level4-000",
    rung=3,
    gold=(LadderCandidate(start=START, end=END, room_id="R01", meeting="Review"),),
    gold_before=(LadderCandidate(start=START, end=END, room_id="R01"),),
    load=12,
    sources=(LadderSource.ROOMS,),
    records=("room:R01",),
    counts=LadderCounts(generated=9, agreed=8, available=7, rooms=6),
    digest="0" * 64,
    certificate=LadderCertificate(
        solvable=True,
        unique=True,
        load_bearing=(LoadBearing(fact="room:R01", record="room:R01", gold_lost=None),),
        misreadings=(
            MisreadEffect(mechanism=Mechanism.ROLE, way="last holder", misread="ROLE-01", gold_lost=2, changed=True),
        ),
        shortcuts=(),
        archive_agrees=True,
        readable=True,
        steps=("list_rooms",),
        result_characters=1000,
        rejected={"solvable": 2},
    ),
)
DOCUMENTS: dict[str, Model] = {
    "level4/world.schema.json": WORLD,
    "level4/instance.schema.json": INSTANCE,
    "level4/oracle.schema.json": LABEL,
}


def parts() -> Iterator[tuple[str, Any, tuple[str | int, ...]]]:
    """Documents by schema file, with the one statement, fact, rule, entry or edit that each shows."""
    for statement in STATEMENTS:
        references = LadderReferences(statements=(Said(about="Review", statement=statement),))
        instance = INSTANCE.model_copy(update={"references": references, "change": None})
        path = ("references", "statements", 0, "statement")
        yield "level4/instance.schema.json", instance.model_dump(mode="json"), path
    for edit in EDITS:
        instance = INSTANCE.model_copy(update={"change": Change(when_shown=("thread:T0001",), edit=edit)})
        yield "level4/instance.schema.json", instance.model_dump(mode="json"), ("change", "edit")
    bare = {"generator_version", "seed", "level", "timezone", "today", "period", "sites", "people"}
    for tag in TAGS:
        thread = LadderThread(
            thread_id="T0001", channel="direct", messages=(MESSAGE.model_copy(update={"tags": (tag,)}),)
        )
        world: Any = {**WORLD.model_dump(mode="json", include=bare), "threads": [thread.model_dump(mode="json")]}
        yield "level4/world.schema.json", world, ("threads", 0, "messages", 0, "tags", 0)
    for rule in RULES:
        section = LadderSection(heading="", text="", policy=POLICY.model_copy(update={"rules": (rule,)}))
        document = {
            "document_id": "DOC-01",
            "title": "",
            "introduction": "",
            "sections": [section.model_dump(mode="json")],
        }
        world = {**WORLD.model_dump(mode="json", include=bare), "documents": [document]}
        yield "level4/world.schema.json", world, ("documents", 0, "sections", 0, "policy", "rules", 0)

"""A tiny world of level 4 whose answers a reader can check by hand.

It is Monday 1 March 2027 in UTC; the meeting "Curlew review" lasts an hour and is planned for 09:00 to 12:00 on that day.
Ada (p1, the organiser) is invited. The room R01 seats ten. Nine starts are on the grid: 09:00, 09:15, ... to 11:00.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.solve import picks
from mpcbench.schema import Duration, OptionCount, Room, Window
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.instance import Change, LadderInstance, LadderReferences
from mpcbench.schema.level4.people import Invitation, Named, Required
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Invited, LadderStatement, Organiser, Said
from mpcbench.schema.level4.world import (
    Bookings,
    Colleague,
    LadderDocument,
    LadderMessage,
    LadderSection,
    LadderThread,
    LadderWorld,
    Office,
    PersonalCalendar,
    Tag,
    Team,
)
from mpcbench.schema.world import Period

MEETING = "Curlew review"
NAMES = {"p1": "Ada", "p2": "Ben", "p3": "Cleo", "p4": "Dan"}


def moment(time: str, day: int = 1) -> datetime:
    """A time of a day of March 2027, in UTC."""
    return datetime.fromisoformat(f"2027-03-{day:02}T{time}:00+00:00").astimezone(UTC)


def span(start: str, end: str, day: int = 1) -> dict[str, datetime]:
    """From a time to another of one day."""
    return {"start": moment(start, day), "end": moment(end, day)}


def entry(start: str, end: str, event_id: str = "e1", day: int = 1, **more: Any) -> Entry:
    """An entry of a calendar."""
    return Entry(event_id, "Busy", moment(start, day), moment(end, day), **more)


def window(start: str, end: str, day: int = 1) -> Window:
    """The window of one day."""
    return Window(**span(start, end, day))


def message(author: str, *tags: Tag, minute: int = 0) -> LadderMessage:
    """A message of Friday 26 February."""
    sent = datetime(2027, 2, 26, 9, minute, tzinfo=UTC)
    return LadderMessage(sent=sent, author=author, text="", tags=tags)


def said(statement: LadderStatement, about: str = MEETING) -> Said:
    """A statement about the meeting."""
    return Said(about=about, statement=statement)


def required(*people: str) -> tuple[Invitation, ...]:
    """Invitations of people who have to be available."""
    return tuple(Required(who=Named(person=person)) for person in people)


def world(
    *,
    calendars: dict[str, Sequence[Entry]] | None = None,
    messages: Sequence[LadderMessage] = (),
    policies: Sequence[Policy] = (),
    bookings: dict[str, Sequence[Entry]] | None = None,
    people: Sequence[Colleague] = (),
    **more: Any,
) -> LadderWorld:
    """The world; people of the same ID replace the usual ones."""
    usual = [
        Colleague(person_id=one, name=name, team="TEAM-01", site="Harbour", title="", email="")
        for one, name in NAMES.items()
    ]
    changed = {one.person_id: one for one in (*usual, *people)}
    sections = tuple(LadderSection(heading="", text="", policy=policy) for policy in policies)
    records: dict[str, Any] = {
        "sites": (Office(site="Harbour", timezone="UTC", country="GB"),),
        "teams": (Team(team_id="TEAM-01", name="Raven", members=tuple(NAMES)),),
        "rooms": (Room(room_id="R01", name="Ash", site="Harbour", floor=1, capacity=10, equipment=()),),
        **more,
    }
    return LadderWorld(
        generator_version="1",
        seed=1,
        timezone="UTC",
        today=moment("08:00"),
        period=Period(start=moment("00:00"), end=moment("00:00", 31)),
        people=tuple(changed.values()),
        calendars=tuple(
            PersonalCalendar(person_id=one, entries=tuple(some)) for one, some in (calendars or {}).items()
        ),
        documents=(LadderDocument(document_id="DOC-01", title="", introduction="", sections=sections),),
        threads=(LadderThread(thread_id="T0001", channel="general", messages=tuple(messages)),) if messages else (),
        room_calendars=tuple(Bookings(room_id=one, entries=tuple(some)) for one, some in (bookings or {}).items()),
        **records,
    )


def instance(*statements: Said, subject: str = MEETING, change: Change | None = None) -> LadderInstance:
    """The usual statements about the meeting, then the given ones."""
    usual: tuple[LadderStatement, ...] = (
        Organiser(person="p1"),
        Duration(minutes=60),
        OptionCount(count=3),
        window("09:00", "12:00"),
        Invited(invitations=required("p1")),
    )
    return LadderInstance(
        generator_version="1",
        seed=1,
        instance_id="level4-000",
        rung=1,
        mechanisms=(),
        subject=subject,
        task=("", "", ""),
        references=LadderReferences(statements=(*map(said, usual), *statements)),
        change=change,
    )


def starts(knowledge: Knowledge) -> list[str]:
    """The starts of the gold in UTC, with the day of the month unless it is the first."""
    found = [datetime.fromtimestamp(pick.start * 60, UTC) for pick in picks(knowledge)]
    return [f"{one:%H:%M}" if one.day == 1 else f"{one:%d %H:%M}" for one in found]


def task(*statements: Said, change: Change | None = None, **records: Any) -> tuple[LadderWorld, LadderInstance]:
    """A world with these records, and the meeting in it."""
    return world(**records), instance(*statements, change=change)


def known(*statements: Said, change: Change | None = None, **records: Any) -> Knowledge:
    """The knowledge of the meeting in a world with these records."""
    return knowledge_of(*task(*statements, change=change, **records))

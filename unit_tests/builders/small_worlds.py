"""A small organisation in London whose texts and records are written out by hand, at each level."""

from datetime import datetime
from zoneinfo import ZoneInfo

from mpcbench.schema import (
    BufferMin,
    Calendar,
    Collection,
    Document,
    Duration,
    Event,
    LunchBlock,
    MeetingStatement,
    Message,
    Page,
    Period,
    Person,
    Room,
    RoomCalendar,
    Section,
    Thread,
    World,
)
from mpcbench.schema.model import Level

ZONE = ZoneInfo("Europe/London")


def at(text: str) -> datetime:
    """A London wall-clock time of 2027, `MM-DD HH:MM`."""
    return datetime.fromisoformat(f"2027-{text.replace(' ', 'T')}").replace(tzinfo=ZONE)


def event(event_id: str, title: str, start: str, end: str) -> Event:
    return Event(event_id=event_id, title=title, start=at(start), end=at(end))


def person(person_id: str, name: str, team: str, site: str = "Harbour") -> Person:
    return Person(
        person_id=person_id, name=name, team=team, site=site, title="Engineer", email=f"{person_id}@example.org"
    )


def message(sent: str, author: str, text: str, *tags: MeetingStatement) -> Message:
    return Message(sent=at(sent), author=author, text=text, tags=tags)


PEOPLE = (
    person("p001", "Ada Byron", "Platform"),
    person("p002", "Ben Cole", "Design"),
    person("p003", "Cara Dunn", "Finance", "Hill"),
)
CALENDARS = (
    Calendar(
        person_id="p001",
        events=(
            event("e1", "Night watch", "01-31 22:00", "02-01 06:00"),
            event("e2", "Stand-up", "02-01 09:00", "02-01 09:20"),
            event("e3", "Clinic", "02-08 10:00", "02-08 11:00"),
        ),
    ),
    Calendar(person_id="p002", events=(event("e4", "Review", "02-02 14:00", "02-02 15:00"),)),
)
DOCUMENTS = (
    Document(
        document_id="DOC-01",
        title="Working together",
        introduction="How we meet.",
        sections=(
            Section(policy_id=None, heading="Purpose", text="Be kind."),
            Section(
                policy_id="POL-01",
                heading="POL-01: Lunch",
                text="No meeting may overlap the lunch break from 12:00 to 13:00 on Monday to Friday.",
                rules=(LunchBlock(start="12:00", end="13:00", days=(0, 1, 2, 3, 4)),),
            ),
        ),
    ),
    Document(
        document_id="DOC-02",
        title="Health",
        introduction="",
        sections=(
            Section(
                policy_id="POL-02",
                heading="Pauses",
                text="Until 2025 the buffer was 40 minutes. Leave no less than 10 minutes on either side between the meeting and "
                "everything else in the participants' calendars.",
                rules=(BufferMin(minutes=10),),
            ),
        ),
    ),
)
THREADS = (
    Thread(
        thread_id="T0001",
        channel="projects",
        messages=(
            message("01-20 09:00", "p001", "Who is in for the Heron review?"),
            message(
                "01-20 09:05",
                "p002",
                "Me.\nThe Heron review takes 45 minutes.",
                MeetingStatement(meeting="Heron review", statement=Duration(minutes=45)),
            ),
        ),
    ),
    Thread(
        thread_id="T0002",
        channel="random",
        messages=(message("03-29 09:00", "p003", "Summer time! Anyone read the review of that film about a heron?"),),
    ),
)
PAGES = (
    Page(page_id="W1", collection=Collection.WIKI, title="Heron", text="A project."),
    Page(page_id="H1", collection=Collection.HOLIDAY, title="Norway: Constitution Day", text="17 May"),
    Page(page_id="A1", collection=Collection.ANNOUNCEMENT, title="New chairs", text="They swivel."),
    Page(page_id="C1", collection=Collection.CONTACT, title="Zoe Flint", text="Flint & Sons"),
    Page(page_id="TC1", collection=Collection.TEAM_CALENDAR, title="Platform", text="Release on Friday"),
    Page(page_id="OLD1", collection=Collection.POLICY_ARCHIVE, title="POL-01: Lunch (2019)", text="Lunch is at 11:00."),
    Page(page_id="D1", collection=Collection.DESK, title="Desk 1, Harbour", text="By the window"),
    Page(page_id="B1", collection=Collection.BUILDING_HOURS, title="Harbour", text="07:00 to 19:00"),
    Page(page_id="N1", collection=Collection.NEWSLETTER, title="January", text="Heron flies."),
)
HOMONYMS = (
    *(person(f"p1{number:02}", f"Ada {name}", "Sales") for number, name in enumerate("QRSTUVWXYZ")),
    person("p200", "Ada Byron", "Sales"),
)
ROOMS = tuple(
    Room(
        room_id=f"R{number:02}",
        name=f"Room {number}",
        site="Harbour" if number < 12 else "Hill",
        floor=number % 3,
        capacity=2 * number,
        equipment=("projector", "whiteboard") if number % 2 else (),
    )
    for number in range(1, 14)
)
ROOM_CALENDARS = (RoomCalendar(room_id="R01", bookings=(event("b1", "Painting", "02-01 08:00", "02-03 18:00"),)),)


def world(level: Level) -> World:
    """The organisation, with the records that a world of the level has."""
    return World(
        generator_version="0",
        seed=0,
        level=level,
        timezone=ZONE.key,
        period=Period(start=at("01-04 00:00"), end=at("04-05 00:00")),
        people=PEOPLE + (HOMONYMS if level == 3 else ()),
        calendars=CALENDARS,
        documents=DOCUMENTS,
        threads=THREADS if level > 1 else (),
        rooms=ROOMS if level == 3 else (),
        room_calendars=ROOM_CALENDARS if level == 3 else (),
        pages=PAGES if level > 1 else (),
    )

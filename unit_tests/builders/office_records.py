"""A small office of level 4 whose texts are written out by hand, and larger ones of any size."""

import random
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from mpcbench.schema.level4.calendar import Entry, Frequency, Moved, Recurrence, Status
from mpcbench.schema.level4.facts import Definition, Handover, Notice, RoomClosed
from mpcbench.schema.level4.instance import BookingChanged, EntryChanged, MessageSent, PagePosted
from mpcbench.schema.level4.policy import HolidaysBlock, Policy
from mpcbench.schema.level4.statements import Said
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
from mpcbench.schema.statements import BufferMin, Duration
from mpcbench.schema.world import Period, Room

ZONE = ZoneInfo("Europe/Berlin")
WORKDAYS = (0, 1, 2, 3, 4)


def at(text: str) -> datetime:
    """A Berlin wall-clock time of 2027, `MM-DD HH:MM`; 8 February is a Monday."""
    return datetime.fromisoformat(f"2027-{text.replace(' ', 'T')}").replace(tzinfo=ZONE)


def day(text: str) -> date:
    return date.fromisoformat(f"2027-{text}")


def single(event_id: str, title: str | None, start: str, end: str, status: Status = Status.BUSY) -> Entry:
    return Entry(event_id, title, at(start), at(end), status)


def colleague(number: int, name: str, team: str, site: str = "Harbour", *, contractor: bool = False) -> Colleague:
    return Colleague(
        person_id=f"p{number:03}",
        name=name,
        team=team,
        site=site,
        title="Engineer",
        email=f"p{number:03}@example.org",
        manager="p002" if number != 2 else None,
        contractor=contractor,
    )


def page(collection: LadderCollection, page_id: str, title: str, text: str, posted: str = "01-20 09:00") -> LadderPage:
    return LadderPage(page_id=page_id, collection=collection, title=title, text=text, posted=at(posted))


def message(sent: str, author: str, text: str) -> LadderMessage:
    return LadderMessage(sent=at(sent), author=author, text=text)


SERIES = Entry(
    "e2",
    "Design critique",
    at("02-01 10:00"),
    at("02-01 11:30"),
    Status.TENTATIVE,
    Recurrence(
        timezone="Europe/Berlin",
        frequency=Frequency.WEEKLY,
        interval=2,
        weekdays=(0, 3),
        until=day("03-31"),
        excepted=(day("02-15"),),
        moved=(Moved(day=day("03-01"), start=at("03-02 14:00"), end=at("03-02 15:00"), status=Status.BUSY),),
    ),
)
GLOSSARY = page(
    LadderCollection.GLOSSARY, "G1", "the Dutch thing", "The Dutch thing: what we call the Heron review."
).model_copy(update={"facts": (Definition(alias="the Dutch thing", means="Heron review"),)})
ANNOUNCEMENT = page(
    LadderCollection.ANNOUNCEMENT, "A1", "New head of Platform", "From 1 March on Cara Dunn is head of Platform."
).model_copy(update={"facts": (Handover(role="ROLE-01", person_id="p003", since=day("03-01")),)})
PAGES = (
    GLOSSARY,
    ANNOUNCEMENT,
    page(LadderCollection.ANNOUNCEMENT, "A2", "Canteen", "The canteen serves soup again.", "01-25 09:00"),
    page(LadderCollection.CONTACT, "C1", "Flint Ltd", "Flint Ltd, suppliers of soup."),
    page(LadderCollection.DESK, "D1", "Desk 1", "By the window at Harbour."),
    page(LadderCollection.NEWSLETTER, "L1", "January", "Herons fly over Harbour."),
    page(LadderCollection.SITE_NEWS, "S1", "Lift at Harbour", "The lift near Ash is repaired.").model_copy(
        update={
            "facts": (
                Notice(
                    notice_id="N001",
                    effects=(RoomClosed(start=at("02-08 09:00"), end=at("02-08 12:00"), room_id="R01"),),
                ),
            )
        }
    ),
    page(LadderCollection.WIKI, "W1", "How to book a room", "Ask the desk. The canteen is not a room."),
)
SAID = Said(about="Heron review", statement=Duration(minutes=45))
THREADS = (
    LadderThread(
        thread_id="T0001",
        channel="projects",
        messages=(
            message("01-20 09:00", "p001", "Who is in for the Heron review?"),
            message("01-20 09:05", "p002", "Me.\nThe Heron review takes 45 minutes.").model_copy(
                update={"tags": (SAID,)}
            ),
        ),
    ),
    LadderThread(
        thread_id="T0002", channel="random", messages=(message("01-21 09:00", "p003", "A heron sits on the roof."),)
    ),
    LadderThread(
        thread_id="T0003",
        channel="direct",
        messages=(
            message("01-22 09:00", "p004", "Could the review be shorter?"),
            message("01-22 09:10", "p002", "No, sorry."),
        ),
    ),
)
POLICIES = (
    Policy(policy_id="POL-01", edition=1, last=day("01-31"), rules=(BufferMin(minutes=5),)),
    Policy(policy_id="POL-01", edition=2, first=day("02-01"), rules=(BufferMin(minutes=10),)),
    Policy(policy_id="POL-02", edition=1, rules=(HolidaysBlock(),)),
)
DOCUMENTS = (
    LadderDocument(
        document_id="DOC-01",
        title="Working together",
        introduction="How we meet.",
        sections=(
            LadderSection(heading="Purpose", text="Be kind."),
            LadderSection(
                heading="Pauses",
                text="From 1 February on, 10 minutes lie between two meetings of a person.",
                policy=POLICIES[1],
            ),
            LadderSection(
                heading="POL-02, edition 1: Holidays", text="Nobody meets on a public holiday.", policy=POLICIES[2]
            ),
        ),
    ),
    LadderDocument(
        document_id="DOC-02",
        title="Working together",
        introduction="",
        archived=True,
        sections=(
            LadderSection(
                heading="Pauses",
                text="Until 31 January, 5 minutes lie between two meetings of a person.",
                policy=POLICIES[0],
            ),
        ),
    ),
)
ROOMS = (
    Room(room_id="R01", name="Ash", site="Harbour", floor=1, capacity=8, equipment=("projector", "whiteboard")),
    Room(room_id="R02", name="Birch", site="Hill", floor=2, capacity=4, equipment=("projector",)),
    Room(room_id="R03", name="Cedar", site="Hill", floor=2, capacity=12, equipment=()),
)
OFFICE = LadderWorld(
    generator_version="1",
    seed=1,
    timezone=ZONE.key,
    today=at("02-01 08:00"),
    period=Period(start=at("01-04 00:00"), end=at("04-05 00:00")),
    sites=(
        Office(
            site="Harbour",
            timezone="Europe/Lisbon",
            country="PT",
            opening=(
                OpeningHours(start="08:00", end="18:00", days=WORKDAYS),
                OpeningHours(start="09:00", end="13:00", days=(5,)),
            ),
        ),
        Office(site="Hill", timezone="America/New_York", country="US"),
    ),
    holidays=(
        HolidayCalendar(country="PT", days=(Holiday(day=day("02-09"), name="Carnival"),)),
        HolidayCalendar(country="US", days=()),
    ),
    people=(
        colleague(1, "Ada Byron", "TEAM-01"),
        colleague(2, "Ben Cole", "TEAM-02", "Hill"),
        colleague(3, "Cara Dunn", "TEAM-01"),
        colleague(4, "Ada Byron", "TEAM-02", contractor=True),
        colleague(5, "Ada Byron", "TEAM-02"),
        colleague(6, "José Núñez", "TEAM-02", "Hill"),
    ),
    teams=(
        Team(team_id="TEAM-01", name="Platform", members=("p001", "p003")),
        Team(team_id="TEAM-02", name="Raven", members=("p002", "p004", "p005", "p006")),
    ),
    roles=(
        Role(role_id="ROLE-01", name="head of Platform", holder="p001", shown_in="team:TEAM-01"),
        Role(role_id="ROLE-02", name="head of Facilities", holder="p002", shown_in="person:p002"),
        Role(role_id="ROLE-03", name="reception", holder=None, shown_in="site:Hill"),
    ),
    rosters=(
        Roster(
            roster_id="RST-01",
            name="support desk",
            shifts=(
                Shift(first=day("02-01"), last=day("02-07"), person_id="p001"),
                Shift(first=day("02-03"), last=day("02-03"), person_id="p004"),
            ),
        ),
    ),
    calendars=(
        PersonalCalendar(
            person_id="p001",
            entries=(
                SERIES,
                single("e1", None, "02-08 09:00", "02-08 09:45"),
                single("e3", "Leave", "02-10 00:00", "02-12 00:00", Status.OUT_OF_OFFICE),
            ),
        ),
        PersonalCalendar(person_id="p002", entries=(single("e4", "Clinic", "02-08 15:00", "02-08 16:00"),)),
        PersonalCalendar(person_id="p006", entries=()),
    ),
    team_calendars=(TeamCalendar(team_id="TEAM-02", entries=(single("e5", "Release", "02-08 15:00", "02-08 16:00"),)),),
    documents=DOCUMENTS,
    threads=THREADS,
    rooms=ROOMS,
    room_calendars=(
        Bookings(room_id="R01", entries=(single("b1", "Board", "02-08 10:00", "02-08 11:00"),)),
        Bookings(room_id="R02", entries=(single("b2", None, "02-08 18:00", "02-08 19:00", Status.TENTATIVE),)),
    ),
    pages=PAGES,
)
EDITS = (
    MessageSent(thread_id="T0001", message=message("02-01 07:00", "p002", "Make it an hour after all.")),
    PagePosted(page=page(LadderCollection.ANNOUNCEMENT, "A3", "Storm", "Hill is closed today.", "02-01 07:00")),
    EntryChanged(person_id="p001", entry=single("e1", "Dentist", "02-08 13:00", "02-08 14:00")),
    EntryChanged(person_id="p002", entry=single("e9", "Dentist", "02-08 13:00", "02-08 14:00")),
    BookingChanged(room_id="R01", entry=single("b9", "Fair", "02-08 13:00", "02-08 14:00")),
)

VOCABULARY = ("heron", "wagtail", "curlew", "review", "workshop", "budget", "lift", "harbour", "minutes", "tomorrow")


def large_office(seed: int, scale: int = 1, text_words: int = 12) -> LadderWorld:
    """An office with so many times a few dozens of records of each kind, whose messages, policies and pages have about so many words.

    Its texts share a few words, so that any of them leads to others.
    """
    dice = random.Random(seed)

    def title() -> str:
        return " ".join(dice.choices(VOCABULARY, k=dice.randint(1, 6)))

    def text() -> str:
        return " ".join(dice.choices(VOCABULARY, k=dice.randint(1, 2 * text_words)))

    def entry(number: int) -> Entry:
        start = at("01-05 08:00").astimezone(UTC) + timedelta(minutes=5 * dice.randrange(25_000))
        return Entry(f"x{number}", title(), start, start + timedelta(minutes=dice.choice((30, 60, 600))))

    def entries(most: int) -> tuple[Entry, ...]:
        return tuple(entry(number) for number in range(dice.randint(0, most)))

    people = [
        colleague(number, f"{dice.choice(('Ada', 'Ben', 'Zoë'))} {number}", f"TEAM-{number % 5 + 1:02}")
        for number in range(1, 20 * scale + 1)
    ]
    ids = [person.person_id for person in people]
    rooms = [
        Room(
            room_id=f"R{number:02}",
            name=f"Room {number}",
            site=("Harbour", "Hill")[number % 2],
            floor=number % 4,
            capacity=number % 12 + 1,
            equipment=tuple(piece for piece in ("projector", "video") if dice.random() < 0.5),
        )
        for number in range(1, 25 * scale + 1)
    ]
    threads = [
        LadderThread(
            thread_id=f"T{number:04}",
            channel=dice.choice(("projects", "random", "sales", "direct")),
            messages=tuple(
                LadderMessage(
                    sent=at("01-10 09:00") + timedelta(minutes=7 * number + place), author=dice.choice(ids), text=text()
                )
                for place in range(dice.randint(1, 6))
            ),
        )
        for number in range(1, 60 * scale + 1)
    ]
    return LadderWorld.model_validate(
        OFFICE.model_copy(
            update={
                "people": tuple(people),
                "roles": (),
                "teams": tuple(
                    Team(
                        team_id=f"TEAM-{number:02}",
                        name=f"{title()} {number}",
                        members=tuple(person.person_id for person in people if person.team == f"TEAM-{number:02}"),
                    )
                    for number in range(1, 6)
                ),
                "rosters": tuple(
                    Roster(
                        roster_id=f"RST-{number:02}",
                        name=title(),
                        shifts=tuple(
                            Shift(first=day("02-01"), last=day("02-02"), person_id=dice.choice(ids))
                            for _ in range(dice.randint(0, 5 * scale))
                        ),
                    )
                    for number in range(1, 4)
                ),
                "calendars": tuple(PersonalCalendar(person_id=one, entries=entries(200 * scale)) for one in ids),
                "team_calendars": (TeamCalendar(team_id="TEAM-01", entries=entries(50 * scale)),),
                "documents": tuple(
                    LadderDocument(
                        document_id=f"DOC-{number:02}",
                        title=title(),
                        introduction=text(),
                        archived=number % 3 == 0,
                        sections=tuple(
                            LadderSection(
                                heading=title(),
                                text=text(),
                                policy=Policy(policy_id=f"POL-{number * 100 + place:02}", edition=1),
                            )
                            for place in range(dice.randint(1, 5 * scale))
                        ),
                    )
                    for number in range(1, 13)
                ),
                "threads": tuple(threads),
                "rooms": tuple(rooms),
                "room_calendars": tuple(Bookings(room_id=room.room_id, entries=entries(60 * scale)) for room in rooms),
                "pages": tuple(
                    page(collection, f"{collection[:2].upper()}{number}", title(), text())
                    for collection in LadderCollection
                    for number in range(1, 12 * scale + 1)
                ),
            }
        ).model_dump()
    )

"""A world of level 4: the records of an organisation with several sites."""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Definition, Fact, Handover, NewManager, Notice, Swap
from mpcbench.schema.level4.header import Day, LadderHeader, RecordId, RoleId, RosterId, TeamId, Zone
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from mpcbench.schema.model import Instant, Model, TimeOfDay, Weekday, minute_of_day
from mpcbench.schema.statements import PersonId
from mpcbench.schema.world import Period, Room, RoomId


class OpeningHours(Model):
    """The hours in which a building is open on some weekdays, by the site's wall clock."""

    start: TimeOfDay
    end: TimeOfDay
    days: Annotated[tuple[Weekday, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if minute_of_day(self.start) >= minute_of_day(self.end):
            msg = f"start {self.start} is not before end {self.end}"
            raise ValueError(msg)
        return self


class Office(Model):
    """One site of the organisation; record `site:<site>`."""

    site: str
    timezone: Zone
    country: str
    opening: tuple[OpeningHours, ...] = ()
    """When the building is open; never if empty."""

    @property
    def zone(self) -> ZoneInfo:
        """The zone of the site."""
        return ZoneInfo(self.timezone)


class HolidayCalendar(Model):
    """The public holidays of a country; record `holidays:<country>`."""

    country: str
    days: tuple["Holiday", ...]


class Holiday(Model):
    """One public holiday: a whole local date."""

    day: Day
    name: str


class Colleague(Model):
    """One entry of the people directory; record `person:<person_id>`."""

    person_id: PersonId
    name: str
    team: TeamId
    site: str
    title: str
    email: str
    manager: PersonId | None = None
    """The manager until an announcement names another one."""

    contractor: bool = False


class Team(Model):
    """The page of a team of the line or of a project; record `team:<team_id>`."""

    team_id: TeamId
    name: str
    members: tuple[PersonId, ...]


class Role(Model):
    """A role that one person holds."""

    role_id: RoleId
    name: str
    holder: PersonId | None
    """Who holds it until an announcement names another one."""

    shown_in: RecordId
    """The record that names this holder, such as `team:TEAM-03` or `person:p017`."""


class Shift(Model):
    """Who is on duty from the first to the last day, both included."""

    first: Day
    last: Day
    person_id: PersonId

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.first > self.last:
            msg = f"first {self.first} is after last {self.last}"
            raise ValueError(msg)
        return self


class Roster(Model):
    """A duty roster; record `roster:<roster_id>`. Of shifts that share a day the later in the list holds."""

    roster_id: RosterId
    name: str
    shifts: tuple[Shift, ...]


class PersonalCalendar(Model):
    """One person's calendar; record `calendar:<person_id>`."""

    person_id: PersonId
    entries: tuple[Entry, ...]


class TeamCalendar(Model):
    """The calendar of a team; record `team_calendar:<team_id>`."""

    team_id: TeamId
    entries: tuple[Entry, ...]


class Bookings(Model):
    """One room's bookings; record `room_calendar:<room_id>`."""

    room_id: RoomId
    entries: tuple[Entry, ...]


class LadderSection(Model):
    """A part of a policy document; with a policy it is record `policy:<policy_id>@<edition>`."""

    heading: str
    text: str
    policy: Policy | None = None


class LadderDocument(Model):
    """A policy document, as people read it; archived ones are found in the archive only."""

    document_id: Annotated[str, Field(pattern=r"^DOC-[0-9]{2,}$")]
    title: str
    introduction: str
    archived: bool = False
    sections: tuple[LadderSection, ...]


Tag = Annotated[
    Said | Agreed | Declined | Definition | Handover | NewManager | Swap | Notice, Field(discriminator="kind")
]


class LadderMessage(Model):
    """One message, with what its text states."""

    sent: Instant
    author: PersonId
    text: str
    tags: tuple[Tag, ...] = ()


class LadderThread(Model):
    """A thread of a channel or of direct messages, messages by time; record `thread:<thread_id>`."""

    thread_id: Annotated[str, Field(pattern=r"^T[0-9]{4,}$")]
    channel: str
    """For direct messages: `direct`."""

    messages: Annotated[tuple[LadderMessage, ...], Field(min_length=1)]


class LadderCollection(StrEnum):
    """A kind of page."""

    ANNOUNCEMENT = "announcement"
    CONTACT = "contact"
    DESK = "desk"
    GLOSSARY = "glossary"
    NEWSLETTER = "newsletter"
    SITE_NEWS = "site_news"
    WIKI = "wiki"


class LadderPage(Model):
    """One page, record `<collection>:<page_id>`, with what it states."""

    page_id: str
    collection: LadderCollection
    title: str
    text: str
    posted: Instant
    facts: tuple[Fact, ...] = ()


class LadderWorld(LadderHeader):
    """Everything that one organisation knows on its `today`, shared by all instances of level 4."""

    kind: Literal["world"] = "world"
    timezone: Zone
    """The zone of the grid, of answers and of days: a candidate's day is its start's date in this zone."""

    today: Instant
    """Nothing is sent or posted later."""

    period: Period
    sites: Annotated[tuple[Office, ...], Field(min_length=1)]
    holidays: tuple[HolidayCalendar, ...] = ()
    people: tuple[Colleague, ...]
    teams: tuple[Team, ...] = ()
    roles: tuple[Role, ...] = ()
    rosters: tuple[Roster, ...] = ()
    calendars: tuple[PersonalCalendar, ...] = ()
    team_calendars: tuple[TeamCalendar, ...] = ()
    documents: tuple[LadderDocument, ...] = ()
    threads: tuple[LadderThread, ...] = ()
    rooms: tuple[Room, ...] = ()
    room_calendars: tuple[Bookings, ...] = ()
    pages: tuple[LadderPage, ...] = ()

    @model_validator(mode="after")
    def _unique(self) -> Self:
        self.check_ids()
        return self

    def check_ids(self) -> None:
        """Raise ValueError if a record ID, an alias or a notice ID is not unique."""
        for what, names in (("record ID", self.record_ids()), ("alias", self._aliases()), ("notice", self._notices())):
            repeated = sorted(name for name, times in Counter(names).items() if times > 1)
            if repeated:
                msg = f"{what} {repeated[0]!r} is not unique"
                raise ValueError(msg)

    def record_ids(self) -> Iterator[str]:
        """The ID of every record."""
        yield from (f"site:{site.site}" for site in self.sites)
        yield from (f"holidays:{calendar.country}" for calendar in self.holidays)
        yield from (f"person:{person.person_id}" for person in self.people)
        yield from (f"team:{team.team_id}" for team in self.teams)
        yield from (f"roster:{roster.roster_id}" for roster in self.rosters)
        yield from (f"calendar:{calendar.person_id}" for calendar in self.calendars)
        yield from (f"team_calendar:{calendar.team_id}" for calendar in self.team_calendars)
        yield from (policy_record(policy) for _, policy in self.policies)
        yield from (f"thread:{thread.thread_id}" for thread in self.threads)
        yield from (f"room:{room.room_id}" for room in self.rooms)
        yield from (f"room_calendar:{calendar.room_id}" for calendar in self.room_calendars)
        yield from (f"{page.collection}:{page.page_id}" for page in self.pages)

    def facts(self) -> Iterator[tuple[Instant, str, Fact]]:
        """What messages and pages state about the organisation: when, in which record, and what; in no order."""
        for thread in self.threads:
            for message in thread.messages:
                for tag in message.tags:
                    if not isinstance(tag, Said | Agreed | Declined):
                        yield message.sent, f"thread:{thread.thread_id}", tag
        for page in self.pages:
            for fact in page.facts:
                yield page.posted, f"{page.collection}:{page.page_id}", fact

    def _aliases(self) -> Iterator[str]:
        return (fact.alias for _, _, fact in self.facts() if isinstance(fact, Definition))

    def _notices(self) -> Iterator[str]:
        return (fact.notice_id for _, _, fact in self.facts() if isinstance(fact, Notice))

    @property
    def policies(self) -> Iterator[tuple[LadderSection, Policy]]:
        """Every edition of every policy with its section, in document order."""
        for document in self.documents:
            for section in document.sections:
                if section.policy is not None:
                    yield section, section.policy

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone of the grid, of answers and of days."""
        return ZoneInfo(self.timezone)

    @cached_property
    def person_by_id(self) -> dict[str, Colleague]:
        """People by person ID."""
        return {person.person_id: person for person in self.people}

    @cached_property
    def thread_by_id(self) -> dict[str, LadderThread]:
        """Threads by thread ID."""
        return {thread.thread_id: thread for thread in self.threads}

    @cached_property
    def room_by_id(self) -> dict[str, Room]:
        """Rooms by room ID."""
        return {room.room_id: room for room in self.rooms}


def policy_record(policy: Policy) -> str:
    """The record ID of an edition."""
    return f"policy:{policy.policy_id}@{policy.edition}"

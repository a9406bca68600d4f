"""A world: one organisation's records for one level."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from operator import attrgetter
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, field_validator, model_validator
from pydantic.dataclasses import dataclass

from mpcbench.schema.interval import Interval, IntervalIndex
from mpcbench.schema.model import Header, Instant, Level, Model, to_minutes
from mpcbench.schema.statements import MeetingStatement, PersonId, PolicyId, PolicyRule

RoomId = Annotated[str, Field(pattern=r"^R[0-9]{2,}$")]


class Source(StrEnum):
    """A system of record."""

    CALENDAR = "calendar"
    POLICY = "policy"
    THREADS = "threads"
    DIRECTORY = "directory"
    ROOMS = "rooms"


class Period(Model):
    """The span of time that a world's calendars cover, half-open."""

    start: Instant
    end: Instant


class Person(Model):
    """One entry of the people directory; record `person:<person_id>`."""

    person_id: PersonId
    name: str
    team: str
    site: str
    title: str
    email: str


# A slotted dataclass rather than a model: a world has tens of thousands of events, and models took 50 % more memory.
@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Event:
    """One busy span of a calendar or one booking of a room, half-open."""

    event_id: str
    title: str
    start: Instant
    end: Instant

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            msg = f"event {self.event_id}: start {self.start.isoformat()} is not before end {self.end.isoformat()}"
            raise ValueError(msg)
        return self


class Calendar(Model):
    """One person's busy events, by start; record `calendar:<person_id>`."""

    person_id: PersonId
    events: tuple[Event, ...]


class Section(Model):
    """A part of a policy document; with a policy ID it is record `policy:<policy_id>`."""

    policy_id: PolicyId | None
    heading: str
    text: str
    rules: tuple[PolicyRule, ...] = ()


class Document(Model):
    """A policy document, as people read it: an introduction and sections in order."""

    document_id: Annotated[str, Field(pattern=r"^DOC-[0-9]{2,}$")]
    title: str
    introduction: str
    sections: tuple[Section, ...]


class Message(Model):
    """One chat message, with the statements that its text makes."""

    sent: Instant
    author: PersonId
    text: str
    tags: tuple[MeetingStatement, ...] = ()


class Thread(Model):
    """A chat thread of one channel, messages by time; record `thread:<thread_id>`."""

    thread_id: Annotated[str, Field(pattern=r"^T[0-9]{4,}$")]
    channel: str
    messages: Annotated[tuple[Message, ...], Field(min_length=1)]


class Room(Model):
    """One room's metadata; record `room:<room_id>`."""

    room_id: RoomId
    name: str
    site: str
    floor: int
    capacity: Annotated[int, Field(ge=1)]
    equipment: tuple[str, ...]


class RoomCalendar(Model):
    """One room's bookings, by start; record `room_calendar:<room_id>`."""

    room_id: RoomId
    bookings: tuple[Event, ...]


class Collection(StrEnum):
    """A kind of decoy record that no instance needs."""

    ANNOUNCEMENT = "announcement"
    BUILDING_HOURS = "building_hours"
    CONTACT = "contact"
    DESK = "desk"
    HOLIDAY = "holiday"
    NEWSLETTER = "newsletter"
    POLICY_ARCHIVE = "policy_archive"
    TEAM_CALENDAR = "team_calendar"
    WIKI = "wiki"


class Page(Model):
    """One decoy record, `<collection>:<page_id>`."""

    page_id: str
    collection: Collection
    title: str
    text: str


class World(Header):
    """Everything that one organisation knows, fixed and shared by all instances of a level."""

    kind: Literal["world"] = "world"
    level: Level
    timezone: str
    period: Period
    people: tuple[Person, ...]
    calendars: tuple[Calendar, ...]
    documents: tuple[Document, ...]
    threads: tuple[Thread, ...] = ()
    rooms: tuple[Room, ...] = ()
    room_calendars: tuple[RoomCalendar, ...] = ()
    pages: tuple[Page, ...] = ()

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value not in _zones():
            msg = f"unknown IANA time zone {value!r}"
            raise ValueError(msg)
        return value

    @model_validator(mode="after")
    def _unique_ids(self) -> Self:
        self.check_ids()
        return self

    def check_ids(self) -> None:
        """Raise ValueError if the ID of a record is not unique."""
        ids = [f"person:{person.person_id}" for person in self.people]
        ids += [f"calendar:{calendar.person_id}" for calendar in self.calendars]
        ids += [f"policy:{section.policy_id}" for section in self.policies]
        ids += [f"document:{document.document_id}" for document in self.documents]
        ids += [f"thread:{thread.thread_id}" for thread in self.threads]
        ids += [f"room:{room.room_id}" for room in self.rooms]
        ids += [f"room_calendar:{calendar.room_id}" for calendar in self.room_calendars]
        ids += [f"{page.collection}:{page.page_id}" for page in self.pages]
        repeated = sorted(record for record, times in Counter(ids).items() if times > 1)
        if repeated:
            msg = f"record ID {repeated[0]!r} is not unique"
            raise ValueError(msg)

    def with_threads(self, threads: Iterable[Thread]) -> Self:
        """The world with other threads; reuses expensive cached properties that do not depend on threads."""
        for name in ("busy", "booked", "json_but_threads"):
            getattr(self, name)
        world = self.model_copy(update={"threads": tuple(threads)})
        for name in ("thread_by_id", "folded_messages"):
            vars(world).pop(name, None)
        world.check_ids()
        return world

    @property
    def policies(self) -> tuple[Section, ...]:
        """Every section that has a policy ID, in document order."""
        return tuple(
            section for document in self.documents for section in document.sections if section.policy_id is not None
        )

    @cached_property
    def zone(self) -> ZoneInfo:
        """The world's time zone."""
        return ZoneInfo(self.timezone)

    @cached_property
    def person_by_id(self) -> dict[str, Person]:
        """People by person ID."""
        return {person.person_id: person for person in self.people}

    @cached_property
    def events_by_person(self) -> dict[str, tuple[Event, ...]]:
        """Busy events by person ID, by start."""
        return {calendar.person_id: _by_start(calendar.events) for calendar in self.calendars}

    @cached_property
    def policy_by_id(self) -> dict[str, Section]:
        """Policy sections by policy ID."""
        return {section.policy_id: section for section in self.policies if section.policy_id is not None}

    @cached_property
    def thread_by_id(self) -> dict[str, Thread]:
        """Threads by thread ID."""
        return {thread.thread_id: thread for thread in self.threads}

    @cached_property
    def folded_messages(self) -> tuple[tuple[str, Message, Thread], ...]:
        """The case-folded text of every message, the message and its thread, for searches."""
        return tuple(
            (message.text.casefold(), message, thread) for thread in self.threads for message in thread.messages
        )

    @cached_property
    def room_by_id(self) -> dict[str, Room]:
        """Rooms by room ID."""
        return {room.room_id: room for room in self.rooms}

    @cached_property
    def busy(self) -> dict[str, IntervalIndex]:
        """When people are busy, by person ID."""
        return {person_id: _index(events) for person_id, events in self.events_by_person.items()}

    @cached_property
    def booked(self) -> dict[str, IntervalIndex]:
        """When rooms are booked, by room ID."""
        return {room_id: _index(bookings) for room_id, bookings in self.bookings_by_room.items()}

    @cached_property
    def json_but_threads(self) -> dict[str, Any]:
        """All fields except the threads, as JSON values."""
        return self.model_dump(mode="json", exclude={"threads"})

    @cached_property
    def bookings_by_room(self) -> dict[str, tuple[Event, ...]]:
        """Bookings by room ID, by start."""
        return {calendar.room_id: _by_start(calendar.bookings) for calendar in self.room_calendars}


def _by_start(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=attrgetter("start")))


def _index(events: tuple[Event, ...]) -> IntervalIndex:
    return IntervalIndex.of(Interval(to_minutes(event.start), to_minutes(event.end)) for event in events)


@cache
def _zones() -> frozenset[str]:
    """The zones that the package tzdata knows; a system lists others too, such as its own as `localtime`."""
    return frozenset(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())

"""What the reference agent has understood, as plain values."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from enum import StrEnum
from typing import Any, NamedTuple

from mpcbench.benchmark.agents.reference.grammar_policy import Rule
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours, Moment, Span
from mpcbench.benchmark.agents.reference.lexicon import ReadingError


class PersonName(NamedTuple):
    """A person as people refer to one: by name, with the team if the name is ambiguous."""

    name: str
    team: str | None = None


class PolicyCall(NamedTuple):
    """A policy that applies, and the document that is said to contain it."""

    policy_id: str
    document_id: str | None = None


class EventName(NamedTuple):
    """A calendar event as people refer to one: by person, title and day."""

    person: PersonName
    title: str
    day: date


class Window(NamedTuple):
    """Days, and the daily hours if any."""

    days: Days
    hours: Hours | None = None


class Kind(StrEnum):
    """What a statement is about."""

    LENGTH = "length"
    COUNT = "count"
    WINDOW = "window"
    PEOPLE = "people"
    JOINS = "joins"
    LEAVES = "leaves"
    GUESTS = "guests"
    POLICY = "policy"
    DEADLINE = "deadline"
    NOT_BEFORE = "not before"
    BAN = "ban"
    REQUIRED = "required"
    AFTER = "after"
    LATEST = "latest"
    ROOM_ORDER = "room order"
    EQUIPMENT = "equipment"
    SITE = "site"


class Heard(NamedTuple):
    """One statement that the agent has read in a text."""

    kind: Kind
    value: Any


class Message(NamedTuple):
    """One chat message from a tool result."""

    sent: datetime
    thread_id: str
    place: int
    """The position in its thread, from 0."""

    text: str
    author: str | None = None
    """The author as the tool shows it: the name, at level 3 with the team in parentheses."""

    channel: str | None = None

    @property
    def writer(self) -> str:
        """The author's name without the team."""
        return (self.author or "").partition(" (")[0]


@dataclass
class Request:
    """Everything said about the meeting, later statements replacing earlier ones."""

    length: int | None = None
    count: int | None = None
    window: Window | None = None
    people: list[PersonName] = field(default_factory=list)
    guests: int = 0
    policies: list[PolicyCall] = field(default_factory=list)
    deadline: Moment | None = None
    not_before: Moment | None = None
    bans: list[Span] = field(default_factory=list)
    required: list[Span] = field(default_factory=list)
    after: list[EventName] = field(default_factory=list)
    latest: bool = False
    room_order: tuple[str, ...] = ()
    equipment: list[str] = field(default_factory=list)
    site: str | None = None


class Busy(NamedTuple):
    """A busy event or a booking; minutes since 1970-01-01 UTC, half-open."""

    start: int
    end: int
    title: str


class Room(NamedTuple):
    """One row of the table of rooms."""

    room_id: str
    name: str
    site: str
    floor: int
    capacity: int
    equipment: tuple[str, ...]


@dataclass
class Facts:
    """Everything that the choice of options depends on."""

    zone: tzinfo
    request: Request
    rules: list[Rule] = field(default_factory=list)
    """The rules of the policies that apply."""

    calendars: dict[str, list[Busy]] = field(default_factory=dict)
    """Busy events of each participant, by person ID or name."""

    after: list[int] = field(default_factory=list)
    """The ends of the events that the meeting must come after, in minutes since 1970-01-01 UTC."""

    rooms: list[Room] | None = None
    """Every room at the requested site, or at all sites; None at levels without rooms."""

    bookings: dict[str, list[Busy]] = field(default_factory=dict)
    """Bookings of the suitable rooms, by room ID."""

    step: int = 15
    """Minutes from one possible start to the next; divides an hour."""


def request_of(statements: Iterable[Heard]) -> Request:
    """The request that statements add up to; statements come oldest first."""
    request = Request()
    adders: dict[Kind, list[Any]] = {
        Kind.POLICY: request.policies,
        Kind.BAN: request.bans,
        Kind.REQUIRED: request.required,
        Kind.AFTER: request.after,
    }
    scalars = {
        Kind.LENGTH: "length",
        Kind.COUNT: "count",
        Kind.WINDOW: "window",
        Kind.GUESTS: "guests",
        Kind.DEADLINE: "deadline",
        Kind.NOT_BEFORE: "not_before",
        Kind.LATEST: "latest",
        Kind.ROOM_ORDER: "room_order",
        Kind.SITE: "site",
    }
    for kind, value in statements:
        if kind in scalars:
            setattr(request, scalars[kind], value)
        elif kind in adders:
            adders[kind].append(value)
        elif kind is Kind.EQUIPMENT:
            request.equipment += value
        else:
            _change_people(request.people, kind, value)
    return request


def _change_people(people: list[PersonName], kind: Kind, value: Any) -> None:
    match kind:
        case Kind.PEOPLE:
            people[:] = dict.fromkeys(value)
        case Kind.JOINS:
            if not any(same_person(person, value) for person in people):
                people.append(value)
        case Kind.LEAVES:
            same = [person for person in people if same_person(person, value)]
            if len(same) != 1:
                raise ReadingError(f"{value.name} leaves, but {len(same)} participants have the name")
            people.remove(same[0])


def same_person(person: PersonName, other: PersonName) -> bool:
    """Whether two references may mean the same person."""
    return person.name == other.name and (person.team is None or other.team is None or person.team == other.team)

"""The problem: everything that decides the gold, as one value in minutes, without text or record lookups."""

from dataclasses import dataclass, replace
from datetime import tzinfo

from mpcbench.oracle.interval import Interval
from mpcbench.schema import Order, Source, TieBreakKey
from mpcbench.schema.model import Level


class UnresolvedError(ValueError):
    """The statements do not define a problem: one is missing or names an unknown record."""


@dataclass(frozen=True, slots=True)
class Busy:
    """No overlap with a participant's busy events."""

    person_id: str
    events: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """At least this many minutes between the candidate and every busy event of every participant."""

    minutes: int


@dataclass(frozen=True, slots=True)
class InsideHours:
    """Wholly inside start to end (minutes of the day) of one local date whose weekday is in days."""

    start: int
    end: int
    days: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutsideHours:
    """No overlap with start to end (minutes of the day) of local dates whose weekday is in days."""

    start: int
    end: int
    days: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Inside:
    """Wholly inside one of the spans."""

    spans: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """No overlap with the span."""

    span: Interval


@dataclass(frozen=True, slots=True)
class StartsFrom:
    """Starts at or after the instant."""

    instant: int


@dataclass(frozen=True, slots=True)
class EndsBy:
    """Ends at or before the instant."""

    instant: int


Rule = Busy | Buffer | InsideHours | OutsideHours | Inside | Outside | StartsFrom | EndsBy


@dataclass(frozen=True, slots=True)
class Constraint:
    """One hard constraint on the slot, with the records that it comes from."""

    source: Source
    kind: str
    """The kind of its statement, or `busy`."""

    records: tuple[str, ...]
    rule: Rule


@dataclass(frozen=True, slots=True)
class RoomOption:
    """One room with its bookings."""

    room_id: str
    name: str
    site: str
    floor: int
    capacity: int
    equipment: frozenset[str]
    bookings: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Turnaround:
    """At least this many minutes between the candidate and every booking of its room."""

    minutes: int
    record: str


@dataclass(frozen=True, slots=True)
class RoomSearch:
    """All rooms, and the conditions on the room of a candidate."""

    rooms: tuple[RoomOption, ...]
    seats: int
    equipment: frozenset[str]
    site: str | None
    turnarounds: tuple[Turnaround, ...]
    use_bookings: bool = True

    def suits(self, room: RoomOption) -> bool:
        """Whether the room's capacity, equipment and site fit; bookings are not considered."""
        return (
            room.capacity >= self.seats
            and room.equipment >= self.equipment
            and (self.site is None or room.site == self.site)
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """A complete scheduling problem."""

    level: Level
    zone: tzinfo
    participants: tuple[str, ...]
    window: Interval
    daily: tuple[int, int] | None
    """The window's daily hours, in minutes of the day; None if the window has none."""

    duration: int
    count: int
    constraints: tuple[Constraint, ...]
    rooms: RoomSearch | None
    """None at levels 1 and 2."""

    order: Order
    tie_break: tuple[TieBreakKey, ...]

    def without(self, constraint: Constraint) -> "Problem":
        """The problem with one constraint dropped."""
        return replace(self, constraints=tuple(other for other in self.constraints if other is not constraint))

    def from_source(self, source: Source) -> "Problem":
        """The problem as seen from one source alone.

        Keeps the task's parameters and drops the constraints of every other source.
        """
        constraints = tuple(constraint for constraint in self.constraints if constraint.source is source)
        rooms = self.rooms
        if rooms is not None:
            rooms = (
                replace(rooms, turnarounds=())
                if source is Source.ROOMS
                else replace(rooms, seats=0, equipment=frozenset(), site=None, turnarounds=(), use_bookings=False)
            )
        return replace(self, constraints=constraints, rooms=rooms)

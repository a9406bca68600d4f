"""What determines an answer besides the masks of slots: rooms, ranking and number."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import RoomOption
from mpcbench.schema import Order, TieBreakKey

Spans = tuple[Interval, ...]


class Spread(Enum):
    """Which feasible starts may be in an answer together."""

    EVERY = "every"
    APART = "no two slots overlap"
    PER_DAY = "one slot a day"
    PER_GAP = "one slot in each run of feasible starts"
    FIRST_DAY = "slots of one day only"
    DAYS_FORWARD = "days in the opposite order to the times of a day"


class RoomUse(Enum):
    """Which of the free rooms of a slot are in an answer."""

    EVERY = "every"
    FIRST = "one room a slot"
    SAME = "one room for all slots"
    ROOM_FIRST = "rooms before times"
    WHOLE_SLOTS = "all rooms of the last slot"
    SLOTS_COUNTED = "all rooms of N slots"
    UNCHECKED = "the right slots, each with the first suitable rooms, booked or not"


class Blur(NamedTuple):
    """The same mistake in reading the times of every event."""

    used: str
    early: int
    """By how many minutes an event begins later."""

    late: int
    """By how many minutes it ends later."""

    step: int = 1
    """Both times become multiples of so many minutes."""

    outwards: bool = True
    """Whether they are rounded away from the event."""

    def of(self, events: Iterable[Interval]) -> Spans:
        """The events as they were read; without those of which nothing is left."""
        early, late, step = self.early, self.late, self.step
        if self.outwards:
            found = [Interval((start + early) // step * step, -(-(end + late) // step) * step) for start, end in events]
        else:
            found = [Interval(-(-(start + early) // step) * step, (end + late) // step * step) for start, end in events]
        return tuple(event for event in found if event.start < event.end)


class RoomQuery(NamedTuple):
    """The requirements for a room."""

    seats: int
    equipment: frozenset[str]
    site: str | None
    margin: int
    """Minimum minutes between a candidate and the room's bookings."""

    booked: bool
    """Whether bookings count."""

    misread: tuple[tuple[str, Spans], ...] = ()
    """Rooms whose bookings were read as others."""

    only: str | None = None
    """The ID of the one room that is considered."""

    sides: tuple[bool, bool] = (True, True)
    """Whether the margin counts before and after a candidate."""

    lasts: int | None = None
    """The minutes of a candidate that are compared with bookings, if not all."""

    blur: Blur | None = None
    """How all bookings were misread."""

    any_item: bool = False
    """Whether one item of the equipment is enough."""

    alike: tuple[str, str] | None = None
    """An item of the equipment, and another that is enough in its place."""

    def lacks(self, room: RoomOption) -> list[str]:
        """The names of the requirements that a room does not meet; bookings are not considered."""
        return [
            *(["seats"] if room.capacity < self.seats else ()),
            *([] if self._is_equipped(room) else ["equipment"]),
            *(["site"] if self.site not in (None, room.site) else ()),
        ]

    def _is_equipped(self, room: RoomOption) -> bool:
        if self.any_item:
            return not room.equipment.isdisjoint(self.equipment)
        if self.alike is not None and self.alike[1] in room.equipment:
            return room.equipment >= self.equipment - {self.alike[0]}
        return room.equipment >= self.equipment


class Choices(NamedTuple):
    """What determines the answer besides the masks."""

    rooms: RoomQuery | None
    order: Order
    tie_break: tuple[TieBreakKey, ...]
    options: int
    spread: Spread = Spread.EVERY
    use: RoomUse = RoomUse.EVERY
    space: int = 0
    """Minutes between two slots, if `spread` keeps them apart; fewer than none if they may overlap."""

    ids_descending: bool = False
    """Whether rooms that the tie-break leaves equal are ranked from the highest ID."""

    def having(self, fields: Mapping[str, object]) -> "Choices":
        """A copy with some fields, or fields of the room query, replaced."""
        if not fields:
            return self
        own = {name: value for name, value in fields.items() if name in Choices._fields}
        asked = {name: value for name, value in fields.items() if name not in Choices._fields}
        if asked and self.rooms is not None:
            own["rooms"] = self.rooms._replace(**asked)  # type: ignore[arg-type]
        return self._replace(**own)  # type: ignore[arg-type]

    def permits(self, name: str, value: Any) -> bool:
        """Whether another value of a field forbids nothing that was allowed and changes no rank."""
        query = self.rooms
        match name:
            case "seats" | "margin" if query is not None:
                return bool(value <= getattr(query, name))
            case "equipment" if query is not None:
                return bool(value <= query.equipment)
            case "site":
                return value is None
            case "sides" | "lasts" | "alike":
                return True
            case "booked" | "any_item":
                return bool(value) is (name == "any_item")
            case _:
                return False

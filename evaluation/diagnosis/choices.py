"""What determines an answer besides the masks of slots: rooms, ranking and number."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from mpcbench.oracle.problem import RoomOption
from mpcbench.schema import Order, TieBreakKey


class Form(Enum):
    """Which feasible candidates may be in an answer together."""

    EVERY = "every"
    ONE_ROOM = "one room a slot"
    DISJOINT = "no two slots overlap"

    def of_slot(self, pairs: Sequence[tuple[int, str | None]]) -> Sequence[tuple[int, str | None]]:
        """The pairs of a slot that may be in an answer; pairs come in ranking order."""
        return pairs[:1] if self is Form.ONE_ROOM else pairs


class RoomQuery(NamedTuple):
    """The requirements for a room."""

    seats: int
    equipment: frozenset[str]
    site: str | None
    margin: int
    """Minimum minutes between a candidate and the room's bookings."""

    booked: bool
    """Whether bookings count."""

    def lacks(self, room: RoomOption) -> list[str]:
        """The names of the requirements that a room does not meet; bookings are not considered."""
        return [
            *(["seats"] if room.capacity < self.seats else ()),
            *(["equipment"] if not room.equipment >= self.equipment else ()),
            *(["site"] if self.site not in (None, room.site) else ()),
        ]


class Choices(NamedTuple):
    """What determines the answer besides the masks."""

    rooms: RoomQuery | None
    order: Order
    tie_break: tuple[TieBreakKey, ...]
    options: int
    form: Form

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
            case "booked":
                return not value
            case _:
                return False

"""How an answer fits a frame: which conditions it breaks, and whether changed conditions lead to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.choices import Choices, RoomUse, Spread
from mpcbench.evaluation.diagnosis.frame import Frame, Pair
from mpcbench.schema import Order

ANY_ROOM: Final = ""
"""The room of a proposal that lacks a required room."""

OF_BOOKINGS: Final = frozenset({"booked", "misread", "blur", "lasts", "use"})
"""The fields that decide which bookings count."""

NOTHING: Final = frozenset({"nothing"})
"""The need of an answer that no change can allow, such as one with a room that does not exist."""


@dataclass(frozen=True)
class Fit:
    """An answer in a frame."""

    frame: Frame
    pairs: tuple[Pair, ...]
    """Its distinct (start, room) pairs in its order; starts are relative to the frame."""

    @classmethod
    def of(cls, frame: Frame, candidates: Sequence[Pair]) -> "Fit | None":
        """The fit of an answer by its (start, room) pairs; None if a start lies outside the frame."""
        relative = tuple((start - frame.origin, room) for start, room in dict.fromkeys(candidates))
        return cls(frame, relative) if all(0 <= start < frame.width for start, _ in relative) else None

    @cached_property
    def starts(self) -> int:
        """Its starts as a mask."""
        return reduce(or_, (1 << start for start, _ in self.pairs), 0)

    def permitted(self, change: Change) -> bool:
        """Whether the new masks of a change allow all of the answer's starts."""
        return all(change.allows(start) for start in self._distinct)

    @cached_property
    def _distinct(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(start for start, _ in self.pairs))

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """For each condition that the answer breaks, the keys and fields of which a change must touch one."""
        frame = self.frame
        needs = [frozenset({key}) for key in frame.conditions if self.starts & ~frame.at(key)]
        needs += dict.fromkeys(need for start, room in self.pairs for need in self._needs_of_room(start, room))
        if len(self.pairs) > frame.choices.options:
            needs.append(frozenset({"options", "use"}))
        return tuple(needs)

    @cached_property
    def breaks_nothing(self) -> bool:
        """Whether `needs` is empty; stops at the first broken condition."""
        frame = self.frame
        return (
            len(self.pairs) <= frame.choices.options
            and not any(self.starts & ~frame.at(key) for key in frame.conditions)
            and not any(self._needs_of_room(start, room) for start, room in self.pairs)
        )

    def _needs_of_room(self, start: int, room_id: str | None) -> list[frozenset[str]]:
        query, room = self.frame.choices.rooms, self.frame.room(room_id)
        if query is None or room is None:
            unknown = room_id is not None if query is None else room_id != ANY_ROOM
            return [NOTHING] if unknown else []
        broken = [frozenset({name}) for name in query.lacks(room)]
        if not self.frame.room_free(room.room_id, query) >> start & 1:
            touching = self.frame.room_free(room.room_id, query._replace(margin=0)) >> start & 1
            broken.append(OF_BOOKINGS | ({"margin", "sides"} if touching else set()))
        return broken

    def leads(self, slots: int, choices: Choices) -> bool | None:
        """Whether the top N of some starts is the answer.

        Returns:
            None if it is not; otherwise whether the order is the same, too.
        """
        if self.starts & ~slots or self._is_outranked(slots, choices):
            return None
        return self.equals(self.frame.top(slots, choices))

    def equals(self, chosen: Sequence[Pair]) -> bool | None:
        """Whether the answer is a list of candidates; as `leads`."""
        if tuple(chosen) == self.pairs:
            return True
        if not self._is_nameless:
            return False if len(chosen) == len(self.pairs) and {*chosen} == {*self.pairs} else None
        chosen_starts, own_starts = ([*dict.fromkeys(start for start, _ in pairs)] for pairs in (chosen, self.pairs))
        named = {pair for pair in self.pairs if pair[1] != ANY_ROOM}
        if {*chosen_starts} != {*own_starts} or not named <= {*chosen}:
            return None
        return chosen_starts == own_starts

    @cached_property
    def _is_nameless(self) -> bool:
        return any(room == ANY_ROOM for _, room in self.pairs)

    def _is_outranked(self, slots: int, choices: Choices) -> bool:
        """Whether some start certainly ranks before all of the answer's; quicker than solving."""
        if choices.use is RoomUse.ROOM_FIRST or choices.spread is Spread.DAYS_FORWARD or not self.starts:
            return False
        if choices.order is Order.LATEST:
            before = slots >> self.starts.bit_length() << self.starts.bit_length()
        else:
            before = slots & ((self.starts & -self.starts) - 1)
        return bool(before and before & self.frame.somewhere(choices.rooms))

"""How an answer fits a frame: which conditions it breaks, and whether changed conditions lead to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.choices import Choices, Form
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.schema import Order

ANY_ROOM: Final = ""
"""The room of a proposal that lacks a required room."""

NOTHING: Final = frozenset({"nothing"})
"""The need of an answer that no change can allow, such as one with a room that does not exist."""

Pair = tuple[int, str | None]


class _Leading(NamedTuple):
    """The answer comes first among all candidates at its own starts."""

    in_order: bool
    full: bool
    """Whether these are at least N; if not, no other start may be feasible."""


@dataclass(frozen=True)
class Fit:
    """An answer in a frame."""

    frame: Frame
    pairs: tuple[Pair, ...]
    """Its distinct (start, room) pairs in its order; starts are relative to the frame."""

    _leading: dict[Choices, _Leading | None] = field(default_factory=dict)

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
            needs.append(frozenset({"options"}))
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
            broken.append(frozenset({"booked", "margin"} if touching else {"booked"}))
        return broken

    def leads(self, slots: int, choices: Choices) -> bool | None:
        """Whether the top N of some starts is the answer.

        Returns:
            None if it is not; otherwise whether the order is the same, too.
        """
        leading = self.leading(choices)
        if leading is None or self.starts & ~slots or self.excess(slots, choices):
            return None
        return leading.in_order

    def leading(self, choices: Choices) -> _Leading | None:
        """The result of choosing among the candidates at the answer's own starts; None if it is not the answer."""
        if choices not in self._leading:
            self._leading[choices] = self._lead(choices)
        return self._leading[choices]

    def _lead(self, choices: Choices) -> _Leading | None:
        frame, rooms = self.frame, self.frame.rooms(choices)
        ordered = sorted({start for start, _ in self.pairs}, reverse=choices.order is Order.LATEST)
        if choices.form is Form.DISJOINT and any(frame.shadow(start) & self.starts for start in ordered):
            return None
        ranked: list[Pair] = []
        for start in ordered:
            ranked += choices.form.of_slot([(start, room) for room, mask in rooms if mask >> start & 1])
        chosen = tuple(ranked[: choices.options])
        full = len(ranked) >= choices.options
        named = [pair for pair in self.pairs if pair[1] != ANY_ROOM]
        if len(named) == len(self.pairs):
            return _Leading(chosen == self.pairs, full) if set(chosen) == set(named) else None
        chosen_starts, own_starts = ([*dict.fromkeys(start for start, _ in pairs)] for pairs in (chosen, self.pairs))
        if set(chosen_starts) != set(own_starts) or not set(named) <= set(chosen):
            return None
        return _Leading(chosen_starts == own_starts, full)

    def excess(self, slots: int, choices: Choices) -> int:
        """The starts among `slots` that keep the answer from being the top N, as they rank before its last candidate.

        If the answer has fewer than N candidates, this is every other start.
        """
        leading = self.leading(choices)
        others = slots & ~self.starts
        if choices.form is Form.DISJOINT:
            # A candidate displaces only overlapping starts that rank after it.
            others &= ~reduce(or_, (self._behind(start, choices.order) for start in self._distinct), 0)
        if leading is not None and leading.full:
            others &= self._before(choices.order)
        return others & self.frame.somewhere(choices.rooms) if others else 0

    def first_excess(self, slots: int, choices: Choices) -> int | None:
        """One of the starts of `excess`; None if there are none."""
        others = self.excess(slots, choices)
        return others.bit_length() - 1 if others else None

    def _behind(self, start: int, order: Order) -> int:
        """The starts that overlap a start's candidate and rank after it."""
        after = (1 << start) - 1 if order is Order.LATEST else -1 << start
        return self.frame.shadow(start) & after

    def _before(self, order: Order) -> int:
        if order is Order.LATEST:
            return -(self.starts & -self.starts)
        return (1 << self.starts.bit_length()) - 1

"""A problem taken apart: each of its conditions as one mask, so that variants of it are solved in microseconds.

Bit i of a mask stands for the start at minute `frame.origin + i`, as in `oracle.masks`, but the window, its daily
hours and the grid are conditions like any other, and the frame reaches a day beyond the window.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, reduce
from operator import and_, or_
from typing import Final, NamedTuple

from oracle.interval import Interval, paint, smeared
from oracle.local_time import GRID_MINUTES, segments
from oracle.masks import constraint_mask
from oracle.problem import Buffer, Busy, Constraint, Inside, InsideHours, Problem, RoomOption, Rule
from oracle.solve import room_rank
from schema import Order, Source, TieBreakKey, World
from schema.interval import Timeline
from schema.model import MINUTES_PER_DAY

_MARGIN = MINUTES_PER_DAY

Spans = tuple[Interval, ...]
ANY_ROOM: Final = ""
"""Stands for the room of a proposal that names none where one is asked for."""

Known = Callable[[str, Spans], Spans]
"""Which of the events of a calendar (by its record ID) count."""


class Form(Enum):
    """Which of the feasible candidates may stand in an answer."""

    EVERY = "every"
    ONE_ROOM = "one room a slot"
    DISJOINT = "no two slots overlap"


class RoomQuery(NamedTuple):
    """What is asked of a room."""

    seats: int
    equipment: frozenset[str]
    site: str | None
    margin: int
    """Minutes between the candidate and the room's bookings."""

    booked: bool
    """Whether bookings count."""


class Choices(NamedTuple):
    """What decides the answer beside the masks."""

    rooms: RoomQuery | None
    order: Order
    tie_break: tuple[TieBreakKey, ...]
    options: int
    form: Form


class Proposed(NamedTuple):
    """An answer in a frame: its starts as a mask, and its (start, room) pairs in the answer's order."""

    starts: int
    pairs: tuple[tuple[int, str | None], ...]


def everything(_record: str, events: Spans) -> Spans:
    """Every event is known."""
    return events


@dataclass(frozen=True)
class Frame:
    """The masks of a problem for candidates of one duration."""

    world: World
    problem: Problem
    duration: int
    known: Known = everything
    shared: dict[tuple[str, int, Known], int] = field(default_factory=dict)
    """Painted calendars, for all frames of a search."""

    _suitable: dict[tuple[RoomQuery, tuple[TieBreakKey, ...]], list[tuple[str | None, int]]] = field(
        default_factory=dict
    )
    _ranked: dict[tuple[TieBreakKey, ...], list[RoomOption]] = field(default_factory=dict)
    _anywhere: dict[RoomQuery, int] = field(default_factory=dict)
    _free: dict[tuple[str, int, bool], int] = field(default_factory=dict)
    _without: dict[frozenset[str], int] = field(default_factory=dict)

    @cached_property
    def bare(self) -> Problem:
        """The problem without conditions, a day wider on both sides."""
        return replace(
            self.problem,
            window=self.problem.window.widened(MINUTES_PER_DAY),
            daily=None,
            duration=self.duration,
            constraints=(),
            rooms=None,
        )

    @property
    def origin(self) -> int:
        """The minute of bit 0."""
        return self.bare.window.start

    def mask(self, rule: Rule) -> int:
        """The starts that a rule allows; no busy events and buffers, which are minutes to keep clear of."""
        return constraint_mask(Constraint(Source.POLICY, "", (), rule), self.bare)

    def painted(self, spans: Iterable[Interval]) -> int:
        """The minutes of spans, as a set relative to a day before the frame's first."""
        return paint(spans, self.bare.window.widened(_MARGIN))

    def taken(self, record: str) -> int:
        """The painted events of a calendar, by its record ID."""
        key = (record, self.origin, self.known)
        if key not in self.shared:
            kind, _, owner = record.partition(":")
            timelines = self.world.busy if kind == "calendar" else self.world.booked
            near = timelines.get(owner, Timeline()).near(self.bare.window.widened(_MARGIN))
            self.shared[key] = self.painted(self.known(record, near))
        return self.shared[key]

    def clear(self, taken: int, before: int = 0, after: int = 0) -> int:
        """The starts of candidates that keep clear of painted minutes.

        Args:
            taken: The minutes.
            before: Minutes to leave between a taken one and a candidate after it; less than a day.
            after: Minutes to leave between a candidate and a taken one after it.
        """
        window = self.bare.window
        near = smeared(taken, self.duration - 1 + before + after) >> (_MARGIN - before)
        return ((1 << (window.end - window.start)) - 1) & ~near

    @property
    def all_taken(self) -> int:
        """The painted events of all participants."""
        return reduce(or_, (self.taken(f"calendar:{person}") for person in self.persons), 0)

    @cached_property
    def persons(self) -> tuple[str, ...]:
        """The participants whose calendars count."""
        return tuple(item.rule.person_id for item in self.problem.constraints if isinstance(item.rule, Busy))

    @cached_property
    def conditions(self) -> tuple[tuple[Constraint, dict[str, int]], ...]:
        """Every constraint with its masks; a buffer has one for each calendar, as leaving one out needs."""
        found = []
        for number, constraint in enumerate(self.problem.constraints):
            key = f"{number}"
            match constraint.rule:
                case Busy(person_id=person):
                    masks = {key: self.clear(self.taken(f"calendar:{person}"))}
                case Buffer(minutes=minutes):
                    masks = {
                        f"{key}:{person}": self.clear(self.taken(f"calendar:{person}"), minutes, minutes)
                        for person in self.persons
                    }
                case rule:
                    masks = {key: self.mask(rule)}
            found.append((constraint, masks))
        return tuple(found)

    @cached_property
    def masks(self) -> dict[str, int]:
        """The mask of every condition on the slot by its key."""
        masks = {"window": self.mask(Inside((self.problem.window,))), "grid": self.every(GRID_MINUTES)}
        if self.problem.daily is not None:
            masks["daily_hours"] = self.mask(InsideHours(*self.problem.daily, tuple(range(7))))
        for _, own in self.conditions:
            masks |= own
        return masks

    def every(self, step: int, first: int = 0) -> int:
        """The starts whose wall clock shows a multiple of step, counted from a first minute of the hour."""
        bits = 0
        for low, high, offset in segments(self.bare.window, self.bare.zone):
            begin = low + -(low + offset - first) % step
            count = -(-(high - begin) // step)
            if count > 0:
                bits |= (((1 << count * step) - 1) // ((1 << step) - 1)) << (begin - self.origin)
        return bits

    def without(self, keys: frozenset[str]) -> int:
        """The starts that fulfil every condition but some."""
        if keys not in self._without:
            self._without[keys] = combined([mask for key, mask in self.masks.items() if key not in keys])
        return self._without[keys]

    @cached_property
    def choices(self) -> Choices:
        """What the problem itself asks for."""
        search = self.problem.rooms
        query = None
        if search is not None:
            margin = max((turnaround.minutes for turnaround in search.turnarounds), default=0)
            query = RoomQuery(search.seats, search.equipment, search.site, margin, search.use_bookings)
        return Choices(query, self.problem.order, self.problem.tie_break, self.problem.count, Form.EVERY)

    def proposed(self, pairs: Sequence[tuple[int, str | None]]) -> Proposed | None:
        """Candidates by the minute they start; None where one lies outside the frame."""
        width = self.bare.window.end - self.origin
        if not all(0 <= start - self.origin < width for start, _ in pairs):
            return None
        relative = tuple((start - self.origin, room) for start, room in dict.fromkeys(pairs))
        return Proposed(reduce(or_, (1 << start for start, _ in relative), 0), relative)

    def leads_to(self, slots: int, choices: Choices, answer: Proposed) -> bool | None:
        """Whether the top N of these starts is the answer.

        Returns:
            None if not; otherwise whether it is so in the answer's order, too.
        """
        if answer.starts & ~slots:
            return None
        starts = slots if choices.rooms is None else slots & self._somewhere(choices.rooms)
        if self._better(starts, choices, answer):
            return None
        found = self._top(starts, choices)
        named = [pair for pair in answer.pairs if pair[1] != ANY_ROOM]
        if len(named) == len(answer.pairs):
            return tuple(found) == answer.pairs if set(found) == set(named) else None
        starts_found, starts_given = ([*dict.fromkeys(start for start, _ in pairs)] for pairs in (found, answer.pairs))
        if set(starts_found) != set(starts_given) or not set(named) <= set(found):
            return None
        return starts_found == starts_given

    def excess(self, slots: int, choices: Choices, answer: Proposed) -> int:
        """The starts that stand in the way: the ranking puts them before the answer's last, but it lacks them."""
        starts = slots if choices.rooms is None else slots & self._somewhere(choices.rooms)
        return self._better(starts, choices, answer)

    @staticmethod
    def _better(starts: int, choices: Choices, answer: Proposed) -> int:
        if choices.form is Form.DISJOINT:
            return 0  # a start that is passed over stands in nobody's way
        if not answer.starts:
            return starts
        others = starts & ~answer.starts
        if choices.order is Order.LATEST:
            return others & -(answer.starts & -answer.starts)
        return others & ((1 << answer.starts.bit_length()) - 1)

    def _top(self, starts: int, choices: Choices) -> list[tuple[int, str | None]]:
        chosen: list[tuple[int, str | None]] = []
        rooms = self._rooms(choices)
        while starts and len(chosen) < choices.options:
            latest = choices.order is Order.LATEST
            start = starts.bit_length() - 1 if latest else (starts & -starts).bit_length() - 1
            starts ^= 1 << start
            here = [(start, room) for room, mask in rooms if mask >> start & 1]
            if here and choices.form is Form.DISJOINT:
                low = max(0, start - self.duration + 1)
                starts &= ~(((1 << (start + self.duration - low)) - 1) << low)
            chosen += here[:1] if choices.form is Form.ONE_ROOM else here
        return chosen[: choices.options]

    def _rooms(self, choices: Choices) -> list[tuple[str | None, int]]:
        query, tie_break = choices.rooms, choices.tie_break
        if query is None:
            return [(None, -1)]
        key = (query, tie_break)
        if key not in self._suitable:
            if tie_break not in self._ranked:
                search = self.problem.rooms
                assert search is not None
                self._ranked[tie_break] = sorted(search.rooms, key=lambda room: room_rank(room, tie_break))
            suitable = self._options(query, self._ranked[tie_break])
            self._suitable[key] = [(room.room_id, self._room_mask(room.room_id, query)) for room in suitable]
        return self._suitable[key]

    def _somewhere(self, query: RoomQuery) -> int:
        if query not in self._anywhere:
            masks = (self._room_mask(room.room_id, query) for room in self._options(query))
            self._anywhere[query] = reduce(or_, masks, 0)
        return self._anywhere[query]

    def _options(self, query: RoomQuery, rooms: Sequence[RoomOption] | None = None) -> list[RoomOption]:
        search = self.problem.rooms
        assert search is not None
        wanted = replace(search, seats=query.seats, equipment=query.equipment, site=query.site)
        return [room for room in (search.rooms if rooms is None else rooms) if wanted.suits(room)]

    def _room_mask(self, room_id: str, query: RoomQuery) -> int:
        key = (room_id, query.margin, query.booked)
        if key not in self._free:
            taken = self.taken(f"room_calendar:{room_id}") if query.booked else 0
            self._free[key] = self.clear(taken, query.margin, query.margin)
        return self._free[key]


def combined(masks: Collection[int]) -> int:
    """The starts in all of the masks."""
    return reduce(and_, masks, -1)


def with_fields(choices: Choices, fields: Mapping[str, object]) -> Choices:
    """The choices with some of their fields, or of their room's, replaced."""
    own = {name: value for name, value in fields.items() if name in Choices._fields}
    asked = {name: value for name, value in fields.items() if name not in Choices._fields}
    if asked and choices.rooms is not None:
        own["rooms"] = choices.rooms._replace(**asked)  # type: ignore[arg-type]
    return choices._replace(**own) if own else choices  # type: ignore[arg-type]

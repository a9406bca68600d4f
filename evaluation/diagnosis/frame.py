"""A problem split into one mask per condition, so that variants of it are solved in microseconds.

As in `oracle.masks`, bit i of a mask is the start at minute `frame.origin + i`. But the window, its daily hours and
the grid are conditions like any other, and the frame extends a day beyond the window on both sides.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from operator import and_, or_
from typing import Final

from mpcbench.evaluation.diagnosis.choices import Choices, Form, RoomQuery
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.oracle.interval import Interval, members, paint, smeared
from mpcbench.oracle.local_time import GRID_MINUTES, segments
from mpcbench.oracle.masks import constraint_mask
from mpcbench.oracle.problem import Buffer, Busy, Constraint, Inside, InsideHours, Problem, RoomOption, Rule, StartsFrom
from mpcbench.oracle.solve import room_rank
from mpcbench.schema import Order, Source, World
from mpcbench.schema.interval import IntervalIndex
from mpcbench.schema.model import MINUTES_PER_DAY

_MARGIN = MINUTES_PER_DAY
_EVERY_DAY: Final = tuple(range(7))

Spans = tuple[Interval, ...]
Known = Callable[[str, Spans], Spans]
"""Selects the events of a calendar, by record ID, that the agent was shown."""

RoomMask = tuple[str | None, int]
"""A room and its starts; the room is None at levels 1 and 2."""


def everything(_record: str, events: Spans) -> Spans:
    """A `Known` under which every event is known."""
    return events


@dataclass(frozen=True)
class Frame:
    """The masks of a problem for candidates of one duration."""

    world: World
    provenance: Provenance
    problem: Problem
    duration: int
    known: Known = everything
    shared: dict[object, int] = field(default_factory=dict)
    """Cache of masks, shared with other frames of the same world and knowledge."""

    _masks: dict[str, int] = field(default_factory=dict)
    _without: dict[frozenset[str], int] = field(default_factory=dict)
    _suitable: dict[object, list[RoomMask]] = field(default_factory=dict)
    _anywhere: dict[RoomQuery, int] = field(default_factory=dict)

    @cached_property
    def bare(self) -> Problem:
        """The problem without conditions, its window a day wider on both sides."""
        return replace(
            self.problem,
            window=self.problem.window.widened(MINUTES_PER_DAY),
            daily=None,
            duration=self.duration,
            constraints=(),
            rooms=None,
        )

    @cached_property
    def origin(self) -> int:
        """The minute of bit 0, since 1970-01-01 UTC."""
        return self.bare.window.start

    @cached_property
    def width(self) -> int:
        """The number of bits."""
        return self.bare.window.end - self.origin

    def _once(self, key: tuple[object, ...], make: Callable[[], int]) -> int:
        key = (self.origin, self.width, *key)
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]

    # Masks of single rules.

    def mask(self, rule: Rule) -> int:
        """The starts that a rule allows; not for busy events and buffers, see `apart`."""
        constraint = Constraint(Source.POLICY, "", (), rule)
        return self._once((self.duration, rule), lambda: constraint_mask(constraint, self.bare))

    def painted(self, spans: Iterable[Interval]) -> int:
        """The minutes of spans, as a set whose origin is a day before the frame's."""
        return paint(spans, self.bare.window.widened(_MARGIN))

    def events(self, record: str) -> Spans:
        """The known events of a calendar near the frame, by record ID."""
        return self.known(record, self._index(record).near(self.bare.window.widened(_MARGIN)))

    def overlapped(self, record: str, spans: Iterable[Interval]) -> list[Interval]:
        """The known events of a calendar that overlap one of some spans, by start."""
        index = self._index(record)
        near = ((span, self.known(record, index.near(span))) for span in spans)
        return sorted({event for span, events in near for event in events if event.overlaps(span)})

    def _index(self, record: str) -> IntervalIndex:
        kind, _, owner = record.partition(":")
        return (self.world.busy if kind == "calendar" else self.world.booked).get(owner, IntervalIndex())

    def is_free(self, record: str, margin: int, start: int) -> bool:
        """Whether a candidate at a start keeps clear of a calendar's events; like `apart`, for one start."""
        span = Interval(self.origin + start, self.origin + start + self.duration).widened(margin)
        return not any(event.overlaps(span) for event in self.known(record, self._index(record).near(span)))

    def taken(self, record: str) -> int:
        """The painted events of a calendar, by record ID."""
        return self._once((record,), lambda: self.painted(self.events(record)))

    def clear(self, taken: int, before: int = 0, after: int = 0) -> int:
        """The starts of candidates that keep clear of painted minutes.

        Args:
            taken: The minutes.
            before: Free minutes required before a candidate; less than a day.
            after: Free minutes required after a candidate.
        """
        near = smeared(taken, self.duration - 1 + before + after) >> (_MARGIN - before)
        return ((1 << self.width) - 1) & ~near

    def apart(self, record: str, before: int = 0, after: int = 0) -> int:
        """The starts that keep clear of a calendar's events."""
        return self._once((self.duration, record, before, after), lambda: self.clear(self.taken(record), before, after))

    def every(self, step: int, first: int = 0) -> int:
        """The starts whose wall clock is a multiple of `step` minutes after minute `first` of the hour."""
        return self._once(("every", step, first), lambda: self._every(step, first))

    def _every(self, step: int, first: int) -> int:
        bits = 0
        for low, high, offset in segments(self.bare.window, self.bare.zone):
            begin = low + -(low + offset - first) % step
            count = -(-(high - begin) // step)
            if count > 0:
                bits |= (((1 << count * step) - 1) // ((1 << step) - 1)) << (begin - self.origin)
        return bits

    # The conditions of the problem.

    @cached_property
    def persons(self) -> tuple[str, ...]:
        """The participants whose calendars are constraints."""
        return tuple(item.rule.person_id for item in self.problem.constraints if isinstance(item.rule, Busy))

    @property
    def all_taken(self) -> int:
        """The painted events of all participants."""
        return reduce(or_, (self.taken(f"calendar:{person}") for person in self.persons), 0)

    @cached_property
    def buffer(self) -> int:
        """The largest buffer asked for, in minutes."""
        rules = (item.rule for item in self.problem.constraints)
        return max((rule.minutes for rule in rules if isinstance(rule, Buffer)), default=0)

    @cached_property
    def keys(self) -> tuple[tuple[Constraint, tuple[str, ...]], ...]:
        """Every constraint with the keys of its masks: one per calendar for a buffer, otherwise a single one."""
        return tuple(
            (
                constraint,
                tuple(f"{number}:{person}" for person in self.persons)
                if isinstance(constraint.rule, Buffer)
                else (f"{number}",),
            )
            for number, constraint in enumerate(self.problem.constraints)
        )

    @cached_property
    def unknown_ends(self) -> tuple[str, ...]:
        """The keys of the conditions that depend on the end of an unknown event."""
        return tuple(
            keys[0]
            for constraint, keys in self.keys
            if constraint.kind == "after_event" and isinstance(constraint.rule, StartsFrom)
            if constraint.rule.instant not in {event.end for event in self.events(constraint.records[-1])}
        )

    @cached_property
    def conditions(self) -> Mapping[str, Callable[[], int]]:
        """Makers of the masks of all conditions on the slot, by key."""
        makers: dict[str, Callable[[], int]] = {
            "window": lambda: self.mask(Inside((self.problem.window,))),
            "grid": lambda: self.every(GRID_MINUTES),
        }
        if self.problem.daily is not None:
            hours = InsideHours(*self.problem.daily, _EVERY_DAY)
            makers["daily_hours"] = lambda: self.mask(hours)
        for constraint, keys in self.keys:
            match constraint.rule:
                case Busy(person_id=person):
                    makers[keys[0]] = partial(self.apart, f"calendar:{person}")
                case Buffer(minutes=minutes):
                    for key, person in zip(keys, self.persons, strict=True):
                        makers[key] = partial(self.apart, f"calendar:{person}", minutes, minutes)
                case rule:
                    makers[keys[0]] = partial(self.mask, rule)
        return makers

    def at(self, key: str) -> int:
        """The mask of a condition."""
        if key not in self._masks:
            self._masks[key] = self.conditions[key]()
        return self._masks[key]

    def without(self, keys: Collection[str]) -> int:
        """The starts that satisfy every condition except some."""
        own = frozenset(key for key in keys if key in self.conditions)
        if own not in self._without:
            self._without[own] = reduce(and_, (self.at(key) for key in self.conditions if key not in own), -1)
        return self._without[own]

    @cached_property
    def choices(self) -> Choices:
        """The choices of the problem itself."""
        search = self.problem.rooms
        query = None
        if search is not None:
            margin = max((turnaround.minutes for turnaround in search.turnarounds), default=0)
            query = RoomQuery(search.seats, search.equipment, search.site, margin, search.use_bookings)
        return Choices(query, self.problem.order, self.problem.tie_break, self.problem.count, Form.EVERY)

    # Rooms.

    def rooms(self, choices: Choices) -> list[RoomMask]:
        """The suitable rooms in ranking order, each with the starts at which it is free."""
        query, tie_break = choices.rooms, choices.tie_break
        if query is None:
            return [(None, -1)]
        key = (query, tie_break)
        if key not in self._suitable:
            ranked = sorted(self._options(query), key=lambda room: room_rank(room, tie_break))
            self._suitable[key] = [(room.room_id, self.room_free(room.room_id, query)) for room in ranked]
        return self._suitable[key]

    def somewhere(self, query: RoomQuery | None) -> int:
        """The starts at which a suitable room is free."""
        if query is None:
            return -1
        if query not in self._anywhere:
            masks = (self.room_free(room.room_id, query) for room in self._options(query))
            self._anywhere[query] = reduce(or_, masks, 0)
        return self._anywhere[query]

    def room_free(self, room_id: str, query: RoomQuery) -> int:
        """The starts at which a room is free."""
        return self.apart(f"room_calendar:{room_id}", query.margin, query.margin) if query.booked else -1

    def room(self, room_id: str | None) -> RoomOption | None:
        """The room with an ID; None if there is no such room, or no room is needed."""
        return self._by_id.get(room_id)

    @cached_property
    def _by_id(self) -> dict[str | None, RoomOption]:
        search = self.problem.rooms
        return {} if search is None else {room.room_id: room for room in search.rooms}

    def _options(self, query: RoomQuery) -> list[RoomOption]:
        return [room for room in self._by_id.values() if not query.lacks(room)]

    # Solving.

    def feasible(self, slots: int, choices: Choices) -> list[tuple[int, str | None]]:
        """The (start, room) pairs of some starts, unordered."""
        return [(start, room) for room, mask in self.rooms(choices) for start in members(mask & slots)]

    def top(self, slots: int, choices: Choices) -> list[tuple[int, str | None]]:
        """The first N pairs in ranking order."""
        chosen: list[tuple[int, str | None]] = []
        starts, rooms = slots & self.somewhere(choices.rooms), self.rooms(choices)
        while starts and len(chosen) < choices.options:
            latest = choices.order is Order.LATEST
            start = starts.bit_length() - 1 if latest else (starts & -starts).bit_length() - 1
            starts ^= 1 << start
            if choices.form is Form.DISJOINT:
                starts &= ~self.shadow(start)
            chosen += choices.form.of_slot([(start, room) for room, mask in rooms if mask >> start & 1])
        return chosen[: choices.options]

    def shadow(self, start: int) -> int:
        """The other starts whose candidates overlap the candidate at a start."""
        low = max(0, start - self.duration + 1)
        return (((1 << (start + self.duration - low)) - 1) << low) & ~(1 << start)

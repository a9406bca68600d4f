"""A problem split into one mask per condition, so that variants of it are solved in microseconds.

The window, its daily hours and the grid are conditions like any other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, reduce
from itertools import islice
from operator import and_, or_
from typing import Final

from mpcbench.evaluation.diagnosis.choices import Choices, RoomQuery, RoomUse, Spans, Spread
from mpcbench.evaluation.diagnosis.masks import Masks
from mpcbench.oracle.interval import members
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.problem import Buffer, Busy, Constraint, Inside, InsideHours, RoomOption, StartsFrom
from mpcbench.oracle.solve import room_rank
from mpcbench.schema import Order

_EVERY_DAY: Final = tuple(range(7))

Pair = tuple[int, str | None]
"""A start, relative to the frame, and a room."""

RoomMask = tuple[str | None, int]
"""A room and its starts; the room is None at levels 1 and 2."""


@dataclass(frozen=True)
class Frame(Masks):
    """The masks of a problem for candidates of one duration."""

    _masks: dict[str, int] = field(default_factory=dict)
    _without: dict[frozenset[str], int] = field(default_factory=dict)
    _suitable: dict[object, list[RoomMask]] = field(default_factory=dict)
    _anywhere: dict[RoomQuery, int] = field(default_factory=dict)

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
        return Choices(query, self.problem.order, self.problem.tie_break, self.problem.count)

    # Rooms.

    def rooms(self, choices: Choices) -> list[RoomMask]:
        """The suitable rooms in ranking order, each with the starts at which it is free."""
        query, tie_break = choices.rooms, choices.tie_break
        if query is None:
            return [(None, -1)]
        key = (query, tie_break, choices.ids_descending)
        if key not in self._suitable:
            options = sorted(self._options(query), key=lambda room: room.room_id, reverse=choices.ids_descending)
            ranked = sorted(options, key=lambda room: room_rank(room, tie_break)[:-1])
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
        if not query.booked:
            return -1
        before, after = (query.margin if kept else 0 for kept in query.sides)
        for misread, bookings in query.misread:
            if misread == room_id:
                return self._once(
                    (self.duration, room_id, bookings, before, after),
                    partial(self._clear_of, bookings, before, after),
                )
        if query.blur is not None:
            return self.clear(self.blurred(f"room_calendar:{room_id}", query.blur), before, after)
        if query.lasts is not None:
            return self.clear(self.taken(f"room_calendar:{room_id}"), before, after, query.lasts)
        return self.apart(f"room_calendar:{room_id}", before, after)

    def _clear_of(self, events: Spans, before: int, after: int) -> int:
        return self.clear(self.painted(events), before, after)

    def room(self, room_id: str | None) -> RoomOption | None:
        """The room with an ID; None if there is no such room, or no room is needed."""
        return self._by_id.get(room_id)

    @cached_property
    def _by_id(self) -> dict[str | None, RoomOption]:
        search = self.problem.rooms
        return {} if search is None else {room.room_id: room for room in search.rooms}

    @property
    def all_rooms(self) -> Collection[str | None]:
        """The IDs of all rooms; a single None if no room is needed."""
        return self._by_id.keys() or (None,)

    def looked_up(self, choices: Choices) -> frozenset[str | None]:
        """The rooms whose bookings have to be looked up: the suitable ones, unless bookings do not count."""
        query = choices.rooms
        if query is None or not query.booked or choices.use is RoomUse.UNCHECKED:
            return frozenset()
        return frozenset(room.room_id for room in self._options(query))

    def _options(self, query: RoomQuery) -> list[RoomOption]:
        rooms = self._by_id.values()
        return [room for room in rooms if query.only in {None, room.room_id} and not query.lacks(room)]

    # Solving.

    @cached_property
    def gold(self) -> tuple[Pair, ...]:
        """The first N pairs of the problem."""
        return tuple(self.top(self.without(()), self.choices))

    def feasible(self, slots: int, choices: Choices) -> list[Pair]:
        """The (start, room) pairs of some starts, unordered."""
        return [(start, room) for room, mask in self.rooms(choices) for start in members(mask & slots)]

    def top(self, slots: int, choices: Choices) -> list[Pair]:
        """The first N pairs in ranking order."""
        rooms = self.rooms(choices)
        starts = self._thinned(slots & self.somewhere(choices.rooms), choices)
        if choices.use is RoomUse.ROOM_FIRST:
            ranked = ((start, room) for room, mask in rooms for start in self._ranked(starts & mask, choices))
            return [*islice(ranked, choices.options)]
        chosen: list[Pair] = []
        for number, start in enumerate(self._ranked(starts, choices)):
            if (number if choices.use is RoomUse.SLOTS_COUNTED else len(chosen)) >= choices.options:
                break
            here = [(start, room) for room, mask in rooms if mask >> start & 1]
            if choices.use in {RoomUse.FIRST, RoomUse.SAME}:
                del here[1:]
            if choices.use is RoomUse.SAME and not chosen:
                rooms = [one for one in rooms if one[0] == here[0][1]]
            chosen += here
        if choices.use is RoomUse.UNCHECKED:
            return self._unchecked(chosen[: choices.options], [room for room, _ in rooms])
        beyond = choices.use in {RoomUse.WHOLE_SLOTS, RoomUse.SLOTS_COUNTED}
        return chosen if beyond else chosen[: choices.options]

    @staticmethod
    def _unchecked(chosen: Iterable[Pair], rooms: Sequence[str | None]) -> list[Pair]:
        """Each start as often as it was chosen, with the first rooms of the ranking."""
        number = Counter(start for start, _ in chosen)
        return [(start, room) for start, times in number.items() for room in rooms[:times]]

    def _ranked(self, starts: int, choices: Choices) -> Iterator[int]:
        """Some starts in ranking order, kept apart where the choices say so."""
        latest, step = choices.order is Order.LATEST, 1 if choices.order is Order.LATEST else -1
        for piece in self.days[::step] if choices.spread is Spread.DAYS_FORWARD else (-1,):
            left = starts & piece
            while left:
                start = left.bit_length() - 1 if latest else (left & -left).bit_length() - 1
                left ^= 1 << start
                if choices.spread is Spread.APART:
                    left &= ~self.shadow(start, choices.space)
                yield start

    def shadow(self, start: int, space: int = 0) -> int:
        """The other starts whose candidates are closer than `space` minutes to the candidate at a start."""
        reach = self.duration + space - 1
        low = max(0, start - reach)
        return (((1 << (start + reach + 1 - low)) - 1) << low) & ~(1 << start)

    def _thinned(self, starts: int, choices: Choices) -> int:
        """The starts that a habit leaves, apart from keeping them apart."""
        latest = choices.order is Order.LATEST
        match choices.spread:
            case Spread.PER_GAP:
                return starts & ~(starts >> GRID_MINUTES if latest else starts << GRID_MINUTES)
            case Spread.PER_DAY:
                days = [day for day in (starts & day for day in self.days) if day]
                return reduce(or_, (1 << day.bit_length() - 1 if latest else day & -day for day in days), 0)
            case Spread.FIRST_DAY:
                days = [day for day in (starts & day for day in self.days) if day]
                return days[-1 if latest else 0] if days else 0
            case _:
                return starts

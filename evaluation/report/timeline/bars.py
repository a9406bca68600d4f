"""What keeps a meeting from taking place, as bars in rows: rules, people's events, rooms' bookings.

Every bar is a span that a candidate must not overlap, so a slot of the right length on the grid is feasible if
and only if it overlaps no bar. A span of no length is a line that a candidate must not cross, as between two days
of work hours. (Required windows that overlap one another are the exception: bars cannot tell that the candidate
has to lie in one of them.)
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, tzinfo
from enum import StrEnum
from functools import lru_cache
from typing import Final

from mpcbench.evaluation.report.condition_names import kind_name
from mpcbench.evaluation.scoring.resolved import TASK, ResolvedInstance
from mpcbench.evaluation.scoring.rule_text import limit_text
from mpcbench.evaluation.scoring.time_text import hours_text, local_interval
from mpcbench.oracle.interval import Interval, to_datetime, to_minutes
from mpcbench.oracle.local_time import daily_spans
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    RoomOption,
    RoomSearch,
    StartsFrom,
)
from mpcbench.oracle.solve import room_rank
from mpcbench.schema import Event, Window
from mpcbench.schema.model import MINUTES_PER_DAY

BEST_ROOMS: Final = 3
"""Suitable rooms that are shown in any case, the best by the ranking."""

MOST_ROOMS: Final = 12


class BarKind(StrEnum):
    """What a bar represents."""

    CLOSED = "closed"
    """Outside the window or its daily hours."""

    RULE = "rule"
    """Blocked by a policy or a thread."""

    BUSY = "busy"
    BUFFER = "buffer"
    BOOKING = "booking"
    TURNAROUND = "turnaround"
    UNSUITABLE = "unsuitable"
    """A room whose metadata do not fit."""


class RowKind(StrEnum):
    """What a row is about."""

    WINDOW = "window"
    RULE = "rule"
    PERSON = "person"
    ROOM = "room"


@dataclass(frozen=True, slots=True)
class Bar:
    """A span that a candidate must not overlap, clipped to its day; half-open."""

    kind: BarKind
    span: Interval
    text: str
    """For people: what it is and how long it really lasts."""

    records: tuple[str, ...]
    """The records that it comes from; `task` is the task text."""

    hits: tuple[int, ...] = ()
    """The places in the answer of the wrong candidates that overlap it."""


@dataclass(frozen=True)
class Lane:
    """A row of a timeline for all of its days."""

    kind: RowKind
    name: str
    detail: str
    """What distinguishes it from others of the same name: an ID, or why a room does not fit."""

    records: tuple[str, ...]
    bars: Callable[[Interval], Iterable[Bar]]
    """The bars of a local day, given as the instants that it spans."""

    room_id: str | None = None


def lanes(case: ResolvedInstance, rooms: Iterable[str], reach: Interval) -> list[Lane]:
    """The rows: window, rules by source, participants in their order, rooms by rank.

    Args:
        case: The resolved problem with its world and instance.
        rooms: The IDs of the rooms to show beside the best, the most wanted first; unknown ones too.
        reach: Where the days lie that bars will be asked of.
    """
    return [
        _window(case),
        *(_rule(case, one) for one in case.problem.constraints if not isinstance(one.rule, Busy | Buffer)),
        *_people(case, reach),
        *_rooms(case, rooms, reach),
    ]


def _window(case: ResolvedInstance) -> Lane:
    problem = case.problem
    records = case.last_record(Window)
    outside = f"outside the window {local_interval(problem.window, problem.zone)}"

    def bars(day: Interval) -> Iterator[Bar]:
        for span in _gaps(day, [problem.window]):
            yield Bar(BarKind.CLOSED, span, outside, records)
        if problem.daily is not None:
            text = f"outside the window's daily hours {hours_text(*problem.daily)}"
            for span in _outside_hours(case, day, *problem.daily, range(7)):
                yield Bar(BarKind.CLOSED, span, text, records)

    return Lane(RowKind.WINDOW, "Window", "", records, bars)


def _rule(case: ResolvedInstance, constraint: Constraint) -> Lane:
    name = kind_name(constraint.kind).capitalize()
    records = constraint.records
    text = f"{name}: {_rule_text(case, constraint)}"

    def bars(day: Interval) -> Iterator[Bar]:
        for span in _blocked(case, constraint, day):
            yield Bar(BarKind.RULE, span, text, records)

    return Lane(RowKind.RULE, name, record_name(records[0]), records, bars)


def _rule_text(case: ResolvedInstance, constraint: Constraint) -> str:
    limit = limit_text(constraint.rule, case.problem.zone)
    match constraint.rule:
        case InsideHours() | Inside():
            return f"only {limit}"
        case OutsideHours() | Outside():
            return f"not {limit}"
        case StartsFrom():
            return f"from {limit} on{case.awaited(constraint)}"
        case _:
            return f"until {limit}"


def _blocked(case: ResolvedInstance, constraint: Constraint, day: Interval) -> Iterator[Interval]:
    match constraint.rule:
        case InsideHours(start=start, end=end, days=days):
            yield from _outside_hours(case, day, start, end, days)
        case OutsideHours(start=start, end=end, days=days):
            yield from daily_spans(day, case.problem.zone, start, end, frozenset(days))
        case Inside(spans=spans):
            yield from _gaps(day, spans)
        case Outside(span=span):
            yield from _clipped(span, day)
        case StartsFrom(instant=instant):
            yield from _clipped(Interval(day.start, instant), day)
        case EndsBy(instant=instant):
            yield from _clipped(Interval(instant, day.end), day)


def _people(case: ResolvedInstance, reach: Interval) -> Iterator[Lane]:
    buffers = [one for one in case.problem.constraints if isinstance(one.rule, Buffer)]
    margin = max((one.rule.minutes for one in buffers if isinstance(one.rule, Buffer)), default=0)
    policies = tuple(dict.fromkeys(record for one in buffers if one.rule == Buffer(margin) for record in one.records))
    for person_id in case.problem.participants:
        record = f"calendar:{person_id}"
        around = _Around(margin, BarKind.BUSY, BarKind.BUFFER, record, policies)
        bars = around.bars(case.world.events_by_person.get(person_id, ()), reach, case.problem.zone)
        yield Lane(RowKind.PERSON, case.world.person_by_id[person_id].name, person_id, (record,), bars)


def _rooms(case: ResolvedInstance, wanted: Iterable[str], reach: Interval) -> Iterator[Lane]:
    search = case.problem.rooms
    if search is None:
        return
    suitable = sorted(filter(search.suits, search.rooms), key=lambda room: room_rank(room, case.problem.tie_break))
    rank = {room.room_id: place for place, room in enumerate(suitable)}
    shown = [*dict.fromkeys(wanted)][:MOST_ROOMS]
    best = [room_id for room_id in [*rank][:BEST_ROOMS] if room_id not in shown]
    shown += best[: MOST_ROOMS - len(shown)]
    known = {room.room_id: room for room in search.rooms}
    for room_id in sorted(shown, key=lambda one: (rank.get(one, len(rank)), one not in known, one)):
        room = known.get(room_id)
        yield _unknown_room(room_id) if room is None else _room(case, search, room, reach)


def _unknown_room(room_id: str) -> Lane:
    def bars(day: Interval) -> Iterator[Bar]:
        yield Bar(BarKind.UNSUITABLE, day, "no room has this ID", ())

    return Lane(RowKind.ROOM, room_id, "no such room", (), bars, room_id)


def _room(case: ResolvedInstance, search: RoomSearch, room: RoomOption, reach: Interval) -> Lane:
    margin = max((one.minutes for one in search.turnarounds), default=0)
    policies = tuple(dict.fromkeys(one.record for one in search.turnarounds if one.minutes == margin))
    metadata, bookings = f"room:{room.room_id}", f"room_calendar:{room.room_id}"
    around = _Around(margin, BarKind.BOOKING, BarKind.TURNAROUND, bookings, policies)
    booked = around.bars(case.world.bookings_by_room.get(room.room_id, ()), reach, case.problem.zone)
    lacks = [*_lacks(search, room)]
    text = f"{room.name} does not fit: {'; '.join(lacks)}"

    def bars(day: Interval) -> Iterator[Bar]:
        if lacks:
            yield Bar(BarKind.UNSUITABLE, day, text, (metadata,))
        yield from booked(day)

    detail = f"{room.room_id} · {lacks[0] if lacks else f'seats {room.capacity}'}"
    return Lane(RowKind.ROOM, room.name, detail, (metadata, bookings), bars, room.room_id)


def _lacks(search: RoomSearch, room: RoomOption) -> Iterator[str]:
    if room.capacity < search.seats:
        yield f"seats {room.capacity} of {search.seats}"
    if search.equipment - room.equipment:
        yield f"no {', no '.join(sorted(search.equipment - room.equipment))}"
    if search.site is not None and room.site != search.site:
        yield f"at {room.site}, not at {search.site}"


@dataclass(frozen=True, slots=True)
class _Around:
    """Events with the margin that is kept free before and after each."""

    margin: int
    kind: BarKind
    margin_kind: BarKind
    record: str
    policies: tuple[str, ...]

    def bars(self, events: Iterable[Event], reach: Interval, zone: tzinfo) -> Callable[[Interval], Iterator[Bar]]:
        """What gives the bars of a day within reach: of every event its margins, then itself."""
        margin = self.margin
        near = reach.widened(margin)
        first, last = to_datetime(near.start, UTC), to_datetime(near.end, UTC)
        spans = []
        for event in events:
            if event.start < last and event.end > first:
                span = Interval(to_minutes(event.start), to_minutes(event.end))
                spans.append((span, span.widened(margin), f"{event.title}, {_clock_times(span, zone)}"))

        def of_day(day: Interval) -> Iterator[Bar]:
            for span, wide, text in spans:
                if not wide.overlaps(day):
                    continue
                around = f"{self.margin_kind} of {margin} min around {text}"
                for side in (Interval(wide.start, span.start), Interval(span.end, wide.end)):
                    for part in _clipped(side, day):
                        yield Bar(self.margin_kind, part, around, (self.record, *self.policies))
                for part in _clipped(span, day):
                    yield Bar(self.kind, part, text, (self.record,))

        return of_day


def _outside_hours(
    case: ResolvedInstance, day: Interval, start: int, end: int, days: Collection[int]
) -> Iterator[Interval]:
    inside = [*daily_spans(day, case.problem.zone, start, end, frozenset(days))]
    if inside and inside[0].start == day.start:
        yield Interval(day.start, day.start)  # hours of two dates may touch at midnight
    yield from _gaps(day, inside)


def _gaps(day: Interval, inside: Iterable[Interval]) -> Iterator[Interval]:
    """The rest of the day, and lines where two spans touch."""
    reached: int | None = None
    for start, end in sorted(inside):
        if end <= day.start or start >= day.end:
            continue
        if reached is None:
            yield from _clipped(Interval(day.start, start), day)
        elif start >= reached:
            yield Interval(reached, start)
        reached = end if reached is None else max(reached, end)
    yield from _clipped(Interval(day.start if reached is None else reached, day.end), day)


def _clipped(span: Interval, day: Interval) -> Iterator[Interval]:
    start, end = max(span.start, day.start), min(span.end, day.end)
    if start < end:
        yield Interval(start, end)


@lru_cache(maxsize=2**16)
def _clock_times(span: Interval, zone: tzinfo) -> str:
    """The span without its date if that is one only: the bar is drawn under it."""
    text = local_interval(span, zone)
    return text if " to " in text else text.split()[-1]


def record_name(record: str) -> str:
    """A record ID as people call it: `POL-04` for `policy:POL-04`, `the task` for the task text."""
    return "the task" if record == TASK else record.partition(":")[2]


def days_of(span: Interval, case: ResolvedInstance) -> list[Interval]:
    """The whole local days that a span touches, in order; most have 1440 minutes."""
    reach = span.widened(2 * MINUTES_PER_DAY)
    return [day for day in daily_spans(reach, case.problem.zone, 0, MINUTES_PER_DAY) if day.overlaps(span)]

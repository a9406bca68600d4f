"""Integration: compute the options from the facts by arithmetic over slots, in minutes since 1970-01-01 UTC."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from mpcbench.benchmark.agents.reference.acquire import suitable_rooms
from mpcbench.benchmark.agents.reference.desk import minutes
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Room
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Hours, Moment, Span, instant

_EVERY_DAY = frozenset(range(7))


class Option(NamedTuple):
    """One proposal."""

    start: datetime
    end: datetime
    room_id: str | None


class Piece(NamedTuple):
    """A part of a slot within one local day and without a clock change: minutes of the day, half-open."""

    day: date
    start: int
    end: int


class Slot(NamedTuple):
    """A time for the meeting, and the wall-clock times that it covers."""

    start: int
    end: int
    pieces: tuple[Piece, ...]


class Blocked:
    """Merged spans, each extended by a margin, for fast overlap tests."""

    def __init__(self, spans: Iterable[Busy], margin: int) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted((span.start - margin, span.end + margin) for span in spans):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def overlap(self, start: int, end: int) -> bool:
        """Whether a minute from start to end is blocked."""
        place = bisect_right(self._ends, start)
        return place < len(self._starts) and self._starts[place] < end


def choose(facts: Facts) -> list[Option]:
    """The first N options in the requested order, or all of them if there are fewer."""
    request = facts.request
    assert request.count is not None
    slots: Iterable[Slot] = feasible_slots(facts)
    if request.latest:
        slots = reversed(list(slots))
    chosen: list[Option] = []
    places = list(room_choices(facts))
    for slot in slots:
        for room_id, booked in places:
            if booked is None or not booked.overlap(slot.start, slot.end):
                chosen.append(_option(slot, room_id, facts.zone))
                if len(chosen) == request.count:
                    return chosen
    return chosen


def feasible_slots(facts: Facts) -> Iterator[Slot]:
    """The slots that satisfy every condition except those on the room, by start."""
    request = facts.request
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    busy = Blocked((event for events in facts.calendars.values() for event in events), margin)
    banned = Blocked((_busy(span, facts.zone) for span in request.bans), 0)
    required = [_busy(span, facts.zone) for span in request.required]
    earliest = [*facts.after]
    if request.not_before is not None:
        earliest.append(minutes(instant(request.not_before, facts.zone)))
    first_start = max(earliest, default=0)
    rules = [rule for rule in facts.rules if isinstance(rule, InsideHours | OutsideHours)]
    if request.window is not None and request.window.hours is not None:
        rules.append(InsideHours(request.window.hours, _EVERY_DAY))
    last_end = None if request.deadline is None else minutes(instant(request.deadline, facts.zone))
    for start, end in spans_of_window(facts):
        if (
            start >= first_start
            and (last_end is None or end <= last_end)
            and not busy.overlap(start, end)
            and not banned.overlap(start, end)
            and (not required or any(span.start <= start and end <= span.end for span in required))
        ):
            slot = Slot(start, end, _pieces(start, end, facts.zone))
            if all(_obeys(slot, rule) for rule in rules):
                yield slot


def room_choices(facts: Facts) -> Iterator[tuple[str | None, Blocked | None]]:
    """The suitable rooms with their bookings, preferred room first; a single (None, None) if no room is needed."""
    if facts.rooms is None:
        yield None, None
        return
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, RoomPause)), default=0)

    def rank(room: Room) -> tuple[int | str, ...]:
        values: dict[str, int | str] = {
            "capacity": room.capacity,
            "-capacity": -room.capacity,
            "floor": room.floor,
            "-floor": -room.floor,
            "name": room.name,
        }
        return (*(values[key] for key in facts.request.room_order), room.room_id)

    for room in sorted(suitable_rooms(facts), key=rank):
        yield room.room_id, Blocked(facts.bookings.get(room.room_id, ()), margin)


def spans_of_window(facts: Facts) -> Iterator[tuple[int, int]]:
    """Starts and ends on the grid within the days of the window, by start; its daily hours are not checked here."""
    request = facts.request
    assert request.window is not None
    assert request.length is not None
    days = request.window.days
    begin = minutes(instant(Moment(days.first, 0), facts.zone))
    end = minutes(instant(Moment(days.last, MINUTES_PER_DAY), facts.zone))
    for start in _grid(begin, end - request.length, facts):
        yield start, start + request.length


def _grid(first: int, last: int, facts: Facts) -> Iterator[int]:
    """The instants from first to last whose wall clock shows a quarter of an hour, or another step.

    If the window has daily hours, starts outside them are skipped to save time.
    """
    window, step = facts.request.window, facts.step
    low, high = (0, MINUTES_PER_DAY) if window is None or window.hours is None else window.hours
    for start in range(first + -first % step, last + 1, step):  # offsets from UTC are multiples of a quarter of an hour
        local = _local(start, facts.zone)
        if local.minute % step == 0 and low <= local.hour * 60 + local.minute < high:
            yield start


def _pieces(start: int, end: int, zone: tzinfo) -> tuple[Piece, ...]:
    """A slot split at local midnights and at clock changes."""
    first, last = _local(start, zone), _local(end - 1, zone)
    low, high = _minute(first), _minute(last) + 1
    if first.date() == last.date() and high - low == end - start and first.utcoffset() == last.utcoffset():
        return (Piece(first.date(), low, high),)
    pieces: list[Piece] = []
    for number in range(start, end):
        local = _local(number, zone)
        minute = _minute(local)
        if pieces and pieces[-1].day == local.date() and pieces[-1].end == minute:
            pieces[-1] = pieces[-1]._replace(end=minute + 1)
        else:
            pieces.append(Piece(local.date(), minute, minute + 1))
    return tuple(pieces)


def _inside(pieces: Iterable[Piece], hours: Hours, weekdays: frozenset[int]) -> bool:
    pieces = tuple(pieces)
    return len({piece.day for piece in pieces}) == 1 and all(
        piece.day.weekday() in weekdays and hours.start <= piece.start and piece.end <= hours.end for piece in pieces
    )


def _obeys(slot: Slot, rule: InsideHours | OutsideHours) -> bool:
    if isinstance(rule, InsideHours):
        return _inside(slot.pieces, rule.hours, rule.weekdays)
    return not any(
        piece.day.weekday() in rule.weekdays and piece.start < rule.hours.end and rule.hours.start < piece.end
        for piece in slot.pieces
    )


def _busy(span: Span, zone: tzinfo) -> Busy:
    return Busy(minutes(instant(span.start, zone)), minutes(instant(span.end, zone)), "")


def _option(slot: Slot, room_id: str | None, zone: tzinfo) -> Option:
    return Option(_local(slot.start, zone), _local(slot.end, zone), room_id)


def _local(moment: int, zone: tzinfo) -> datetime:
    return datetime.fromtimestamp(moment * 60, zone)


def _minute(local: datetime) -> int:
    return local.hour * 60 + local.minute

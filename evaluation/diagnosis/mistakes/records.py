"""Changes of single records: events and bookings that were overlooked or read with another time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground, part
from mpcbench.evaluation.diagnosis.choices import Spans
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Buffer, Busy
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_HOUR: Final = 60
_SHIFTS: Final = tuple(
    sign * minutes
    for minutes in (30, _HOUR, 2 * _HOUR, 12 * _HOUR, MINUTES_PER_DAY, 7 * MINUTES_PER_DAY)
    for sign in (1, -1)
)
_HOURS_OFF: Final = tuple(hours for hours in range(-12, 13) if hours)
SHIFTS: Final = len(_SHIFTS)
"""In how many ways an event is taken for earlier or later."""

HOURS_OFF: Final = len(_HOURS_OFF)
_FEWEST_SWAPPED: Final = 2
"""Candidates in the way of bookings from which on those of two rooms may have been mixed up."""

_FEW_IN_SEVERAL: Final = 3
"""Events of several calendars that may have been overlooked one by one; more have something in common."""

Make = Callable[[], int]


def overlooked(fit: Fit) -> Iterator[Change]:
    """Of each calendar, the events in the way of the answer; of each room, its bookings; those of several."""
    events = {person: hit for person in fit.frame.persons if (hit := _in_the_way(fit, person))}
    bookings = _bookings_in_the_way(fit)
    for hits, change in ((events, _overlooked), (bookings, _overlooked_bookings)):
        for owner, hit in hits.items():
            yield change(fit.frame, {owner: hit}, Ground.RECORD)
        if len(hits) > 1:
            are_few = sum(map(len, hits.values())) <= _FEW_IN_SEVERAL
            yield change(fit.frame, hits, Ground.PRACTICE if are_few else Ground.CONVENTION)
    if fit.frame.buffer and events and not any(_in_the_way(fit, person, 0) for person in events):
        yield _too_near(fit.frame, events)


def misread(fit: Fit) -> Iterator[Change]:
    """Events and bookings in the way of the answer, read with another time."""
    if fit.needs:
        yield from _misread_events(fit)
    yield from _misread_booking(fit)
    yield from _swapped_bookings(fit)


def coincidences(fit: Fit) -> Iterator[Change]:
    """Misread events that are not in the way of the answer, and calendars some hours off."""
    if not fit.needs:
        yield from _misread_events(fit)
    yield from _clocks(fit)


def spans(fit: Fit) -> list[Interval]:
    """The slots of the answer."""
    begin, lasts = fit.frame.origin, fit.frame.duration
    return [Interval(begin + start, begin + start + lasts) for start in dict.fromkeys(start for start, _ in fit.pairs)]


# Events.


def _in_the_way(fit: Fit, person: str, margin: int | None = None) -> Spans:
    """A person's events that the answer overlaps, or comes closer to than the buffer or another margin allows."""
    near = [span.widened(fit.frame.buffer if margin is None else margin) for span in spans(fit)]
    return tuple(fit.frame.overlapped(f"calendar:{person}", near))


def _overlooked(frame: Frame, hits: Mapping[str, Spans], ground: Ground) -> Change:
    facts = [Fact(f"calendar:{person}", holds={"events": list(hit)}) for person, hit in hits.items()]
    masks: dict[str, Make] = {}
    for person, hit in hits.items():
        masks |= _masks(frame, person, partial(frame.painted, _others(frame, person, hit)))
    return Change(part(Reason.RECORD_OVERLOOKED, "event", *facts, ground=ground), masks=masks, widens=True)


def _too_near(frame: Frame, hits: Mapping[str, Spans]) -> Change:
    """Events that the answer keeps clear of, but not by the whole buffer: no buffer kept around these."""
    constraint = next(one for one, _ in frame.keys if isinstance(one.rule, Buffer) and one.rule.minutes == frame.buffer)
    facts = [
        Fact(
            constraint.records[0], constraint.rule, {"no_buffer_around": [one for hit in hits.values() for one in hit]}
        ),
        *(Fact(f"calendar:{person}", holds={"events": list(hit)}) for person, hit in hits.items()),
    ]
    masks: dict[str, Make] = {}
    for person, hit in hits.items():
        masks |= _masks(frame, person, partial(frame.painted, _others(frame, person, hit)))
    mistake = part(Reason.VALUE_WRONG, "buffer_min", *facts, ground=Ground.PROSE)
    busy = {keys[0] for one, keys in frame.keys if isinstance(one.rule, Busy)}
    return Change(mistake, masks={key: make for key, make in masks.items() if key not in busy}, widens=True)


def _others(frame: Frame, person: str, some: Spans) -> list[Interval]:
    return [event for event in frame.events(f"calendar:{person}") if event not in some]


def _masks(frame: Frame, person: str, paint: Make) -> dict[str, Make]:
    """Makers of the masks of a person's events and of the buffers around them; `paint` paints the events."""
    taken = cache(paint)
    found: dict[str, Make] = {}
    for constraint, keys in frame.keys:
        match constraint.rule:
            case Busy(person_id=owner) if owner == person:
                found[keys[0]] = lambda: frame.clear(taken())
            case Buffer(minutes=minutes):
                for key in keys:
                    if key.partition(":")[2] == person:
                        found[key] = partial(lambda minutes: frame.clear(taken(), minutes, minutes), minutes)
    return found


def _misread_events(fit: Fit) -> Iterator[Change]:
    """One event read as earlier or later; it must be in the way of the answer, or else of what the answer lacks."""
    frame = fit.frame
    broken = {person: hit for person in frame.persons if (hit := _in_the_way(fit, person))}
    if len(broken) > 1 or any(len(hit) > 1 for hit in broken.values()):
        return
    ground = Ground.PRACTICE if broken else Ground.COINCIDENCE
    for person in broken or frame.persons:
        record = f"calendar:{person}"
        events = frame.events(record)
        for event in broken.get(person, events):
            for used in _read_as(fit, event) if broken else _into(fit, event):
                fact = Fact(record, holds={"event": event}, used={"event": used})
                others = [one for one in events if one != event]
                yield Change(
                    part(Reason.RECORD_MISREAD, "event", fact, ground=ground),
                    masks=_masks(frame, person, partial(frame.painted, [*others, used])),
                )


def _read_as(fit: Fit, event: Interval) -> Iterator[Interval]:
    """Other times for an event in the way of the answer: shifted, or cut where the answer begins or ends."""
    slots = spans(fit)
    for shift in _SHIFTS:
        used = _moved(event, shift)
        if not any(used.overlaps(slot) for slot in slots):
            yield used
    first, last = min(slot.start for slot in slots if slot.overlaps(event.widened(fit.frame.buffer))), 0
    last = max(slot.end for slot in slots if slot.overlaps(event.widened(fit.frame.buffer)))
    if event.start < first - fit.frame.buffer < event.end:
        yield Interval(event.start, first - fit.frame.buffer)
    if event.start < last + fit.frame.buffer < event.end:
        yield Interval(last + fit.frame.buffer, event.end)


def _into(fit: Fit, event: Interval) -> Iterator[Interval]:
    """The shifts of an event that bring it into the way of all slots that the answer lacks."""
    frame, lacking = fit.frame, _lacking(fit)
    if not lacking:
        return
    # It overlaps them all if it begins before the first ends and ends after the last begins.
    low, high = frame.origin + max(lacking), frame.origin + min(lacking) + frame.duration
    for shift in _SHIFTS:
        if event.start + shift < high + frame.buffer and low - frame.buffer < event.end + shift:
            yield _moved(event, shift)


def _lacking(fit: Fit) -> list[int]:
    return sorted({start for start, _ in fit.frame.gold} - {start for start, _ in fit.pairs})


def _clocks(fit: Fit) -> Iterator[Change]:
    """All events of one calendar some hours off, clear of the answer."""
    frame, slots = fit.frame, [span.widened(fit.frame.buffer) for span in spans(fit)]
    for person in frame.persons:
        painted = frame.taken(f"calendar:{person}")
        for minutes in (hours * _HOUR for hours in _HOURS_OFF):
            if any(frame.overlapped(f"calendar:{person}", [_moved(slot, -minutes)]) for slot in slots):
                continue
            fact = Fact(f"calendar:{person}", {"zone": str(frame.bare.zone)}, {"hours_late": minutes // _HOUR})
            yield Change(
                part(Reason.VALUE_WRONG, "clock", fact, ground=Ground.COINCIDENCE),
                masks=_masks(frame, person, partial(shifted, painted, minutes)),
            )


def shifted(painted: int, minutes: int) -> int:
    """Painted events some minutes later; what a frame knows around its window is more than enough."""
    return painted << minutes if minutes > 0 else painted >> -minutes


def _moved(span: Interval, minutes: int) -> Interval:
    return Interval(span.start + minutes, span.end + minutes)


def merged(frame: Frame) -> Change:
    """Overlapping events merged so that the later one's end counts."""
    everyone = sorted(event for person in frame.persons for event in frame.events(f"calendar:{person}"))
    joined = _badly_merged(everyone)
    masks: dict[str, Make] = {}
    for person in frame.persons:
        masks |= _masks(frame, person, partial(frame.painted, joined))
    facts = [Fact(f"calendar:{person}", "the later end", "the end of the later event") for person in frame.persons]
    return Change(part(Reason.RECORD_MISREAD, "overlap", *facts, ground=Ground.PRACTICE), masks=masks, widens=True)


def _badly_merged(events: Iterable[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for event in events:
        if merged and event.start <= merged[-1].end:
            merged[-1] = Interval(merged[-1].start, event.end)
        else:
            merged.append(event)
    return merged


# Bookings.


def _bookings_in_the_way(fit: Fit) -> Mapping[str, Spans]:
    frame, query = fit.frame, fit.frame.choices.rooms
    if query is None:
        return {}
    hits: dict[str, Spans] = {}
    for room in dict.fromkeys(room for _, room in fit.pairs):
        if frame.room(room) is not None and room is not None:
            begin = frame.origin
            slots = [
                Interval(begin + start, begin + start + frame.duration).widened(query.margin)
                for start, own in fit.pairs
                if own == room
            ]
            hit = tuple(frame.overlapped(f"room_calendar:{room}", slots))
            if hit:
                hits[room] = hit
    return hits


def _misread_booking(fit: Fit) -> Iterator[Change]:
    """The only booking in the way of the answer read as earlier or later."""
    frame, hits = fit.frame, _bookings_in_the_way(fit)
    found = [(room, booking) for room, hit in hits.items() for booking in hit]
    if len(found) != 1:
        return
    ((room, booking),) = found
    others = [one for one in frame.events(f"room_calendar:{room}") if one != booking]
    for shift in _SHIFTS:
        used = _moved(booking, shift)
        fact = Fact(f"room_calendar:{room}", holds={"booking": booking}, used={"booking": used})
        yield Change(
            part(Reason.RECORD_MISREAD, "booking", fact, ground=Ground.PRACTICE),
            fields={"misread": ((room, (*others, used)),)},
        )


def _swapped_bookings(fit: Fit) -> Iterator[Change]:
    """The bookings of a room that the answer overlaps taken for those of another room, and the other way round."""
    frame, query = fit.frame, fit.frame.choices.rooms
    if query is None:
        return
    blocked = [
        room
        for start, room in fit.pairs
        if room is not None and frame.room(room) is not None and not frame.room_free(room, query) >> start & 1
    ]
    if len(blocked) < _FEWEST_SWAPPED:
        return
    rooms = sorted(room for room, _ in frame.rooms(frame.choices) if room is not None)
    for room in _bookings_in_the_way(fit):
        for other in rooms:
            if other != room:
                record, others = (f"room_calendar:{one}" for one in (room, other))
                fact = Fact(record, holds={"bookings_of": room}, used={"bookings_of": other})
                yield Change(
                    part(Reason.RECORD_MISREAD, "booking", fact, ground=Ground.PRACTICE),
                    fields={"misread": ((room, frame.events(others)), (other, frame.events(record)))},
                )


def _overlooked_bookings(frame: Frame, hits: Mapping[str, Spans], ground: Ground) -> Change:
    facts = [Fact(f"room_calendar:{room}", holds={"bookings": list(hit)}) for room, hit in hits.items()]
    left = tuple(
        (room, tuple(one for one in frame.events(f"room_calendar:{room}") if one not in hit))
        for room, hit in hits.items()
    )
    return Change(part(Reason.RECORD_OVERLOOKED, "booking", *facts, ground=ground), fields={"misread": left})

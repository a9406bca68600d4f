"""All events or bookings read with the same mistake: rounded, longer, shorter, shifted, or compared at their edges only."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground, part
from mpcbench.evaluation.diagnosis.choices import Blur
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Buffer, Busy
from mpcbench.schema.cause import Reason

_STEPS: Final = (15, 30, 60)
_REACH: Final = max(_STEPS) + 1

Make = Callable[[], int]


_BLURS: Final = (
    *(Blur(f"widened to multiples of {step} minutes", 0, 0, step) for step in _STEPS),
    *(Blur(f"narrowed to multiples of {step} minutes", 0, 0, step, outwards=False) for step in _STEPS),
    *(Blur(f"starts {shift:+} minutes", shift, 0) for step in _STEPS for shift in (-step, step)),
    *(Blur(f"ends {shift:+} minutes", 0, shift) for step in _STEPS for shift in (-step, step)),
    *(Blur(f"{shift:+} minutes", shift, shift) for step in _STEPS for shift in (-step, step)),
)


def blurred(frame: Frame) -> Iterator[Change]:
    """Every event, or every booking, read with one of a few mistakes; events compared at their edges."""
    for blur in _BLURS:
        yield _events(frame, blur)
        if frame.choices.rooms is not None and frame.choices.rooms.booked:
            yield _bookings(frame, blur)
    yield _at_edges(frame, starts=True)
    yield _at_edges(frame, starts=False)


def _events(frame: Frame, blur: Blur) -> Change:
    facts = [Fact(f"calendar:{person}", {"events": "as shown"}, {"events": blur.used}) for person in frame.persons]

    def apart(person: str, margin: int) -> int:
        return frame.clear(frame.blurred(f"calendar:{person}", blur), margin, margin)

    def free(start: int) -> bool:
        slot = Interval(frame.origin + start, frame.origin + start + frame.duration).widened(frame.buffer)
        near = (frame.overlapped(f"calendar:{person}", [slot.widened(_REACH)]) for person in frame.persons)
        return not any(event.overlaps(slot) for events in near for event in blur.of(events))

    mistake = part(Reason.RECORD_MISREAD, "event", *facts, ground=Ground.NOTHING)
    return Change(mistake, masks=_masks(frame, apart), free=free)


def _bookings(frame: Frame, blur: Blur) -> Change:
    rooms = [room for room, _ in frame.rooms(frame.choices) if room is not None]
    facts = [Fact(f"room_calendar:{room}", {"bookings": "as shown"}, {"bookings": blur.used}) for room in rooms]
    return Change(part(Reason.RECORD_MISREAD, "booking", *facts, ground=Ground.NOTHING), fields={"blur": blur})


def _at_edges(frame: Frame, *, starts: bool) -> Change:
    """Candidates of which only the end, or the start and the end, is free; an event in between is not noticed."""
    used = "only the start and the end are free" if starts else "only the end is free"
    facts = [Fact(f"calendar:{person}", "no overlap", used) for person in frame.persons]

    def apart(person: str, margin: int) -> int:
        free = frame.clear(frame.taken(f"calendar:{person}"), 0, margin, lasts=1)
        at_end = free >> (frame.duration - 1)
        return at_end & frame.clear(frame.taken(f"calendar:{person}"), margin, 0, lasts=1) if starts else at_end

    mistake = part(Reason.RECORD_OVERLOOKED, "event", *facts, ground=Ground.PRACTICE)
    return Change(mistake, masks=_masks(frame, apart), widens=True)


def _masks(frame: Frame, apart: Callable[[str, int], int]) -> dict[str, Make]:
    """Makers of the masks of all events and of the buffers around them."""
    found: dict[str, Make] = {}
    for constraint, keys in frame.keys:
        match constraint.rule:
            case Busy(person_id=person):
                found[keys[0]] = partial(apart, person, 0)
            case Buffer(minutes=minutes):
                for key, person in zip(keys, frame.persons, strict=True):
                    found[key] = partial(apart, person, minutes)
    return found

"""Conditions kept by the start of a candidate, but not by its end: one of them, those of events, or all."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.problem import Buffer, Busy, EndsBy, Inside, InsideHours, Outside, OutsideHours, Rule
from mpcbench.schema import Window
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_EVERY_DAY: Final = tuple(range(7))
_USED: Final = "only the start compared"

Make = Callable[[], int]


def starts_only(frame: Frame) -> Iterator[Change]:
    """Only the starts of candidates compared: with one condition, with the events, and with everything."""
    for kind, key, rule, records in _rules(frame):
        mask = _by_start(frame, rule, 1)
        if mask is not None:
            yield _compared(kind, [Fact(record, rule, _USED) for record in records], {key: mask})
    calendars = [Fact(f"calendar:{person}", "no overlap", "only the start is free") for person in frame.persons]
    yield _compared("busy", calendars, _events(frame, 1), Ground.CONVENTION)
    if frame.choices.rooms is not None and frame.choices.rooms.booked:
        rooms = [room for room, _ in frame.rooms(frame.choices)]
        bookings = [Fact(f"room_calendar:{room}", "no overlap", "only the start is free") for room in rooms]
        yield _compared("bookings", bookings, {}, fields={"lasts": 1})
    for lasts in (1, GRID_MINUTES):
        masks = {key: mask for _, key, rule, _ in _rules(frame) if (mask := _by_start(frame, rule, lasts)) is not None}
        fields = {} if frame.choices.rooms is None else {"lasts": lasts}
        if masks or fields:
            fact = Fact(TASK, "the whole option", _USED)
            yield _compared("everything", [fact], _events(frame, lasts) | masks, Ground.NOTHING, fields)


def _rules(frame: Frame) -> Iterator[tuple[str, str, Rule, Iterable[str]]]:
    """The kind, key, rule and records of every condition but those on events."""
    for constraint, keys in frame.keys:
        yield constraint.kind, keys[0], constraint.rule, constraint.records
    if frame.problem.daily is not None:
        yield (
            "daily_hours",
            "daily_hours",
            InsideHours(*frame.problem.daily, _EVERY_DAY),
            [frame.provenance.last(Window)[0]],
        )


def _compared(
    kind: str,
    facts: list[Fact],
    masks: Mapping[str, Make],
    ground: Ground = Ground.PRACTICE,
    fields: Mapping[str, object] | None = None,
) -> Change:
    mistake = part(Reason.STARTS_ONLY, kind, *facts, ground=ground)
    return Change(mistake, masks=masks, fields=fields or {}, widens=True)


def _by_start(frame: Frame, rule: Rule, lasts: int) -> Make | None:
    """The mask of a rule that only the first minutes of a candidate have to obey; None for other rules."""
    unseen = frame.duration - lasts
    match rule:
        case InsideHours(start=start, end=end, days=days):
            return partial(frame.mask, InsideHours(start, min(MINUTES_PER_DAY, end + unseen), days))
        case Inside(spans=spans):
            return partial(frame.mask, Inside(tuple(Interval(one.start, one.end + unseen) for one in spans)))
        case OutsideHours(start=start, end=end, days=days):
            return partial(frame.instants_outside, start, end, days)
        case Outside(span=span):
            return lambda: frame.clear(frame.painted([span]), lasts=lasts)
        case EndsBy(instant=instant):
            return partial(frame.mask, EndsBy(instant + unseen))
    return None


def _events(frame: Frame, lasts: int) -> dict[str, Make]:
    """The masks of the events and of the buffers around them, by the first minutes of candidates."""
    found: dict[str, Make] = {}
    for constraint, keys in frame.keys:
        match constraint.rule:
            case Busy(person_id=person):
                found[keys[0]] = partial(_apart, frame, person, 0, lasts)
            case Buffer(minutes=minutes):
                for key, person in zip(keys, frame.persons, strict=True):
                    found[key] = partial(_apart, frame, person, minutes, lasts)
    return found


def _apart(frame: Frame, person: str, margin: int, lasts: int) -> int:
    return frame.clear(frame.taken(f"calendar:{person}"), margin, margin, lasts)

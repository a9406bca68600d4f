"""Changes that count touching as overlap: with events, blocked times, blocked hours and bookings."""

from collections.abc import Callable, Collection, Iterator
from functools import partial

from mpcbench.evaluation.diagnosis.change import Change, Ground, part_by
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot, Stakes
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.problem import Outside, OutsideHours
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

Make = Callable[[], int]


def touching(frame: Frame) -> Iterator[Change]:
    """Touching events; with blocked times; with blocked hours as well. Each again with bookings, and bookings alone."""
    wide = frame.buffer + 1
    events: dict[str, Make] = {"touching": lambda: frame.clear(frame.all_taken, wide, wide)}
    spans = [item.rule.span for item, _ in frame.keys if isinstance(item.rule, Outside)]
    banned: dict[str, Make] = {"touching:bans": lambda: frame.clear(frame.painted(spans), 1, 1)} if spans else {}
    clock: dict[str, Make] = {
        f"touching:{number}": partial(frame.mask, _wider(item.rule))
        for number, (item, _) in enumerate(frame.keys)
        if isinstance(item.rule, OutsideHours)
    }
    query = frame.choices.rooms
    stages = [events, *([events | banned] if banned else ()), *([events | banned | clock] if clock else ())]
    for masks in stages:
        yield _touching(frame, masks, {})
    if query is not None:
        margin: dict[str, object] = {"margin": query.margin + 1}
        for masks in (*stages, {}):
            yield _touching(frame, masks, margin)


def _wider(rule: OutsideHours) -> OutsideHours:
    return OutsideHours(max(0, rule.start - 1), min(MINUTES_PER_DAY, rule.end + 1), rule.days)


def _touching(frame: Frame, masks: dict[str, Make], fields: dict[str, object]) -> Change:
    def facts(stakes: Stakes) -> Iterator[Fact]:
        found: dict[str, list[object]] = {}
        for slot in stakes.missed:
            for record, event in _at_edges(frame, slot, masks.keys(), rooms=bool(fields)):
                events = found.setdefault(record, [])
                events += [event] if event not in events else []
        yield from (Fact(record, {"free_at_the_edge_of": events}, "as overlaps") for record, events in found.items())

    return Change(part_by(Reason.VALUE_WRONG, "touching", facts, ground=Ground.PRACTICE), masks=masks, fields=fields)


def _at_edges(frame: Frame, slot: Slot, keys: Collection[str], *, rooms: bool) -> Iterator[tuple[str, object]]:
    """What a candidate merely touches, with its record; only the kinds that the mask keys name."""

    def near(record: str, margin: int) -> Iterator[tuple[str, object]]:
        yield from ((record, event) for event in frame.overlapped(record, [slot.span.widened(margin + 1)]))

    query = frame.choices.rooms
    if "touching" in keys:
        for person in frame.persons:
            yield from near(f"calendar:{person}", frame.buffer)
    for number, (constraint, _) in enumerate(frame.keys):
        match constraint.rule:
            case Outside(span=span) if "touching:bans" in keys and span.widened(1).overlaps(slot.span):
                yield from ((record, span) for record in constraint.records)
            case OutsideHours() as rule if f"touching:{number}" in keys:
                if not frame.mask(_wider(rule)) >> (slot.start - frame.origin) & 1:
                    yield from ((record, rule) for record in constraint.records)
    if rooms and query is not None and slot.room_id is not None:
        yield from near(f"room_calendar:{slot.room_id}", query.margin)

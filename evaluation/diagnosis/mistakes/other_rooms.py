"""Other requirements for the room: seats, site, turnaround, and other keys for ranking rooms."""

from collections.abc import Iterator
from functools import partial

from mpcbench.evaluation.diagnosis.change import Change, Ground, part
from mpcbench.evaluation.diagnosis.choices import RoomQuery
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.habits import tie_break
from mpcbench.evaluation.diagnosis.mistakes.prose import sentences
from mpcbench.oracle.problem import Turnaround
from mpcbench.schema import Equipment, Guests, Site, TieBreakKey
from mpcbench.schema.cause import Reason

_MINUTES = (5, 10, 15, 20, 25, 30, 40, 45, 60)


def other_rooms(frame: Frame) -> Iterator[Change]:
    """Other keys, seats for the guests alone or for one person more or less, other sites, turnarounds and buildings."""
    query, search = frame.choices.rooms, frame.problem.rooms
    if query is None or search is None:
        return

    for key in TieBreakKey:
        if frame.choices.tie_break != (key,):
            yield tie_break(frame, (key,), ground=Ground.CONVENTION)
    yield tie_break(frame, frame.choices.tie_break, ground=Ground.CONVENTION, ids_descending=True)
    yield from _equipment(frame, query)
    people = len(frame.problem.participants)
    record, _ = frame.provenance.last(Guests)
    for seats, ground in (
        (query.seats - people, Ground.CONVENTION),
        *((query.seats + n, Ground.NOTHING) for n in (-1, 1)),
    ):
        if seats > 0:
            fact = Fact(record, {"seats_needed": query.seats}, {"seats_needed": seats})
            yield _altered("capacity", fact, ground, seats=seats)
    record, _ = frame.provenance.last(Site)
    for site in sorted({room.site for room in search.rooms} - {query.site}):
        yield _altered("site", Fact(record, {"site": query.site}, {"site": site}), site=site)
    for turnaround in search.turnarounds:
        yield from _turnarounds(frame, turnaround, query.margin)


def _equipment(frame: Frame, query: RoomQuery) -> Iterator[Change]:
    """Any of the equipment asked for, or one item in place of another, or where that is missing."""
    if not query.equipment:
        return
    record, _ = frame.provenance.last(Equipment)
    holds = {"items": query.equipment}
    if len(query.equipment) > 1:
        used = Fact(record, holds, {"any_of": query.equipment})
        yield _altered("equipment", used, Ground.CONVENTION, equipment=query.equipment, any_item=True)
    known = {item for room in frame.problem.rooms.rooms for item in room.equipment} if frame.problem.rooms else set()
    for item in sorted(query.equipment):
        for other in sorted(known - query.equipment):
            asked = query.equipment - {item} | {other}
            yield _altered("equipment", Fact(record, holds, {"items": asked}), equipment=asked)
            alike = Fact(record, holds, {"items": query.equipment, "or": other})
            yield _altered("equipment", alike, equipment=query.equipment, alike=(item, other))


def _turnarounds(frame: Frame, turnaround: Turnaround, margin: int) -> Iterator[Change]:
    """A turnaround of other minutes, or kept on one side only."""
    section = frame.world.policy_by_id[turnaround.record.partition(":")[2]]
    said = {number for one in sentences(section.text) for number in one.numbers}
    for other in sorted(said | {*_MINUTES} - {margin}):
        fact = Fact(turnaround.record, {"minutes": margin}, {"minutes": other})
        yield _altered("room_turnaround", fact, Ground.PROSE if other in said else Ground.NOTHING, margin=other)
    for reason, detail, used, fields in (
        (Reason.CONSTRAINT_OMITTED, "room_turnaround", "around events instead", {"margin": 0}),
        (Reason.CONSTRAINT_ADDED, "buffer", "around events, too", {}),
    ):
        fact = Fact(turnaround.record, {"minutes": margin}, {"minutes": margin, "kept": used})
        yield Change(
            part(reason, detail, fact, ground=Ground.CONVENTION),
            masks={turnaround.record: partial(_around_events, frame, margin)},
            fields=fields,
        )
    for side, kept in (("before", (True, False)), ("after", (False, True))):
        fact = Fact(turnaround.record, {"minutes": margin}, {"minutes": margin, "only": side})
        yield _altered("room_turnaround", fact, Ground.RECORD, sides=kept)


def _around_events(frame: Frame, minutes: int) -> int:
    return frame.clear(frame.all_taken, minutes, minutes)


def more_seats(frame: Frame) -> Iterator[Change]:
    """As many seats as some larger room has."""
    query, search = frame.choices.rooms, frame.problem.rooms
    if query is None or search is None:
        return
    record, _ = frame.provenance.last(Guests)
    for seats in sorted({room.capacity for room in search.rooms if room.capacity > query.seats}):
        fact = Fact(record, {"seats_needed": query.seats}, {"seats_needed": seats})
        yield _altered("capacity", fact, seats=seats)


def _altered(kind: str, fact: Fact, ground: Ground = Ground.NOTHING, **fields: object) -> Change:
    return Change(part(Reason.VALUE_WRONG, kind, fact, ground=ground), fields=fields)

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
from mpcbench.schema import AddParticipant, Equipment, Guests, RemoveParticipant, Site, TieBreakKey
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
    yield from _seats(frame, query)
    record, _ = frame.provenance.last(Site)
    for site in sorted({room.site for room in search.rooms} - {query.site}):
        fact = Fact(record, None if query.site is None else {"site": query.site}, {"site": site})
        reason = Reason.CONSTRAINT_ADDED if query.site is None else Reason.VALUE_WRONG
        yield Change(part(reason, "site", fact, ground=Ground.NOTHING), fields={"site": site})
    for turnaround in search.turnarounds:
        yield from _turnarounds(frame, turnaround, query.margin)


def _seats(frame: Frame, query: RoomQuery) -> Iterator[Change]:
    """Seats for the guests alone, for the first list of participants, or for one person more or less."""
    people, provenance = frame.problem.participants, frame.provenance
    joined = {said.statement.person_id: said.record for said in provenance.every(AddParticipant)}
    left = {said.statement.person_id: said.record for said in provenance.every(RemoveParticipant)}
    joined = {person: record for person, record in joined.items() if person in people}
    left = {person: record for person, record in left.items() if person not in people}
    guests, _ = provenance.last(Guests)
    for seats, ground, records in (  # one person less may be one of the guests as well
        (query.seats - len(people), Ground.CONVENTION, [guests]),
        (query.seats - len(joined), Ground.RECORD, [*joined.values(), *([guests] if len(joined) == 1 else ())]),
        (query.seats + len(left), Ground.RECORD, left.values()),
        (query.seats - len(joined) + len(left), Ground.RECORD, [*joined.values(), *left.values()]),
        *((query.seats + n, Ground.NOTHING, [guests]) for n in (-1, 1)),
    ):
        if 0 < seats != query.seats:
            said = [Fact(one, {"seats_needed": query.seats}, {"seats_needed": seats}) for one in dict.fromkeys(records)]
            yield _altered("capacity", *said, ground=ground, seats=seats)


def _equipment(frame: Frame, query: RoomQuery) -> Iterator[Change]:
    """Any of the equipment asked for, or one item in place of another, or where that is missing."""
    if not query.equipment:
        return
    record, _ = frame.provenance.last(Equipment)
    holds = {"items": query.equipment}
    if len(query.equipment) > 1:
        used = Fact(record, holds, {"any_of": query.equipment})
        yield _altered("equipment", used, ground=Ground.CONVENTION, equipment=query.equipment, any_item=True)
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
        ground = Ground.PROSE if other in said else Ground.NOTHING
        yield _altered("room_turnaround", fact, ground=ground, margin=other)
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
        yield _altered("room_turnaround", fact, ground=Ground.RECORD, sides=kept)


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


def _altered(kind: str, *facts: Fact, ground: Ground = Ground.NOTHING, **fields: object) -> Change:
    return Change(part(Reason.VALUE_WRONG, kind, *facts, ground=ground), fields=fields)

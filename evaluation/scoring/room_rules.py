"""Which conditions on the room a proposal breaks: its metadata, its bookings and the turnaround between them."""

from collections.abc import Iterator
from datetime import timedelta

from mpcbench.evaluation.scoring.answer import room_key
from mpcbench.evaluation.scoring.resolved import BrokenConstraint, ResolvedInstance, duration, minutes_covered
from mpcbench.evaluation.scoring.score import Proposal
from mpcbench.oracle.problem import RoomOption, RoomSearch
from mpcbench.schema import AddParticipant, Equipment, Guests, Participants, RemoveParticipant, Site
from mpcbench.schema.untrusted_text import shortened, well_formed


def broken_by_room(case: ResolvedInstance, proposal: Proposal) -> Iterator[BrokenConstraint]:
    """Every condition on the room that the proposal breaks; its bookings are those that the slot meets."""
    search = case.problem.rooms
    if search is None:
        if proposal.room_id is not None:
            room_id = well_formed(proposal.room_id)
            yield BrokenConstraint("room_unknown", "names a room where none is asked for", (), {"room_id": room_id})
        return
    if proposal.room_id is None:
        yield BrokenConstraint("room_missing", "names no room", (), {})
        return
    room = next((room for room in search.rooms if room.room_id == proposal.room_id), None)
    if room is None:
        yield _unknown(search, well_formed(proposal.room_id))
        return
    yield from _unsuitable(case, search, room)
    if search.use_bookings and duration(proposal) > timedelta(0):
        yield from _booked(case, search, room, proposal)


def _unknown(search: RoomSearch, given: str) -> BrokenConstraint:
    namesakes = [room.room_id for room in search.rooms if room_key(room.name) == room_key(given)]
    shown = repr(shortened(given, 60))
    why = (
        f"{shown} is the name of {' and '.join(namesakes)}: the ID is needed"
        if namesakes
        else f"no room has the ID {shown}"
    )
    return BrokenConstraint("room_unknown", why, (), {"room_id": given})


def _unsuitable(case: ResolvedInstance, search: RoomSearch, room: RoomOption) -> Iterator[BrokenConstraint]:
    record = f"room:{room.room_id}"
    if room.capacity < search.seats:
        people = len(case.problem.participants)
        yield BrokenConstraint(
            "capacity",
            f"room {room.name} seats {room.capacity}, fewer than the {people} participants and "
            f"{search.seats - people} guests",
            (record, *case.every_record(Participants, AddParticipant, RemoveParticipant), *case.last_record(Guests)),
            {"capacity": room.capacity, "participants": people, "guests": search.seats - people},
        )
    lacking = sorted(search.equipment - room.equipment)
    if lacking:
        yield BrokenConstraint(
            "equipment",
            f"room {room.name} has no {', no '.join(lacking)}",
            (record, *case.every_record(Equipment)),
            {"lacking": [*lacking]},
        )
    if search.site is not None and room.site != search.site:
        yield BrokenConstraint(
            "site",
            f"room {room.name} is at {room.site}, not at {search.site}",
            (record, *case.last_record(Site)),
            {"site": room.site, "required": search.site},
        )


def _booked(
    case: ResolvedInstance, search: RoomSearch, room: RoomOption, proposal: Proposal
) -> Iterator[BrokenConstraint]:
    zone = case.problem.zone
    span = minutes_covered(proposal)
    record = f"room_calendar:{room.room_id}"
    bookings = case.bookings(room.room_id, room.bookings)
    hit = [booking for booking in bookings if booking.span.overlaps(span)]
    if hit:
        yield BrokenConstraint(
            "bookings",
            f"overlaps {', '.join(booking.text(zone) for booking in hit)}",
            (record,),
            {"bookings": [booking.values(zone) for booking in hit]},
        )
    for turnaround in search.turnarounds:
        near = [booking for booking in bookings if booking.span.widened(turnaround.minutes).overlaps(span)]
        if near:
            nearest = min(near, key=lambda booking: (booking.gap_to(span), booking.span))
            yield BrokenConstraint(
                "room_turnaround",
                f"leaves {nearest.gap_to(span)} minutes to {nearest.text(zone)}, where {turnaround.minutes} "
                "are asked for",
                (turnaround.record, record),
                {"minutes": turnaround.minutes, "gap": nearest.gap_to(span), "booking": nearest.values(zone)},
            )

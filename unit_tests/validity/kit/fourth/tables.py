"""Single slips at the table of rooms: one row is overlooked or misread, where it matters."""

from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo

from mpcbench.benchmark.agents.reference.acquire import acquire, suitable_rooms
from mpcbench.benchmark.agents.reference.desk import Desk, busy_of, day_text
from mpcbench.benchmark.agents.reference.facts import Facts, Request, Room
from mpcbench.benchmark.agents.reference.integrate import choose
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import (
    WITH_ROOMS,
    agent,
    by_lot,
)


def _room_left_out(mind: Mind, facts: Facts) -> Facts:
    right = choose(facts)
    for room in by_lot(mind, suitable_rooms(facts)):
        slipped = replace(facts, rooms=[one for one in facts.rooms or [] if one != room])
        if choose(slipped) != right:
            mind.note(room_left_out=room.room_id)
            return slipped
    return facts


def _one_room_misread(misread: Callable[[Room, Request], Room]) -> Plan:
    def step(mind: Mind, desk: Desk, request: Request, zone: tzinfo) -> Facts:
        facts = acquire(desk, request, zone)
        right, rooms, window = choose(facts), facts.rooms or [], request.window
        assert window is not None
        for room in by_lot(mind, rooms):
            new = misread(room, request)
            wrong = replace(facts, rooms=[new if one == room else one for one in rooms])
            if room not in suitable_rooms(facts) and new in suitable_rooms(wrong):
                first, last = day_text(window.days.first), day_text(window.days.last)
                shown = desk.call_json("get_room_bookings", room_id=room.room_id, start_date=first, end_date=last)
                wrong.bookings = {**facts.bookings, room.room_id: busy_of(shown["bookings"])}
                if choose(wrong) != right:
                    mind.note(room=str(room), taken_for=str(new))
                return wrong
        return facts

    return Plan(acquire=step)


def _more_seats(room: Room, _: Request) -> Room:
    return room._replace(capacity=room.capacity * 10)


def _with_what_is_missing(room: Room, request: Request) -> Room:
    missing = {*request.equipment} - {*room.equipment}
    return room._replace(equipment=(*room.equipment, *missing)) if len(missing) == 1 else room


AGENTS = (
    agent(
        "room-left-out",
        "Does not notice one suitable room in the table",
        Plan(facts=_room_left_out),
        also=("observed.passed_over",),
        why="No reason says that a row of the table was overlooked; that better rooms are passed over is true.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "seats-of-one-room",
        "Reads the seats of one small room with a zero too many",
        _one_room_misread(_more_seats),
        "integration.value_wrong:capacity",
        also=("integration.constraint_omitted:capacity", "observed.condition_broken:capacity"),
        why="The seats of one room were misread; for the answer it is as if the capacity had not been checked.",
        levels=WITH_ROOMS,
        single=True,
    ),
    agent(
        "equipment-of-one-room",
        "Takes one room to have the one piece of equipment that it lacks",
        _one_room_misread(_with_what_is_missing),
        "integration.value_wrong:equipment",
        also=("integration.constraint_omitted:equipment", "observed.condition_broken:equipment"),
        why="The equipment of one room was misread; for the answer it is as if a piece had not been asked for.",
        levels=WITH_ROOMS,
        single=True,
    ),
)

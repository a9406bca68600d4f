"""Where bookings were never read, those that were read say which requirement for the room was misread."""

from collections.abc import Iterator
from dataclasses import replace

from mpcbench.oracle.problem import RoomSearch
from mpcbench.oracle.solve import Choice, gold_choices
from mpcbench.schema import Instance
from mpcbench.schema.episode import ToolCall
from unit_tests.evaluation.diagnosis.planted import alternatives, diagnosed, instances, problem_of, shown


def _suitable(search: RoomSearch, seats: int) -> set[str]:
    return {
        f"room_calendar:{room.room_id}"
        for room in search.rooms
        if room.capacity >= seats and room.equipment >= search.equipment and search.site in (None, room.site)
    }


def _too_many_seats() -> Iterator[tuple[Instance, list[Choice], ToolCall]]:
    """Wrong answers of an agent that wants a few seats too many, and looks up only such rooms."""
    for instance in instances(3, 1):
        problem = problem_of(instance)
        search = problem.rooms
        assert search is not None
        seats = min((room.capacity for room in search.rooms if room.capacity > search.seats + 1), default=0)
        looked_up, needed = _suitable(search, seats), {*shown(instance)}
        choices = gold_choices(replace(problem, rooms=replace(search, seats=seats)))
        if choices and {one for one in needed if one.startswith("room_calendar:")} - looked_up:
            seen = {one for one in needed if not one.startswith("room_calendar:")} | looked_up
            call = ToolCall(turn=1, name="all", arguments={}, result="", is_error=False, records=tuple(sorted(seen)))
            yield instance, choices, call


def test_seats_are_told_by_the_rooms_that_were_looked_up() -> None:
    """Any number of seats that leaves just these rooms is named beside the bookings that were never read."""
    found = [
        alternatives(diagnosed(instance, choices, tool_calls=(call,)).causes)
        for instance, choices, call in _too_many_seats()
    ]
    named = [reasons for reasons in found if {"integration.value_wrong:capacity"} in reasons]

    assert all({"acquisition.record_never_seen:room_calendar"} in reasons for reasons in named)
    assert len(named) > 0.8 * len(found) > 0

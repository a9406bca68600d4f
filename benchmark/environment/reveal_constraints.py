"""A problem as one JSON object that people and models can read, for `--reveal constraints`.

Times are ISO 8601, local to the world's zone, with their offset; every constraint states its demand in words.
"""

from typing import Any

from pydantic import JsonValue

from mpcbench.benchmark.environment.tools.policies import WEEKDAYS
from mpcbench.evaluation.scoring.rule_text import hours_values, rule_values, span_values
from mpcbench.oracle import Constraint, Problem, RoomOption
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Busy, InsideHours, OutsideHours
from mpcbench.schema import World

_DEMANDS = {
    "busy": "no overlap with the person's events",
    "buffer_min": "at least so many minutes between the option and every event of every participant, on both sides",
    "work_hours": "wholly inside start to end of one local day whose weekday is in days",
    "lunch_block": "no overlap with start to end on these days",
    "ban_dow_time": "no overlap with start to end on these days",
    "room_turnaround": "at least so many minutes between the option and every booking of its room, on both sides",
    "deadline": "ends at or before this time",
    "not_before": "starts at or after this time",
    "after_event": "starts at or after this time",
    "ban_window": "no overlap with the span",
    "required_window": "wholly inside one of the spans",
    "bookings": "no overlap with the bookings of the option's room",
}


def constraints_json(problem: Problem, world: World) -> dict[str, Any]:
    """A problem in the world as JSON values: everything that the gold depends on."""
    search = problem.rooms
    window: dict[str, Any] = _span(problem.window, world)
    if problem.daily is not None:
        window["daily_hours"] = hours_values(*problem.daily)
    rules = [{"kind": one.kind, "demands": _DEMANDS[one.kind], **_values(one, world)} for one in problem.constraints]
    found: dict[str, Any] = {
        "time_zone": world.timezone,
        "participants": list(problem.participants),
        "window": window,
        "duration_minutes": problem.duration,
        "option_count": problem.count,
        "ranking": f"{problem.order.value} start first",
        "constraints": rules,
    }
    if search is not None:
        rules += [
            {"kind": "room_turnaround", "demands": _DEMANDS["room_turnaround"], "minutes": turnaround.minutes}
            for turnaround in search.turnarounds
        ]
        rules.append({"kind": "bookings", "demands": _DEMANDS["bookings"]})
        found["tie_break"] = [*(key.value for key in problem.tie_break), "room_id_ascending"]
        found["suitable_rooms"] = [
            {
                "room_id": room.room_id,
                "name": room.name,
                "floor": room.floor,
                "capacity": room.capacity,
                "bookings": [_span(booking, world) for booking in room.bookings],
            }
            for room in suitable_rooms(problem)
        ]
    return found


def suitable_rooms(problem: Problem) -> list[RoomOption]:
    """The rooms whose capacity, equipment and site fit, by room ID, free or not."""
    search = problem.rooms
    rooms = () if search is None else (room for room in search.rooms if search.suits(room))
    return sorted(rooms, key=lambda room: room.room_id)


def _values(constraint: Constraint, world: World) -> dict[str, JsonValue]:
    values = rule_values(constraint.rule, world.zone, "minutes")
    match constraint.rule:
        case Busy(person_id=person_id):
            return {"person": f"{world.person_by_id[person_id].name} ({person_id})", **values}
        case InsideHours(days=days) | OutsideHours(days=days):
            return {**values, "days": [WEEKDAYS[day] for day in days]}
    return values


def _span(span: Interval, world: World) -> dict[str, JsonValue]:
    return span_values(span, world.zone, "minutes")

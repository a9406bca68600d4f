"""An agent that reads nothing but the JSON object of `--reveal constraints`, and computes by trying every option."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
UTC = ZoneInfo("UTC")
MINUTE = timedelta(minutes=1)


def constraints_solver(task: Task, tools: Toolbox, budget: Budget) -> Reply:
    """The answer to a task with its constraints; the rest of the text is not read."""
    assert budget.max_turns > 0
    assert not tools.log
    given = json.loads(task.text[task.text.index("\n{") :])
    return Reply(text=json.dumps({"candidates": solved(given)}))


def solved(given: dict[str, Any]) -> list[dict[str, Any]]:
    """The options in ranking order."""
    zone = ZoneInfo(given["time_zone"])
    slots = [
        slot for slot in _slots(given, zone) if all(_holds(one, slot, given, zone) for one in given["constraints"])
    ]
    if given["ranking"] == "latest start first":
        slots.reverse()
    options: list[dict[str, Any]] = []
    for start, end in slots:
        times = {"start": start.astimezone(zone).isoformat(), "end": end.astimezone(zone).isoformat()}
        options += [times | room for room in _rooms(given, start, end)]
    return options[: given["option_count"]]


def _slots(given: dict[str, Any], zone: ZoneInfo) -> Iterator[tuple[datetime, datetime]]:
    first, last = _span(given["window"])
    length = given["duration_minutes"] * MINUTE
    hours = given["window"].get("daily_hours")
    start = first
    while start + length <= last:
        if start.astimezone(zone).minute % 15 == 0 and (
            hours is None or _inside_hours(start, start + length, hours, zone)
        ):
            yield start, start + length
        start += MINUTE


def _holds(one: dict[str, Any], slot: tuple[datetime, datetime], given: dict[str, Any], zone: ZoneInfo) -> bool:
    start, end = slot
    match one["kind"]:
        case "busy":
            return all(_apart(slot, _span(event)) for event in one["events"])
        case "buffer_min":
            wide = (start - one["minutes"] * MINUTE, end + one["minutes"] * MINUTE)
            events = [event for other in given["constraints"] if other["kind"] == "busy" for event in other["events"]]
            return all(_apart(wide, _span(event)) for event in events)
        case "work_hours":
            return _inside_hours(start, end, one, zone) and DAYS[start.astimezone(zone).weekday()] in one["days"]
        case "lunch_block" | "ban_dow_time":
            steps = (start + minute * MINUTE for minute in range((end - start) // MINUTE))
            return not any(
                one["start"] <= f"{step.astimezone(zone):%H:%M}" < one["end"]
                and DAYS[step.astimezone(zone).weekday()] in one["days"]
                for step in steps
            )
        case "deadline":
            return end <= _moment(one["at"])
        case "not_before" | "after_event":
            return start >= _moment(one["at"])
        case "ban_window":
            return _apart(slot, _span(one))
        case "required_window":
            return any(low <= start and end <= high for low, high in map(_span, one["spans"]))
        case "room_turnaround" | "bookings":
            return True
        case kind:
            raise AssertionError(kind)


def _rooms(given: dict[str, Any], start: datetime, end: datetime) -> Iterator[dict[str, str]]:
    if "suitable_rooms" not in given:
        yield {}
        return
    between = max((one["minutes"] for one in given["constraints"] if one["kind"] == "room_turnaround"), default=0)
    wide = (start - between * MINUTE, end + between * MINUTE)
    rooms = [room for room in given["suitable_rooms"] if all(_apart(wide, _span(one)) for one in room["bookings"])]
    for key in reversed(given["tie_break"]):
        field, _, direction = key.rpartition("_")
        rooms.sort(key=lambda room: room[field], reverse=direction == "descending")
    yield from ({"room_id": room["room_id"]} for room in rooms)


def _inside_hours(start: datetime, end: datetime, hours: dict[str, str], zone: ZoneInfo) -> bool:
    last = (end - MINUTE).astimezone(zone)
    first = start.astimezone(zone)
    return first.date() == last.date() and hours["start"] <= f"{first:%H:%M}" and f"{last:%H:%M}" < hours["end"]


def _apart(slot: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return slot[1] <= other[0] or other[1] <= slot[0]


def _span(value: dict[str, str]) -> tuple[datetime, datetime]:
    return _moment(value["start"]), _moment(value["end"])


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)

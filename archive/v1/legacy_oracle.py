"""The legacy oracle: brute force over every candidate, to be read beside the rules and believed.

Slow and obvious on purpose. It looks at every minute of every candidate and at every event, and shares nothing
with the project: standard library only, plain dicts as `json.loads` gives them for schema version 1.

An instant is a whole number of minutes since 1970-01-01 UTC. All intervals are half-open, [start, end).

    python archive/v1/legacy_oracle.py WORLD.json INSTANCES.jsonl
"""

import hashlib
import json
import sys
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

Record = dict[str, Any]
"""A JSON object of the data files."""

Span = tuple[int, int]
"""Start and end."""

Candidate = tuple[int, int, Record | None]
"""Start, end and, at level 3, the room."""


def label(world: Record, instance: Record) -> Record:
    """The gold, the counts after each stage, the digest and the size of the whole feasible set.

    Raises ValueError where the statements leave no task to solve: the duration, the option count, the window or
    the participants are missing, or a person, policy, thread or event is unknown. An empty feasible set is no
    error: the gold is then shorter than N.
    """
    zone = ZoneInfo(world["timezone"])
    task = read_task(world, instance)
    level = instance["level"]

    # The records that the task names.
    busy = [event for person_id in task["participants"] for event in busy_events(world, person_id)]
    rules = [rule for policy_id in task["policies"] for rule in policy_rules(world, policy_id)]
    earliest_starts = [event_end(world, person_id, event_id) for person_id, event_id in task["after_events"]]

    # What the wall clock shows at every minute of the window.
    window_start = minute(task["window"]["start"])
    window_end = minute(task["window"]["end"])
    clock = {at: datetime.fromtimestamp(at * 60, zone) for at in range(window_start, window_end)}

    # Stage 1: every start on the grid whose candidate lies inside the window and its daily hours.
    generated = []
    for start in range(window_start, window_end):
        end = start + task["duration"]
        on_grid = clock[start].minute in (0, 15, 30, 45)
        if on_grid and end <= window_end:
            times = [clock[at] for at in range(start, end)]
            if inside_daily_hours(task["window"].get("daily"), times):
                generated.append((start, end))

    # Stage 2: nobody is busy.
    free = []
    for start, end in generated:
        if not any(overlap(start, end, busy_start, busy_end) for busy_start, busy_end in busy):
            free.append((start, end))

    # Stage 3: every rule of every policy called for.
    allowed = []
    for start, end in free:
        times = [clock[at] for at in range(start, end)]
        if all(rule_holds(rule, start, end, times, busy) for rule in rules):
            allowed.append((start, end))

    # Stage 4: what people said about the meeting.
    agreed = []
    for start, end in allowed:
        if wishes_hold(task, earliest_starts, start, end):
            agreed.append((start, end))

    # Stage 5: at level 3 a candidate is a slot and a room.
    if level == 3:
        turnarounds = [rule["minutes"] for rule in rules if rule["kind"] == "room_turnaround"]
        rooms = [(room, room_bookings(world, room["room_id"])) for room in world.get("rooms", [])]
        feasible: list[Candidate] = []
        for start, end in agreed:
            for room, bookings in rooms:
                if room_fits(task, room) and room_is_free(start, end, bookings, turnarounds):
                    feasible.append((start, end, room))
    else:
        feasible = [(start, end, None) for start, end in agreed]

    ranked = sorted(feasible, key=lambda candidate: rank(task, candidate))
    gold = []
    for start, end, room in ranked[: task["option_count"]]:
        candidate = {"start": iso(start, zone), "end": iso(end, zone)}
        if room is not None:
            candidate["room_id"] = room["room_id"]
        gold.append(candidate)

    return {
        "gold": gold,
        "counts": {
            "generated": len(generated),
            "calendar": len(free),
            "policy": len(allowed),
            "threads": len(agreed),
            "rooms": len(feasible) if level == 3 else None,
        },
        "digest": digest(feasible),
        "feasible": len(feasible),
    }


# Reading what was said.


def read_task(world: Record, instance: Record) -> Record:
    """All statements about the meeting folded into one task: the task text's first, then the threads' by time."""
    task: Record = {
        "duration": None,
        "option_count": None,
        "window": None,
        "participants": None,
        "guests": 0,
        "deadline": None,
        "not_before": None,
        "ranking": "earliest",
        "tie_break": [],
        "site": None,
        "policies": [],
        "bans": [],
        "required_windows": [],
        "after_events": [],
        "equipment": [],
    }
    for statement in statements(world, instance):
        kind = statement["kind"]
        # Of two statements of the same scalar the later wins.
        if kind == "duration":
            task["duration"] = statement["minutes"]
        elif kind == "option_count":
            task["option_count"] = statement["count"]
        elif kind == "window":
            task["window"] = statement
        elif kind == "guests":
            task["guests"] = statement["count"]
        elif kind == "deadline":
            task["deadline"] = minute(statement["at"])
        elif kind == "not_before":
            task["not_before"] = minute(statement["at"])
        elif kind == "ranking":
            task["ranking"] = statement["order"]
        elif kind == "tie_break":
            task["tie_break"] = statement["keys"]
        elif kind == "site":
            task["site"] = statement["site"]
        # Participants are named, then added and removed in the order of the messages; nobody can be added to or
        # removed from a list that has not been named yet.
        elif kind == "participants":
            task["participants"] = []
            for person_id in statement["person_ids"]:
                if person_id not in task["participants"]:
                    task["participants"].append(person_id)
        elif kind == "add_participant":
            if task["participants"] is not None and statement["person_id"] not in task["participants"]:
                task["participants"].append(statement["person_id"])
        elif kind == "remove_participant":
            if task["participants"] is not None and statement["person_id"] in task["participants"]:
                task["participants"].remove(statement["person_id"])
        # The rest add up.
        elif kind == "call_policy":
            task["policies"].append(statement["policy_id"])
        elif kind == "ban_window":
            task["bans"].append((minute(statement["start"]), minute(statement["end"])))
        elif kind == "required_window":
            task["required_windows"].append((minute(statement["start"]), minute(statement["end"])))
        elif kind == "after_event":
            task["after_events"].append((statement["person_id"], statement["event_id"]))
        elif kind == "equipment":
            task["equipment"].extend(statement["items"])
        else:
            raise ValueError(f"unknown statement kind {kind!r}")

    for needed in ("duration", "option_count", "window", "participants"):
        if not task[needed]:
            raise ValueError(f"{instance['instance_id']}: no statement gives the {needed}")
    return task


def statements(world: Record, instance: Record) -> list[Record]:
    """The statements about the instance's meeting, oldest first."""
    threads = {thread["thread_id"]: thread for thread in world.get("threads", [])}
    messages = []
    for thread_id in instance["references"]["threads"]:
        if thread_id not in threads:
            raise ValueError(f"{instance['instance_id']}: unknown thread {thread_id!r}")
        for place, message in enumerate(threads[thread_id]["messages"]):
            messages.append((minute(message["sent"]), thread_id, place, message))
    messages.sort(key=lambda item: item[:3])

    said = list(instance["references"]["statements"])
    for _, _, _, message in messages:
        for tag in message.get("tags", []):
            if tag["meeting"] == instance["meeting"]:
                said.append(tag["statement"])
    return said


# Looking up records.


def busy_events(world: Record, person_id: str) -> list[Span]:
    """The person's busy events as (start, end)."""
    if not any(person["person_id"] == person_id for person in world["people"]):
        raise ValueError(f"unknown person {person_id!r}")
    for calendar in world["calendars"]:
        if calendar["person_id"] == person_id:
            return [(minute(event["start"]), minute(event["end"])) for event in calendar["events"]]
    return []


def event_end(world: Record, person_id: str, event_id: str) -> int:
    """When an event of the person's calendar ends; the person need not take part in the meeting."""
    for calendar in world["calendars"]:
        for event in calendar["events"]:
            if calendar["person_id"] == person_id and event["event_id"] == event_id:
                return minute(event["end"])
    raise ValueError(f"unknown event {event_id!r} of person {person_id!r}")


def policy_rules(world: Record, policy_id: str) -> list[Record]:
    """The rules of the section that has the policy ID."""
    for document in world["documents"]:
        for section in document["sections"]:
            if section["policy_id"] == policy_id:
                return list(section.get("rules", []))
    raise ValueError(f"unknown policy {policy_id!r}")


def room_bookings(world: Record, room_id: str) -> list[Span]:
    """The room's bookings as (start, end)."""
    for calendar in world.get("room_calendars", []):
        if calendar["room_id"] == room_id:
            return [(minute(event["start"]), minute(event["end"])) for event in calendar["bookings"]]
    return []


# The rules, one by one. `times` is what the wall clock shows at every minute of the candidate.


def overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether a minute lies in both; touching intervals do not overlap."""
    return start < other_end and other_start < end


def far_enough(start: int, end: int, other_start: int, other_end: int, minutes: int) -> bool:
    """Whether at least so many minutes lie between the two, whichever comes first."""
    return other_end + minutes <= start or end + minutes <= other_start


def in_hours(time: datetime, start: str, end: str) -> bool:
    """Whether the wall clock is at or after start and before end."""
    return minute_of_day(start) <= time.hour * 60 + time.minute < minute_of_day(end)


def inside_daily_hours(daily: Record | None, times: list[datetime]) -> bool:
    """Inside the window's daily hours, if it has any, on one local date."""
    if daily is None:
        return True
    one_date = all(time.date() == times[0].date() for time in times)
    return one_date and all(in_hours(time, daily["start"], daily["end"]) for time in times)


def rule_holds(rule: Record, start: int, end: int, times: list[datetime], busy: list[Span]) -> bool:
    """Whether the candidate keeps the rule of a policy; the room's turnaround is looked at with the rooms."""
    if rule["kind"] == "work_hours":
        one_date = all(time.date() == times[0].date() for time in times)
        right_day = times[0].weekday() in rule["days"]
        return one_date and right_day and all(in_hours(time, rule["start"], rule["end"]) for time in times)
    if rule["kind"] == "lunch_block":
        return not any(time.weekday() in rule["days"] and in_hours(time, rule["start"], rule["end"]) for time in times)
    if rule["kind"] == "ban_dow_time":
        return not any(time.weekday() == rule["day"] and in_hours(time, rule["start"], rule["end"]) for time in times)
    if rule["kind"] == "buffer_min":
        return all(far_enough(start, end, busy_start, busy_end, rule["minutes"]) for busy_start, busy_end in busy)
    if rule["kind"] == "room_turnaround":
        return True
    raise ValueError(f"unknown rule kind {rule['kind']!r}")


def wishes_hold(task: Record, earliest_starts: list[int], start: int, end: int) -> bool:
    """Whether the candidate keeps the deadline, not-before, bans, required windows and after-events."""
    if task["deadline"] is not None and end > task["deadline"]:
        return False
    if task["not_before"] is not None and start < task["not_before"]:
        return False
    for ban_start, ban_end in task["bans"]:
        if overlap(start, end, ban_start, ban_end):
            return False
    required_windows = task["required_windows"]
    if required_windows and not any(first <= start and end <= last for first, last in required_windows):
        return False
    return all(start >= earliest for earliest in earliest_starts)


def room_fits(task: Record, room: Record) -> bool:
    """Whether the room has the seats, the equipment and the site."""
    if room["capacity"] < len(task["participants"]) + task["guests"]:
        return False
    if any(item not in room["equipment"] for item in task["equipment"]):
        return False
    return task["site"] is None or room["site"] == task["site"]


def room_is_free(start: int, end: int, bookings: list[Span], turnarounds: list[int]) -> bool:
    """Whether no booking of the room overlaps the candidate or comes closer than a turnaround."""
    for booking_start, booking_end in bookings:
        if overlap(start, end, booking_start, booking_end):
            return False
        for minutes in turnarounds:
            if not far_enough(start, end, booking_start, booking_end, minutes):
                return False
    return True


# The ranking and the digest.


def rank(task: Record, candidate: Candidate) -> tuple[Any, ...]:
    """The sort key: the start, then the tie-break keys in the order given, then the room ID."""
    start, _, room = candidate
    key: list[Any] = [-start if task["ranking"] == "latest" else start]
    if room is not None:
        for name in task["tie_break"]:
            if name == "capacity_ascending":
                key.append(room["capacity"])
            elif name == "capacity_descending":
                key.append(-room["capacity"])
            elif name == "floor_ascending":
                key.append(room["floor"])
            elif name == "floor_descending":
                key.append(-room["floor"])
            elif name == "name_ascending":
                key.append(room["name"])
            else:
                raise ValueError(f"unknown tie-break key {name!r}")
        key.append(room["room_id"])
    return tuple(key)


def digest(feasible: list[Candidate]) -> str:
    """SHA-256 of one line `<start> <end> <room_id or ->` a candidate, by start and room ID, each ended by LF."""
    rows = sorted((start, end, "-" if room is None else room["room_id"]) for start, end, room in feasible)
    text = "".join(f"{start} {end} {room_id}\n" for start, end, room_id in rows)
    return hashlib.sha256(text.encode()).hexdigest()


# Times.


def minute(text: str) -> int:
    """The minutes from 1970-01-01 UTC to an ISO 8601 datetime with its offset."""
    since_epoch = datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)
    return since_epoch.days * 24 * 60 + since_epoch.seconds // 60


def iso(at: int, zone: ZoneInfo) -> str:
    """The instant as ISO 8601 with the offset of the zone."""
    return datetime.fromtimestamp(at * 60, zone).isoformat()


def minute_of_day(text: str) -> int:
    """The minutes from midnight to `HH:MM`; `24:00` is the end of the day."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def main(world_path: str, instances_path: str) -> None:
    """Print one label as JSON for every line of the instances file."""
    with open(world_path, encoding="utf-8") as file:
        world = json.load(file)
    with open(instances_path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                instance = json.loads(line)
                print(json.dumps({"instance_id": instance["instance_id"], **label(world, instance)}))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python archive/v1/legacy_oracle.py WORLD.json INSTANCES.jsonl")
    main(sys.argv[1], sys.argv[2])

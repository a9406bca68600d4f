"""The archive on tiny worlds whose answers a reader can check by hand, one rule at a time.

Unless a test says otherwise the zone is UTC, the day is Monday 2 March 2026, the meeting lasts an hour, p001 takes
part and the window is 09:00 to 12:00. Nine starts are on the grid: 09:00, 09:15, and so on to 11:00.
"""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from mpcbench.archive.v1 import legacy_oracle

ALL_DAYS = [0, 1, 2, 3, 4, 5, 6]
MONDAY = "2026-03-02"
ALL_STARTS = ["09:00", "09:15", "09:30", "09:45", "10:00", "10:15", "10:30", "10:45", "11:00"]


def at(time: str, day: str = MONDAY, offset: str = "+00:00") -> str:
    return f"{day}T{time}:00{offset}"


def busy(start: str, end: str, event_id: str = "event") -> dict[str, str]:
    return {"event_id": event_id, "title": "Busy", "start": at(start), "end": at(end)}


def window(start: str = "09:00", end: str = "12:00", daily: dict[str, str] | None = None) -> dict[str, Any]:
    return {"kind": "window", "start": at(start), "end": at(end), "daily": daily}


def room(room_id: str, *, capacity: int = 6, floor: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "room_id": room_id,
        "name": "Ash",
        "site": "Hill",
        "floor": floor,
        "capacity": capacity,
        "equipment": [],
    } | more


def message(sent: str, *statements: dict[str, Any], meeting: str = "Review") -> dict[str, Any]:
    tags = [{"meeting": meeting, "statement": statement} for statement in statements]
    return {"sent": at(sent, "2026-02-27"), "author": "p001", "text": "", "tags": tags}


def world(
    *,
    zone: str = "UTC",
    calendars: dict[str, list[dict[str, str]]] | None = None,
    rules: list[dict[str, Any]] | None = None,
    threads: dict[str, list[dict[str, Any]]] | None = None,
    rooms: list[dict[str, Any]] | None = None,
    bookings: dict[str, list[dict[str, str]]] | None = None,
) -> dict[str, Any]:
    sections = [
        {"policy_id": "POL-01", "heading": "", "text": "", "rules": rules or []},
        {"policy_id": "POL-02", "heading": "", "text": "", "rules": [{"kind": "buffer_min", "minutes": 600}]},
        {"policy_id": None, "heading": "", "text": "", "rules": [{"kind": "buffer_min", "minutes": 600}]},
    ]
    return {
        "timezone": zone,
        "people": [{"person_id": person_id} for person_id in ("p001", "p002", "p003")],
        "calendars": [{"person_id": person_id, "events": events} for person_id, events in (calendars or {}).items()],
        "documents": [{"document_id": "DOC-01", "sections": sections}],
        "threads": [{"thread_id": thread_id, "messages": messages} for thread_id, messages in (threads or {}).items()],
        "rooms": rooms or [],
        "room_calendars": [{"room_id": room_id, "bookings": events} for room_id, events in (bookings or {}).items()],
    }


def instance(*statements: dict[str, Any], level: int = 2, threads: list[str] | None = None) -> dict[str, Any]:
    """The usual statements, then the given ones, which supersede them."""
    usual = [
        {"kind": "duration", "minutes": 60},
        {"kind": "option_count", "count": 20},
        {"kind": "participants", "person_ids": ["p001"]},
        {"kind": "call_policy", "policy_id": "POL-01"},
        window(),
    ]
    return {
        "instance_id": f"level{level}-000",
        "level": level,
        "meeting": "Review",
        "references": {"statements": [*usual, *statements], "threads": threads or []},
    }


def starts(label: dict[str, Any]) -> list[str]:
    return [candidate["start"][11:16] for candidate in label["gold"]]


def starts_with(*statements: dict[str, Any], **records: Any) -> list[str]:
    return starts(legacy_oracle.label(world(**records), instance(*statements)))


def starts_under(*rules: dict[str, Any], **records: Any) -> list[str]:
    return starts(legacy_oracle.label(world(rules=list(rules), **records), instance()))


def pairs_with(*statements: dict[str, Any], **records: Any) -> list[str]:
    label = legacy_oracle.label(world(**records), instance(*statements, level=3))
    return [f"{candidate['start'][11:16]} {candidate['room_id']}" for candidate in label["gold"]]


# Grid, window, gold.


def test_grid_is_every_quarter_hour_of_the_window() -> None:
    """Candidates start at each quarter of an hour from which the meeting fits the window, overlapping or not."""
    assert ALL_STARTS == starts_with()


def test_window_off_the_grid_keeps_whole_candidates_only() -> None:
    """A window of 09:05 to 10:35 holds 09:15 and 09:30; 09:45 would end too late."""
    assert ["09:15", "09:30"] == starts_with(window("09:05", "10:35"))


def test_window_shorter_than_the_meeting_holds_nothing() -> None:
    """An empty feasible set is no error."""
    label = legacy_oracle.label(world(), instance(window("09:00", "09:59")))

    assert {
        "gold": [],
        "counts": {"generated": 0, "calendar": 0, "policy": 0, "threads": 0, "rooms": None},
        "digest": sha256(b"").hexdigest(),
        "feasible": 0,
    } == label


def test_daily_hours_narrow_each_date() -> None:
    """Daily hours of 09:30 to 11:00 leave 09:30, 09:45 and 10:00."""
    assert ["09:30", "09:45", "10:00"] == starts_with(window(daily={"start": "09:30", "end": "11:00"}))


def test_daily_hours_keep_to_one_date() -> None:
    """Even hours of 00:00 to 24:00 let no candidate cross midnight; without daily hours it may."""
    late = {"kind": "window", "start": at("22:45"), "end": at("01:00", "2026-03-03")}
    all_day = {**late, "daily": {"start": "00:00", "end": "24:00"}}

    assert ["22:45", "23:00", "00:00"] == starts_with(all_day)
    assert ["22:45", "23:00", "23:15", "23:30", "23:45", "00:00"] == starts_with(late)


def test_gold_is_the_first_n_with_the_offset_of_the_zone() -> None:
    """Gold times are written in the zone of the world, whatever offset the window is written with."""
    label = legacy_oracle.label(world(zone="Asia/Kathmandu"), instance({"kind": "option_count", "count": 2}))

    assert [
        {"start": "2026-03-02T14:45:00+05:45", "end": "2026-03-02T15:45:00+05:45"},
        {"start": "2026-03-02T15:00:00+05:45", "end": "2026-03-02T16:00:00+05:45"},
    ] == label["gold"]
    assert 9 == label["feasible"]


# Busy events.


def test_busy_events_touch_without_overlap() -> None:
    """Busy from 10:00 to 10:45, a candidate may end at 10:00 or start at 10:45."""
    assert ["09:00", "10:45", "11:00"] == starts_with(calendars={"p001": [busy("10:00", "10:45")]})


def test_busy_events_off_the_grid() -> None:
    """One minute from 10:59 to 11:00 removes every candidate that contains it."""
    assert ["09:00", "09:15", "09:30", "09:45", "11:00"] == starts_with(calendars={"p001": [busy("10:59", "11:00")]})


def test_only_participants_count() -> None:
    """Everybody who takes part must be free, nobody else."""
    calendars = {"p001": [busy("10:00", "12:00")], "p002": [busy("09:00", "10:30")], "p003": [busy("08:00", "13:00")]}

    assert ["09:00"] == starts_with(calendars=calendars)
    assert [] == starts_with({"kind": "participants", "person_ids": ["p001", "p002"]}, calendars=calendars)


# Policies.


def test_work_hours_hold_the_whole_candidate() -> None:
    """Work hours of 09:20 to 10:50 leave 09:30 and 09:45."""
    rule = {"kind": "work_hours", "start": "09:20", "end": "10:50", "days": [0]}

    assert ["09:30", "09:45"] == starts_under(rule)


def test_work_hours_of_other_days_leave_nothing() -> None:
    """Without Monday among its days no candidate of a Monday is left."""
    assert [] == starts_under({"kind": "work_hours", "start": "00:00", "end": "24:00", "days": [1, 2, 3, 4, 5, 6]})


def test_lunch_block_is_not_overlapped() -> None:
    """A block of 10:00 to 10:30 leaves the candidates that end by 10:00 or start from 10:30."""
    rule = {"kind": "lunch_block", "start": "10:00", "end": "10:30", "days": [0, 4]}

    assert ["09:00", "10:30", "10:45", "11:00"] == starts_under(rule)
    assert ALL_STARTS == starts_under(rule | {"days": [1]})


def test_ban_dow_time_is_not_overlapped_on_its_weekday() -> None:
    """A ban of Mondays until 10:20 leaves 10:30 on; a ban of Tuesdays leaves everything."""
    rule = {"kind": "ban_dow_time", "start": "00:00", "end": "10:20", "day": 0}

    assert ["10:30", "10:45", "11:00"] == starts_under(rule)
    assert ALL_STARTS == starts_under(rule | {"day": 1})


def test_buffer_keeps_its_minutes_on_both_sides() -> None:
    """Busy 10:10 to 10:20 with 10 minutes: candidates end by 10:00 or start from 10:30; with 11, one less each."""
    calendars = {"p001": [busy("10:10", "10:20")]}

    assert ["09:00", "10:30", "10:45", "11:00"] == starts_under(
        {"kind": "buffer_min", "minutes": 10}, calendars=calendars
    )
    assert ["10:45", "11:00"] == starts_under({"kind": "buffer_min", "minutes": 11}, calendars=calendars)


def test_buffer_reaches_events_outside_the_window() -> None:
    """Busy until 08:50, twenty minutes of buffer remove 09:00."""
    calendars = {"p001": [busy("08:00", "08:50")]}

    assert ALL_STARTS[1:] == starts_under({"kind": "buffer_min", "minutes": 20}, calendars=calendars)


def test_only_policies_called_for_apply() -> None:
    """POL-02 and the section without an ID would remove everything; POL-02 does as soon as it is called."""
    calendars = {"p001": [busy("08:00", "08:30")]}

    assert ALL_STARTS == starts_with(calendars=calendars)
    assert [] == starts_with({"kind": "call_policy", "policy_id": "POL-02"}, calendars=calendars)


# What people say.


def test_deadline_is_the_latest_end() -> None:
    """A candidate may end at the deadline, and not a minute later."""
    assert ["09:00", "09:15"] == starts_with({"kind": "deadline", "at": at("10:15")})
    assert ["09:00"] == starts_with({"kind": "deadline", "at": at("10:14")})


def test_not_before_is_the_earliest_start() -> None:
    """A candidate may start at the time, and not a minute earlier."""
    assert ["10:45", "11:00"] == starts_with({"kind": "not_before", "at": at("10:45")})
    assert ["11:00"] == starts_with({"kind": "not_before", "at": at("10:46")})


def test_bans_add_up() -> None:
    """Bans of 09:00 to 09:30 and of 11:00 to 11:05 leave 09:30 to 10:00."""
    bans = [("09:00", "09:30"), ("11:00", "11:05")]

    assert ["09:30", "09:45", "10:00"] == starts_with(
        *({"kind": "ban_window", "start": at(start), "end": at(end)} for start, end in bans)
    )


def test_one_required_window_is_enough() -> None:
    """A candidate lies inside 09:00 to 10:05 or inside 10:00 to 11:15; what spans both lies inside neither."""
    required = [("09:00", "10:05"), ("10:00", "11:15")]

    assert ["09:00", "10:00", "10:15"] == starts_with(
        *({"kind": "required_window", "start": at(start), "end": at(end)} for start, end in required)
    )


def test_after_event_of_somebody_who_stays_away() -> None:
    """The candidate starts at or after the end of p002's second event, though p002 takes no part."""
    calendars = {"p002": [busy("09:00", "11:00", "first"), busy("10:00", "10:31", "second")]}
    after = {"kind": "after_event", "person_id": "p002", "event_id": "second"}

    assert ["10:45", "11:00"] == starts_with(after, calendars=calendars)


def test_latest_first() -> None:
    """Asked for, the latest start comes first."""
    assert ALL_STARTS[::-1] == starts_with({"kind": "ranking", "order": "latest"})


# Messages.


def test_later_message_wins() -> None:
    """The order is the task, then the time sent across threads, whatever the order of the references."""
    threads = {
        "T0001": [message("12:00", {"kind": "duration", "minutes": 150})],
        "T0002": [message("11:00", {"kind": "duration", "minutes": 30})],
    }
    label = legacy_oracle.label(world(threads=threads), instance(threads=["T0001", "T0002"]))

    assert ["09:00", "09:15", "09:30"] == starts(label)


def test_messages_of_one_time_go_by_thread_then_place_then_tag() -> None:
    """Of statements sent at one time, the last tag of the last message of the last thread wins."""
    threads = {
        "T0002": [
            message("12:00", {"kind": "duration", "minutes": 15}),
            message("12:00", {"kind": "duration", "minutes": 30}, {"kind": "duration", "minutes": 165}),
        ],
        "T0001": [message("12:00", {"kind": "duration", "minutes": 45})],
    }
    label = legacy_oracle.label(world(threads=threads), instance(threads=["T0002", "T0001"]))

    assert ["09:00", "09:15"] == starts(label)


def test_other_meetings_and_other_threads_say_nothing() -> None:
    """Only the referenced threads speak, and only of the meeting of the instance."""
    threads = {
        "T0001": [message("12:00", {"kind": "duration", "minutes": 30}, meeting="Review (draft)")],
        "T0002": [message("12:00", {"kind": "duration", "minutes": 30})],
    }
    label = legacy_oracle.label(world(threads=threads), instance(threads=["T0001"]))

    assert ALL_STARTS == starts(label)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([("add_participant", "p002")], ["11:00"]),
        ([("add_participant", "p002"), ("remove_participant", "p002")], ALL_STARTS),
        ([("remove_participant", "p002"), ("add_participant", "p002")], ["11:00"]),
        ([("add_participant", "p002"), ("add_participant", "p002"), ("remove_participant", "p002")], ALL_STARTS),
    ],
    ids=["added", "added-removed", "removed-added", "added-twice-removed"],
)
def test_participants_change_in_message_order(said: list[tuple[str, str]], expected: list[str]) -> None:
    """Whoever is added last takes part, whoever is removed last does not; p002 is busy until 11:00."""
    statements = [{"kind": kind, "person_id": person_id} for kind, person_id in said]

    assert expected == starts_with(*statements, calendars={"p002": [busy("08:00", "11:00")]})


def test_participants_replace_earlier_additions() -> None:
    """A new list of participants forgets whoever was added before it."""
    statements: list[dict[str, Any]] = [
        {"kind": "add_participant", "person_id": "p002"},
        {"kind": "participants", "person_ids": ["p003"]},
    ]

    assert ALL_STARTS == starts_with(*statements, calendars={"p002": [busy("08:00", "11:00")]})


# Rooms.


def test_every_slot_and_room_is_a_candidate() -> None:
    """Slots by start, rooms of one slot by ID."""
    rooms = [room("R02"), room("R01")]

    assert ["09:00 R01", "09:00 R02", "09:15 R01", "09:15 R02"] == pairs_with(window("09:00", "10:15"), rooms=rooms)


def test_rooms_seat_participants_and_guests() -> None:
    """One participant and four guests need five seats."""
    rooms = [room("R01", capacity=4), room("R02", capacity=5)]

    assert ["09:00 R02"] == pairs_with({"kind": "guests", "count": 4}, window("09:00", "10:00"), rooms=rooms)


def test_rooms_have_all_equipment() -> None:
    """Equipment of several statements adds up."""
    rooms = [
        room("R01", equipment=["video"]),
        room("R02", equipment=["whiteboard", "phone", "video"]),
        room("R03", equipment=["whiteboard"]),
    ]
    said = [{"kind": "equipment", "items": [item]} for item in ("video", "whiteboard")]

    assert ["09:00 R02"] == pairs_with(*said, window("09:00", "10:00"), rooms=rooms)


def test_rooms_are_at_the_site() -> None:
    """A named site excludes the rooms elsewhere."""
    rooms = [room("R01"), room("R02", site="Harbour")]

    assert ["09:00 R02"] == pairs_with({"kind": "site", "site": "Harbour"}, window("09:00", "10:00"), rooms=rooms)


def test_room_bookings_bind_their_room_only() -> None:
    """R01 is booked until 09:15, so 09:00 is left to R02."""
    pairs = pairs_with(
        window("09:00", "10:15"), rooms=[room("R01"), room("R02")], bookings={"R01": [busy("08:00", "09:15")]}
    )

    assert ["09:00 R02", "09:15 R01", "09:15 R02"] == pairs


def test_room_turnaround_is_a_buffer_to_bookings() -> None:
    """Booked until 09:10 with seven minutes of turnaround: 09:15 is too early, 09:30 is not; events do not matter."""
    pairs = pairs_with(
        window("09:00", "10:30"),
        rules=[{"kind": "room_turnaround", "minutes": 7}],
        rooms=[room("R01")],
        bookings={"R01": [busy("08:00", "09:10")]},
        calendars={"p001": [busy("08:00", "09:30")]},
    )

    assert ["09:30 R01"] == pairs


def test_room_turnaround_means_nothing_without_rooms() -> None:
    """At level 2 a turnaround removes nothing."""
    calendars = {"p001": [busy("08:00", "09:00")]}

    assert ALL_STARTS == starts_under({"kind": "room_turnaround", "minutes": 7}, calendars=calendars)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([], ["R01", "R02", "R03", "R04"]),
        (["capacity_ascending"], ["R03", "R01", "R02", "R04"]),
        (["capacity_descending"], ["R01", "R02", "R04", "R03"]),
        (["floor_ascending"], ["R04", "R01", "R03", "R02"]),
        (["floor_descending"], ["R02", "R01", "R03", "R04"]),
        (["name_ascending"], ["R04", "R03", "R01", "R02"]),
        (["capacity_descending", "floor_descending"], ["R02", "R01", "R04", "R03"]),
    ],
    ids=lambda value: "-".join(value) or "none",
)
def test_tie_break_keys_rank_rooms_of_one_slot(keys: list[str], expected: list[str]) -> None:
    """Keys count in the order given, then the room ID."""
    rooms = [
        room("R04", capacity=8, floor=0, name="Ash"),
        room("R03", capacity=4, floor=1, name="Birch"),
        room("R02", capacity=8, floor=2, name="Cedar"),
        room("R01", capacity=8, floor=1, name="Cedar"),
    ]
    pairs = pairs_with({"kind": "tie_break", "keys": keys}, window("09:00", "10:00"), rooms=rooms)

    assert [f"09:00 {room_id}" for room_id in expected] == pairs


# Changes of the zone's offset. In Berlin 02:00 becomes 03:00 on 29 March, 03:00 becomes 02:00 on 25 October 2026.


def berlin(start: str, end: str, *statements: dict[str, Any], rules: list[dict[str, Any]] | None = None) -> list[str]:
    label = legacy_oracle.label(
        world(zone="Europe/Berlin", rules=rules), instance({"kind": "window", "start": start, "end": end}, *statements)
    )
    return [candidate["start"][11:] for candidate in label["gold"]]


SPRING = (at("01:30", "2026-03-29", "+01:00"), at("04:00", "2026-03-29", "+02:00"))
AUTUMN = (at("01:30", "2026-10-25", "+02:00"), at("03:30", "2026-10-25", "+01:00"))


def test_skipped_hour_has_no_candidates() -> None:
    """From 01:30 to 04:00 only ninety minutes pass: an hour from 01:30 ends at 03:30."""
    assert ["01:30:00+01:00", "01:45:00+01:00", "03:00:00+02:00"] == berlin(*SPRING)


def test_repeated_hour_has_its_candidates_twice() -> None:
    """From 01:30 to 03:30 three hours pass: two hours from 02:30 of summer time end at 03:30."""
    expected = ["01:30:00+02:00", "01:45:00+02:00", "02:00:00+02:00", "02:15:00+02:00", "02:30:00+02:00"]

    assert expected == berlin(*AUTUMN, {"kind": "duration", "minutes": 120})


def test_lunch_block_counts_in_both_repeated_hours() -> None:
    """A block of 02:00 to 02:15 removes what contains it in summer time or in standard time."""
    rule = {"kind": "lunch_block", "start": "02:00", "end": "02:15", "days": [6]}

    summer = ["01:30:00+02:00", "02:15:00+02:00", "02:30:00+02:00"]
    winter = ["02:15:00+01:00", "02:30:00+01:00", "02:45:00+01:00", "03:00:00+01:00"]

    assert [*summer, *winter] == berlin(*AUTUMN, {"kind": "duration", "minutes": 30}, rules=[rule])


def test_block_of_a_skipped_hour_removes_nothing() -> None:
    """No minute of 29 March shows 02:00 to 03:00."""
    rule = {"kind": "lunch_block", "start": "02:00", "end": "03:00", "days": ALL_DAYS}

    assert berlin(*SPRING) == berlin(*SPRING, rules=[rule])


def test_work_hours_split_by_the_repeated_hour() -> None:
    """Work hours until 02:30 hold 01:30 to 02:30 of summer time and, apart from it, 02:00 to 02:30 of standard time."""
    rule = {"kind": "work_hours", "start": "00:00", "end": "02:30", "days": [6]}

    assert ["01:30:00+02:00"] == berlin(*AUTUMN, rules=[rule])
    assert ["01:30:00+02:00", "01:45:00+02:00", "02:00:00+02:00", "02:00:00+01:00"] == berlin(
        *AUTUMN, {"kind": "duration", "minutes": 30}, rules=[rule]
    )


# Counts, digest, errors, command line.


def full_example() -> tuple[dict[str, Any], dict[str, Any]]:
    records = world(
        calendars={"p001": [busy("10:15", "10:20")]},
        rules=[{"kind": "buffer_min", "minutes": 10}, {"kind": "room_turnaround", "minutes": 15}],
        rooms=[room("R01"), room("R02", capacity=1)],
        bookings={"R01": [busy("12:00", "13:00")]},
    )
    statements: list[dict[str, Any]] = [
        {"kind": "not_before", "at": at("09:15")},
        {"kind": "guests", "count": 1},
        window("09:00", "12:15"),
    ]
    return records, instance(*statements, level=3)


def test_counts_after_every_stage() -> None:
    """Ten slots; 09:00, 09:15 and 10:30 to 11:15 miss the event; the buffer costs 09:15, not_before 09:00; the
    turnaround leaves the end by 11:45 in the one room with two seats."""
    label = legacy_oracle.label(*full_example())

    assert {"generated": 10, "calendar": 6, "policy": 5, "threads": 4, "rooms": 2} == label["counts"]
    assert ["10:30", "10:45"] == starts(label)


def test_digest_is_over_minutes_and_rooms() -> None:
    """One line a candidate, in minutes since 1970: 2 March 2026, 10:30 is minute 29540790."""
    expected = sha256(b"29540790 29540850 R01\n29540805 29540865 R01\n").hexdigest()

    assert expected == legacy_oracle.label(*full_example())["digest"]


def test_digest_without_rooms_has_a_dash() -> None:
    """A dash replaces the room, and the order is by start whatever the ranking."""
    statements: list[dict[str, Any]] = [window("10:30", "11:45"), {"kind": "ranking", "order": "latest"}]
    expected = sha256(b"29540790 29540850 -\n29540805 29540865 -\n").hexdigest()

    assert expected == legacy_oracle.label(world(), instance(*statements))["digest"]


@pytest.mark.parametrize("kind", ["duration", "option_count", "window", "participants"])
def test_missing_parameters_are_errors(kind: str) -> None:
    """Without its duration, option count, window or participants a task cannot be solved."""
    task = instance()
    task["references"]["statements"] = [said for said in task["references"]["statements"] if said["kind"] != kind]

    with pytest.raises(ValueError, match=f"level2-000: no statement gives the {kind}"):
        legacy_oracle.label(world(), task)


def test_removing_everybody_is_an_error() -> None:
    """A meeting of nobody has no participants."""
    with pytest.raises(ValueError, match="no statement gives the participants"):
        starts_with({"kind": "remove_participant", "person_id": "p001"})


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ({"kind": "add_participant", "person_id": "p999"}, "unknown person 'p999'"),
        ({"kind": "call_policy", "policy_id": "POL-99"}, "unknown policy 'POL-99'"),
        ({"kind": "after_event", "person_id": "p001", "event_id": "none"}, "unknown event 'none' of person 'p001'"),
        ({"kind": "wish"}, "unknown statement kind 'wish'"),
    ],
    ids=["person", "policy", "event", "kind"],
)
def test_unknown_records_are_errors(statement: dict[str, str], complaint: str) -> None:
    """What a statement names must exist."""
    with pytest.raises(ValueError, match=complaint):
        starts_with(statement)


def test_unknown_threads_are_errors() -> None:
    """A referenced thread must exist."""
    with pytest.raises(ValueError, match="unknown thread 'T0404'"):
        legacy_oracle.label(world(), instance(threads=["T0404"]))


def test_command_line_prints_one_label_a_line(tmp_path: Path) -> None:
    """The script runs by itself and prints what `label` returns, with the ID of the instance."""
    records, task = full_example()
    (tmp_path / "world.json").write_text(json.dumps(records), encoding="utf-8")
    (tmp_path / "instances.jsonl").write_text(f"{json.dumps(task)}\n{json.dumps(task)}\n", encoding="utf-8")
    script = [sys.executable, "-I", legacy_oracle.__file__]
    printed = subprocess.run(
        [*script, "world.json", "instances.jsonl"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout

    assert [{"instance_id": "level3-000", **legacy_oracle.label(records, task)}] * 2 == [
        json.loads(line) for line in printed.splitlines()
    ]

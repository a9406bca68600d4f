"""Models reject invalid values, and say why."""

import zoneinfo
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from mpcbench.schema import (
    CANARY,
    GENERATOR_VERSION,
    SCHEMA_VERSION,
    BanWindow,
    Calendar,
    Collection,
    Deadline,
    Duration,
    Event,
    Page,
    Room,
    RoomCalendar,
    WorkHours,
    World,
)
from mpcbench.schema.level4.header import SCHEMA_VERSION as LADDER_VERSION
from mpcbench.schema.model import minute_of_day, to_minutes
from mpcbench.schema.statements import DailyHours
from unit_tests.builders import tiny
from unit_tests.builders.tiny import at
from unit_tests.schema.documents import DOCUMENTS, WORLD


def refusal(model: Any, **fields: object) -> str:
    """The message with which a model refuses its fields."""
    with pytest.raises(ValidationError) as caught:
        model(**fields)
    return str(caught.value.errors()[0]["msg"])


@pytest.mark.parametrize(
    ("start", "end"), [("09:00", "09:00"), ("09:01", "09:00"), ("24:00", "24:00"), ("23:59", "00:00")]
)
def test_hours_are_in_order(start: str, end: str) -> None:
    """Hours of no length and hours across midnight are refused."""
    assert f"Value error, start {start} is not before end {end}" == refusal(DailyHours, start=start, end=end)
    assert refusal(WorkHours, start=start, end=end, days=(0,)).endswith(f"is not before end {end}")


@pytest.mark.parametrize("minutes", [0, -30])
def test_spans_are_in_order(minutes: int) -> None:
    """Events and spans of no length are refused, whatever the offset that they are written with."""
    start = at("2027-02-08 10:00")
    end = (start + timedelta(minutes=minutes)).astimezone(timezone(timedelta(hours=9)))
    written = f"start {start.isoformat()} is not before end {end.isoformat()}"

    assert f"Value error, {written}" == refusal(BanWindow, start=start, end=end)
    assert f"Value error, event e1: {written}" == refusal(Event, event_id="e1", title="", start=start, end=end)


def test_span_across_repeated_hour() -> None:
    """Order is that of instants, not of wall clocks: 02:30 before a change of offset comes before 02:15 after it."""
    start = datetime.fromisoformat("2027-10-31T02:30+02:00")
    end = datetime.fromisoformat("2027-10-31T02:15+01:00")

    assert 45 == to_minutes(BanWindow(start=start, end=end).end) - to_minutes(start)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2027, 2, 8, 10, 0, 30, tzinfo=UTC), "Value error, not a whole minute: 2027-02-08T10:00:30+00:00"),
        (datetime(2027, 2, 8, 10, 0, 0, 1, tzinfo=UTC), "Value error, not a whole minute: 2027-02-08T10:00:00.000001"),
        (
            datetime(2027, 2, 8, 10, tzinfo=timezone(timedelta(seconds=90))),
            "Value error, not a whole minute: 2027-02-08T10:00:00+00:01:30",
        ),
        (datetime(2027, 2, 8, 10), "Input should have timezone info"),  # noqa: DTZ001
        ("2027-02-08T10:00", "Value error, not a whole minute as YYYY-MM-DDTHH:MM:00+HH:MM: '2027-02-08T10:00'"),
        ("2027-02-30T10:00Z", "Value error, day is out of range for month"),
    ],
)
def test_instants_are_whole_minutes_with_offset(moment: object, expected: str) -> None:
    """Seconds, odd offsets and times without any offset are refused."""
    assert refusal(Deadline, at=moment).startswith(expected)


def test_instant_is_written_with_its_offset() -> None:
    """A time keeps the offset that it came with."""
    written = "2027-02-08T10:00:00+05:45"

    assert written == Deadline.model_validate({"at": written}).model_dump(mode="json")["at"]


@pytest.mark.parametrize("minutes", [0, 14, 20, 495])
def test_durations_are_quarters_of_an_hour(minutes: int) -> None:
    """A meeting lasts 15 to 480 minutes, in steps of 15."""
    assert refusal(Duration, minutes=minutes).startswith("Input should be ")


def test_values_are_frozen() -> None:
    """A value of a data file cannot be changed."""
    duration = Duration(minutes=15)
    with pytest.raises(ValidationError, match="frozen"):
        duration.minutes = 30  # type: ignore[misc]


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "localtime", "posixrules", "right/Europe/Berlin", "../UTC"])
def test_unknown_time_zone(zone: str, tmp_path: Path) -> None:
    """A world names a zone of the IANA database; what only a system lists may mean another on each machine."""
    (tmp_path / "localtime").write_bytes(b"TZif2")
    fields = {**tiny.world(1).model_dump(), "timezone": zone}
    zoneinfo.reset_tzpath([tmp_path, *zoneinfo.TZPATH])
    try:
        refused = refusal(World, **fields)
    finally:
        zoneinfo.reset_tzpath()

    assert f"Value error, unknown IANA time zone {zone!r}" == refused


@pytest.mark.parametrize(
    ("field", "record"),
    [
        ("people", "person:p1"),
        ("calendars", "calendar:p1"),
        ("threads", "thread:T0001"),
        ("rooms", "room:R01"),
        ("room_calendars", "room_calendar:R01"),
        ("pages", "wiki:W1"),
        ("documents", "document:DOC-01"),
    ],
)
def test_record_ids_are_unique(field: str, record: str) -> None:
    """A duplicate record ID is named."""
    doubled = {**dict(WORLD), field: getattr(WORLD, field) * 2}

    assert f"Value error, record ID '{record}' is not unique" == refusal(World, **doubled)


def test_policy_ids_are_unique_over_documents() -> None:
    """Two documents cannot both define a policy."""
    other = WORLD.documents[0].model_copy(update={"document_id": "DOC-02"})
    doubled = {**dict(WORLD), "documents": (*WORLD.documents, other)}

    assert "Value error, record ID 'policy:POL-01' is not unique" == refusal(World, **doubled)


def test_ids_are_unique_within_their_kind() -> None:
    """Pages of two collections may share their ID, and sections without a policy ID are not records."""
    pages = tuple(Page(page_id="X1", collection=kind, title="", text="") for kind in Collection)
    section = WORLD.documents[0].sections[0].model_copy(update={"policy_id": None})
    document = WORLD.documents[0].model_copy(update={"sections": (section, section)})
    world = World(**{**dict(WORLD), "pages": pages, "documents": (document,)})

    assert len(Collection) == len(world.pages)
    assert () == world.policies


def test_world_finds_records_by_id() -> None:
    """Lookups give the records of the world, events and busy times in minutes by start."""
    early = Event(event_id="e0", title="", start=at("2027-02-08 08:00"), end=at("2027-02-08 09:00"))
    late = WORLD.calendars[0].events[0]
    room = Room(room_id="R02", name="", site="", floor=0, capacity=1, equipment=())
    world = World(
        **{
            **dict(WORLD),
            "calendars": (Calendar(person_id="p1", events=(late, early)),),
            "rooms": (*WORLD.rooms, room),
            "room_calendars": (RoomCalendar(room_id="R02", bookings=(late,)),),
        }
    )
    eight = to_minutes(early.start)

    assert WORLD.people[0] == world.person_by_id["p1"]
    assert (early, late) == world.events_by_person["p1"]
    assert WORLD.policies[0] == world.policy_by_id["POL-01"]
    assert WORLD.threads[0] == world.thread_by_id["T0001"]
    assert room == world.room_by_id["R02"]
    assert {"R02": (late,)} == world.bookings_by_room
    assert ((eight, eight + 60), (eight + 120, eight + 180)) == world.busy["p1"].intervals
    assert ((eight + 120, eight + 180),) == world.booked["R02"].intervals
    assert "Europe/Berlin" == world.zone.key


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_carries_versions_and_canary(name: str) -> None:
    """Every file, and every line of a JSONL file, carries the canary and its versions."""
    document = DOCUMENTS[name].model_dump(mode="json")
    version = LADDER_VERSION if name.startswith("level4/") else SCHEMA_VERSION

    assert (CANARY, version) == (document["canary"], document["schema_version"])
    assert {"generator_version", "seed", "kind"} <= document.keys()


def test_versions() -> None:
    """The canary holds a GUID that says whose it is; versions are numbers."""
    words = CANARY.split()

    assert "MPCBench" == words[0]
    assert [8, 4, 4, 4, 12] == [len(part) for part in words[2].rstrip(":").split("-")]
    assert SCHEMA_VERSION.isdigit()
    assert 3 == len([int(part) for part in GENERATOR_VERSION.split(".")])


@pytest.mark.parametrize(("time", "minutes"), [("00:00", 0), ("09:05", 545), ("23:59", 1439), ("24:00", 1440)])
def test_minute_of_day(time: str, minutes: int) -> None:
    """A time of day counts from midnight."""
    assert minutes == minute_of_day(time)


@pytest.mark.parametrize(
    ("moment", "minutes"),
    [
        ("1970-01-01T00:00:00+00:00", 0),
        ("1970-01-01T00:00:59+00:00", 0),
        ("1969-12-31T23:59:30+00:00", -1),
        ("1970-01-02T00:00:00+05:45", 1440 - 345),
    ],
)
def test_to_minutes(moment: str, minutes: int) -> None:
    """Instants count from 1970, rounded down, before it too."""
    assert minutes == to_minutes(datetime.fromisoformat(moment))

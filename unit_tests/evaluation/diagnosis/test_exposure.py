"""What calls showed: records with the first call, and of calendars the days that were asked for."""

from typing import Any

import pytest

from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.oracle.interval import Interval, to_minutes
from unit_tests.builders.tiny import ZONE, at, call


def span(first: str, last: str) -> Interval:
    return Interval(to_minutes(at(f"{first} 00:00")), to_minutes(at(f"{last} 00:00")))


def test_records_have_their_first_call() -> None:
    """A record counts as shown by the first call that showed it; one that was handed over by none, if by no call."""
    calls = (call("policy:POL-01"), call("person:p001", "policy:POL-01"), call("thread:T0001"))
    actual = Exposure.by(calls, ZONE, ("person:p001", "room:R01"))

    assert {"policy:POL-01": 1, "person:p001": 2, "thread:T0001": 3, "room:R01": None} == actual.calls
    assert frozenset({"p001"}) == actual.ids("person")


@pytest.mark.parametrize(
    ("expected", "arguments"),
    [
        ([span("2027-02-08", "2027-02-15")], {"date": "2027-02-08"}),
        ([span("2027-02-08", "2027-02-10")], {"start_date": "2027-02-08", "end_date": "2027-02-09"}),
        ([span("2027-02-08", "2027-02-09")], {"start_date": "2027-02-08T00:00:00", "end_date": "2027-02-08"}),
        (None, {}),
        (None, {"date": "soon"}),
        (None, {"date": "9999-12-31"}),
    ],
)
def test_days_asked_for(expected: list[Interval] | None, arguments: dict[str, Any]) -> None:
    """A call asks for the days of its arguments, read as the tools read them; without readable days for all."""
    actual = Exposure.by((call("calendar:p001", **arguments),), ZONE)

    assert expected == actual.days.get("calendar:p001")


def test_days_add_up() -> None:
    """Days that touch are one span; a call for the whole calendar leaves nothing in part."""
    days = [f"2027-02-0{day}" for day in (8, 9)]
    calls = [call("room_calendar:R01", start_date=day, end_date=day) for day in days]

    assert [span("2027-02-08", "2027-02-10")] == [*Exposure.by(calls, ZONE).days["room_calendar:R01"]]
    assert {} == Exposure.by([*calls, call("room_calendar:R01")], ZONE).days
    assert {} == Exposure.by(calls, ZONE, ("room_calendar:R01",)).days


def test_known_events() -> None:
    """Of a calendar seen in part the events that touch the days are known; nothing of a person's never seen."""
    shown = Exposure.by((call("calendar:p001", start_date="2027-02-08", end_date="2027-02-08"),), ZONE)
    midnight = to_minutes(at("2027-02-09 00:00"))
    across, after = Interval(midnight - 30, midnight + 30), Interval(midnight, midnight + 60)

    assert (across,) == shown.known("calendar:p001", (across, after))
    assert (after,) == shown.unseen("calendar:p001", (across, after))
    assert () == shown.known("calendar:p002", (across, after))
    assert (across, after) == shown.unseen("calendar:p002", (across, after))
    assert (across, after) == shown.known("room_calendar:R01", (across, after))

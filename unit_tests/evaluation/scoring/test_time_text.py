"""Times are written for people, and unambiguously."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from mpcbench.evaluation.scoring.time_text import days_text, hours_text, local_span, local_time

ZONE = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("utc", "expected"),
    [
        ("2027-02-09T13:30", "Tue 2027-02-09 14:30"),
        ("2027-02-09T13:30:05", "Tue 2027-02-09 14:30:05"),
        ("2027-02-09T13:30:05.25", "Tue 2027-02-09 14:30:05.250000"),
        ("2027-10-31T00:30", "Sun 2027-10-31 02:30+0200"),
        ("2027-10-31T01:30", "Sun 2027-10-31 02:30+0100"),
    ],
)
def test_local_time(utc: str, expected: str) -> None:
    """Local wall clock with weekday; seconds and offset only where they tell times apart."""
    actual = local_time(datetime.fromisoformat(utc).replace(tzinfo=UTC), ZONE)

    assert expected == actual


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(1, "Tue 2027-02-09 23:00 to Wed 2027-02-10 00:00"), (0.5, "Tue 2027-02-09 23:00-23:30")],
)
def test_local_span(hours: float, expected: str) -> None:
    """The second date is written only where it is another."""
    start = datetime(2027, 2, 9, 22, tzinfo=UTC)
    actual = local_span(start, start + timedelta(hours=hours), ZONE)

    assert expected == actual


def test_hours_and_days() -> None:
    """Hours of a day up to 24:00, weekdays in order and once."""
    assert hours_text(9 * 60, 24 * 60) == "09:00-24:00"
    assert days_text((4, 0, 0)) == "Mon, Fri"

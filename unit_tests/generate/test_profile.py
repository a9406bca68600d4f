"""Measures of a data set."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.profile import Spread, busy_share, sources_named
from mpcbench.schema import Calendar, Event, Period, Source, World

ZONE = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2027-{text}").replace(tzinfo=ZONE)


def world(first: str, end: str) -> World:
    return World(
        generator_version="1",
        seed=1,
        level=1,
        timezone=ZONE.key,
        period=Period(start=at(first), end=at(end)),
        people=(),
        calendars=(),
        documents=(),
    )


def calendar(*spans: tuple[str, str]) -> Calendar:
    events = (
        Event(event_id=f"p001-{number}", title="Call", start=at(start), end=at(end))
        for number, (start, end) in enumerate(spans)
    )
    return Calendar(person_id="p001", events=tuple(events))


def test_spread() -> None:
    """Least, mean and greatest."""
    assert Spread.of(iter([4, 1, 1])) == Spread(1, 2, 4)


@pytest.mark.parametrize(
    ("spans", "minutes"),
    [
        ((), 0),
        ((("03-22T09:00", "03-22T10:00"),), 60),
        ((("03-22T08:00", "03-22T10:00"), ("03-22T17:00", "03-22T19:00")), 120 + 90),  # cut to the hours that count
        ((("03-21T09:00", "03-21T17:00"),), 480),  # a Sunday
        ((("03-22T09:00", "03-22T10:00"), ("03-29T09:00", "03-29T10:00")), 120),  # clocks went forward between
        ((("03-22T16:00", "03-23T10:00"),), 150 + 120),  # over midnight
    ],
)
def test_busy_share(spans: tuple[tuple[str, str], ...], minutes: int) -> None:
    """Of 8:00 to 18:30 on every day, in local time."""
    share = busy_share(world("03-20T00:00", "04-03T00:00"), calendar(*spans))

    assert pytest.approx(minutes / (14 * 630)) == share


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Check the CALENDARS and POL-04", {Source.CALENDAR, Source.POLICY}),
        ("see the chat", {Source.THREADS}),
        ("Find three options for the Heron review", set()),
    ],
)
def test_sources_named(text: str, expected: set[Source]) -> None:
    """By their words, in any case."""
    assert expected == sources_named(text, Source)
    assert sources_named(text, [Source.DIRECTORY]) == set()

"""Calendars of people and rooms."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from mpcbench.generate.wording.vocabulary import WEEKEND_TITLES
from mpcbench.generate.world.calendars import DAY_END, DAY_START, Quiet, local_time, person_calendars, room_calendars
from mpcbench.generate.world.organisation import people_of
from mpcbench.schema import Event

ZONE = ZoneInfo("Europe/Berlin")
MONDAY = date(2027, 3, 15)
DAYS = [MONDAY + timedelta(days=number) for number in range(21)]
"""Three weeks; after the second of them, clocks go forward."""

QUIET = Quiet(2, (120, 150))
SEEDS = range(5)
each_seed = pytest.mark.parametrize("seed", SEEDS)


def calendars(seed: int) -> dict[str, Sequence[Event]]:
    people = people_of(1, Random(seed))
    return {
        calendar.person_id: calendar.events for calendar in person_calendars(people, DAYS, ZONE, QUIET, Random(seed))
    }


def bookings(seed: int) -> dict[str, Sequence[Event]]:
    rooms = [f"R{number:02d}" for number in range(1, 9)]
    return {calendar.room_id: calendar.bookings for calendar in room_calendars(rooms, DAYS, ZONE, Random(seed))}


def busy_share(events: Sequence[Event]) -> float:
    minutes = 0
    for event in events:
        start, end = (moment.hour * 60 + moment.minute for moment in (event.start, event.end))
        minutes += max(0, min(end, DAY_END) - max(start, DAY_START))
    return minutes / len(DAYS) / (DAY_END - DAY_START)


@each_seed
def test_people_are_busy_for_40_to_60_per_cent(seed: int) -> None:
    """Of the hours of all days, by person."""
    assert all(0.4 <= busy_share(events) <= 0.6 for events in calendars(seed).values())


@each_seed
def test_rooms_are_booked_for_35_to_65_per_cent(seed: int) -> None:
    """Of the hours of all days, by room."""
    assert all(0.35 <= busy_share(events) <= 0.65 for events in bookings(seed).values())


@each_seed
def test_events_of_an_owner_are_in_order_and_apart(seed: int) -> None:
    """The events of a calendar are sorted by start and do not overlap."""
    for events in (*calendars(seed).values(), *bookings(seed).values()):
        assert all(one.end <= other.start for one, other in pairwise(events))


@each_seed
def test_events_count_up_and_lie_within_one_working_day(seed: int) -> None:
    """An event's ID is its owner and its number; it begins and ends on the same of the given days."""
    for owner, events in (*calendars(seed).items(), *bookings(seed).items()):
        assert [f"{owner}-{number:03d}" for number in range(1, len(events) + 1)] == [one.event_id for one in events]
        assert all(event.start.date() == event.end.date() and event.start.date() in DAYS for event in events)
        assert all(event.start.tzinfo is ZONE for event in events)


def test_a_team_shares_its_meetings() -> None:
    """Everybody of a team has the same stand-up on every day, and a weekly meeting at the same time."""
    people = people_of(1, Random(3))
    found = {one.person_id: one.events for one in person_calendars(people, DAYS, ZONE, QUIET, Random(3))}
    for team in {person.team for person in people}:
        members = [person.person_id for person in people if person.team == team]
        stand_ups = [{one.start for one in found[member] if one.title == "Stand-up"} for member in members]
        shared = set.intersection(*({(one.title, one.start) for one in found[member]} for member in members))

        assert len(members) > 1
        assert len(stand_ups[0]) == sum(day.weekday() < 5 for day in DAYS)
        assert all(starts == stand_ups[0] for starts in stand_ups)
        assert len({title for title, _ in shared}) > 1


def test_events_fill_the_day_evenly_and_weekends_too() -> None:
    """No hour of the day and no day of the week is much emptier than the others; weekends have titles of their own."""
    events = [event for seed in range(20) for found in calendars(seed).values() for event in found]
    hours = Counter[int]()
    weekdays = Counter[int]()
    for event in events:
        first, last = (moment.hour * 60 + moment.minute for moment in (event.start, event.end))
        for minute in range(max(first, DAY_START), min(last, DAY_END)):
            hours[minute // 60] += 1
            weekdays[event.start.weekday()] += 1
    full = [hours[hour] for hour in range(DAY_START // 60, DAY_END // 60)]
    weekend = [event for event in events if event.start.weekday() >= 5]

    assert min(full) > 0.7 * max(full)
    assert min(weekdays.values()) > 0.8 * max(weekdays.values())
    assert {event.title for event in weekend} <= set(WEEKEND_TITLES)


def test_some_events_lie_off_the_grid() -> None:
    """Not every event starts on a quarter of an hour."""
    starts = {event.start.minute % 15 for events in calendars(1).values() for event in events}

    assert starts > {0}


def test_calendars_depend_on_the_seed_alone() -> None:
    """Twice the same from one seed, another from another."""
    assert calendars(1) == calendars(1)
    assert calendars(1) != calendars(2)


@pytest.mark.parametrize(
    ("day", "minute", "expected"),
    [
        (date(2027, 3, 27), 540, "2027-03-27T09:00:00+01:00"),
        (date(2027, 3, 28), 540, "2027-03-28T09:00:00+02:00"),  # clocks went forward at 02:00
        (date(2027, 3, 27), 1440, "2027-03-28T00:00:00+01:00"),
        (date(2027, 3, 28), 1440, "2027-03-29T00:00:00+02:00"),
    ],
)
def test_local_time(day: date, minute: int, expected: str) -> None:
    """The wall clock's time, whatever clocks did since midnight; 1440 is the next midnight."""
    assert datetime.fromisoformat(expected) == local_time(day, minute, ZONE)
    assert expected == local_time(day, minute, ZONE).isoformat()


def test_quiet_times() -> None:
    """A day has so many of them, each of one of the lengths, that begin anywhere in the day."""
    drawn = [Quiet(5, (45, 60)).draw(Random(seed)) for seed in range(40)]

    assert {5} == {len(spans) for spans in drawn}
    assert {45, 60} == {span.end - span.start for spans in drawn for span in spans}
    assert all(DAY_START - 90 <= span.start < DAY_END for spans in drawn for span in spans)

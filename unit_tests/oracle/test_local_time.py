"""Wall-clock rules hold minute by minute, across every change of a zone's offset."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.oracle.interval import Interval, members, paint, to_minutes
from mpcbench.oracle.local_time import daily_spans, grid, segments
from unit_tests.examples import examples
from unit_tests.oracle.definitions import inside_hours, wall_clock
from unit_tests.strategies import DAY, Clock, clocks

every_day = tuple(range(7))


def utc(written: str) -> int:
    """Minutes of a UTC time such as `2027-03-28 01:00`."""
    return to_minutes(datetime.fromisoformat(f"{written}+00:00"))


def span(text: str) -> Interval:
    """An interval in UTC, such as `2027-03-28 00:30/01:30`, with one date."""
    day, _, hours = text.partition(" ")
    start, _, end = hours.partition("/")
    return Interval(utc(f"{day} {start}"), utc(f"{day} {end}"))


def clock_hours(text: str) -> tuple[int, int]:
    """Minutes of the day of hours such as `09:00-17:00`."""
    start, end = (int(time[:2]) * 60 + int(time[3:]) for time in text.split("-"))
    return start, end


# Worked by hand. Berlin: 28 March 2027 02:00 becomes 03:00, 31 October 03:00 becomes 02:00, both at 01:00 UTC.
# Lord Howe: 4 April 2027 02:00 (+11:00) becomes 01:30 (+10:30). St John's: 7 November 2010 00:01 (-02:30) becomes
# 23:01 of the 6th (-03:30). Apia: 29 December 2011 is followed by the 31st.
@pytest.mark.parametrize(
    ("zone", "first", "last", "hours", "days", "expected"),
    [
        ("Europe/Berlin", "2027-03-27 23:00", "2027-03-28 22:00", "02:00-03:00", every_day, []),
        ("Europe/Berlin", "2027-03-27 23:00", "2027-03-28 22:00", "02:30-03:30", every_day, ["2027-03-28 01:00/01:30"]),
        ("Europe/Berlin", "2027-03-27 23:00", "2027-03-28 22:00", "01:30-03:30", every_day, ["2027-03-28 00:30/01:30"]),
        ("Europe/Berlin", "2027-10-30 22:00", "2027-10-31 23:00", "02:00-03:00", every_day, ["2027-10-31 00:00/02:00"]),
        (
            "Europe/Berlin",
            "2027-10-30 22:00",
            "2027-10-31 23:00",
            "02:15-02:45",
            every_day,
            ["2027-10-31 00:15/00:45", "2027-10-31 01:15/01:45"],
        ),
        ("Europe/Berlin", "2027-10-30 22:00", "2027-10-31 23:00", "02:15-02:45", (0, 1, 2, 3, 4, 5), []),
        ("Europe/Berlin", "2027-02-07 23:00", "2027-02-09 23:00", "09:00-10:00", (0,), ["2027-02-08 08:00/09:00"]),
        ("Europe/Berlin", "2027-02-08 08:20", "2027-02-08 08:40", "09:00-10:00", (0,), ["2027-02-08 08:20/08:40"]),
        ("Europe/Berlin", "2027-02-08 09:00", "2027-02-08 10:00", "09:00-10:00", (0,), []),
        (
            "Australia/Lord_Howe",
            "2027-04-03 13:00",
            "2027-04-04 13:30",
            "01:30-02:00",
            every_day,
            ["2027-04-03 14:30/15:30"],
        ),
        (
            "America/St_Johns",
            "2010-11-07 00:00",
            "2010-11-07 12:00",
            "23:30-24:00",
            (5,),
            ["2010-11-07 02:00/02:30", "2010-11-07 03:00/03:30"],
        ),
        (
            "America/St_Johns",
            "2010-11-07 00:00",
            "2010-11-07 12:00",
            "00:00-01:00",
            (6,),
            ["2010-11-07 02:30/02:31", "2010-11-07 03:30/04:30"],
        ),
        ("Pacific/Apia", "2011-12-28 10:00", "2012-01-01 10:00", "00:00-24:00", (4,), []),
    ],
)
def test_hours_across_changes_of_offset(
    zone: str, first: str, last: str, hours: str, days: tuple[int, ...], expected: list[str]
) -> None:
    """An hour that a change skips has no instants, one that it repeats has two."""
    actual = list(daily_spans(Interval(utc(first), utc(last)), ZoneInfo(zone), *clock_hours(hours), days))

    assert [span(text) for text in expected] == actual


def test_days_that_touch_stay_apart() -> None:
    """Two whole days are two intervals, for a meeting lies inside hours of one date."""
    two_days = Interval(utc("2027-02-07 23:00"), utc("2027-02-09 23:00"))
    middle = utc("2027-02-08 23:00")
    expected = [Interval(two_days.start, middle), Interval(middle, two_days.end)]

    assert expected == list(daily_spans(two_days, ZoneInfo("Europe/Berlin"), 0, DAY))


def test_segments_of_a_change() -> None:
    """A span is cut at the very minute of the change, and nowhere else."""
    day = Interval(utc("2027-03-27 23:00"), utc("2027-03-28 22:00"))
    change = utc("2027-03-28 01:00")
    berlin = ZoneInfo("Europe/Berlin")

    assert [(day.start, change, 60), (change, day.end, 120)] == [*segments(day, berlin)]
    assert [(change, day.end, 120)] == [*segments(Interval(change, day.end), berlin)]
    assert [(day.start, change, 60)] == [*segments(Interval(day.start, change), berlin)]
    assert [] == [*segments(Interval(change, change), berlin)]


@pytest.mark.parametrize(
    ("zone", "first", "last", "count"),
    [
        ("Europe/Berlin", "2027-03-27 23:00", "2027-03-28 22:00", 92),
        ("Europe/Berlin", "2027-10-30 22:00", "2027-10-31 23:00", 100),
        ("Australia/Lord_Howe", "2027-04-03 13:00", "2027-04-04 13:30", 98),
        ("Europe/Berlin", "2027-02-08 08:01", "2027-02-08 08:15", 0),
        ("Europe/Berlin", "2027-02-08 08:01", "2027-02-08 08:16", 1),
        ("Asia/Kathmandu", "2027-02-08 00:00", "2027-02-08 01:00", 4),
    ],
)
def test_quarters_of_days(zone: str, first: str, last: str, count: int) -> None:
    """A day of 23 hours has 92 starts, one of 25 hours 100, and the last minute of a span is not in it."""
    assert count == grid(Interval(utc(first), utc(last)), ZoneInfo(zone)).bit_count()


def test_grid_off_the_quarters_of_utc() -> None:
    """Singapore kept +07:20 in 1936: its quarters are 10, 25, 40 and 55 past the hours of UTC."""
    hour = Interval(utc("1936-02-01 00:00"), utc("1936-02-01 01:00"))

    assert [10, 25, 40, 55] == list(members(grid(hour, ZoneInfo("Asia/Singapore"))))


story = st.builds(
    lambda start, length: (start, length),
    st.integers(-DAY // 2, DAY),
    st.one_of(st.integers(0, 60), st.integers(DAY // 2, 3 * DAY)),
)


def placed(clock: Clock, start: int, length: int) -> Interval:
    first = to_minutes(clock.at(start))
    return Interval(first, first + length)


@examples(100)
@given(clocks(), story)
def test_grid_is_what_the_wall_clock_shows(clock: Clock, place: tuple[int, int]) -> None:
    """An instant is on the grid just if the wall clock shows a quarter of an hour."""
    within = placed(clock, *place)
    expected = [minute - within.start for minute in range(*within) if wall_clock(minute, clock.zone)[1] % 15 == 0]

    assert expected == list(members(grid(within, clock.zone)))


@examples(100)
@given(
    clocks(),
    story,
    st.one_of(st.integers(0, 240), st.integers(0, DAY - 1)).flatmap(
        lambda start: st.tuples(st.just(start), st.integers(start + 1, DAY))
    ),
    st.sets(st.integers(0, 6), min_size=1).map(tuple),
)
def test_daily_spans_are_what_the_wall_clock_shows(
    clock: Clock, place: tuple[int, int], hours: tuple[int, int], days: tuple[int, ...]
) -> None:
    """An instant is in just if the wall clock shows the hours on one of the days; each interval is of one date."""
    within = placed(clock, *place)
    expected = [minute - within.start for minute in range(*within) if inside_hours(minute, clock.zone, *hours, days)]
    found = list(daily_spans(within, clock.zone, *hours, days))

    assert expected == list(members(paint(found, within)))
    assert len(expected) == sum(end - start for start, end in found)
    assert all(wall_clock(start, clock.zone)[0] == wall_clock(end - 1, clock.zone)[0] for start, end in found)

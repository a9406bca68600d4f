"""What each rule means, minute by minute and instant by instant, with no regard to speed."""

from collections.abc import Iterator
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo

from mpcbench.oracle.interval import to_datetime, to_minutes
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    Problem,
    RoomOption,
    Rule,
    StartsFrom,
)
from mpcbench.schema import Order
from mpcbench.schema.interval import Interval

MONDAY = to_minutes(datetime.fromisoformat("2027-02-08T00:00+01:00"))
"""Midnight in Berlin."""

BERLIN = ZoneInfo("Europe/Berlin")


def problem(*, window: Interval | None = None, zone: tzinfo = BERLIN, duration: int = 60, count: int = 2) -> Problem:
    """A plain problem of level 1: 8 February 2027 in Berlin, an hour, no constraint."""
    return Problem(
        level=1,
        zone=zone,
        participants=("p1",),
        window=Interval(MONDAY, MONDAY + 1440) if window is None else window,
        daily=None,
        duration=duration,
        count=count,
        constraints=(),
        rooms=None,
        order=Order.EARLIEST,
        tie_break=(),
    )


def room(room_id: str, *bookings: Interval, name: str = "Ash", floor: int = 0, capacity: int = 4) -> RoomOption:
    """A room in Harbour with a projector."""
    return RoomOption(
        room_id=room_id,
        name=name,
        site="Harbour",
        floor=floor,
        capacity=capacity,
        equipment=frozenset({"projector"}),
        bookings=bookings,
    )


def wall_clock(instant: int, zone: tzinfo) -> tuple[date, int]:
    """The local date and the minute of its day that the clock shows."""
    local = to_datetime(instant, zone)
    return local.date(), local.hour * 60 + local.minute


def allows(rule: Rule, slot: Interval, problem: Problem) -> bool:
    """Whether a slot fulfils one rule of a problem."""
    minutes = range(slot.start, slot.end)
    match rule:
        case Busy(events=events):
            return not any(event.start < slot.end and slot.start < event.end for event in events)
        case Buffer(minutes=margin):
            return all(event.end + margin <= slot.start or slot.end + margin <= event.start for event in busy(problem))
        case InsideHours(start=start, end=end, days=days):
            return (
                all(inside_hours(minute, problem.zone, start, end, days) for minute in minutes)
                and len({wall_clock(minute, problem.zone)[0] for minute in minutes}) == 1
            )
        case OutsideHours(start=start, end=end, days=days):
            return not any(inside_hours(minute, problem.zone, start, end, days) for minute in minutes)
        case Inside(spans=spans):
            return any(span.start <= slot.start and slot.end <= span.end for span in spans)
        case Outside(span=span):
            return slot.end <= span.start or span.end <= slot.start
        case StartsFrom(instant=instant):
            return slot.start >= instant
        case EndsBy(instant=instant):
            return slot.end <= instant


def busy(problem: Problem) -> Iterator[Interval]:
    """Every busy event."""
    for constraint in problem.constraints:
        if isinstance(constraint.rule, Busy):
            yield from constraint.rule.events


def inside_hours(instant: int, zone: tzinfo, start: int, end: int, days: tuple[int, ...]) -> bool:
    """Whether the wall clock shows these hours of one of these weekdays."""
    day, minute = wall_clock(instant, zone)
    return day.weekday() in days and start <= minute < end

"""Misread conditions of time: limits, blocked and wanted times, the window, the length."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Kind, Request
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours, Moment
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import (
    DAY,
    HOUR,
    WITH_ROOMS,
    WITH_THREADS,
    agent,
    clock,
    every,
    first_said,
    heard,
    lines,
    recalled,
)

_WRONG: Final = "integration.value_wrong"
_OMITTED: Final = "integration.constraint_omitted"
_BROKEN: Final = "observed.condition_broken"
_PASSED: Final = "observed.passed_over"
_ONE_DAY: Final = timedelta(days=1)


def _deadline(change: Callable[[Moment], Moment]) -> Plan:
    return recalled(lambda one: one if one.deadline is None else replace(one, deadline=change(one.deadline)))


def _not_before(change: Callable[[Moment], Moment]) -> Plan:
    return recalled(lambda one: one if one.not_before is None else replace(one, not_before=change(one.not_before)))


def _days(change: Callable[[Days], Days]) -> Plan:
    def changed(request: Request) -> Request:
        assert request.window is not None
        return replace(request, window=request.window._replace(days=change(request.window.days)))

    return recalled(changed)


def _hours(change: Callable[[Hours], Hours | None]) -> Plan:
    def changed(request: Request) -> Request:
        window = request.window
        if window is None or window.hours is None:
            return request
        return replace(request, window=window._replace(hours=change(window.hours)))

    return recalled(changed)


def _ban_wanted(request: Request) -> Request:
    return replace(request, bans=[], required=[*request.required, *request.bans])


def _wanted_banned(request: Request) -> Request:
    return replace(request, required=[], bans=[*request.bans, *request.required])


def _start_in_hours(mind: Mind, facts: Facts) -> list[Option]:
    """The end of the daily hours is compared with starts."""
    window, length = facts.request.window, facts.request.length or 0
    assert window is not None
    if window.hours is not None:
        mind.note(daily_hours="compared with starts")
        longer = window._replace(hours=Hours(window.hours.start, window.hours.end + length - 15))
        facts = replace(facts, request=replace(facts.request, window=longer))
    return every(facts)[: facts.request.count]


def _after_its_start(mind: Mind, facts: Facts) -> Facts:
    starts = [min((one.start for one in _ending(facts, end)), default=end - HOUR) for end in facts.after]
    if starts:
        mind.note(after=[str(clock(one, facts)) for one in starts])
    return replace(facts, after=starts)


def _ending(facts: Facts, end: int) -> list[Busy]:
    return [one for entries in facts.calendars.values() for one in entries if one.end == end]


def _day_early(option: Option) -> Option:
    return option._replace(start=option.start - _ONE_DAY, end=option.end - _ONE_DAY)


def _month_and_day(option: Option) -> Option:
    start, end = option.start, option.end
    if start.day > 12:
        return option
    return option._replace(
        start=start.replace(month=start.day, day=start.month), end=end.replace(month=end.day, day=end.month)
    )


def _one_clock_in_utc(mind: Mind, facts: Facts) -> Facts:
    """The times of the first calendar are noted without their offset and read as UTC."""
    owner, *_ = facts.calendars
    moved = []
    for one in facts.calendars[owner]:
        offset = clock(one.start, facts).utcoffset() or timedelta(0)
        by = offset // timedelta(minutes=1) or HOUR
        moved.append(one._replace(start=one.start + by, end=one.end + by))
    mind.note(record=mind.calendar_record(owner), read_as="UTC")
    return replace(facts, calendars={**facts.calendars, owner: moved})


AGENTS = (
    agent(
        "deadline-day-counts",
        "Takes a deadline for the end of its day",
        _deadline(lambda one: replace(one, minute=DAY)),
        f"{_WRONG}:deadline",
        also=(f"{_OMITTED}:deadline", f"{_BROKEN}:deadline"),
        why="The hour of the deadline is lost.",
        levels=(2,),
    ),
    agent(
        "deadline-day-before",
        "Takes a deadline for the beginning of its day",
        _deadline(lambda one: replace(one, minute=0)),
        f"{_WRONG}:deadline",
        also=(_PASSED,),
        why="A deadline on a day is read as one before the day.",
        levels=(2,),
    ),
    agent(
        "not-before-its-day",
        "Takes the earliest start for the beginning of its day",
        _not_before(lambda one: replace(one, minute=0)),
        f"{_WRONG}:not_before",
        also=(f"{_OMITTED}:not_before", f"{_BROKEN}:not_before"),
        why="The hour of the earliest start is lost.",
        levels=WITH_THREADS,
    ),
    agent(
        "not-before-next-day",
        "Takes the earliest start for the day after",
        _not_before(lambda one: Moment(one.day + _ONE_DAY, 0)),
        f"{_WRONG}:not_before",
        also=(_PASSED,),
        why="Not before a time on a day is read as after that day.",
        levels=WITH_THREADS,
    ),
    agent(
        "ban-wanted",
        "Takes a blocked time for the only one that is possible",
        recalled(_ban_wanted),
        *(f"{_OMITTED}:ban_window", f"{_WRONG}:ban_window", f"{_WRONG}:required_window"),
        also=(f"{_BROKEN}:ban_window",),
        why="A negation is lost, so that all options lie in the blocked time, or there are none.",
        levels=WITH_THREADS,
    ),
    agent(
        "wanted-banned",
        "Takes times that are wanted for blocked ones",
        recalled(_wanted_banned),
        *(f"{_OMITTED}:required_window", f"{_WRONG}:required_window", f"{_WRONG}:ban_window"),
        also=(f"{_BROKEN}:required_window",),
        why="A negation is read that is not there, so that all options lie outside the wanted times.",
        levels=WITH_ROOMS,
    ),
    agent(
        "first-wanted-only",
        "Remembers only the first of several wanted times",
        recalled(lambda one: replace(one, required=one.required[:1])),
        f"{_WRONG}:required_window",
        also=(_PASSED, "integration.count:too_few", "observed.wrong_number"),
        why="Of several times that would do, one is considered.",
        levels=WITH_ROOMS,
    ),
    agent(
        "after-its-start",
        "Lets the meeting begin when the event that it has to wait for begins",
        Plan(facts=_after_its_start),
        f"{_WRONG}:after_event",
        also=(f"{_OMITTED}:after_event", f"{_BROKEN}:after_event"),
        why="The start of the event is taken for its end.",
        levels=WITH_ROOMS,
    ),
    agent(
        "first-length",
        "Keeps the length that was said first",
        first_said(Kind.LENGTH),
        f"{_WRONG}:duration",
        why="A value that was corrected later is used.",
        levels=WITH_THREADS,
    ),
    agent(
        "length-of-an-hour",
        "Plans one hour, whatever length is said",
        heard(lambda one: replace(one, length=60)),
        f"{_WRONG}:duration",
        why="A usual length is assumed.",
    ),
    agent(
        "length-without-quarter",
        "Drops the odd quarter of an hour of a length",
        heard(lambda one: replace(one, length=max(15, (one.length or 0) // 30 * 30))),
        f"{_WRONG}:duration",
        why="The length is rounded.",
    ),
    agent(
        "window-without-last-day",
        "Takes the last day of the window as excluded",
        _days(lambda one: Days(one.first, one.last - _ONE_DAY)),
        f"{_WRONG}:window",
        also=(_PASSED, "integration.count:too_few"),
        why="The end of the window is one day early.",
    ),
    agent(
        "daily-hours-minus-ten",
        "Adds ten instead of twelve to the hour at which the daily hours end",
        _hours(lambda one: Hours(one.start, one.end - 2 * HOUR)),
        f"{_WRONG}:daily_hours",
        also=("integration.constraint_added:office_hours", _PASSED),
        why="A slip between 12-hour and 24-hour times.",
    ),
    agent(
        "daily-hours-lost",
        "Forgets the daily hours of the window",
        _hours(lambda _: None),
        f"{_OMITTED}:daily_hours",
        also=(f"{_WRONG}:daily_hours", f"{_BROKEN}:daily_hours"),
        why="A condition of the task is dropped.",
    ),
    agent(
        "daily-hours-for-starts",
        "Lets options start until the end of the daily hours",
        Plan(choose=_start_in_hours),
        "integration.starts_only:daily_hours",
        also=(f"{_WRONG}:daily_hours", f"{_OMITTED}:daily_hours", f"{_BROKEN}:daily_hours"),
        why="The start is compared with the daily hours, not the end.",
    ),
    agent(
        "one-clock-in-utc",
        "Reads the times of the first calendar as UTC, or an hour off where they are",
        Plan(facts=_one_clock_in_utc),
        f"{_WRONG}:clock",
        also=("integration.record_misread:event", "integration.record_overlooked:event", f"{_OMITTED}:busy"),
        why="All events of one participant are some hours off.",
    ),
    agent(
        "all-a-day-early",
        "Writes all dates a day early",
        lines(_day_early),
        f"{_WRONG}:day",
        also=("integration.candidate_slip:day",),
        why="The options are right but for one and the same day.",
    ),
    agent(
        "months-for-days",
        "Swaps day and month in all dates where this gives a date",
        lines(_month_and_day),
        *(f"{_WRONG}:day_and_month", "integration.candidate_slip:day_and_month"),
        also=("integration.candidate_slip",),
        why="Dates are written in the other order; where only one of the options has such a day, one is off.",
    ),
)

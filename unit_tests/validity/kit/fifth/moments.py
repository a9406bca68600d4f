"""Conditions of time that were read and are taken for others: limits, blocked times, the window, length and number."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts, Request
from mpcbench.benchmark.agents.reference.grammar_policy import OutsideHours
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Days, Hours, Moment, Span
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fifth.step import (
    ADDED,
    BROKEN,
    NUMBER,
    OMITTED,
    PART,
    PASSED,
    TOO_FEW,
    TOO_MANY,
    WEEK,
    WRONG,
    agent,
)
from unit_tests.validity.kit.fourth.step import HOUR, WITH_ROOMS, WITH_THREADS, heard, lines, recalled
from unit_tests.validity.kit.third.steps import remembered

_DAY: Final = timedelta(days=1)
_COUNT: Final = f"{WRONG}:option_count"


def _not_before(change: Callable[[Moment, Request], Moment]) -> Plan:
    return recalled(lambda one: one if one.not_before is None else replace(one, not_before=change(one.not_before, one)))


def _length_earlier(moment: Moment, request: Request) -> Moment:
    minute = moment.minute - (request.length or 0)
    return Moment(moment.day, minute) if minute >= 0 else Moment(moment.day - _DAY, minute + MINUTES_PER_DAY)


def _as_deadline(request: Request) -> Request:
    if request.not_before is None or request.deadline is not None:
        return request
    return replace(request, not_before=None, deadline=request.not_before)


def _bans(change: Callable[[Span], Span]) -> Plan:
    return recalled(lambda one: replace(one, bans=[change(span) for span in one.bans]))


def _hour_short(span: Span) -> Span:
    return Span(span.start, replace(span.end, minute=max(0, span.end.minute - HOUR)))


def _day_early(span: Span) -> Span:
    return Span(*(replace(moment, day=moment.day - _DAY) for moment in (span.start, span.end)))


def _every_week(mind: Mind, facts: Facts) -> Facts:
    """A time that is ruled out once is ruled out in every week."""
    once = [span for span in facts.request.bans if span.start.day == span.end.day]
    blocks = [
        OutsideHours(Hours(span.start.minute, span.end.minute), frozenset({span.start.day.weekday()})) for span in once
    ]
    mind.note(weekly=[str(block) for block in blocks])
    return replace(facts, rules=[*facts.rules, *blocks])


def _week_late(request: Request) -> Request:
    assert request.window is not None
    first, last = request.window.days
    return replace(request, window=request.window._replace(days=Days(first + WEEK, last + WEEK)))


def _daily(change: Callable[[Hours], Hours]) -> Plan:
    def changed(request: Request) -> Request:
        window = request.window
        if window is None or window.hours is None:
            return request
        return replace(request, window=window._replace(hours=change(window.hours)))

    return recalled(changed)


def _break_after(mind: Mind, facts: Facts) -> Facts:
    """Half an hour more is waited after the event."""
    if facts.after:
        mind.note(waits="half an hour more")
    return replace(facts, after=[end + HOUR // 2 for end in facts.after])


AGENTS = (
    agent(
        "earliest-start-day-early",
        "Reads the earliest start a day early",
        _not_before(lambda moment, _: replace(moment, day=moment.day - _DAY)),
        f"{WRONG}:not_before",
        also=(f"{OMITTED}:not_before", f"{BROKEN}:not_before"),
        why="The day of the earliest start is misread.",
        levels=WITH_THREADS,
    ),
    agent(
        "earliest-start-for-ends",
        "Compares the earliest start with the end of an option",
        _not_before(_length_earlier),
        f"{WRONG}:not_before",
        also=(f"{OMITTED}:not_before", f"{BROKEN}:not_before"),
        why="The meeting may begin before the earliest start, as long as it does not end before it.",
        levels=WITH_THREADS,
    ),
    agent(
        "earliest-start-as-deadline",
        'Reads "no earlier than" a time as "no later than" it',
        recalled(_as_deadline),
        *(f"{OMITTED}:not_before", f"{WRONG}:not_before", f"{WRONG}:deadline"),
        also=(f"{BROKEN}:not_before", f"{ADDED}:deadline", NUMBER),
        why="The limit is turned round: everything lies before it, or nothing is left.",
        levels=WITH_THREADS,
    ),
    agent(
        "deadline-week-early",
        "Reads the deadline a week early",
        recalled(
            lambda one: (
                one
                if one.deadline is None
                else replace(one, deadline=replace(one.deadline, day=one.deadline.day - WEEK))
            )
        ),
        f"{WRONG}:deadline",
        also=(PASSED, TOO_FEW, NUMBER),
        why="The date of the deadline is misread.",
        levels=(2,),
    ),
    agent(
        "ban-hour-short",
        "Takes a time that is ruled out to end an hour early",
        _bans(_hour_short),
        f"{WRONG}:ban_window",
        also=(f"{OMITTED}:ban_window", f"{BROKEN}:ban_window"),
        why="The end of the time that is ruled out is misread.",
        levels=WITH_THREADS,
    ),
    agent(
        "ban-day-early",
        "Takes a time that is ruled out for the same time of the day before",
        _bans(_day_early),
        f"{WRONG}:ban_window",
        also=(f"{OMITTED}:ban_window", f"{BROKEN}:ban_window"),
        why="The date of the time that is ruled out is misread.",
        levels=WITH_THREADS,
    ),
    agent(
        "ban-every-week",
        "Takes a time that is ruled out once for one that is ruled out every week",
        remembered(_every_week),
        *(f"{WRONG}:ban_window", f"{ADDED}:ban_dow_time"),
        also=(ADDED, PASSED),
        why="The time is ruled out on one day, and kept free on the same weekday of other weeks, too.",
        levels=WITH_THREADS,
    ),
    agent(
        "window-week-late",
        "Takes the window to open and close a week late",
        heard(_week_late),
        *(f"{WRONG}:window", f"{PART}:calendar", f"{PART}:room_calendar"),
        also=(PART, PASSED, NUMBER),
        why="The dates of the window are misread, so that the calendars of its first week are not fetched either.",
    ),
    agent(
        "daily-hours-begin-early",
        "Reads the beginning of the daily hours an hour early",
        _daily(lambda hours: Hours(hours.start - HOUR, hours.end)),
        f"{WRONG}:daily_hours",
        also=(f"{OMITTED}:daily_hours", f"{BROKEN}:daily_hours"),
        why="One end of the daily hours is misread.",
    ),
    agent(
        "daily-hours-begin-late",
        "Reads the beginning of the daily hours two hours late",
        _daily(lambda hours: Hours(hours.start + 2 * HOUR, hours.end)),
        f"{WRONG}:daily_hours",
        also=(f"{ADDED}:office_hours", PASSED, NUMBER),
        why="One end of the daily hours is misread.",
    ),
    agent(
        "ends-five-minutes-early",
        "Lets every option end five minutes early, so that people can walk to their next meeting",
        lines(lambda option: option._replace(end=option.end - timedelta(minutes=5))),
        f"{WRONG}:duration",
        also=("integration.candidate_slip",),
        why="The options are shorter than asked for.",
    ),
    agent(
        "as-many-as-people",
        "Gives as many options as there are participants",
        recalled(lambda one: replace(one, count=len(one.people))),
        *("integration.count", TOO_FEW, TOO_MANY, _COUNT),
        also=(NUMBER,),
        why="Another number in the request is taken for the number of options.",
    ),
    agent(
        "four-at-most",
        "Gives no more than four options",
        recalled(lambda one: replace(one, count=min(one.count or 0, 4))),
        *(TOO_FEW, _COUNT),
        also=(NUMBER,),
        why="The best options are given, and fewer than asked for.",
    ),
    agent(
        "twice-as-many",
        "Gives twice as many options as asked for",
        recalled(lambda one: replace(one, count=2 * (one.count or 0))),
        *(TOO_MANY, _COUNT),
        also=(NUMBER,),
        why="All that is asked for is right, and as many more are given.",
    ),
    agent(
        "break-after-event",
        "Waits half an hour more after the event that has to end first",
        remembered(_break_after),
        f"{WRONG}:after_event",
        also=(PASSED,),
        why="The end of the event is taken for later than it is.",
        levels=WITH_ROOMS,
    ),
)

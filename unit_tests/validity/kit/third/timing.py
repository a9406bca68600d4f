"""Dates, times and lengths that were read and then taken for others."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Kind
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours, Moment, Span
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.third.steps import (
    DAY,
    HOUR,
    NOON,
    QUARTER,
    Step,
    end_of_day,
    events,
    limits,
    remembered,
    start_of_day,
    used,
)
from unit_tests.validity.kit.tools import all_options, at, iso, length_of, local, top, with_request

_MONDAY = 0


def _in_the_morning(moment: Moment) -> Moment:
    return replace(moment, minute=moment.minute - NOON) if moment.minute >= NOON + HOUR else moment


def _a_week_later(moment: Moment) -> Moment:
    return replace(moment, day=moment.day + 7 * DAY)


def _a_day_later(moment: Moment) -> Moment:
    return replace(moment, day=moment.day + DAY)


def _days(change: Step) -> Plan:
    return remembered(change)


def _two_weeks(mind: Mind, facts: Facts) -> Facts:
    """Looks at the first fourteen days of the window only."""
    return _with_days(mind, facts, last=_window(facts).first + 13 * DAY)


def _one_month(mind: Mind, facts: Facts) -> Facts:
    """Stops at the end of the month in which the window begins."""
    first = _window(facts).first
    return _with_days(mind, facts, last=(first.replace(day=1) + timedelta(days=32)).replace(day=1) - DAY)


def _from_monday(mind: Mind, facts: Facts) -> Facts:
    """Begins with the first Monday of the window."""
    first = _window(facts).first
    return _with_days(mind, facts, first=first + (_MONDAY - first.weekday()) % 7 * DAY)


def _window(facts: Facts) -> Days:
    assert facts.request.window is not None
    return facts.request.window.days


def _with_days(mind: Mind, facts: Facts, first: date | None = None, last: date | None = None) -> Facts:
    days, window = _window(facts), facts.request.window
    assert window is not None
    changed = Days(max(days.first, first or days.first), min(days.last, last or days.last))
    return used(mind, facts, Kind.WINDOW, window=window._replace(days=changed))


def _hours(low: int, high: int) -> Step:
    """Takes other daily hours: minutes are rounded up to multiples of the first, down to multiples of the second."""

    def step(mind: Mind, facts: Facts) -> Facts:
        window = facts.request.window
        assert window is not None
        if window.hours is None:
            return facts
        hours = Hours(-(-window.hours.start // low) * low, window.hours.end // high * high)
        return used(mind, facts, Kind.WINDOW, window=window._replace(hours=hours))

    return step


def _end_read_as_24_hours(mind: Mind, facts: Facts) -> Facts:
    """Reads an end such as 6:30 pm as 16:30, by writing a 1 before the digit."""
    window = facts.request.window
    assert window is not None
    if window.hours is None or not NOON < window.hours.end < 22 * HOUR:
        return facts
    hours = window.hours._replace(end=window.hours.end - 2 * HOUR)
    return used(mind, facts, Kind.WINDOW, window=window._replace(hours=hours))


def _whole_half_hours(mind: Mind, facts: Facts) -> Facts:
    """Takes a length such as 45 minutes for the next half hour."""
    return used(mind, facts, Kind.LENGTH, length=-(-length_of(facts.request) // 30) * 30)


def _first_length(mind: Mind, facts: Facts) -> Facts:
    """Keeps the length that was said first, though somebody has changed it since."""
    said = [heard.value for heard, _ in mind.said if heard.kind is Kind.LENGTH]
    return used(mind, facts, Kind.LENGTH, length=said[0] if said else facts.request.length)


def _checked_short(_: Mind, facts: Facts) -> list[Option]:
    """Checks all but the last quarter of an hour of each option."""
    whole = length_of(facts.request)
    short = with_request(facts, length=max(QUARTER, whole - QUARTER))
    missing = whole - length_of(short.request)

    def longer() -> Iterator[Option]:
        for option in all_options(short):
            end = int(option.end.timestamp()) // 60 + missing
            yield option._replace(end=local(end, facts.zone))

    return top(facts, longer())


def _without_clock_change(event: Busy, facts: Facts) -> Busy:
    """Keeps the offset of the window's first day after the clocks have changed."""
    before = at(Moment(_window(facts).first, 0), facts.zone)
    offsets = [local(minute, facts.zone).utcoffset() or timedelta() for minute in (before, event.start)]
    shift = (offsets[1] - offsets[0]) // timedelta(minutes=1)
    return event._replace(start=event.start + shift, end=event.end + shift)


def _event_hour_early(mind: Mind, facts: Facts) -> Facts:
    """Reads the end of the event that has to come first an hour early."""
    ends = [end - HOUR for end in facts.after]
    if ends != facts.after:
        mind.note(right=[iso(end) for end in facts.after], used=[iso(end) for end in ends])
    return replace(facts, after=ends)


def _first_half(span: Span, facts: Facts) -> Span:
    low, high = (at(moment, facts.zone) for moment in (span.start, span.end))
    middle = local((low + high) // 2 // QUARTER * QUARTER, facts.zone)
    return Span(span.start, Moment(middle.date(), middle.hour * HOUR + middle.minute))


def _half_bans(mind: Mind, facts: Facts) -> Facts:
    """Keeps only the first half of a time that is ruled out free."""
    return used(mind, facts, Kind.BAN, bans=[_first_half(span, facts) for span in facts.request.bans])


def _ban_as_requirement(mind: Mind, facts: Facts) -> Facts:
    """Takes a time that is ruled out for the one time that is possible."""
    bans = facts.request.bans
    if not bans or facts.request.required:
        return facts
    return with_request(used(mind, facts, Kind.BAN, bans=bans[1:]), required=bans[:1])


def _first_required(mind: Mind, facts: Facts) -> Facts:
    """Forgets all but the first of the times that are possible."""
    return used(mind, facts, Kind.REQUIRED, required=facts.request.required[:1])


def _hull_of_required(mind: Mind, facts: Facts) -> Facts:
    """Takes several possible times for one from the start of the first to the end of the last."""
    spans = facts.request.required
    if len(spans) < 2:
        return facts
    first = min(spans, key=lambda span: at(span.start, facts.zone))
    last = max(spans, key=lambda span: at(span.end, facts.zone))
    return used(mind, facts, Kind.REQUIRED, required=[Span(first.start, last.end)])


_agent = partial(flawed, lead="The statement with the value used")

_VALUE = "integration.value_wrong"
_OMITTED = "integration.constraint_omitted"
_LIMITS = (f"{_VALUE}:deadline", f"{_VALUE}:not_before")
_DAILY = (f"{_VALUE}:daily_hours", f"{_VALUE}:window")

AFTERNOON_LIMIT = limits(_in_the_morning, _in_the_morning)
NEXT_WEEK = limits(None, _a_week_later)
WHOLE_DAYS = limits(end_of_day, start_of_day)
TWO_WEEKS = _days(_two_weeks)
FROM_MONDAY = _days(_from_monday)
DAILY_END = remembered(_end_read_as_24_hours)
HALF_HOURS_LONG = remembered(_whole_half_hours)
FIRST_LENGTH = remembered(_first_length)
HALF_BANS = remembered(_half_bans)

AGENTS = (
    _agent(
        "k4-afternoon-limit-as-morning",
        "Reads an afternoon deadline or earliest start without its p.m.",
        AFTERNOON_LIMIT,
        _LIMITS,
        f"{_OMITTED}:not_before",
        levels=(2, 3),
    ),
    _agent(
        "k4-earliest-start-next-week",
        "Takes the day of the earliest start for the same weekday of the week after.",
        NEXT_WEEK,
        (f"{_VALUE}:not_before",),
        levels=(2, 3),
    ),
    _agent(
        "k4-deadline-a-day-late",
        "Takes a deadline for the same time on the day after.",
        limits(_a_day_later, None),
        (f"{_VALUE}:deadline",),
        f"{_OMITTED}:deadline",
        levels=(2,),
    ),
    _agent(
        "k4-limits-without-times",
        "Keeps the day of a deadline or of an earliest start and loses its time.",
        WHOLE_DAYS,
        _LIMITS,
        f"{_OMITTED}:not_before",
        f"{_OMITTED}:deadline",
        levels=(2, 3),
    ),
    _agent(
        "k4-window-two-weeks", _two_weeks.__doc__ or "", TWO_WEEKS, (f"{_VALUE}:window",), "integration.count:too_few"
    ),
    _agent("k4-window-to-month-end", _one_month.__doc__ or "", _days(_one_month), (f"{_VALUE}:window",)),
    _agent("k4-window-from-monday", _from_monday.__doc__ or "", FROM_MONDAY, (f"{_VALUE}:window",)),
    _agent(
        "k4-daily-hours-to-full-hours",
        "Rounds the daily hours of the window inwards to full hours.",
        remembered(_hours(HOUR, HOUR)),
        _DAILY,
    ),
    _agent("k4-daily-end-two-hours-early", _end_read_as_24_hours.__doc__ or "", DAILY_END, _DAILY),
    _agent(
        "k4-length-to-half-hour",
        _whole_half_hours.__doc__ or "",
        HALF_HOURS_LONG,
        (f"{_VALUE}:duration",),
    ),
    _agent("k4-length-unamended", _first_length.__doc__ or "", FIRST_LENGTH, (f"{_VALUE}:duration",), levels=(2, 3)),
    _agent(
        "k4-last-quarter-unchecked",
        _checked_short.__doc__ or "",
        Plan(choose=_checked_short),
        (),
        "integration.starts_only",
        f"{_VALUE}:duration",
        "integration.record_misread:event",
        "observed.condition_broken",
    ),
    _agent(
        "k4-clock-change-missed",
        "Reads events after a change of the clocks with the offset of the days before.",
        events(_without_clock_change),
        (f"{_VALUE}:clock", f"{_VALUE}:offset", "integration.record_misread:event"),
        "integration.record_overlooked:event",
    ),
    _agent(
        "k4-event-ends-hour-early",
        _event_hour_early.__doc__ or "",
        remembered(_event_hour_early),
        (f"{_VALUE}:after_event",),
        f"{_OMITTED}:after_event",
        levels=(3,),
    ),
    _agent(
        "k4-ban-halved",
        _half_bans.__doc__ or "",
        HALF_BANS,
        (f"{_VALUE}:ban_window",),
        f"{_OMITTED}:ban_window",
        levels=(2, 3),
    ),
    _agent(
        "k4-ban-as-requirement",
        _ban_as_requirement.__doc__ or "",
        remembered(_ban_as_requirement),
        (f"{_VALUE}:ban_window",),
        f"{_OMITTED}:ban_window",
        levels=(2, 3),
    ),
    _agent(
        "k4-required-first-only",
        _first_required.__doc__ or "",
        remembered(_first_required),
        (f"{_VALUE}:required_window", f"{_OMITTED}:required_window"),
        levels=(3,),
    ),
    _agent(
        "k4-required-as-one-span",
        _hull_of_required.__doc__ or "",
        remembered(_hull_of_required),
        (f"{_VALUE}:required_window",),
        f"{_OMITTED}:required_window",
        levels=(3,),
    ),
)
"""The agents of this module."""

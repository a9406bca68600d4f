"""Flaws in the event to wait for and in the days of the window."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

from mpcbench.benchmark.agents.reference.desk import busy_of
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Kind
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Days, Moment
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.tools import at, iso, local, with_request

_DAY = timedelta(days=1)


def _after(change: Callable[[int, int, Facts], int]) -> Plan:
    """The event to wait for is taken to allow another earliest start; given are its start and end."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        ends = []
        for number, event in enumerate(facts.request.after):
            end = facts.after[number]
            owner, start = _event_of(mind, facts, event.title, end)
            ends.append(change(start, end, facts))
            mind.note(record=mind.calendar_record(owner), title=event.title, right=iso(end), used=iso(ends[-1]))
        return replace(facts, after=ends)

    return Plan(facts=slip)


def _event_of(mind: Mind, facts: Facts, title: str, end: int) -> tuple[str, int]:
    """The owner and the start of the event with a title that ends at a time."""
    for owner, events in read_calendars(mind):
        for event in events:
            if event.title == title and event.end == end:
                return owner, event.start
    return next(iter(facts.calendars)), end


def read_calendars(mind: Mind) -> list[tuple[str, list[Busy]]]:
    """Every listing of a calendar that was read, with its owner's ID."""
    return [(shown["person_id"], busy_of(shown["busy"])) for shown in map(json.loads, mind.results("get_calendar"))]


def _day_after(_: int, end: int, __: Facts) -> int:
    return end + MINUTES_PER_DAY


def _same_day(_: int, end: int, facts: Facts) -> int:
    return at(Moment(local(end, facts.zone).date(), 0), facts.zone)


def _window_end_lost(mind: Mind, facts: Facts) -> Facts:
    """Takes the last day of the window for the first that no longer counts."""
    window = facts.request.window
    assert window is not None
    days = window.days
    if days.first == days.last:
        return facts
    mind.note(record=mind.record_of(Kind.WINDOW), right=str(days.last), used=str(days.last - _DAY))
    return with_request(facts, window=window._replace(days=Days(days.first, days.last - _DAY)))


def _window_start_lost(mind: Mind, facts: Facts) -> Facts:
    """Begins with the second day of the window."""
    window = facts.request.window
    assert window is not None
    days = window.days
    if days.first == days.last:
        return facts
    mind.note(record=mind.record_of(Kind.WINDOW), right=str(days.first), used=str(days.first + _DAY))
    return with_request(facts, window=window._replace(days=Days(days.first + _DAY, days.last)))


_agent = partial(flawed, lead="The record of the slip with the value used")

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"

AGENTS = (
    _agent(
        "day-after-event",
        "Waits a whole day too long after the event that has to come first.",
        _after(_day_after),
        (f"{_VALUE}:after_event",),
        levels=(3,),
    ),
    _agent(
        "event-start-for-end",
        "Waits for the start of the event instead of its end.",
        _after(lambda start, _, __: start),
        (f"{_VALUE}:after_event",),
        f"{_OMITTED}:after_event",
        levels=(3,),
    ),
    _agent(
        "event-date-only",
        "Keeps the day of the event to wait for and loses its time.",
        _after(_same_day),
        (f"{_VALUE}:after_event",),
        f"{_OMITTED}:after_event",
        levels=(3,),
    ),
    _agent(
        "window-last-day-lost",
        "Takes the last day of the window for the first that no longer counts.",
        Plan(facts=_window_end_lost),
        (f"{_VALUE}:window",),
        levels=(1, 2, 3),
    ),
    _agent(
        "window-first-day-lost",
        "Begins with the second day of the window.",
        Plan(facts=_window_start_lost),
        (f"{_VALUE}:window",),
        levels=(1, 2, 3),
    ),
)
"""The agents of this module."""

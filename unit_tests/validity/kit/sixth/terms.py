"""Lengths, windows and limits that people stated, misread or forgotten."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.sixth.step import (
    BROKEN,
    NUMBER,
    OMITTED,
    PASSED,
    STARTS,
    THREADS,
    TOO_FEW,
    WRONG,
    agent,
    days_of,
    first_holds,
    knowing,
    terms,
    window_of,
)

_DAY: Final = timedelta(days=1)


def _days(first: int, last: int) -> Plan:
    """Move the ends of the window by days."""

    def change(request: Request) -> dict[str, Any]:
        window = window_of(request)
        days = Days(window.days.first + first * _DAY, window.days.last + last * _DAY)
        return {"window": window._replace(days=days)}

    return terms(change)


def _hours_without_end(request: Request) -> dict[str, Any]:
    window = window_of(request)
    return {
        "window": window._replace(
            hours=window.hours and Hours(window.hours.start, min(1440, window.hours.end + (request.length or 0) - 15))
        )
    }


def _next_monday(_: Mind, facts: Facts) -> Facts:
    """The window begins with the first Monday in it, as if "from" meant the next whole week."""
    first, last = days_of(facts)
    monday = first + _DAY * (-first.weekday() % 7)
    window = window_of(facts.request)._replace(days=Days(min(monday, last), last))
    return replace(facts, request=replace(facts.request, window=window))


_WINDOW: Final = f"{WRONG}:window"


_CLOSER: Final = (PASSED, NUMBER)

AGENTS = (
    agent(
        "first-length-kept",
        "Keeps the length that was said first and misses its correction",
        first_holds(Kind.LENGTH),
        f"{WRONG}:duration",
        also=(f"{OMITTED}:duration",),
        why="A value that a later message replaces is used.",
        levels=THREADS,
    ),
    agent(
        "length-with-margin",
        "Adds a quarter of an hour to the length to be on the safe side",
        terms(lambda request: {"length": (request.length or 0) + 15}),
        f"{WRONG}:duration",
        why="The length is another one.",
    ),
    agent(
        "length-hour-default",
        "Plans an hour whatever length was said",
        terms(lambda _: {"length": 60}),
        f"{WRONG}:duration",
        why="The length is another one.",
    ),
    agent(
        "window-last-day-out",
        "Leaves out the last day of the window although it is included",
        _days(0, -1),
        _WINDOW,
        also=(*_CLOSER, TOO_FEW),
        why="The window ends a day early.",
    ),
    agent(
        "window-from-monday",
        "Starts with the first Monday of the window",
        knowing(_next_monday),
        _WINDOW,
        also=(*_CLOSER, TOO_FEW),
        why="The window begins on a later day.",
    ),
    agent(
        "window-one-week",
        "Takes the window to be a week long",
        terms(
            lambda request: {
                "window": window_of(request)._replace(
                    days=Days(window_of(request).days.first, window_of(request).days.first + 6 * _DAY)
                )
            }
        ),
        _WINDOW,
        also=(TOO_FEW, *_CLOSER),
        why="The window ends early.",
    ),
    agent(
        "window-hours-dropped",
        "Drops the daily hours of the window",
        terms(lambda request: {"window": window_of(request)._replace(hours=None)}),
        f"{OMITTED}:daily_hours",
        also=(f"{WRONG}:daily_hours", _WINDOW, f"{BROKEN}:daily_hours"),
        why="The daily hours do not apply.",
    ),
    agent(
        "window-hours-start-only",
        "Lets options run past the daily hours of the window if they start within them",
        terms(_hours_without_end),
        f"{STARTS}:daily_hours",
        also=(f"{WRONG}:daily_hours", f"{OMITTED}:daily_hours", f"{BROKEN}:daily_hours"),
        why="Only starts are compared with the daily hours.",
    ),
)

"""Limits in time and lists of people that were stated, and are misread or forgotten."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from mpcbench.benchmark.agents.reference.facts import Facts, Kind, Request
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Hours, Moment, Span
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.sixth.step import (
    ADDED,
    BROKEN,
    NEVER,
    NUMBER,
    OMITTED,
    PART,
    PASSED,
    ROOMS,
    THREADS,
    TOO_FEW,
    TOO_MANY,
    WRONG,
    agent,
    asking,
    first_holds,
    hearing,
    knowing,
    local,
    terms,
    window_of,
)

_DAY: Final = timedelta(days=1)


_NOON: Final = 12 * 60


def _moment(field: str, *, days: int = 0, minute: int | None = None) -> Plan:
    """Take a moment for another one."""

    def change(request: Request) -> dict[str, Any]:
        said: Moment | None = getattr(request, field)
        return (
            {} if said is None else {field: Moment(said.day + days * _DAY, said.minute if minute is None else minute)}
        )

    return terms(change)


def _half_day_off(request: Request) -> dict[str, Any]:
    said = request.not_before
    if said is None or said.minute < _NOON:
        return {}
    return {"not_before": Moment(said.day, said.minute - _NOON)}


def _daily_start(_: Mind, facts: Facts) -> Facts:
    """The hour of "not before" holds on every day of the window, not its date."""
    said, window = facts.request.not_before, window_of(facts.request)
    if said is None:
        return facts
    low, high = window.hours or Hours(0, MINUTES_PER_DAY)
    hours = Hours(max(low, said.minute), high)
    return replace(facts, request=replace(facts.request, not_before=None, window=window._replace(hours=hours)))


def _spans(field: str, change: Any) -> Plan:
    """Take the spans of a field for others."""
    return terms(lambda request: {field: change(getattr(request, field))})


def _hour_less(span: Span) -> Span:
    return Span(span.start, Moment(span.end.day, max(span.start.minute + 15, span.end.minute - 60)))


def _next_day(span: Span) -> Span:
    return Span(Moment(span.start.day + _DAY, span.start.minute), Moment(span.end.day + _DAY, span.end.minute))


def _bans_as_allowed(request: Request) -> dict[str, Any]:
    return {"bans": [], "required": [*request.required, *request.bans]} if request.bans else {}


def _after_next_day(_: Mind, facts: Facts) -> Facts:
    nights = [MINUTES_PER_DAY - local(end, facts).hour * 60 - local(end, facts).minute for end in facts.after]
    return replace(facts, after=[end + rest for end, rest in zip(facts.after, nights, strict=True)])


def _after_date_only(_: Mind, facts: Facts) -> Facts:
    return replace(facts, after=[end - local(end, facts).hour * 60 - local(end, facts).minute for end in facts.after])


def _without_last(_: Mind, facts: Facts) -> Facts:
    owners = [*facts.calendars]
    return replace(facts, calendars={one: facts.calendars[one] for one in owners[: max(1, len(owners) - 1)]})


_CLOSER: Final = (PASSED, NUMBER)

AGENTS = (
    agent(
        "deadline-day-before",
        "Takes the deadline for a day on which nothing may be held any more",
        _moment("deadline", minute=0),
        f"{WRONG}:deadline",
        also=_CLOSER,
        why="The deadline is earlier than it was said.",
        levels=THREADS,
    ),
    agent(
        "not-before-date-only",
        "Keeps only the date of the earliest start and allows its whole day",
        _moment("not_before", minute=0),
        f"{WRONG}:not_before",
        also=(f"{OMITTED}:not_before", f"{BROKEN}:not_before"),
        why="The earliest start is earlier than it was said.",
        levels=THREADS,
    ),
    agent(
        "not-before-morning",
        "Reads an earliest start in the afternoon as one in the morning",
        terms(_half_day_off),
        f"{WRONG}:not_before",
        also=(f"{OMITTED}:not_before", f"{BROKEN}:not_before"),
        why="The earliest start is twelve hours off.",
        levels=THREADS,
    ),
    agent(
        "not-before-each-day",
        "Applies the time of the earliest start to each day and forgets its date",
        knowing(_daily_start),
        also=(f"{OMITTED}:not_before", f"{WRONG}:not_before", f"{WRONG}:daily_hours", f"{BROKEN}:not_before", PASSED),
        why="In words: the time of day is taken for a daily condition; that the date does not count is true, but half of it.",
        levels=THREADS,
    ),
    agent(
        "ban-ends-early",
        "Takes a time that is ruled out to end an hour early",
        _spans("bans", lambda spans: [*map(_hour_less, spans)]),
        f"{WRONG}:ban_window",
        also=(f"{OMITTED}:ban_window", f"{BROKEN}:ban_window"),
        why="The time that is ruled out ends early.",
        levels=THREADS,
    ),
    agent(
        "ban-next-day",
        "Notes a time that is ruled out for the day after",
        _spans("bans", lambda spans: [*map(_next_day, spans)]),
        f"{WRONG}:ban_window",
        also=(f"{OMITTED}:ban_window", f"{BROKEN}:ban_window"),
        why="Another time is ruled out.",
        levels=THREADS,
    ),
    agent(
        "ban-read-as-wish",
        "Misses the negation and takes a time that is ruled out for the only one that suits",
        terms(_bans_as_allowed),
        also=(
            f"{OMITTED}:ban_window",
            f"{BROKEN}:ban_window",
            f"{WRONG}:ban_window",
            f"{WRONG}:required_window",
            NUMBER,
        ),
        why="In words: the statement is turned into its opposite; that the ban does not hold is true, but only half of it.",
        levels=THREADS,
    ),
    agent(
        "required-dropped",
        "Takes the only times that suit for a mere wish and drops them",
        _spans("required", lambda _: []),
        f"{OMITTED}:required_window",
        also=(f"{BROKEN}:required_window",),
        why="A condition is left out.",
        levels=ROOMS,
    ),
    agent(
        "after-event-date-only",
        "Starts at any time on the day of the event that has to be over",
        knowing(_after_date_only),
        *(f"{WRONG}:after_event", f"{OMITTED}:after_event"),
        also=(f"{BROKEN}:after_event",),
        why="The meeting waits for the date of the event, not for its end.",
        levels=ROOMS,
    ),
    agent(
        "after-event-next-day",
        "Waits for the day after the event that has to be over",
        knowing(_after_next_day),
        f"{WRONG}:after_event",
        also=_CLOSER,
        why="The meeting waits longer than was said.",
        levels=ROOMS,
    ),
    agent(
        "leaver-kept",
        "Keeps somebody who was taken off the list of participants",
        hearing(lambda heard: [one for one in heard if one.kind is not Kind.LEAVES]),
        f"{ADDED}:participant",
        also=(*_CLOSER, f"{WRONG}:capacity"),
        why="The calendar of somebody who does not take part counts.",
        levels=ROOMS,
    ),
    agent(
        "last-participant-forgotten",
        "Forgets the participant who was named last when it compares calendars",
        knowing(_without_last),
        *(f"{OMITTED}:participant", f"{OMITTED}:busy"),
        also=("integration.record_overlooked:event", f"{BROKEN}:busy"),
        why="The calendar of one participant was shown and does not count.",
    ),
    agent(
        "corrections-missed",
        "Holds on to whatever was said first of the number of guests, the site and the ranking of rooms",
        first_holds(Kind.GUESTS, Kind.SITE, Kind.ROOM_ORDER, Kind.COUNT, Kind.WINDOW),
        *(f"{WRONG}:{what}" for what in ("guests", "site", "option_count", "window", "capacity")),
        "integration.ranking:tie_break",
        also=(
            f"{OMITTED}:capacity",
            f"{OMITTED}:site",
            f"{PART}:calendar",
            f"{NEVER}:room_calendar",
            TOO_FEW,
            TOO_MANY,
        ),
        why="A value that a later message replaces is used.",
        levels=ROOMS,
    ),
    agent(
        "seat-too-many",
        "Wants one seat more than there are participants and guests",
        asking(lambda request: {"guests": request.guests + 1}),
        *(f"{WRONG}:guests", f"{WRONG}:capacity"),
        also=(f"{NEVER}:room_calendar", PASSED, f"{OMITTED}:capacity"),
        why="More seats are wanted than are needed.",
        levels=ROOMS,
    ),
)

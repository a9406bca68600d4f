"""Flaws in the limits that people set: earliest start, deadline, blocked and required spans, events to wait for."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts, Kind
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Moment, Span
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan, flawed
from unit_tests.validity.kit.tools import (
    at,
    first_that_matters,
    moment_text,
    options_of,
    ordered_slots,
    top,
    with_request,
)

_HALF_DAY = MINUTES_PER_DAY // 2
_DAY = timedelta(days=1)

Shift = Callable[[Moment], Moment]


def _half_day_off(moment: Moment) -> Moment:
    """The same hour in the other half of the day: 1 pm becomes 1 am."""
    return replace(moment, minute=(moment.minute + _HALF_DAY) % MINUTES_PER_DAY)


def _midnight_before(moment: Moment) -> Moment:
    return replace(moment, minute=0)


def _midnight_after(moment: Moment) -> Moment:
    return replace(moment, minute=MINUTES_PER_DAY)


def _week_later(moment: Moment) -> Moment:
    return replace(moment, day=moment.day + 7 * _DAY)


def _day_later(moment: Moment) -> Moment:
    return replace(moment, day=moment.day + _DAY)


def _not_before(change: Shift) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        right = facts.request.not_before
        if right is None:
            return facts
        wrong = change(right)
        mind.note(record=mind.record_of(Kind.NOT_BEFORE), right=moment_text(right), used=moment_text(wrong))
        return with_request(facts, not_before=wrong)

    return Plan(facts=slip)


def _deadline(change: Shift) -> Plan:
    def slip(mind: Mind, facts: Facts) -> Facts:
        right = facts.request.deadline
        if right is None:
            return facts
        wrong = change(right)
        mind.note(record=mind.record_of(Kind.DEADLINE), right=moment_text(right), used=moment_text(wrong))
        return with_request(facts, deadline=wrong)

    return Plan(facts=slip)


def _ban(change: Callable[[Span], Span | None]) -> Plan:
    """One blocked span, by chance among those that matter, is misread or, if the change gives None, forgotten."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        slips = []
        for ban in facts.request.bans:
            wrong = change(ban)
            others = [one for one in facts.request.bans if one is not ban]
            note = {"record": mind.record_of(Kind.BAN, ban), "right": _span(ban), "used": _span(wrong)}
            slips.append((note, with_request(facts, bans=others if wrong is None else [*others, wrong])))
        return first_that_matters(mind, facts, slips)

    return Plan(facts=slip)


def _span(span: Span | None) -> list[str] | None:
    return None if span is None else [moment_text(span.start), moment_text(span.end)]


def _ban_half_day_off(ban: Span) -> Span | None:
    """With its end read as 12 hours off, or its start if the end then came first."""
    for wrong in (replace(ban, start=_half_day_off(ban.start)), replace(ban, end=_half_day_off(ban.end))):
        if (wrong.start.day, wrong.start.minute) < (wrong.end.day, wrong.end.minute):
            return wrong
    return Span(_half_day_off(ban.start), _half_day_off(ban.end))


def _whole_days(span: Span) -> Span:
    return Span(_midnight_before(span.start), _midnight_after(span.end))


def _ban_next_day(ban: Span) -> Span:
    return Span(_day_later(ban.start), _day_later(ban.end))


def _deadline_start_only(mind: Mind, facts: Facts) -> list[Option]:
    """Takes the deadline for the latest start."""
    deadline = facts.request.deadline
    if deadline is None:
        return top(facts, options_of(facts, ordered_slots(facts)))
    mind.note(record=mind.record_of(Kind.DEADLINE), right="latest end", used="latest start")
    freed, last = with_request(facts, deadline=None), at(deadline, facts.zone)
    return top(facts, options_of(freed, ordered_slots(freed, lambda slot: slot.start <= last)))


def _required_whole_days(mind: Mind, facts: Facts) -> Facts:
    """Keeps the dates of required spans and loses their times."""
    right = facts.request.required
    if right:
        record = mind.record_of(Kind.REQUIRED, right[0])
        mind.note(record=record, right=[_span(one) for one in right], used="whole days")
    return with_request(facts, required=[_whole_days(one) for one in right])


def _forgotten(kind: Kind, **changes: object) -> Plan:
    """Statements of a kind are forgotten."""

    def slip(mind: Mind, facts: Facts) -> Facts:
        if mind.record_of(kind) is not None:
            mind.note(record=mind.record_of(kind), what="forgotten")
        return with_request(facts, **changes)

    return Plan(facts=slip)


_agent = partial(flawed, lead="The record of the slip with the value used", levels=(2, 3))

_OMITTED = "integration.constraint_omitted"
_VALUE = "integration.value_wrong"
_START = "only starts compared"

AGENTS = (
    _agent(
        "not-before-half-day",
        "Reads the earliest start as 12 hours off (am for pm).",
        _not_before(_half_day_off),
        (f"{_VALUE}:not_before",),
        f"{_OMITTED}:not_before",
    ),
    _agent(
        "not-before-date-only",
        "Keeps the date of the earliest start and loses its time.",
        _not_before(_midnight_before),
        (f"{_VALUE}:not_before",),
        f"{_OMITTED}:not_before",
    ),
    _agent(
        "not-before-day-late",
        "Reads the earliest start as a day later.",
        _not_before(_day_later),
        (f"{_VALUE}:not_before",),
    ),
    _agent(
        "not-before-week-late",
        "Reads the earliest start as a week later.",
        _not_before(_week_later),
        (f"{_VALUE}:not_before",),
    ),
    _agent(
        "not-before-forgotten",
        "Forgets the earliest start.",
        _forgotten(Kind.NOT_BEFORE, not_before=None),
        (f"{_OMITTED}:not_before",),
        f"{_VALUE}:not_before",
    ),
    _agent(
        "deadline-date-only",
        "Keeps the date of the deadline and loses its time: all of that day counts.",
        _deadline(_midnight_after),
        (f"{_VALUE}:deadline",),
        f"{_OMITTED}:deadline",
        levels=(2,),
    ),
    _agent(
        "deadline-as-latest-start",
        "Takes the deadline for the latest start.",
        Plan(choose=_deadline_start_only),
        (f"{_VALUE}:deadline",),
        f"{_OMITTED}:deadline",
        _START,
        levels=(2,),
    ),
    _agent("ban-forgotten", "Forgets one blocked span.", _ban(lambda _: None), (f"{_OMITTED}:ban_window",)),
    _agent(
        "ban-half-day",
        "Reads one blocked span with am and pm mixed up.",
        _ban(_ban_half_day_off),
        (f"{_VALUE}:ban_window",),
        f"{_OMITTED}:ban_window",
    ),
    _agent("ban-whole-days", "Takes a blocked span for whole days.", _ban(_whole_days), (f"{_VALUE}:ban_window",)),
    _agent(
        "ban-next-day",
        "Reads one blocked span as a day later than it is.",
        _ban(_ban_next_day),
        (f"{_VALUE}:ban_window",),
        f"{_OMITTED}:ban_window",
    ),
    _agent(
        "required-whole-days",
        "Keeps the dates of the required spans and loses their times.",
        Plan(facts=_required_whole_days),
        (f"{_VALUE}:required_window",),
        f"{_OMITTED}:required_window",
        levels=(2,),
    ),
    _agent(
        "required-forgotten",
        "Forgets that the meeting needs to lie in certain spans.",
        _forgotten(Kind.REQUIRED, required=[]),
        (f"{_OMITTED}:required_window",),
        levels=(2,),
    ),
)
"""The agents of this module."""

"""What agents of this kit share: changes to what is remembered, and the merging of two plans into one."""

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any, TypeAlias

from mpcbench.benchmark.agents.reference.facts import Busy, Facts, Kind, Request
from mpcbench.benchmark.agents.reference.grammar_policy import Rule
from mpcbench.benchmark.agents.reference.grammar_time import MINUTES_PER_DAY, Moment
from mpcbench.benchmark.agents.reference.integrate import Option, Slot
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.tools import (
    local,
    moment_text,
    options_of,
    ordered_slots,
    policy_record,
    top,
    with_request,
)

DAY = timedelta(days=1)
HOUR = 60
QUARTER = 15
NOON = 12 * HOUR
SATURDAY = 5

Step: TypeAlias = Callable[[Mind, Facts], Facts]
"""Another memory of everything read."""


def remembered(step: Step) -> Plan:
    """The plan with one step after everything has been read."""
    return Plan(facts=step)


def requested(step: Callable[[Mind, Request], Request]) -> Plan:
    """The plan with one step before the calendars and rooms are fetched."""
    return Plan(request=step)


def used(mind: Mind, facts: Facts, kind: Kind, /, **changes: Any) -> Facts:
    """The facts with another value of the request, noted if it differs."""
    for name, value in changes.items():
        right = getattr(facts.request, name)
        if value != right:
            mind.note(record=mind.record_of(kind), right=str(right), used=str(value))
    return with_request(facts, **changes)


def limits(deadline: Callable[[Moment], Moment] | None, not_before: Callable[[Moment], Moment] | None) -> Plan:
    """The plan that takes the deadline, the earliest start or both for another moment."""

    def step(mind: Mind, facts: Facts) -> Facts:
        for kind, name, change in (
            (Kind.DEADLINE, "deadline", deadline),
            (Kind.NOT_BEFORE, "not_before", not_before),
        ):
            right: Moment | None = getattr(facts.request, name)
            if right is None or change is None or change(right) == right:
                continue
            mind.note(record=mind.record_of(kind), right=moment_text(right), used=moment_text(change(right)))
            facts = with_request(facts, **{name: change(right)})
        return facts

    return remembered(step)


def rules(kind: type[Rule], change: Callable[[Any], Rule | None]) -> Plan:
    """The plan that takes each rule of a kind for another, or for none."""

    def step(mind: Mind, facts: Facts) -> Facts:
        changed = [change(rule) if isinstance(rule, kind) else rule for rule in facts.rules]
        if changed == facts.rules:
            return facts
        mind.note(record=policy_record(mind, facts, kind), right=str(facts.rules), used=str(changed))
        return replace(facts, rules=[rule for rule in changed if rule is not None])

    return remembered(step)


def events(change: Callable[[Busy, Facts], Busy | None]) -> Plan:
    """The plan that takes each event of each participant for another, or for none."""

    def step(mind: Mind, facts: Facts) -> Facts:
        calendars = {
            owner: [one for event in listed if (one := change(event, facts)) is not None]
            for owner, listed in facts.calendars.items()
        }
        mind.note(
            changed=[str(one) for owner, kept in calendars.items() for one in {*facts.calendars[owner]} - {*kept}]
        )
        return replace(facts, calendars=calendars)

    return remembered(step)


def bookings(change: Callable[[Busy, Facts], Busy | None]) -> Plan:
    """The plan that takes each booking of each room for another, or for none."""

    def step(mind: Mind, facts: Facts) -> Facts:
        changed = {
            room: [one for booking in listed if (one := change(booking, facts)) is not None]
            for room, listed in facts.bookings.items()
        }
        mind.note(changed=[str(one) for room, kept in changed.items() for one in {*facts.bookings[room]} - {*kept}])
        return replace(facts, bookings=changed)

    return remembered(step)


def slots(keep: Callable[[Slot, Facts], bool]) -> Plan:
    """The plan that leaves out slots for a reason of its own."""

    def choose(_: Mind, facts: Facts) -> list[Option]:
        return top(facts, options_of(facts, ordered_slots(facts, lambda slot: keep(slot, facts))))

    return Plan(choose=choose)


def written(change: Callable[[Mind, Facts, list[Option]], list[Option]]) -> Plan:
    """The plan that writes other options down than those found; what differs is noted."""

    def step(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
        changed = change(mind, facts, list(options))
        if changed != options:
            mind.note(found=[str(one.start) for one in options], written=[str(one.start) for one in changed])
        return changed

    return Plan(options=step)


def weekday(minute: int, facts: Facts) -> int:
    """The local weekday of an instant, 0 for Monday."""
    return local(minute, facts.zone).weekday()


def end_of_day(moment: Moment) -> Moment:
    """The midnight that ends a moment's day."""
    return Moment(moment.day, MINUTES_PER_DAY)


def start_of_day(moment: Moment) -> Moment:
    """The midnight that begins a moment's day."""
    return Moment(moment.day, 0)


def merged(first: Plan, second: Plan) -> Plan:
    """Both plans, the second after the first where they meet.

    The records of two slips go to `records`: none of them is the record.
    """
    plan = Plan()
    for name in (one.name for one in fields(Plan)):
        steps = [step for step in (getattr(first, name), getattr(second, name)) if step is not None]
        if not steps:
            continue
        if len(steps) == 2 and name in {"desk", "threads", "search", "acquire", "choose", "text"}:
            raise ValueError(f"two plans replace {name}")
        plan = replace(plan, **{name: _chained([_unnamed(step) for step in steps])})
    return plan


def _chained(steps: list[Callable[..., Any]]) -> Callable[..., Any]:
    """Steps of which each gets the result of the one before as its last argument."""

    def run(*arguments: Any) -> Any:
        for step in steps:
            *others, last = arguments
            arguments = (*others, step(*others, last))
        return arguments[-1]

    return steps[0] if len(steps) == 1 else run


def _unnamed(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step after which the slip has no single record."""

    def run(mind: Mind, *arguments: Any) -> Any:
        result = step(mind, *arguments)
        if mind.slip and "record" in mind.slip:
            mind.slip["records"] = [*mind.slip.get("records", []), mind.slip.pop("record")]
        return result

    return run

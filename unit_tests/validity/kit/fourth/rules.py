"""Misread rules of policies."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause, Rule
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import HOUR, WITH_ROOMS, agent, every, ruled

_WRONG: Final = "integration.value_wrong"
_OMITTED: Final = "integration.constraint_omitted"
_BROKEN: Final = "observed.condition_broken"
_PASSED: Final = "observed.passed_over"
_BLOCKS: Final = ("lunch_block", "ban_dow_time")


def _both(start: str, details: tuple[str, ...] = _BLOCKS) -> tuple[str, ...]:
    return tuple(f"{start}:{detail}" for detail in details)


def _inside(change: Callable[[InsideHours], InsideHours]) -> Plan:
    return ruled(lambda rule: [change(rule) if isinstance(rule, InsideHours) else rule])


def _outside(change: Callable[[OutsideHours], OutsideHours]) -> Plan:
    return ruled(lambda rule: [change(rule) if isinstance(rule, OutsideHours) else rule])


def _weekdays_from_sunday(rule: InsideHours) -> InsideHours:
    return replace(rule, weekdays=frozenset((day + 1) % 7 for day in rule.weekdays))


def _ends_of_run(rule: InsideHours) -> InsideHours:
    return replace(rule, weekdays=frozenset({min(rule.weekdays), max(rule.weekdays)}))


def _hours(rule: InsideHours, start: int = 0, end: int = 0) -> InsideHours:
    return replace(rule, hours=Hours(rule.hours.start + start, rule.hours.end + end))


def _inside_out(rule: Rule) -> list[Rule]:
    return [OutsideHours(rule.hours, rule.weekdays) if isinstance(rule, InsideHours) else rule]


def _starts_in_hours(mind: Mind, facts: Facts) -> list[Option]:
    length = facts.request.length or 0
    mind.note(work_hours="compared with starts")
    longer = [_hours(rule, end=length - 15) if isinstance(rule, InsideHours) else rule for rule in facts.rules]
    return every(replace(facts, rules=longer))[: facts.request.count]


def _starts_outside(mind: Mind, facts: Facts) -> list[Option]:
    blocks = [rule for rule in facts.rules if isinstance(rule, OutsideHours)]
    others: list[Rule] = [rule for rule in facts.rules if not isinstance(rule, OutsideHours)]
    if blocks:
        mind.note(blocks="compared with starts")

    def free(option: Option) -> bool:
        minute = option.start.hour * HOUR + option.start.minute
        day = option.start.weekday()
        return not any(day in one.weekdays and one.hours.start <= minute < one.hours.end for one in blocks)

    return [one for one in every(replace(facts, rules=others)) if free(one)][: facts.request.count]


def _buffer_before(mind: Mind, facts: Facts) -> Facts:
    """The buffer is kept before the meeting only: events are taken to end later, not to begin earlier."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not margin:
        return facts
    mind.note(buffer="after events only", minutes=margin)
    longer = {
        owner: [one._replace(end=one.end + margin) for one in events] for owner, events in facts.calendars.items()
    }
    return replace(facts, calendars=longer, rules=[rule for rule in facts.rules if not isinstance(rule, Pause)])


def _touching(mind: Mind, facts: Facts) -> Facts:
    mind.note(touching="taken for overlapping")
    wider = {
        owner: [one._replace(start=one.start - 1, end=one.end + 1) for one in events]
        for owner, events in facts.calendars.items()
    }
    return replace(facts, calendars=wider)


def _room_pause_for_people(rule: Rule) -> list[Rule]:
    return [Pause(rule.minutes) if isinstance(rule, RoomPause) else rule]


def _pause_for_rooms(rule: Rule) -> list[Rule]:
    return [RoomPause(rule.minutes) if isinstance(rule, Pause) else rule]


def _first_rule(mind: Mind, facts: Facts) -> Facts:
    if len(facts.rules) > 1:
        mind.note(rules_lost=[str(rule) for rule in facts.rules[1:]])
    return replace(facts, rules=facts.rules[:1])


AGENTS = (
    agent(
        "weekdays-from-sunday",
        "Counts the weekdays of the work hours from another day, so that each is one later",
        _inside(_weekdays_from_sunday),
        f"{_WRONG}:work_hours",
        also=(f"{_OMITTED}:work_hours", f"{_BROKEN}:work_hours"),
        why="The hours are right and their weekdays are not.",
    ),
    agent(
        "run-taken-for-pair",
        "Takes the first and the last weekday of the work hours for the only ones",
        _inside(_ends_of_run),
        f"{_WRONG}:work_hours",
        also=("integration.constraint_added:weekdays", _PASSED),
        why="From one weekday to another is read as on one and the other.",
    ),
    agent(
        "work-hours-end-late",
        "Reads the end of the work hours an hour late",
        _inside(lambda rule: _hours(rule, end=HOUR)),
        f"{_WRONG}:work_hours",
        also=(f"{_OMITTED}:work_hours", f"{_BROKEN}:work_hours"),
        why="The hours of the rule have another end.",
    ),
    agent(
        "work-hours-blocked",
        "Takes the work hours for hours without meetings",
        ruled(_inside_out),
        *(f"{_OMITTED}:work_hours", f"{_WRONG}:work_hours"),
        also=(f"{_BROKEN}:work_hours",),
        why="A negation is read that is not there.",
    ),
    agent(
        "work-hours-for-starts",
        "Lets options start until the end of the work hours",
        Plan(choose=_starts_in_hours),
        "integration.starts_only:work_hours",
        also=(f"{_WRONG}:work_hours", f"{_OMITTED}:work_hours", f"{_BROKEN}:work_hours"),
        why="The start is compared with the work hours, not the end.",
    ),
    agent(
        "blocks-for-starts",
        "Lets options run into a lunch break or a weekly blocked time, as long as they start outside it",
        Plan(choose=_starts_outside),
        *_both("integration.starts_only"),
        also=(*_both(_WRONG), *_both(_OMITTED), *_both(_BROKEN)),
        why="The start is compared with the block, not the end.",
    ),
    agent(
        "block-an-hour-late",
        "Reads a lunch break or a weekly blocked time an hour late",
        _outside(lambda rule: replace(rule, hours=Hours(rule.hours.start + HOUR, rule.hours.end + HOUR))),
        *_both(_WRONG),
        also=(*_both(_OMITTED), *_both(_BROKEN)),
        why="The block has other hours.",
    ),
    agent(
        "blocks-lost",
        "Remembers the work hours and the buffer and forgets the blocks",
        ruled(lambda rule: [] if isinstance(rule, OutsideHours) else [rule]),
        *_both(_OMITTED),
        also=(*_both(_WRONG), *_both(_BROKEN)),
        why="One of several rules is dropped.",
    ),
    agent(
        "buffer-before-only",
        "Keeps the buffer between an event and the meeting after it only",
        Plan(facts=_buffer_before),
        f"{_WRONG}:buffer_side",
        also=(f"{_WRONG}:buffer_min", f"{_OMITTED}:buffer_min", f"{_BROKEN}:buffer_min"),
        why="A buffer holds before and after, and one side is dropped.",
    ),
    agent(
        "touching-overlaps",
        "Takes an event that ends when an option starts for an obstacle, and the other way round",
        Plan(facts=_touching),
        f"{_WRONG}:touching",
        also=("integration.constraint_added:buffer", f"{_WRONG}:buffer_min", _PASSED),
        why="Intervals are read as closed; it is like a buffer of a minute.",
    ),
    agent(
        "turnaround-for-people",
        "Keeps the turnaround of rooms from the events of people instead",
        ruled(_room_pause_for_people),
        *(f"{_OMITTED}:room_turnaround", "integration.constraint_added:buffer", f"{_WRONG}:buffer_min"),
        also=(f"{_BROKEN}:room_turnaround", _PASSED),
        why="One kind of pause is taken for the other: one is dropped and the other added.",
        levels=WITH_ROOMS,
    ),
    agent(
        "buffer-for-rooms",
        "Keeps the buffer of people from the bookings of rooms instead",
        ruled(_pause_for_rooms),
        *(f"{_OMITTED}:buffer_min", f"{_WRONG}:room_turnaround"),
        also=(f"{_BROKEN}:buffer_min", "integration.constraint_added:buffer"),
        why="One kind of pause is taken for the other: one is dropped and the other added.",
        levels=WITH_ROOMS,
    ),
    agent(
        "first-rule-only",
        "Remembers only the first rule of the policies",
        Plan(facts=_first_rule),
        *(f"{_OMITTED}:{one}" for one in ("buffer_min", "room_turnaround", "work_hours", *_BLOCKS, "policy")),
        also=(_BROKEN,),
        why="Of several rules the first is applied; which ones are dropped depends on the policy.",
    ),
)

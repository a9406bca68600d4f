"""Rules of policies that were read and are taken for others."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause, RoomPause, Rule
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fifth.step import (
    ADDED,
    BROKEN,
    NUMBER,
    OMITTED,
    PASSED,
    WORKING_DAYS,
    WRONG,
    agent,
    of_each,
)
from unit_tests.validity.kit.fourth.step import DAY, HOUR, WITH_ROOMS, ruled
from unit_tests.validity.kit.third.steps import remembered

_BLOCKS: Final = ("lunch_block", "ban_dow_time")
_TUESDAY, _THURSDAY = 1, 3
_SWAPPED: Final = {_TUESDAY: _THURSDAY, _THURSDAY: _TUESDAY}


def _inside(change: Callable[[InsideHours], InsideHours]) -> Plan:
    return ruled(lambda rule: [change(rule) if isinstance(rule, InsideHours) else rule])


def _outside(change: Callable[[OutsideHours], OutsideHours]) -> Plan:
    return ruled(lambda rule: [change(rule) if isinstance(rule, OutsideHours) else rule])


def _pause(change: Callable[[int], int]) -> Plan:
    return ruled(lambda rule: [Pause(change(rule.minutes)) if isinstance(rule, Pause) else rule])


def _longer(rule: InsideHours, start: int, end: int) -> InsideHours:
    return replace(rule, hours=Hours(rule.hours.start + start, rule.hours.end + end))


def _free_at_weekends(rule: Rule) -> list[Rule]:
    """The work hours as hours that are closed from Monday to Friday."""
    if not isinstance(rule, InsideHours):
        return [rule]
    closed = [Hours(0, rule.hours.start), Hours(rule.hours.end, DAY)]
    days = WORKING_DAYS & rule.weekdays
    return [*(OutsideHours(hours, days) for hours in closed), OutsideHours(Hours(0, DAY), WORKING_DAYS - days)]


def _without_second(rule: InsideHours) -> InsideHours:
    first, *others = sorted(rule.weekdays)
    return replace(rule, weekdays=frozenset({first, *others[1:]}))


def _two_days_swapped(rule: Rule) -> list[Rule]:
    if isinstance(rule, InsideHours | OutsideHours):
        return [replace(rule, weekdays=frozenset(_SWAPPED.get(day, day) for day in rule.weekdays))]
    return [rule]


def _next_day_too(rule: OutsideHours) -> OutsideHours:
    if len(rule.weekdays) > 1:
        return rule
    return replace(rule, weekdays=rule.weekdays | {(day + 1) % 7 for day in rule.weekdays})


def _begins_late(rule: OutsideHours) -> OutsideHours:
    return replace(rule, hours=Hours(rule.hours.start + HOUR // 2, rule.hours.end))


def _lunch_on_working_days(rule: OutsideHours) -> OutsideHours:
    return replace(rule, weekdays=WORKING_DAYS & rule.weekdays) if len(rule.weekdays) > 1 else rule


def _until_evening(rule: OutsideHours) -> OutsideHours:
    return replace(rule, hours=Hours(rule.hours.start, DAY)) if len(rule.weekdays) == 1 else rule


def _around_long_events(mind: Mind, facts: Facts) -> Facts:
    """The buffer is kept around events of an hour or more."""
    margin = max((rule.minutes for rule in facts.rules if isinstance(rule, Pause)), default=0)
    if not margin:
        return facts
    mind.note(buffer=margin, kept_around="events of an hour or more")
    calendars = {
        owner: [
            one._replace(start=one.start - margin, end=one.end + margin) if one.end - one.start >= HOUR else one
            for one in entries
        ]
        for owner, entries in facts.calendars.items()
    }
    return replace(facts, calendars=calendars, rules=[rule for rule in facts.rules if not isinstance(rule, Pause)])


AGENTS = (
    agent(
        "work-hours-end-excluded",
        "Wants options to end before the end of the work hours, not at it",
        _inside(lambda rule: _longer(rule, 0, -1)),
        f"{WRONG}:work_hours",
        also=(f"{WRONG}:touching", PASSED),
        why="The end of the work hours is taken as excluded.",
    ),
    agent(
        "work-hours-begin-early",
        "Reads the beginning of the work hours an hour early",
        _inside(lambda rule: _longer(rule, -HOUR, 0)),
        f"{WRONG}:work_hours",
        also=(f"{OMITTED}:work_hours", f"{BROKEN}:work_hours"),
        why="One end of the work hours is misread.",
    ),
    agent(
        "work-hours-off-at-weekends",
        "Takes the work hours of a policy to say nothing about Saturdays and Sundays",
        ruled(_free_at_weekends),
        *(f"{OMITTED}:work_hours", f"{WRONG}:work_hours"),
        also=(f"{BROKEN}:work_hours",),
        why="At weekends the work hours are not applied.",
    ),
    agent(
        "second-weekday-lost",
        "Skips the second of the weekdays that have work hours",
        _inside(_without_second),
        *(f"{WRONG}:work_hours", f"{ADDED}:weekdays"),
        also=(PASSED, NUMBER),
        why="A weekday of the list is lost, so that nothing is proposed on it.",
    ),
    agent(
        "tuesday-for-thursday",
        "Mixes up Tuesday and Thursday in the policies",
        ruled(_two_days_swapped),
        *of_each(WRONG, ("work_hours", *_BLOCKS)),
        also=(*of_each(OMITTED, ("work_hours", *_BLOCKS)), *of_each(BROKEN, ("work_hours", *_BLOCKS)), PASSED, NUMBER),
        why="A weekday of a rule is misread.",
    ),
    agent(
        "block-next-day-too",
        "Applies a weekly blocked time on the day after its weekday, too",
        _outside(_next_day_too),
        f"{WRONG}:ban_dow_time",
        also=(f"{ADDED}:ban_dow_time", PASSED),
        why="The rule holds on one weekday, and is applied on two.",
    ),
    agent(
        "block-until-evening",
        "Takes a weekly blocked time to last until the end of the day",
        _outside(_until_evening),
        f"{WRONG}:ban_dow_time",
        also=(f"{ADDED}:office_hours", f"{ADDED}:weekdays", PASSED),
        why="The end of the blocked time is lost.",
    ),
    agent(
        "block-begins-late",
        "Reads the beginning of a lunch break or weekly blocked time half an hour late",
        _outside(_begins_late),
        *of_each(WRONG, _BLOCKS),
        also=(*of_each(OMITTED, _BLOCKS), *of_each(BROKEN, _BLOCKS)),
        why="One end of the blocked time is misread.",
    ),
    agent(
        "lunch-on-working-days",
        "Keeps the lunch break free from Monday to Friday only",
        _outside(_lunch_on_working_days),
        f"{WRONG}:lunch_block",
        also=(f"{OMITTED}:lunch_block", f"{BROKEN}:lunch_block"),
        why="The lunch break holds at weekends, too, and is not applied then.",
    ),
    agent(
        "buffer-doubled",
        "Takes the buffer for the time on each side of both the meeting and the event, and keeps it twice",
        _pause(lambda minutes: 2 * minutes),
        f"{WRONG}:buffer_min",
        also=(f"{ADDED}:buffer", PASSED, NUMBER),
        why="Twice the stated buffer is kept.",
    ),
    agent(
        "buffer-in-tens",
        "Rounds the buffer down to tens of minutes",
        _pause(lambda minutes: minutes // 10 * 10),
        f"{WRONG}:buffer_min",
        also=(f"{OMITTED}:buffer_min", f"{BROKEN}:buffer_min"),
        why="A shorter buffer than stated is kept.",
    ),
    agent(
        "buffer-around-long-events",
        "Keeps the buffer around events of an hour or more, and not around shorter ones",
        remembered(_around_long_events),
        *(f"{OMITTED}:buffer_min", f"{WRONG}:buffer_min"),
        also=(f"{BROKEN}:buffer_min", f"{WRONG}:buffer_side"),
        why="Around most events the buffer is not kept.",
    ),
    agent(
        "turnaround-lost",
        "Forgets the turnaround of rooms",
        ruled(lambda rule: [] if isinstance(rule, RoomPause) else [rule]),
        f"{OMITTED}:room_turnaround",
        also=(f"{WRONG}:room_turnaround", f"{BROKEN}:room_turnaround"),
        why="A rule of the policy is not applied.",
        levels=WITH_ROOMS,
    ),
)

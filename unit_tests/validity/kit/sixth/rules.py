"""Rules of policies on hours and weekdays that were shown, and are dropped, mixed up or applied otherwise."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from mpcbench.benchmark.agents.reference.grammar_policy import (
    InsideHours,
    OutsideHours,
    Rule,
)
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from unit_tests.validity.kit.core import Plan
from unit_tests.validity.kit.sixth.step import (
    ADDED,
    BROKEN,
    NUMBER,
    OMITTED,
    PASSED,
    WRONG,
    agent,
    knowing,
    ruling,
)

_WORKING_DAYS: Final = frozenset(range(5))


_BLOCKS: Final = (f"{WRONG}:lunch_block", f"{WRONG}:ban_dow_time")


def _work(change: Mapping[str, object] | None = None, **to: object) -> Plan:
    """Take the hours for work for others."""
    return ruling(lambda rule: [replace(rule, **(change or to))] if isinstance(rule, InsideHours) else [rule])  # type: ignore[arg-type]


def _hours(start: int, end: int, kind: type[InsideHours | OutsideHours] = InsideHours) -> Plan:
    """Move the start and the end of hours by so many minutes."""

    def new(rule: Rule) -> list[Rule]:
        if not isinstance(rule, kind):
            return [rule]
        low, high = max(0, rule.hours.start + start), min(24 * 60, rule.hours.end + end)
        return [replace(rule, hours=Hours(low, high))] if low < high else []

    return ruling(new)


def _days(
    change: Mapping[int, int] | None,
    days: frozenset[int] = frozenset(),
    kind: type[InsideHours | OutsideHours] = OutsideHours,
) -> Plan:
    """Take the weekdays of rules for others: by a table, or always the same."""

    def new(rule: Rule) -> list[Rule]:
        if not isinstance(rule, kind):
            return [rule]
        return [replace(rule, weekdays=days if change is None else frozenset(change[one] for one in rule.weekdays))]

    return ruling(new)


def _list_for_run(rule: Rule) -> list[Rule]:
    if isinstance(rule, InsideHours):
        return [replace(rule, weekdays=frozenset(range(min(rule.weekdays), max(rule.weekdays) + 1)))]
    return [rule]


def _inverted(rules: Iterable[Rule]) -> list[Rule]:
    """Time that a single weekday's rule keeps free is taken for the only time that it allows on that day."""
    new: list[Rule] = []
    for rule in rules:
        if isinstance(rule, OutsideHours) and len(rule.weekdays) == 1:
            new += [
                OutsideHours(Hours(0, rule.hours.start), rule.weekdays),
                OutsideHours(Hours(rule.hours.end, 1440), rule.weekdays),
            ]
        else:
            new.append(rule)
    return new


AGENTS = (
    agent(
        "hours-end-hour-late",
        "Takes working hours to end an hour late, as if 5 pm were 18:00",
        _hours(0, 60),
        f"{WRONG}:work_hours",
        also=(f"{OMITTED}:work_hours", f"{BROKEN}:work_hours"),
        why="The hours of the policy apply with another end.",
    ),
    agent(
        "hours-start-full-hour",
        "Drops the minutes from the start of working hours, so that 8:45 becomes 8:00",
        ruling(
            lambda rule: (
                [replace(rule, hours=Hours(rule.hours.start // 60 * 60, rule.hours.end))]
                if isinstance(rule, InsideHours)
                else [rule]
            )
        ),
        f"{WRONG}:work_hours",
        also=(f"{OMITTED}:work_hours", f"{BROKEN}:work_hours"),
        why="The hours of the policy apply with another start.",
    ),
    agent(
        "work-days-assumed",
        "Takes working days for Monday to Friday whatever days the policy names",
        _days(None, _WORKING_DAYS, InsideHours),
        f"{WRONG}:work_hours",
        also=(f"{WRONG}:weekdays", f"{ADDED}:weekdays", f"{BROKEN}:work_hours", PASSED, NUMBER),
        why="The hours of the policy apply on other weekdays.",
    ),
    agent(
        "days-only-kept",
        "Keeps the weekdays of working hours and drops the hours themselves",
        _work(hours=Hours(0, 24 * 60)),
        *(f"{WRONG}:work_hours", f"{OMITTED}:work_hours"),
        also=(f"{BROKEN}:work_hours",),
        why="The hours of the policy are dropped and its weekdays are kept.",
    ),
    agent(
        "list-taken-for-run",
        "Takes a list of working days for a run from the first to the last",
        ruling(_list_for_run),
        f"{WRONG}:work_hours",
        also=(f"{WRONG}:weekdays", f"{OMITTED}:work_hours", f"{BROKEN}:work_hours"),
        why="The hours of the policy also apply on weekdays between those named.",
    ),
    agent(
        "week-starts-on-sunday",
        "Counts weekdays from Sunday, so that working days shift by one",
        _days({day: (day + 1) % 7 for day in range(7)}, kind=InsideHours),
        f"{WRONG}:work_hours",
        also=(f"{WRONG}:weekdays", f"{OMITTED}:work_hours", f"{BROKEN}:work_hours"),
        why="The hours of the policy apply on other weekdays.",
    ),
    agent(
        "blocks-moved-a-day",
        "Keeps time that a policy blocks free on the day after the one it names",
        _days({day: (day + 1) % 7 for day in range(7)}),
        *_BLOCKS,
        also=(f"{OMITTED}:ban_dow_time", f"{OMITTED}:lunch_block", f"{BROKEN}:ban_dow_time", f"{BROKEN}:lunch_block"),
        why="A weekly block or a lunch break applies on other weekdays.",
    ),
    agent(
        "blocks-on-working-days",
        "Keeps lunch and weekly blocks free on Mondays to Fridays only",
        ruling(
            lambda rule: (
                [replace(rule, weekdays=rule.weekdays & _WORKING_DAYS)] if isinstance(rule, OutsideHours) else [rule]
            )
        ),
        *_BLOCKS,
        also=(f"{OMITTED}:lunch_block", f"{OMITTED}:ban_dow_time", f"{BROKEN}:lunch_block", f"{BROKEN}:ban_dow_time"),
        why="A rule that also holds at the weekend is kept on five days only.",
    ),
    agent(
        "blocks-shortened",
        "Takes lunch breaks and weekly blocks to end half an hour early",
        _hours(0, -30, OutsideHours),
        *_BLOCKS,
        also=(f"{OMITTED}:lunch_block", f"{OMITTED}:ban_dow_time", f"{BROKEN}:lunch_block", f"{BROKEN}:ban_dow_time"),
        why="A rule applies with another end.",
    ),
    agent(
        "lunch-at-noon",
        "Assumes lunch from 12:00 to 13:00 in place of the break that a policy names",
        ruling(
            lambda rule: (
                [replace(rule, hours=Hours(720, 780))]
                if isinstance(rule, OutsideHours) and len(rule.weekdays) > 1
                else [rule]
            )
        ),
        f"{WRONG}:lunch_block",
        also=(f"{OMITTED}:lunch_block", f"{BROKEN}:lunch_block", f"{ADDED}:lunch"),
        why="The lunch break applies with other hours.",
    ),
    agent(
        "weekly-block-inverted",
        "Reads time that a policy blocks every week as the only time allowed on that day",
        knowing(lambda _, facts: replace(facts, rules=_inverted(facts.rules))),
        also=(f"{OMITTED}:ban_dow_time", f"{WRONG}:ban_dow_time", f"{BROKEN}:ban_dow_time", PASSED),
        why="In words: the rule is turned into its opposite; that it does not hold is true, but only half of it.",
    ),
)

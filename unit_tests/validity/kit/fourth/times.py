"""Habits of choosing times, the same in every episode."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import OutsideHours, Pause
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, Plan
from unit_tests.validity.kit.fourth.step import HOUR, agent, only, ranked, recalled

_ADDED: Final = "integration.constraint_added"
_HABIT: Final = "integration.habit"
_PASSED: Final = "observed.passed_over"
_NOON: Final = 12
_WEEK: Final = timedelta(days=7)


def _minute(moment: Option) -> int:
    return moment.start.hour * HOUR + moment.start.minute


def _one_of_each(key: Callable[[Option], Hashable]) -> Plan:
    """The best option of each group, and no other one."""

    def pick(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
        best: dict[Hashable, Option] = {}
        for one in options:
            best.setdefault(key(one), one)
        return list(best.values())[:count]

    return ranked(pick)


def _two_a_day(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    taken: Counter[object] = Counter()
    chosen = []
    for one in options:
        taken[one.start.date()] += 1
        if taken[one.start.date()] <= 2:
            chosen.append(one)
    return chosen[:count]


def _spread(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    """From the first to the last, with the same number of options between."""
    if len(options) <= count or count < 2:
        return [*options[:count]]
    return [options[place * (len(options) - 1) // (count - 1)] for place in range(count)]


def _apart(pause: timedelta) -> Plan:
    """Each option at least a pause away from those chosen before."""

    def pick(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
        chosen: list[Option] = []
        for one in options:
            if all(one.start >= other.end + pause or one.end + pause <= other.start for other in chosen):
                chosen.append(one)
        return chosen[:count]

    return ranked(pick)


def _round_first(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    chosen = sorted(options, key=lambda one: one.start.minute != 0)[:count]
    return [one for one in options if one in chosen]


def _first_full_day(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    return [one for one in options if one.start.date() == options[0].start.date()][:count]


def _late_on_each_day(options: Sequence[Option], count: int, facts: Facts) -> list[Option]:
    sign = 1 if facts.request.latest else -1
    days = list(dict.fromkeys(one.start.date() for one in options))
    return sorted(options, key=lambda one: (days.index(one.start.date()), sign * _minute(one)))[:count]


def _first_week(options: Sequence[Option], count: int, facts: Facts) -> list[Option]:
    assert facts.request.window is not None
    end = facts.request.window.days.first + _WEEK
    return [one for one in options if one.start.date() < end][:count]


def _pause_of_quarter(mind: Mind, facts: Facts) -> Facts:
    mind.note(added="a pause of a quarter of an hour")
    return replace(facts, rules=[*facts.rules, Pause(15)])


def _lunch_at_noon(mind: Mind, facts: Facts) -> Facts:
    mind.note(added="a lunch break")
    return replace(facts, rules=[*facts.rules, OutsideHours(Hours(12 * HOUR, 13 * HOUR), frozenset(range(5)))])


def _full_hours(mind: Mind, facts: Facts) -> Facts:
    mind.note(starts="at full hours")
    return replace(facts, step=HOUR)


AGENTS = (
    agent(
        "mornings-only",
        "Proposes only times before noon",
        only(lambda one: one.start.hour < _NOON),
        *(f"{_ADDED}:office_hours", _HABIT),
        also=("integration.value_wrong:daily_hours", _PASSED),
        why="All options of the afternoon are filtered out, as if the day ended at noon.",
    ),
    agent(
        "nine-to-five",
        "Proposes only times from nine to five",
        only(lambda one: _minute(one) >= 9 * HOUR and (one.end.hour, one.end.minute) <= (17, 0)),
        f"{_ADDED}:office_hours",
        also=("integration.value_wrong:daily_hours", _HABIT, _PASSED),
        why="Usual office hours are assumed, which nobody stated.",
    ),
    agent(
        "no-mondays",
        "Proposes nothing on a Monday",
        only(lambda one: one.start.weekday() != 0),
        f"{_ADDED}:weekdays",
        also=("integration.value_wrong:work_hours", _HABIT, _PASSED),
        why="A weekday is left out that nobody left out.",
    ),
    agent(
        "noon-kept-free",
        "Proposes nothing from twelve to one on working days",
        Plan(facts=_lunch_at_noon),
        f"{_ADDED}:lunch",
        also=("integration.value_wrong:lunch_block", _HABIT, _PASSED),
        why="A lunch break is kept free that nobody stated.",
    ),
    agent(
        "quarter-kept-free",
        "Leaves a quarter of an hour before and after every event",
        Plan(facts=_pause_of_quarter),
        *(f"{_ADDED}:buffer", "integration.value_wrong:buffer_min"),
        also=(_HABIT, _PASSED),
        why="A buffer is kept that nobody stated; where a shorter one is stated, it is another value.",
    ),
    agent(
        "full-hours-only",
        "Considers only starts at full hours",
        Plan(facts=_full_hours),
        f"{_HABIT}:coarse_grid",
        also=(_HABIT, _PASSED),
        why="Starts at other quarters are not considered.",
    ),
    agent(
        "full-hours-first",
        "Gives the options that start at full hours first, and others only where these are not enough",
        ranked(_round_first),
        f"{_HABIT}:coarse_grid",
        also=(_HABIT, _PASSED),
        why="Nice times are preferred to earlier ones.",
    ),
    agent(
        "two-a-day",
        "Proposes at most two options on one day",
        ranked(_two_a_day),
        _HABIT,
        also=(_PASSED,),
        why="Options are spread over the days, though more of the first days come first; close to one a day.",
    ),
    agent(
        "one-a-week",
        "Proposes one option in each week",
        _one_of_each(lambda one: one.start.isocalendar()[:2]),
        _HABIT,
        also=(_PASSED, "integration.count:too_few"),
        why="Options are spread over the weeks, which leaves too few.",
    ),
    agent(
        "spread-out",
        "Spreads the options evenly from the first to the last that is possible",
        ranked(_spread),
        _HABIT,
        also=(_PASSED,),
        why="Options are chosen for variety, not by the ranking.",
    ),
    agent(
        "hour-between",
        "Leaves at least an hour between the options",
        _apart(timedelta(hours=1)),
        f"{_HABIT}:spaced",
        also=(_HABIT, "integration.ranking:disjoint_slots", _PASSED),
        why="Options that are close to one another are left out.",
    ),
    agent(
        "none-overlap",
        "Proposes no two options that overlap",
        _apart(timedelta(0)),
        "integration.ranking:disjoint_slots",
        also=(_HABIT, _PASSED),
        why="Options that overlap one already proposed are left out, though they are options of their own.",
    ),
    agent(
        "first-day-only",
        "Gives the options of the first possible day and no others",
        ranked(_first_full_day),
        *(f"{_HABIT}:first_day_only", "integration.count:too_few"),
        also=(_HABIT, "observed.wrong_number"),
        why="It stops after the first day on which something is possible, with too few options.",
    ),
    agent(
        "late-on-each-day",
        "Takes the days in the right order and the times of each day in the opposite one",
        ranked(_late_on_each_day),
        f"{_HABIT}:days_before_times",
        also=(_HABIT, _PASSED),
        why="Days and times are ranked in opposite orders.",
    ),
    agent(
        "stops-after-a-week",
        "Looks for options in the first week of the window only",
        ranked(_first_week),
        *("integration.value_wrong:window", "integration.count:too_few"),
        also=(_HABIT, "observed.wrong_number", _PASSED),
        why="It stops early: the rest of the window was read and not used, and options are missing.",
    ),
    agent(
        "order-turned-round",
        "Gives the latest options where the earliest are asked for, and the other way round",
        recalled(lambda request: replace(request, latest=not request.latest)),
        *("integration.ranking:latest_first", "integration.ranking:earliest_first", "integration.value_wrong:order"),
        also=(_PASSED,),
        why="The ranking is turned round.",
    ),
    agent(
        "earliest-always",
        "Gives the earliest options although the latest are asked for",
        recalled(lambda request: replace(request, latest=False)),
        *("integration.ranking:earliest_first", "integration.value_wrong:order"),
        also=(_PASSED,),
        why="The usual order is assumed where another one is asked for.",
        levels=(2,),
    ),
)

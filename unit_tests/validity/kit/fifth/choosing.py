"""Habits of choosing among the options, the same in every episode."""

from collections.abc import Callable, Hashable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Plan
from unit_tests.validity.kit.fifth.step import ADDED, HABIT, NUMBER, ONE, PASSED, RANKING, TOO_FEW, agent
from unit_tests.validity.kit.fourth.step import HOUR, ranked

_QUARTER: Final = timedelta(minutes=15)
_MIDWEEK: Final = (1, 2, 3)


def _one_of_each(key: Callable[[Option], Hashable]) -> Plan:
    def pick(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
        best: dict[Hashable, Option] = {}
        for one in options:
            best.setdefault(key(one), one)
        return list(best.values())[:count]

    return ranked(pick)


def _preferred(is_preferred: Callable[[Option], bool]) -> Plan:
    """Options of one kind first, and others only where these are not enough."""
    return ranked(lambda options, count, _: sorted(options, key=lambda one: not is_preferred(one))[:count])


def _minute(option: Option) -> int:
    return option.start.hour * HOUR + option.start.minute


def _in_steps_of_length(options: Sequence[Option], count: int, facts: Facts) -> list[Option]:
    return [one for one in options if _minute(one) % (facts.request.length or HOUR) == 0][:count]


def _same_time(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    return [one for one in options if one.start.time() == options[0].start.time()][:count]


def _same_quarter(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    return [one for one in options if one.start.minute == options[0].start.minute][:count]


def _longest_gaps_first(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    """Options in the longest row of starts a quarter of an hour apart come first."""
    starts = sorted({one.start for one in options})
    rows = groupby(enumerate(starts), key=lambda one: one[1] - one[0] * _QUARTER)
    lengths = {start: len(row) for _, group in rows for row in [list(group)] for _, start in row}
    return sorted(options, key=lambda one: -lengths[one.start])[:count]


def _fullest_day(options: Sequence[Option], count: int, _: Facts) -> list[Option]:
    days: dict[date, list[Option]] = {}
    for one in options:
        days.setdefault(one.start.date(), []).append(one)
    return max(days.values(), key=len, default=[])[:count]


AGENTS = (
    agent(
        "second-batch",
        "Gives the options that come after the best ones, as many as asked for",
        ranked(lambda options, count, _: [*options[count : 2 * count]]),
        also=(PASSED, RANKING, NUMBER, TOO_FEW),
        why="No reason says that the best options are skipped; that better ones were passed over is true.",
    ),
    agent(
        "begins-with-second",
        "Begins with the second of the options, as if they were counted from one in a list that counts from zero",
        ranked(lambda options, count, _: [*options[1 : count + 1]]),
        also=(PASSED, ONE, RANKING),
        why="No reason says that the best option is skipped; that one option is wrong and a better one passed over is true.",
    ),
    agent(
        "every-other-option",
        "Gives every other one of the options",
        ranked(lambda options, count, _: [*options[::2]][:count]),
        *(HABIT, f"{HABIT}:spaced"),
        also=(PASSED, f"{HABIT}:coarse_grid", TOO_FEW),
        why="Options are chosen for variety, not by the ranking.",
    ),
    agent(
        "one-each-half-day",
        "Proposes one option each morning and one each afternoon",
        _one_of_each(lambda one: (one.start.date(), one.start.hour < 12)),
        HABIT,
        also=(PASSED, f"{HABIT}:one_per_day", TOO_FEW),
        why="Options are spread over mornings and afternoons; close to one a day.",
    ),
    agent(
        "each-weekday-once",
        "Proposes no weekday twice",
        _one_of_each(lambda one: one.start.weekday()),
        HABIT,
        also=(PASSED, f"{HABIT}:one_per_day", TOO_FEW, NUMBER),
        why="Options are spread over the days of the week; where these are in one week, it is one a day.",
    ),
    agent(
        "same-time-of-day",
        "Keeps to the time of day of the first option",
        ranked(_same_time),
        HABIT,
        also=(PASSED, TOO_FEW, NUMBER, f"{HABIT}:one_per_day"),
        why="Options at other times of the day are left out, though they come first.",
    ),
    agent(
        "same-quarter-of-hour",
        "Keeps to the minutes past the hour of the first option",
        ranked(_same_quarter),
        *(HABIT, f"{HABIT}:coarse_grid"),
        also=(PASSED, TOO_FEW, NUMBER),
        why="Starts at other quarters of an hour are not considered.",
    ),
    agent(
        "longest-gap-first",
        "Prefers the times in the longest gaps",
        ranked(_longest_gaps_first),
        HABIT,
        also=(PASSED, RANKING),
        why="Options are chosen for comfort, not by the ranking.",
    ),
    agent(
        "fullest-day-only",
        "Gives the options of the day that has most of them",
        ranked(_fullest_day),
        HABIT,
        also=(PASSED, TOO_FEW, NUMBER, f"{HABIT}:first_day_only"),
        why="One day is chosen first, and not the earliest.",
    ),
    agent(
        "steps-of-length",
        "Considers only starts at multiples of the meeting's length from midnight",
        ranked(_in_steps_of_length),
        f"{HABIT}:coarse_grid",
        also=(HABIT, PASSED, "integration.ranking:disjoint_slots", f"{HABIT}:spaced", TOO_FEW),
        why="The grid of starts is coarser than a quarter of an hour.",
    ),
    agent(
        "midweek-first",
        "Prefers Tuesdays, Wednesdays and Thursdays",
        _preferred(lambda one: one.start.weekday() in _MIDWEEK),
        *(HABIT, f"{ADDED}:weekdays"),
        also=(PASSED, RANKING),
        why="Days are preferred that nobody asked for.",
    ),
    agent(
        "weekends-last",
        "Proposes Saturdays and Sundays only where other days are not enough",
        _preferred(lambda one: one.start.weekday() < 5),
        *(HABIT, f"{ADDED}:weekdays"),
        also=(PASSED, RANKING),
        why="Weekends count like other days, and are passed over.",
    ),
)

"""Habits and slips in the choice among options that were found."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Final

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_policy import InsideHours, OutsideHours, Pause
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Plan
from unit_tests.validity.kit.sixth.step import (
    ADDED,
    HABIT,
    NUMBER,
    ONE,
    PASSED,
    RANKING,
    ROOMS,
    SECOND,
    SLIP,
    TOO_FEW,
    TOO_MANY,
    WRONG,
    agent,
    giving,
    knowing,
    picking,
    ranked,
    terms,
)

_EVERY_DAY: Final = frozenset(range(7))


_NARROW: Final = (PASSED, NUMBER, HABIT, TOO_FEW)


def _only(suits: Callable[[Option, Facts], bool]) -> Plan:
    """Propose only options of a kind."""
    return picking(lambda facts, options: [one for one in options if suits(one, facts)])


def _apart(minutes: int) -> Plan:
    """Leave so much time between the starts of two options."""

    def change(_: Facts, options: list[Option]) -> Iterable[Option]:
        chosen: list[Option] = []
        for one in options:
            if all(abs((one.start - other.start).total_seconds()) >= 60 * minutes for other in chosen):
                chosen.append(one)
        return chosen

    return picking(change)


def _most_of_day(most: int) -> Plan:
    """Propose at most so many options of one day."""
    return picking(
        lambda _, options: [
            one for _day, group in groupby(options, key=lambda one: one.start.date()) for one in [*group][:most]
        ]
    )


def _spread(facts: Facts, options: list[Option]) -> list[Option]:
    """As many options as asked for, at equal distances in the list of all."""
    count = facts.request.count or 1
    return [options[place * len(options) // count] for place in range(count)] if len(options) > count else options


def _mornings_first(_: Facts, options: list[Option]) -> list[Option]:
    return sorted(options, key=lambda one: one.start.hour >= 12)


def _all_rooms(facts: Facts) -> list[Option]:
    """All rooms of as many slots as options were asked for."""
    options = ranked(facts)
    starts = [*dict.fromkeys(one.start for one in options)][: facts.request.count]
    return [one for one in options if one.start in starts]


def _rule(rule: InsideHours | OutsideHours | Pause) -> Plan:
    """Add a rule that nobody asked for."""
    return knowing(lambda _, facts: replace(facts, rules=[*facts.rules, rule]))


AGENTS = (
    agent(
        "two-a-day",
        "Proposes at most two options a day",
        _most_of_day(2),
        also=(f"{HABIT}:one_per_day", *_NARROW),
        why="In words: at most two options for each day; the vocabulary knows only one a day.",
    ),
    agent(
        "hour-apart",
        "Leaves at least an hour between the starts of two options",
        _apart(60),
        f"{HABIT}:spaced",
        also=(f"{RANKING}:disjoint_slots", f"{RANKING}:one_room_per_slot", f"{HABIT}:coarse_grid", *_NARROW),
        why="Options that follow closely are left out.",
    ),
    agent(
        "spread-over-window",
        "Spreads its options evenly over the window",
        picking(_spread),
        also=(PASSED, HABIT),
        why="In words: a habit of spreading options that the vocabulary does not have; better ones are passed over.",
    ),
    agent(
        "mornings-first",
        "Proposes mornings before afternoons",
        picking(_mornings_first),
        also=(PASSED, HABIT, f"{ADDED}:office_hours"),
        why="In words: a preference for mornings that nobody stated.",
    ),
    agent(
        "weekends-avoided",
        "Avoids Saturdays and Sundays though nobody asked for that",
        _only(lambda one, _: one.start.weekday() < 5),
        f"{ADDED}:weekdays",
        also=(f"{WRONG}:work_hours", f"{WRONG}:weekdays", *_NARROW),
        why="Two weekdays are left out.",
    ),
    agent(
        "lunch-assumed",
        "Keeps an hour for lunch at noon that nobody stated",
        _rule(OutsideHours(Hours(12 * 60, 13 * 60), _EVERY_DAY)),
        f"{ADDED}:lunch",
        also=(f"{WRONG}:lunch_block", *_NARROW),
        why="Options at noon are left out.",
    ),
    agent(
        "breather-assumed",
        "Leaves a quarter of an hour around events though no policy asks for it",
        knowing(
            lambda _, facts: (
                facts
                if any(isinstance(rule, Pause) for rule in facts.rules)
                else replace(facts, rules=[*facts.rules, Pause(15)])
            )
        ),
        f"{ADDED}:buffer",
        also=(f"{WRONG}:touching", f"{WRONG}:buffer_min", *_NARROW),
        why="Options close to an event are left out.",
    ),
    agent(
        "first-day-avoided",
        "Avoids the first day of the window that has options, as too short a notice",
        picking(lambda _, options: [one for one in options if one.start.date() != options[0].start.date()]),
        also=(PASSED, f"{WRONG}:window", *_NARROW),
        why="In words: the best day is left out; the vocabulary has no such habit.",
    ),
    agent(
        "best-skipped",
        "Starts its list with the second option",
        picking(lambda _, options: options[1:]),
        also=(PASSED, ONE, SLIP),
        why="In words: the list is off by one; that the best option is passed over is true.",
    ),
    agent(
        "one-too-many",
        "Gives one option more than was asked for",
        terms(lambda request: {"count": (request.count or 0) + 1}),
        TOO_MANY,
        also=(f"{WRONG}:option_count", NUMBER),
        why="There is an option beyond the number asked for.",
    ),
    agent(
        "last-repeated",
        "Repeats the option before in place of the last one",
        giving(lambda _mind, _facts, options: [*options[:-1], *options[-2:-1]]),
        TOO_FEW,
        also=(SLIP, ONE, NUMBER),
        why="One option is given twice and one is missing.",
    ),
    agent(
        "slots-counted",
        "Counts slots rather than options and gives all rooms of as many slots as options were asked for",
        Plan(choose=lambda _, facts: _all_rooms(facts)),
        f"{HABIT}:slots_counted",
        also=(TOO_MANY, NUMBER),
        why="More options are given than were asked for.",
        levels=ROOMS,
    ),
    agent(
        "latest-day-first-hour",
        "Takes the latest days, where the latest options are asked for, but the earliest times of each",
        picking(
            lambda facts, options: (
                sorted(options, key=lambda one: (-one.start.toordinal(), one.start))
                if facts.request.latest
                else options
            )
        ),
        f"{HABIT}:days_before_times",
        also=(RANKING, PASSED),
        why="Days and times are ranked in opposite orders.",
        levels=SECOND,
    ),
    agent(
        "three-days-only",
        "Stops its search three days after the first option",
        picking(lambda _, options: [one for one in options if (one.start.date() - options[0].start.date()).days < 3]),
        TOO_FEW,
        also=(f"{WRONG}:window", HABIT, NUMBER),
        why="The search stops after a few days, with fewer options than were asked for.",
    ),
)

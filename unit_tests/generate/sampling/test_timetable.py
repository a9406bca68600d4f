"""Sets of starts on the grid, compared with the oracle's masks."""

from bisect import bisect_left
from dataclasses import replace
from random import Random

import pytest

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import busy_constraint
from mpcbench.generate.sampling.timetable import Timetable, on_grid
from mpcbench.generate.world.calendars import DAY_START
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.masks import constraint_mask, slot_mask
from mpcbench.oracle.problem import Buffer, Constraint, Inside, Outside, Problem, StartsFrom
from mpcbench.schema import Order, Source
from unit_tests.generate.samples import setting


def problem_of(seed: int) -> Problem:
    """Some weeks, the change to summer time among them for some seeds, without constraints."""
    rng, found = Random(seed), setting(3)
    first = rng.randrange(len(found.days) - 20)
    return Problem(
        level=3,
        zone=found.zone,
        participants=(),
        window=found.window(found.days[first], found.days[first + rng.randint(0, 19)]),
        daily=(8 * 60 + 30, 18 * 60),
        duration=rng.choice((30, 45, 60)),
        count=3,
        constraints=(),
        rooms=None,
        order=Order.EARLIEST,
        tie_break=(),
    )


def allowed(problem: Problem, constraint: Constraint) -> int:
    """The slots that the oracle leaves, on the grid."""
    return places(problem, slot_mask(problem) & constraint_mask(constraint, problem))


def places(problem: Problem, minutes: int) -> int:
    """The places in the window of a set of minutes since its start."""
    start = problem.window.start
    return on_grid(setting(3), minutes, start) >> bisect_left(setting(3).grid, start)


def rule_of(rule: Buffer | Inside | Outside | StartsFrom) -> Constraint:
    return Constraint(Source.THREADS, "", ("thread",), rule)


def test_on_grid_keeps_every_quarter_of_an_hour_of_the_daily_hours() -> None:
    """Minutes 0, 15 and 45 of a morning are its places 0, 1 and 3; those between and those of the night are dropped."""
    minutes = 1 | 1 << 7 | 1 << 15 | 1 << 45 | 1 << 15 * 60

    for number in (0, 30, -1):
        morning = setting(3).instant(setting(3).days[number], DAY_START)
        assert on_grid(setting(3), minutes, morning) == 0b1011 << bisect_left(setting(3).grid, morning)


@pytest.mark.parametrize("seed", range(6))
def test_people_and_buffers(seed: int) -> None:
    """The starts at which somebody is free are the oracle's, with a margin those under a buffer."""
    found, problem = setting(3), problem_of(seed)
    timetable = Timetable(found, problem)
    for person in Random(seed).sample(sorted(found.busy), 4):
        draft = Draft.of(found, replace(problem, participants=(person,)))

        assert places(problem, draft.feasible()) == timetable.person(person)
        assert places(problem, draft.with_constraints(rule_of(Buffer(25))).feasible()) == timetable.person(person, 25)
        assert busy_constraint(person) in draft.problem.constraints


@pytest.mark.parametrize("seed", range(6))
def test_rules_of_policies(seed: int) -> None:
    """Each rule but a buffer allows the starts that the oracle allows."""
    found, problem = setting(3), problem_of(seed)
    timetable = Timetable(found, problem)
    for constraint in found.every_policy:
        if not isinstance(constraint.rule, Buffer):
            assert allowed(problem, constraint) == timetable.rule(constraint.rule)


@pytest.mark.parametrize("seed", range(40))
def test_limits(seed: int) -> None:
    """The starts inside and outside a span and from an instant on, whether or not they are on the grid."""
    problem, rng = problem_of(seed), Random(seed)
    timetable = Timetable(setting(3), problem)
    start = rng.randint(problem.window.start - 100, problem.window.end)
    span = Interval(start, start + rng.randint(30, 3000))

    assert allowed(problem, rule_of(Inside((span,)))) == timetable.inside(span)
    assert allowed(problem, rule_of(Outside(span))) == timetable.outside(span)
    assert allowed(problem, rule_of(StartsFrom(start))) == timetable.slots & ~timetable.before(start)


def test_places_are_instants() -> None:
    """The instant of a place is the first that is not before it."""
    problem = problem_of(1)
    timetable = Timetable(setting(3), problem)

    for place in (0, 1, 17):
        assert timetable.before(timetable.instant(place)).bit_length() == place

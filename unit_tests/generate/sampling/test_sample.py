"""Samples, and why they are rejected."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from mpcbench.generate.sampling.demands import thread_demand
from mpcbench.generate.sampling.sample import Check, Rejected, pick_days, window_statement
from mpcbench.generate.sampling.setting import slot_constraints
from mpcbench.generate.wording.planned import planned
from mpcbench.generate.world.base import with_threads
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import Interval, members, to_minutes
from mpcbench.oracle.masks import slot_mask
from mpcbench.oracle.problem import Busy, Constraint, EndsBy, Inside, Problem
from mpcbench.oracle.solve import gold_choices
from mpcbench.schema import Deadline, Duration, OptionCount, Order, Source
from mpcbench.schema.model import Level, clock
from unit_tests.generate.samples import QUICK, made, setting
from unit_tests.generate.sampling.drafts import check


def passing(level: Level = 1) -> Problem:
    """The problem of a certified instance."""
    found, one = setting(level), made(level, QUICK if level > 1 else 0)
    return resolve(with_threads(found.world, one.threads), one.instance)


def lone(day: date, *, days: int = 3, count: int = 3, daily: tuple[int, int] | None = (540, 1050)) -> Problem:
    """One person's calendar over some days, and nothing else."""
    found = setting(1)
    window = found.window(day, day + timedelta(days=days - 1))
    busy = Busy("p001", found.world.busy["p001"].intervals)
    calendar = Constraint(Source.CALENDAR, "busy", ("calendar:p001",), busy)
    return Problem(1, found.zone, ("p001",), window, daily, 30, count, (calendar,), None, Order.EARLIEST, ())


def reason(problem: Problem) -> str:
    with pytest.raises(Rejected) as caught:
        check(problem)
    return str(caught.value)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_passing_sample_passes(level: Level) -> None:
    """Certified samples are not rejected."""
    problem = passing(level)

    assert gold_choices(problem) == check(problem)


def test_too_few_candidates() -> None:
    """N must be feasible."""
    assert reason(replace(passing(), count=5000)).startswith("solvable: ")
    assert reason(lone(date(2027, 2, 1), daily=(0, 15))) == "solvable: 0 candidates of more than 3"


def test_a_constraint_that_changes_nothing() -> None:
    """A deadline at the end of the window has no effect."""
    problem = passing()
    useless = thread_demand(EndsBy(problem.window.end), Deadline(at=setting(1).world.period.end)).constraint

    assert (
        reason(replace(problem, constraints=(*problem.constraints, useless)))
        == "load_bearing: a constraint changes nothing"
    )


def test_n_must_matter() -> None:
    """Where exactly N are feasible their number tells nothing, and the sample is rejected."""
    problem = passing()
    everything = len(gold_choices(replace(problem, count=5000)))

    assert reason(replace(problem, count=everything)).startswith("solvable: ")


def thinned(problem: Problem, place: int) -> Problem:
    """The problem with a calendar that leaves one slot in forty, from a place on."""
    slots = [problem.window.start + start for start in members(slot_mask(problem))]
    kept = Inside(tuple(Interval(slot, slot + problem.duration) for slot in slots[place::40]))
    return replace(problem, constraints=(replace(problem.constraints[0], rule=kept),))


def test_what_is_much_without_a_source() -> None:
    """Where nobody is busy all slots are gold; where no policy applies the free ones are."""
    free = lone(date(2027, 2, 1), days=12)

    assert reason(replace(free, constraints=())) == "no_shortcut: without calendar much is gold"
    assert reason(thinned(free, 20)) == "no_shortcut: without policy much is gold"


def test_slots_in_a_row_without_the_policy() -> None:
    """A gold that is one run of the slots left without the policy is rejected."""
    found = setting(1)
    reasons = set()
    for section in found.slot_policies:
        for day in found.days[:60:7]:
            problem = lone(day, days=12)
            try:
                check(replace(problem, constraints=(*problem.constraints, *slot_constraints(section))))
            except Rejected as rejected:
                reasons.add(str(rejected))

    assert "no_shortcut: without policy the gold is a run of slots" in reasons


def test_rejection_knows_its_check() -> None:
    """The check is counted, the message says more."""
    rejected = Rejected(Check.UNIQUE, "two candidates rank alike")

    assert (rejected.check, str(rejected)) == (Check.UNIQUE, "unique: two candidates rank alike")


def test_window_statement() -> None:
    """Both days are included, and the daily hours are clock times."""
    found = setting(1)
    statement = window_statement(found, date(2027, 3, 26), date(2027, 3, 29), (510, 1170))

    assert found.window(date(2027, 3, 26), date(2027, 3, 29)) == Interval(
        to_minutes(statement.start), to_minutes(statement.end)
    )
    assert statement.start.isoformat() == "2027-03-26T00:00:00+01:00"
    assert statement.end.isoformat() == "2027-03-30T00:00:00+02:00"
    assert statement.daily is not None
    assert (statement.daily.start, statement.daily.end) == ("08:30", "19:30")


@pytest.mark.parametrize(("minute", "expected"), [(0, "00:00"), (545, "09:05"), (1440, "24:00")])
def test_clock(minute: int, expected: str) -> None:
    """Hours and minutes, two digits each; the end of the day is 24:00."""
    assert expected == clock(minute)


def test_pick_days() -> None:
    """A run of one of the lengths that may begin on any weekday."""
    found = [pick_days(setting(1), Random(seed), (5, 8)) for seed in range(60)]

    assert {5, 8} == {len(days) for days in found}
    assert set(range(7)) == {days[0].weekday() for days in found}
    assert all([days[0] + timedelta(days=number) for number in range(len(days))] == list(days) for days in found)


def test_planned() -> None:
    """What repeats a kind is worded as an addition."""
    one, other = Duration(minutes=30), Duration(minutes=45)

    assert [False, False, True] == [item.correcting for item in planned((one, OptionCount(count=3), other))]

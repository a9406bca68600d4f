"""Samples, and why they are rejected."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from mpcbench.generate.sampling.demands import thread_demand
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Check, Rejected, check, pick_days, window_statement
from mpcbench.generate.sampling.setting import slot_constraints
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import EndsBy, Problem
from mpcbench.schema import Deadline, Order
from mpcbench.schema.model import Level, clock
from unit_tests.generate.samples import made, setting
from unit_tests.generate.sampling.drafts import draft_of


def passing(level: Level = 1) -> Draft:
    """The draft of a certified instance."""
    found = setting(level)
    return draft_of(found, resolve(found.world, made(level, 0).instance))


def lone(day: date, *, count: int = 3, daily: tuple[int, int] | None = (540, 1050)) -> Draft:
    """One person's calendar over three days, and nothing else."""
    found = setting(1)
    window = found.window(day, day + timedelta(days=2))
    problem = Problem(1, found.zone, ("p001",), window, daily, 30, count, (), None, Order.EARLIEST, ())
    return Draft.of(found, problem)


def reason(draft: Draft) -> str:
    with pytest.raises(Rejected) as caught:
        check(setting(1), draft)
    return str(caught.value)


def test_a_passing_sample_passes() -> None:
    """Certified samples are not rejected."""
    check(setting(1), passing())


def test_too_few_candidates() -> None:
    """N must be feasible."""
    draft = passing()

    assert reason(replace(draft, problem=replace(draft.problem, count=5000))).startswith("solvable: ")
    assert reason(lone(date(2027, 2, 1), daily=(0, 15))) == "solvable: 0 candidates of 3"


def test_no_meeting_at_a_weekend() -> None:
    """A gold candidate on a Saturday is implausible."""
    assert reason(lone(date(2027, 2, 6))) == "implausible: a meeting at a weekend"


def test_a_constraint_that_changes_nothing() -> None:
    """A deadline at the end of the window has no effect."""
    draft = passing()
    end = draft.problem.window.end
    useless = thread_demand(Deadline(at=setting(1).world.period.end), EndsBy(end)).constraint

    assert reason(draft.with_constraints(useless)) == "load_bearing: a constraint changes nothing"


def test_one_source_alone() -> None:
    """Where there is one calendar and nothing else, the calendar alone finds the gold."""
    busy_morning = date(2027, 2, 1)

    assert reason(lone(busy_morning)) == "no_shortcut: calendar alone finds a gold candidate"


def test_every_policy_at_once() -> None:
    """Some samples that pass all else are solved by applying every policy, and are rejected."""
    found = setting(1)
    reasons = set()
    for section in found.slot_policies:
        for day in found.days[:60]:
            draft = lone(day, daily=(480, 1200)).with_person(found, "p002").with_constraints(*slot_constraints(section))
            try:
                check(found, draft)
            except Rejected as rejected:
                reasons.add(str(rejected))

    assert "no_shortcut: every policy at once finds a gold candidate" in reasons
    assert "no_shortcut: policy alone finds a gold candidate" in reasons


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
    """A run of one of the lengths that begins on one of the weekdays."""
    for seed in range(50):
        days = pick_days(setting(1), Random(seed), (5, 8), (1, 3))
        assert len(days) in {5, 8}
        assert days[0].weekday() in {1, 3}
        assert [days[0] + timedelta(days=number) for number in range(len(days))] == list(days)

"""Demands about when."""

from collections.abc import Callable
from datetime import date
from random import Random

import pytest

from mpcbench.generate.sampling.demands import (
    Demand,
    deadline,
    early_ban,
    not_before,
)
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Rejected
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.interval import Interval, to_minutes
from mpcbench.oracle.problem import EndsBy, Outside, Problem, StartsFrom
from mpcbench.schema import BanWindow, Deadline, NotBefore, Order
from unit_tests.generate.samples import setting

Maker = Callable[[Setting, Draft, Random], Demand]
FRIDAY, SUNDAY = date(2027, 2, 5), date(2027, 2, 28)
OPENS, CLOSES = 510, 1080
MAKERS = (early_ban, deadline, not_before)


def draft(first: date = FRIDAY, last: date = SUNDAY, daily: tuple[int, int] = (OPENS, CLOSES)) -> Draft:
    """Two people over some days, two weekends among them."""
    found = setting(2)
    window = found.window(first, last)
    return Draft.of(found, Problem(2, found.zone, ("p001", "p002"), window, daily, 30, 3, (), None, Order.EARLIEST, ()))


def demands(make: Maker) -> list[Demand]:
    return [make(setting(2), draft(), Random(seed)) for seed in range(60)]


def times(demand: Demand) -> list[tuple[date, int]]:
    """The local days and minutes of everything that a demand states."""
    zone = setting(2).zone
    moments = []
    for statement in demand.statements:
        match statement:
            case BanWindow():
                moments += [statement.start, statement.end]
            case Deadline() | NotBefore():
                moments.append(statement.at)
    return [(local.date(), local.hour * 60 + local.minute) for local in (one.astimezone(zone) for one in moments)]


@pytest.mark.parametrize("make", MAKERS)
def test_statements_and_constraint_say_the_same(make: Maker) -> None:
    """The times of the statements are those of the rule."""
    for demand in demands(make):
        match demand.constraint.rule:
            case Outside(span=span):
                ruled: object = [span]
            case StartsFrom(instant=instant) | EndsBy(instant=instant):
                ruled = instant
            case other:
                pytest.fail(f"unexpected rule: {other}")
        stated: object = [
            Interval(to_minutes(said.start), to_minutes(said.end))
            for said in demand.statements
            if isinstance(said, BanWindow)
        ]
        for said in demand.statements:
            if isinstance(said, Deadline | NotBefore):
                stated = to_minutes(said.at)

        assert stated == ruled
        assert {demand.constraint.kind} == {said.kind for said in demand.statements}


@pytest.mark.parametrize("make", MAKERS)
def test_times_are_half_hours_within_the_daily_hours(make: Maker) -> None:
    """No limit lies at night, and weekends are as possible as other days."""
    found = [time for demand in demands(make) for time in times(demand)]

    assert all(OPENS <= minute <= CLOSES and minute % 30 == 0 for _, minute in found)
    assert all(FRIDAY <= day <= SUNDAY for day, _ in found)
    assert any(day.weekday() >= 5 for day, _ in found)
    assert len({day for day, _ in found}) > 5


def test_a_ban_is_of_hours_of_one_day() -> None:
    """It lies on one local day and has room for a feasible slot."""
    plan = draft()
    feasible = plan.feasible()
    for demand in demands(early_ban):
        (said,) = demand.statements
        assert isinstance(said, BanWindow)
        assert said.start.date() == said.end.date()
        low = to_minutes(said.start) - plan.problem.window.start
        high = to_minutes(said.end) - plan.problem.window.start - plan.problem.duration
        assert feasible >> low & ((2 << (high - low)) - 1)


def test_no_slot_to_limit() -> None:
    """Where nothing is feasible, there is nothing to ban."""
    with pytest.raises(Rejected, match=r"^solvable: no candidates to ban$"):
        early_ban(setting(2), draft(daily=(0, 15)), Random(0))

"""Demands about when."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from random import Random

import pytest

from mpcbench.generate.sampling.demands import (
    Demand,
    ban_hours,
    ban_window,
    deadline,
    leading_starts,
    not_before,
    required_window,
)
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Rejected
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.interval import Interval, to_datetime, to_minutes
from mpcbench.oracle.problem import EndsBy, Inside, Outside, Problem, StartsFrom
from mpcbench.schema import BanWindow, Deadline, NotBefore, Order, RequiredWindow
from unit_tests.generate.samples import setting

Maker = Callable[[Setting, Draft, Random], Demand]
MONDAY, FRIDAY = date(2027, 2, 1), date(2027, 2, 5)
SEEDS = range(40)


def draft(
    first: date = MONDAY, last: date = FRIDAY, *, order: Order = Order.EARLIEST, daily: tuple[int, int] = (540, 1080)
) -> Draft:
    """Two people over some days."""
    found = setting(2)
    window = found.window(first, last)
    return Draft.of(found, Problem(2, found.zone, ("p001", "p002"), window, daily, 30, 3, (), None, order, ()))


def demands(make: Maker, plan: Draft) -> list[Demand]:
    found = []
    for seed in SEEDS:
        try:
            found.append(make(setting(2), plan, Random(seed)))
        except Rejected:
            continue
    assert len(found) > 10
    return found


@pytest.mark.parametrize("make", [ban_window, required_window, not_before, deadline])
def test_demands_take_the_leading_candidate_away(make: Maker) -> None:
    """What would come first without the demand is no longer feasible with it."""
    plan = draft(order=Order.LATEST if make is deadline else Order.EARLIEST)
    for demand in demands(make, plan):
        leading = plan.gold()[0]

        assert leading not in plan.with_constraints(demand.constraint).gold()


@pytest.mark.parametrize("make", [ban_window, required_window, not_before, deadline])
def test_statement_and_constraint_say_the_same(make: Maker) -> None:
    """The times of the statement are those of the rule."""
    for demand in demands(make, draft()):
        match demand.statement, demand.constraint.rule:
            case BanWindow() as said, Outside(span=span):
                stated: object = Interval(to_minutes(said.start), to_minutes(said.end))
                ruled: object = span
            case RequiredWindow() as said, Inside(spans=spans):
                stated, ruled = (Interval(to_minutes(said.start), to_minutes(said.end)),), spans
            case NotBefore() as said, StartsFrom(instant=instant):
                stated, ruled = to_minutes(said.at), instant
            case Deadline() as said, EndsBy(instant=instant):
                stated, ruled = to_minutes(said.at), instant
            case other:
                pytest.fail(f"unexpected demand: {other}")

        assert stated == ruled
        assert demand.statement.kind == demand.constraint.kind


def test_bans_are_hours_of_one_day() -> None:
    """Whole half hours between 7 and 21 of the first day that would lead."""
    for demand in demands(ban_window, draft()):
        assert isinstance(demand.statement, BanWindow)
        start, end = demand.statement.start, demand.statement.end
        assert start.date() == end.date()
        assert 7 <= start.hour <= end.hour <= 21
        assert start.minute % 30 == end.minute % 30 == 0


def test_required_windows_end_within_the_window() -> None:
    """They begin after the candidate that would lead and hold at least one slot."""
    plan = draft()
    for demand in demands(required_window, plan):
        assert isinstance(demand.constraint.rule, Inside)
        (span,) = demand.constraint.rule.spans
        assert plan.gold()[0].start < span.start
        assert span.end <= plan.problem.window.end
        assert span.end - span.start >= plan.problem.duration


def test_leading_starts_leave_weekends_out() -> None:
    """In ranking order, Saturday and Sunday passed over."""
    plan = draft(date(2027, 2, 5), date(2027, 2, 8))
    starts = leading_starts(plan, 500)
    days = {to_datetime(start, setting(2).zone).date() for start in starts}

    assert days == {date(2027, 2, 5), date(2027, 2, 8)}
    assert starts == sorted(starts)


def test_nothing_leads() -> None:
    """Without a candidate there is nothing to place a demand against."""
    with pytest.raises(Rejected, match=r"^solvable: no candidate before the demand$"):
        ban_window(setting(2), draft(daily=(0, 15)), Random(0))


def test_one_run_of_candidates() -> None:
    """Where the candidates follow each other without a gap there is no gap to place a limit in."""
    with pytest.raises(Rejected, match=r"^load_bearing: the candidates make one run$"):
        not_before(setting(2), draft(MONDAY, MONDAY, daily=(18 * 60, 20 * 60)), Random(0))


def test_required_window_too_short() -> None:
    """A stretch too short for a slot is rejected."""
    plan = draft(daily=(540, 1200))
    reasons = set()
    for seed in range(200):
        try:
            required_window(setting(2), plan, Random(seed))
        except Rejected as rejected:
            reasons.add(str(rejected))

    assert reasons == {"solvable: the required window is too short"}


def test_bans_about_weekends_and_nights() -> None:
    """A ban on a Saturday is implausible, and one that no hour between 7 and 21 covers is none."""
    found, plan = setting(2), draft()
    saturday = found.instant(date(2027, 2, 6), 600)
    night = found.instant(MONDAY, 23 * 60)

    with pytest.raises(Rejected, match=r"^implausible: a demand about a weekend$"):
        ban_hours(found, plan, saturday, saturday, Random(0))
    with pytest.raises(Rejected, match=r"^load_bearing: no span covers the leading candidates$"):
        ban_hours(found, plan, night, night, Random(0))


def test_ban_covers_its_slots() -> None:
    """From the first slot's start to the last slot's end, in whichever order they are given."""
    found, plan = setting(2), draft()
    first, last = found.instant(MONDAY, 605), found.instant(MONDAY, 695)
    for seed in SEEDS:
        for pair in ((first, last), (last, first)):
            rule = ban_hours(found, replace(plan), *pair, Random(seed)).constraint.rule
            assert isinstance(rule, Outside)
            assert rule.span.contains(Interval(first, last + plan.problem.duration))

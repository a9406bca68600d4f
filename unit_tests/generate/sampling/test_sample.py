"""Samples, and why they are rejected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from random import Random

import pytest

from mpcbench.generate.sampling.demands import thread_demand
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Check, Checked, Rejected, check, pick_days, window_statement
from mpcbench.generate.sampling.setting import slot_constraints
from mpcbench.generate.wording.planned import planned
from mpcbench.generate.world.base import with_threads
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import Interval, members, to_minutes
from mpcbench.oracle.problem import EndsBy, Problem
from mpcbench.oracle.solve import Choice
from mpcbench.schema import Deadline, Duration, OptionCount, Order
from mpcbench.schema.model import Level, clock
from unit_tests.generate.samples import QUICK, made, setting
from unit_tests.generate.sampling.drafts import draft_of


def passing(level: Level = 1) -> Draft:
    """The draft of a certified instance."""
    found, one = setting(level), made(level, QUICK if level > 1 else 0)
    return draft_of(found, resolve(with_threads(found.world, one.threads), one.instance))


def lone(day: date, *, days: int = 3, count: int = 3, daily: tuple[int, int] | None = (540, 1050)) -> Draft:
    """One person's calendar over some days, and nothing else."""
    found = setting(1)
    window = found.window(day, day + timedelta(days=days - 1))
    problem = Problem(1, found.zone, ("p001",), window, daily, 30, count, (), None, Order.EARLIEST, ())
    return Draft.of(found, problem)


def reason(draft: Draft) -> str:
    with pytest.raises(Rejected) as caught:
        check(draft)
    return str(caught.value)


def test_a_passing_sample_passes() -> None:
    """Certified samples are not rejected."""
    draft = passing()

    assert draft.gold() == check(draft)


@pytest.mark.parametrize("level", [2, 3])
def test_what_is_ranked_once_serves_every_n(level: Level) -> None:
    """A draft passes with some N exactly if the draft of that N alone passes, and with the same gold."""
    draft = passing(level)
    checked = Checked(draft, 8)

    for count in (6, 3, 8, 1, 4):
        alone = replace(draft, problem=replace(draft.problem, count=count))
        assert outcome(partial(check, alone)) == outcome(partial(checked.gold, count))


def outcome(checking: Callable[[], Sequence[Choice]]) -> object:
    try:
        return checking()
    except Rejected as rejected:
        return str(rejected)


def test_too_few_candidates() -> None:
    """N must be feasible."""
    draft = passing()

    assert reason(replace(draft, problem=replace(draft.problem, count=5000))).startswith("solvable: ")
    assert reason(lone(date(2027, 2, 1), daily=(0, 15))) == "solvable: 0 candidates of more than 3"


def test_a_constraint_that_changes_nothing() -> None:
    """A deadline at the end of the window has no effect."""
    draft = passing()
    end = draft.problem.window.end
    useless = thread_demand(EndsBy(end), Deadline(at=setting(1).world.period.end)).constraint

    assert reason(draft.with_constraints(useless)) == "load_bearing: a constraint changes nothing"


def test_n_must_matter() -> None:
    """Where exactly N are feasible their number tells nothing, and the sample is rejected."""
    draft = passing()
    everything = len(draft.gold(problem=replace(draft.problem, count=5000)))

    assert reason(replace(draft, problem=replace(draft.problem, count=everything))).startswith("solvable: ")


def thinned(draft: Draft, place: int) -> Draft:
    """The draft with a calendar that leaves one slot in forty, from a place on."""
    slots = list(members(draft.slots))
    kept = sum(1 << slots[number] for number in range(place, len(slots), 40))
    return replace(draft, masks=tuple((constraint, kept) for constraint, _ in draft.masks))


def test_what_is_much_without_a_source() -> None:
    """Where nobody is busy all slots are gold; where no policy applies the free ones are."""
    free = lone(date(2027, 2, 1), days=12)

    assert reason(replace(free, masks=())) == "no_shortcut: without calendar much is gold"
    assert reason(thinned(free, 20)) == "no_shortcut: without policy much is gold"


def test_slots_in_a_row_without_the_policy() -> None:
    """A gold that is one run of the slots left without the policy is rejected."""
    found = setting(1)
    reasons = set()
    for section in found.slot_policies:
        for day in found.days[:60:7]:
            try:
                check(lone(day, days=12).with_constraints(*slot_constraints(section)))
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

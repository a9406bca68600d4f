"""Policies tried on sets of starts say what the checks of a whole draft say."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.policy_trials import PolicyTrials, ahead_of, ends, leading
from mpcbench.generate.sampling.sample import THINNING, Rejected
from mpcbench.oracle import resolve
from mpcbench.oracle.interval import members
from mpcbench.oracle.problem import Busy
from mpcbench.schema import Order, Section, Source
from mpcbench.schema.model import Level
from unit_tests.examples import examples
from unit_tests.generate.samples import made, setting
from unit_tests.generate.sampling.drafts import check, draft_of, engine_problem, problems

starts = st.integers(1, (1 << 40) - 1)
orders = st.sampled_from(Order)


def checked(draft: Draft, section: Section, level: Level) -> int | None:
    """The starts of the gold under a policy, as a set, if `check` lets the draft pass."""
    with suppress(Rejected):
        ruled = draft.with_constraints(*setting(level).policy_constraints[section.policy_id])
        gold = check(engine_problem(setting(level), ruled.problem))
        return sum(1 << (choice.start - draft.problem.window.start) for choice in gold)
    return None


def tried(draft: Draft, section: Section, level: Level) -> int | None:
    return PolicyTrials(setting(level), draft, THINNING[level]).gold(section)


@pytest.mark.parametrize("level", [1, 2])
@examples(40)
@given(data=st.data())
def test_any_draft(level: Level, data: st.DataObject) -> None:
    """A draft passes under a policy exactly if `check` says so, with the same gold."""
    draft = draft_of(setting(level), data.draw(problems(level)))
    section = data.draw(st.sampled_from(setting(level).slot_policies))

    assert checked(draft, section, level) == tried(draft, section, level)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("index", [0, 94])
def test_certified_drafts_under_every_policy(level: Level, index: int) -> None:
    """Under many policies the drafts of certified instances pass, and the trials agree with `check` on every policy."""
    found, one = setting(level), made(level, index)
    problem = resolve(found.world.with_threads((*found.world.threads, *one.threads)), one.instance)
    others = [item for item in problem.constraints if not isinstance(item.rule, Busy)]
    without = replace(problem, constraints=tuple(item for item in others if item.source is not Source.POLICY))
    draft = draft_of(found, without)
    expected = [checked(draft, section, level) for section in found.slot_policies]

    assert sum(gold is not None for gold in expected) >= 5
    assert expected == [tried(draft, section, level) for section in found.slot_policies]


@given(starts, st.integers(0, 50), orders)
def test_leading(found: int, count: int, order: Order) -> None:
    """The first starts in the ranking, or all."""
    ranked = sorted(members(found), reverse=order is Order.LATEST)

    assert set(ranked[:count]) == set(members(leading(found, count, order)))


@given(starts, orders)
def test_first_and_last(found: int, order: Order) -> None:
    """The ends of a set in the ranking; nothing of it ranks before the first, all but one before the last."""
    ranked = sorted(members(found), reverse=order is Order.LATEST)
    first, last = ends(found, order)

    assert (ranked[0], ranked[-1]) == (first, last)
    assert 0 == found & ahead_of(first, order)
    assert len(ranked) - 1 == (found & ahead_of(last, order)).bit_count()

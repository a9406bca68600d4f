"""The archive's predicates in a search that ends in time find what its own search finds."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mpcbench.archive.v2 import ladder_oracle
from mpcbench.generate.level4.archived import ArchivedPlans, UndecidedError, archive_agrees
from mpcbench.oracle import UnresolvedError
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.solve import solve
from mpcbench.schema.level4.label import LadderCandidate
from unit_tests.builders.ladder_drafts import setting, small_instance
from unit_tests.oracle.level4.strategies import LadderCase, Theme, ladder_cases

_CALM = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example, HealthCheck.filter_too_much]


@settings(max_examples=12, deadline=None, suppress_health_check=_CALM)
@given(ladder_cases(Theme.JOINT))
def test_plans(case: LadderCase) -> None:
    """Of the archive's own gold it says that it is the first plan, and of any other that it is not."""
    world, task = case.world.model_dump(mode="json"), case.instance.model_dump(mode="json")
    try:
        label = ladder_oracle.label(world, task)
    except ValueError:
        label = {"gold": []}
    assume(label["gold"] and label["gold"][0]["meeting"] is not None)
    plans = ArchivedPlans(ladder_oracle.after_change(world, task), task, 10_000)

    assert label["counts"] == plans.counts
    assert label["digest"] == ladder_oracle.digest(plans.feasible)
    assert plans.is_first(label["gold"])
    for meeting, some in enumerate(plans.feasible):
        others = [
            one for one in some if ladder_oracle.iso(one["start"], plans.task.zone) != label["gold"][meeting]["start"]
        ]
        for other in others[:3]:
            wrong = [*label["gold"]]
            wrong[meeting] = wrong[meeting] | {
                "start": ladder_oracle.iso(other["start"], plans.task.zone),
                "end": ladder_oracle.iso(other["end"], plans.task.zone),
                "room_id": other["room"]["room_id"],
            }
            assert not plans.is_first(wrong)


@settings(max_examples=12, deadline=None, suppress_health_check=_CALM)
@given(st.sampled_from(Theme).flatmap(ladder_cases))
def test_any_case(case: LadderCase) -> None:
    """It agrees with the engine on whatever the engine solves."""
    try:
        solution = solve(knowledge_of(case.world, case.instance))
    except UnresolvedError:
        return
    if len(solution.gold) == solution.wanted:
        assert archive_agrees(case.world.model_dump(mode="json"), case.instance, solution)


def test_disagreement() -> None:
    """Another digest, another count or another gold is one."""
    one = small_instance()
    world = setting().json_with(one.threads, one.pages)
    solution = solve(knowledge_of(setting().world_with(one.threads, one.pages), one.instance))
    room = LadderCandidate(start=solution.gold[0].start, end=solution.gold[0].end, room_id="R09")

    assert archive_agrees(world, one.instance, solution)
    assert not archive_agrees(world, one.instance, replace(solution, digest="0" * 64))
    assert not archive_agrees(world, one.instance, replace(solution, gold=(room, *solution.gold[1:])))


@pytest.mark.parametrize("most", [0])
def test_a_search_that_gives_up(most: int) -> None:
    """Beyond its bound it says that it cannot tell."""
    plans = ArchivedPlans.__new__(ArchivedPlans)
    plans.left = most

    with pytest.raises(UndecidedError):
        plans._can_be_completed({}, {0: [0]}, 0, 0)

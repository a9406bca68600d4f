"""The staircase over rungs: where it goes, what it asks for, and what it finds."""

from math import exp, log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.statistics.horizon import Climbed, horizon
from mpcbench.evaluation.statistics.staircase import Climb, climbs, pair_after
from mpcbench.schema.run import Case

UP, DOWN, STAY = (True, True), (False, False), (True, False)
RUNGS = {f"level4-{number:03}": number // 6 + 1 for number in range(48)}


def cases(model: str = "m") -> list[Case]:
    return [Case(instance_id, 4, model) for instance_id in RUNGS]


def climbed(climb: Climb, top: int) -> list[Case]:
    """What is asked for of a model that solves all up to a rung."""
    solved: dict[Case, bool | None] = {}
    while left := [case for case in climb.asked(solved) if case not in solved]:
        solved[left[0]] = RUNGS[left[0].instance_id] <= top
    return list(solved)


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        ((), 3),
        ((UP,), 5),
        ((UP, UP), 6),
        ((DOWN,), 1),
        ((DOWN, DOWN), 0),
        ((UP, DOWN), 4),
        ((STAY, UP), 4),
        ((UP, STAY, UP), 6),
    ],
)
def test_pair_moves_with_what_is_solved(steps: tuple[tuple[bool, bool], ...], place: int) -> None:
    """Of eight rungs, from the fourth and fifth: two at a time, until the direction changes or the pair stays."""
    assert (place, place + 1) == pair_after(steps, 8)


def test_errors_do_not_move_the_pair() -> None:
    """They say nothing about the model."""
    assert pair_after([], 8) == pair_after([(None, False)], 8) == pair_after([(True, None)], 8)


@given(
    st.lists(st.tuples(st.sampled_from([True, False, None]), st.sampled_from([True, False, None])), max_size=20),
    st.integers(2, 12),
)
def test_pair_stays_on_the_ladder(steps: list[tuple[bool | None, bool | None]], rungs: int) -> None:
    """Whatever came of the steps."""
    lower, upper = pair_after(steps, rungs)

    assert 0 <= lower < upper < rungs


@pytest.mark.parametrize("top", range(9))
def test_episodes_gather_where_the_model_breaks(top: int) -> None:
    """At the end the last rung that is solved and the first that is not are asked for, step by step."""
    climb = Climb(cases(), RUNGS)
    asked = climbed(climb, top)
    last = [RUNGS[case.instance_id] for case in asked[-2:]]

    assert 12 == len(asked) == len(set(asked))
    assert [min(max(top, 1), 7), min(max(top, 1), 7) + 1] == last
    assert asked == [case for case in climb.order() if case in asked]


def test_limit_counts_episodes_and_models_climb_apart() -> None:
    """Two a step; a staircase without a step or a second rung cannot climb."""
    found = climbs([*cases("a"), *cases("b")], RUNGS, limit=7)

    assert ["a", "b"] == list(found)
    assert 6 == len(climbed(found["b"], 4))
    assert not Climb(cases(), RUNGS, limit=1).can_climb
    assert not Climb(cases()[:6], RUNGS).can_climb


def test_staircase_agrees_with_the_whole_run() -> None:
    """In 60 simulated models, on 24 of 96 instances, its interval holds the whole run's estimate in at least 85 %."""
    rng, agreed = Random(5), 0
    for _ in range(60):
        middle = rng.uniform(5, 9)
        load = [[round(12 * 2**rung * rng.uniform(0.7, 1.4)) for _ in range(12)] for rung in range(8)]
        solved = [[rng.random() < 1 / (1 + exp(1.5 * (log2(one) - middle))) for one in row] for row in load]
        steps: list[tuple[bool | None, bool | None]] = []
        used = []
        for step in range(12):
            places = pair_after(steps, 8)
            used += [(place, step) for place in places]
            steps.append((solved[places[0]][step], solved[places[1]][step]))
        found, whole = (
            horizon([Climbed(rung + 1, load[rung][place], float(solved[rung][place])) for rung, place in some])
            for some in (used, [(rung, place) for rung in range(8) for place in range(12)])
        )
        assert found is not None
        assert whole is not None
        low, high, there = found.low, found.high, whole.estimate.load
        assert low is not None
        assert high is not None
        agreed += there is not None and (low.load or 0) <= there <= (high.load or 1e9)

    assert agreed >= 51

"""The composition horizon: fit, interval, and what is said where it cannot be told."""

from math import exp, inf, log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.statistics.horizon import Bound, Climbed, Horizon, Place, horizon
from mpcbench.evaluation.statistics.horizon_move import horizon_move
from mpcbench.evaluation.statistics.logistic import crossings

LOADS = (12, 25, 50, 100, 200, 400, 800, 1600)


def drawn(place: float, steepness: float, *, a_rung: int, seed: int) -> list[Climbed]:
    """Instances on eight rungs, solved with the chance of a curve that crosses one half at a place."""
    rng = Random(seed)
    found = []
    for rung, middle in enumerate(LOADS, start=1):
        for _ in range(a_rung):
            load = round(middle * rng.uniform(0.7, 1.4))
            chance = 1 / (1 + exp(steepness * (log2(load) - place)))
            found.append(Climbed(rung, load, float(rng.random() < chance)))
    return found


def solved_up_to(rung: int, a_rung: int = 3) -> list[Climbed]:
    """Every instance up to a rung and none above."""
    return [Climbed(one, LOADS[one - 1], float(one <= rung)) for one in range(1, 9) for _ in range(a_rung)]


def found(climbed: list[Climbed]) -> Horizon:
    one = horizon(climbed)
    assert one is not None
    return one


def log(bound: Bound | None) -> float:
    """The logarithm of a bound, infinite beyond the loads that were run."""
    assert bound is not None
    if bound.load is None:
        return inf if bound.place is Place.ABOVE else -inf
    return log2(bound.load)


def test_curve_is_that_of_a_penalised_fit() -> None:
    """Reference values of Firth's logistic regression by direct maximisation of the penalised likelihood."""
    import numpy as np  # noqa: PLC0415
    from scipy import optimize  # noqa: PLC0415

    x, y = np.array([3.0, 4, 5, 6, 7, 8]), np.array([1.0, 1, 0, 1, 0, 0])

    def loss(parameters: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        rate = 1 / (1 + np.exp(-(parameters[0] + parameters[1] * x)))
        w = rate * (1 - rate)
        information = np.array([[w.sum(), (w * x).sum()], [(w * x).sum(), (w * x * x).sum()]])
        likelihood = (y * np.log(rate) + (1 - y) * np.log(1 - rate)).sum()
        return float(-likelihood - 0.5 * np.log(np.linalg.det(information)))

    best = optimize.minimize(loss, np.array([3.0, -0.5]), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    place, slope = crossings(list(x), list(y))

    assert (-best.x[0] / best.x[1], best.x[1]) == pytest.approx((place[0], slope[0]), abs=1e-4)


def test_weights_count_instances_as_often() -> None:
    """An instance with the weight 2 is two instances."""
    x, y = [3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 0.0, 0.0]
    twice = crossings([*x, 4.0], [*y, 1.0])
    weighted = crossings(x, y, [[1, 2, 1, 1]])

    assert [one[0] for one in twice] == pytest.approx([one[0] for one in weighted], abs=1e-4)


def test_horizon_of_a_drawn_model_is_found() -> None:
    """Over many instances estimate and interval surround the load at which one half are solved."""
    one = found(drawn(6.5, 1.5, a_rung=100, seed=1))

    assert abs(log(one.estimate) - 6.5) < 0.25
    assert log(one.low) < 6.5 < log(one.high)
    assert abs(one.slope + 1.5) < 0.25
    assert not one.separated


@pytest.mark.parametrize(
    ("rung", "text"),
    [
        (8, "above rung 8 [load 1,600 (rung 8), above rung 8]"),
        (0, "below rung 1 [below rung 1, load 12 (rung 1)]"),
    ],
)
def test_nothing_is_extrapolated(rung: int, text: str) -> None:
    """Where all or none is solved, it is said on which side of the loads the horizon lies."""
    one = found(solved_up_to(rung))

    assert text == one.text
    assert one.estimate.load is None


def test_interval_may_leave_the_ladder() -> None:
    """A model that begins to fail at the top: the upper bound is above the ladder."""
    climbed = [*solved_up_to(7)[:-3], Climbed(8, 1600, 1.0), Climbed(8, 1600, 1.0), Climbed(8, 1600, 0.0)]
    one = found(climbed)

    assert "above rung 8" == (one.high or one.estimate).text


def test_separated_instances_are_named() -> None:
    """The interval holds the whole gap, from the highest load that was solved to the lowest that was not."""
    one = found(solved_up_to(4))

    assert one.separated
    assert log2(100) < log(one.estimate) < log2(200)
    assert log(one.low) <= log2(100) + 1e-3
    assert log(one.high) >= log2(200) - 1e-3
    assert one.text.endswith("; all instances below it were solved and none above")


def test_few_instances_have_no_interval() -> None:
    """Their resamples say too little."""
    one = found(solved_up_to(4, a_rung=1))

    assert (None, None) == (one.low, one.high)
    assert one.text.endswith("no interval with fewer than 10 instances")


def test_model_that_gets_better_with_load_has_no_slope() -> None:
    """No curve falls: the horizon is beyond the loads, on the side that the mean rate says."""
    turned = [one._replace(rate=1 - one.rate) for one in solved_up_to(3)]
    one = found(turned)

    assert (Place.ABOVE, 0.0) == (one.estimate.place, one.slope)


def test_single_rung_only_tells_a_side() -> None:
    """Ten instances of one load, seven of them solved."""
    one = found([Climbed(3, 50, float(number < 7)) for number in range(10)])

    assert "above rung 3" == one.estimate.text
    assert horizon([]) is None


@given(
    st.lists(
        st.tuples(st.integers(1, 8), st.integers(1, 4000), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=12
    )
)
def test_any_instances_have_a_horizon_in_order(rows: list[tuple[int, int, float]]) -> None:
    """Low, estimate and high are in order, and the order of the instances does not matter."""
    climbed = [Climbed(*row) for row in rows]
    one = found(climbed)

    assert one.slope <= 0
    if one.low is not None and one.high is not None:
        assert log(one.low) <= log(one.estimate) <= log(one.high)
    assert one.estimate == found(climbed[::-1]).estimate


def test_interval_holds_the_horizon() -> None:
    """In 200 simulated runs of 48 instances the interval holds the true horizon in at least 90 %."""
    hits = 0
    for seed in range(200):
        one = found(drawn(7.0, 1.5, a_rung=6, seed=seed))
        hits += log(one.low) <= 7.0 <= log(one.high)

    assert hits >= 180


def test_move_is_a_factor_with_its_interval() -> None:
    """A model whose horizon is two rungs higher, on the same instances."""
    lower, higher = solved_up_to(3), solved_up_to(5)
    move = horizon_move(lower, higher)

    assert move is not None
    assert move.factor == pytest.approx(4, rel=0.1)
    assert move.factor is not None
    assert move.low is not None
    assert move.high is not None
    assert 1 < move.low < move.factor < move.high
    assert "the latter is 4" in move.text()


def test_move_beyond_the_ladder_is_not_a_number() -> None:
    """Above rung 8 nothing can be divided."""
    move = horizon_move(solved_up_to(3), solved_up_to(8))

    assert move is not None
    assert move.factor is None
    assert "how many times as high cannot be told" in move.text()

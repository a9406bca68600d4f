"""Tests of paired differences are SciPy's and statsmodels'; what they can detect is what simulations detect."""

from itertools import product
from math import fsum, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.power import TTestPower

from mpcbench.evaluation.statistics import (
    ALPHA,
    PairedTest,
    Spread,
    TestName,
    detectable,
    mcnemar,
    needed_instances,
    needed_trials,
    permutation,
    spread_of,
)

pairs = st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 2 / 3, 1.0])] * 2), min_size=1, max_size=30)


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (1, 0), (6, 0), (3, 9), (9, 3), (20, 20), (100, 60)])
def test_mcnemar_is_statsmodels(gained: int, lost: int) -> None:
    """The exact test on the instances that only one run solved."""
    expected = statsmodels_mcnemar([[50, gained], [lost, 10]], exact=True).pvalue

    assert pytest.approx(min(float(expected), 1), abs=1e-8) == mcnemar(gained, lost).p_value


@given(st.lists(st.tuples(*[st.integers(0, 1_000).map(lambda number: number / 1_000)] * 2), min_size=1, max_size=8))
def test_small_permutation_test_counts_every_exchange(given: list[tuple[float, float]]) -> None:
    """Of all ways to exchange the pairs, those with a difference at least as large."""
    differences = [b - a for a, b in given]
    observed = abs(fsum(differences))
    sums = [abs(fsum(map(lambda s, d: s * d, signs, differences))) for signs in product([1, -1], repeat=len(given))]
    expected = sum(one >= observed * (1 - 1e-12) - 1e-15 for one in sums) / len(sums)
    found = permutation([a for a, _ in given], [b for _, b in given], seed=0)

    assert found.exact
    assert pytest.approx(expected, abs=1e-8) == found.p_value


@pytest.mark.parametrize("n", [2, 5, 13, 14, 40, 150])
def test_permutation_test_is_scipys(n: int) -> None:
    """SciPy exchanges the same pairs, with the same seed where there are too many ways to count all."""
    a, b = np.random.default_rng(n).choice([0.0, 0.5, 2 / 3, 0.8, 1.0], (2, 2 * n))
    a, b = a[a != b][:n], b[a != b][:n]
    expected = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(y - x, axis=axis),
        permutation_type="samples",
        n_resamples=9_999,
        batch=1_000,
        rng=np.random.default_rng(7),
    )

    assert pytest.approx(expected.pvalue, abs=1e-9) == permutation(a.tolist(), b.tolist(), seed=7).p_value


def test_large_permutation_test_follows_its_seed() -> None:
    """Too many exchanges to count: a sample of them, the same for a seed, close to the t test."""
    generator = np.random.default_rng(1)
    a = generator.random(100)
    b = np.clip(a + generator.normal(0.03, 0.15, 100), 0, 1)
    found = permutation(a.tolist(), b.tolist(), seed=1)

    assert not found.exact
    assert found == permutation(a.tolist(), b.tolist(), seed=1)
    assert found != permutation(a.tolist(), b.tolist(), seed=2)
    assert pytest.approx(stats.ttest_rel(a, b).pvalue, abs=0.02) == found.p_value


@given(pairs)
def test_exchanged_runs_give_the_same_p(given: list[tuple[float, float]]) -> None:
    """Which run is called A does not matter; without any difference p is 1."""
    a, b = [one for one, _ in given], [one for _, one in given]

    assert permutation(a, b, seed=0) == permutation(b, a, seed=0)
    assert PairedTest(name=TestName.PERMUTATION, p_value=1.0, exact=True) == permutation(a, a, seed=0)


def test_permutation_test_errs_as_often_as_it_says() -> None:
    """Where there is no difference, 5 % of 400 tests find one, give or take chance."""
    generator = np.random.default_rng(2)
    found = 0
    for _ in range(400):
        a, b = generator.choice([0.0, 0.5, 1.0], (2, 9))
        found += permutation(a.tolist(), b.tolist(), seed=0).p_value <= ALPHA

    assert found / 400 <= ALPHA + 0.03


def test_spread_is_the_standard_deviation() -> None:
    """At one level; over several, differences between levels are none of it."""
    values = [0.1, -0.2, 0.4, 0.0]
    one = spread_of([values])
    two = spread_of([values, [value + 5 for value in values]], trials=3, trial_variances=[0.2] * 8)

    assert one is not None
    assert two is not None
    assert pytest.approx(np.std(values, ddof=1)) == one.deviation
    assert pytest.approx(sqrt(3 / 3) * np.std(values, ddof=1)) == two.deviation
    assert (4, 1, None) == (one.n, one.trials, one.trial_variance)
    assert (8, 3) == (two.n, two.trials)
    assert pytest.approx(0.2) == two.trial_variance


@pytest.mark.parametrize("levels", [[], [[0.5]], [[0.5], [0.1]]])
def test_single_differences_have_no_spread(levels: list[list[float]]) -> None:
    """Nothing is known of how differences vary where no level has two."""
    assert spread_of(levels) is None


@pytest.mark.parametrize("n", [3, 7, 50, 1_000])
def test_detectable_difference_is_statsmodels(n: int) -> None:
    """What statsmodels finds a power of 80 % for."""
    smallest = detectable(Spread(n, 0.3, 1, None))

    assert smallest is not None
    assert pytest.approx(0.8, abs=1e-9) == TTestPower().power(smallest / 0.3, n, ALPHA)


@pytest.mark.parametrize("n", [10, 100])
def test_detectable_difference_is_detected_with_its_power(n: int) -> None:
    """Of 2,000 simulated comparisons with that true difference, a paired t test finds 80 %."""
    smallest = detectable(Spread(n, 0.3, 1, None))
    assert smallest is not None
    draws = np.random.default_rng(3).normal(smallest, 0.3, (2_000, n))

    assert 0.775 <= np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue <= ALPHA) <= 0.825


@pytest.mark.parametrize("n", [2, 3, 4, 9, 10, 11, 64, 300])
@pytest.mark.parametrize("deviation", [0.01, 0.3])
def test_needed_instances_undo_detectable_difference(n: int, deviation: float) -> None:
    """What n instances can just detect needs n instances, and a little less needs more."""
    spread = Spread(n, deviation, 1, None)
    smallest = detectable(spread)

    assert smallest is not None
    assert needed_instances(spread, -smallest * 1.001) == n
    assert (needed_instances(spread, smallest * 0.999) or 0) > n


@pytest.mark.parametrize(
    ("deviation", "difference", "expected"),
    [
        (0.3, 0.1, 73),
        (0.3, 0.001, 706_400),
        (0.3, 0.9, 4),
        (0.001, 1.0, 2),
        (0.0, 0.1, None),
        (0.3, 0.0, None),
        (0.3, 1e-17, None),
    ],
)
def test_needed_instances(deviation: float, difference: float, expected: int | None) -> None:
    """Few for large differences, many for small ones, unknown without any or without spread."""
    assert expected == needed_instances(Spread(50, deviation, 1, None), difference)


def test_no_spread_detects_nothing() -> None:
    """Where all differences are equal, it is unknown what could be detected."""
    assert detectable(Spread(50, 0.0, 1, None)) is None


def test_needed_trials() -> None:
    """Trials shrink their own part of the variance only: enough, more of them, or never enough."""
    # A variance of 0.09, of which 0.06 come from having 3 trials.
    spread = Spread(100, 0.3, 3, 0.06)
    smallest = detectable(spread)
    assert smallest is not None
    limit = smallest * sqrt(1 / 3)

    assert needed_trials(spread, smallest * 1.01) == 3
    assert needed_trials(spread, smallest * sqrt(2 / 3) * 1.0001) == 6
    assert needed_trials(spread, -smallest * sqrt(2 / 3) * 1.0001) == 6
    assert needed_trials(spread, limit * 0.99) is None
    assert needed_trials(spread, 0) is None
    with pytest.raises(ValueError, match="trial_variance: unknown"):
        needed_trials(Spread(100, 0.3, 1, None), 0.1)


def test_needed_trials_are_enough() -> None:
    """With that many trials, 2,000 simulated comparisons find the difference in 80 % of the cases."""
    trials = needed_trials(Spread(60, sqrt(0.02 + 0.08), 2, 0.08), 0.09)
    assert trials is not None
    generator = np.random.default_rng(4)
    instances = generator.normal(0.09, sqrt(0.02), (2_000, 60))
    # 0.08 with 2 trials are 0.16 with one.
    draws = instances + generator.normal(0, sqrt(0.16 / trials), (2_000, 60))

    assert 0.78 <= np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue <= ALPHA) <= 0.86

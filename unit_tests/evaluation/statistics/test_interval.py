"""Intervals are those of SciPy and statsmodels, chosen by the values alone, and honest where nothing varies."""

from collections import Counter
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from mpcbench.evaluation.statistics import Estimate, Method, amount, clustered, combined, difference, share

VARIED = [0.0, 0.2, 0.25, 0.4, 0.5, 0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 1.0]

shares = st.lists(st.sampled_from([0.0, 0.5, 2 / 3, 1.0]) | st.floats(0, 1), min_size=1, max_size=40)


def near(low: float, high: float) -> Any:
    return pytest.approx((low, high), rel=1e-6, abs=1e-9)


def bounds(found: Estimate | None) -> tuple[float, float]:
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def test_student_is_scipys_and_statsmodels() -> None:
    """Values that vary get Student's t on their mean."""
    found = share(VARIED)
    expected = stats.t.interval(0.95, len(VARIED) - 1, loc=np.mean(VARIED), scale=stats.sem(VARIED))

    assert found is not None
    assert (Method.STUDENT, len(VARIED)) == (found.method, found.n)
    assert near(*expected) == bounds(found)
    assert near(*DescrStatsW(VARIED).tconfint_mean()) == bounds(found)


@pytest.mark.parametrize(("ones", "n"), [(0, 1), (1, 1), (0, 20), (7, 20), (20, 20), (99, 100)])
def test_binary_values_get_wilson(ones: int, n: int) -> None:
    """Where every instance has 0 or 1, the interval is Wilson's."""
    found = share([1.0] * ones + [0.0] * (n - ones))

    assert found is not None
    assert (Method.WILSON, ones / n, n) == (found.method, found.mean, found.n)
    assert near(*proportion_confint(ones, n, method="wilson")) == bounds(found)


def test_few_different_values_get_an_effective_number() -> None:
    """Korn and Graubard: Clopper and Pearson's interval with the number of 0s and 1s that would vary as much."""
    values = [1.0] * 95 + [0.5] * 5
    t = stats.norm.ppf(0.975) / stats.t.ppf(0.975, 99)
    effective = 0.975 * 0.025 / stats.sem(values) ** 2 * t**2
    found = share(values)

    assert found is not None
    assert Method.KORN_GRAUBARD is found.method
    assert near(*proportion_confint(0.975 * effective, effective, method="beta")) == bounds(found)


@pytest.mark.parametrize("n", [1, 2, 100])
def test_equal_values_have_an_interval(n: int) -> None:
    """The share of instances that differ is bounded by Clopper and Pearson, and by how much they can differ."""
    most = proportion_confint(0, n, method="beta")[1]
    found = share([0.25] * n)

    assert found is not None
    assert Method.KORN_GRAUBARD is found.method
    assert near(0.25 - 0.25 * most, 0.25 + 0.75 * most) == bounds(found)


@pytest.mark.parametrize(("different", "method"), [(29, Method.KORN_GRAUBARD), (30, Method.STUDENT)])
def test_thirty_different_values_are_enough(different: int, method: Method) -> None:
    """Of many instances 30 have to differ from the most frequent value."""
    found = share([1.0] * 200 + [0.5] * different)

    assert found is not None
    assert method is found.method


@pytest.mark.parametrize(
    ("values", "method"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5], Method.KORN_GRAUBARD),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], Method.STUDENT),
        ([0.5] * 5 + [0.1, 0.2, 0.3, 0.4, 0.6], Method.STUDENT),
        ([0.5] * 6 + [0.1, 0.2, 0.3, 0.4, 0.6], Method.KORN_GRAUBARD),
    ],
)
def test_half_of_a_small_sample_is_enough(values: list[float], method: Method) -> None:
    """Of few instances half have to differ, but five at least."""
    found = share(values)

    assert found is not None
    assert method is found.method


def test_nothing_has_no_mean() -> None:
    """Without values there is no estimate."""
    assert [None] * 5 == [share([]), amount([]), difference([]), clustered([], []), combined([])]


@given(shares)
def test_share_lies_in_its_interval(values: list[float]) -> None:
    """The interval holds the mean, stays between 0 and 1 and never has width 0."""
    found = share(values)
    low, high = bounds(found)

    assert found is not None
    assert 0 <= low <= found.mean <= high <= 1
    assert high - low > 1e-9


@given(shares)
def test_complement_mirrors_share(values: list[float]) -> None:
    """What is left to 1 has the mirrored interval, unless two values are the most frequent."""
    counts = sorted(Counter(round(value, 9) for value in values).values(), reverse=True)
    low, high = bounds(share(values))
    mirrored = bounds(share([1 - value for value in values]))

    assert counts[:1] == counts[1:2] or pytest.approx((1 - high, 1 - low), abs=1e-6) == mirrored


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5]) | st.floats(-1, 1), min_size=1, max_size=40))
def test_negation_mirrors_difference(values: list[float]) -> None:
    """Exchanging the two runs mirrors the interval of their difference, which holds the mean."""
    found = difference(values)
    low, high = bounds(found)

    assert found is not None
    assert -1 <= low <= found.mean <= high <= 1
    assert near(-high, -low) == bounds(difference([-value for value in values]))


def test_no_difference_anywhere_is_not_certain() -> None:
    """Of 100 equal pairs at most 3.6 % of further ones would differ, by at most 1."""
    most = proportion_confint(0, 100, method="beta")[1]

    assert near(-most, most) == bounds(difference([0.0] * 100))


def test_gains_and_losses_are_combined() -> None:
    """Few differences: the distances to the bounds of gains and of losses, squared and added."""
    values = [1.0] * 6 + [-0.5] * 2 + [0.0] * 92
    gain, loss = share([max(value, 0) for value in values]), share([max(-value, 0) for value in values])
    assert gain is not None
    assert loss is not None
    # Gains are 0 or 1, so that share uses Wilson: the exact interval with t quantiles instead.
    effective = 0.06 * 0.94 / stats.sem([1.0] * 6 + [0.0] * 94) ** 2
    effective *= (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 99)) ** 2
    least_gain, most_gain = proportion_confint(0.06 * effective, effective, method="beta")
    least_loss, most_loss = bounds(loss)
    expected = (
        0.05 - np.hypot(0.06 - least_gain, most_loss - 0.01),
        0.05 + np.hypot(most_gain - 0.06, 0.01 - least_loss),
    )

    assert near(*expected) == bounds(difference(values))


def test_amounts_have_no_upper_bound() -> None:
    """Turns, tokens and the like: Student's t, not below 0."""
    found = amount([1.0, 2.0, 30.0])

    assert found is not None
    assert (Method.STUDENT, 11.0, 0.0) == (found.method, found.mean, found.low)
    assert pytest.approx(11 + stats.t.ppf(0.975, 2) * stats.sem([1, 2, 30])) == found.high


@pytest.mark.parametrize("values", [[5.0], [5.0, 5.0, 5.0]])
def test_amounts_without_spread_have_no_interval(values: list[float]) -> None:
    """One value, or equal ones, tell nothing of how such values vary."""
    expected = Estimate(mean=5, n=len(values), low=None, high=None, method=Method.NONE)

    assert expected == amount(values)


def test_clusters_are_statsmodels() -> None:
    """Instances of several worlds: cluster-robust, with t of one degree of freedom less than worlds."""
    worlds = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]
    fitted = OLS(VARIED, np.ones(12)).fit(cov_type="cluster", cov_kwds={"groups": worlds})
    reach = stats.t.ppf(0.975, 4) * fitted.bse[0]
    found = clustered(VARIED, [f"world {number}" for number in worlds], most=inf)

    assert found is not None
    assert (Method.CLUSTER_ROBUST, 12) == (found.method, found.n)
    assert near(found.mean - reach, found.mean + reach) == bounds(found)


def test_worlds_without_spread_count_once_each() -> None:
    """Worlds with the same mean: as wide as for so many equal values."""
    expected = bounds(share([0.5] * 2))
    found = clustered([0.2, 0.8, 0.4, 0.6], ["a", "a", "b", "b"])

    assert found is not None
    assert (Method.KORN_GRAUBARD, 4) == (found.method, found.n)
    assert near(*expected) == bounds(found)
    assert Estimate(mean=3, n=2, low=None, high=None, method=Method.NONE) == clustered([3, 3], ["a", "b"], most=inf)


def test_one_world_has_no_clusters() -> None:
    """Clusters of one world only are an error of the caller."""
    with pytest.raises(ValueError, match="worlds: 1 given, at least 2 wanted"):
        clustered([0.1, 0.2], ["a", "a"])


def test_levels_are_combined_by_size() -> None:
    """The mean over all instances; distances to bounds enter with the level's share of instances, squared and added."""
    first = Estimate(mean=0.9, n=10, low=0.6, high=1.0, method=Method.WILSON)
    second = Estimate(mean=0.3, n=30, low=0.2, high=0.4, method=Method.STUDENT)
    expected = (0.45 - np.hypot(0.075, 0.075), 0.45 + np.hypot(0.025, 0.075))
    found = combined([first, None, second])

    assert found is not None
    assert (Method.BY_LEVEL, 40) == (found.method, found.n)
    assert pytest.approx(0.45) == found.mean
    assert near(*expected) == bounds(found)
    assert first == combined([None, first])


def test_level_without_interval_leaves_none() -> None:
    """Where one of the levels has no interval, all together have none."""
    found = combined([amount([5.0]), amount([1.0, 2.0])])

    assert Estimate(mean=8 / 3, n=3, low=None, high=None, method=Method.NONE) == found


def test_combined_levels_agree_with_a_stratified_model() -> None:
    """For many instances the interval is that of a linear model with a mean for each level and robust errors."""
    generator = np.random.default_rng(3)
    levels = [generator.beta(a, b, n) for a, b, n in ((4, 1, 150), (2, 2, 100), (1, 5, 50))]
    design = np.repeat(np.eye(3), [150, 100, 50], axis=0)
    fitted = OLS(np.concatenate(levels), design).fit(cov_type="HC2", use_t=True)
    ((low, high),) = fitted.t_test([1 / 2, 1 / 3, 1 / 6]).conf_int()

    assert pytest.approx((low, high), abs=5e-4) == bounds(combined([share(level.tolist()) for level in levels]))

"""pass@k and pass^k are unbiased and agree with the enumeration of all choices of k trials."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.statistics import pass_at_k, pass_hat_k


@st.composite
def trials(draw: st.DrawFn) -> tuple[int, int, int]:
    """Trials, those that passed, and k."""
    n = draw(st.integers(1, 8))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@given(trials())
def test_rates_are_the_share_of_choices(given: tuple[int, int, int]) -> None:
    """Of all choices of k trials, those with at least one pass, and those with passes only."""
    n, passed, k = given
    choices = list(combinations([True] * passed + [False] * (n - passed), k))

    assert pytest.approx(sum(map(any, choices)) / len(choices)) == pass_at_k(n, passed, k)
    assert pytest.approx(sum(map(all, choices)) / len(choices)) == pass_hat_k(n, passed, k)


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(2, 3)])
def test_estimators_are_unbiased(p: Fraction, k: int) -> None:
    """Over all numbers of passes of five trials, each with its probability, the mean is the true probability."""
    probability = [comb(5, passed) * p**passed * (1 - p) ** (5 - passed) for passed in range(6)]

    assert pytest.approx(float(1 - (1 - p) ** k)) == sum(
        float(weight) * pass_at_k(5, passed, k) for passed, weight in enumerate(probability)
    )
    assert pytest.approx(float(p**k)) == sum(
        float(weight) * pass_hat_k(5, passed, k) for passed, weight in enumerate(probability)
    )


@pytest.mark.parametrize(
    ("n", "passed", "k", "message"),
    [
        (3, 1, 0, "k: 0 is not between 1 and the 3 trials"),
        (3, 1, 4, "k: 4 is not between 1 and the 3 trials"),
        (3, 4, 1, "passed: 4 is not between 0 and the 3 trials"),
        (3, -1, 1, "passed: -1 is not between 0 and the 3 trials"),
    ],
)
def test_impossible_numbers_are_refused(n: int, passed: int, k: int, message: str) -> None:
    """The message names the number and its bounds."""
    for estimator in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=message):
            estimator(n, passed, k)

"""Numbers are written in one way, and what is unknown is said in words."""

from collections.abc import Callable

import pytest

from mpcbench.evaluation.report.number_text import (
    cost_text,
    count_text,
    p_text,
    rate_bounds,
    rate_text,
    score_bounds,
    score_text,
    signed_text,
)
from mpcbench.evaluation.statistics import Estimate
from mpcbench.evaluation.statistics.estimate import Method

ESTIMATE = Estimate(mean=0.8531, n=100, low=0.7851, high=0.9149, method=Method.STUDENT)
WITHOUT = Estimate(mean=0.8531, n=1, low=None, high=None, method=Method.NONE)


@pytest.mark.parametrize(
    ("write", "value", "expected"),
    [
        (score_text, 0.8531, "0.853"),
        (score_text, None, "unknown"),
        (rate_text, 0.8371, "83.7%"),
        (rate_text, None, "unknown"),
        (score_bounds, ESTIMATE, "[0.79, 0.91]"),
        (score_bounds, WITHOUT, ""),
        (rate_bounds, ESTIMATE, "[79, 91]"),
        (rate_bounds, WITHOUT, ""),
        (cost_text, None, "cost unknown"),
        (cost_text, 0.0, "$0"),
        (cost_text, 0.01234, "$0.012"),
        (cost_text, 1234.5, "$1,234.50"),
        (count_text, None, "unknown"),
        (count_text, 5.44, "5.4"),
        (count_text, 12_345.6, "12,346"),
        (p_text, 0.0004, "< 0.001"),
        (p_text, 0.0321, "0.032"),
        (signed_text, ESTIMATE, ("+0.853", "[+0.785, +0.915]")),
        (signed_text, WITHOUT, ("+0.853", "")),
    ],
)
def test_numbers_as_text(write: Callable[[object], object], value: object, expected: object) -> None:
    """Scores have three digits, their bounds two, rates one, and costs two that count."""

    assert expected == write(value)

"""Tables of pass@k have few columns, and the same ones everywhere."""

import pytest

from mpcbench.evaluation.statistics.pass_rate_table import pass_rate_lines, shown_ks
from mpcbench.evaluation.statistics.summary import summarise
from unit_tests.builders.results import result


@pytest.mark.parametrize(
    ("trials", "expected"),
    [(1, ()), (2, (1, 2)), (5, (1, 2, 3, 4, 5)), (6, (1, 2, 4, 6)), (8, (1, 2, 4, 8)), (20, (1, 2, 4, 8, 16, 20))],
)
def test_columns(trials: int, expected: tuple[int, ...]) -> None:
    """Every k up to five, beyond that the powers of two and the last; none with one trial an instance."""
    assert expected == shown_ks(summarise([result(1.0, trial=trial + 1) for trial in range(trials)]))


def test_no_episodes_have_no_columns() -> None:
    """Without a model there is nothing to repeat."""
    assert () == shown_ks([])


def test_lines_have_a_cell_for_each_column() -> None:
    """Both rates by k; empty where no instance has so many trials."""
    (summary,) = summarise([result(1.0, trial=1), result(0.0, trial=2)])
    found = {
        name: [None if one is None else one.mean for one in rates]
        for name, rates in pass_rate_lines(summary, (1, 2, 3))
    }

    assert {"pass@k": [0.5, 1.0, None], "pass^k": [0.5, 0.0, None]} == found

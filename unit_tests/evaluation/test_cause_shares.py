"""The primary cause of an episode, shared among explanations that fit equally well."""

import pytest

from evaluation.cause_shares import primary_reasons
from unit_tests.evaluation.results import diagnosis

POLICY, CAPACITY, TOO_FEW = (
    "integration.constraint_added:policy",
    "integration.constraint_omitted:capacity",
    "integration.count:too_few",
)


@pytest.mark.parametrize(
    ("causes", "expected"),
    [
        ([], {}),
        ([(POLICY, 1)], {POLICY: 1}),
        ([(POLICY, 1), (TOO_FEW, 1)], {POLICY: 1}),
        ([(TOO_FEW, 1), (CAPACITY, 2)], {TOO_FEW: 0.5, CAPACITY: 0.5}),
        ([(TOO_FEW, 1), (TOO_FEW, 2), (POLICY, 2)], {TOO_FEW: 1}),
    ],
)
def test_first_cause_of_every_explanation(causes: list[tuple[str, int]], expected: dict[str, float]) -> None:
    """Each explanation has the same share, and its first cause gets it."""
    assert expected == primary_reasons(diagnosis(0.5, 1.0, *causes))

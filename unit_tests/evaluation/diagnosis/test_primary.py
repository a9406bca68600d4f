"""Each failed episode counts as one in a ranking of causes, however many reasons it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Stage

BUFFER = "integration.constraint_omitted:buffer_min"
COUNT = "integration.count:too_many"
POLICY = "integration.constraint_added:policy"
TOUCHING = "integration.value_wrong:touching"


def diagnosis(*causes: tuple[str, int]) -> Diagnosis:
    return Diagnosis(
        stage=Stage.INTEGRATION if causes else None,
        causes=tuple(Cause(reason=reason, alternative=number) for reason, number in causes),
        capability=Capability(decomposition=1, acquisition=1, integration=0.5),
    )


@pytest.mark.parametrize(
    ("expected", "causes"),
    [
        ({}, []),
        ({"unexplained": 1}, [("unexplained", 1)]),
        ({BUFFER: 1}, [(BUFFER, 1)]),
        ({BUFFER: 0.5, COUNT: 0.5}, [(BUFFER, 1), (COUNT, 1)]),
        ({POLICY: 0.5, TOUCHING: 0.5}, [(POLICY, 1), (TOUCHING, 2)]),
        ({POLICY: 0.5, TOUCHING: 0.5}, [(POLICY, 1), (POLICY, 2), (TOUCHING, 3)]),
        ({BUFFER: 0.25, COUNT: 0.25, POLICY: 0.5}, [(BUFFER, 1), (COUNT, 1), (POLICY, 2)]),
        ({COUNT: 0.5, POLICY: 0.25, TOUCHING: 0.25}, [(COUNT, 1), (POLICY, 1), (COUNT, 2), (TOUCHING, 2)]),
    ],
)
def test_shares(expected: dict[str, float], causes: list[tuple[str, int]]) -> None:
    """Alternatives share equally, parts share within theirs, and other records make no other alternative."""
    assert expected == primary_reasons(diagnosis(*causes))


@given(st.lists(st.tuples(st.sampled_from([BUFFER, COUNT, POLICY, TOUCHING]), st.integers(1, 4)), min_size=1))
def test_shares_sum_up(causes: list[tuple[str, int]]) -> None:
    """The shares of a failed episode sum up to 1, and are of its reasons."""
    shares = primary_reasons(diagnosis(*causes))

    assert {reason for reason, _ in causes} == shares.keys()
    assert sum(shares.values()) == pytest.approx(1)

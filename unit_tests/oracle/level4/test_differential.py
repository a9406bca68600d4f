"""The engine of level 4 against the archive's brute force, on whatever Hypothesis can think of."""

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from mpcbench.archive.v2 import ladder_oracle
from mpcbench.oracle import UnresolvedError
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.solve import solve
from unit_tests.oracle.level4.strategies import LadderCase, Theme, ladder_cases

_CALM = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
brief = settings(max_examples=12, deadline=None, suppress_health_check=_CALM)
thorough = settings(max_examples=200, deadline=None, suppress_health_check=_CALM)


def by_engine(case: LadderCase) -> Any:
    try:
        solution = solve(knowledge_of(case.world, case.instance))
    except UnresolvedError:
        return UnresolvedError
    gold = [candidate.model_dump(mode="json") for candidate in solution.gold]
    return {"gold": gold, "counts": solution.counts.model_dump(), "digest": solution.digest}


def by_archive(case: LadderCase) -> Any:
    try:
        return ladder_oracle.label(case.world.model_dump(mode="json"), case.instance.model_dump(mode="json"))
    except ValueError:
        return UnresolvedError


@pytest.mark.parametrize("theme", Theme)
@brief
@given(data=st.data())
def test_engine_agrees_with_archive(theme: Theme, data: st.DataObject) -> None:
    """Gold, counts and the digest of every meeting's feasible candidates are those of the brute-force archive."""
    compare(data.draw(ladder_cases(theme)))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("theme", Theme)
@thorough
@given(data=st.data())
def test_engine_agrees_with_archive_on_many(theme: Theme, data: st.DataObject) -> None:
    """The engine agrees with the archive on many cases of every theme."""
    compare(data.draw(ladder_cases(theme)))


def compare(case: LadderCase) -> None:
    expected = by_archive(case)
    event("unresolved" if expected is UnresolvedError else "some gold" if expected["gold"] else "no gold")
    actual = by_engine(case)

    assert expected == actual

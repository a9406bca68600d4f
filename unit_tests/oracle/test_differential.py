"""The engine agrees with the brute-force archive and with a constraint solver on all generated cases."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from mpcbench.archive.v1 import legacy_oracle
from mpcbench.oracle import UnresolvedError, resolve, solve
from mpcbench.schema import Candidate
from mpcbench.schema.model import Level
from unit_tests.examples import examples
from unit_tests.marks import UNTRACED
from unit_tests.oracle.cp_sat import feasible_digest
from unit_tests.strategies import GeneratedCase, Theme, as_json, broken_cases, cases

pytestmark = UNTRACED

thorough = examples(100)
brief = examples(50)


def by_engine(case: GeneratedCase) -> dict[str, Any]:
    solution = solve(resolve(case.world, case.instance))
    return {
        "gold": [written(candidate) for candidate in solution.gold],
        "counts": solution.counts.model_dump(),
        "digest": solution.digest,
        "feasible": solution.feasible,
    }


def by_archive(case: GeneratedCase) -> dict[str, Any]:
    return legacy_oracle.label(*as_json(case))


def written(candidate: Candidate) -> dict[str, str]:
    times = {"start": candidate.start.isoformat(), "end": candidate.end.isoformat()}
    return times if candidate.room_id is None else {**times, "room_id": candidate.room_id}


@pytest.mark.parametrize("level", [1, 2, 3])
@thorough
@given(data=st.data())
def test_engine_agrees_with_archive(level: Level, data: st.DataObject) -> None:
    """Gold, counts and the digest of the whole feasible set are those of the brute-force archive."""
    case = data.draw(cases(level))
    expected = by_archive(case)
    event("some feasible" if expected["feasible"] else "none feasible")
    actual = by_engine(case)

    assert expected == actual


@pytest.mark.parametrize("theme", Theme)
@brief
@given(data=st.data())
def test_engine_agrees_with_archive_on_every_theme(theme: Theme, data: st.DataObject) -> None:
    """The engine agrees with the archive on cases that concentrate on one kind of statement."""
    case = data.draw(cases(3, theme))
    expected = by_archive(case)
    event("some feasible" if expected["feasible"] else "none feasible")
    actual = by_engine(case)

    assert expected == actual


@pytest.mark.parametrize("level", [1, 3])
@brief
@given(data=st.data())
def test_engine_agrees_with_constraint_solver(level: Level, data: st.DataObject) -> None:
    """The whole feasible set is the one that a constraint solver enumerates."""
    case = data.draw(cases(level))
    expected = feasible_digest(case.world, case.instance)
    actual = solve(resolve(case.world, case.instance)).digest

    assert expected == actual


@thorough
@given(broken_cases())
def test_engine_refuses_what_archive_refuses(case: GeneratedCase) -> None:
    """The engine rejects exactly the tasks that the archive cannot solve."""
    try:
        expected: Any = by_archive(case)
    except ValueError:
        expected = UnresolvedError
    try:
        actual: Any = by_engine(case)
    except UnresolvedError:
        actual = UnresolvedError

    assert expected == actual


@brief
@given(cases(3))
def test_gold_is_written_in_the_zone_of_the_world(case: GeneratedCase) -> None:
    """Every gold time carries the offset that the world's zone has at that instant."""
    times = [datetime.fromisoformat(time) for row in by_engine(case)["gold"] for time in (row["start"], row["end"])]
    expected = [time.astimezone(case.world.zone).isoformat() for time in times]
    actual = [time.isoformat() for time in times]

    assert expected == actual

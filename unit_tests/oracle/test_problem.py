"""A problem can be reduced: by one constraint, or to one source."""

from dataclasses import replace

import pytest

from mpcbench.oracle import resolve
from mpcbench.oracle.problem import Constraint, Outside, Problem
from mpcbench.schema import Source
from mpcbench.schema.interval import Interval
from unit_tests.builders import tiny
from unit_tests.oracle.definitions import MONDAY, problem


@pytest.fixture
def rich() -> Problem:
    """A problem of level 3 with constraints of every source."""
    return resolve(tiny.world(3), tiny.instance(3))


def test_without_drops_that_constraint_alone() -> None:
    """Of two equal constraints only the one given goes."""
    twins = tuple(
        Constraint(Source.THREADS, "ban_window", ("thread:T1",), Outside(Interval(MONDAY, MONDAY + 9))) for _ in "ab"
    )
    whole = replace(problem(), constraints=twins)
    rest = whole.without(twins[0])

    assert 1 == len(rest.constraints)
    assert twins[1] is rest.constraints[0]
    assert replace(whole, constraints=()) == replace(rest, constraints=())


@pytest.mark.parametrize("source", Source)
def test_from_source_keeps_that_source_alone(rich: Problem, source: Source) -> None:
    """The parameters of the task are known, constraints of other sources are not."""
    view = rich.from_source(source)

    assert {source} >= {constraint.source for constraint in view.constraints}
    assert [constraint for constraint in rich.constraints if constraint.source is source] == [*view.constraints]
    assert replace(rich, constraints=(), rooms=None) == replace(view, constraints=(), rooms=None)


def test_only_the_room_system_knows_rooms(rich: Problem) -> None:
    """The room system knows capacity and bookings, but no policy's turnaround; others know the rooms' IDs."""
    search = rich.rooms
    assert search is not None
    assert search.turnarounds
    from_rooms, from_calendar = (rich.from_source(source).rooms for source in (Source.ROOMS, Source.CALENDAR))
    assert from_rooms is not None
    assert from_calendar is not None

    assert replace(search, turnarounds=()) == from_rooms
    assert search.rooms == from_calendar.rooms
    assert all(from_calendar.suits(room) for room in search.rooms)
    assert not from_calendar.use_bookings
    assert not from_calendar.turnarounds


def test_source_without_rooms_to_choose() -> None:
    """Without a room search, no source has rooms."""
    assert problem().from_source(Source.ROOMS).rooms is None

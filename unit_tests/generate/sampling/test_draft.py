"""The sampler's quick arithmetic says what the engine says."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.generate.certificate import problem_without
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.variants import room_variants
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import (
    Problem,
)
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from mpcbench.schema import Order, Source
from mpcbench.schema.model import Level
from unit_tests.examples import examples
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.drafts import draft_of, engine_problem, problems

each_level = pytest.mark.parametrize("level", [1, 2, 3])
some = examples(40)


@each_level
@some
@given(data=st.data())
def test_gold_and_feasible_starts(level: Level, data: st.DataObject) -> None:
    """All constraints together give the engine's starts and its gold."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)

    assert filtered_slots(problem)[0] == draft.feasible()
    assert gold_choices(problem) == draft.gold()


@each_level
@some
@given(data=st.data())
def test_each_constraint_left_out(level: Level, data: st.DataObject) -> None:
    """Without any one constraint the starts are the engine's; without a calendar its buffer is gone too."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)
    for (constraint, _), engines in zip(draft.masks, problem.constraints, strict=True):
        assert filtered_slots(problem.without(engines))[0] == draft.feasible(besides=constraint)
    assert [draft.feasible(besides=constraint) for constraint, _ in draft.masks] == list(draft.feasible_besides_each())


def without_each(problem: Problem) -> Iterator[Problem]:
    """The engine's problems with each condition of the room and each constraint dropped, in the draft's order."""
    search = problem.rooms
    if search is not None:
        yield from (variant for _, variant in room_variants(problem))
        yield replace(problem, rooms=replace(search, use_bookings=False))
    yield from map(problem.without, problem.constraints)


@each_level
@some
@given(data=st.data())
def test_gold_without_each(level: Level, data: st.DataObject) -> None:
    """Everything dropped in turn gives the engine's gold."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)

    assert [gold_choices(other) for other in without_each(problem)] == list(draft.without_each())


@each_level
@some
@given(data=st.data())
def test_starts_without_a_source(level: Level, data: st.DataObject) -> None:
    """The starts of the engine without what is unknown without a source, where a suitable room is free."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    problem = engine_problem(found, draft.problem)
    for source in (Source.CALENDAR, Source.POLICY, Source.THREADS):
        other = problem_without(problem, source)
        rooms = room_masks(other, filtered_slots(other)[0])

        assert reduce(or_, (mask for _, mask in rooms), 0) == draft.feasible_without(source)


@each_level
@some
@given(data=st.data())
def test_one_more_person(level: Level, data: st.DataObject) -> None:
    """A participant who joins later counts like one from the start, for buffers too."""
    found = setting(level)
    problem = data.draw(problems(level))
    *first, last = problem.participants
    grown = draft_of(found, replace(problem, participants=tuple(first))).with_person(found, last)
    if problem.rooms is not None:
        grown = grown.with_rooms(found)

    assert grown.problem.participants == problem.participants
    assert draft_of(found, problem).feasible() == grown.feasible()
    assert draft_of(found, problem).gold() == grown.gold()


def test_a_draft_starts_with_its_calendars() -> None:
    """One calendar is one constraint; the gold is the first free slots."""
    found = setting(1)
    window = found.window(found.days[14], found.days[14])
    problem = Problem(1, found.zone, ("p001",), window, (540, 1050), 30, 3, (), None, Order.EARLIEST, ())
    draft = Draft.of(found, problem)

    assert [("calendar:p001",)] == [constraint.records for constraint, _ in draft.masks]
    assert all(
        not any(Interval(choice.start, choice.end).overlaps(event) for event in found.world.busy["p001"].intervals)
        for choice in draft.gold()
    )
    assert [None] * 3 == [choice.room_id for choice in draft.gold()]
    assert isinstance(draft.gold()[0], Choice)

"""The sampler's quick arithmetic says what the engine says."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import reduce
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.generate.certificate import problem_without
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import slot_constraints
from mpcbench.generate.sampling.variants import room_variants
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import (
    Buffer,
    Constraint,
    EndsBy,
    Inside,
    Outside,
    Problem,
    RoomSearch,
    StartsFrom,
    Turnaround,
)
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from mpcbench.schema import Order, Source, TieBreakKey
from mpcbench.schema.model import Level
from unit_tests.examples import examples
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.drafts import draft_of, engine_problem

each_level = pytest.mark.parametrize("level", [1, 2, 3])
some = examples(40)


@st.composite
def problems(draw: st.DrawFn, level: Level) -> Problem:
    """A problem of a level's base world, its calendars without their events, as a draft holds it."""
    found = setting(level)
    first = draw(st.sampled_from(found.days[2:-8]))
    window = found.window(first, first + timedelta(days=draw(st.integers(0, 6))))
    instants = st.integers(window.start, window.end)
    spans = st.tuples(instants, st.integers(1, 600)).map(lambda pair: Interval(pair[0], sum(pair)))
    demands = st.one_of(
        spans.map(Outside),
        st.lists(spans, min_size=1, max_size=2).map(lambda found: Inside(tuple(found))),
        instants.map(StartsFrom),
        instants.map(EndsBy),
    )
    sections = draw(st.lists(st.sampled_from(found.slot_policies), max_size=2, unique_by=lambda one: one.policy_id))
    buffers = draw(st.lists(st.integers(1, 45).map(Buffer), max_size=1))
    people = [person.person_id for person in found.world.people]
    participants = draw(st.lists(st.sampled_from(people), min_size=1, max_size=4, unique=True))
    problem = Problem(
        level=level,
        zone=found.zone,
        participants=tuple(participants),
        window=window,
        daily=draw(st.none() | st.sampled_from([(8 * 60, 19 * 60), (9 * 60, 17 * 60 + 30), (0, 24 * 60)])),
        duration=draw(st.sampled_from([15, 30, 45, 60, 90])),
        count=draw(st.integers(1, 6)),
        constraints=(),
        rooms=draw(searches(len(participants))) if level == 3 else None,
        order=draw(st.sampled_from(Order)) if level == 2 else Order.EARLIEST,
        tie_break=tuple(draw(st.lists(st.sampled_from(TieBreakKey), max_size=2, unique=True))) if level == 3 else (),
    )
    rules = [
        *(Constraint(Source.POLICY, "buffer_min", ("policy:POL-99",), rule) for rule in buffers),
        *(constraint for section in sections for constraint in slot_constraints(section)),
        *(
            Constraint(Source.THREADS, "demand", ("thread:T0001",), rule)
            for rule in draw(st.lists(demands, max_size=2))
        ),
    ]
    return replace(problem, constraints=tuple(rules))


@st.composite
def searches(draw: st.DrawFn, participants: int) -> RoomSearch:
    rooms = setting(3).rooms
    return RoomSearch(
        rooms=rooms,
        seats=draw(st.integers(participants, 12)),
        equipment=frozenset(draw(st.lists(st.sampled_from(sorted(rooms[0].equipment)), max_size=1))),
        site=draw(st.none() | st.sampled_from(sorted({room.site for room in rooms}))),
        turnarounds=tuple(
            Turnaround(minutes, "policy:POL-98") for minutes in draw(st.lists(st.integers(1, 40), max_size=1))
        ),
    )


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
def test_places(level: Level, data: st.DataObject) -> None:
    """The places of the gold in the ranking of the feasible starts are the first ones."""
    found = setting(level)
    draft = draft_of(found, data.draw(problems(level)))
    starts = {choice.start - draft.problem.window.start for choice in draft.gold()}
    somewhere = reduce(or_, (mask for _, mask in draft.rooms(draft.feasible())), 0)

    assert list(range(len(starts))) == draft.places(starts, somewhere)


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

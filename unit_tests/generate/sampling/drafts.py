"""Problems as the sampler holds them, as the engine holds them, from one to the other, and strategies for them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import reduce
from operator import or_

from hypothesis import strategies as st

from mpcbench.generate.certificate import problem_without
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.policy_trials import fault_of_spread
from mpcbench.generate.sampling.sample import THINNING, Check, Rejected
from mpcbench.generate.sampling.setting import Setting, slot_constraints
from mpcbench.generate.sampling.variants import room_variants
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Inside,
    Outside,
    Problem,
    RoomSearch,
    StartsFrom,
    Turnaround,
)
from mpcbench.oracle.resolve import room_option
from mpcbench.oracle.solve import Choice, filtered_slots, gold_choices, room_masks
from mpcbench.schema import Order, Source, TieBreakKey
from mpcbench.schema.model import Level
from unit_tests.generate.samples import setting


def draft_of(setting: Setting, problem: Problem) -> Draft:
    """The draft of a problem with all its constraints."""
    others = [constraint for constraint in problem.constraints if not isinstance(constraint.rule, Busy)]
    return Draft.of(setting, replace(problem, constraints=())).with_constraints(*others)


def check(problem: Problem) -> list[Choice]:
    """The gold, if the engine finds that a problem passes checks 1, 3 and 4 as far as a sampler knows them; raises `Rejected`."""
    found = gold_choices(replace(problem, count=problem.count + 1))
    if len(found) <= problem.count:
        raise Rejected(Check.SOLVABLE, f"{len(found)} candidates of more than {problem.count}")
    gold = found[:-1]
    starts = reduce(or_, (1 << (choice.start - problem.window.start) for choice in gold))
    for source in (Source.CALENDAR, Source.POLICY):
        other = problem_without(problem, source)
        without = reduce(or_, (mask for _, mask in room_masks(other, filtered_slots(other)[0])), 0)
        fault = fault_of_spread(starts, without, problem, source, THINNING[problem.level][source])
        if fault is not None:
            raise Rejected(Check.NO_SHORTCUT, fault)
    if any(set(gold) == set(gold_choices(other)) for other in without_each(problem)):
        raise Rejected(Check.LOAD_BEARING, "a constraint changes nothing")
    return gold


def without_each(problem: Problem) -> Iterator[Problem]:
    """The problems with each condition of the room and each constraint dropped."""
    if problem.rooms is not None:
        yield from (variant for _, variant in room_variants(problem))
        yield replace(problem, rooms=replace(problem.rooms, use_bookings=False))
    yield from map(problem.without, problem.constraints)


def engine_problem(setting: Setting, problem: Problem) -> Problem:
    """A draft's problem with the events and bookings that the draft keeps as sets of minutes."""
    constraints = tuple(engine_constraint(setting, constraint) for constraint in problem.constraints)
    rooms = problem.rooms
    if rooms is not None:
        world = setting.world
        filled = (
            room_option(world.room_by_id[room.room_id], world.booked[room.room_id].intervals) for room in rooms.rooms
        )
        rooms = replace(rooms, rooms=tuple(filled))
    return replace(problem, constraints=constraints, rooms=rooms)


def engine_constraint(setting: Setting, constraint: Constraint) -> Constraint:
    """A constraint with the events of the calendar, if it is one."""
    if isinstance(constraint.rule, Busy):
        person = constraint.rule.person_id
        return replace(constraint, rule=Busy(person, setting.world.busy[person].intervals))
    return constraint


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

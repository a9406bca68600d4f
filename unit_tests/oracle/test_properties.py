"""What holds for every problem: order does not matter, more rules never allow more, the gold fulfils all of them."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.oracle import Problem, resolve, solve
from mpcbench.oracle.interval import to_minutes
from mpcbench.oracle.solve import filtered_slots, room_masks
from mpcbench.schema import World
from mpcbench.schema.interval import Interval
from unit_tests.examples import examples
from unit_tests.marks import UNTRACED
from unit_tests.oracle.definitions import allows, wall_clock
from unit_tests.strategies import GeneratedCase, cases, cases_of_any_level

pytestmark = UNTRACED

thorough = examples(50)


def shuffled(draw: st.DrawFn, world: World) -> World:
    """The same records in another order, events and sections too."""
    changed: dict[str, Any] = {
        field: tuple(draw(st.permutations(getattr(world, field))))
        for field in ("people", "threads", "rooms", "room_calendars", "pages")
    }
    changed["calendars"] = tuple(
        calendar.model_copy(update={"events": tuple(draw(st.permutations(calendar.events)))})
        for calendar in draw(st.permutations(world.calendars))
    )
    changed["documents"] = tuple(
        document.model_copy(update={"sections": tuple(draw(st.permutations(document.sections)))})
        for document in draw(st.permutations(world.documents))
    )
    return world.model_copy(update=changed)


@thorough
@given(st.data())
def test_order_of_records_does_not_matter(data: st.DataObject) -> None:
    """Shuffling the records of a world keeps gold, counts and digest."""
    case = data.draw(cases_of_any_level())
    # A fresh copy: lookups by ID are kept with the world that they were made of.
    world = World.model_validate(dict(data.draw(st.composite(shuffled)(case.world))))
    expected = solve(resolve(case.world, case.instance))

    assert expected == solve(resolve(world, case.instance))


@thorough
@given(cases_of_any_level())
def test_solving_is_a_function(case: GeneratedCase) -> None:
    """The same case gives the same answer again, and saying a constraint twice changes nothing."""
    problem = resolve(case.world, case.instance)
    expected = solve(problem)
    doubled = replace(problem, constraints=(*problem.constraints, *problem.constraints))

    assert expected == solve(resolve(case.world, case.instance))
    assert expected == solve(doubled)


@thorough
@given(cases(3))
def test_more_constraints_never_allow_more(case: GeneratedCase) -> None:
    """What is feasible with a constraint is feasible without it, in every room."""
    problem = resolve(case.world, case.instance)
    few = dict(pairs(problem))
    for constraint in problem.constraints:
        many = dict(pairs(problem.without(constraint)))

        assert few.keys() == many.keys()
        assert all(few[room] & ~many[room] == 0 for room in few)


@thorough
@given(cases(3))
def test_less_asked_of_rooms_never_allows_less(case: GeneratedCase) -> None:
    """Dropping the seats, equipment, site, turnaround or bookings keeps every feasible pair."""
    problem = resolve(case.world, case.instance)
    assert problem.rooms is not None
    few = dict(pairs(problem))
    for dropped in (
        replace(problem.rooms, seats=0),
        replace(problem.rooms, equipment=frozenset()),
        replace(problem.rooms, site=None),
        replace(problem.rooms, turnarounds=()),
        replace(problem.rooms, use_bookings=False),
    ):
        many = dict(pairs(replace(problem, rooms=dropped)))

        assert few.keys() <= many.keys()
        assert all(mask & ~many[room] == 0 for room, mask in few.items())


@thorough
@given(cases_of_any_level())
def test_gold_of_more_options_extends_gold(case: GeneratedCase) -> None:
    """Asking for one more option adds one at the end, if there is one."""
    problem = resolve(case.world, case.instance)
    solution = solve(problem)
    more = solve(replace(problem, count=problem.count + 1))

    assert solution.gold == more.gold[: problem.count]
    assert min(problem.count + 1, solution.feasible) == len(more.gold)
    assert (solution.digest, solution.counts) == (more.digest, more.counts)


@thorough
@given(cases(3))
def test_gold_fulfils_every_rule(case: GeneratedCase) -> None:
    """Each candidate of the gold is on the grid, in the window, free of what is taken, and in a room that suits."""
    problem = resolve(case.world, case.instance)
    assert problem.rooms is not None
    rooms = {room.room_id: room for room in problem.rooms.rooms}
    margin = max((turnaround.minutes for turnaround in problem.rooms.turnarounds), default=0)
    for candidate in solve(problem).gold:
        slot = Interval(to_minutes(candidate.start), to_minutes(candidate.end))
        room = rooms[str(candidate.room_id)]

        assert problem.duration == slot.end - slot.start
        assert 0 == wall_clock(slot.start, problem.zone)[1] % 15
        assert problem.window.contains(slot)
        assert all(allows(constraint.rule, slot, problem) for constraint in problem.constraints)
        assert problem.rooms.suits(room)
        assert not any(booking.overlaps(slot.widened(margin)) for booking in room.bookings)


def pairs(problem: Problem) -> list[tuple[str, int]]:
    """The feasible starts of every suitable room."""
    slots, _ = filtered_slots(problem)
    return [(room.room_id, mask) for room, mask in room_masks(problem, slots) if room is not None]

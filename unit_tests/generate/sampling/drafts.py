"""Problems as the sampler holds them, as the engine holds them, and from one to the other."""

from dataclasses import replace

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.problem import Busy, Constraint, Problem
from mpcbench.oracle.resolve import room_option


def draft_of(setting: Setting, problem: Problem) -> Draft:
    """The draft of a problem with all its constraints and rooms."""
    others = [constraint for constraint in problem.constraints if not isinstance(constraint.rule, Busy)]
    bare = replace(problem, constraints=())
    if problem.rooms is not None:
        bare = replace(bare, rooms=replace(problem.rooms, rooms=setting.rooms))
    draft = Draft.of(setting, bare).with_constraints(*others)
    return draft if problem.rooms is None else draft.with_rooms(setting)


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

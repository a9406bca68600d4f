"""Level 2: calendars, a policy that the meeting's thread calls for, and one demand made in a thread."""

from random import Random

from mpcbench.generate.sampling.demands import Demand, ban_window, deadline, not_before, required_window
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Sample, Talk, check, pick_days, window_statement
from mpcbench.generate.sampling.setting import Setting, slot_constraints
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.problem import EndsBy, Problem, StartsFrom
from mpcbench.schema import CallPolicy, Deadline, Duration, NotBefore, OptionCount, Order, Participants, Ranking

_DAILY = ((8 * 60, 19 * 60), (8 * 60, 20 * 60), (8 * 60 + 30, 19 * 60), (9 * 60, 20 * 60), (9 * 60, 18 * 60))
_DURATIONS = (30, 30, 45, 45, 60, 60, 75, 90)


def propose(setting: Setting, shape: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate; raises `Rejected`.

    `shape` draws the same values for many samples of an instance, so that shapes that rarely pass are not crowded out.
    """
    number = shape.choice((2, 2, 2, 3, 3))
    demand_of = shape.choice((ban_window, required_window, deadline, not_before))
    people = rng.sample([person.person_id for person in setting.world.people], number)
    latest = demand_of is deadline
    days = pick_days(setting, rng, (5, 12), (0,)) if latest else pick_days(setting, rng, (5, 8, 9), (0, 1, 2))
    daily = rng.choice(_DAILY)
    section = rng.choice(setting.world.policies)
    assert section.policy_id is not None
    window = setting.window(days[0], days[-1])
    problem = Problem(
        level=2,
        zone=setting.zone,
        participants=tuple(people),
        window=window,
        daily=daily,
        duration=rng.choice(_DURATIONS),
        count=rng.randint(3, 5),
        constraints=(),
        rooms=None,
        order=Order.LATEST if latest else Order.EARLIEST,
        tie_break=(),
    )
    draft = Draft.of(setting, problem).with_constraints(*slot_constraints(section))
    demand = demand_of(setting, draft, rng)
    check(setting, draft.with_constraints(demand.constraint))
    kickoff = [
        PlannedStatement(Duration(minutes=problem.duration)),
        PlannedStatement(CallPolicy(policy_id=section.policy_id)),
        PlannedStatement(demand.statement),
    ]
    if latest:
        kickoff.append(PlannedStatement(Ranking(order=Order.LATEST)))
    return Sample(
        task=(
            Participants(person_ids=tuple(people)),
            window_statement(setting, days[0], days[-1], daily),
            OptionCount(count=problem.count),
        ),
        talks=_talks(kickoff, problem, demand, rng),
        window=window,
        participants=tuple(people),
    )


def _talks(kickoff: list[PlannedStatement], problem: Problem, demand: Demand, rng: Random) -> tuple[Talk, ...]:
    """One or two threads; the duration or the demand may be corrected, possibly in the second thread."""
    rng.shuffle(kickoff)
    turn = rng.random()
    if turn < 0.35:
        wrong = rng.choice([minutes for minutes in sorted(set(_DURATIONS)) if minutes != problem.duration])
        before = [
            PlannedStatement(Duration(minutes=wrong)) if isinstance(planned.statement, Duration) else planned
            for planned in kickoff
        ]
        correction = [PlannedStatement(Duration(minutes=problem.duration), correcting=True)]
    elif turn < 0.5 and isinstance(demand.statement, Deadline | NotBefore):
        moved = type(demand.statement)(at=to_datetime(_elsewhere(demand, problem, rng), problem.zone))
        before = [PlannedStatement(moved) if planned.statement is demand.statement else planned for planned in kickoff]
        correction = [PlannedStatement(demand.statement, correcting=True)]
    elif turn < 0.7:
        before = [planned for planned in kickoff if planned.statement is not demand.statement]
        return Talk(tuple(before)), Talk((PlannedStatement(demand.statement),))
    else:
        return (Talk(tuple(kickoff)),)
    if rng.random() < 0.5:
        return (Talk((*before, *correction)),)
    return Talk(tuple(before)), Talk(tuple(correction))


def _elsewhere(demand: Demand, problem: Problem, rng: Random) -> int:
    rule = demand.constraint.rule
    assert isinstance(rule, EndsBy | StartsFrom)
    while True:
        moved = rule.instant + rng.choice((-1, 1)) * rng.choice((60, 120, 180, 1440, 1500, 2880))
        if problem.window.start < moved < problem.window.end:
            return moved

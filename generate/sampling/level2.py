"""Level 2: calendars, a policy that the meeting's thread calls for, and perhaps one demand made in a thread."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from mpcbench.generate.sampling.demands import Demand, deadline, early_ban, not_before
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import DAILY, Sample, Talk, pick_days, pick_policy, window_statement
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.planned import PlannedStatement, planned
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.problem import EndsBy, Problem, StartsFrom
from mpcbench.schema import (
    CallPolicy,
    Deadline,
    Duration,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    Ranking,
    Statement,
)

_DURATIONS = (30, 30, 45, 45, 60, 60, 75)
_DAYS = (18, 19, 20, 21, 22, 23, 24)
_DemandOf = Callable[[Setting, Draft, Random], Demand]
_LEAST_POLICIES: dict[_DemandOf | None, int] = {None: 13, not_before: 9, deadline: 7, early_ban: 5}
"""Under how many policies a sample must pass, by its demand; see `pick_policy`."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What many samples of an instance share, so that shapes that rarely pass are not crowded out."""

    participants: int
    duration: int
    order: Order
    demand: _DemandOf | None

    @classmethod
    def draw(cls, rng: Random) -> "Shape":
        """A random shape."""
        order = rng.choice((Order.EARLIEST, Order.EARLIEST, Order.LATEST))
        limit = deadline if order is Order.LATEST else not_before
        return cls(
            participants=rng.choice((2, 2, 2, 3, 3)),
            duration=rng.choice(_DURATIONS),
            order=order,
            demand=rng.choice((early_ban, *[limit] * 4, *[None] * 7)),
        )


def propose(setting: Setting, shape_rng: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate; raises `Rejected`."""
    shape = Shape.draw(shape_rng)
    people = rng.sample([person.person_id for person in setting.world.people], shape.participants)
    days = pick_days(setting, rng, _DAYS)
    daily = rng.choice(DAILY)
    window = setting.window(days[0], days[-1])
    problem = Problem(
        level=2,
        zone=setting.zone,
        participants=tuple(people),
        window=window,
        daily=daily,
        duration=shape.duration,
        count=rng.randint(3, 5),
        constraints=(),
        rooms=None,
        order=shape.order,
        tie_break=(),
    )
    draft = Draft.of(setting, problem)
    demand = None if shape.demand is None else shape.demand(setting, draft, rng)
    if demand is not None:
        draft = draft.with_constraints(demand.constraint)
    # A policy of two rules and a demand would be more requirements than a level 2 task has.
    sections = [section for section in setting.slot_policies if len(section.rules) == (2 if demand is None else 1)]
    section = pick_policy(setting, draft, sections, _LEAST_POLICIES[shape.demand], rng)
    assert section.policy_id is not None
    kickoff: list[Statement] = [
        Duration(minutes=problem.duration),
        CallPolicy(policy_id=section.policy_id),
        *(() if demand is None else demand.statements),
    ]
    if shape.order is Order.LATEST:
        kickoff.append(Ranking(order=Order.LATEST))
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


def _talks(kickoff: list[Statement], problem: Problem, demand: Demand | None, rng: Random) -> tuple[Talk, ...]:
    """One or two threads: something may be corrected, possibly in the second thread, or said there only."""
    rng.shuffle(kickoff)
    late: Statement
    turn = rng.random()
    if turn < 0.35:
        wrong = Duration(minutes=rng.choice([one for one in sorted(set(_DURATIONS)) if one != problem.duration]))
        said = [wrong if isinstance(statement, Duration) else statement for statement in kickoff]
        late = Duration(minutes=problem.duration)
    elif turn < 0.5 and demand is not None and isinstance(demand.statements[0], Deadline | NotBefore):
        late = limit = demand.statements[0]
        moved = type(limit)(at=to_datetime(_elsewhere(demand, problem, rng), problem.zone))
        said = [moved if statement is late else statement for statement in kickoff]
    elif turn < 0.75:
        *said, late = kickoff
        follow_up = PlannedStatement(late, correcting=any(one.kind == late.kind for one in said))
        return Talk(planned(said)), Talk((follow_up,))
    else:
        return (Talk(planned(kickoff)),)
    correction = PlannedStatement(late, correcting=True)
    if rng.random() < 0.5:
        return (Talk((*planned(said), correction)),)
    return Talk(planned(said)), Talk((correction,))


def _elsewhere(demand: Demand, problem: Problem, rng: Random) -> int:
    rule = demand.constraint.rule
    assert isinstance(rule, EndsBy | StartsFrom)
    while True:
        moved = rule.instant + rng.choice((-1, 1)) * 1440 * rng.randint(1, 3) + rng.choice((-120, -60, 0, 60, 120))
        if problem.window.start < moved < problem.window.end and _within_hours(moved, problem):
            return moved


def _within_hours(instant: int, problem: Problem) -> bool:
    assert problem.daily is not None
    local = to_datetime(instant, problem.zone)
    return problem.daily[0] <= local.hour * 60 + local.minute < problem.daily[1]

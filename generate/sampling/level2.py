"""Level 2: calendars, a policy that the meeting's thread calls for, and perhaps one demand made in a thread."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from mpcbench.generate.sampling.demands import (
    Demand,
    ban_window,
    deadline,
    not_before,
    required_window,
    required_windows,
)
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import DAILY, DAYS, Sample, Talk, check, pick_days, planned, window_statement
from mpcbench.generate.sampling.setting import Setting, slot_constraints
from mpcbench.generate.wording.planned import PlannedStatement
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
    Section,
    Statement,
)

_DURATIONS = (30, 30, 45, 45, 60, 60, 75)
_WITHIN_A_DAY = (required_window, required_windows)


@dataclass(frozen=True, slots=True)
class Shape:
    """What many samples of an instance share, so that shapes that rarely pass are not crowded out."""

    participants: int
    duration: int
    order: Order
    demand: Callable[[Setting, Draft, Random], Demand] | None

    @classmethod
    def draw(cls, section: Section, rng: Random) -> "Shape":
        """A random shape; a policy of two rules leaves no room for a demand among a level 2 task's requirements."""
        order = rng.choice((Order.EARLIEST, Order.EARLIEST, Order.LATEST))
        limit = deadline if order is Order.LATEST else not_before
        demand = rng.choice((ban_window, limit, limit, *_WITHIN_A_DAY)) if len(section.rules) == 1 else None
        short = demand in _WITHIN_A_DAY
        return cls(
            participants=2 if short else rng.choice((2, 2, 2, 3, 3)),
            duration=30 if short else rng.choice(_DURATIONS),
            order=order,
            demand=demand,
        )


def propose(setting: Setting, section: Section, shape_rng: Random, rng: Random) -> Sample:
    """Draw a sample under a policy that passes checks 1, 3 and 4 of the certificate; raises `Rejected`."""
    shape = Shape.draw(section, shape_rng)
    people = rng.sample([person.person_id for person in setting.world.people], shape.participants)
    days = pick_days(setting, rng, DAYS)
    daily = rng.choice(DAILY)
    assert section.policy_id is not None
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
    draft = Draft.of(setting, problem).with_constraints(*slot_constraints(section))
    demand = None if shape.demand is None else shape.demand(setting, draft, rng)
    check(draft if demand is None else draft.with_constraints(demand.constraint))
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

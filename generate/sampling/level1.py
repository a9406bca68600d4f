"""Level 1: two or three calendars and one policy, all named by the task."""

from random import Random

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import DAILY, Sample, pick_days, pick_policy, window_statement
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.problem import Problem
from mpcbench.schema import CallPolicy, Duration, OptionCount, Order, Participants

_DAYS = (14, 15, 16, 17, 18, 19, 20, 21)
_LEAST_POLICIES = 20
"""Under how many policies a sample must pass; see `pick_policy`."""


def propose(setting: Setting, shape: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate; raises `Rejected`.

    `shape` draws the same values for many samples of an instance, so that shapes that rarely pass are not crowded out.
    """
    number = shape.choice((2, 2, 2, 3, 3))
    duration = shape.choice((30, 30, 45, 45, 60, 60, 75) if number == 2 else (30, 30, 45, 60))
    people = rng.sample([person.person_id for person in setting.world.people], number)
    days = pick_days(setting, rng, _DAYS)
    daily = rng.choice(DAILY)
    window = setting.window(days[0], days[-1])
    problem = Problem(
        level=1,
        zone=setting.zone,
        participants=tuple(people),
        window=window,
        daily=daily,
        duration=duration,
        count=rng.randint(3, 5),
        constraints=(),
        rooms=None,
        order=Order.EARLIEST,
        tie_break=(),
    )
    section = pick_policy(setting, Draft.of(setting, problem), setting.slot_policies, _LEAST_POLICIES, rng)
    assert section.policy_id is not None
    return Sample(
        task=(
            Participants(person_ids=tuple(people)),
            Duration(minutes=problem.duration),
            OptionCount(count=problem.count),
            window_statement(setting, days[0], days[-1], daily),
            CallPolicy(policy_id=section.policy_id),
        ),
        talks=(),
        window=window,
        participants=tuple(people),
    )

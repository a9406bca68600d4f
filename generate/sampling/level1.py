"""Level 1: two or three calendars and one policy, all named by the task."""

from collections.abc import Sequence
from random import Random

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Sample, check, pick_days, window_statement
from mpcbench.generate.sampling.setting import Setting, slot_constraints
from mpcbench.oracle.problem import Problem
from mpcbench.schema import BanDowTime, CallPolicy, Duration, OptionCount, Order, Participants, Section

_DAILY = ((8 * 60, 20 * 60), (8 * 60, 19 * 60), (9 * 60, 20 * 60), (9 * 60 + 30, 20 * 60), (8 * 60 + 30, 19 * 60 + 30))


def _first_weekdays(section: Section) -> Sequence[int]:
    """The weekdays on which a window may begin: a weekly ban matters most on the first day."""
    rule = section.rules[0]
    return (rule.day,) if isinstance(rule, BanDowTime) else (0, 1, 2, 3)


def propose(setting: Setting, shape: Random, rng: Random) -> Sample:
    """Draw a sample that passes checks 1, 3 and 4 of the certificate; raises `Rejected`.

    `shape` draws the same values for many samples of an instance, so that shapes that rarely pass are not crowded out.
    """
    number = shape.choice((2, 2, 2, 3, 3))
    kind = shape.choice(("buffer_min", "ban_dow_time", "lunch_block", "work_hours"))
    people = rng.sample([person.person_id for person in setting.world.people], number)
    section = rng.choice([section for section in setting.world.policies if section.rules[0].kind == kind])
    days = pick_days(setting, rng, (7, 8, 9, 10), _first_weekdays(section))
    daily = rng.choice(_DAILY)
    window = setting.window(days[0], days[-1])
    problem = Problem(
        level=1,
        zone=setting.zone,
        participants=tuple(people),
        window=window,
        daily=daily,
        duration=rng.choice((30, 30, 45, 60, 60, 75, 90)),
        count=rng.randint(3, 5),
        constraints=(),
        rooms=None,
        order=Order.EARLIEST,
        tie_break=(),
    )
    check(setting, Draft.of(setting, problem).with_constraints(*slot_constraints(section)))
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

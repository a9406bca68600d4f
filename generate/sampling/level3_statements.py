"""The statements about a level 3 meeting: a kick-off thread, and later ones that amend it."""

from collections.abc import Sequence
from random import Random

from mpcbench.generate.sampling.amendments import Amendment, Kind
from mpcbench.generate.sampling.demands import Demand
from mpcbench.generate.sampling.sample import Sample, Talk, window_statement
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.planned import PlannedStatement, planned
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.problem import Problem
from mpcbench.schema import (
    AddParticipant,
    CallPolicy,
    Duration,
    Equipment,
    Guests,
    OptionCount,
    Participants,
    RemoveParticipant,
    Section,
    Site,
    Statement,
    TieBreak,
)


def put_into_statements(
    setting: Setting,
    problem: Problem,
    demands: Sequence[Demand],
    policies: Sequence[Section],
    amendments: Sequence[Amendment],
    rng: Random,
) -> Sample:
    """State a problem without constraints, demands and policies, spread over a kick-off thread and later ones."""
    search = problem.rooms
    assert search is not None
    assert problem.daily is not None
    first, last = (
        to_datetime(moment, setting.zone).date() for moment in (problem.window.start, problem.window.end - 1)
    )
    people = list(problem.participants)
    duration = Duration(minutes=problem.duration)
    guests = Guests(count=search.seats - len(people))
    changes: list[Statement] = []
    for amendment in amendments:
        match amendment.kind:
            case Kind.ADD:
                people.remove(amendment.person)
                changes.append(AddParticipant(person_id=amendment.person))
            case Kind.REMOVE:
                people.insert(rng.randint(0, len(people)), amendment.person)
                changes.append(RemoveParticipant(person_id=amendment.person))
            case Kind.DURATION:
                changes.append(duration)
                duration = Duration(minutes=amendment.number)
            case Kind.GUESTS:
                changes.append(guests)
                guests = Guests(count=amendment.number)
    opening: list[Statement] = [
        Participants(person_ids=tuple(people)),
        duration,
        OptionCount(count=problem.count),
        window_statement(setting, first, last, problem.daily),
    ]
    more: list[Statement] = [
        guests,
        Equipment(items=tuple(sorted(search.equipment))),
        *([] if search.site is None else [Site(site=search.site)]),
        *(CallPolicy(policy_id=section.policy_id) for section in policies if section.policy_id is not None),
        TieBreak(keys=problem.tie_break),
        *(statement for demand in demands for statement in demand.statements),
    ]
    rng.shuffle(more)
    rng.shuffle(opening)
    follow_up = tuple(PlannedStatement(change, correcting=True) for change in changes)
    *early, late = planned((*opening, *more))
    if rng.random() < 0.5:
        talks = [Talk((*early, late)), Talk(follow_up)]
    else:
        talks = [Talk(tuple(early)), Talk(follow_up)]
        is_amended = late.statement.kind in {change.kind for change in changes}
        talks.insert(1 if is_amended else rng.choice((1, 2)), Talk((late,)))
    return Sample(task=(), talks=tuple(talks), window=problem.window, participants=problem.participants)

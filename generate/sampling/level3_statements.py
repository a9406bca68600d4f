"""The statements about a level 3 meeting: a kick-off thread, and later ones that amend it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from random import Random

from mpcbench.generate.sampling.demands import Demand
from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Check, Rejected, Sample, Talk, window_statement
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.planned import PlannedStatement, planned
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

_WRONG_DURATIONS = (15, 30, 45, 60, 75, 90)


def put_into_statements(
    setting: Setting,
    amendments: Sequence[str],
    draft: Draft,
    demands: Sequence[Demand],
    policies: Sequence[Section],
    window: tuple[date, date, tuple[int, int]],
    rng: Random,
) -> Sample:
    """Turn a draft into statements, spread over a kick-off thread and later ones."""
    problem = draft.problem
    search = problem.rooms
    assert search is not None
    guests = search.seats - len(problem.participants)
    said: dict[str, Statement] = {
        "participants": Participants(person_ids=problem.participants),
        "duration": Duration(minutes=problem.duration),
        "guests": Guests(count=guests),
    }
    changes = {kind: _amend(kind, setting, draft, said, rng) for kind in amendments}
    opening: list[Statement] = [
        said["participants"],
        said["duration"],
        OptionCount(count=problem.count),
        window_statement(setting, *window),
    ]
    more: list[Statement] = [
        said["guests"],
        Equipment(items=tuple(sorted(search.equipment))),
        *([] if search.site is None else [Site(site=search.site)]),
        *(CallPolicy(policy_id=section.policy_id) for section in policies if section.policy_id is not None),
        TieBreak(keys=problem.tie_break),
        *(statement for demand in demands for statement in demand.statements),
    ]
    rng.shuffle(more)
    rng.shuffle(opening)
    follow_up = tuple(PlannedStatement(change, correcting=True) for change in changes.values())
    *early, late = planned((*opening, *more))
    if rng.random() < 0.5:
        talks = [Talk((*early, late)), Talk(follow_up)]
    else:
        talks = [Talk(tuple(early)), Talk(follow_up)]
        is_amended = late.statement.kind in {change.kind for change in changes.values()}
        talks.insert(1 if is_amended else rng.choice((1, 2)), Talk((late,)))
    return Sample(task=(), talks=tuple(talks), window=problem.window, participants=problem.participants)


def _amend(kind: str, setting: Setting, draft: Draft, said: dict[str, Statement], rng: Random) -> Statement:
    """The statement that amends the kick-off; changes the kick-off's own statement to an earlier value in place."""
    problem = draft.problem
    search = problem.rooms
    assert search is not None
    first = said["participants"]
    guests = said["guests"]
    assert isinstance(first, Participants)
    assert isinstance(guests, Guests)
    match kind:
        case "add":
            person = rng.choice(first.person_ids)
            kept = tuple(other for other in first.person_ids if other != person)
            said["participants"] = Participants(person_ids=kept)
            return AddParticipant(person_id=person)
        case "remove":
            person = _hindrance(setting, draft, rng)
            ids = [*first.person_ids]
            ids.insert(rng.randint(0, len(ids)), person)
            said["participants"] = Participants(person_ids=tuple(ids))
            return RemoveParticipant(person_id=person)
        case "duration":
            wrong = rng.choice([minutes for minutes in _WRONG_DURATIONS if minutes != problem.duration])
            said["duration"] = Duration(minutes=wrong)
            return Duration(minutes=problem.duration)
        case _:
            chosen = set(draft.gold())
            for count in rng.sample(range(12), 12):
                other = replace(search, seats=len(problem.participants) + count)
                if set(draft.gold(problem=replace(problem, rooms=other))) != chosen:
                    said["guests"] = Guests(count=count)
                    return guests
            raise Rejected(Check.LOAD_BEARING, "no other number of guests changes the gold")


def _hindrance(setting: Setting, draft: Draft, rng: Random) -> str:
    """A non-participant whose calendar would change the gold."""
    people = [person.person_id for person in setting.world.people if person.person_id not in draft.problem.participants]
    chosen = set(draft.gold())
    for person in rng.sample(people, 10):
        more = draft.with_person(setting, person)
        if set(more.gold()) != chosen:
            return person
    raise Rejected(Check.LOAD_BEARING, "nobody's calendar would change the gold")

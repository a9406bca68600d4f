"""What level 3's search finds, compared with the engine."""

from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling import level3
from mpcbench.generate.sampling.level3 import Found
from mpcbench.generate.sampling.party import Under, promises
from mpcbench.generate.sampling.room_table import Picks, candidates
from mpcbench.generate.sampling.sample import Rejected
from mpcbench.generate.sampling.setting import busy_constraint
from mpcbench.oracle.problem import Problem
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.drafts import check, engine_problem


@cache
def found() -> list[Found]:
    """What the search finds in some tries."""
    samples = []
    for number in range(300):
        with suppress(Rejected):
            samples.append(level3.search(setting(3), stream(7, "shape", number), stream(7, "sample", number)))
    return samples


def problem_under(sample: Found, under: Under) -> Problem:
    """The whole problem of a sample under a policy."""
    problem = sample.trial.request.problem
    ruled = replace(
        problem,
        constraints=(
            *(busy_constraint(person) for person in problem.participants),
            *setting(3).policy_constraints[under.ruling.section.policy_id],
            *(demand.constraint for demand in sample.limits.demands),
        ),
    )
    return engine_problem(setting(3), ruled)


def choices(sample: Found, picks: Picks) -> set[tuple[int, str]]:
    """A gold as starts and room IDs."""
    timetable, rooms = sample.trial.party.timetable, setting(3).rooms
    return {
        (timetable.instant(place), room.room_id)
        for place, taken in picks
        for number, room in enumerate(rooms)
        if taken >> number & 1
    }


def test_something_is_found() -> None:
    """It passes under enough policies, whose golds all differ and leave guesses little."""
    assert len(found()) > 3
    for sample in found():
        assert len(sample.passing) >= sample.shape.least_policies
        assert len({gold for _, gold in sample.passing}) == len(sample.passing)
        assert sample.trial.expected_share(sample.passing) < 0.7


def test_under_every_policy_that_passes_the_engine_finds_the_same_gold() -> None:
    """So the policy that is called for in the end is as certified as any other of them."""
    for sample in found():
        for under, gold in sample.passing:
            found_by_engine = check(problem_under(sample, under))

            assert choices(sample, gold) == {(choice.start, choice.room_id) for choice in found_by_engine}


def test_what_does_not_pass_under_a_policy_fails_for_the_engine_too_or_a_guess() -> None:
    """Where the trial finds a fault, the engine does, unless it is one that only the trial knows: guesses and namesakes."""
    sample = found()[0]
    passing = {under.ruling.section.policy_id for under, _ in sample.passing}
    limits = sample.limits._replace(others=sample.limits.others[:1], changes=sample.limits.changes[:1])
    others = [under for under in sample.unders if under.ruling.section.policy_id not in passing]
    for under in Random(1).sample(others, 40):
        if not all(under.alone) or sample.trial.gold(under, limits) is None:
            with pytest.raises(Rejected):
                check(problem_under(sample, under))


def test_beginnings_are_those_from_which_everything_matters() -> None:
    """They are the places from which the gold has all its candidates, and every blocker and the beginning matter."""
    sample = found()[0]
    trial, unders = sample.trial, [under for under in sample.unders if all(under.alone)]
    expected = set()
    for number, under in enumerate(unders):
        feasible = under.feasible & trial.starts
        for place in range(feasible.bit_length()):
            since = -1 << place
            gold = trial.first(feasible & since)
            ahead = since & ((1 << gold[-1][0]) - 1) & trial.starts
            is_first = not feasible & ~since
            if not is_first and candidates(gold) == trial.count and all(ahead & alone for alone in under.alone):
                expected.add((number, place, gold[0][0]))

    assert expected
    assert expected == {
        (number, place, start)
        for number, under in enumerate(unders)
        for first, last, start in trial.beginnings([under])
        for place in range(first, last + 1)
    }
    assert list(trial.beginnings(unders)) == [one for under in unders for one in trial.beginnings([under])]


def test_promises_are_sums_over_the_policies_without_a_buffer() -> None:
    """Each adds its feasible starts, at most eight and four times the starts that the rarest sole blocker rules out."""
    party, people = found()[0].trial.party, list(found()[0].trial.party.free)
    parties = [
        replace(party, free={person: party.free[person] for person in people if person != other}) for other in people
    ]
    expected = []
    for one in parties:
        without = [one.everybody]
        for person in one.free:
            others = replace(one, free={other: free for other, free in one.free.items() if other != person})
            without.append(others.everybody & ~one.everybody)
        counts = [
            [(ruling.allowed & starts).bit_count() for starts in without]
            for ruling in party.rulings
            if not ruling.buffer
        ]
        expected.append(sum(min(feasible, 4 * min(alone), 8) for feasible, *alone in counts))

    assert any(expected)
    assert expected == promises(parties)


def test_amendments_matter_under_every_policy_that_passes() -> None:
    """Somebody who is taken off would change each of the golds, and so would the first number of guests."""
    for sample in found():
        for amendment in sample.amendments:
            match amendment.kind:
                case "remove":
                    changed = sample.trial.changed_by_person(sample.passing, sample.limits, amendment.person)
                    assert amendment.person not in sample.trial.request.problem.participants
                case "guests":
                    seats = len(sample.trial.request.problem.participants) + amendment.number
                    changed = sample.trial.changed_by_seats(sample.passing, sample.limits, seats)
                case "add":
                    assert amendment.person in sample.trial.request.problem.participants
                    continue
                case _:
                    assert amendment.number != sample.trial.request.problem.duration
                    continue

            assert changed == sample.passing

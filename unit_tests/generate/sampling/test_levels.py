"""What the samplers of the three levels propose."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from mpcbench.generate.composition import compose
from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling import level1, level2, level3
from mpcbench.generate.sampling.blockers import Blockers
from mpcbench.generate.sampling.sample import Check, Rejected, Sample, check
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.world.base import with_threads
from mpcbench.oracle import Problem, resolve
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    Deadline,
    Duration,
    Guests,
    NotBefore,
    Order,
    Participants,
    Ranking,
    RemoveParticipant,
    Source,
)
from mpcbench.schema.model import Level
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.drafts import draft_of

Propose = Callable[[Setting, Random, Random], Sample]
PROPOSE: dict[Level, Propose] = {1: level1.propose, 2: level2.propose, 3: level3.propose}
TRIES: dict[Level, int] = {1: 500, 2: 500, 3: 100}
each_level = pytest.mark.parametrize("level", PROPOSE)


@cache
def proposed(level: Level) -> tuple[list[Sample], Counter[str]]:
    """Samples of the level, and why the others were rejected."""
    samples, reasons = [], Counter[str]()
    for number in range(TRIES[level]):
        try:
            samples.append(PROPOSE[level](setting(level), stream(7, "shape", number), stream(7, "sample", number)))
        except Rejected as rejected:
            reasons[f"{rejected.check}"] += 1
            reasons[str(rejected)] += 1
    return samples, reasons


def problem_of(level: Level, sample: Sample, index: int) -> Problem:
    """A sample put into words and joined again."""
    instance, threads = compose(setting(level), index, sample, stream(7, "words", index))
    return resolve(with_threads(setting(level).world, threads), instance)


@each_level
def test_what_is_proposed_passes_as_stated(level: Level) -> None:
    """A sample's statements make a problem that passes checks 1, 3 and 4, with its participants and window."""
    samples, _ = proposed(level)

    assert len(samples) > 8
    for index, sample in enumerate(samples[:40]):
        problem = problem_of(level, sample, index)
        check(setting(level), draft_of(setting(level), problem))
        assert sample.window == problem.window
        assert set(sample.participants) == set(problem.participants)


@each_level
def test_a_sample_depends_on_its_streams_alone(level: Level) -> None:
    """Drawn again it is the same."""
    outcomes = []
    for _ in range(2):
        try:
            outcomes.append(repr(PROPOSE[level](setting(level), stream(8, "shape"), stream(8, "sample"))))
        except Rejected as rejected:
            outcomes.append(str(rejected))

    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("level", "checks"),
    [
        (1, {Check.SOLVABLE, Check.LOAD_BEARING, Check.NO_SHORTCUT, Check.IMPLAUSIBLE}),
        (2, {Check.SOLVABLE, Check.LOAD_BEARING, Check.NO_SHORTCUT, Check.IMPLAUSIBLE}),
        (3, {Check.LOAD_BEARING, Check.IMPLAUSIBLE}),
    ],
)
def test_checks_that_reject_samples(level: Level, checks: set[Check]) -> None:
    """Sampling rejects by each of its checks; guided sampling needs few of them."""
    _, reasons = proposed(level)

    assert checks <= {check for check in Check if reasons[check]}


def test_level_3_gives_up_where_nothing_fits() -> None:
    """Before rooms are looked at, and after all rooms were tried."""
    _, reasons = proposed(3)

    assert reasons["load_bearing: no start lets every calendar and the policy matter"]
    assert reasons["load_bearing: no room, start and ban make everything matter"]


def test_level_1_says_everything_in_the_task() -> None:
    """Participants, duration, N, window and policy; no threads."""
    for sample in proposed(1)[0]:
        assert ["participants", "duration", "option_count", "window", "call_policy"] == [
            statement.kind for statement in sample.task
        ]
        assert sample.talks == ()


def test_level_2_says_duration_policy_and_demand_in_threads() -> None:
    """The task has the rest; deadlines come with latest first."""
    latest = 0
    for sample in proposed(2)[0]:
        said = [planned.statement for talk in sample.talks for planned in talk.statements]
        latest += Order.LATEST in [statement.order for statement in said if isinstance(statement, Ranking)]
        assert ["participants", "window", "option_count"] == [statement.kind for statement in sample.task]
        assert {"duration", "call_policy"} <= {statement.kind for statement in said}
        assert any(isinstance(one, Deadline) for one in said) == any(isinstance(one, Ranking) for one in said)

    assert latest > 0


def test_level_2_corrects_and_splits() -> None:
    """Some correct the duration, some the time of the demand, some say the demand in a second thread."""
    kinds = Counter[str]()
    for sample in proposed(2)[0]:
        said = [planned for talk in sample.talks for planned in talk.statements]
        corrections: list[str] = [one.statement.kind for one in said if one.correcting]
        kinds.update(corrections or ["plain"])
        kinds[f"{len(sample.talks)} threads"] += 1
        if len(sample.talks) == 2 and not corrections:
            kinds["split"] += 1
        for kind in corrections:
            values = [one.statement for one in said if one.statement.kind == kind]
            assert len(set(map(repr, values))) == 2
            assert said[-1].correcting

    assert {"duration", "plain", "split", "1 threads", "2 threads"} <= set(kinds)
    assert {"not_before", "deadline"} & set(kinds)


def test_corrected_times_stay_in_the_window() -> None:
    """The corrected time lies in the window, too."""
    for sample in proposed(2)[0]:
        for talk in sample.talks:
            for planned in talk.statements:
                if isinstance(planned.statement, Deadline | NotBefore):
                    minute = setting(2).instant(planned.statement.at.date(), 0)
                    assert sample.window.start <= minute < sample.window.end


def test_level_3_amends() -> None:
    """Participants join and leave, durations and guests are corrected, always in a later thread."""
    amended = Counter[str]()
    for sample in proposed(3)[0]:
        assert sample.task == ()
        assert 2 <= len(sample.talks) <= 3
        opening = [planned.statement for planned in sample.talks[0].statements]
        corrections = [
            planned.statement for talk in sample.talks[1:] for planned in talk.statements if planned.correcting
        ]
        assert 1 <= len(corrections) <= 2
        first = next(one for one in opening if isinstance(one, Participants)).person_ids
        for one in corrections:
            amended[one.kind] += 1
            match one:
                case AddParticipant(person_id=person):
                    assert person not in first
                case RemoveParticipant(person_id=person):
                    assert person in first
                    assert person not in sample.participants
                case Duration() | Guests():
                    assert one not in opening

    assert set(amended) == {"add_participant", "remove_participant", "duration", "guests"}


def test_level_3_varies() -> None:
    """Three to six people; with and without an event to wait for, a ban, a site, a turnaround."""
    samples = proposed(3)[0]
    kinds = [{planned.statement.kind for talk in sample.talks for planned in talk.statements} for sample in samples]
    sizes = {len(sample.participants) for sample in samples}
    policies = {
        sum(planned.statement.kind == "call_policy" for talk in sample.talks for planned in talk.statements)
        for sample in samples
    }

    assert {3, 4, 5} <= sizes <= {3, 4, 5, 6}
    assert policies == {1, 2}
    for kind in ("after_event", "not_before", "ban_window", "site"):
        assert 0 < sum(kind in found for found in kinds) < len(kinds), kind
    assert all(("after_event" in found) != ("not_before" in found) for found in kinds)


def test_events_to_wait_for_end_where_the_meeting_may_start() -> None:
    """The event's end is inside the window."""
    for index, sample in enumerate(proposed(3)[0]):
        awaited = [planned.statement for talk in sample.talks for planned in talk.statements]
        if any(isinstance(statement, AfterEvent) for statement in awaited):
            problem = problem_of(3, sample, index)
            (rule,) = [one.rule for one in problem.constraints if one.kind == "after_event"]
            assert problem.window.start < getattr(rule, "instant", 0) < problem.window.end
            assert Source.THREADS in {one.source for one in problem.constraints}


@pytest.mark.parametrize(
    ("feasible", "alone", "offset", "expected"),
    [
        (0b1001_0001, (0b0000_0100, 0b0000_1000), 1, True),
        (0b1001_0000, (0b0000_0100, 0b0000_1000), 1, False),  # nothing is cut off by starting later
        (0b1001_0001, (0b0000_0001, 0b0000_1000), 1, False),  # a constraint matters before the start only
        (0b1111_0001, (0b0000_0100, 0b1000_0000), 1, False),  # too many candidates lead
        (0b0001_0001, (0b0000_0100, 0b0100_0000), 1, False),  # nothing is left in the end
    ],
)
def test_starts_worth_their_while(feasible: int, alone: tuple[int, ...], offset: int, expected: bool) -> None:
    """A start cuts something off, everything matters soon after it, and something is left."""
    assert expected == Blockers(feasible, alone, most=2).worth(offset)


def test_promise_of_blockers() -> None:
    """None where a constraint is never alone; else the hours worth starting at and the rarest blocker."""
    assert Blockers(0b1, (0b10, 0), most=4).promise == (0, 0)
    assert Blockers(1 | 1 << 90, (0b110 << 60, 0b1 << 62), most=4).promise == (1, 1)

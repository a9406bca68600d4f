"""What the samplers of the three levels propose."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from mpcbench.generate.composition import compose
from mpcbench.generate.randomness import stream
from mpcbench.generate.sampling import level1, level2, level3
from mpcbench.generate.sampling.sample import Check, Rejected, Sample
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.world.base import with_threads
from mpcbench.oracle import Problem, resolve
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    CallPolicy,
    Deadline,
    Duration,
    Guests,
    NotBefore,
    Participants,
    RemoveParticipant,
    Source,
)
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.drafts import check

Propose = Callable[[Setting, Random, Random], Sample]
PROPOSE: dict[Level, Propose] = {1: level1.propose, 2: level2.propose, 3: level3.propose}
TRIES: dict[Level, int] = {1: 400, 2: 2000, 3: 400}
each_level = pytest.mark.parametrize("level", PROPOSE)


def propose(level: Level, number: int) -> Sample:
    return PROPOSE[level](setting(level), stream(7, "shape", number), stream(7, "sample", number))


@cache
def proposed(level: Level) -> tuple[list[Sample], Counter[str]]:
    """Samples of the level, and why the others were rejected."""
    samples, reasons = [], Counter[str]()
    for number in range(TRIES[level]):
        try:
            samples.append(propose(level, number))
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

    assert len(samples) > 5
    for index, sample in enumerate(samples[:40]):
        problem = problem_of(level, sample, index)
        check(problem)
        assert sample.window == problem.window
        assert set(sample.participants) == set(problem.participants)


@each_level
def test_a_sample_depends_on_its_streams_alone(level: Level) -> None:
    """Drawn again it is the same."""
    outcomes = []
    for number in (*range(5), *range(5)):
        try:
            outcomes.append(repr(propose(level, number)))
        except Rejected as rejected:
            outcomes.append(str(rejected))

    assert outcomes[:5] == outcomes[5:]


@pytest.mark.parametrize(
    ("level", "checks"),
    [
        (1, {Check.NO_SHORTCUT}),
        (2, {Check.NO_SHORTCUT}),
        (3, {Check.LOAD_BEARING}),
    ],
)
def test_checks_that_reject_samples(level: Level, checks: set[Check]) -> None:
    """Too few policies pass at levels 1 and 2; guided sampling rejects less."""
    _, reasons = proposed(level)

    assert checks <= {check for check in Check if reasons[check]}


def test_level_3_gives_up_where_nothing_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before rooms are looked at, and after all rooms were tried."""
    _, reasons = proposed(3)
    monkeypatch.setattr(level3.Shape, "least_policies", 1000)

    with pytest.raises(Rejected, match=r"^load_bearing: under few policies every calendar is ever the sole blocker$"):
        propose(3, 0)
    assert reasons["load_bearing: no room, start and demand make everything matter under many policies"]


def test_level_1_says_everything_in_the_task() -> None:
    """Participants, duration, N, window and policy; no threads."""
    for sample in proposed(1)[0]:
        assert ["participants", "duration", "option_count", "window", "call_policy"] == [
            statement.kind for statement in sample.task
        ]
        assert sample.talks == ()


def test_level_2_says_duration_policy_and_demand_in_threads() -> None:
    """The task has the rest; a policy of two rules comes without a demand, and deadlines with latest first."""
    plans = Counter[tuple[str, ...]]()
    for sample in proposed(2)[0]:
        said = [planned.statement for talk in sample.talks for planned in talk.statements]
        kinds = {statement.kind for statement in said}
        (policy,) = {one.policy_id for one in said if isinstance(one, CallPolicy)}
        rules = setting(2).world.policy_by_id[policy].rules
        demands = kinds & {"ban_window", "deadline", "not_before"}
        plans[tuple(sorted(kinds - {"duration", "call_policy"}))] += 1

        assert ["participants", "window", "option_count"] == [statement.kind for statement in sample.task]
        assert {"duration", "call_policy"} <= kinds
        assert len(rules) + len(demands) == 2
        assert not ("deadline" in kinds and "ranking" not in kinds)
        assert not ("not_before" in kinds and "ranking" in kinds)

    assert {(), ("ban_window",), ("not_before",), ("deadline", "ranking")} <= set(plans)


def test_two_required_windows_are_an_alternative() -> None:
    """The second one is worded as an addition to the first."""
    for sample in proposed(3)[0]:
        said = [planned for talk in sample.talks for planned in talk.statements]
        found = [planned.correcting for planned in said if planned.statement.kind == "required_window"]
        assert found in ([], [False, True])


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
            planned.statement
            for talk in sample.talks[1:]
            for planned in talk.statements
            if planned.correcting
            and isinstance(planned.statement, AddParticipant | RemoveParticipant | Duration | Guests)
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

    assert len(amended) > 1


def test_level_3_varies() -> None:
    """In the committed data: three to six people, one key or two; with and without an event, bans, windows, a turnaround."""
    requirements = [
        Counter(requirement.kind for requirement in label.requirements) for label in DATASET.labels(3).values()
    ]
    problems = [resolve(DATASET.world(3), instance) for instance in DATASET.instances(3)]
    keys = Counter(len(problem.tie_break) for problem in problems)

    assert {len(problem.participants) for problem in problems} == {3, 4, 5, 6}
    assert set(keys) == {1, 2}
    assert keys[2] >= 5
    for kind in ("after_event", "not_before", "ban_window", "required_window", "site", "room_turnaround"):
        assert 0 < sum(kind in found for found in requirements) < len(requirements), kind
    assert max(found["ban_window"] for found in requirements) == 2
    assert sum("ban_window" in found for found in requirements) >= 25
    assert sum({"ban_window", "ban_dow_time"} <= found.keys() for found in requirements) >= 2
    for varied in ("duration", "count"):
        values = Counter(getattr(problem, varied) for problem in problems)
        assert len(values) >= 3
        assert max(values.values()) <= 0.6 * len(problems)
    assert all(
        sum(found[kind] for kind in ("after_event", "not_before", "required_window")) == 1 for found in requirements
    )


def test_events_to_wait_for_end_where_the_meeting_may_start() -> None:
    """The event's end is inside the window."""
    for index, sample in enumerate(proposed(3)[0]):
        awaited = [planned.statement for talk in sample.talks for planned in talk.statements]
        if any(isinstance(statement, AfterEvent) for statement in awaited):
            problem = problem_of(3, sample, index)
            (rule,) = [one.rule for one in problem.constraints if one.kind == "after_event"]
            assert problem.window.start < getattr(rule, "instant", 0) < problem.window.end
            assert Source.THREADS in {one.source for one in problem.constraints}

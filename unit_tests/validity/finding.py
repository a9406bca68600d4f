"""The diagnoses of wrong answers of which it is known what went wrong, each with its verdict."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.flawed import Flaw, flawed_agent, flaws_named
from mpcbench.evaluation.scoring.score import ProposalKey, proposal_key
from mpcbench.schema import Instance
from mpcbench.schema.cause import Diagnosis, Evidence, Stage, stage_of
from mpcbench.schema.episode import Episode, Outcome, ToolCall
from unit_tests.validity.bench import Bench, explanations
from unit_tests.validity.expected import expected_of_agent
from unit_tests.validity.intervention import is_mended
from unit_tests.validity.judge import MOST, Expected, Verdict, judge, symptoms_of
from unit_tests.validity.kit import KIT
from unit_tests.validity.mutants import wrong_answers
from unit_tests.validity.mutation import Mutation
from unit_tests.validity.touched import TOUCHED, Case

STAGES: Final = tuple(Stage)
"""All stages, in the order in which the diagnosis tries them."""


class Group(StrEnum):
    """Whose answers were diagnosed."""

    HELD_OUT = "held-out flawed agents"
    MUTANTS = "mutants"
    FIFTH = "fifth kit"
    FOURTH = "fourth kit"
    THIRD = "third kit"
    UNSEEN = "second kit"
    SECOND = "second half of the first kit"
    FIRST = "first half of the first kit"
    OWN = "own flawed agents"
    NEAR = "near misses"
    RANDOM = "random answers"


class Finding(NamedTuple):
    """The diagnosis of one wrong answer."""

    group: Group
    name: str
    """Of the agent, the place of the change in the code, or how the answer was drawn."""

    instance_id: str
    verdict: Verdict
    explanations: tuple[frozenset[str], ...]
    """The reasons of each explanation, without repetitions."""

    stage: Stage | None = None
    true_stages: frozenset[Stage] = frozenset()
    evidence_right: bool | None = None
    """Whether the evidence of a right reason is right; None if the reason is wrong or it was not examined."""

    is_shown: bool = True
    """Whether every cause has evidence that names what holds, what was used and which call showed it."""

    is_empty: bool = False
    """Whether the answer has no options."""

    is_mended: bool | None = None
    """Whether the agent gives the gold once it has what the diagnosis names; None if that cannot be handed over."""


def of_kit(bench: Bench, group: Group, name: str, most: int | None, tries: int | None) -> Iterator[Finding]:
    """The diagnoses of wrong answers of an agent of the kit, at most so many, on instances drawn by lot."""
    agent, found = KIT[name], 0
    levels = [level for level in bench.dataset.levels if level in agent.levels]
    for instance in bench.drawn(name, levels, tries):
        episode = bench.episode(agent, instance)
        if episode.outcome is not Outcome.FAILED:
            continue
        expected = expected_of_agent(agent, bench.dataset.world(instance.level))
        stages = {agent.stage, *_stages_of(expected)}
        yield _finding(group, name, episode, expected, stages)._replace(
            is_mended=is_mended(bench, agent, instance, _diagnosed(episode))
        )
        found += 1
        if found == most:
            return


def of_mutant(bench: Bench, mutation: Mutation, most: int | None) -> Iterator[Finding]:
    """The diagnoses of wrong answers of a mutant."""
    for episode, expected in wrong_answers(bench, mutation, most):
        yield _finding(Group.MUTANTS, mutation.where, episode, expected, _stages_of(expected))


def _finding(group: Group, name: str, episode: Episode, expected: Expected, stages: AbstractSet[Stage]) -> Finding:
    found = _diagnosed(episode)
    return Finding(
        group,
        name,
        episode.instance_id,
        judge(found, replace(expected, symptoms=symptoms_of(episode))),
        explanations(found),
        found.stage,
        frozenset(stages),
        is_shown=is_shown(found, episode.tool_calls),
        is_empty=episode.answer == (),
    )


def _diagnosed(episode: Episode) -> Diagnosis:
    assert episode.diagnosis is not None
    return episode.diagnosis


def _stages_of(expected: Expected) -> set[Stage]:
    named = {reason.partition(".")[0] for reason in expected.right}
    return {stage for stage in Stage if stage in named}


def of_own(bench: Bench, name: str, most: int | None, tries: int | None) -> Iterator[Finding]:
    """The diagnoses of wrong answers of a flawed agent, named after a flaw or a pair."""
    flaws, agent, number = flaws_named(name), flawed_agent(name), 0
    true_stage = min((_stage(flaw) for flaw in flaws), key=STAGES.index)
    first = [flaw for flaw in flaws if _stage(flaw) is true_stage]
    true = [flaw.expected for flaw in first]
    levels = sorted(set(bench.dataset.levels).intersection(*(flaw.levels for flaw in flaws)))
    for instance in bench.drawn(name, levels, tries):
        episode = bench.episode(agent, instance)
        if episode.outcome is not Outcome.FAILED or not _shows(bench, flaws, instance, episode):
            continue
        found = _diagnosed(episode)
        every = Expected((), tuple(reason for expected in true for reason in expected))
        finding = _finding(Group.OWN, name, episode, every, {true_stage})
        if is_right(finding.explanations, true, true_stage):
            finding = finding._replace(verdict=Verdict.RIGHT)
            if true_stage is not Stage.FORMAT:
                label = bench.dataset.labels(instance.level)[instance.instance_id]
                case = Case(bench.dataset.world(instance.level), instance, label)
                touched = [(flaw.expected, TOUCHED[flaw.name](case)) for flaw in first]
                finding = finding._replace(evidence_right=is_evidence_right(found, touched))
        yield finding._replace(is_mended=is_mended(bench, agent, instance, found))
        number += 1
        if number == most:
            return


def is_right(diagnosed: Sequence[frozenset[str]], true: Sequence[tuple[str, ...]], stage: Stage) -> bool:
    """Whether the true reasons are one of at most two explanations.

    Args:
        diagnosed: The reasons of each explanation.
        true: For each defect of the stage, its reasons, one of which must be given.
        stage: The defects' stage.
    """
    return len(diagnosed) <= MOST and any(_fits(reasons, true, stage) for reasons in diagnosed)


def is_evidence_right(diagnosis: Diagnosis, touched: Sequence[tuple[tuple[str, ...], AbstractSet[str]]]) -> bool:
    """Whether one of at most two explanations by the true reasons has the true records as evidence.

    Args:
        diagnosis: The diagnosis.
        touched: For each defect of the stage, its reasons and records; evidence must be among these records.
    """
    reasons = [expected for expected, _ in touched]
    fitting = [
        causes
        for causes in diagnosis.explanations
        if all(any(cause.reason in expected for cause in causes) for expected in reasons)
    ]
    return len(fitting) <= MOST and any(
        all(
            cause.evidence and all(one.record in records for one in cause.evidence)
            for expected, records in touched
            for cause in causes
            if cause.reason in expected
        )
        for causes in fitting
    )


def is_shown(diagnosis: Diagnosis, calls: Sequence[ToolCall]) -> bool:
    """Whether every cause, except those of the format or without a stage, has complete evidence."""
    return all(
        cause.evidence and all(_is_whole(one, calls) for one in cause.evidence)
        for cause in diagnosis.causes
        if cause.stage not in {None, Stage.FORMAT}
    )


def _is_whole(evidence: Evidence, calls: Sequence[ToolCall]) -> bool:
    shown = (number for number, call in enumerate(calls, start=1) if evidence.record in call.records)
    return (
        bool(evidence.record)
        and {"holds", "used"} <= evidence.values.keys()
        and evidence.tool_call == next(shown, None)
    )


def _fits(reasons: frozenset[str], true: Sequence[tuple[str, ...]], stage: Stage) -> bool:
    if not all(reasons.intersection(expected) for expected in true):
        return False
    # Earlier stages list everything that was never queried or seen; only changes to the task can be too many.
    return stage is not Stage.INTEGRATION or all(any(one in expected for expected in true) for one in reasons)


def _shows(bench: Bench, flaws: Sequence[Flaw], instance: Instance, episode: Episode) -> bool:
    """Whether the defects that the diagnosis should name affect the answer."""
    if len(flaws) == 1:
        return True
    alone = {flaw.name: bench.episode(flaw.agent, instance) for flaw in flaws}
    stages = {flaw.name: _stage(flaw) for flaw in flaws}
    if len(set(stages.values())) == 1:
        return all(_given(other) != _given(episode) for other in alone.values())
    first = min(alone, key=lambda name: STAGES.index(stages[name]))
    return alone[first].outcome is Outcome.FAILED


def _given(episode: Episode) -> set[ProposalKey]:
    return {*map(proposal_key, episode.answer or ())}


def _stage(flaw: Flaw) -> Stage:
    stage = stage_of(flaw.expected[0])
    assert stage is not None
    return stage

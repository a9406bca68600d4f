"""How the diagnosis explains the answers of flawed agents, and whether it is right."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.flawed import Flaw, flawed_agent, flaws_named
from mpcbench.evaluation.scoring.score import ProposalKey, proposal_key
from mpcbench.schema import Instance
from mpcbench.schema.cause import Diagnosis, Evidence, Stage, stage_of
from mpcbench.schema.episode import Episode, Outcome, ToolCall
from mpcbench.schema.model import Level
from unit_tests.validity.bench import Bench, explanations
from unit_tests.validity.touched import TOUCHED, Case

STAGES: Final = tuple(Stage)
"""All stages, in the order in which the diagnosis tries them."""


class Finding(NamedTuple):
    """The diagnosis of one wrong answer of a flawed agent."""

    name: str
    level: Level
    instance_id: str
    true_stage: Stage
    stage: Stage | None
    explanations: tuple[frozenset[str], ...]
    """The reasons of each explanation, without repetitions."""

    reason_right: bool
    evidence_right: bool | None = None
    """Whether the evidence of a right reason is right; None if the reason is wrong or needs no evidence."""

    is_shown: bool = True
    """Whether every cause has evidence that names what holds, what was used and which call showed it."""

    @property
    def stage_right(self) -> bool:
        """Whether the diagnosed stage is the defect's."""
        return self.stage is self.true_stage


def findings(bench: Bench, name: str) -> Iterator[Finding]:
    """The diagnoses of every wrong answer of a flawed agent, named after a flaw or a pair."""
    flaws = flaws_named(name)
    true_stage = min((_stage(flaw) for flaw in flaws), key=STAGES.index)
    true = [flaw.expected for flaw in flaws if _stage(flaw) is true_stage]
    for level in sorted(set[Level]((1, 2, 3)).intersection(*(flaw.levels for flaw in flaws))):
        for instance in bench.instances(level):
            episode = bench.episode(flawed_agent(name), instance)
            if episode.outcome is not Outcome.FAILED or not _shows(bench, flaws, instance, episode):
                continue
            found = episode.diagnosis
            assert found is not None
            diagnosed = explanations(found)
            right = is_right(diagnosed, true, true_stage)
            evidence = None
            if right and true_stage is not Stage.FORMAT:
                label = bench.dataset.labels(level)[instance.instance_id]
                case = Case(bench.dataset.world(level), instance, label)
                first = [flaw for flaw in flaws if _stage(flaw) is true_stage]
                touched = [(flaw.expected, TOUCHED[flaw.name](case)) for flaw in first]
                evidence = is_evidence_right(found, touched)
            shown = is_shown(found, episode.tool_calls)
            yield Finding(name, level, instance.instance_id, true_stage, found.stage, diagnosed, right, evidence, shown)


def is_right(diagnosed: Sequence[frozenset[str]], true: Sequence[tuple[str, ...]], stage: Stage) -> bool:
    """Whether the true reasons are one of at most two explanations.

    Args:
        diagnosed: The reasons of each explanation.
        true: For each defect of the stage, its reasons, one of which must be given.
        stage: The defects' stage.
    """
    return len(diagnosed) <= 2 and any(_fits(reasons, true, stage) for reasons in diagnosed)


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
    return len(fitting) <= 2 and any(
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


@cache
def _stage_of(reason: str) -> Stage:
    stage = stage_of(reason)
    assert stage is not None
    return stage


def _stage(flaw: Flaw) -> Stage:
    return _stage_of(flaw.expected[0])

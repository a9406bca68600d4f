"""Diagnose a failed episode: the first stage that failed, with the reason and the evidence.

Uses only tool calls, record IDs and candidates; texts are never compared.
"""

from mpcbench.benchmark.environment.reveal import revealed_records
from mpcbench.evaluation.diagnosis.alternatives import UNEXPLAINED, beside
from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.evaluation.diagnosis.given import Given
from mpcbench.evaluation.diagnosis.missing import Missing, source_of
from mpcbench.evaluation.diagnosis.mistakes.reading import written
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.evaluation.diagnosis.symptoms import symptoms
from mpcbench.oracle import resolve
from mpcbench.oracle.resolve import statements
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Reason, Stage
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.exam import Exam

_FORMAT = {
    "truncated": Reason.TRUNCATED,
    "refused": Reason.REFUSED,
    "no_answer": Reason.NO_ANSWER,
}


def diagnose(exam: Exam, episode: Episode, *, calls_known: bool = True) -> Diagnosis | None:
    """The diagnosis of a scored episode; None for an error. Deterministic.

    An unparsable answer is always the cause. Otherwise the cause is a needed source that was never queried or, if
    there is none, a required record that was never seen or a calendar whose relevant days were not all seen. The gold
    changes without any of them, so each is a cause; `reproduces` says whether lacking it alone leads to the answer.
    What follows from another lack, such as the calendar of somebody whom only an unseen thread names, is not listed.
    If nothing is lacking, the search looks for changes to the task that lead to the answer.

    Args:
        exam: The task with its world, its gold, needed sources and required records.
        episode: What the agent did.
        calls_known: Whether the stored calls are complete; if not, the diagnosis ignores what was seen.
    """
    if episode.scores is None:
        return None
    world, instance, label = exam.world, exam.instance, exam.label
    provenance, problem = Provenance(statements(world, instance)), resolve(world, instance)
    handed_over = revealed_records(episode.reveal, world, instance)
    exposure = Exposure.by(episode.tool_calls, world.zone, handed_over)
    queried = {call.source for call in episode.tool_calls} | {source_of(record) for record in exposure.calls}
    if handed_over:
        queried |= {*label.sources}
    missing = Missing(world, instance, problem, label, provenance, exposure, frozenset(queried), episode.tool_calls)
    lacking = bool(missing.records or missing.in_part)
    capability = Capability(
        decomposition=missing.decomposition if calls_known else None,
        acquisition=missing.acquisition if calls_known else None,
        integration=episode.scores.f1 if calls_known and not lacking else None,
    )

    def diagnosis(stage: Stage | None, primary: tuple[Cause, ...]) -> Diagnosis:
        return Diagnosis(stage=stage, causes=primary, capability=capability)

    if episode.outcome is Outcome.PASSED:
        return diagnosis(None, ())
    if episode.answer is None:
        cause = Cause(reason=_FORMAT.get(episode.answer_status or "", Reason.UNPARSABLE).value)
        return diagnosis(Stage.FORMAT, (cause,))
    answer = written(episode.answer, problem.window)
    given = Given(exam, episode, problem, provenance, exposure if calls_known else None, answer)
    if calls_known and missing.led_to:
        return diagnosis(Stage.DECOMPOSITION, missing.never_queried(answer or ()))
    if calls_known and lacking:
        deeper = () if missing.in_part else given.led_past(missing.records)
        return diagnosis(Stage.ACQUISITION, beside(missing.never_seen(answer or ()), deeper))
    found = given.causes() or _observed(given, exposure) or UNEXPLAINED
    return diagnosis(found[0].stage or (Stage.INTEGRATION if calls_known else None), found)


def _observed(given: Given, exposure: Exposure) -> tuple[Cause, ...]:
    return symptoms(given.episode, given.exam.label.gold, exposure.calls, given.leaving_nothing())

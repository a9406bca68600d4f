"""Diagnose a failed episode: the first stage that failed, with the reason and the evidence.

Uses only tool calls, record IDs and candidates; texts are never compared.
"""

from dataclasses import replace

from mpcbench.benchmark.environment.reveal import revealed_records
from mpcbench.evaluation.diagnosis.alternatives import UNEXPLAINED, causes
from mpcbench.evaluation.diagnosis.evidence import Slot
from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.evaluation.diagnosis.masks import everything
from mpcbench.evaluation.diagnosis.missing import Missing, source_of
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.mistakes.reading import readings, repeated, written
from mpcbench.evaluation.diagnosis.mistakes.variants import variants
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.evaluation.diagnosis.search import Search
from mpcbench.evaluation.diagnosis.symptoms import symptoms
from mpcbench.evaluation.diagnosis.titles import titled
from mpcbench.oracle import Problem, resolve
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
    if calls_known and missing.led_to:
        return diagnosis(Stage.DECOMPOSITION, missing.never_queried(answer or ()))
    if calls_known and lacking:
        return diagnosis(Stage.ACQUISITION, missing.never_seen(answer or ()))
    found = UNEXPLAINED
    if answer is not None:
        search = _search(exam, problem, provenance, answer, exposure if calls_known else None)
        explanations = replace(search, repeated=repeated(episode.answer)).smallest()
        found = titled(causes(explanations, exposure.calls, world.zone), world)
    if found == UNEXPLAINED:
        found = symptoms(episode, label.gold, exposure.calls) or UNEXPLAINED
    return diagnosis(found[0].stage or (Stage.INTEGRATION if calls_known else None), found)


def _search(
    exam: Exam, problem: Problem, provenance: Provenance, answer: tuple[Slot, ...], exposure: Exposure | None
) -> Search:
    """The search for changes that lead to an answer."""
    world = exam.world
    looked_up = () if exposure is None else [record for record, call in exposure.calls.items() if call is not None]
    return Search(
        world,
        provenance,
        everything if exposure is None else exposure.known,
        variants(world, exam.instance, problem, provenance, looked_up),
        readings(answer, world.zone, {room.name.casefold(): room.room_id for room in world.rooms}, problem.window),
        Hypotheses(
            policies=None if exposure is None else exposure.ids("policy"),
            calendars=frozenset() if exposure is None else exposure.ids("calendar"),
            alone=None if exposure is None or world.level == 1 else exposure.alone,  # level 1 shows each by itself
            needed=[record.partition(":")[2] for record in exam.label.records if record.startswith("calendar:")],
        ),
    )

"""Diagnose a failed episode of level 4: the first stage that failed, with the reason and the evidence."""

from collections.abc import Iterable, Iterator, Sequence

from mpcbench.evaluation.diagnosis.alternatives import UNEXPLAINED
from mpcbench.evaluation.diagnosis.level4.counterfactuals import Counterfactuals
from mpcbench.evaluation.diagnosis.level4.shown import Shown
from mpcbench.evaluation.diagnosis.level4.symptoms import ladder_symptoms
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence, Reason, Stage, reason_text
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.level4.dataset import LadderExam
from mpcbench.schema.level4.mechanism import source_of

_FORMAT = {
    "truncated": Reason.TRUNCATED,
    "refused": Reason.REFUSED,
    "no_answer": Reason.NO_ANSWER,
}


def diagnose_ladder(exam: LadderExam, episode: Episode, *, calls_known: bool = True) -> Diagnosis | None:
    """The diagnosis of a scored episode; None for an error. Deterministic.

    An unparsable answer is always the cause. Otherwise the cause is a needed source that was never queried or, if there
    is none, a needed record that was never shown: without it the gold is another, as the label records; `reproduces` says
    whether the task, solved without all of them, has exactly the answer. Who passes has rarely seen every needed record, as
    some can be told from others: if the answer does not follow from lacking all of them, but from lacking those of one kind,
    these are the cause. If nothing is lacking, or if the answer does not follow from it, the causes are the single
    misreadings and lost facts that lead to the answer; without any, only what can be observed is told.

    Args:
        exam: The task with its world and its label.
        episode: What the agent did.
        calls_known: Whether the stored calls are complete; if not, the diagnosis ignores what was seen.
    """
    if episode.scores is None:
        return None
    shown = Shown(exam.label, episode.tool_calls)
    lacking = bool(shown.records_missed)
    capability = Capability(
        decomposition=shown.decomposition if calls_known else None,
        acquisition=shown.acquisition if calls_known else None,
        integration=episode.scores.f1 if calls_known and not lacking else None,
    )

    def diagnosis(stage: Stage | None, causes: tuple[Cause, ...]) -> Diagnosis:
        return Diagnosis(stage=stage, causes=causes, capability=capability)

    if episode.outcome is Outcome.PASSED:
        return diagnosis(None, ())
    if episode.answer is None:
        cause = Cause(reason=_FORMAT.get(episode.answer_status or "", Reason.UNPARSABLE).value)
        return diagnosis(Stage.FORMAT, (cause,))
    tried = Counterfactuals(exam, episode.answer, shown.first_call)
    if calls_known and lacking:
        found = _lacking(shown, tried)
    else:
        found = tried.causes() or ladder_symptoms(episode, tried.knowledge) or UNEXPLAINED
    return diagnosis(found[0].stage or (Stage.INTEGRATION if calls_known else None), found)


def _lacking(shown: Shown, tried: Counterfactuals) -> tuple[Cause, ...]:
    """The causes where needed records were never shown."""
    leads = tried.without(shown.records_missed)
    if shown.sources_missed:
        return _with(_never_queried(shown), reproduces=leads)
    lacks = _with(_never_seen(shown, shown.missed_by_kind), reproduces=leads)
    if leads:
        return lacks
    kinds = [kind for kind, records in shown.missed_by_kind.items() if tried.without(records)]
    return _alternatives(_never_seen(shown, kinds)) or tried.causes() or lacks


def _never_queried(shown: Shown) -> Iterator[Cause]:
    for source in shown.sources_missed:
        records = [record for record in shown.records_missed if source_of(record) is source]
        yield Cause(reason=reason_text(Reason.SOURCE_NEVER_QUERIED, source.value), evidence=_of(records))


def _never_seen(shown: Shown, kinds: Iterable[str]) -> Iterator[Cause]:
    for kind in kinds:
        yield Cause(reason=reason_text(Reason.RECORD_NEVER_SEEN, kind), evidence=_of(shown.missed_by_kind[kind]))


def _with(causes: Iterable[Cause], *, reproduces: bool) -> tuple[Cause, ...]:
    return tuple(one.model_copy(update={"reproduces": reproduces}) for one in causes)


def _alternatives(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Causes each of which alone leads to the answer."""
    return tuple(
        one.model_copy(update={"reproduces": True, "alternative": number}) for number, one in enumerate(causes, start=1)
    )


def _of(records: Sequence[str]) -> tuple[Evidence, ...]:
    return tuple(Evidence(record=record) for record in records)

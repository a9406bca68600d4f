"""Why an episode failed: the first stage that did, with its reason and what shows it.

Deduced from tool calls, record IDs and candidates alone; texts are never compared.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from evaluation.answer import AnswerCandidate
from evaluation.diagnosis.cause import (
    Capability,
    Cause,
    Diagnosis,
    Evidence,
    Reason,
    Stage,
    reason_text,
    stage_of,
)
from evaluation.diagnosis.change import part
from evaluation.diagnosis.reading import readings, written
from evaluation.diagnosis.search import Explanation, Search
from evaluation.diagnosis.variants import stated, variants
from evaluation.episode import Episode, Outcome, ToolCall
from evaluation.score import proposal_key
from oracle import UnresolvedError, resolve, solve
from oracle.resolve import statements
from schema import AddParticipant, AfterEvent, CallPolicy, Instance, Label, Participants, Source, World
from schema.model import Level

MOST_ALTERNATIVES = 4
"""An answer that more kinds of mistakes explain equally well is not explained by any."""

_OF_RECORD = {
    "calendar": Source.CALENDAR,
    "policy": Source.POLICY,
    "thread": Source.THREADS,
    "person": Source.DIRECTORY,
    "room": Source.ROOMS,
    "room_calendar": Source.ROOMS,
}
_SOURCES = (Source.THREADS, Source.POLICY, Source.DIRECTORY, Source.CALENDAR, Source.ROOMS)
_KINDS = ("thread", "policy", "person", "calendar", "room", "room_calendar")
_FORMAT = {
    "truncated": Reason.TRUNCATED,
    "refused": Reason.REFUSED,
    "no_answer": Reason.NO_ANSWER,
}


def diagnose(
    world: World, instance: Instance, label: Label, episode: Episode, *, calls_known: bool = True
) -> Diagnosis | None:
    """The diagnosis of a scored episode; None of a void one. The same arguments always give the same.

    An unparsable answer is the cause whatever else went wrong. Otherwise the first cause is a needed source that
    was never queried, then a required record that no result showed: by the certificate the gold is another
    without any of them, so each is a cause, and `reproduces` says whether its lack alone leads to the answer.
    What follows from another lack (the calendar of somebody whom only an unseen thread names) is not listed.

    Args:
        world: The world of the instance's level.
        instance: The task.
        label: Its gold, needed sources and required records.
        episode: What the agent did.
        calls_known: Whether the episode's calls are all there were; if not, nothing is said of what was seen.
    """
    if episode.scores is None:
        return None
    calls = episode.tool_calls if calls_known else None
    shown = _shown(episode.tool_calls)
    queried = {call.source for call in episode.tool_calls} | {_OF_RECORD.get(_kind(record)) for record in shown}
    if episode.given in {"records", "constraints"}:
        queried |= set(label.sources)
        shown |= dict.fromkeys(record for record in label.records if record not in shown)
    unqueried = [source for source in _SOURCES if source in label.sources and source not in queried]
    unseen = [record for record in label.records if record not in shown]
    capability = Capability(
        decomposition=_share(unqueried, label.sources) if calls_known else None,
        acquisition=_share(unseen, label.records) if calls_known else None,
        integration=episode.scores.f1 if calls_known and not unseen else None,
    )
    if episode.outcome is Outcome.PASSED:
        return Diagnosis(stage=None, causes=(), capability=capability)
    if episode.answer is None:
        cause = Cause(reason=_FORMAT.get(episode.answer_status or "", Reason.UNPARSABLE).value)
        return Diagnosis(stage=Stage.FORMAT, causes=(cause,), capability=capability)
    if calls_known and unqueried:
        causes = _never_queried(world, instance, episode, unqueried, unseen)
        return Diagnosis(stage=Stage.DECOMPOSITION, causes=causes, capability=capability)
    if calls_known and unseen:
        causes = _never_seen(world, instance, episode, unseen)
        return Diagnosis(stage=Stage.ACQUISITION, causes=causes, capability=capability)
    causes = _counterfactual(world, instance, label, episode, calls, shown)
    stage = min((cause.stage for cause in causes if cause.stage is not None), key=list(Stage).index, default=None)
    return Diagnosis(stage=stage or (Stage.INTEGRATION if calls_known else None), causes=causes, capability=capability)


def _share(lacking: Sequence[object], needed: Sequence[object]) -> float | None:
    return (len(needed) - len(lacking)) / len(needed) if needed else None


def _kind(record: str) -> str:
    return record.partition(":")[0]


def _shown(calls: Iterable[ToolCall]) -> dict[str, int | None]:
    """The records that the calls showed, with the number (from 1) of the first that did."""
    found: dict[str, int | None] = {}
    for number, call in enumerate(calls, start=1):
        for record in call.records:
            found.setdefault(record, number)
    return found


def _never_queried(
    world: World, instance: Instance, episode: Episode, unqueried: Sequence[Source], unseen: Sequence[str]
) -> tuple[Cause, ...]:
    roots = [source for source in unqueried if not any(_follows(source, other, instance.level) for other in unqueried)]
    reproduces = _reproduces(world, instance, episode, unseen)
    return tuple(
        Cause(
            reason=reason_text(Reason.SOURCE_NEVER_QUERIED, source.value),
            evidence=tuple(Evidence(record=record) for record in unseen if _OF_RECORD.get(_kind(record)) is source),
            reproduces=reproduces,
        )
        for source in roots
    )


def _follows(source: Source, other: Source, level: Level) -> bool:
    """Whether who does not query the other source cannot know what to ask this one for."""
    if other is Source.THREADS:
        return source is Source.POLICY if level == 2 else level == 3 and source is not Source.THREADS
    return other is Source.DIRECTORY and source is Source.CALENDAR


def _never_seen(world: World, instance: Instance, episode: Episode, unseen: Sequence[str]) -> tuple[Cause, ...]:
    roots = _roots(world, instance, unseen)
    kinds = [kind for kind in _KINDS if any(_kind(record) == kind for record in roots)]
    kinds += sorted({_kind(record) for record in roots} - set(kinds))
    of_kind = {kind: [record for record in unseen if _kind(record) == kind] for kind in kinds}
    reproducing = [kind for kind in kinds if len(kinds) > 1 and _reproduces(world, instance, episode, of_kind[kind])]
    whole = _reproduces(world, instance, episode, unseen)
    return tuple(
        Cause(
            reason=reason_text(Reason.RECORD_NEVER_SEEN, kind),
            evidence=tuple(Evidence(record=record) for record in roots if _kind(record) == kind),
            reproduces=True if reproducing else whole,
        )
        for kind in reproducing[:1] or kinds
    )


def _roots(world: World, instance: Instance, unseen: Sequence[str]) -> list[str]:
    """The unseen records that could have been asked for: those that no other unseen record names."""
    named = set()
    for record in unseen:
        kind, _, name = record.partition(":")
        if kind == "person":
            named.add(f"calendar:{name}")
        elif kind == "room":
            named.add(f"room_calendar:{name}")
    said_elsewhere = set(_named(world, instance, lambda thread: thread is None or f"thread:{thread}" not in unseen))
    said_unseen = set(_named(world, instance, lambda thread: thread is not None and f"thread:{thread}" in unseen))
    named |= said_unseen - said_elsewhere
    return [record for record in unseen if record not in named]


def _named(world: World, instance: Instance, where: Callable[[str | None], bool]) -> Iterable[str]:
    """The records that the statements of some threads (None for the task) lead to."""
    for item in statements(world, instance):
        if where(item.key.thread):
            people: tuple[str, ...] = ()
            match item.statement:
                case Participants(person_ids=ids):
                    people = ids
                case AddParticipant(person_id=person) | AfterEvent(person_id=person):
                    people = (person,)
                case CallPolicy(policy_id=policy):
                    yield f"policy:{policy}"
            for person in people:
                yield f"person:{person}"
                yield f"calendar:{person}"


def _reproduces(world: World, instance: Instance, episode: Episode, hidden: Sequence[str]) -> bool | None:
    """Whether the task without some records has exactly the answer as its solution; None if it has none at all."""
    try:
        solution = solve(resolve(world, instance, hidden=frozenset(hidden)))
    except UnresolvedError:
        return None
    return {proposal_key(one) for one in solution.gold} == {proposal_key(one) for one in _proposals(episode)}


def _proposals(episode: Episode) -> list[AnswerCandidate]:
    return [
        AnswerCandidate(datetime.fromisoformat(row["start"]), datetime.fromisoformat(row["end"]), row.get("room_id"))
        for row in episode.answer or ()
    ]


def _counterfactual(
    world: World,
    instance: Instance,
    label: Label,
    episode: Episode,
    calls: Sequence[ToolCall] | None,
    shown: Mapping[str, int | None],
) -> tuple[Cause, ...]:
    problem = resolve(world, instance)
    answer = written(_proposals(episode), problem.window)
    if answer is None:
        return (Cause(reason=Reason.UNEXPLAINED.value),)
    search = Search(
        world,
        variants(world, instance, problem, calls, label.records),
        readings(answer, world.zone, {room.name.casefold(): room.room_id for room in world.rooms}),
        policies=None if calls is None else _ids("policy", shown),
        calendars=_ids("calendar", shown),
    )
    explanations = search.smallest()
    if not answer and not explanations:
        nothing = part(Reason.COUNT, "too_few", given=0, asked=len(label.gold))
        explanations = [Explanation((nothing,), in_order=True)]
    return _causes(explanations, shown, stated(world, instance))


def _ids(kind: str, records: Iterable[str]) -> frozenset[str]:
    return frozenset(record.partition(":")[2] for record in records if _kind(record) == kind)


def _causes(
    explanations: Sequence[Explanation], shown: Mapping[str, int | None], said: Mapping[str, Evidence]
) -> tuple[Cause, ...]:
    """One alternative for each set of reasons; the evidence of explanations with the same reasons is put together."""
    merged: dict[tuple[str, ...], dict[str, dict[str, Evidence]]] = {}
    for explanation in explanations:
        reasons = merged.setdefault(explanation.reasons, {})
        for one in explanation.parts:
            known = reasons.setdefault(one.reason, {})
            for evidence in one.evidence:
                known.setdefault(evidence.model_dump_json(), evidence)
    if not merged or len(merged) > MOST_ALTERNATIVES:
        return (Cause(reason=Reason.UNEXPLAINED.value),)
    return tuple(
        Cause(
            reason=reason,
            evidence=tuple(
                evidence.model_copy(update={"tool_call": shown.get(evidence.record or "")})
                for evidence in _with_statement(reason, [*merged[reasons][reason].values()], said)
            ),
            changes=len(reasons),
            alternative=number,
            reproduces=True,
        )
        for number, reasons in enumerate(sorted(merged, key=_by_stage), start=1)
        for reason in dict.fromkeys(reasons)
    )


def _with_statement(reason: str, evidence: Sequence[Evidence], said: Mapping[str, Evidence]) -> Sequence[Evidence]:
    """The evidence and, if it names no record, the statement that holds."""
    statement = said.get(reason.partition(":")[2]) or said.get(reason)
    if statement is None or any(one.record for one in evidence):
        return evidence
    return (*evidence, statement)


def _by_stage(reasons: tuple[str, ...]) -> tuple[list[int], tuple[str, ...]]:
    order = list(Stage)
    return [order.index(stage) for stage in map(stage_of, reasons) if stage is not None], reasons

"""What is wrong with an answer whose cause is not known: observed, and no claim about why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.evaluation.scoring.score import Proposal, ProposalKey, proposal_key
from mpcbench.schema.cause import Cause, Evidence, Reason, reason_text
from mpcbench.schema.episode import Episode, WrongCandidate

_NO_CONDITIONS = {"ranking", "count"}


def symptoms(
    episode: Episode,
    gold: Sequence[Proposal],
    calls: Mapping[str, int | None],
    leaving_nothing: Sequence[Evidence] = (),
) -> tuple[Cause, ...]:
    """What can be observed, the most frequent first; empty if the answer's violations are unknown.

    Args:
        episode: A failed episode with its answer and violations.
        gold: The right candidates.
        calls: The number of the first call that showed each record.
        leaving_nothing: What would leave no option.
    """
    given = [proposal_key(one) for one in episode.answer or ()]
    right = [proposal_key(one) for one in gold]
    wrong = [one for one in episode.violations if one.place is not None]
    found = [
        *_wrong_number(given, right, leaving_nothing),
        *_broken(wrong, calls),
        *_passed_over(wrong, given, right),
    ]
    if len(wrong) == 1 and len(set(given) & set(right)) == len(right) - 1 > 0:
        evidence = Evidence(record=TASK, values={"holds": _named(set(right) - set(given)), "used": _place(wrong[0])})
        found.insert(0, Cause(reason=Reason.ONE_WRONG.value, evidence=(evidence,)))
    return tuple(found)


def _wrong_number(
    given: Sequence[ProposalKey], right: Sequence[ProposalKey], leaving_nothing: Sequence[Evidence]
) -> Iterator[Cause]:
    number = len(set(given))
    if number != len(right):
        detail = "too_many" if number > len(right) else "too_few" if given else "none"
        evidence = Evidence(record=TASK, values={"holds": {"options": len(right)}, "used": {"options": number}})
        yield Cause(reason=reason_text(Reason.WRONG_NUMBER, detail), evidence=(evidence, *leaving_nothing))


def _broken(wrong: Iterable[WrongCandidate], calls: Mapping[str, int | None]) -> Iterator[Cause]:
    """The broken conditions by kind, those of most candidates first, each with the record that says so."""
    by_kind: dict[str, list[Evidence]] = {}
    for one in wrong:
        for violation in one.violations:
            if violation.kind not in _NO_CONDITIONS:
                record = violation.records[0] if violation.records else TASK
                values: dict[str, JsonValue] = {"holds": dict(violation.values), "used": _place(one)}
                evidence = Evidence(record=record, values=values, tool_call=calls.get(record))
                by_kind.setdefault(violation.kind, []).append(evidence)
    for kind, found in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        yield Cause(reason=reason_text(Reason.CONDITION_BROKEN, kind), evidence=tuple(found))


def _passed_over(
    wrong: Sequence[WrongCandidate], given: Sequence[ProposalKey], right: Sequence[ProposalKey]
) -> Iterator[Cause]:
    """Better candidates passed over in favour of feasible ones: rooms of slots that were given, and other slots."""
    feasible = [one for one in wrong if all(violation.kind == "ranking" for violation in one.violations)]
    if not feasible or len(feasible) < len(wrong):
        return
    slots = {(one.start, one.end) for one in given}
    lacking = [one for one in right if one not in given]
    in_given = [one for one in lacking if (one.start, one.end) in slots]
    for detail, some in (("room", in_given), ("slot", [one for one in lacking if one not in in_given])):
        if some:
            values: dict[str, JsonValue] = {"holds": _named(some), "used": [_place(one) for one in feasible]}
            yield Cause(
                reason=reason_text(Reason.PASSED_OVER, detail), evidence=(Evidence(record=TASK, values=values),)
            )


def _place(one: WrongCandidate) -> JsonValue:
    place: dict[str, JsonValue] = {"candidate": one.place}
    return place if one.start is None or one.end is None else {**place, **_span(one.start, one.end, one.room_id)}


def _named(some: Iterable[ProposalKey]) -> JsonValue:
    ordered = sorted(some, key=lambda one: (one.start, one.room_id or ""))
    return [_span(one.start, one.end, one.room_id) for one in ordered]


def _span(start: datetime, end: datetime, room_id: str | None) -> dict[str, JsonValue]:
    span: dict[str, JsonValue] = {"start": start.isoformat(), "end": end.isoformat()}
    return span if room_id is None else {**span, "room_id": room_id}

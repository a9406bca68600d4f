"""What is wrong with an answer of level 4 whose cause is not known: observed, and no claim about why."""

from collections.abc import Iterator

from pydantic import JsonValue

from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.evaluation.scoring.score import ProposalKey, proposal_key
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.cause import Cause, Evidence, Reason, reason_text
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import to_minutes


def ladder_symptoms(episode: Episode, knowledge: Knowledge) -> tuple[Cause, ...]:
    """Too many or too few candidates; wrong ones that break a condition, or that others come before.

    Args:
        episode: A failed episode with its answer.
        knowledge: Everything that decides the gold.
    """
    given = [proposal_key(one) for one in episode.answer or ()]
    right = [proposal_key(one) for one in episode.gold]
    wrong = [one for one in dict.fromkeys(given) if one not in right]
    found = [*_wrong_number(len(set(given)), len(right)), *_conditions(wrong, knowledge)]
    if len(wrong) == 1 and len(set(given) & set(right)) == len(right) - 1 > 0:
        missing = [one for one in right if one not in given]
        values: dict[str, JsonValue] = {"holds": [_named(one) for one in missing], "used": _named(wrong[0])}
        found.insert(0, Cause(reason=Reason.ONE_WRONG.value, evidence=(Evidence(record=TASK, values=values),)))
    return tuple(found)


def _wrong_number(given: int, right: int) -> Iterator[Cause]:
    if given != right:
        detail = "too_many" if given > right else "too_few" if given else "none"
        evidence = Evidence(record=TASK, values={"holds": {"options": right}, "used": {"options": given}})
        yield Cause(reason=reason_text(Reason.WRONG_NUMBER, detail), evidence=(evidence,))


def _conditions(wrong: list[ProposalKey], knowledge: Knowledge) -> Iterator[Cause]:
    """Whether wrong candidates are feasible, each for its meeting alone."""
    if not wrong:
        return
    try:
        staged = stage(knowledge)
    except (UnresolvedError, SearchLimitError):
        return
    broken = [one for one in wrong if not _feasible(one, staged)]
    kept = [one for one in wrong if one not in broken]
    for reason, some in (
        (reason_text(Reason.CONDITION_BROKEN, "meeting"), broken),
        (reason_text(Reason.PASSED_OVER, "option"), [] if broken else kept),
    ):
        if some:
            values: dict[str, JsonValue] = {"used": [_named(one) for one in some]}
            yield Cause(reason=reason, evidence=(Evidence(record=TASK, values=values),))


def _feasible(one: ProposalKey, staged: Stage) -> bool:
    start, length = to_minutes(one.start), to_minutes(one.end) - to_minutes(one.start)
    if start not in staged.axis.instants:
        return False
    bit = 1 << staged.axis.instants.index(start)
    return any(
        meeting.length == length and option.room.room_id == one.room_id and option.starts & bit
        for meeting in staged.meetings
        if staged.count is not None or meeting.brief.name == one.meeting
        for option in meeting.options
    )


def _named(one: ProposalKey) -> JsonValue:
    named: dict[str, JsonValue] = {"start": one.start.isoformat(), "end": one.end.isoformat()}
    if one.room_id is not None:
        named["room_id"] = one.room_id
    return named if one.meeting is None else {"meeting": one.meeting, **named}

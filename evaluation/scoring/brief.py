"""An episode in one line and in a dozen, for a log that holds many."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from mpcbench.evaluation.scoring.evidence_text import evidence_text
from mpcbench.evaluation.scoring.pairing import paired
from mpcbench.evaluation.scoring.time_text import proposal_text
from mpcbench.schema.cause import Cause, Reason, in_words
from mpcbench.schema.episode import Episode
from mpcbench.schema.level4.exam import AnyExam
from mpcbench.schema.untrusted_text import one_line, well_formed

_WIDTH = 180
_NAMED = 3  # candidates or records named
_CAUSES = 2  # causes shown, each with its first evidence


def verdict(episode: Episode) -> str:
    """What happened and why: `F1 0.00 · listed T82199, never opened (acquisition)`."""
    if episode.fault is not None:
        return _line(f"error · {episode.fault.kind}: {episode.fault.message}")
    score = "not scored" if episode.scores is None else f"F1 {episode.scores.f1:.2f}"
    return _line(" · ".join(filter(None, (score, _reason(episode)))))


def brief(episode: Episode, exam: AnyExam) -> str:
    """An episode that failed, in at most nine lines: answer and gold, causes, and what was never seen."""
    return "\n".join(title.ljust(9) + _line(text) for title, text in _lines(episode, exam))


def _line(text: str) -> str:
    return one_line(well_formed(text), _WIDTH)


def _lines(episode: Episode, exam: AnyExam) -> Iterator[tuple[str, str]]:
    zone = exam.world.zone
    yield "failed", verdict(episode)
    yield "task", episode.task or exam.instance.task[0]
    if episode.answer is None:
        yield (
            "answer",
            f"{(episode.answer_status or 'none').replace('_', ' ')}: {episode.answer_error or 'no candidates'}",
        )
    else:
        found = paired(episode.gold or exam.label.gold, episode.answer)
        missed = [proposal_text(one.candidate, zone) for one in found.gold if one.place is None]
        wrong = [proposal_text(one.candidate, zone) for one in found.answer if one.rank is None]
        yield "missed", _some(missed, len(found.gold))
        yield "wrong", _some(wrong, len(found.answer))
    causes = _causes(episode)
    for cause in causes[:_CAUSES]:
        yield "why", in_words(cause.reason) + (f": {_evidence(cause, zone)}" if cause.evidence else "")
    if len(causes) > _CAUSES:
        yield "", f"and {len(causes) - _CAUSES} more causes"
    turns = len({call.turn for call in episode.tool_calls})
    unseen = f"; never saw {_some(episode.records_missed)}" if episode.records_missed else ""
    yield "calls", f"{len(episode.tool_calls)} in {turns} turn{'s'[: turns != 1]}{unseen}"


def _reason(episode: Episode) -> str:
    if episode.scores is not None and episode.scores.exact_match:
        return "exact match"
    causes = _causes(episode)
    if causes:
        others = f" (and {len(causes) - 1} more)" if len(causes) > 1 else ""
        return f"{_named(causes[0], episode)}{others}"
    kinds = dict.fromkeys(found.kind for wrong in episode.violations for found in wrong.violations)
    return ", ".join(kinds) or (episode.answer_status or "").replace("_", " ")


def _causes(episode: Episode) -> tuple[Cause, ...]:
    """Of the first explanation."""
    explanations = [] if episode.diagnosis is None else episode.diagnosis.explanations
    return explanations[0] if explanations else ()


def _named(cause: Cause, episode: Episode) -> str:
    """A cause with the record that it is about; of a record never seen, whether a tool result had named it."""
    words = in_words(cause.reason)
    records = (evidence.record for evidence in cause.evidence)
    name = next((record.rpartition(":")[2] for record in records if record and record != "task"), None)
    if name is None:
        return words[:1].lower() + words[1:]
    if cause.reason.startswith(Reason.RECORD_NEVER_SEEN):
        listed = any(name in call.result for call in episode.tool_calls if not call.is_error)
        return f"{f'listed {name}, never opened' if listed else f'never found {name}'} ({Reason.RECORD_NEVER_SEEN.partition('.')[0]})"
    return f"{words[:1].lower()}{words[1:]}: {name}"


def _evidence(cause: Cause, zone: tzinfo) -> str:
    more = f" (and {len(cause.evidence) - 1} more)" if len(cause.evidence) > 1 else ""
    first = cause.evidence[0]
    unquoted = {name: value for name, value in first.values.items() if name != "quote"}
    return evidence_text(first.model_copy(update={"values": unquoted}), zone) + more


def _some(items: Sequence[str], of: int | None = None) -> str:
    """The first items, and how many there are."""
    shown = ", ".join(items[:_NAMED]) or "none"
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return f"{shown}{more}" if of is None else f"{len(items)} of {of}: {shown}{more}" if items else f"none of {of}"

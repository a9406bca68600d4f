"""Explains an episode's outcome as text for a terminal."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from itertools import zip_longest
from typing import Any

from mpcbench.evaluation.scoring.evidence_text import evidence_text
from mpcbench.evaluation.scoring.pairing import paired
from mpcbench.evaluation.scoring.score import Proposal
from mpcbench.evaluation.scoring.text_table import text_table
from mpcbench.evaluation.scoring.time_text import proposal_text
from mpcbench.schema.cause import Cause, in_words, is_observed
from mpcbench.schema.episode import Episode, Scores, ToolCall
from mpcbench.schema.level4.exam import AnyExam
from mpcbench.schema.untrusted_text import one_line, printable, shortened

_WIDTH = 110
_ROWS = 30  # candidates shown side by side
_ALTERNATIVES = 6  # explanations shown that fit equally well
_EVIDENCE = 8  # pieces of evidence shown for a cause
_CALLS = 100  # tool calls shown
_TEXT = 2000  # characters of an unparsable message
_IN = "  "


def explain(episode: Episode, exam: AnyExam) -> str:
    """The episode for people: task, gold beside answer, causes, broken constraints, tool calls, records never seen.

    Times are local to the world's zone. Control characters are escaped.
    """
    zone = exam.world.zone
    parts = (
        [_headline(episode)],
        _titled("Task", _wrapped(episode.task or exam.instance.task[0])),
        _titled("Error", _fault(episode)),
        _titled("Gold and answer", _side_by_side(episode, episode.gold or exam.label.gold, zone)),
        _titled("Why", _why(episode, zone)),
        _titled("What is wrong", _wrong(episode, zone)),
        _titled("No answer", _no_answer(episode)),
        _titled(_calls_title(episode), _calls(episode.tool_calls)),
        _titled("Needed records never seen", _missed(episode)),
    )
    return printable("\n\n".join("\n".join(lines) for lines in parts if lines))


def _headline(episode: Episode) -> str:
    scored = f": {_scores(episode.scores)}" if episode.scores is not None else ", not scored"
    return f"{episode.instance_id}, {episode.model}: {episode.outcome.value}{scored}"


def _scores(scores: Scores) -> str:
    order = " in the right order" if scores.ranked_match else ""
    exact = f"exact match{order}" if scores.exact_match else "no exact match"
    return f"{exact}, F1 {scores.f1:.3f}, precision {scores.precision:.3f}, recall {scores.recall:.3f}"


def _titled(title: str, lines: Iterable[str]) -> list[str]:
    body = list(lines)
    return [title, *body] if body else []


def _wrapped(text: str, indent: str = _IN, further: str | None = None) -> list[str]:
    """The lines of a text; those after a paragraph's first are indented further, or alike."""
    after = indent if further is None else further
    return [
        line
        for paragraph in text.strip().split("\n")
        for line in textwrap.wrap(paragraph, _WIDTH, initial_indent=indent, subsequent_indent=after) or [""]
    ]


def _fault(episode: Episode) -> Iterator[str]:
    if episode.fault is not None:
        yield from _wrapped(f"{episode.fault.kind}: {shortened(episode.fault.message, _TEXT)}")


def _side_by_side(episode: Episode, right: Sequence[Proposal], zone: tzinfo) -> Iterator[str]:
    found = paired(right, episode.answer or ())
    rows = [("rank", "gold", "", "answer", "")]
    for rank, (gold, given) in enumerate(zip_longest(found.gold, found.answer), start=1):
        if rank > max(_ROWS, len(found.gold)):
            break
        gold_text = gold_mark = given_text = given_mark = ""
        if gold is not None:
            gold_text = proposal_text(gold.candidate, zone)
            gold_mark = "missed" if gold.place is None else "found"
        if given is not None:
            given_text = one_line(proposal_text(given.candidate, zone), 80)
            given_mark = given.text
        rows.append((str(rank), gold_text, gold_mark, given_text, given_mark))
    yield from text_table(rows, right=(0,), indent=_IN)
    left_out = len(found.answer) - (len(rows) - 1)
    if left_out > 0:
        yield f"{_IN}and {left_out} more candidates in the answer"


def _why(episode: Episode, zone: tzinfo) -> Iterator[str]:
    diagnosis = episode.diagnosis
    if diagnosis is None or not diagnosis.causes:
        return
    scores = (f"{name} {_share(value)}" for name, value in diagnosis.capability.model_dump().items())
    yield f"{_IN}{', '.join(scores)}"
    alternatives = diagnosis.explanations
    before: list[str] = []
    for causes in alternatives[:_ALTERNATIVES]:
        reasons = [cause.reason for cause in causes]
        if before:
            by = "by other records, " if reasons == before else ""
            yield f"{_IN}or, {by}which explains the answer equally well"
        before = reasons
        for cause in causes:
            method = "observed" if is_observed(cause.reason) else diagnosis.method
            yield f"{_IN}{in_words(cause.reason)}, {method}: {cause.reason}"
            for evidence in cause.evidence[:_EVIDENCE]:
                yield from _wrapped(evidence_text(evidence, zone), indent=f"{_IN * 2}- ", further=_IN * 3)
            if len(cause.evidence) > _EVIDENCE:
                yield f"{_IN * 2}- and {len(cause.evidence) - _EVIDENCE} more"
        yield from (f"{_IN * 2}{line}" for line in proof_text(causes))
    if len(alternatives) > _ALTERNATIVES:
        yield f"{_IN}or {len(alternatives) - _ALTERNATIVES} more explanations that fit equally well"


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def proof_text(causes: Sequence[Cause]) -> list[str]:
    """Whether the causes of one explanation lead to the answer; empty where nothing was solved."""
    first = causes[0]
    if first.changes:
        mistakes = "this mistake" if first.changes == 1 else "all of these mistakes"
        return [
            f"Solved with {mistakes}, the task gives exactly the answer."
            if first.reproduces
            else "The answer lacks candidates, and none that it holds is wrong."
        ]
    if first.reproduces is None:
        return []
    return [
        "Solved without what was never seen, the task gives exactly the answer."
        if first.reproduces
        else "This alone does not lead to the answer."
    ]


def _wrong(episode: Episode, zone: tzinfo) -> Iterator[str]:
    for found in episode.violations:
        if found.candidate is None:
            yield f"{_IN}the answer as a whole"
        else:
            yield f"{_IN}{found.place}. {one_line(proposal_text(found.candidate, zone), 80)}"
        for violation in found.violations:
            yield f"{_IN * 2}- {violation.kind}: {violation.message}"
            if violation.records:
                yield _IN * 3 + ", ".join(
                    f"{record} (never seen)" if record in violation.unseen else record for record in violation.records
                )


def _no_answer(episode: Episode) -> Iterator[str]:
    if episode.scores is None or episode.answer is not None:
        return
    status = (episode.answer_status or "").replace("_", " ")
    yield from _wrapped(f"{status}: {episode.answer_error}" if episode.answer_error else status)
    details = "" if episode.reply is None else (episode.reply.failure or "").partition("\n")[2].strip()
    yield from (f"{_IN}| {line}" for line in shortened(details, _TEXT).split("\n") if details)
    if episode.reply is not None and episode.reply.text.strip():
        yield f"{_IN}The final message:"
        yield from _wrapped(printable(shortened(episode.reply.text, _TEXT)), indent=f"{_IN}| ")


def _calls_title(episode: Episode) -> str:
    calls = episode.tool_calls
    turns = len({call.turn for call in calls})
    return f"Tool calls: {len(calls)}" + (f" in {turns} turn{'s'[: turns > 1]}" if calls else "")


def _calls(calls: tuple[ToolCall, ...]) -> Iterator[str]:
    if calls:
        rows = [("turn", "tool", "arguments", "result")]
        rows += [
            (str(call.turn), one_line(call.name, 40), one_line(_arguments(call.arguments), 90), _result(call))
            for call in calls[:_CALLS]
        ]
        yield from text_table(rows, right=(0,), indent=_IN)
        if len(calls) > _CALLS:
            yield f"{_IN}and {len(calls) - _CALLS} more"
    else:
        yield f"{_IN}none"


def _arguments(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return json.dumps(arguments, ensure_ascii=False)
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())


def _result(call: ToolCall) -> str:
    return one_line(call.result, 120) if call.is_error else f"{len(call.result):,} characters"


def _missed(episode: Episode) -> Iterator[str]:
    if episode.records_missed:
        yield from _wrapped(", ".join(episode.records_missed))

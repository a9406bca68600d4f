"""The sections of an episode's page as plain values for its template."""

import json
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any, Final

from pydantic import JsonValue

from mpcbench.evaluation.report.condition_names import kind_name
from mpcbench.evaluation.report.episode.json_text import pretty
from mpcbench.evaluation.report.number_text import duration_text
from mpcbench.evaluation.report.timeline.drawing import GLYPHS
from mpcbench.evaluation.report.timeline.marks import Marks, State, marks, pairs
from mpcbench.evaluation.scoring.evidence_text import evidence_text
from mpcbench.evaluation.scoring.explain import proof_text
from mpcbench.evaluation.scoring.pairing import PairedAnswer
from mpcbench.evaluation.scoring.resolved import TASK
from mpcbench.evaluation.scoring.time_text import proposal_text
from mpcbench.evaluation.statistics.attribution import NAMED, verdict_text
from mpcbench.schema import Instance, Label
from mpcbench.schema.cause import Cause, in_words, is_observed
from mpcbench.schema.episode import Episode, Outcome, Violation, WrongCandidate
from mpcbench.schema.untrusted_text import one_line, shortened

Values = dict[str, Any]

_LONGEST_TEXT: Final = 100_000
"""Characters of a text from a model that are shown."""

_ROWS: Final = 30  # candidates of the answer
_EXPLANATIONS: Final = 6  # that fit equally well
_EVIDENCE: Final = 8
_LONGEST_ID: Final = 80


def head(episode: Episode) -> Values:
    """What the episode is, how it ended and what it took."""
    reply = episode.reply
    facts: list[tuple[str, str]] = []
    if reply is not None:
        forced = ", the last one forced" if reply.forced_final else ""
        facts.append(("Turns", f"{reply.turns}, ended by {reply.finish}{forced}"))
    errors = sum(call.is_error for call in episode.tool_calls)
    facts.append(("Tool calls", f"{len(episode.tool_calls)}" + (f", {errors} with an error" if errors else "")))
    if reply is not None and reply.usage is not None:
        facts += _tokens(reply.usage.model_dump())
    if episode.cost_usd is not None:
        facts.append(("Cost", f"${episode.cost_usd:.4f}"))
    facts.append(("Time", duration_text(episode.seconds)))
    options = [f"paraphrase {episode.paraphrase}", f"tags {episode.tags}"]
    facts.append(("Set-up", ", ".join([*options, *([f"the {episode.reveal} revealed"] if episode.reveal else [])])))
    return {
        "instance_id": episode.instance_id,
        "level": episode.level,
        "model": one_line(episode.model, 200),
        "trial": episode.trial,
        "outcome": episode.outcome.value,
        "outcome_word": "error" if episode.outcome is Outcome.ERROR else episode.outcome.value,
        "scores": [*_scores(episode)],
        "facts": facts,
    }


def _scores(episode: Episode) -> Iterator[tuple[str, str]]:
    scores = episode.scores
    if scores is None:
        return
    yield "F1", f"{scores.f1:.3f}"
    yield "Precision", f"{scores.precision:.3f}"
    yield "Recall", f"{scores.recall:.3f}"
    if scores.exact_match:
        yield "Order", "right" if scores.ranked_match else "not the ranking's"
    if episode.diagnosis is not None:
        for name, value in episode.diagnosis.capability.model_dump().items():
            yield name.capitalize(), "not told" if value is None else f"{value:.3f}"


def _tokens(usage: dict[str, int | None]) -> Iterator[tuple[str, str]]:
    known = [f"{count:,} {name.removesuffix('_tokens').replace('_', ' ')}" for name, count in usage.items() if count]
    if known:
        yield "Tokens", ", ".join(known)


def verdict(episode: Episode, found: Marks) -> str:
    """The outcome in one sentence."""
    if episode.fault is not None:
        return f"Error, not scored: {episode.fault.kind}: {one_line(episode.fault.message, 500)}"
    if episode.answer is None:
        why = f": {one_line(episode.answer_error, 300)}" if episode.answer_error else ""
        return f"{(episode.answer_status or 'no answer').replace('_', ' ').capitalize()}{why}"
    right = sum(mark.state is State.RIGHT for mark in found.gold)
    gold, wrong = len(found.gold), len(found.wrong) + found.left_out
    if episode.outcome is Outcome.PASSED:
        return f"All {gold} options are right."
    if not episode.answer:
        return f"The answer is empty; {gold} options were to be found."
    return f"{right} of {gold} options found, {gold - right} missed; {wrong:,} wrong {_ones(wrong)} proposed."


def _ones(number: int) -> str:
    return "one" if number == 1 else "ones"


def why(episode: Episode, zone: tzinfo) -> Values | None:
    """The deduced causes, or what is observed instead; None where there is no diagnosis."""
    diagnosis = episode.diagnosis
    if diagnosis is None:
        return None
    explanations = diagnosis.explanations
    return {
        "stage": None if diagnosis.stage is None else diagnosis.stage.value,
        "explanations": [
            {"causes": [_cause(cause, zone) for cause in causes], "proof": " ".join(proof_text(causes))}
            for causes in explanations[:_EXPLANATIONS]
        ],
        "more": max(0, len(explanations) - _EXPLANATIONS),
    }


def _cause(cause: Cause, zone: tzinfo) -> Values:
    return {
        "words": in_words(cause.reason),
        "reason": cause.reason,
        "method": "observed" if is_observed(cause.reason) else "deduced",
        "evidence": [one_line(evidence_text(evidence, zone), 400) for evidence in cause.evidence[:_EVIDENCE]],
        "more": max(0, len(cause.evidence) - _EVIDENCE),
    }


def proven(episode: Episode) -> Values | None:
    """What repairing one stage after the other showed; None where it was not tried."""
    found = episode.attribution
    if found is None:
        return None
    return {
        "verdict": verdict_text(found),
        "trials": [
            {
                "reveal": NAMED if trial is found.named else trial.reveal or "nothing: as it was",
                "outcome": trial.outcome.value,
                "result": "" if trial.f1 is None else f"F1 {trial.f1:.3f}",
                "fault": "" if trial.fault is None else one_line(f"{trial.fault.kind}: {trial.fault.message}", 300),
            }
            for trial in found.reruns
        ],
    }


def task(episode: Episode, instance: Instance | None) -> Values:
    """The task's text, apart from what was handed over with it."""
    text = episode.task
    if instance is not None:
        own = instance.task[min(episode.paraphrase, len(instance.task)) - 1]
        if not text:
            text = own
        elif episode.reveal is not None and text.startswith(own):
            return {"text": own, "help": cut(text[len(own) :].strip()), "reveal": episode.reveal}
    return {"text": cut(text), "help": "", "reveal": episode.reveal}


def candidates(episode: Episode, label: Label | None, zone: tzinfo) -> Values:
    """The gold and the answer as tables."""
    found, marked = pairs(episode, label), marks(episode, label)
    return {
        "gold": [
            {
                "number": one.rank,
                "text": proposal_text(one.candidate, zone),
                "state": mark.state.value,
                "glyph": GLYPHS[mark.state],
                "said": _found(mark.state, one.place),
            }
            for one, mark in zip(found.gold, marked.gold, strict=True)
        ],
        "answer": [_answered(one, zone) for one in found.answer[:_ROWS]],
        "more": max(0, len(found.answer) - _ROWS),
        "answered": episode.answer is not None,
    }


def _answered(one: PairedAnswer, zone: tzinfo) -> Values:
    state = State.WRONG if one.rank is None else State.RIGHT
    return {
        "number": one.place,
        "text": one_line(proposal_text(one.candidate, zone), 120),
        "state": state.value,
        "glyph": GLYPHS[state],
        "said": one.text,
    }


def _found(state: State, place: int | None) -> str:
    if state is State.RIGHT:
        return f"found, answer {place}"
    return "missed" if state is State.MISSED else "not scored"


def wrong(episode: Episode, zone: tzinfo) -> list[Values]:
    """Every wrong candidate with the constraints that it breaks, then what is wrong with the answer as a whole."""
    return [_wrong(one, zone) for one in episode.violations]


def _wrong(found: WrongCandidate, zone: tzinfo) -> Values:
    candidate = found.candidate
    return {
        "place": found.place,
        "text": "The answer as a whole" if candidate is None else one_line(proposal_text(candidate, zone), 120),
        "violations": [_violation(one) for one in found.violations],
    }


def _violation(one: Violation) -> Values:
    plain = {name: value for name, value in one.values.items() if not isinstance(value, list | dict)}
    nested = {name: value for name, value in one.values.items() if name not in plain}
    return {
        "name": kind_name(one.kind),
        "kind": one.kind,
        "message": shortened(one.message, 1000),
        "records": [
            {"record": "the task" if record == TASK else short_id(record), "unseen": record in one.unseen}
            for record in one.records
        ],
        "known": one.seen is not None,
        "values": ", ".join(f"{name.replace('_', ' ')} {_plain(value)}" for name, value in plain.items()),
        "more": pretty(nested) if nested else "",
    }


def _plain(value: JsonValue) -> str:
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 200)


def final_text(episode: Episode) -> str:
    """The final message of an episode without an answer, to see why; empty otherwise."""
    if episode.scores is None or episode.answer is not None or episode.reply is None:
        return ""
    return cut(episode.reply.text)


def rationale(episode: Episode) -> str:
    """The answer's own explanation; empty where it gave none."""
    return cut(episode.rationale or "")


def cut(text: str) -> str:
    """A text from a model as far as it is shown."""
    return shortened(text, _LONGEST_TEXT)


def short_id(text: str) -> str:
    """An ID or name on one line, as far as it is shown."""
    return one_line(text, _LONGEST_ID)

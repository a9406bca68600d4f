"""Grades an agent's attempt: gives the complete episode with its outcome, scores and causes."""

from dataclasses import dataclass, fields
from typing import Any

from mpcbench.benchmark.environment.reveal import revealed_records
from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.evaluation.scoring.answer import AnswerError, parse_answer
from mpcbench.evaluation.scoring.resolved import ResolvedInstance
from mpcbench.evaluation.scoring.score import score
from mpcbench.evaluation.scoring.violations import violations
from mpcbench.oracle import resolve
from mpcbench.schema.episode import Episode, Fault, Finish, Outcome, Reply, Reveal, ToolCall
from mpcbench.schema.exam import Exam

PARSED = "parsed"

_WITHOUT_ANSWER = {
    Finish.STOP: "unparsable",
    Finish.LENGTH: "truncated",
    Finish.REFUSAL: "refused",
    Finish.TURNS: "no_answer",
    Finish.FAILURE: "no_answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What an agent was told and did."""

    model: str
    """The agent's name."""

    trial: int = 1
    """The number, from 1, of this one among several episodes of the instance and agent."""

    paraphrase: int = 1
    """Which text of the task it got, from 1."""

    tags: str = "hidden"
    """`hidden` or `shown`."""

    system_prompt: str = ""
    """What it was told first."""

    task: str
    """The text of the task, with what `--reveal` added."""

    reply: Reply | None
    """What it returned; None only with a fault."""

    tool_calls: tuple[ToolCall, ...] | None = None
    """Its calls; None if they are unknown, in which case nothing is said about what it has seen."""

    fault: Fault | None = None
    """Why the episode is an error."""

    seconds: float = 0.0
    """How long it took."""

    reveal: Reveal | None = None
    """What the task revealed; records that it revealed count as seen."""

    @classmethod
    def of(cls, episode: Episode) -> "Attempt":
        """The attempt that an episode records."""
        return cls(**{field.name: getattr(episode, field.name) for field in fields(cls)})


def grade(exam: Exam, attempt: Attempt) -> Episode:
    """The graded episode; the same arguments always give the same episode.

    An attempt with a fault is an error, without answer and scores. Otherwise an answer that parses is scored, however
    the agent stopped; one that does not parse scores 0, and its status says why.

    Raises:
        ValueError: the attempt has neither a reply nor a fault.
        EmptyGoldError: the label has no gold.
    """
    world, instance, label = exam.world, exam.instance, exam.label
    reply, calls = attempt.reply, attempt.tool_calls
    recorded: dict[str, Any] = {
        **{field.name: getattr(attempt, field.name) for field in fields(attempt)},
        "instance_id": instance.instance_id,
        "level": instance.level,
        "tool_calls": calls or (),
        "gold": label.gold,
    }
    if attempt.fault is not None:
        return Episode(**recorded, outcome=Outcome.ERROR, answer=None, answer_status=None, scores=None)
    if reply is None:
        raise ValueError(f"{instance.instance_id}: neither a reply nor a fault is given")
    shown = None
    if calls is not None:
        shown = {record for call in calls for record in call.records}
        shown |= {*revealed_records(attempt.reveal, world, instance)}
        recorded["records_missed"] = tuple(record for record in label.records if record not in shown)
    try:
        answer = parse_answer(reply.text, instance.level, world.zone, world.rooms)
    except AnswerError as error:
        blank = not reply.text.strip()
        episode = Episode(
            **recorded,
            outcome=Outcome.FAILED,
            answer=None,
            answer_status="no_answer" if blank and reply.finish is Finish.STOP else _WITHOUT_ANSWER[reply.finish],
            answer_error=_first_line(reply.failure) if blank else str(error),
            scores=score((), label.gold),
        )
    else:
        scores = score(answer.candidates, label.gold)
        wrong = (
            ()
            if scores.exact_match
            else violations(
                ResolvedInstance(world, instance, resolve(world, instance)), answer.candidates, label.gold, shown
            )
        )
        episode = Episode(
            **recorded,
            outcome=Outcome.PASSED if scores.exact_match else Outcome.FAILED,
            answer=answer.candidates,
            answer_status=PARSED,
            rationale=answer.rationale,
            scores=scores,
            violations=wrong,
        )
    diagnosis = diagnose(exam, episode, calls_known=calls is not None)
    return episode.model_copy(update={"diagnosis": diagnosis})


def _first_line(text: str | None) -> str | None:
    return None if text is None else text.partition("\n")[0]

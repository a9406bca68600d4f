"""Grades an agent's attempt: gives the complete episode with its outcome, scores and causes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any

from mpcbench.benchmark.environment.reveal import revealed_records
from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.evaluation.diagnosis.level4.diagnose import diagnose_ladder
from mpcbench.evaluation.scoring.answer import AnswerError, parse_answer
from mpcbench.evaluation.scoring.ladder_answer import agenda_of, gold_of, parse_ladder_answer, traits_of
from mpcbench.evaluation.scoring.resolved import ResolvedInstance
from mpcbench.evaluation.scoring.score import score
from mpcbench.evaluation.scoring.violations import violations
from mpcbench.oracle import resolve
from mpcbench.schema.episode import (
    AnswerCandidate,
    Episode,
    Fault,
    Finish,
    Outcome,
    Reply,
    Reveal,
    ToolCall,
    WrongCandidate,
)
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam

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

    max_calls: int | None = None
    """How many tool calls were answered at most; None for no such budget."""

    @classmethod
    def of(cls, episode: Episode) -> "Attempt":
        """The attempt that an episode records."""
        return cls(**{field.name: getattr(episode, field.name) for field in fields(cls)})


def grade(exam: AnyExam, attempt: Attempt) -> Episode:
    """The graded episode; the same arguments always give the same episode.

    An attempt with a fault is an error, without answer and scores. Otherwise an answer that parses is scored, however
    the agent stopped; one that does not parse scores 0, and its status says why. What counts is the gold of the world as it
    is when the agent answers.

    Raises:
        ValueError: the attempt has neither a reply nor a fault.
        EmptyGoldError: the label has no gold.
    """
    reply, calls = attempt.reply, attempt.tool_calls
    shown = None if calls is None else {record for call in calls for record in call.records}
    traits = None if isinstance(exam, Exam) else traits_of(exam)
    if not isinstance(exam, Exam) and shown is not None:
        exam = exam.as_answered(shown)
    instance, label = exam.instance, exam.label
    recorded: dict[str, Any] = {
        **{field.name: getattr(attempt, field.name) for field in fields(attempt)},
        "instance_id": instance.instance_id,
        "level": instance.level,
        "tool_calls": calls or (),
        "gold": label.gold if isinstance(exam, Exam) else gold_of(exam.label),
    }
    if traits is not None:
        recorded["ladder"] = traits
    if attempt.fault is not None:
        return Episode(**recorded, outcome=Outcome.ERROR, answer=None, answer_status=None, scores=None)
    if reply is None:
        raise ValueError(f"{instance.instance_id}: neither a reply nor a fault is given")
    if shown is not None:
        if isinstance(exam, Exam):
            shown |= {*revealed_records(attempt.reveal, exam.world, exam.instance)}
        recorded["records_missed"] = tuple(record for record in label.records if record not in shown)
    try:
        answer, rationale = _read(exam, reply.text)
    except AnswerError as error:
        blank = not reply.text.strip()
        episode = Episode(
            **recorded,
            outcome=Outcome.FAILED,
            answer=None,
            answer_status="no_answer" if blank and reply.finish is Finish.STOP else _WITHOUT_ANSWER[reply.finish],
            answer_error=_first_line(reply.failure) if blank else str(error),
            scores=score((), recorded["gold"]),
        )
    else:
        scores = score(answer, recorded["gold"])
        wrong = () if scores.exact_match else _violations(exam, answer, shown)
        episode = Episode(
            **recorded,
            outcome=Outcome.PASSED if scores.exact_match else Outcome.FAILED,
            answer=answer,
            answer_status=PARSED,
            rationale=rationale,
            scores=scores,
            violations=wrong,
        )
    if isinstance(exam, Exam):
        diagnosis = diagnose(exam, episode, calls_known=calls is not None)
    else:
        diagnosis = diagnose_ladder(exam, episode, calls_known=calls is not None)
    return episode.model_copy(update={"diagnosis": diagnosis})


def _read(exam: AnyExam, text: str) -> tuple[tuple[AnswerCandidate, ...], str | None]:
    """The candidates and the rationale of a final message; raises `AnswerError`."""
    world = exam.world
    if isinstance(exam, Exam):
        answer = parse_answer(text, exam.instance.level, world.zone, world.rooms)
        return answer.candidates, answer.rationale
    found = parse_ladder_answer(text, world.zone, world.rooms, agenda_of(exam.label))
    candidates = (AnswerCandidate(one.start, one.end, one.room_id, one.meeting) for one in found.candidates)
    return tuple(candidates), found.rationale


def _violations(
    exam: AnyExam, answer: Sequence[AnswerCandidate], shown: Collection[str] | None
) -> tuple[WrongCandidate, ...]:
    """What is wrong with the candidates; not told at level 4."""
    if not isinstance(exam, Exam):
        return ()
    resolved = ResolvedInstance(exam.world, exam.instance, resolve(exam.world, exam.instance))
    return violations(resolved, answer, exam.label.gold, shown)


def _first_line(text: str | None) -> str | None:
    return None if text is None else text.partition("\n")[0]

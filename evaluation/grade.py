"""From what an agent did to the whole record of the episode: outcome, scores and reasons."""

from collections.abc import Sequence
from typing import Any

from mpcbench.evaluation.diagnosis.diagnose import diagnose
from mpcbench.evaluation.scoring.answer import AnswerError, parse_answer
from mpcbench.evaluation.scoring.resolved import ResolvedInstance, iso
from mpcbench.evaluation.scoring.score import Proposal, score
from mpcbench.evaluation.scoring.violations import violations
from mpcbench.oracle import resolve
from mpcbench.schema import Instance, Label, World
from mpcbench.schema.episode import Episode, Fault, Finish, Outcome, Reply, Reveal, ToolCall
from mpcbench.schema.model_output import well_formed

PARSED = "parsed"

_WITHOUT_ANSWER = {
    Finish.STOP: "unparsable",
    Finish.LENGTH: "truncated",
    Finish.REFUSAL: "refused",
    Finish.TURNS: "no_answer",
}


def grade(
    world: World,
    instance: Instance,
    label: Label,
    *,
    model: str,
    paraphrase: int,
    tags: str,
    system_prompt: str,
    task: str,
    reply: Reply | None,
    tool_calls: Sequence[ToolCall] | None,
    fault: Fault | None,
    seconds: float,
    reveal: Reveal | None = None,
    trial: int = 1,
) -> Episode:
    """The episode, judged; the same arguments always give the same episode.

    With a fault it is an error: no answer, no scores. Otherwise an answer that parses is scored, however the agent
    stopped, and one that does not scores 0, with a status that says why.

    Args:
        world: The world of the instance's level.
        instance: The task.
        label: Its gold and required records.
        model: The agent's name.
        paraphrase: Which text of the task it got.
        tags: `hidden` or `shown`.
        system_prompt: What it was told first.
        task: The text of the task.
        reply: What it handed back; None only with a fault.
        tool_calls: Its calls; None where they are not known, so that nothing is said of what it has seen.
        fault: Why the episode is an error.
        seconds: How long it took.
        reveal: What the task revealed; records that it revealed count as seen.
        trial: Of several episodes of the instance and agent, which; from 1.

    Raises:
        ValueError: neither a reply nor a fault is given.
        EmptyGoldError: the label has no gold.
    """
    told: dict[str, Any] = {
        "instance_id": instance.instance_id,
        "level": instance.level,
        "model": model,
        "trial": trial,
        "paraphrase": paraphrase,
        "tags": tags,
        "system_prompt": system_prompt,
        "task": task,
        "reply": reply,
        "tool_calls": tuple(tool_calls or ()),
        "gold": tuple(_written(candidate) for candidate in label.gold),
        "seconds": seconds,
        "reveal": reveal,
    }
    if fault is not None:
        return Episode(**told, outcome=Outcome.ERROR, answer=None, answer_status=None, scores=None, fault=fault)
    if reply is None:
        raise ValueError(f"{instance.instance_id}: neither a reply nor a fault is given")
    shown = None if tool_calls is None else {record for call in tool_calls for record in call.records}
    if shown is not None and reveal in {"records", "constraints"}:
        shown |= set(label.records)
    told["records_missed"] = () if shown is None else tuple(one for one in label.records if one not in shown)
    try:
        answer = parse_answer(reply.text, instance.level, world.zone)
    except AnswerError as error:
        blank = not reply.text.strip()
        episode = Episode(
            **told,
            outcome=Outcome.FAILED,
            answer=None,
            answer_status="no_answer" if blank and reply.finish is Finish.STOP else _WITHOUT_ANSWER[reply.finish],
            answer_error=None if blank else str(error),
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
            **told,
            outcome=Outcome.PASSED if scores.exact_match else Outcome.FAILED,
            answer=tuple(_written(candidate) for candidate in answer.candidates),
            answer_status=PARSED,
            rationale=answer.rationale,
            scores=scores,
            violations=tuple(one.model_dump(mode="json") for one in wrong),
        )
    diagnosis = diagnose(world, instance, label, episode, calls_known=tool_calls is not None)
    return episode.model_copy(update={"diagnosis": diagnosis})


def _written(proposal: Proposal) -> dict[str, str]:
    times = {"start": iso(proposal.start), "end": iso(proposal.end)}
    return times if proposal.room_id is None else {**times, "room_id": well_formed(proposal.room_id)}

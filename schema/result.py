"""A result: an episode without its transcript, so that the results of many runs fit into memory."""

from mpcbench.schema.cause import Diagnosis
from mpcbench.schema.episode import Added, Attribution, Episode, Fault, Finish, Outcome, Reveal, Scores, Traits, Usage
from mpcbench.schema.model import AnyLevel, Model


class Result(Model):
    """The part of an episode that tables, statistics and reports use."""

    instance_id: str
    level: AnyLevel
    model: str
    trial: int
    grading_version: str
    outcome: Outcome
    paraphrase: int
    tags: str
    reveal: Reveal | None
    answer_status: str | None
    answer_error: str | None
    scores: Scores | None
    """None if and only if the outcome is an error."""

    gold: int
    """The number of gold candidates."""

    proposed: int | None
    """The number of candidates in the answer; None if there is no answer."""

    finish: Finish | None
    turns: int | None
    """None if the agent returned nothing."""

    tool_calls: int
    tool_errors: int
    usage: Usage | None
    cost_usd: float | None
    seconds: float
    records_missed: tuple[str, ...]
    diagnosis: Diagnosis | None
    attribution: Attribution | None
    fault: Fault | None
    ladder: Added[Traits] = None
    """What kind of instance it is, at level 4 only; in JSON, the field is absent elsewhere, like the next one."""

    result_characters: Added[int] = None
    """The length of all tool results, at level 4 only."""

    max_calls: Added[int] = None
    """How many tool calls were answered at most, if the run had such a budget; else absent."""

    @property
    def unearned(self) -> bool:
        """Whether it is an exact match although some needed record was never shown: guessed, or known from elsewhere."""
        return self.scores is not None and self.scores.exact_match and bool(self.records_missed)


def result_of(episode: Episode) -> Result:
    """The result of an episode."""
    reply = episode.reply
    return Result(
        instance_id=episode.instance_id,
        level=episode.level,
        model=episode.model,
        trial=episode.trial,
        grading_version=episode.grading_version,
        outcome=episode.outcome,
        paraphrase=episode.paraphrase,
        tags=episode.tags,
        reveal=episode.reveal,
        answer_status=episode.answer_status,
        answer_error=episode.answer_error,
        scores=episode.scores,
        gold=len(episode.gold),
        proposed=None if episode.answer is None else len(episode.answer),
        finish=None if reply is None else reply.finish,
        turns=None if reply is None else reply.turns,
        tool_calls=len(episode.tool_calls),
        tool_errors=sum(call.is_error for call in episode.tool_calls),
        usage=None if reply is None else reply.usage,
        cost_usd=episode.cost_usd,
        seconds=episode.seconds,
        records_missed=episode.records_missed,
        diagnosis=episode.diagnosis,
        attribution=episode.attribution,
        fault=episode.fault,
        ladder=episode.ladder,
        result_characters=(None if episode.ladder is None else sum(len(call.result) for call in episode.tool_calls)),
        max_calls=episode.max_calls,
    )

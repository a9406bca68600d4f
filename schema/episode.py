"""An episode: one agent on one instance, once, with everything needed to grade it again later."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import AwareDatetime, BeforeValidator, Field, PlainSerializer, StrictBool

from mpcbench.schema import Candidate, Source
from mpcbench.schema.cause import Diagnosis, Stage
from mpcbench.schema.level4.label import LadderCandidate
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.model import AnyLevel, Fraction, Model
from mpcbench.schema.untrusted_text import ModelJson, ModelMessage, ModelText

GRADING_VERSION: Final = "4"
"""Raised whenever the same episode would get another outcome or other scores, capability scores included."""


class Outcome(StrEnum):
    """How an episode ended."""

    PASSED = "passed"
    """Exact match."""

    FAILED = "failed"
    """A wrong, missing or unparsable answer."""

    ERROR = "error"
    """The endpoint or the harness failed: no score, not even 0."""


class Finish(StrEnum):
    """Why the agent stopped."""

    STOP = "stop"
    """It gave its final message."""

    LENGTH = "length"
    """The final message was cut off by a token limit."""

    REFUSAL = "refusal"
    """The model or its content filter declined."""

    TURNS = "turns"
    """The turn budget ran out before a final message."""

    FAILURE = "failure"
    """A user's agent failed: an exception of its code, its time, the death of its process, or a limit."""


MOST: Final = 10**9
"""Of turns, trials or seconds of one episode; a larger number is none, and squares and sums of these are exact enough."""

Turns = Annotated[int, Field(strict=True, ge=0, le=MOST)]
TrialNumber = Annotated[int, Field(strict=True, ge=1, le=MOST)]
Seconds = Annotated[float, Field(strict=True, ge=0, le=MOST)]

MOST_TOKENS: Final = 10**12
"""Of one kind in one episode; a larger count is no count. The sums of a run stay exact as floats."""

TokenCount = Annotated[int, Field(strict=True, ge=0, le=MOST_TOKENS)]

UsDollars = Annotated[float, Field(strict=True, ge=0, le=10 * MOST_TOKENS)]
"""What an episode costs: at most as many tokens of each kind at the highest price that `models.toml` can name."""


class ToolCall(Model):
    """One call of a tool, as logged by the toolbox."""

    turn: Turns
    """The agent's turn that made the call, from 1."""

    name: ModelText
    arguments: ModelJson
    """The decoded arguments; the raw string if it was not a JSON object."""

    result: ModelText
    is_error: StrictBool
    records: tuple[str, ...]
    """IDs of the records that the result showed, in order; the agent does not see them."""

    source: Source | None = None
    """The source that the tool queries, even if the call failed; None for a tool that no task needs."""


class Usage(Model):
    """Tokens of an episode, summed over its requests; None if the endpoint did not report them."""

    input_tokens: TokenCount | None = None
    cached_input_tokens: TokenCount | None = None
    output_tokens: TokenCount | None = None
    reasoning_tokens: TokenCount | None = None


class Traits(Model):
    """What an instance of level 4 is like, and what the plan of its certificate takes."""

    rung: Annotated[int, Field(ge=1)]
    load: Annotated[int, Field(ge=0)]
    """The composition load."""

    mechanisms: tuple[Mechanism, ...]
    """Those that were drawn, in the order of the enum."""

    plan_calls: Annotated[int, Field(ge=0)] | None = None
    """How many tool calls the certificate's plan takes; None without a certificate, like the characters."""

    plan_characters: Annotated[int, Field(ge=0)] | None = None
    """The length of all their results."""


T = TypeVar("T")


def _is_none(value: object) -> bool:
    return value is None


Added: TypeAlias = Annotated[T | None, Field(exclude_if=_is_none)]
"""A field that is stored only where it says something: files from before it was added are the same without."""


class Reply(Model):
    """What an agent returns at the end of an episode."""

    text: ModelText
    """The final message; empty if there was none."""

    finish: Finish = Finish.STOP
    turns: Turns = 1
    messages: tuple[ModelMessage, ...] = ()
    """The exchange in the agent's own wire format, or as OpenAI's chat messages if the agent keeps none; empty in runs
    that were stored when such agents kept none."""

    usage: Usage | None = None
    forced_final: StrictBool = False
    """Whether the final message comes from a forced final turn at the end of the budget."""

    failure: ModelText | None = None
    """How a user's agent failed: the first line says what happened; a traceback and the end of its output may follow."""


class Fault(Model):
    """Why an episode is an error."""

    kind: str
    """`endpoint`, `harness` or `worker`."""

    message: str


Moment = Annotated[
    AwareDatetime,
    BeforeValidator(lambda value: datetime.fromisoformat(value) if isinstance(value, str) else value),
    PlainSerializer(datetime.isoformat, return_type=str),
]
"""An aware time of any precision, stored as ISO 8601."""


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """One candidate of an answer; its times are in the world's zone and need not make sense."""

    start: Moment
    end: Moment
    room_id: ModelText | None = None
    meeting: ModelText | None = None
    """In a plan of level 4, which of its meetings."""


GoldCandidate: TypeAlias = Candidate | LadderCandidate
"""A candidate of the gold; of level 4's own kind only in a plan, where it names its meeting."""


def _as_stored(candidates: tuple[AnswerCandidate | GoldCandidate, ...]) -> list[dict[str, str]]:
    """The candidates as JSON, without the key of a room or a meeting that is None."""
    return [
        {"start": one.start.isoformat(), "end": one.end.isoformat()}
        | {name: value for name in ("room_id", "meeting") if isinstance(value := getattr(one, name, None), str)}
        for one in candidates
    ]


_AsStored = PlainSerializer(_as_stored, return_type=list[dict[str, str]])


class Violation(Model):
    """One constraint that a wrong candidate breaks, or another reason why the answer is wrong."""

    kind: str
    """The kind of the statement or policy rule; `busy`; `daily_hours`, `off_grid`; `room_missing`, `room_unknown`,
    `capacity`, `bookings`; `ranking` for a feasible candidate that is not among the first N; `count`."""

    message: str
    """For people; local times."""

    records: tuple[str, ...]
    """The records that it comes from; `task` is the task text."""

    values: dict[str, ModelJson]
    seen: StrictBool | None
    """Whether the agent had seen all of the records; None where the calls are not known."""

    unseen: tuple[str, ...] = ()
    """The records that neither a tool result nor `--reveal` had shown."""


class WrongCandidate(Model):
    """What is wrong with one candidate of the answer, or, without a place, with the answer as a whole."""

    place: Annotated[int, Field(strict=True)] | None
    """Its place in the answer, from 1."""

    start: Moment | None = None
    end: Moment | None = None
    room_id: ModelText | None = None
    violations: tuple[Violation, ...]

    @property
    def candidate(self) -> AnswerCandidate | None:
        """The candidate; None for the answer as a whole."""
        return None if self.start is None or self.end is None else AnswerCandidate(self.start, self.end, self.room_id)


class Scores(Model):
    """The scores of one answer against the gold; see `evaluation.scoring.score`."""

    precision: Fraction
    recall: Fraction
    f1: Fraction
    exact_match: StrictBool
    ranked_match: StrictBool


Reveal = Literal["plan", "records", "constraints"]
"""What `--reveal` adds to a task: which records are needed, their content, or the constraints in them."""


class AttributionVerdict(StrEnum):
    """What the repair trials of a failed episode show."""

    PROVEN = "proven"
    """A repair gave an exact match."""

    UNSTABLE = "unstable"
    """Run again unchanged, it gave an exact match, so no repair can take the credit."""

    UNREPAIRED = "unrepaired"
    """No repair did, not even of the last stage: the agent fails to compute the answer from the constraints."""

    ERROR = "error"
    """A repair trial was an error before any gave an exact match, so nothing is proven."""


class RepairTrial(Model):
    """A failed instance run again, with one more stage revealed."""

    reveal: Reveal | None
    """None for the control: the instance run again unchanged."""

    outcome: Outcome
    f1: Fraction | None
    """None if the trial is an error; the same holds for exact_match."""

    exact_match: StrictBool | None
    fault: Fault | None = None
    usage: Usage | None = None
    cost_usd: UsDollars | None = None


class Attribution(Model):
    """Which stage made an episode fail, proven by running it again with each stage repaired in turn."""

    verdict: AttributionVerdict
    proven: Stage | None
    """The stage whose repair first gave an exact match; None unless the verdict is proven."""

    trials: tuple[RepairTrial, ...]
    """The control first, then the repairs that were tried, from the first stage to the last."""

    named: RepairTrial | None = None
    """The instance run again with nothing handed over but the records that the deduced cause names; None if it names
    none, or if the control did not fail."""

    @property
    def reruns(self) -> tuple[RepairTrial, ...]:
        """Every time that the instance was run again."""
        return self.trials if self.named is None else (*self.trials, self.named)


class Episode(Model):
    """The whole record of an episode."""

    grading_version: str = GRADING_VERSION
    instance_id: str
    level: AnyLevel
    model: str
    trial: TrialNumber = 1
    """Of several episodes of one instance and model, which; from 1."""

    outcome: Outcome
    paraphrase: Annotated[int, Field(strict=True)]
    tags: str
    system_prompt: str
    task: str
    reply: Reply | None
    tool_calls: tuple[ToolCall, ...]
    answer: Annotated[tuple[AnswerCandidate, ...], _AsStored] | None
    """The parsed candidates in the answer's order; None if the answer is missing or could not be parsed."""

    answer_status: str | None
    """`parsed`, `unparsable`, `truncated`, `refused` or `no_answer`; None for an error."""

    answer_error: str | None = None
    """Why it could not be parsed."""

    rationale: str | None = None
    """The answer's own explanation; not scored."""

    gold: Annotated[tuple[GoldCandidate, ...], _AsStored]
    scores: Scores | None
    """None if and only if the outcome is an error."""

    violations: tuple[WrongCandidate, ...] = ()
    """The wrong candidates in the answer's order, then what is wrong with the answer as a whole."""

    records_missed: tuple[str, ...] = ()
    """Required records that neither a tool result nor `--reveal` showed."""

    diagnosis: Diagnosis | None = None
    """Why it failed; None for an error, or if none was stored."""

    fault: Fault | None = None
    seconds: Seconds
    cost_usd: UsDollars | None = None
    """None if the tokens or the model's price are unknown."""

    reveal: Reveal | None = None
    """What the task revealed; its text is the end of `task`."""

    attribution: Attribution | None = None
    """For a failed episode, if the run asked for it."""

    ladder: Added[Traits] = None
    """What kind of instance it is, at level 4 only; in files, the field is absent elsewhere."""

    max_calls: Added[Annotated[int, Field(strict=True, ge=1, le=MOST)]] = None
    """How many tool calls were answered at most, if the run had such a budget; else the field is absent."""

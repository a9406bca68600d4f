"""The rows of each kind of export."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mpcbench.benchmark.agents.conversation import Message, conversation, is_call
from mpcbench.benchmark.export.mistakes import causes_of
from mpcbench.benchmark.export.pairs import flawed_pairs, trial_pairs
from mpcbench.benchmark.export.plan import logged, with_plan
from mpcbench.benchmark.export.row import Row, row
from mpcbench.benchmark.export.sources import Taken, is_exact
from mpcbench.benchmark.harness.settings import Settings


class Kind(StrEnum):
    """What is exported."""

    SFT = "sft"
    """Whole conversations that end with the gold."""

    PREFERENCE = "preference"
    """A right and a wrong next message of one conversation."""

    STEPS = "steps"
    """The right next message at each step that decides."""

    EPISODES = "episodes"
    """Every scored episode of runs, right or wrong."""

    HF = "hf"
    """Whole conversations that end with the gold, in the layout of the Hugging Face hub."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the rows are to be like."""

    kind: Kind
    settings: Settings
    rationale: bool = False
    mistake: str | None = None


def demonstrated(taken: Iterable[Taken], recipe: Recipe) -> Iterator[Row]:
    """The rows of demonstrations."""
    for one in taken:
        if recipe.kind is Kind.PREFERENCE:
            yield from flawed_pairs(one, recipe.settings, recipe.mistake)
        elif recipe.kind is Kind.STEPS and recipe.mistake is not None:
            for pair in flawed_pairs(one, recipe.settings, recipe.mistake):
                yield {"prompt": pair["prompt"], "completion": pair["chosen"], **_shared(pair)}
        elif recipe.kind is Kind.STEPS:
            yield from _steps(one, recipe)
        else:
            yield row(one, {"messages": _messages(one, recipe)})


def of_runs(taken: Iterable[Taken], recipe: Recipe) -> Iterator[Row]:
    """The rows of the episodes of runs."""
    if recipe.kind is Kind.PREFERENCE:
        yield from trial_pairs(taken, recipe.mistake)
        return
    for one in taken:
        if recipe.kind is Kind.EPISODES:
            yield row(one, {"messages": conversation(one.episode), **_result(one)}, mistake=causes_of(one.episode))
        elif is_exact(one.episode):
            yield from demonstrated([one], recipe)


def _messages(taken: Taken, recipe: Recipe) -> list[Message]:
    messages = conversation(taken.episode)
    return with_plan(taken.exam, taken.episode, messages) if recipe.rationale else messages


def _steps(taken: Taken, recipe: Recipe) -> Iterator[Row]:
    """The steps that first show a needed record, and the answer."""
    messages = _messages(taken, recipe)
    missing = set(taken.exam.label.records)
    step = 0
    for place, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        step += 1
        calls = [logged(taken.episode, call) for call in message.get("tool_calls", ())]
        shown = {record for call in calls for record in call.records}
        if missing & shown or not is_call(message):
            yield row(taken, {"prompt": messages[:place], "completion": [message]}, step=step)
        missing -= shown


def _shared(found: Row) -> Row:
    return {name: found[name] for name in ("tools", "provenance")}


def _result(taken: Taken) -> Row:
    scores = taken.episode.scores
    return {"outcome": taken.episode.outcome.value, "f1": None if scores is None else scores.f1}

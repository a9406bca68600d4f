"""Fifty conversations to be scored by every environment, each on an instance of its own, and how a run scores them."""

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from mpcbench.benchmark.agents.conversation import conversation
from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ModelEntry
from mpcbench.benchmark.agents.flawed import FLAWS, flawed_agent
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environments.reward import Reward, Weights, reward
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.benchmark.practice_endpoint import Conversation, EndpointServer, ModelCall, ModelTurn
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import Level
from unit_tests.builders.committed import DATASET

WEIGHTS = {
    "f1": 1.0,
    "exact_match": 0.3,
    "decomposition": 0.1,
    "acquisition": 0.7,
    "integration": 0.01,
    "extra_candidates": 0.2,
    "unneeded_calls": 0.6,
}
REFERENCE_RUNS = 4
FLAWED_RUNS = 9
"""Of each level; flaws that change how a message ends are among the malformed ones."""

Said = tuple[dict[str, Any], str]
"""A message of the model in the chat format, and its finish reason."""


class Talk(NamedTuple):
    """One conversation: what the model says, whatever it is told."""

    instance_id: str
    name: str
    said: Sequence[Said]


def said_by(agent: Agent, instance_id: str) -> list[Said]:
    """What an agent says on an instance."""
    messages = conversation(run_episode(agent, DATASET.exam(instance_id)))
    return [(one, "tool_calls" if "tool_calls" in one else "stop") for one in messages if one["role"] == "assistant"]


def call(name: str, arguments: str, number: int = 1) -> Said:
    """A message with one call."""
    made = {"id": f"call{number:05d}", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": "", "tool_calls": [made]}, "tool_calls"


def text(content: str, finish: str = "stop") -> Said:
    """A final message."""
    return {"role": "assistant", "content": content}, finish


def malformed(solved: Sequence[Said]) -> dict[str, list[Said]]:
    """Conversations with mistakes of form, some before the right answer and some in its place."""
    *way, (answer, _) = solved
    candidates = json.loads(answer["content"])["candidates"]
    doubled = json.dumps({"candidates": [*candidates, *({**one, "end": one["start"]} for one in candidates)]})
    return {
        "cut-off arguments": [call("get_calendar", '{"person": "A', 91), *solved],
        "unknown tool": [call("get_weather", '{"city": "Bern"}', 92), *solved],
        "wrong arguments": [call("get_calendar", '{"who": 7}', 93), *solved],
        "repeated call": [way[0], (_renumbered(way[0][0]), "tool_calls"), *solved[1:]],
        "too many": [*way, text(doubled)],
        "no candidates": [*way, text('{"candidates": []}')],
        "prose": [*way, text("I would take Monday morning.")],
        "empty": [*way, text("")],
        "cut off": [*way, text(answer["content"][:40], "length")],
        "at once": [text(answer["content"])],
        "no answer": [
            call("get_policy", '{"keyword": "buffer"}', number) for number in range(1, DEFAULT_MAX_TURNS + 1)
        ],
    }


def _renumbered(message: dict[str, Any]) -> dict[str, Any]:
    calls = [{**one, "id": f"again{number:04d}"} for number, one in enumerate(message["tool_calls"])]
    return {**message, "tool_calls": calls}


def talks() -> list[Talk]:
    """Fifty conversations at all levels."""
    made = [talk for level in LEVELS for talk in _of_level(level)]
    assert 50 <= len(made)
    return made


def _of_level(level: Level) -> Iterator[Talk]:
    ids = iter(DATASET.instance_ids(level))
    for _ in range(REFERENCE_RUNS):
        instance_id = next(ids)
        yield Talk(instance_id, "reference", said_by(reference, instance_id))
    flaws = [name for name, flaw in FLAWS.items() if level in flaw.levels and name not in {"cut-off", "refuses"}]
    for name in flaws[:: max(1, len(flaws) // FLAWED_RUNS)][:FLAWED_RUNS]:
        instance_id = next(ids)
        yield Talk(instance_id, name, said_by(flawed_agent(name), instance_id))
    for number in count():
        instance_id = next(ids)
        forms = malformed(said_by(reference, instance_id))
        if number == len(forms):
            return
        if number % len(LEVELS) == level - 1 or level == 1:
            name = list(forms)[number]
            yield Talk(instance_id, name, forms[name])


def scored_by_a_run(talk: Talk) -> tuple[Episode, Reward]:
    """The episode of a run whose model says this over HTTP."""
    exam = DATASET.exam(talk.instance_id)
    stops = {"stop": "complete", "tool_calls": "complete", "length": "length"}

    def brain(told: Conversation) -> ModelTurn:
        message, finish = talk.said[told.turns]
        calls = [ModelCall(**one["function"]) for one in message.get("tool_calls", ())]
        return ModelTurn(text=message["content"], calls=tuple(calls), stop=stops[finish])  # type: ignore[arg-type]

    with EndpointServer(brain) as server:
        entry = ModelEntry(model="scripted", api=Api.CHAT)
        episode = run_episode(EndpointAgent(entry, EndpointOptions(base_url=server.base_url, max_retries=0)), exam)
    return episode, reward(episode, exam, Weights.of(WEIGHTS))


def result_of(episode: Episode, gained: Reward) -> dict[str, Any]:
    """What environments are compared by."""
    results = [one.result for one in episode.tool_calls]
    return {"total": gained.total, "parts": dict(gained.parts), "results": results}

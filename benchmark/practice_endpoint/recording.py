"""Recorded conversations of the reference agent: a brain that answers without delay."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.selection import spread
from mpcbench.benchmark.practice_endpoint.brains import Conversation, ModelCall, ModelTurn, RejectedError
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level


class Step(NamedTuple):
    """One tool call with its result."""

    name: str
    arguments: str
    """As JSON."""

    result: str


@dataclass(frozen=True)
class RecordedEpisode:
    """One conversation."""

    instance_id: str
    level: Level
    text: str
    """The task text."""

    turns: Sequence[Sequence[Step]]
    """The calls of each turn except the last; calls of one turn are independent of each other."""

    answer: str
    """The text of the last turn."""


@dataclass(frozen=True)
class Recording:
    """The conversations of a data set, as a brain that looks up its turn by task text and number of turns."""

    systems: dict[str, str]
    """The system prompt of each level; levels are strings, since JSON keys are."""

    tools: dict[str, list[dict[str, Any]]]
    """Name, description and parameters of the tools of each level."""

    episodes: Sequence[RecordedEpisode]
    is_quick = True

    @classmethod
    def of(cls, dataset: Dataset, limit: int | None = None) -> "Recording":
        """Record the reference agent on the first paraphrase of every instance, or of at most `limit` per level."""
        levels = dataset.levels
        return cls(
            systems={str(level): system_prompt(level, dataset.world(level).timezone) for level in levels},
            tools={
                str(level): [
                    {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
                    for tool in tools_of_level(level)
                ]
                for level in levels
            },
            episodes=[episode for level in levels for episode in _episodes(dataset, level, limit)],
        )

    @classmethod
    def read(cls, path: Path) -> "Recording":
        """Read a recording stored by `write`."""
        stored = json.loads(path.read_text(encoding="utf-8"))
        episodes = [
            RecordedEpisode(**episode | {"turns": [[Step(*step) for step in turn] for turn in episode["turns"]]})
            for episode in stored["episodes"]
        ]
        return cls(stored["systems"], stored["tools"], episodes)

    def write(self, path: Path) -> None:
        """Store as JSON."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    def some(self, limit: int | None) -> list[RecordedEpisode]:
        """At most `limit` episodes of each level, the same as with `--limit`."""
        levels = dict.fromkeys(episode.level for episode in self.episodes)
        of_level = ([episode for episode in self.episodes if episode.level == level] for level in levels)
        return [episode for episodes in of_level for episode in spread(episodes, limit)]

    def __call__(self, conversation: Conversation) -> ModelTurn:
        try:
            turns = self._turns[conversation.user]
        except KeyError:
            raise RejectedError(f"no such task in the recording: {conversation.user[:60]!r}") from None
        return turns[conversation.turns]

    @cached_property
    def _turns(self) -> dict[str, list[ModelTurn]]:
        return {
            episode.text: [
                *(
                    ModelTurn(calls=tuple(ModelCall(step.name, step.arguments) for step in turn))
                    for turn in episode.turns
                ),
                ModelTurn(text=episode.answer),
            ]
            for episode in self.episodes
        }


def _episodes(dataset: Dataset, level: Level, limit: int | None) -> Iterator[RecordedEpisode]:
    world, tools = dataset.world(level), tools_of_level(level)
    system = system_prompt(level, world.timezone)
    for instance in spread(dataset.instances(level), limit):
        toolbox = Toolbox(Sources(world), tools)
        task = Task(instance.instance_id, system, instance.task[0])
        reply = reference(task, toolbox, Budget(DEFAULT_MAX_TURNS))
        # The reference agent calls tools one after the other, but logs the turn of each call.
        turns: dict[int, list[Step]] = {}
        for call in toolbox.log:
            turns.setdefault(call.turn, []).append(Step(call.name, json.dumps(call.arguments), call.result))
        yield RecordedEpisode(instance.instance_id, level, task.text, list(turns.values()), reply.text)

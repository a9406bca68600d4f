"""The tasks of a recording for Inspect AI: `inspect eval inspect_task.py -T recording=FILE`.

Runs in an environment of its own, in which the project's packages are missing. Its tools return texts that were
recorded, so they cost less than the benchmark's own ones, which search a world.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate, solver
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams


@task
def recorded(recording: str) -> Task:
    """All tasks, in the order of the data."""
    stored = json.loads(Path(recording).read_text(encoding="utf-8"))
    samples = [
        Sample(
            id=episode["instance_id"],
            input=[
                ChatMessageSystem(content=stored["systems"][str(episode["level"])]),
                ChatMessageUser(content=episode["text"]),
            ],
            target=episode["answer"],
            metadata={"level": str(episode["level"])},
        )
        for episode in stored["episodes"]
    ]
    tools = {level: _tools(definitions, _results(stored, level)) for level, definitions in stored["tools"].items()}
    return Task(dataset=MemoryDataset(samples), solver=[offer(tools), generate()], scorer=same_candidates())


@solver
def offer(tools: dict[str, list[Tool]]) -> Any:
    """Offers each sample the tools of its level."""

    async def solve(state: TaskState, generate: Any) -> TaskState:  # noqa: ARG001 - every solver's signature
        state.tools = tools[state.metadata["level"]]
        return state

    return solve


@scorer(metrics=[accuracy()])
def same_candidates() -> Any:
    """Whether the answer proposes the recorded candidates."""

    async def score(state: TaskState, target: Target) -> Score:
        found, wanted = (json.loads(text)["candidates"] for text in (state.output.completion, target.text))
        return Score(value=CORRECT if found == wanted else INCORRECT)

    return score


def _results(stored: dict[str, Any], level: str) -> dict[tuple[str, str], str]:
    return {
        (name, arguments): result
        for episode in stored["episodes"]
        if str(episode["level"]) == level
        for turn in episode["turns"]
        for name, arguments, result in turn
    }


def _tools(definitions: list[dict[str, Any]], results: dict[tuple[str, str], str]) -> list[Tool]:
    return [
        ToolDef(
            _looks_up(one["name"], results),
            name=one["name"],
            description=one["description"],
            parameters=ToolParams.model_validate(one["parameters"]),
        ).as_tool()
        for one in definitions
    ]


def _looks_up(name: str, results: dict[tuple[str, str], str]) -> Callable[..., Awaitable[str]]:
    async def execute(**arguments: Any) -> str:
        try:
            return results[name, json.dumps(arguments)]
        except KeyError:
            raise ToolError(f"not recorded: {name} {arguments}") from None

    return execute

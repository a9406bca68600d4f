"""The levels as tasks of Inspect AI: `inspect eval mpcbench/level2 --model openai/o4-mini`.

The loop and the scores are the benchmark's own; the model, its settings and the log are Inspect's. What is scored are the
messages in the log, so `inspect score` gives the same again.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolInfo

from mpcbench.benchmark.environments.instances import Selection, Stored, origin
from mpcbench.benchmark.environments.reward import Weights
from mpcbench.benchmark.environments.stepped_episode import Message, SteppedEpisode, replayed
from mpcbench.benchmark.export.splits import Split
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.evaluation.scoring.explain import explain
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.exam import Exam
from mpcbench.schema.model import Level
from mpcbench.schema.versions import GENERATOR_VERSION

_FINISHES: Final = {"max_tokens": "length", "model_length": "length", "unknown": "stop"}
"""Inspect's reasons to stop that APIs call otherwise."""

_AROUND: Final = ("Error parsing the following tool call arguments:\n\n", "\n\nError details: ")
"""What stands around the arguments in Inspect's report of arguments that it could not read."""


def level_task(level: Level) -> Callable[..., Task]:
    """The task of a level, which Inspect knows as `mpcbench/levelN` from here on."""

    @task(name=f"level{level}")
    def mpcbench_level(
        split: str = "test",
        count: int = 100,
        seed: int | None = None,
        dataset: str | None = None,
        paraphrase: int = 1,
        max_turns: int = DEFAULT_MAX_TURNS,
        weights: Mapping[str, float] | None = None,
    ) -> Task:
        folder = None if dataset is None else Path(dataset)
        # Inspect only measures, which is what tests are for.
        selection = Selection(level, Split(split), count, seed, folder, allow_test=True)
        options = {"paraphrase": str(paraphrase), "max_turns": str(max_turns)}
        return Task(
            dataset=[_sample(stored, options) for stored in selection.instances()],
            solver=tool_loop(),
            scorer=mpcbench(weights=weights),
            version=GENERATOR_VERSION,
        )

    known: Callable[..., Task] = mpcbench_level
    return known


TASKS: Final = tuple(map(level_task, LEVELS))


def _sample(stored: Stored, options: Mapping[str, str]) -> Sample:
    exam = stored.exam
    episode = SteppedEpisode(exam, by_text=False, **options)
    return Sample(
        id=stored.instance_id,
        input=[_shown(message) for message in episode.messages],
        target=json.dumps([option.model_dump(mode="json", exclude_none=True) for option in exam.label.gold]),
        metadata={**origin(exam.instance), "folder": str(stored.folder), "options": dict(options)},
    )


@solver
def tool_loop() -> Solver:
    """Ask the model and run its calls until it answers or its budget is spent, as a run of the benchmark does."""

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        exam, options = _asked(state)
        episode = SteppedEpisode(exam, model=str(state.model), by_text=False, **options)
        tools = [ToolInfo.model_validate(tool["function"]) for tool in episode.tools]
        while not episode.is_over:
            choice = "auto" if episode.may_call else "none"
            state.output = await get_model().generate(state.messages, tools, choice)
            state.messages.append(state.output.message)
            told = episode.step(*_said(state.output.message, state.output.stop_reason))
            state.messages.extend(_shown(message) for message in told)
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def mpcbench(weights: Mapping[str, float] | None = None) -> Scorer:
    """The scores of the messages by the benchmark's rules, and the reward that the weights give."""
    given = Weights.of(weights or {})

    async def score(state: TaskState, _target: Target) -> Score:
        exam, options = _asked(state)
        said = [_said(message, "stop") for message in state.messages if isinstance(message, ChatMessageAssistant)]
        if said:
            said[-1] = (said[-1][0], _finish(state.output.stop_reason))
        episode = replayed(exam, said, model=str(state.model), **options)
        graded, reward = episode.graded(), episode.reward(given)
        assert graded.diagnosis is not None
        return Score(
            value={"reward": reward.total, **reward.parts},
            answer=None if graded.reply is None else graded.reply.text,
            explanation=explain(graded, exam),
            metadata={
                "outcome": graded.outcome.value,
                "answer_status": graded.answer_status,
                "stage": graded.diagnosis.stage and graded.diagnosis.stage.value,
                "causes": [cause.reason for cause in graded.diagnosis.causes],
            },
        )

    return score


def _asked(state: TaskState) -> tuple[Exam, dict[str, str]]:
    """The instance of a sample, and the options of its episode."""
    return Stored(Path(state.metadata["folder"]), state.metadata["instance_id"]).exam, state.metadata["options"]


def _shown(message: Message) -> ChatMessage:
    """A message to the model, as Inspect has it."""
    text = message["content"]
    match message["role"]:
        case "system":
            return ChatMessageSystem(content=text)
        case "tool":
            return ChatMessageTool(content=text, tool_call_id=message["tool_call_id"])
        case _:
            return ChatMessageUser(content=text)


def _said(message: ChatMessageAssistant, stop_reason: str) -> tuple[Message, str]:
    """A message of the model in the chat format, and why it stopped."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.function, "arguments": _arguments(call)}}
        for call in message.tool_calls or ()
    ]
    said: Message = {"role": "assistant", "content": message.text}
    return ({**said, "tool_calls": calls} if calls else said), _finish(stop_reason)


def _finish(stop_reason: str) -> str:
    return _FINISHES.get(stop_reason, stop_reason)


def _arguments(call: ToolCall) -> str:
    """The arguments as the model wrote them, as far as Inspect tells."""
    if call.parse_error is None:
        return json.dumps(call.arguments, ensure_ascii=False)
    head, tail = _AROUND
    return str(call.parse_error).removeprefix(head).partition(tail)[0]

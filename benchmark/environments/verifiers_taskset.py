"""The instances as a taskset of verifiers: `vf-eval mpcbench-v1`, and the same for training.

What is scored is the conversation that the trace holds, whichever harness led it.
"""

from collections.abc import Iterator
from pathlib import Path

import verifiers.v1 as vf
from pydantic import Field

from mpcbench.benchmark.environments.instances import Selection, Stored, origin
from mpcbench.benchmark.environments.reward import Weights
from mpcbench.benchmark.environments.stepped_episode import Message, SteppedEpisode, replayed
from mpcbench.benchmark.environments.verifiers_toolset import MpcbenchData, MpcbenchToolset, toolbox_of
from mpcbench.benchmark.export.splits import Split
from mpcbench.benchmark.practice_endpoint.brains import plain_name
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS


class MpcbenchTaskConfig(vf.TaskConfig):
    """How a rollout is served and rewarded: `--env.taskset.task.*`."""

    tools: vf.ToolsetConfig = vf.ToolsetConfig()
    weights: dict[str, float] = Field(default_factory=dict)
    """What each part of the reward counts for, such as `{"f1": 1, "acquisition": 0.2}`; by default F1 alone."""


class MpcbenchTask(vf.Task[MpcbenchData, vf.State, MpcbenchTaskConfig]):
    """One instance."""

    @property
    def key(self) -> str:
        """The instance and what its prompt depends on."""
        return f"{self.data.origin['seed']}/{self.data.id}/{self.data.options['paraphrase']}"

    @classmethod
    def toolsets(cls, config: MpcbenchTaskConfig) -> list[vf.Toolset]:
        """The server of the tools."""
        return [MpcbenchToolset(config.tools)]

    @vf.intercept
    async def own_errors(self, request: vf.Request) -> vf.Request | None:
        """Word mistakes that a harness catches before the tool server as the benchmark words them."""
        result = request.messages[-1]
        if not isinstance(result, vf.ToolMessage) or not result.content:
            return None
        said = next(one for one in reversed(request.messages) if isinstance(one, vf.AssistantMessage))
        (call,) = (one for one in said.tool_calls or () if one.id == result.tool_call_id)
        toolbox = toolbox_of(self.data)
        text = toolbox.call(plain_name(call.name), call.arguments)
        if not toolbox.log[-1].is_error or text == result.content:
            return None
        result.content = text
        return request

    @vf.reward
    async def mpcbench(self, trace: vf.Trace) -> float:
        """The reward of the conversation."""
        return self.episode(trace).reward(Weights.of(self.config.weights)).total

    @vf.metric
    async def parts(self, trace: vf.Trace) -> dict[str, float]:
        """The parts of the reward, without weights."""
        return dict(self.episode(trace).reward().parts)

    def episode(self, trace: vf.Trace) -> SteppedEpisode:
        """The conversation of a rollout."""
        stored, said = Stored(Path(self.data.folder), self.data.id), said_in(trace)
        # Nobody saw the results of calls that were made in the last turn of the budget.
        spent = len(said) if trace.stop_condition == "max_turns" else len(said) + 1
        return replayed(stored.exam, said, **self.data.options, max_turns=str(spent))


class MpcbenchConfig(vf.TasksetConfig):
    """Which instances there are: `--env.taskset.*`."""

    task: MpcbenchTaskConfig = MpcbenchTaskConfig()
    level: int = 1
    split: str = Split.TRAIN.value
    """`train`, `validation`, or `test` for the committed data, which needs `allow_test`."""

    count: int = 100
    seed: int | None = None
    """Of the first world; the split's first by default."""

    dataset: Path | None = None
    """Stored instances instead of fresh ones."""

    paraphrase: int = 1
    allow_test: bool = False
    """Whether instances for tests are offered: to measure, never to train."""


class MpcbenchTaskset(vf.Taskset[MpcbenchTask, MpcbenchConfig]):
    """The instances of a level."""

    def load(self) -> Iterator[MpcbenchTask]:
        """The tasks; fresh instances are generated on the first use."""
        config = self.config
        selection = Selection(
            config.level, Split(config.split), config.count, config.seed, config.dataset, config.allow_test
        )
        # The harness keeps the budget of turns, and forces no answer.
        options = {"paraphrase": str(config.paraphrase), "final_turn": "off"}
        for stored in selection.instances():
            yield MpcbenchTask(_data(stored, options), config.task)


class MpcbenchEnvConfig(vf.EnvConfig):
    """The agent: a loop that calls the tools and nothing else, on this machine, with the budget of a run."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig(), max_turns=DEFAULT_MAX_TURNS)


class MpcbenchEnv(vf.Env[MpcbenchEnvConfig]):
    """One agent, one instance."""

    async def run(self, task: MpcbenchTask, agents: vf.Agents) -> None:
        """Run the agent on the task."""
        await agents.agent.run(task)


def _data(stored: Stored, options: dict[str, str]) -> MpcbenchData:
    exam = stored.exam
    system, user = (message["content"] for message in SteppedEpisode(exam, by_text=False, **options).messages)
    return MpcbenchData(
        id=stored.instance_id,
        name=stored.instance_id,
        prompt=user,
        system_prompt=system,
        folder=str(stored.folder),
        level=exam.instance.level,
        options=options,
        origin=origin(exam.instance),
    )


def said_in(trace: vf.Trace) -> list[tuple[Message, str | None]]:
    """What the model said in a rollout, with why it stopped at last."""
    said: list[tuple[Message, str | None]] = [(_message(message), None) for message in trace.assistant_messages]
    finishes = [call.finish_reason for call in trace.calls if call.error is None]
    if said and finishes:
        said[-1] = (said[-1][0], finishes[-1])
    return said


def _message(message: vf.AssistantMessage) -> Message:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": plain_name(call.name), "arguments": call.arguments}}
        for call in message.tool_calls or ()
    ]
    said: Message = {"role": "assistant", "content": message.content or ""}
    return {**said, "tool_calls": calls} if calls else said

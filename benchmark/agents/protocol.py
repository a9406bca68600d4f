"""What an agent is: a callable given the task, the tools and a budget."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply


class EndpointError(RuntimeError):
    """The endpoint failed for good: the episode is an error and is not scored.

    The message is one line without secrets. `reply` holds the episode up to the failure (transcript, turns, usage);
    None if nothing happened before it.
    """

    def __init__(self, message: str, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.reply = reply


class UnusableEndpointError(EndpointError):
    """The endpoint will fail in every episode, so the run ends."""


class AccessDeniedError(UnusableEndpointError):
    """The endpoint rejects the API key."""


@dataclass(frozen=True, slots=True)
class Task:
    """The input of an episode."""

    instance_id: str
    system_prompt: str
    text: str
    trial: int = 1
    """The number of the trial, from 1; only a replay depends on it."""

    answer_schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"}, hash=False, repr=False)
    """The JSON Schema of the final answer, for agents that can constrain their output to it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the agent may spend.

    The last turn is reserved for the answer. Tool calls made in it are not run, since the agent could not see their
    results.
    """

    max_turns: int
    """A turn is one message of the agent: tool calls, or the final answer."""

    final_turn: bool = True
    """Whether a model that reaches the last turn of its budget is asked to answer now, without tools.

    That turn counts towards the budget: with a budget of 1 the model is asked at once. Without a final turn, a model
    that keeps calling tools ends without an answer. Agents without a model ignore this and watch `max_turns`.
    """


class Agent(Protocol):
    """Anything that solves tasks.

    Raises `EndpointError` if its endpoint fails, and `UnusableEndpointError` if it would fail in every other episode,
    too. Any other exception is a fault of the harness.
    """

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        ...

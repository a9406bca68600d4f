"""What an agent is: a callable given the task, the tools and a budget."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import Reply


class EndpointError(RuntimeError):
    """The endpoint failed for good: the episode is an error, not scored. The message is one line without secrets.

    `reply` holds the episode up to the failure: the transcript, its turns and what they used. None if there is none.
    """

    def __init__(self, message: str, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.reply = reply


class UnusableEndpointError(EndpointError):
    """The endpoint will fail in every episode: the run ends."""


class AccessDeniedError(UnusableEndpointError):
    """The endpoint refuses the key."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent is told."""

    instance_id: str
    system_prompt: str
    text: str
    trial: int = 1
    """Of several episodes of the instance, which; agents other than a replay need not heed it."""

    answer_schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"}, hash=False, repr=False)
    """The JSON Schema of the final answer, for an agent that can hold its output to one."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the agent may spend.

    The last turn of the budget is for the answer, whatever the agent: tool calls made in it are not run, since the
    agent could not see their results.
    """

    max_turns: int
    """A turn is one message of the agent: tool calls, or the final answer."""

    final_turn: bool = True
    """Whether a model that comes to the last turn of its budget is told so.

    It is then asked to answer now, from what it knows, and cannot call tools. That turn is within the budget, so
    with a budget of 1 the model is asked so at once. Without it the model calls on, and has no answer in the end.
    Agents that are no models know their budget themselves.
    """


class Agent(Protocol):
    """Anything that solves tasks.

    Raises `EndpointError` where its endpoint failed (`UnusableEndpointError` where the run may as well end); every
    other exception is a fault of the harness.
    """

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        ...

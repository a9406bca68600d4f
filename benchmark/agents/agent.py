"""What an agent is: a callable given the task, the tools and a budget."""

from dataclasses import dataclass
from typing import Protocol

from benchmark.tools.toolbox import Toolbox
from evaluation.episode import Reply


class EndpointError(RuntimeError):
    """The endpoint failed for good: the episode is void, not scored. The message is one line without secrets."""


class UnusableEndpointError(EndpointError):
    """The endpoint will fail in every episode, as when it refuses the key: the run ends."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent is told."""

    instance_id: str
    system_prompt: str
    text: str
    trial: int = 1
    """Of several episodes of the instance, which; agents other than a replay need not heed it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the agent may spend."""

    max_turns: int
    """A turn is one message of the agent: tool calls, or the final answer."""


class Agent(Protocol):
    """Anything that solves tasks.

    Raises `EndpointError` where its endpoint failed; every other exception is a fault of the harness.
    """

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        ...

"""What an agent is: a callable given the task, the tools and a budget."""

from dataclasses import dataclass
from typing import Protocol

from benchmark.tools.toolbox import Toolbox
from evaluation.episode import Reply


class EndpointError(RuntimeError):
    """The endpoint failed for good: the episode is void, not scored. The message is one line without secrets.

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


@dataclass(frozen=True, slots=True)
class Budget:
    """What the agent may spend."""

    max_turns: int
    """A turn is one message of the agent: tool calls, or the final answer."""


class Agent(Protocol):
    """Anything that solves tasks.

    Raises `EndpointError` where its endpoint failed (`UnusableEndpointError` where the run may as well end); every
    other exception is a fault of the harness.
    """

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode."""
        ...

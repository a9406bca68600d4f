"""How tools, calls and results are written within the messages of an API: natively, or by a protocol of text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mpcbench.benchmark.agents.endpoint.turn import Call, Item, Offer, Turn, Wire
from mpcbench.benchmark.agents.protocol import Task
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.schema.episode import Finish


@dataclass(frozen=True, slots=True)
class Move:
    """What a turn of the model amounts to."""

    calls: tuple[Call, ...] = ()
    finish: Finish | None = None
    """None if and only if the model has not given its final message."""

    problem: str | None = None
    """Why the turn is neither calls nor a final message."""


class Dialogue(Protocol):
    """One way to write tools, calls and results."""

    def opening(self, task: Task, tools: Sequence[Tool]) -> list[Item]:
        """The transcript before the first turn."""
        ...

    def offer(self, task: Task, tools: Sequence[Tool], *, final: bool) -> Offer:
        """What a request lets the model do; in the forced final turn it can only answer."""
        ...

    def move(self, turn: Turn) -> Move:
        """What the turn amounts to."""
        ...

    def follow_up(self, turn: Turn, move: Move, results: Sequence[str]) -> list[Item]:
        """What the model is told after a move that is not its last: the results of its calls, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class NativeDialogue:
    """The API's own tool calls."""

    wire: Wire

    def opening(self, task: Task, tools: Sequence[Tool]) -> list[Item]:  # noqa: ARG002 - requests carry the tools
        """The transcript before the first turn."""
        return self.wire.opening(task)

    def offer(self, task: Task, tools: Sequence[Tool], *, final: bool) -> Offer:  # noqa: ARG002
        """The tools; in the forced final turn they only explain the calls in the transcript."""
        return Offer(tools=tuple(self.wire.tool(tool) for tool in tools), may_call=not final)

    def move(self, turn: Turn) -> Move:
        """What the API says that it is."""
        return Move(calls=turn.calls, finish=turn.finish, problem=turn.problem)

    def follow_up(self, turn: Turn, move: Move, results: Sequence[str]) -> list[Item]:  # noqa: ARG002
        """A message of its own for each result, or one with what is wrong."""
        if move.problem is not None:
            return [user_message(f"error: {move.problem}. Call a tool again, or give your final answer.")]
        return [self.wire.result(call, text) for call, text in zip(move.calls, results, strict=True)]


def user_message(text: str) -> Item:
    """A message to the model, as OpenAI's APIs have it; the others write it in their own way when they send it."""
    return {"role": "user", "content": text}


def nudged(transcript: Sequence[Item], text: str) -> list[Item]:
    """The transcript with one more thing said to the model.

    It goes into the user's message at the end, if there is one: the templates of some models refuse two in a row.
    """
    *before, last = transcript
    if last.get("role") == "user" and isinstance(last.get("content"), str):
        return [*before, user_message(f"{last['content']}\n\n{text}")]
    return [*transcript, user_message(text)]

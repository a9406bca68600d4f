"""Brains decide what the stand-in model says next; they see only the request, so the server keeps no state."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from mpcbench.benchmark.agents.protocol import Agent, Budget, Task
from mpcbench.benchmark.environment.level4.tools.catalogue import SOURCE_OF_TOOL as SOURCE_OF_LADDER_TOOL
from mpcbench.benchmark.environment.tools.catalogue import SOURCE_OF_TOOL

if TYPE_CHECKING:
    from mpcbench.benchmark.environment.tools.toolbox import Toolbox

_NAMES = (*SOURCE_OF_TOOL, *SOURCE_OF_LADDER_TOOL)
_FRAMED = re.compile(r"ok: True\nserver: [^\n]*\ntool: [^\n]*\ntext: (.*)\nstructured: None", re.DOTALL)
"""The result of an MCP tool as the agent Mistral Vibe shows it to its model."""


class RejectedError(Exception):
    """A request that the real endpoint would answer with an error object."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class OfferedTool:
    """A tool as the request defines it, with the attributes of a `Tool`."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Exchange:
    """One tool call of an earlier turn with its result."""

    name: str
    arguments: Any
    """A string, unless the model erred on the wire."""

    turn: int
    """The model's turn that made the call, from 1."""

    result: str


@dataclass(frozen=True)
class Conversation:
    """The content of a request, independent of the API."""

    system: str
    user: str
    tools: tuple[OfferedTool, ...]
    exchanges: tuple[Exchange, ...]
    turns: int
    """How many turns the model has taken."""

    messages: tuple[tuple[str, str], ...] = ()
    """The role and the text of every message, in order."""

    may_call: bool = True
    """Whether the request lets the model call tools."""

    schema: Mapping[str, Any] | None = None
    """The JSON Schema to which the request constrains the text."""


@dataclass(frozen=True)
class ModelCall:
    """A tool call as the model writes it."""

    name: str
    arguments: Any
    """A string, unless the model errs on the wire."""


@dataclass(frozen=True)
class Tokens:
    """The usage of one request."""

    input: int = 100
    cached: int = 40
    output: int = 20
    reasoning: int = 5


@dataclass(frozen=True)
class ModelTurn:
    """What the model says in one turn."""

    text: str | None = None
    calls: tuple[ModelCall, ...] = ()
    refusal: str | None = None
    stop: Literal["complete", "length", "content_filter"] = "complete"
    reasons: bool = False
    """Whether the model's reasoning comes first; not on chat completions."""

    tokens: Tokens | None = Tokens()


Brain: TypeAlias = Callable[[Conversation], ModelTurn]
"""Returns the next turn of a conversation. A brain with a true `is_quick` never blocks, so it needs no thread."""


@dataclass(frozen=True)
class Scripted:
    """Plays the turns of a script, the same in every episode."""

    turns: Sequence[ModelTurn]
    is_quick = True

    def __call__(self, conversation: Conversation) -> ModelTurn:
        return self.turns[conversation.turns]


class _Pending(BaseException):
    """Interrupts the agent at calls without results yet; a BaseException, so that no agent catches it."""

    def __init__(self, calls: tuple[ModelCall, ...]) -> None:
        super().__init__()
        self.calls = calls


class _ReplayedToolbox:
    """Answers an agent's calls with the results in the conversation so far, under the names that the agent knows."""

    max_calls: None = None
    """The suite counts the calls."""

    def __init__(self, conversation: Conversation) -> None:
        self.tools = tuple(replace(tool, name=plain_name(tool.name)) for tool in conversation.tools)
        self._offered = {plain_name(tool.name): tool.name for tool in conversation.tools}
        self._known = iter(conversation.exchanges)

    def call(self, name: str, arguments: str | Mapping[str, Any], *, turn: int = 1) -> str:  # noqa: ARG002
        call = self._written(name, arguments)
        exchange = next(self._known, None)
        if exchange is None:
            raise _Pending((call,))
        return _result(call, exchange)

    def results(self, calls: Iterable[tuple[str, Mapping[str, Any]]], *, turn: int) -> Iterator[str]:  # noqa: ARG002
        made = tuple(self._written(name, arguments) for name, arguments in calls)
        for place, call in enumerate(made):
            exchange = next(self._known, None)
            if exchange is None:
                raise _Pending(made[place:])
            yield _result(call, exchange)

    def _written(self, name: str, arguments: str | Mapping[str, Any]) -> ModelCall:
        written = arguments if isinstance(arguments, str) else json.dumps(dict(arguments))
        return ModelCall(self._offered.get(name, name), written)


def _result(call: ModelCall, exchange: Exchange) -> str:
    if exchange.name != call.name or _decoded(exchange.arguments) != _decoded(call.arguments):
        raise RejectedError(f"the agent called {call.name} where it had called {exchange.name} before", status=500)
    framed = _FRAMED.fullmatch(exchange.result)
    return framed[1] if framed else exchange.result


def plain_name(offered: str) -> str:
    """A tool's name without the prefix by which many agents say which MCP server it is from."""
    return next((name for name in _NAMES if offered.endswith(f"_{name}")), offered)


def _decoded(arguments: Any) -> Any:
    """Arguments as values, since clients may send them back with other white space."""
    try:
        return json.loads(arguments)
    except (TypeError, ValueError):
        return arguments


@dataclass(frozen=True)
class Solver:
    """Serves an agent: runs it from the start for each request, up to its first calls without a result.

    The agent must be deterministic and depend only on the texts, the tools' schemas and their results.
    """

    agent: Agent

    def __call__(self, conversation: Conversation) -> ModelTurn:
        task = Task(instance_id="", system_prompt=conversation.system, text=conversation.user)
        tools = cast("Toolbox", _ReplayedToolbox(conversation))
        try:
            reply = self.agent(task, tools, Budget(max_turns=10_000))
        except _Pending as pending:
            return ModelTurn(calls=pending.calls)
        return ModelTurn(text=reply.text)

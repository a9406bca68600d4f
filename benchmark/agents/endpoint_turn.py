"""One turn of a model, whatever the API that it came through."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from pydantic import BaseModel, JsonValue, ValidationError

from benchmark.agents.agent import EndpointError, Task
from benchmark.models import ModelEntry
from benchmark.tools.toolbox import Tool
from evaluation.episode import Finish, Usage

Item: TypeAlias = dict[str, JsonValue]
"""One element of a transcript in the API's own format."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as the model wrote it; the arguments need not be valid JSON."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model answered to one request."""

    items: tuple[Item, ...]
    """As received, to be appended to the transcript."""

    calls: tuple[Call, ...]
    text: str
    finish: Finish | None
    """None if and only if the model waits for the results of its calls."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Offer:
    """What a request lets the model do."""

    tools: tuple[Item, ...] = ()
    may_call: bool = True
    """Whether it may call the tools. If not they are sent all the same, to be called never (`tool_choice`): there are
    endpoints that refuse an exchange with tool calls in it where no tools are defined."""

    schema: dict[str, JsonValue] | None = None
    """The JSON Schema that the endpoint is asked to hold the message to."""


class Wire(Protocol):
    """One API: how its requests and answers are written."""

    def opening(self, task: Task) -> list[Item]:
        """The transcript before the first turn."""
        ...

    def tool(self, tool: Tool) -> Item:
        """The definition of a tool."""
        ...

    def request(self, entry: ModelEntry, transcript: Sequence[Item], offer: Offer) -> dict[str, Any]:
        """The fields of a request, without optional parameters."""
        ...

    def sender(self, client: Any) -> Callable[..., Any]:
        """The client's function that takes the fields of a request and returns the raw response."""
        ...

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        ...

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        ...


def tool_fields(entry: ModelEntry, offer: Offer) -> dict[str, Any]:
    """The fields about tools, which both APIs write alike; none without tools, because endpoints refuse them then."""
    if not offer.tools:
        return {}
    fields: dict[str, Any] = {"tools": list(offer.tools)}
    if entry.parallel_tool_calls is not None:
        fields["parallel_tool_calls"] = entry.parallel_tool_calls
    return fields if offer.may_call else {**fields, "tool_choice": "none"}


def json_schema(schema: Mapping[str, JsonValue]) -> dict[str, Any]:
    """The schema as both APIs name it.

    It is not marked strict: OpenAI's strict schemas are a subset without unions at the root and without optional
    properties, while endpoints that decode by a grammar enforce the schema in either case.
    """
    return {"name": "turn", "schema": dict(schema), "strict": False}


class Details(BaseModel):
    """The breakdown of a number of tokens, which both APIs write alike."""

    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


def total(usages: Sequence[Usage]) -> Usage:
    """The sum of each figure; None where a request lacks it, because a partial sum would be taken for the whole."""
    sums: dict[str, int | None] = {}
    for name in Usage.model_fields:
        values = [getattr(usage, name) for usage in usages]
        sums[name] = None if not values or None in values else sum(values)
    return Usage(**sums)


def invalid(error: ValidationError) -> EndpointError:
    """The endpoint's fault behind a response that does not fit the protocol."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "body"
    return EndpointError(f"the response does not fit the protocol: {place}: {first['msg']}")

"""One turn of a model, whatever the API that it came through."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol, TypeAlias

from pydantic import BaseModel, JsonValue, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from mpcbench.benchmark.agents.endpoint.models import ModelEntry
from mpcbench.benchmark.agents.protocol import EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.schema.episode import MOST_TOKENS, Finish, TokenCount, Usage
from mpcbench.schema.untrusted_text import plain_json

MOST_ITEMS: Final = 10_000
"""No model writes more calls or other items in one turn."""

LARGEST_TRANSCRIPT: Final = 16 * 2**20
"""The most bytes of a transcript, as `stored_size` counts them."""

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
    """To be appended to the transcript: as received, but for what the endpoint could not take back."""

    calls: tuple[Call, ...]
    text: str
    finish: Finish | None
    """None if and only if the turn is not the last: the model waits for the results of its calls, or is to try again."""

    usage: Usage
    problem: str | None = None
    """Why the turn is neither calls nor a message, in words for the model."""


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

    def path(self, model: str) -> str:
        """Where it is, below the base URL."""
        ...

    def headers(self, key: str) -> dict[str, str] | None:
        """What authorises a request; None leaves that to the openai package."""
        ...

    def opening(self, task: Task) -> list[Item]:
        """The transcript before the first turn."""
        ...

    def tool(self, tool: Tool) -> Item:
        """The definition of a tool."""
        ...

    def request(self, entry: ModelEntry, transcript: Sequence[Item], offer: Offer) -> dict[str, Any]:
        """The fields of a request, without optional parameters."""
        ...

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        ...

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        ...


def tool_fields(entry: ModelEntry, offer: Offer) -> dict[str, Any]:
    """The fields about tools, which both APIs of OpenAI write alike; none without tools, because endpoints refuse them then."""
    if not offer.tools:
        return {}
    fields: dict[str, Any] = {"tools": list(offer.tools)}
    if entry.parallel_tool_calls is not None:
        fields["parallel_tool_calls"] = entry.parallel_tool_calls
    return fields if offer.may_call else {**fields, "tool_choice": "none"}


def in_turns(said: Iterable[tuple[str, list[JsonValue]]]) -> list[tuple[str, list[JsonValue]]]:
    """What each role says in turn, with what it says in several messages in a row as one; nothing makes no turn."""
    turns: list[tuple[str, list[JsonValue]]] = []
    for role, parts in said:
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(parts)
        elif parts:
            turns.append((role, list(parts)))
    return turns


def json_schema(schema: Mapping[str, JsonValue]) -> dict[str, Any]:
    """The schema as both APIs of OpenAI name it.

    It is not marked strict: OpenAI's strict schemas are a subset without unions at the root and without optional
    properties, while endpoints that decode by a grammar enforce the schema in either case.
    """
    return {"name": "turn", "schema": dict(schema), "strict": False}


def _none_if_invalid(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return None


LENIENT = WrapValidator(_none_if_invalid)
"""A field that is None where it does not fit: a malformed count of tokens must not invalidate a response."""

Tokens: TypeAlias = Annotated[TokenCount | None, LENIENT]


class Details(BaseModel):
    """The breakdown of a number of tokens, which both APIs of OpenAI write alike."""

    cached_tokens: Tokens = None
    reasoning_tokens: Tokens = None


def total(usages: Sequence[Usage]) -> Usage:
    """The sum of each figure; None where a request lacks it, because a partial sum would be taken for the whole."""
    sums: dict[str, int | None] = {}
    for name in Usage.model_fields:
        values = [getattr(usage, name) for usage in usages]
        known = values and None not in values and sum(values) <= MOST_TOKENS
        sums[name] = sum(values) if known else None
    return Usage(**sums)


def stored_size(items: Sequence[Item]) -> int:
    """The bytes that the items take in the episode's record, which is ASCII."""
    return sum(map(len, json.JSONEncoder().iterencode(plain_json(items))))  # in pieces, as the whole may be large


def check_number(items: Sequence[object]) -> None:
    """Raise `EndpointError` if there are more calls or other items than any model writes in a turn."""
    if len(items) > MOST_ITEMS:
        raise EndpointError(f"the response holds {len(items):,} calls or other items")


def invalid(error: ValidationError) -> EndpointError:
    """The endpoint's fault behind a response that does not fit the protocol."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "body"
    return EndpointError(f"the response does not fit the protocol: {place}: {first['msg']}")

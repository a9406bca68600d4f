"""The responses API, used without state on the server: how a turn is asked for and read.

Every request carries the whole exchange. All output items, the model's encrypted reasoning among them, go back
in the order and in the form in which they came.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, JsonValue, ValidationError

from benchmark.agents.agent import EndpointError, Task
from benchmark.agents.endpoint_turn import Call, Details, Item, Offer, Turn, invalid, json_schema, tool_fields
from benchmark.models import ModelEntry
from benchmark.tools.toolbox import Tool
from evaluation.episode import Finish, Usage


class _Part(BaseModel):
    text: str = ""
    refusal: str | None = None


class _Message(BaseModel):
    content: list[_Part]


class _FunctionCall(BaseModel):
    call_id: str
    name: str
    arguments: str


class _Reason(BaseModel):
    reason: str | None = None


class _Usage(BaseModel):
    input_tokens: int | None = None
    input_tokens_details: Details | None = None
    output_tokens: int | None = None
    output_tokens_details: Details | None = None


class _Response(BaseModel):
    status: Literal["completed", "incomplete", "failed", "cancelled", "in_progress", "queued"] | None = None
    incomplete_details: _Reason | None = None
    output: list[dict[str, JsonValue]]
    usage: _Usage | None = None


class Responses:
    """`POST /responses`."""

    def opening(self, task: Task) -> list[Item]:
        """The transcript before the first turn."""
        return [{"role": "system", "content": task.system_prompt}, {"role": "user", "content": task.text}]

    def tool(self, tool: Tool) -> Item:
        """The definition of a tool."""
        return {"type": "function", "name": tool.name, "description": tool.description, "parameters": tool.parameters}

    def request(self, entry: ModelEntry, transcript: Sequence[Item], offer: Offer) -> dict[str, Any]:
        """The fields of a request, without optional parameters."""
        fields: dict[str, Any] = {"model": entry.model, "input": list(transcript), "store": False}
        if entry.encrypted_reasoning:
            fields["include"] = ["reasoning.encrypted_content"]
        if offer.schema is not None:
            fields["text"] = {"format": {"type": "json_schema", **json_schema(offer.schema)}}
        return fields | tool_fields(entry, offer)

    def sender(self, client: Any) -> Callable[..., Any]:
        """The client's function that takes the fields of a request and returns the raw response."""
        sender: Callable[..., Any] = client.responses.with_raw_response.create
        return sender

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        try:
            response = _Response.model_validate(body)
            messages = [_Message.model_validate(item) for item in response.output if item.get("type") == "message"]
            calls = tuple(
                Call(**_FunctionCall.model_validate(item).model_dump())
                for item in response.output
                if item.get("type") == "function_call"
            )
        except ValidationError as error:
            raise invalid(error) from None
        refusals = [part.refusal for message in messages for part in message.content if part.refusal is not None]
        texts = ["".join(part.text for part in message.content) for message in messages]
        finish = Finish.REFUSAL if refusals else _finish(response, waits=bool(calls))
        return Turn(
            items=tuple(response.output),
            calls=calls if finish is None else (),
            text="\n".join(refusals or texts),
            finish=finish,
            usage=_usage(response.usage or _Usage()),
        )

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        return {"type": "function_call_output", "call_id": call.call_id, "output": text}


def _finish(response: _Response, *, waits: bool) -> Finish | None:
    reason = response.incomplete_details.reason if response.incomplete_details else None
    match response.status, reason:
        case "incomplete", "max_output_tokens":
            return Finish.LENGTH
        case "incomplete", "content_filter":
            return Finish.REFUSAL
        case "completed" | None, _:
            return None if waits else Finish.STOP
        case "incomplete", _:
            raise EndpointError(f"the response is incomplete for the unknown reason {reason!r}")
        case status, _:
            raise EndpointError(f"the response has status {status!r}")


def _usage(usage: _Usage) -> Usage:
    return Usage(
        input_tokens=usage.input_tokens,
        cached_input_tokens=usage.input_tokens_details and usage.input_tokens_details.cached_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.output_tokens_details and usage.output_tokens_details.reasoning_tokens,
    )

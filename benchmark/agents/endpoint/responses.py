"""The responses API, used without state on the server: how a turn is asked for and read.

Every request carries the whole exchange. All output items, the model's encrypted reasoning among them, go back
in the order and in the form in which they came.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ValidationError

from mpcbench.benchmark.agents.endpoint.finishes import finish_of
from mpcbench.benchmark.agents.endpoint.model_calls import call_of, sendable_arguments, sendable_name
from mpcbench.benchmark.agents.endpoint.models import ModelEntry
from mpcbench.benchmark.agents.endpoint.turn import (
    LENIENT,
    Call,
    Details,
    Item,
    Offer,
    Tokens,
    Turn,
    check_number,
    invalid,
    json_schema,
    tool_fields,
)
from mpcbench.benchmark.agents.protocol import EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.schema.episode import Finish, Usage


class _ContentPart(BaseModel):
    text: str | None = None
    refusal: str | None = None


class _Message(BaseModel):
    content: list[_ContentPart] | str | None

    @property
    def parts(self) -> list[_ContentPart]:
        return [_ContentPart(text=self.content)] if isinstance(self.content, str) else self.content or []


class _Reason(BaseModel):
    reason: str | None = None


class _Usage(BaseModel):
    input_tokens: Tokens = None
    input_tokens_details: Annotated[Details | None, LENIENT] = None
    output_tokens: Tokens = None
    output_tokens_details: Annotated[Details | None, LENIENT] = None


class _Response(BaseModel):
    status: Literal["completed", "incomplete", "failed", "cancelled", "in_progress", "queued"] | None = None
    incomplete_details: _Reason | None = None
    output: list[dict[str, Any]]
    usage: Annotated[_Usage | None, LENIENT] = None


class Responses:
    """`POST /responses`."""

    def path(self, model: str) -> str:  # noqa: ARG002
        """Where it is, below the base URL."""
        return "/responses"

    def headers(self, key: str) -> None:
        """The openai package knows what authorises a request."""

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

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        try:
            response = _Response.model_validate(body)
            check_number(response.output)
            messages = [_Message.model_validate(item) for item in response.output if item.get("type") == "message"]
        except ValidationError as error:
            raise invalid(error) from None
        refusals = [part.refusal for message in messages for part in message.parts if part.refusal is not None]
        texts = ["".join(part.text or "" for part in message.parts) for message in messages]
        items, calls = _read_items(response.output)
        text = "\n".join(refusals or texts)
        finish = Finish.REFUSAL if refusals else _finish(response, text, waits=bool(calls))
        return Turn(
            items=items,
            calls=calls if finish is None else (),
            text=text,
            finish=finish,
            usage=_usage(response.usage or _Usage()),
        )

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        return {"type": "function_call_output", "call_id": call.call_id, "output": text}


def _read_items(output: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Call, ...]]:
    """The output for the transcript, and the calls in it."""
    items: list[Item] = []
    calls: dict[str, Call] = {}
    for raw in output:
        item = raw
        if raw.get("type") == "message":
            item = {"role": "assistant", **raw, "content": raw["content"] or []}
        elif raw.get("type") == "function_call":
            call = call_of(raw.get("call_id"), raw.get("name"), raw.get("arguments"), calls)
            calls[call.call_id] = call
            item = {
                **raw,
                "call_id": call.call_id,
                "name": sendable_name(call.name),
                "arguments": sendable_arguments(call.arguments),
            }
        items.append(item)
    return tuple(items), tuple(calls.values())


def _finish(response: _Response, text: str, *, waits: bool) -> Finish | None:
    if response.status in {"completed", None}:
        return None if waits else Finish.STOP  # an empty output is an empty message
    if response.status != "incomplete":
        raise EndpointError(f"the response has status {response.status!r}")
    reason = response.incomplete_details.reason if response.incomplete_details else None
    finish = finish_of(reason or "none", text)
    if finish is Finish.STOP:
        raise EndpointError(f"the response is incomplete for the unknown reason {reason!r}")
    return finish


def _usage(usage: _Usage) -> Usage:
    return Usage(
        input_tokens=usage.input_tokens,
        cached_input_tokens=usage.input_tokens_details and usage.input_tokens_details.cached_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.output_tokens_details and usage.output_tokens_details.reasoning_tokens,
    )

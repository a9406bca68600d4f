"""The chat completions API: how a turn is asked for and read.

Responses are read as they came over the wire and not through the client's types: those do not check what they
hold, and messages go back to the endpoint exactly as it sent them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from benchmark.agents.agent import EndpointError, Task
from benchmark.agents.endpoint_turn import Call, Details, Item, Offer, Turn, invalid, json_schema, tool_fields
from benchmark.models import ModelEntry
from benchmark.tools.toolbox import Tool
from evaluation.episode import Finish, Usage


class _Function(BaseModel):
    name: str
    arguments: str


class _ToolCall(BaseModel):
    id: str
    function: _Function


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    prompt_tokens_details: Details | None = None
    completion_tokens: int | None = None
    completion_tokens_details: Details | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class ChatCompletions:
    """`POST /chat/completions`."""

    def opening(self, task: Task) -> list[Item]:
        """The transcript before the first turn."""
        return [{"role": "system", "content": task.system_prompt}, {"role": "user", "content": task.text}]

    def tool(self, tool: Tool) -> Item:
        """The definition of a tool."""
        function: Item = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        return {"type": "function", "function": function}

    def request(self, entry: ModelEntry, transcript: Sequence[Item], offer: Offer) -> dict[str, Any]:
        """The fields of a request, without optional parameters."""
        fields: dict[str, Any] = {"model": entry.model, "messages": list(transcript), **tool_fields(entry, offer)}
        if offer.schema is not None:
            fields["response_format"] = {"type": "json_schema", "json_schema": json_schema(offer.schema)}
        return fields

    def sender(self, client: Any) -> Callable[..., Any]:
        """The client's function that takes the fields of a request and returns the raw response."""
        sender: Callable[..., Any] = client.chat.completions.with_raw_response.create
        return sender

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        try:
            completion = _Completion.model_validate(body)
        except ValidationError as error:
            raise invalid(error) from None
        choice = completion.choices[0]
        message = choice.message
        calls = tuple(Call(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or ())
        finish = _finish(choice)
        return Turn(
            items=({"role": "assistant", **body["choices"][0]["message"]},),
            calls=calls if finish is None else (),
            text=message.refusal or message.content or "",
            finish=finish,
            usage=_usage(completion.usage or _Usage()),
        )

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        return {"role": "tool", "tool_call_id": call.call_id, "content": text}


def _finish(choice: _Choice) -> Finish | None:
    if choice.message.refusal is not None:
        return Finish.REFUSAL
    match choice.finish_reason:
        case "content_filter":
            return Finish.REFUSAL
        case "length":  # also amid tool calls, whose arguments are then cut off
            return Finish.LENGTH
        case None | "stop" | "tool_calls" | "function_call":
            # Some servers say "stop" and call tools, so the calls decide.
            return None if choice.message.tool_calls else Finish.STOP
        case other:
            raise EndpointError(f"the response has the unknown finish reason {other!r}")


def _usage(usage: _Usage) -> Usage:
    return Usage(
        input_tokens=usage.prompt_tokens,
        cached_input_tokens=usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens,
        output_tokens=usage.completion_tokens,
        reasoning_tokens=usage.completion_tokens_details and usage.completion_tokens_details.reasoning_tokens,
    )

"""The chat completions API: how a turn is asked for and read.

Responses are read as they came over the wire and not through the client's types: those do not check what they
hold, and messages go back to the endpoint as it sent them. What the model got wrong in them is no fault of the
endpoint, so calls may hold anything.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from mpcbench.benchmark.agents.endpoint.finishes import NO_CALLS, finish_of, promises_calls
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
from mpcbench.benchmark.agents.protocol import Task
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.schema.episode import Finish, Usage


class _Message(BaseModel):
    content: str | list[str | dict[str, Any]] | None = None
    refusal: str | None = None
    tool_calls: list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        if not isinstance(self.content, list):
            return self.content or ""
        texts = [part if isinstance(part, str) else part.get("text") for part in self.content]
        return "".join(text for text in texts if isinstance(text, str))

    @property
    def typed(self) -> bool:
        """Whether the parts of the content, if any, are of the kind that can be sent."""
        parts = self.content if isinstance(self.content, list) else []
        return all(
            isinstance(part, dict) and isinstance(part.get("type"), str) and isinstance(part.get("text", ""), str)
            for part in parts
        )


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: Tokens = None
    prompt_tokens_details: Annotated[Details | None, LENIENT] = None
    completion_tokens: Tokens = None
    completion_tokens_details: Annotated[Details | None, LENIENT] = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: Annotated[_Usage | None, LENIENT] = None


class ChatCompletions:
    """`POST /chat/completions`."""

    def path(self, model: str) -> str:  # noqa: ARG002
        """Where it is, below the base URL."""
        return "/chat/completions"

    def headers(self, key: str) -> None:
        """The openai package knows what authorises a request."""

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

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        body = _with_message(body)
        try:
            completion = _Completion.model_validate(body)
        except ValidationError as error:
            raise invalid(error) from None
        choice = completion.choices[0]
        message = choice.message
        check_number(message.tool_calls or ())
        calls = _calls(message)
        finish = _finish(choice)
        text = message.refusal or message.text
        promised = finish is Finish.STOP and promises_calls(choice.finish_reason) and not text.strip()
        return Turn(
            items=(_item(body["choices"][0]["message"], message, calls),),
            calls=calls if finish is None else (),
            text=text,
            finish=None if promised else finish,
            usage=_usage(completion.usage or _Usage()),
            problem=NO_CALLS if promised else None,
        )

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        return {"role": "tool", "tool_call_id": call.call_id, "content": text}


def _with_message(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body with its first choice alone, and with an empty message where that gives only the reason why.

    A call as it was written before there were several in a message becomes the message's only one.
    """
    match body.get("choices"):
        case [dict() as choice, *_] if choice.get("message") is None and choice.get("finish_reason"):
            return {**body, "choices": [{**choice, "message": {}}]}
        case [{"message": {"function_call": dict() as function, **message}} as choice, *_] if not message.get(
            "tool_calls"
        ):
            message["tool_calls"] = [{"type": "function", "function": function}]
            return {**body, "choices": [{**choice, "message": message}]}
        case [choice, *_]:
            return {**body, "choices": [choice]}
    return body


def _calls(message: _Message) -> tuple[Call, ...]:
    calls: dict[str, Call] = {}
    for raw in message.tool_calls or ():
        function = _function(raw)
        call = call_of(raw.get("id"), function.get("name"), function.get("arguments"), calls)
        calls[call.call_id] = call
    return tuple(calls.values())


def _function(raw: Mapping[str, Any]) -> dict[str, Any]:
    function = raw.get("function")
    return function if isinstance(function, dict) else {}


def _item(raw: Mapping[str, Any], message: _Message, calls: Sequence[Call]) -> Item:
    """The message for the transcript, with what an endpoint may have added of its own."""
    item: Item = {"role": "assistant"} | dict(raw) | {"role": "assistant"}
    if not message.typed:
        item["content"] = message.text
    item.pop("tool_calls", None)
    if calls:
        item["tool_calls"] = [
            {
                **one,
                "id": call.call_id,
                "type": "function",
                "function": {
                    **_function(one),
                    "name": sendable_name(call.name),
                    "arguments": sendable_arguments(call.arguments),
                },
            }
            for one, call in zip(message.tool_calls or (), calls, strict=True)
        ]
    elif message.content is None and message.refusal is None:
        item["content"] = ""  # without calls there has to be one
    return item


def _finish(choice: _Choice) -> Finish | None:
    if choice.message.refusal:  # some servers say "" where there is none
        return Finish.REFUSAL
    finish = finish_of(choice.finish_reason, choice.message.text)
    # A message can also be cut off within tool calls. Some servers say "stop" and call tools, so the calls decide.
    return None if finish is Finish.STOP and choice.message.tool_calls else finish


def _usage(usage: _Usage) -> Usage:
    return Usage(
        input_tokens=usage.prompt_tokens,
        cached_input_tokens=usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens,
        output_tokens=usage.completion_tokens,
        reasoning_tokens=usage.completion_tokens_details and usage.completion_tokens_details.reasoning_tokens,
    )

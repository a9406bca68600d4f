"""The server's side of the chat completions API."""

import json
from collections.abc import Mapping
from typing import Any

from mpcbench.benchmark.practice_endpoint.brains import Conversation, Exchange, ModelTurn, OfferedTool, RejectedError
from mpcbench.benchmark.practice_endpoint.requests import (
    check_fields,
    check_tool_fields,
    messages_of,
    offered_tool,
    schema_of,
    texts_of,
)

_FIELDS = {
    "model": str,
    "messages": list,
    "tools": list,
    "temperature": int | float,
    "top_p": int | float,
    "seed": int,
    "stop": str | list,
    "service_tier": str,
    "max_completion_tokens": int,
    "reasoning_effort": str,
    "parallel_tool_calls": bool,
    "tool_choice": str,
    "response_format": dict,
    "stream": bool,
    "stream_options": dict,
}


def read(body: Mapping[str, Any]) -> Conversation:
    """Validate a request; raises `RejectedError`."""
    check_fields(body, _FIELDS, required=("model", "messages"))
    if "stream_options" in body and not body.get("stream"):
        raise RejectedError("The 'stream_options' parameter is only allowed when 'stream' is enabled.")
    exchanges: list[Exchange] = []
    turns = 0
    waiting: dict[str, tuple[str, Any]] = {}
    for index, message in enumerate(body["messages"]):
        role = message.get("role")
        if role == "tool":
            call_id = message.get("tool_call_id")
            if call_id not in waiting:
                raise RejectedError(
                    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
                )
            exchanges.append(Exchange(*waiting.pop(call_id), turn=turns, result=message["content"]))
            continue
        _check_answered(waiting)
        if role == "assistant":
            turns += 1
            waiting = {call["id"]: _written(call) for call in message.get("tool_calls") or ()}
        elif role not in {"system", "developer", "user"}:
            raise RejectedError(f"Invalid value: {role!r} for messages[{index}].role")
    _check_answered(waiting)
    system, user = texts_of(body["messages"])
    tools = tuple(_tool(tool) for tool in body.get("tools", ()))
    return Conversation(
        system,
        user,
        tools,
        tuple(exchanges),
        turns,
        messages=messages_of(body["messages"]),
        may_call=check_tool_fields(body, "tool_choice", "parallel_tool_calls"),
        schema=_schema(body.get("response_format")),
    )


def write(turn: ModelTurn, conversation: Conversation, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of the response."""
    number = conversation.turns + 1
    message: dict[str, Any] = {"role": "assistant", "content": turn.text, "refusal": turn.refusal, "annotations": []}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for index, call in enumerate(turn.calls)
        ]
    complete = "tool_calls" if turn.calls else "stop"
    response: dict[str, Any] = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "logprobs": None,
                "finish_reason": complete if turn.stop == "complete" else turn.stop,
            }
        ],
    }
    if turn.tokens:
        response["usage"] = {
            "prompt_tokens": turn.tokens.input,
            "completion_tokens": turn.tokens.output,
            "total_tokens": turn.tokens.input + turn.tokens.output,
            "prompt_tokens_details": {"cached_tokens": turn.tokens.cached, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": turn.tokens.reasoning, "audio_tokens": 0},
        }
    return response


def events(response: Mapping[str, Any], body: Mapping[str, Any]) -> bytes:
    """A response as the server-sent events of a stream: the message as a whole, why it ended, and the usage if asked for."""
    (choice,) = response["choices"]
    shared = {name: response[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    calls = [{"index": index, **call} for index, call in enumerate(choice["message"].get("tool_calls", ()))]
    said = {name: value for name, value in choice["message"].items() if name != "tool_calls"}
    delta = {**said, "tool_calls": calls} if calls else said
    ended = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}, {"choices": [ended]}]
    if (body.get("stream_options") or {}).get("include_usage") and "usage" in response:
        chunks.append({"choices": [], "usage": response["usage"]})
    texts = [*(json.dumps({**shared, **chunk}) for chunk in chunks), "[DONE]"]
    return "".join(f"data: {text}\n\n" for text in texts).encode()


def _check_answered(waiting: Mapping[str, Any]) -> None:
    if waiting:
        missing = ", ".join(waiting)
        raise RejectedError(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {missing}"
        )


def _schema(response_format: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    match response_format:
        case None | {"type": "text"}:
            return None
        case {"type": "json_schema", "json_schema": dict(output_format)} if "type" not in output_format:
            return schema_of(output_format, "response_format.json_schema")
    raise RejectedError("Invalid value for 'response_format'.")


def _written(call: Mapping[str, Any]) -> tuple[str, Any]:
    return call["function"]["name"], call["function"]["arguments"]


def _tool(tool: Mapping[str, Any]) -> OfferedTool:
    if tool.get("type") != "function" or tool.keys() - {"type", "function"}:
        raise RejectedError("Invalid value: tools[].type")
    return offered_tool(tool["function"])

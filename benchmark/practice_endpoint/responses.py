"""The server's side of the responses API.

An item's ID encodes its turn and whether reasoning preceded it, so that requests are checked without state: `rs_2`
is the reasoning of turn 2, `fc_2_0_r` a call that needs it.
"""

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
    "input": list,
    "store": bool,
    "include": list,
    "tools": list,
    "temperature": int | float,
    "top_p": int | float,
    "service_tier": str,
    "max_output_tokens": int,
    "reasoning": dict,
    "parallel_tool_calls": bool,
    "tool_choice": str,
    "text": dict,
}
_SEALED = "reasoning.encrypted_content"


def read(body: Mapping[str, Any]) -> Conversation:
    """Validate a request; raises `RejectedError`."""
    check_fields(body, _FIELDS, required=("model", "input"))
    turns = 0
    reasoning: set[str] = set()
    calls: dict[str, tuple[str, Any, int]] = {}
    results: dict[str, str] = {}
    for item in body["input"]:
        kind = item.get("type", "message")
        item_id = item.get("id")
        if item_id:
            turns = max(turns, int(item_id.split("_")[1]))
        _check_reasoned(kind, item_id, reasoning)
        if kind == "reasoning":
            _check_sealed(item, stored=body.get("store", True))
            reasoning.add(item["id"])
        elif kind == "function_call":
            calls[item["call_id"]] = (item["name"], item["arguments"], turns)
        elif kind == "function_call_output":
            if item.get("call_id") not in calls:
                raise RejectedError(f"No tool call found for function call output with call_id {item.get('call_id')}.")
            results[item["call_id"]] = item["output"]
        elif kind != "message":
            raise RejectedError(f"Invalid value: {kind!r}")
    for call_id in calls:
        if call_id not in results:
            raise RejectedError(f"No tool output found for function call {call_id}.")
    system, user = texts_of(body["input"])
    exchanges = tuple(Exchange(*calls[call_id], result=result) for call_id, result in results.items())
    return Conversation(
        system,
        user,
        tuple(_tool(tool) for tool in body.get("tools", ())),
        exchanges,
        turns,
        messages=messages_of(body["input"]),
        may_call=check_tool_fields(body, "tool_choice"),
        schema=_schema(body.get("text")),
    )


def write(turn: ModelTurn, conversation: Conversation, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of the response."""
    number = conversation.turns + 1
    suffix = "_r" if turn.reasons else ""
    output: list[dict[str, Any]] = []
    if turn.reasons:
        item: dict[str, Any] = {"id": f"rs_{number}", "type": "reasoning", "summary": []}
        output.append({**item, "encrypted_content": _seal(item)} if _SEALED in body.get("include", ()) else item)
    parts: list[dict[str, Any]] = []
    if turn.text is not None:
        parts.append({"type": "output_text", "text": turn.text, "annotations": []})
    if turn.refusal is not None:
        parts.append({"type": "refusal", "refusal": turn.refusal})
    status = "completed" if turn.stop == "complete" else "incomplete"
    if parts:
        message = {"id": f"msg_{number}_0{suffix}", "type": "message", "role": "assistant"}
        output.append({**message, "status": status, "content": parts})
    output += [
        {
            "id": f"fc_{number}_{index}{suffix}",
            "type": "function_call",
            "status": status,
            "call_id": f"call_{number}_{index}",
            "name": call.name,
            "arguments": call.arguments,
        }
        for index, call in enumerate(turn.calls)
    ]
    reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(turn.stop)
    response: dict[str, Any] = {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_800_000_000,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": body["model"],
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": body.get("tools", []),
    }
    if turn.tokens:
        response["usage"] = {
            "input_tokens": turn.tokens.input,
            "input_tokens_details": {"cached_tokens": turn.tokens.cached},
            "output_tokens": turn.tokens.output,
            "output_tokens_details": {"reasoning_tokens": turn.tokens.reasoning},
            "total_tokens": turn.tokens.input + turn.tokens.output,
        }
    return response


def _seal(item: Mapping[str, Any]) -> str:
    return f"sealed:{item['id']}"


def _check_sealed(item: Mapping[str, Any], *, stored: bool) -> None:
    if not stored and "encrypted_content" not in item:
        raise RejectedError(
            f"Item with id '{item['id']}' not found. Items are not persisted when `store` is set to false.", status=404
        )
    if item.get("encrypted_content", _seal(item)) != _seal(item):
        raise RejectedError(f"The encrypted content for item {item['id']} could not be verified.")


def _check_reasoned(kind: str, item_id: str | None, reasoning: set[str]) -> None:
    if item_id and item_id.endswith("_r"):
        needed = f"rs_{item_id.split('_')[1]}"
        if needed not in reasoning:
            raise RejectedError(
                f"Item '{item_id}' of type '{kind}' was provided without its required 'reasoning' item: '{needed}'."
            )


def _schema(text: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    match text:
        case None | {"format": {"type": "text"}}:
            return None
        case {"format": {"type": "json_schema"} as output_format}:
            return schema_of(output_format, "text.format")
    raise RejectedError("Invalid value for 'text.format'.")


def _tool(tool: Mapping[str, Any]) -> OfferedTool:
    if tool.get("type") != "function" or "function" in tool:
        raise RejectedError("Invalid value: tools[].type")
    return offered_tool(tool)

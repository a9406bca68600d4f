"""The server's side of Anthropic's messages API.

The ID of a call says which turn made it and whether thinking preceded it, so that requests are checked without state:
`toolu_2_0_t` is a call of turn 2 that must come back with the thinking of that turn and its signature.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from mpcbench.benchmark.practice_endpoint.brains import Conversation, Exchange, ModelTurn, OfferedTool, RejectedError
from mpcbench.benchmark.practice_endpoint.requests import check_fields, offered_tool

_FIELDS = {
    "model": str,
    "messages": list,
    "system": str,
    "max_tokens": int,
    "tools": list,
    "tool_choice": dict,
    "temperature": int | float,
    "top_p": int | float,
    "stop_sequences": list,
    "service_tier": str,
    "thinking": dict,
    "output_config": dict,
}
_STOPS = {"length": "max_tokens", "content_filter": "refusal"}
THOUGHT = "Let me think."


def read(body: Mapping[str, Any]) -> Conversation:
    """Validate a request; raises `RejectedError`."""
    check_fields(body, _FIELDS, required=("model", "messages", "max_tokens"))
    exchanges: list[Exchange] = []
    texts: list[tuple[str, str]] = [("system", body.get("system", ""))]
    turns = 0
    waiting: dict[str, tuple[str, str]] = {}
    for index, message in enumerate(body["messages"]):
        role, blocks = message.get("role"), _blocks(message, index)
        if role not in {"user", "assistant"}:
            raise RejectedError(f"messages: Unexpected role {role!r}.")
        results = {block["tool_use_id"]: block["content"] for block in blocks if block.get("type") == "tool_result"}
        if role == "user" and set(waiting) != set(results):
            raise RejectedError(
                "tool_use ids were found without tool_result blocks immediately after, or the other way round: "
                f"{', '.join(set(waiting) ^ set(results))}"
            )
        exchanges += [Exchange(*waiting[call_id], turn=turns, result=text) for call_id, text in results.items()]
        waiting = {}
        if role == "assistant":
            turns += 1
            _check_thinking(blocks)
            waiting = {
                block["id"]: (block["name"], json.dumps(block["input"]))
                for block in blocks
                if block.get("type") == "tool_use"
            }
        texts.append((role, "".join(block["text"] for block in blocks if block.get("type") == "text")))
    if waiting:
        raise RejectedError("tool_use ids were found without tool_result blocks immediately after")
    return Conversation(
        body.get("system", ""),
        next((text for role, text in texts if role == "user"), ""),
        tuple(_tool(tool) for tool in body.get("tools", ())),
        tuple(exchanges),
        turns,
        messages=tuple(texts),
        may_call=_may_call(body),
        schema=body.get("output_config", {}).get("format", {}).get("schema"),
    )


def write(turn: ModelTurn, conversation: Conversation, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of the response."""
    number = conversation.turns + 1
    content: list[dict[str, Any]] = []
    if turn.reasons:
        content.append({"type": "thinking", "thinking": THOUGHT, "signature": signature(number)})
    said = turn.text if turn.refusal is None else turn.refusal
    if said is not None:
        content.append({"type": "text", "text": said})
    suffix = "_t" if turn.reasons else ""
    content += [
        {
            "type": "tool_use",
            "id": f"toolu_{number}_{index}{suffix}",
            "name": call.name,
            "input": _input(call.arguments),
        }
        for index, call in enumerate(turn.calls)
    ]
    complete = "refusal" if turn.refusal is not None else "tool_use" if turn.calls else "end_turn"
    response: dict[str, Any] = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": _STOPS.get(turn.stop, complete),
        "stop_sequence": None,
    }
    if turn.tokens:
        response["usage"] = {
            "input_tokens": turn.tokens.input - turn.tokens.cached,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": turn.tokens.cached,
            "output_tokens": turn.tokens.output,
            "output_tokens_details": {"thinking_tokens": turn.tokens.reasoning},
        }
    return response


def signature(turn: int | str) -> str:
    """What the thoughts of a turn are signed with; Gemini's are Base64."""
    return b64encode(f"signed:{turn}".encode()).decode()


def _blocks(message: Mapping[str, Any], index: int) -> list[dict[str, Any]]:
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list) or not blocks:
        raise RejectedError(f"messages.{index}: all messages must have non-empty content")
    if any(block.get("type") == "text" and not block["text"].strip() for block in blocks):
        raise RejectedError("messages: text content blocks must contain non-whitespace text")
    return blocks


def _check_thinking(blocks: list[dict[str, Any]]) -> None:
    signatures = {block.get("signature") for block in blocks if block.get("type") == "thinking"}
    for block in blocks:
        call_id = block.get("id", "")
        if call_id.endswith("_t") and signature(call_id.split("_")[1]) not in signatures:
            raise RejectedError("Expected `thinking` or `redacted_thinking` before `tool_use`, with its signature.")


def _may_call(body: Mapping[str, Any]) -> bool:
    choice = body.get("tool_choice", {"type": "auto"})
    if "tool_choice" in body and "tools" not in body:
        raise RejectedError("tool_choice may only be specified while providing tools.")
    if choice.get("type") not in {"auto", "any", "none"}:
        raise RejectedError(f"tool_choice: Invalid type {choice.get('type')!r}.")
    return bool(choice["type"] != "none")


def _tool(tool: Mapping[str, Any]) -> OfferedTool:
    if tool.keys() - {"name", "description", "input_schema"}:
        raise RejectedError("tools: Extra inputs are not permitted")
    return offered_tool({**tool, "parameters": tool.get("input_schema", {})})


def _input(arguments: Any) -> Any:
    """The arguments as an object; as they are where they are none, which no real server sends."""
    try:
        return json.loads(arguments or "{}")
    except (TypeError, ValueError):
        return arguments

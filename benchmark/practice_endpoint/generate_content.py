"""The server's side of Gemini's generateContent API.

The ID of a call says which turn made it and whether a thought preceded it, so that requests are checked without state:
`call_2_0_t` is a call of turn 2 whose content must come back with the signature of its first call.
"""

import json
from collections.abc import Mapping
from typing import Any

from mpcbench.benchmark.practice_endpoint.brains import Conversation, Exchange, ModelTurn, OfferedTool, RejectedError
from mpcbench.benchmark.practice_endpoint.messages import THOUGHT, signature
from mpcbench.benchmark.practice_endpoint.requests import check_fields, offered_tool

_FIELDS = {
    "contents": list,
    "systemInstruction": dict,
    "tools": list,
    "toolConfig": dict,
    "generationConfig": dict,
    "safetySettings": list,
}
_SCHEMA = ("parametersJsonSchema", "parameters_json_schema")
"""The API takes either spelling of each field; Google's package uses both."""

_STOPS = {"length": "MAX_TOKENS", "content_filter": "SAFETY"}


def read(body: Mapping[str, Any]) -> Conversation:
    """Validate a request; raises `RejectedError`."""
    check_fields(body, _FIELDS, required=("contents",))
    system = "".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", ()))
    exchanges: list[Exchange] = []
    texts: list[tuple[str, str]] = [("system", system)]
    turns = 0
    waiting: list[tuple[str, str]] = []
    for content in body["contents"]:
        role, parts = content.get("role"), content.get("parts")
        if role not in {"user", "model"}:
            raise RejectedError("Please use a valid role: user, model.")
        if not parts or not all(part.keys() & {"text", "functionCall", "functionResponse"} for part in parts):
            raise RejectedError("* GenerateContentRequest.contents.parts: contents.parts must not be empty.")
        results = [part["functionResponse"] for part in parts if "functionResponse" in part]
        if [result["name"] for result in results] != [name for name, _ in waiting]:
            raise RejectedError(
                "Please ensure that the number of function response parts is equal to the number of function call parts "
                "of the function call turn."
            )
        exchanges += [
            Exchange(*called, turn=turns, result=result["response"]["output"])
            for called, result in zip(waiting, results, strict=True)
        ]
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        waiting = [(call["name"], json.dumps(call.get("args", {}))) for call in calls]
        if role == "model":
            turns += 1
            _check_signature(parts)
        texts.append((role, "".join(part.get("text", "") for part in parts if not part.get("thought"))))
    if waiting:
        raise RejectedError("Please ensure that function call turn comes immediately before a function response turn.")
    mode = body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode", "AUTO")
    return Conversation(
        system,
        next((text for role, text in texts if role == "user"), ""),
        tuple(_tool(one) for tools in body.get("tools", ()) for one in tools["functionDeclarations"]),
        tuple(exchanges),
        turns,
        messages=tuple(("assistant" if role == "model" else role, text) for role, text in texts),
        may_call=mode != "NONE",
        schema=body.get("generationConfig", {}).get("responseJsonSchema"),
    )


def write(turn: ModelTurn, conversation: Conversation, body: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """The body of the response."""
    number = conversation.turns + 1
    parts: list[dict[str, Any]] = [{"text": THOUGHT, "thought": True}] if turn.reasons else []
    said = turn.text if turn.refusal is None else turn.refusal
    if said:
        parts.append({"text": said})
    suffix = "_t" if turn.reasons else ""
    calls: list[dict[str, Any]] = [
        {"functionCall": {"id": f"call_{number}_{index}{suffix}", "name": call.name, "args": _args(call.arguments)}}
        for index, call in enumerate(turn.calls)
    ]
    if turn.reasons and calls:
        calls[0]["thoughtSignature"] = signature(number)
    candidate: dict[str, Any] = {
        "content": {"role": "model", "parts": parts + calls},
        "finishReason": _STOPS.get(turn.stop, "STOP" if turn.refusal is None else "PROHIBITED_CONTENT"),
        "index": 0,
    }
    response: dict[str, Any] = {"candidates": [candidate], "responseId": f"response_{number}"}
    if turn.tokens:
        response["usageMetadata"] = {
            "promptTokenCount": turn.tokens.input,
            "cachedContentTokenCount": turn.tokens.cached,
            "candidatesTokenCount": turn.tokens.output - turn.tokens.reasoning,
            "thoughtsTokenCount": turn.tokens.reasoning,
            "totalTokenCount": turn.tokens.input + turn.tokens.output,
        }
    return response


def _check_signature(parts: list[dict[str, Any]]) -> None:
    called = [part for part in parts if "functionCall" in part]
    for part in called:
        call_id = part["functionCall"].get("id", "")
        if call_id.endswith("_t") and called[0].get("thoughtSignature") != signature(call_id.split("_")[1]):
            raise RejectedError("Function call is missing a thought_signature in functionCall parts.")


def _tool(function: Mapping[str, Any]) -> OfferedTool:
    if function.keys() - {"name", "description", *_SCHEMA}:
        raise RejectedError("Invalid JSON payload received. Unknown name at 'tools[0].function_declarations[0]'")
    schemas = [function[name] for name in _SCHEMA if name in function]
    return offered_tool({**function, "parameters": schemas[0] if schemas else {}})


def _args(arguments: Any) -> Any:
    """The arguments as an object; as they are where they are none, which no real server sends."""
    try:
        return json.loads(arguments or "{}")
    except (TypeError, ValueError):
        return arguments

"""Gemini's generateContent API: how a turn is asked for and read.

A content of the model goes back part by part as it came, thoughts and their signatures included: the API refuses a call
without the signature that it came with. The texts of the benchmark are kept in the transcript as in the APIs of OpenAI.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from mpcbench.benchmark.agents.endpoint.finishes import finish_of
from mpcbench.benchmark.agents.endpoint.model_calls import call_of, sendable_arguments, sendable_name
from mpcbench.benchmark.agents.endpoint.models import ModelEntry
from mpcbench.benchmark.agents.endpoint.turn import (
    LENIENT,
    Call,
    Item,
    Offer,
    Tokens,
    Turn,
    check_number,
    in_turns,
    invalid,
)
from mpcbench.benchmark.agents.protocol import EndpointError, Task
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.schema.episode import Finish, Usage


class _Camel(BaseModel):
    """What the API names in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class _Content(_Camel):
    parts: list[dict[str, Any]] | None = None


class _Candidate(_Camel):
    content: _Content | None = None
    finish_reason: str | None = None


class _Feedback(_Camel):
    block_reason: str | None = None


class _Usage(_Camel):
    """The counts, of which the API leaves out those that are 0."""

    prompt_token_count: Tokens = 0
    tool_use_prompt_token_count: Tokens = 0
    cached_content_token_count: Tokens = 0
    candidates_token_count: Tokens = 0
    thoughts_token_count: Tokens = 0


class _Response(_Camel):
    candidates: list[_Candidate] = []
    prompt_feedback: Annotated[_Feedback | None, LENIENT] = None
    usage_metadata: Annotated[_Usage | None, LENIENT] = None


class GenerateContent:
    """`POST /models/MODEL:generateContent`."""

    def path(self, model: str) -> str:
        """Where it is, below the base URL."""
        return f"/models/{quote(model, safe='')}:generateContent"

    def headers(self, key: str) -> dict[str, str]:
        """What authorises a request."""
        return {"x-goog-api-key": key}

    def opening(self, task: Task) -> list[Item]:
        """The transcript before the first turn."""
        return [{"role": "system", "content": task.system_prompt}, {"role": "user", "content": task.text}]

    def tool(self, tool: Tool) -> Item:
        """The definition of a tool."""
        return {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}

    def request(self, entry: ModelEntry, transcript: Sequence[Item], offer: Offer) -> dict[str, Any]:  # noqa: ARG002
        """The fields of a request, without optional parameters."""
        turns = in_turns((_role(item), _parts(item)) for item in transcript if item["role"] != "system")
        system: list[JsonValue] = [{"text": item["content"]} for item in transcript if item["role"] == "system"]
        fields: dict[str, Any] = {
            "contents": [{"role": role, "parts": parts} for role, parts in turns],
            "systemInstruction": {"parts": system},
        }
        if offer.tools:
            fields["tools"] = [{"functionDeclarations": list(offer.tools)}]
            if not offer.may_call:
                fields["toolConfig"] = {"functionCallingConfig": {"mode": "NONE"}}
        if offer.schema is not None:
            fields["generationConfig"] = {
                "responseMimeType": "application/json",
                "responseJsonSchema": dict(offer.schema),
            }
        return fields

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        try:
            response = _Response.model_validate(body)
        except ValidationError as error:
            raise invalid(error) from None
        usage = Usage() if response.usage_metadata is None else _usage(response.usage_metadata)
        if not response.candidates:
            if response.prompt_feedback is None or response.prompt_feedback.block_reason is None:
                raise EndpointError("the response does not fit the protocol: candidates: there are none")
            return Turn(items=(), calls=(), text="", finish=Finish.REFUSAL, usage=usage)
        candidate = response.candidates[0]
        if candidate.content is None and candidate.finish_reason is None:
            raise EndpointError(
                "the response does not fit the protocol: candidates.0: neither content nor finishReason"
            )
        parts = (candidate.content and candidate.content.parts) or []
        check_number(parts)
        text = "".join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))
        calls = _calls(parts)
        finish: Finish | None = finish_of(candidate.finish_reason, text)
        if finish is Finish.STOP and calls:
            finish = None
        content = body["candidates"][0].get("content") or {}
        return Turn(
            items=({**content, "role": "model", "parts": _sendable(parts, calls)},),
            calls=calls if finish is None else (),
            text=text,
            finish=finish,
            usage=usage,
        )

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        response: dict[str, JsonValue] = {"name": sendable_name(call.name), "response": {"output": text}}
        if call.call_id:
            response["id"] = call.call_id
        return {"role": "user", "parts": [{"functionResponse": response}]}


def _role(item: Item) -> str:
    return "model" if item["role"] in {"model", "assistant"} else "user"


def _parts(item: Item) -> list[JsonValue]:
    parts = item.get("parts", [{"text": item.get("content")}])
    return parts if isinstance(parts, list) else []


def _function(part: Mapping[str, Any]) -> dict[str, Any] | None:
    function = part.get("functionCall")
    return function if isinstance(function, dict) else None


def _calls(parts: Sequence[Mapping[str, Any]]) -> tuple[Call, ...]:
    """The calls; without an ID where they came without one, as the API then matches results by their order."""
    calls: list[Call] = []
    for part in parts:
        function = _function(part)
        if function is not None:
            taken = {call.call_id for call in calls}
            call = call_of(function.get("id"), function.get("name"), function.get("args"), taken)
            calls.append(call if function.get("id") else replace(call, call_id=""))
    return tuple(calls)


def _sendable(parts: Sequence[dict[str, Any]], calls: Sequence[Call]) -> list[JsonValue]:
    """The parts as received, but for what no function could be called by."""
    waiting = iter(calls)
    kept: list[JsonValue] = []
    for part in parts:
        function = _function(part)
        if function is None:
            kept.append(part)
            continue
        call = next(waiting)
        sent = {**function, "name": sendable_name(call.name)}
        if call.arguments:
            sent["args"] = json.loads(sendable_arguments(call.arguments))
        if call.call_id:
            sent["id"] = call.call_id
        kept.append({**part, "functionCall": sent})
    return kept


def _usage(usage: _Usage) -> Usage:
    prompt, tools = usage.prompt_token_count, usage.tool_use_prompt_token_count
    said, thought = usage.candidates_token_count, usage.thoughts_token_count
    return Usage(
        input_tokens=None if prompt is None or tools is None else prompt + tools,
        cached_input_tokens=usage.cached_content_token_count,
        output_tokens=None if said is None or thought is None else said + thought,
        reasoning_tokens=thought,
    )

"""Anthropic's messages API: how a turn is asked for and read.

A message of the model goes back as it came, thinking and its signatures included: the API refuses the result of a call
without the thinking that led to it. The texts of the benchmark are kept in the transcript as in the APIs of OpenAI.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, JsonValue, ValidationError

from mpcbench.benchmark.agents.endpoint.finishes import NO_CALLS, finish_of, promises_calls
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
from mpcbench.benchmark.agents.protocol import Task
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.schema.episode import Finish, Usage


class _OutputDetails(BaseModel):
    thinking_tokens: Tokens = None


class _Usage(BaseModel):
    input_tokens: Tokens = None
    cache_creation_input_tokens: Tokens = None
    cache_read_input_tokens: Tokens = None
    output_tokens: Tokens = None
    output_tokens_details: Annotated[_OutputDetails | None, LENIENT] = None


class _Message(BaseModel):
    content: str | list[dict[str, Any]]
    stop_reason: str | None = None
    usage: Annotated[_Usage | None, LENIENT] = None

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return [{"type": "text", "text": self.content}] if isinstance(self.content, str) else self.content


class Messages:
    """`POST /messages`."""

    def path(self, model: str) -> str:  # noqa: ARG002
        """Where it is, below the base URL."""
        return "/messages"

    def headers(self, key: str) -> dict[str, str]:
        """What authorises a request, and the version of the API: the last one with sampling parameters."""
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def opening(self, task: Task) -> list[Item]:
        """The transcript before the first turn."""
        return [{"role": "system", "content": task.system_prompt}, {"role": "user", "content": task.text}]

    def tool(self, tool: Tool) -> Item:
        """The definition of a tool."""
        return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}

    def request(self, entry: ModelEntry, transcript: Sequence[Item], offer: Offer) -> dict[str, Any]:
        """The fields of a request, without optional parameters."""
        turns = in_turns(
            (str(item["role"]), _blocks(item["content"])) for item in transcript if item["role"] != "system"
        )
        fields: dict[str, Any] = {
            "model": entry.model,
            "messages": [{"role": role, "content": blocks} for role, blocks in turns],
            "system": "\n\n".join(str(item["content"]) for item in transcript if item["role"] == "system"),
        }
        if offer.tools:
            fields["tools"] = list(offer.tools)
            if not offer.may_call:
                fields["tool_choice"] = {"type": "none"}
            elif entry.parallel_tool_calls is not None:
                fields["tool_choice"] = {
                    "type": "auto",
                    "disable_parallel_tool_use": not entry.parallel_tool_calls,
                }
        if offer.schema is not None:
            fields["output_config"] = {"format": {"type": "json_schema", "schema": dict(offer.schema)}}
        return fields

    def read(self, body: Mapping[str, Any]) -> Turn:
        """The turn that a response holds; raises `EndpointError` where it holds none."""
        try:
            message = _Message.model_validate(body)
        except ValidationError as error:
            raise invalid(error) from None
        blocks = message.blocks
        check_number(blocks)
        text = "".join(block["text"] for block in blocks if _is_text(block))
        calls = _calls(blocks)
        finish: Finish | None = finish_of(message.stop_reason, text)
        promised = finish is Finish.STOP and not calls and promises_calls(message.stop_reason) and not text.strip()
        if finish is Finish.STOP and (calls or promised):
            finish = None
        return Turn(
            items=({"role": "assistant", "content": _sendable(blocks, calls)},),
            calls=calls if finish is None else (),
            text=text,
            finish=finish,
            usage=_usage(message.usage or _Usage()),
            problem=NO_CALLS if promised else None,
        )

    def result(self, call: Call, text: str) -> Item:
        """The result of a call, for the transcript."""
        result: JsonValue = {"type": "tool_result", "tool_use_id": call.call_id, "content": text}
        return {"role": "user", "content": [result]}


def _blocks(content: JsonValue) -> list[JsonValue]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _is_text(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "text" and isinstance(block.get("text"), str)


def _calls(blocks: Sequence[Mapping[str, Any]]) -> tuple[Call, ...]:
    calls: dict[str, Call] = {}
    for block in blocks:
        if block.get("type") == "tool_use":
            call = call_of(block.get("id"), block.get("name"), block.get("input"), calls)
            calls[call.call_id] = call
    return tuple(calls.values())


def _sendable(blocks: Sequence[dict[str, Any]], calls: Sequence[Call]) -> list[JsonValue]:
    """The blocks as received, but for empty texts, which the API refuses, and for what no tool could be called by."""
    waiting = iter(calls)
    kept: list[JsonValue] = []
    for block in blocks:
        if block.get("type") == "tool_use":
            call = next(waiting)
            given = json.loads(sendable_arguments(call.arguments))
            kept.append({**block, "id": call.call_id, "name": sendable_name(call.name), "input": given})
        elif not (_is_text(block) and not block["text"].strip()):
            kept.append(block)
    return kept


def _usage(usage: _Usage) -> Usage:
    """All input, of which the API counts what comes from its cache and what goes there apart."""
    parts = (usage.input_tokens, usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0)
    return Usage(
        input_tokens=None if usage.input_tokens is None else sum(part for part in parts if part is not None),
        cached_input_tokens=usage.cache_read_input_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.output_tokens_details and usage.output_tokens_details.thinking_tokens,
    )

"""Validation of requests that both APIs share."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Any

from mpcbench.benchmark.practice_endpoint.brains import OfferedTool, RejectedError

Fields = Mapping[str, type | UnionType]


def check_fields(body: Mapping[str, Any], fields: Fields, *, required: Iterable[str]) -> None:
    """Reject unknown, missing, mistyped and empty fields; raises `RejectedError`."""
    for name in required:
        if name not in body:
            raise RejectedError(f"Missing required parameter: '{name}'.")
    for name, value in body.items():
        if name not in fields:
            raise RejectedError(f"Unknown parameter: '{name}'.")
        if not isinstance(value, fields[name]):
            raise RejectedError(f"Invalid type for '{name}': got {type(value).__name__}.")
        if value == []:
            raise RejectedError(f"Invalid '{name}': empty array. Expected an array with minimum length 1.")


def offered_tool(function: Mapping[str, Any]) -> OfferedTool:
    """Validate a tool's definition; raises `RejectedError`."""
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function.get("name", "")):
        raise RejectedError("Invalid 'tools[].function.name'")
    if function.get("parameters", {}).get("type") != "object":
        raise RejectedError(f"Invalid schema for function '{function['name']}': not of type 'object'")
    return OfferedTool(function["name"], function.get("description", ""), function["parameters"])


def messages_of(messages: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    """The role and the text of every message, in order."""
    return tuple((message["role"], _text(message.get("content"))) for message in messages if "role" in message)


def texts_of(messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The first system text, also where it is called the developer's, and the first user text."""
    texts = dict(reversed(messages_of(messages)))
    return texts.get("system", texts.get("developer", "")), texts.get("user", "")


def check_tool_fields(body: Mapping[str, Any], *needing_tools: str) -> bool:
    """Reject invalid fields about tools; returns whether the model may call tools."""
    for name in needing_tools:
        if name in body and "tools" not in body:
            raise RejectedError(f"'{name}' is only allowed when 'tools' are specified.")
    choice = body.get("tool_choice", "auto")
    if choice not in {"none", "auto", "required"}:
        raise RejectedError(f"Invalid value: {choice!r}. Supported values are: 'none', 'auto', and 'required'.")
    return bool(choice != "none")


def schema_of(output_format: Mapping[str, Any], place: str) -> Mapping[str, Any] | None:
    """The JSON Schema to which a request constrains the text; rejects what the real endpoint rejects.

    Args:
        output_format: Its name, its schema and whether it is strict; the type is optional.
        place: The field of the request, for messages.
    """
    if unknown := output_format.keys() - {"type", "name", "description", "schema", "strict"}:
        raise RejectedError(f"Unknown parameter: '{place}.{min(unknown)}'.")
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", output_format.get("name", "")):
        raise RejectedError(f"Missing or invalid parameter: '{place}.name'.")
    schema = output_format.get("schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise RejectedError(f"Invalid schema for {place}: schema must be a JSON Schema of 'type: \"object\"'.")
    if output_format.get("strict") and "anyOf" in schema:
        raise RejectedError(f"Invalid schema for {place}: root schema must not be anyOf.")
    return schema


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""

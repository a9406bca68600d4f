"""What the server checks on both APIs alike."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Any

from unit_tests.endpoint_server.brains import OfferedTool, RejectedError

Fields = Mapping[str, type | UnionType]


def check_fields(body: Mapping[str, Any], fields: Fields, *, required: Iterable[str]) -> None:
    """Refuse unknown, missing, mistyped and empty fields."""
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
    """A tool's definition, checked."""
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function.get("name", "")):
        raise RejectedError("Invalid 'tools[].function.name'")
    if function.get("parameters", {}).get("type") != "object":
        raise RejectedError(f"Invalid schema for function '{function['name']}': not of type 'object'")
    return OfferedTool(function["name"], function.get("description", ""), function["parameters"])


def texts_of(messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The system's and the user's texts."""
    texts = {"system": "", "user": ""}
    for message in messages:
        if message.get("role") in texts:
            texts[message["role"]] = message["content"]
    return texts["system"], texts["user"]

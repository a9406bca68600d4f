"""What a person types for a tool's argument, as the value that the tool takes."""

import re
from collections.abc import Mapping
from typing import Any, Final

_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def kinds_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types that an argument may have."""
    return frozenset(str(one.get("type")) for one in schema.get("anyOf", (schema,)))


def hint_of(schema: Mapping[str, Any]) -> str:
    """What is said of an argument; empty if nothing is."""
    return next((one["description"] for one in (schema, *schema.get("anyOf", ())) if "description" in one), "")


def typed(schema: Mapping[str, Any], text: str) -> Any:
    """The value of a text for the argument: a list has commas between its items, and what is no number stays a text."""
    kinds = kinds_of(schema)
    if "array" in kinds:
        return [part for part in map(str.strip, text.split(",")) if part]
    return int(text) if "integer" in kinds and _NUMBER.fullmatch(text) else text

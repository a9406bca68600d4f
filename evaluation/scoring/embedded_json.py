"""Finds JSON objects in a message, with or without prose and code fences around them."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_DEEPEST = 6  # an answer is three deep and a list of tool calls four; the rest is for wrappers around them

# What lies between two brackets of a JSON text: white space, literals, numbers, separators and whole strings.
# Possessive, so that no text makes it try twice. NaN and Infinity, which Python would read, do not match.
_TO_BRACKET = re.compile(
    r'(?:[ \t\r\n,:0-9a-zE+.\-]++|"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+")*+[\[\]{}]'
)
_OBJECT_START = re.compile(r'\{(?=[ \t\r\n]*+")')


class Decoded(NamedTuple):
    """An object of a message."""

    value: dict[str, Any]
    repeated_key: str | None
    """A key that appears twice in the object or in a nested one; `value` has its last occurrence."""
    start: int
    """The position of the object's first bracket."""
    end: int
    """The position after its last bracket."""


def objects_in(text: str, wanted: Callable[[dict[str, Any]], bool]) -> Iterator[Decoded]:
    """The wanted JSON objects of the text from left to right; none is nested in another.

    Objects that wrap a wanted one are skipped. Runs in linear time: a scan ends at the depth limit, so each character
    is scanned only from the few braces that enclose it.
    """
    place = _OBJECT_START.search(text)
    while place is not None:
        end = _closing(text, place.start())
        decoded = _decoded(text, place.start(), end) if end is not None else None
        if decoded is not None and wanted(decoded.value):
            yield decoded
            place = _OBJECT_START.search(text, decoded.end)
        else:
            place = _OBJECT_START.search(text, place.start() + 1)


def _closing(text: str, start: int) -> int | None:
    """Where the bracket that opens at start closes; None where what follows cannot be JSON or is too deep."""
    open_brackets = [text[start]]
    position = start + 1
    while open_brackets:
        found = _TO_BRACKET.match(text, position)
        if found is None:
            return None
        position = found.end()
        bracket = text[position - 1]
        if bracket in "[{":
            open_brackets.append(bracket)
            if len(open_brackets) > _DEEPEST:
                return None
        elif open_brackets.pop() + bracket not in ("[]", "{}"):
            return None
    return position


def _decoded(text: str, start: int, end: int) -> Decoded | None:
    repeated: list[str] = []
    try:
        value = json.loads(text[start:end], object_pairs_hook=_noting_repetition(repeated))
    except ValueError:  # among them integers of more digits than Python converts
        return None
    return Decoded(value, repeated[0] if repeated else None, start, end)


def _noting_repetition(repeated: list[str]) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) < len(items):
            repeated.extend(key for key, times in Counter(key for key, _ in items).items() if times > 1)
        return value

    return pairs

"""Sanitise untrusted model output before it is stored or printed."""

import math
import re
import unicodedata
from typing import Annotated, Any

from pydantic import BeforeValidator, JsonValue

_SURROGATE = re.compile("[\ud800-\udfff]")
_DEEPEST = 60  # JSON parsers, pydantic's among them, give up at a few times this depth


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no file can hold, replaced by U+FFFD."""
    try:
        text.encode()  # several times faster than searching when there are none
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def first_halved(value: object, place: tuple[str | int, ...] = ()) -> tuple[str | int, ...] | None:
    """Where in a value of JSON the first text with a lone surrogate is, a key where its value is; None if none is."""
    match value:
        case str():
            return place if value != well_formed(value) else None
        case dict():
            parts = [(key, part) for key, item in value.items() for part in (key, item)]
        case list() | tuple():
            parts = list(enumerate(value))
        case _:
            return None
    found = (first_halved(part, (*place, name)) for name, part in parts)
    return next((where for where in found if where is not None), None)


def plain_json(value: Any, depth: int = 0) -> Any:
    """The value as JSON that every parser can read back.

    Replaces lone surrogates, turns NaN and infinities into text, and drops values nested too deeply.
    """
    if depth > _DEEPEST:
        return "(nested too deeply)"
    match value:
        case str():
            return well_formed(value)
        case float() if not math.isfinite(value):
            return str(value)
        case dict():
            return {plain_json(key, depth): plain_json(item, depth + 1) for key, item in value.items()}
        case list() | tuple():
            return [plain_json(item, depth + 1) for item in value]
    return value


def printable(text: str) -> str:
    r"""The text with every character escaped that could control a terminal or hide or reorder its output.

    Line feeds stay; other control and format characters become `\x1b` and the like.
    """
    # Nearly every line is printable, and testing a whole line is a hundred times faster than testing its characters.
    return "\n".join(line if line.isprintable() else _printable_line(line) for line in text.split("\n"))


def _printable_line(line: str) -> str:
    return "".join(
        character
        if character.isprintable() or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape").decode("ascii")
        for character in line
    )


def shortened(text: str, length: int) -> str:
    """The text, or its beginning and end around a note of how many characters were cut."""
    if len(text) <= length:
        return text
    head = length * 2 // 3
    tail = length - head
    return f"{text[:head]} [... {len(text) - length:,} more characters ...] {text[-tail:]}"


def one_line(text: str, length: int) -> str:
    """The text printable on one line, shortened."""
    return printable(shortened(re.sub(r"\s+", " ", text).strip(), length))


ModelText = Annotated[str, BeforeValidator(lambda value: well_formed(value) if isinstance(value, str) else value)]
"""Text from a model; lone surrogates are replaced."""

ModelJson = Annotated[JsonValue, BeforeValidator(plain_json)]
"""JSON from a model; values that cannot be stored are replaced, see `plain_json`."""

ModelMessage = Annotated[dict[str, JsonValue], BeforeValidator(plain_json)]
"""One message of an exchange with a model; values that cannot be stored are replaced, see `plain_json`."""

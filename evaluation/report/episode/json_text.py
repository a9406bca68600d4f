"""JSON as text that people can read."""

import json
from collections.abc import Iterator
from typing import Any, Final

_WIDTH: Final = 140
_DEEPEST: Final = 10
_CUT: Final = 200
_FEWEST_ROWS: Final = 2

_one_line: Final = json.JSONEncoder(ensure_ascii=False).encode
"""As `json.dumps` with this option, which makes an encoder for every value: most of them are single words."""


def pretty(value: Any) -> str:
    """A JSON value as indented text.

    What fits on a line stays on it, a list of plain records becomes a table that names its columns once, and what is
    nested too deeply is cut short.
    """
    return "\n".join(_lines(value, _one_line(value), 0))


def pretty_if_json(text: str) -> str:
    """The text; if it is JSON on one line, laid out by `pretty`."""
    if text[:1] in {"{", "["}:
        try:
            value = json.loads(text)
            if _one_line(value) == text:
                return "\n".join(_lines(value, text, 0))
        except (ValueError, RecursionError):
            return text
    return text


def _lines(value: Any, text: str, depth: int) -> Iterator[str]:
    """The lines of a value, which is this text on one line."""
    if len(text) + depth <= _WIDTH or not isinstance(value, dict | list) or not value:
        yield text
    elif depth >= _DEEPEST:
        yield f"{text[:_CUT]}… ({len(text):,} characters)"
    elif _is_table(value):
        yield "["
        yield from (f" {' | '.join(row)}" for row in (value[0], *(one.values() for one in value)))
        yield "]"
    else:
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        items = [*value.items()] if isinstance(value, dict) else [(None, item) for item in value]
        yield opening
        for number, (key, item) in enumerate(items, start=1):
            inner = [*_lines(item, _one_line(item), depth + 1)]
            if key is not None:
                inner[0] = f"{_one_line(key)}: {inner[0]}"
            if number < len(items):
                inner[-1] += ","
            yield from (f" {line}" for line in inner)
        yield closing


def _is_table(value: Any) -> bool:
    """Whether it is a list of records with the same two or more keys, whose texts cannot be taken for JSON."""
    if not isinstance(value, list) or len(value) < _FEWEST_ROWS or not all(isinstance(one, dict) for one in value):
        return False
    columns = [*value[0]]
    rows = [columns, *(one.values() for one in value)]
    return (
        len(columns) > 1
        and all([*one] == columns for one in value)
        and all(isinstance(text, str) and text.isprintable() and not {*'|"'} & {*text} for row in rows for text in row)
    )

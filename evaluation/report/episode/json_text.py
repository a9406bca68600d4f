"""JSON as text that people can read."""

import json
from functools import lru_cache
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
    return _laid_out(value, _one_line(value))


@lru_cache(maxsize=1024)
def pretty_if_json(text: str) -> str:
    """The text; if it is JSON on one line, laid out by `pretty`. Agents often ask for the same result again."""
    if text[:1] in {"{", "["}:
        try:
            value = json.loads(text)
            if _one_line(value) == text:
                return _laid_out(value, text)
        except (ValueError, RecursionError):
            return text
    return text


def _laid_out(value: Any, text: str) -> str:
    lines: list[str] = []
    _lay_out(value, text, 0, "", "", lines)
    return "\n".join(lines)


def _lay_out(value: Any, text: str, depth: int, key: str, comma: str, lines: list[str]) -> None:
    """Append the lines of a value, which is this text on one line, with its key before and its comma behind it."""
    indent = " " * depth
    if len(text) + depth <= _WIDTH or not isinstance(value, dict | list) or not value:
        lines.append(f"{indent}{key}{text}{comma}")
    elif depth >= _DEEPEST:
        lines.append(f"{indent}{key}{text[:_CUT]}… ({len(text):,} characters){comma}")
    elif _is_table(value):
        lines.append(f"{indent}{key}[")
        lines += (f"{indent} {' | '.join(row)}" for row in (value[0], *(one.values() for one in value)))
        lines.append(f"{indent}]{comma}")
    else:
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        items = (
            [(f"{_one_line(k)}: ", v) for k, v in value.items()]
            if isinstance(value, dict)
            else [("", v) for v in value]
        )
        lines.append(f"{indent}{key}{opening}")
        for number, (inner_key, item) in enumerate(items, start=1):
            _lay_out(item, _one_line(item), depth + 1, inner_key, "," if number < len(items) else "", lines)
        lines.append(f"{indent}{closing}{comma}")


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

"""What was typed behind the name of an instance: the arguments of a tool, or an answer."""

import json
import re
from collections.abc import Sequence
from typing import Any

from mpcbench.benchmark.agents.human.answer_rows import RowError, answer_json, rows_of
from mpcbench.benchmark.environment.tools.toolbox import Tool, ToolError


def usage(tool: Tool) -> str:
    """How a tool is called; what may be left out is in brackets."""
    required = tool.parameters.get("required", ())
    names = (name if name in required else f"[{name}]" for name in tool.parameters["properties"])
    return " ".join([tool.name, *names])


def arguments_of(tool: Tool, words: Sequence[str]) -> dict[str, Any]:
    """The arguments that the words are: values in the tool's order, `name=value`, or one JSON object.

    Raises:
        ToolError: a name is unknown or given twice, or there are too many or too few.
    """
    properties: dict[str, Any] = tool.parameters["properties"]
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        try:
            found = json.loads(words[0])
        except (ValueError, RecursionError) as error:
            raise ToolError(f"{tool.name}: the arguments are not valid JSON: {error}") from None
        return dict(found)
    arguments: dict[str, Any] = {}
    for word in words:
        named = re.fullmatch(r"([a-z_]+)=(.*)", word, re.DOTALL)
        free = [name for name in properties if name not in arguments]
        if named is None and not free:
            raise ToolError(f"{word!r} is too much; type: {usage(tool)}")
        name, value = (free[0], word) if named is None else (named[1], named[2])
        if name not in properties:
            raise ToolError(f"{tool.name} has no argument {name!r}; type: {usage(tool)}")
        if name in arguments:
            raise ToolError(f"{tool.name}: {name} is given twice")
        is_number = properties[name].get("type") == "integer" and re.fullmatch(r"\d{1,9}", value)
        arguments[name] = int(value) if is_number else value
    missing = [name for name in tool.parameters.get("required", ()) if name not in arguments]
    if missing:
        raise ToolError(f"{tool.name}: {missing[0]} is missing; type: {usage(tool)}")
    return arguments


def answer_of(words: Sequence[str], *, with_rooms: bool) -> str:
    """The final message that the words are: rows such as `2027-02-17 17:30-18:15 R23`, or JSON; raises `RowError`."""
    text = " ".join(words)
    if "{" in text:
        return text
    rows = rows_of(text)
    for row in rows:
        if row.room and not with_rooms:
            raise RowError(f"{row.room!r} is too much: options at this level have no room")
    return answer_json(rows)

"""What was typed behind the name of an instance: the arguments of a tool, or an answer."""

import json
import re
from collections.abc import Sequence
from typing import Any

from mpcbench.benchmark.agents.human.answer_rows import answer_json, rows_of
from mpcbench.benchmark.agents.human.episode import HumanEpisode
from mpcbench.benchmark.agents.human.typed_argument import kinds_of, typed
from mpcbench.benchmark.environment.tools.toolbox import Tool, ToolError


def usage(tool: Tool) -> str:
    """How a tool is called; what may be left out is in brackets, and a list has commas between its items."""
    required = tool.parameters.get("required", ())
    names = {
        name: f"{name},..." if "array" in kinds_of(schema) else name
        for name, schema in tool.parameters["properties"].items()
    }
    return " ".join([tool.name, *(shown if name in required else f"[{shown}]" for name, shown in names.items())])


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
        arguments[name] = typed(properties[name], value)
    missing = [name for name in tool.parameters.get("required", ()) if name not in arguments]
    if missing:
        raise ToolError(f"{tool.name}: {missing[0]} is missing; type: {usage(tool)}")
    return arguments


def answer_of(words: Sequence[str], episode: HumanEpisode) -> str:
    """The final message that the words are: rows such as `2027-02-17 17:30-18:15 R23`, or JSON; raises `RowError`."""
    text = " ".join(words)
    if "{" in text:
        return text
    return answer_json(rows_of(text, with_rooms=episode.has_rooms, with_meetings=episode.is_plan))

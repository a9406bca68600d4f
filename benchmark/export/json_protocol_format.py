"""Rows for models without native tool calls: tools, calls and results as texts, as `--tool-protocol json` has them."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from mpcbench.benchmark.agents.conversation import Message, is_call
from mpcbench.benchmark.agents.endpoint.chat_completions import ChatCompletions
from mpcbench.benchmark.agents.endpoint.dialogue import Move
from mpcbench.benchmark.agents.endpoint.json_protocol import JsonDialogue
from mpcbench.benchmark.agents.endpoint.turn import Call, Turn
from mpcbench.benchmark.environment.prompts import json_tools_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.benchmark.export.row import Row
from mpcbench.schema.episode import Usage

_MESSAGES: Final = ("messages", "prompt", "completion", "chosen", "rejected")
_DIALOGUE: Final = JsonDialogue(ChatCompletions(), structured_output=False)
_NO_TURN: Final = Turn(items=(), calls=(), text="", finish=None, usage=Usage())


def in_json_protocol(row: Row) -> Row:
    """The row with texts alone; its tools are in the system prompt and nowhere else."""
    tools = tools_of_level(row["provenance"]["level"])
    kept = {name: value for name, value in row.items() if name != "tools"}
    return kept | {name: list(_texts(row[name], tools)) for name in _MESSAGES if name in row}


def _texts(messages: Sequence[Message], tools: Sequence[Tool]) -> Iterator[Message]:
    calls: tuple[Call, ...] = ()
    for role, group in groupby(messages, key=lambda message: message["role"]):
        said = list(group)
        if role == "tool":
            yield from _DIALOGUE.follow_up(_NO_TURN, Move(calls=calls), [one["content"] for one in said])
            continue
        for message in said:
            text = message["content"] or ""
            if role == "system":
                text = f"{text}\n\n{json_tools_prompt(tools)}"
            elif is_call(message):
                calls = tuple(_call(one) for one in message["tool_calls"])
                text = f"{text}\n\n{_written(calls)}" if text else _written(calls)
            yield {"role": role, "content": text}


def _call(made: dict[str, Any]) -> Call:
    return Call(made["id"], made["function"]["name"], made["function"]["arguments"])


def _written(calls: Sequence[Call]) -> str:
    items = [{"tool": call.name, "arguments": _decoded(call.arguments)} for call in calls]
    return json.dumps(items[0] if len(items) == 1 else {"calls": items}, ensure_ascii=False)


def _decoded(arguments: str) -> Any:
    """The arguments as an object; a text that is not JSON, as a model may have written it, stays one."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments

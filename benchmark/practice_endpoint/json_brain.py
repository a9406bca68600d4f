"""A stand-in model without native tool calls: it finds the tools in the system prompt and writes JSON objects.

It implements the protocol independently of the benchmark's own code for it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from jsonschema import Draft202012Validator

from mpcbench.benchmark.practice_endpoint.brains import (
    Brain,
    Conversation,
    Exchange,
    ModelCall,
    ModelTurn,
    OfferedTool,
    RejectedError,
)

_RESULT = re.compile(r"^Result (\d+) of (\d+): [^\n]*\n<result>\n(.*?)\n</result>$", re.MULTILINE | re.DOTALL)
_EMPTY = '{"candidates": []}'


@dataclass(frozen=True)
class JsonSpeaking:
    """Lets a brain that calls tools speak the JSON protocol if the system prompt lists the tools.

    If the request's schema forbids what it would write, it writes an empty answer, as constrained decoding would.
    """

    brain: Brain

    def __call__(self, conversation: Conversation) -> ModelTurn:
        tools = tuple(_tools(conversation.system))
        if not tools:
            return self.brain(conversation)
        exchanges = tuple(_exchanges(conversation.messages))
        turn = self.brain(replace(conversation, tools=tools, exchanges=exchanges))
        if turn.refusal is not None or turn.stop != "complete":
            return turn
        text = written(turn.calls) if turn.calls else turn.text or ""
        if conversation.schema is not None and not _fits(text, conversation.schema):
            text = _EMPTY
        return replace(turn, text=text, calls=())


def written(calls: Sequence[ModelCall]) -> str:
    """The text of a turn that makes the calls."""
    items = [{"tool": call.name, "arguments": json.loads(call.arguments)} for call in calls]
    return json.dumps(items[0] if len(items) == 1 else {"calls": items})


def _fits(text: str, schema: Mapping[str, Any]) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return bool(Draft202012Validator(schema).is_valid(value))


def _tools(system: str) -> Iterator[OfferedTool]:
    for line in system.splitlines():
        if line.startswith('{"tool": '):
            tool = json.loads(line)
            yield OfferedTool(tool["tool"], tool["description"], tool["arguments"])


def _exchanges(messages: Sequence[tuple[str, str]]) -> Iterator[Exchange]:
    """The calls in the model's messages, each with its result from the next message."""
    number_of_turn = 0
    for (role, written), (_, answer) in pairwise(messages):
        if role != "assistant":
            continue
        number_of_turn += 1
        turn: dict[str, Any] = json.loads(written)
        calls = turn.get("calls", [turn])
        results = [(int(number), int(count), text) for number, count, text in _RESULT.findall(answer)]
        if [(number + 1, len(calls)) for number in range(len(calls))] != [result[:2] for result in results]:
            raise RejectedError(f"{len(calls)} calls got the results {answer!r}", status=500)
        for call, (_, _, text) in zip(calls, results, strict=True):
            yield Exchange(call["tool"], json.dumps(call["arguments"]), number_of_turn, text)

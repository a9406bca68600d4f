"""Tool calls as JSON objects in a model's messages, for models without native tool calls.

A turn is `{"tool": NAME, "arguments": {...}}`, `{"calls": [...]}` with a list of such objects, or the final answer,
`{"candidates": [...]}`. It may be surrounded by prose or a code fence; text up to `</think>` is ignored. As with native
calls, a message that contains calls is not final, even if it also holds an answer. The answer's parser defines what
counts as an answer. Answers are not validated here: the model gets no second chance that native calls would not give it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mpcbench.benchmark.agents.endpoint.dialogue import Move, user_message
from mpcbench.benchmark.agents.endpoint.turn import MOST_ITEMS, Call, Item, Offer, Turn, Wire
from mpcbench.benchmark.agents.protocol import Task
from mpcbench.benchmark.environment.prompts import json_tools_prompt
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.evaluation.scoring.answer import MAX_CHARACTERS, is_answer
from mpcbench.evaluation.scoring.embedded_json import Decoded, objects_in
from mpcbench.schema.episode import Finish
from mpcbench.schema.untrusted_text import one_line, well_formed

_FORMS: Final = """\
Write one JSON object: {"tool": "NAME", "arguments": {...}} to call a tool, or your final message, \
{"candidates": [...]}."""
_UNASKED: Final = "error: this call was not run. Call tools by a JSON object in your message."
_THOUGHT_END: Final = "</think>"
_LONGEST_NAME = 60
_LONGEST_ARGUMENTS = 300


class TurnError(ValueError):
    """A message is neither tool calls nor an answer; the text is one line that says why, for the model."""


@dataclass(frozen=True, slots=True)
class JsonDialogue:
    """Tools in the system prompt, one JSON object a turn, results in messages of the user."""

    wire: Wire
    structured_output: bool
    """Whether the endpoint is asked to hold each turn to a JSON Schema."""

    def opening(self, task: Task, tools: Sequence[Tool]) -> list[Item]:
        """The transcript before the first turn."""
        prompt = f"{task.system_prompt}\n\n{json_tools_prompt(tools)}"
        return self.wire.opening(replace(task, system_prompt=prompt))

    def offer(self, task: Task, tools: Sequence[Tool], *, final: bool) -> Offer:
        """A schema of all that a turn may be; in the forced final turn, that of an answer."""
        if not self.structured_output:
            return Offer()
        return Offer(schema=dict(task.answer_schema) if final else turn_schema(tools, task))

    def move(self, turn: Turn) -> Move:
        """What the text says; a message that was cut off or refused is the last, as on the native path."""
        if turn.problem is not None:
            return Move(problem=turn.problem)
        if turn.finish is None:
            return Move(problem="tools cannot be called in this way")
        if turn.finish is not Finish.STOP:
            return Move(finish=turn.finish)
        try:
            calls = read_calls(turn.text)
        except TurnError as error:
            return Move(problem=str(error))
        return Move(calls=calls, finish=None if calls else Finish.STOP)

    def follow_up(self, turn: Turn, move: Move, results: Sequence[str]) -> list[Item]:
        """One message with all results, or with what is wrong."""
        if turn.calls:  # native calls, which nobody offered: the API demands a result for each
            return [self.wire.result(call, _UNASKED) for call in turn.calls]
        if move.problem is not None:
            return [user_message(well_formed(f"error: {move.problem}. {_FORMS}"))]
        parts = [
            _result(f"{number} of {len(results)}", call, text)
            for number, (call, text) in enumerate(zip(move.calls, results, strict=True), start=1)
        ]
        return [user_message(well_formed("\n\n".join(parts)))]


def read_calls(text: str) -> tuple[Call, ...]:
    """The tool calls of a message, in order; none if it is an answer.

    Raises:
        TurnError: It is neither.
    """
    if len(text) > MAX_CHARACTERS:
        raise TurnError(f"the message has {len(text):,} characters, more than {MAX_CHARACTERS:,}")
    objects = _said(text)
    if not objects:
        raise TurnError(_nothing_in(text.rpartition(_THOUGHT_END)[2]))
    calls: list[Call] = []
    for said in objects:
        if not _is_call(said.value):
            continue
        if said.repeated_key is not None:
            raise TurnError(f"the key {one_line(said.repeated_key, _LONGEST_NAME)!r} stands twice in one object")
        for name, arguments in _calls_of(said.value):
            calls.append(Call(str(len(calls) + 1), name, arguments))
            if len(calls) > MOST_ITEMS:
                raise TurnError(f"the message holds more than {MOST_ITEMS:,} calls")
    if not calls and not any(is_answer(said.value) for said in objects):
        raise TurnError("'calls' is empty")
    return tuple(calls)


def _said(text: str) -> list[Decoded]:
    """The objects after the last end of a thought; one within an object's strings ends none."""
    objects: list[Decoded] = []
    place = 0
    for found in objects_in(text, _is_turn):
        if _THOUGHT_END in text[place : found.start]:
            objects.clear()
        objects.append(found)
        place = found.end
    return [] if _THOUGHT_END in text[place:] else objects


def turn_schema(tools: Sequence[Tool], task: Task) -> dict[str, Any]:
    """The JSON Schema of a turn: a call, several calls or the answer."""
    calls = [_object({"tool": {"type": "string", "enum": [tool.name]}, "arguments": tool.parameters}) for tool in tools]
    several = _object({"calls": {"type": "array", "minItems": 1, "items": {"anyOf": calls}}})
    forms = [*calls, several] if calls else []
    return {"type": "object", "anyOf": [*forms, dict(task.answer_schema)]}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _is_call(value: Mapping[str, Any]) -> bool:
    # Models that fill in every key leave those that they do not mean null or empty.
    return value.get("tool") is not None or value.get("calls") not in (None, [])


def _is_turn(value: dict[str, Any]) -> bool:
    return "tool" in value or "calls" in value or is_answer(value)


def _calls_of(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if value.get("tool") is not None:
        yield _call_of(value, "the object")
        return
    if not isinstance(value["calls"], list):
        raise TurnError("'calls' is not a list")
    for index, item in enumerate(value["calls"]):
        if not isinstance(item, dict):
            raise TurnError(f"calls[{index}] is not an object")
        yield _call_of(item, f"calls[{index}]")


def _call_of(value: Mapping[str, Any], place: str) -> tuple[str, str]:
    name = value.get("tool")
    if not isinstance(name, str):
        raise TurnError(f"{place} has no 'tool' that is the name of a tool")
    arguments = value.get("arguments", {})
    # A string is taken for the arguments as the native path has them, written out; the toolbox checks either.
    return name, arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _nothing_in(text: str) -> str:
    if not text.strip():
        return "the message is empty"
    start = text.find("{")
    if start < 0:
        return "the message holds no JSON object"
    try:
        value, _ = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        return f"the message holds no valid JSON object: {error}"
    if not value:
        return "the JSON object is empty"
    if _is_turn(value):
        return "the JSON object is nested too deeply"
    keys = ", ".join(repr(one_line(key, _LONGEST_NAME)) for key in list(value)[:5])
    return f"the JSON object has none of the keys 'tool', 'calls' and 'candidates' but {keys}"


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _result(number: str, call: Call, text: str) -> str:
    name, arguments = one_line(call.name, _LONGEST_NAME), one_line(call.arguments, _LONGEST_ARGUMENTS)
    return f"Result {number}: {name} {arguments}\n<result>\n{text}\n</result>"

"""An episode's exchange in one form, whatever format its agent kept: OpenAI's chat messages with tool calls.

The log of the tools says what was called and what came back, the stored messages what else was said. Calls and results
that a model wrote as text become calls and results; calls that were not run, and a model's hidden reasoning, are left
out. So every call has its result, and IDs are those that all chat templates take.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from pydantic import JsonValue

from mpcbench.benchmark.agents.endpoint.model_calls import sendable_arguments, sendable_name
from mpcbench.benchmark.environment.prompts import json_tools_prompt
from mpcbench.benchmark.environment.setting import tools_offered
from mpcbench.evaluation.report.episode.messages import Called, Utterance, Voice, parts
from mpcbench.evaluation.report.episode.transcript import Call, Entry, transcript
from mpcbench.evaluation.scoring.embedded_json import objects_in
from mpcbench.schema.episode import Episode

Message: TypeAlias = dict[str, Any]
"""One message of OpenAI's chat format."""

_QUOTED_RESULT: Final = re.compile(r"Result \d+ of \d+: [^\n]*\n<result>\n.*?\n</result>", re.DOTALL)
_MODELS: Final = {Voice.ASSISTANT, Voice.REFUSAL}


def conversation(episode: Episode) -> list[Message]:
    """The messages of an episode from the system prompt to the last thing that was said."""
    turns = groupby(transcript(episode).entries, key=lambda entry: entry.turn)
    by_text = not _has_calls(episode)
    messages: list[Message] = []
    for number, entries in turns:
        if number == 0:
            messages += _opening(episode, list(entries))
        else:
            messages += _turn(list(entries), by_text=by_text)
    if not any(message["role"] == "user" for message in messages):
        messages = [*_opening(episode, []), *messages]
    return messages


def is_call(message: Message) -> bool:
    """Whether it is a message of the model that calls tools."""
    return bool(message.get("tool_calls"))


def call_id(number: int) -> str:
    """The ID of a conversation's call, by its number from 1: nine letters and digits, all that some templates take."""
    return f"call{number:05d}"


def _has_calls(episode: Episode) -> bool:
    """Whether the stored messages hold calls of the API's own, if they hold any messages."""
    stored = () if episode.reply is None else episode.reply.messages
    return not stored or any(isinstance(part, Called) for message in stored for part in parts(message))


def _opening(episode: Episode, entries: Sequence[Entry]) -> list[Message]:
    """What the model was told first, without the tools that are named beside the messages."""
    described = f"\n\n{json_tools_prompt(tools_offered(episode.level))}"
    told = [
        {"role": one.what.voice.value, "content": one.what.text.removesuffix(described)}
        for one in entries
        if isinstance(one.what, Utterance) and one.what.voice in {Voice.SYSTEM, Voice.USER}
    ]
    own = (("system", episode.system_prompt), ("user", episode.task))
    return told or [{"role": role, "content": text} for role, text in own if text]


def _turn(entries: Sequence[Entry], *, by_text: bool) -> Iterator[Message]:
    """What the model said and called in a turn, the results, and what it was told besides."""
    calls = [one.what for one in entries if isinstance(one.what, Call) and one.what.result is not None]
    spoken = [one.what for one in entries if isinstance(one.what, Utterance)]
    text = "\n\n".join(one.text for one in spoken if one.voice in _MODELS)
    if calls:
        yield {
            "role": "assistant",
            "content": _prose(text) if by_text else text,
            "tool_calls": [_tool_call(call) for call in calls],
        }
    elif text:
        yield {"role": "assistant", "content": text}
    for call in calls:
        yield {"role": "tool", "tool_call_id": call_id(call.number or 0), "content": call.result}
    for one in spoken:
        told = _QUOTED_RESULT.sub("", one.text).strip() if by_text and calls else one.text
        if one.voice in {Voice.SYSTEM, Voice.USER} and told:
            yield {"role": one.voice.value, "content": told}


def _tool_call(call: Call) -> Message:
    function = {"name": sendable_name(call.name), "arguments": sendable_arguments(_written(call.arguments))}
    return {"id": call_id(call.number or 0), "type": "function", "function": function}


def _written(arguments: JsonValue) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _prose(text: str) -> str:
    """What a text says before the first call that it holds."""
    first = next((found.start for found in objects_in(text, _calls_tools)), 0)
    return text[:first].removesuffix("```json\n").strip()


def _calls_tools(value: Mapping[str, Any]) -> bool:
    return "tool" in value or "calls" in value

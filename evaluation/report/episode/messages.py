"""Messages of any wire format as parts in order: what was said, called, returned or thought.

Messages are arbitrary JSON from a model; what has no known shape is handed on as it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pydantic import JsonValue


class Voice(StrEnum):
    """Whose words a part holds."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Utterance:
    """Text."""

    voice: Voice
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call as the model wrote it."""

    call_id: JsonValue
    name: str
    arguments: JsonValue


@dataclass(frozen=True, slots=True)
class Returned:
    """The result of a call, as the agent received it."""

    call_id: JsonValue
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """JSON of no known shape, or the fields of a message beside the known ones."""

    value: JsonValue


Part = Utterance | Called | Returned | Unknown

_ROLES: Final = {
    "system": Voice.SYSTEM,
    "developer": Voice.SYSTEM,
    "user": Voice.USER,
    "assistant": Voice.ASSISTANT,
    "model": Voice.ASSISTANT,
}
_OF_FORM = {"role", "type", "id", "status", "object", "index", "phase"}
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_CIPHERTEXTS = ("encrypted_content", "signature", "thoughtSignature")
_REDACTED = "redacted_thinking"


def parts(message: Mapping[str, JsonValue]) -> Iterator[Part]:
    """The parts of one message, in the order in which people read them."""
    match dict(message):
        case {"type": "function_call", "name": str(name)}:
            yield Called(message.get("call_id"), name, message.get("arguments"))
            yield from _rest(message, {"call_id", "name", "arguments"})
        case {"type": "function_call_output"}:
            yield from _returned(message, "call_id", "output")
        case {"role": "tool"}:
            yield from _returned(message, "tool_call_id", "content")
        case {"type": "reasoning"}:
            yield from _texts(Voice.REASONING, message.get("summary"))
            yield from _texts(Voice.REASONING, message.get("content"))
            yield from _rest(message, {"summary", "content"})
        case {"role": str(role)} if role in _ROLES:
            yield from _spoken(_ROLES[role], message)
        case _:
            yield Unknown(_readable(dict(message)))


def _spoken(voice: Voice, message: Mapping[str, JsonValue]) -> Iterator[Part]:
    known = {"content", "parts", "tool_calls", "refusal"}
    thoughts: dict[str, None] = {}  # some servers say the same under two names
    for name in _THOUGHTS:
        thought = message.get(name)
        if isinstance(thought, str):
            known.add(name)
            if thought.strip():
                thoughts[thought] = None
    yield from (Utterance(Voice.REASONING, thought) for thought in thoughts)
    yield from _texts(voice, message.get("content"))
    yield from _texts(voice, message.get("parts"))
    yield from _texts(Voice.REFUSAL, message.get("refusal"))
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else [] if calls is None else [calls]:
        function = call.get("function") if isinstance(call, dict) else None
        called = function.get("name") if isinstance(function, dict) else None
        if isinstance(call, dict) and isinstance(function, dict) and isinstance(called, str):
            yield Called(call.get("id"), called, function.get("arguments"))
        else:
            yield Unknown(_readable(call))
    yield from _rest(message, known)


def _returned(message: Mapping[str, JsonValue], id_key: str, key: str) -> Iterator[Part]:
    found = [*_texts(Voice.USER, message.get(key))]
    yield Returned(message.get(id_key), "\n".join(part.text for part in found if isinstance(part, Utterance)))
    yield from (part for part in found if not isinstance(part, Utterance))
    yield from _rest(message, {id_key, key, "name"})


def _texts(voice: Voice, content: JsonValue) -> Iterator[Part]:
    """The texts of a content, which is a text, a list of parts or anything else."""
    match content:
        case None | "" | []:
            return
        case str():
            yield Utterance(voice, content)
        case list():
            for part in content:
                yield from _block(voice, part)
        case _:
            yield Unknown(_readable(content))


def _block(voice: Voice, block: Any) -> Iterator[Part]:
    """A part of a content; the APIs of Anthropic and Gemini have calls, results and thoughts there."""
    match block:
        case {"type": "thinking", "thinking": str(text)} | {"thought": True, "text": str(text)}:
            found: Part = Utterance(Voice.REASONING, text)
        case {"type": "tool_use", "name": str(name)}:
            found = Called(block.get("id"), name, block.get("input"))
        case {"type": "tool_result"}:
            yield from _returned(block, "tool_use_id", "content")
            return
        case {"functionCall": {"name": str(name)} as function}:
            found = Called(function.get("id"), name, function.get("args"))
        case {"functionResponse": {"response": {"output": str(text)}} as function}:
            found = Returned(function.get("id"), text)
        case str(text) | {"text": str(text)}:
            found = Utterance(voice, text)
        case {"refusal": str(refusal)}:
            found = Utterance(Voice.REFUSAL, refusal)
        case _:
            found = Unknown(_readable(block))
    if not isinstance(found, Utterance) or found.text.strip() or found.voice is Voice.REFUSAL:
        yield found


def _rest(message: Mapping[str, JsonValue], known: set[str]) -> Iterator[Unknown]:
    rest = {
        key: value for key, value in message.items() if key not in known | _OF_FORM and value not in (None, "", [], {})
    }
    if rest:
        yield Unknown(_readable(rest))


def _readable(value: Any) -> JsonValue:
    """The value without the ciphertext that some endpoints send along."""
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    names = (*_CIPHERTEXTS, "data") if value.get("type") == _REDACTED else _CIPHERTEXTS
    sealed = {name: text for name in names if isinstance(text := value.get(name), str)}
    return value | {name: f"({len(text):,} characters)" for name, text in sealed.items()}

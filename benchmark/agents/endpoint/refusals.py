"""What endpoints say when they do not answer.

Servers report errors in shapes of their own, with any status, at times within a success, and gateways wrap them in
others. `verdicts` says what an error means.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, Self

from mpcbench.benchmark.agents.endpoint.verdicts import Verdict, verdict_of
from mpcbench.schema.episode import Finish

_LONGEST_READ: Final = 4_000
_DEEPEST: Final = 4


class ConversationEndedError(Exception):
    """The endpoint takes no more of a conversation, for reasons that are the model's and not a failure."""

    def __init__(self, finish: Finish, message: str = "", *, at_once: bool = False) -> None:
        super().__init__(finish.value)
        self.finish = finish
        self.message = message
        """What the endpoint says."""

        self.at_once = at_once
        """Whether it may be only the benchmark's own prompt that is too long."""


class MalformedOutputError(Exception):
    """The model wrote what its server could not read; `text` is what it wrote as far as the server tells it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Refusal(NamedTuple):
    """An error as an endpoint reports it."""

    message: str
    """For people."""

    verdict: Verdict
    generation: str = ""
    """What the model wrote, where the server tells it."""

    @classmethod
    def of(cls, error: object, status: int = 200) -> Self:
        """Read an error that is an object, a list of one or a text, at any depth that gateways wrap it in."""
        layers = list(_layers(error, _DEEPEST))
        marks = {
            str(value).lower()
            for layer in layers
            for name in ("code", "type", "status", "error_type", "name")
            if isinstance(value := layer.get(name), str | int)
        }
        words = [text for layer in layers for text in _words(layer)] or list(_odd_words(layers))
        generations = [text for layer in layers if isinstance(text := layer.get("failed_generation"), str)]
        params = [text for layer in layers if isinstance(text := layer.get("param"), str)]
        verdict = verdict_of(status, marks, params, "\n".join(words)[:_LONGEST_READ])
        message = words[0] if words else "no message"
        if words and words[-1] != message:
            message += f" ({words[-1]})"
        return cls(message, verdict, generations[0] if generations else "")

    @classmethod
    def of_text(cls, text: str, status: int) -> Self:
        """Read the text of an answer that is no success, whether it is JSON or not."""
        return cls.of(_unwrapped(text.strip()), status)

    def check(self) -> None:
        """Raise what the model did.

        Raises:
            ConversationEndedError: the conversation is over.
            MalformedOutputError: the turn failed.
        """
        if self.verdict is Verdict.OUTGROWN:
            raise ConversationEndedError(Finish.LENGTH, self.message, at_once=True)
        if self.verdict is Verdict.FILLED:
            raise ConversationEndedError(Finish.LENGTH)
        if self.verdict is Verdict.FILTERED:
            raise ConversationEndedError(Finish.REFUSAL)
        if self.verdict is Verdict.MALFORMED:
            raise MalformedOutputError(self.generation)


def _layers(error: object, depth: int) -> Iterator[Mapping[str, Any]]:
    """The objects that tell of an error, from the outermost to what a gateway quotes of the server behind it."""
    if depth == 0:
        return
    match error:
        case [first, *_]:
            yield from _layers(first, depth)
        case dict():
            inner = [_unwrapped(error[name]) for name in ("error", "innererror", "errors") if error.get(name)]
            inner += [_quoted(error[name]) for name in ("detail", "message") if error.get(name)]
            inner += [{"type": one["reason"]} for one in _objects(error.get("details")) if one.get("reason")]
            metadata = error.get("metadata")
            if isinstance(metadata, dict):
                if metadata.get("raw"):
                    inner.append(_unwrapped(metadata["raw"]))
                if metadata.get("reasons"):
                    inner.append({"type": "content_filter"})
            named = {name: value for name, value in error.items() if value not in (None, "", [], {})}
            outer = any(name in named for name in ("message", "detail", "msg", "code", "type", "error_type"))
            if outer or not inner:
                yield {**named, "error": None}
            for one in inner:
                yield from _layers(one, depth - 1)
        case str() if error:
            yield {"message": error}


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _words(layer: Mapping[str, Any]) -> Iterator[str]:
    for name in ("message", "detail", "msg"):
        match layer.get(name):
            case str(text) if text:
                yield text
            # As FastAPI reports what it finds invalid; `input` beside it quotes the request.
            case [dict() as first, *_] if isinstance(first.get("msg"), str):
                yield first["msg"]
            case [str(text), *_] if text:
                yield text


def _odd_words(layers: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The fields themselves, where none has a name that is known."""
    for layer in layers:
        for name, value in layer.items():
            if isinstance(value, str):
                yield f"{name}: {value}"


def _quoted(value: object) -> object:
    """The object that a text ends with, as gateways quote an error in their own words."""
    if isinstance(value, str) and "{" in value:
        inner = _unwrapped(value[value.index("{") :])
        return inner if isinstance(inner, dict) else None
    return value if isinstance(value, dict) else None


def _unwrapped(value: object) -> object:
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value

"""What endpoints say when they do not answer."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from mpcbench.schema.episode import Finish

_ENDS = {
    "context_length_exceeded": Finish.LENGTH,
    "exceed_context_size_error": Finish.LENGTH,
    "content_filter": Finish.REFUSAL,
    "content_policy_violation": Finish.REFUSAL,
}


class ConversationEndedError(Exception):
    """The endpoint takes no more of a conversation, for reasons that are the model's and not a failure."""

    def __init__(self, finish: Finish) -> None:
        super().__init__(finish.value)
        self.finish = finish


class Refusal(NamedTuple):
    """An error as an endpoint reports it."""

    message: Any
    """For people, usually a text."""

    marks: frozenset[str]
    """The names that programs know the error by; messages differ between endpoints."""

    @classmethod
    def of(cls, error: object) -> Self:
        """Read an error that is an object, a list of one or a text.

        Raises:
            ConversationEndedError: the error says that the conversation is over.
        """
        fields = _fields(error)
        marks = frozenset(value for name in ("code", "type") if isinstance(value := fields.get(name), str))
        for mark in marks & _ENDS.keys():
            raise ConversationEndedError(_ENDS[mark])
        return cls(fields.get("message") or fields.get("detail") or "no message", marks)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Read the text of an answer that is no success, whether it is JSON or not; raises as `of`."""
        text = text.strip()
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            return cls.of(text)
        return cls.of(body.get("error", body) if isinstance(body, dict) else body)


def _fields(error: object) -> Mapping[str, Any]:
    match error:
        case [first, *_]:
            return _fields(first)
        case {"error": dict() as inner}:
            return inner
        case dict():
            return error
    return {"message": error}

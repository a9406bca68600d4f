"""Why a model stopped, in the words of many servers."""

import re
from typing import Final

from mpcbench.benchmark.agents.endpoint.refusals import MalformedOutputError
from mpcbench.benchmark.agents.protocol import EndpointError
from mpcbench.schema.episode import Finish

_FINISHES: Final = {
    Finish.STOP: (
        "",
        "complete",
        "completed",
        "end",
        "end_of_sequence",
        "end_of_turn",
        "end_turn",
        "eos",
        "eos_token",
        "finished",
        "function_call",
        "pause_turn",
        "stop",
        "stop_sequence",
        "stop_token",
        "tool_call",
        "tool_calls",
        "tool_use",
    ),
    Finish.LENGTH: (
        "context_length",
        "length",
        "max_length",
        "max_new_tokens",
        "max_output_tokens",
        "max_tokens",
        "model_context_window_exceeded",
        "model_length",
        "repetition",
        "token_limit",
    ),
    Finish.REFUSAL: (
        "blocklist",
        "content_filter",
        "content_filtered",
        "error_toxic",
        "guardrail_intervened",
        "guardrails",
        "image_safety",
        "prohibited_content",
        "recitation",
        "refusal",
        "safety",
        "sensitive",
        "spii",
    ),
}
_CALLS: Final = {"function_call", "tool_call", "tool_calls", "tool_use"}
NO_CALLS: Final = "your last message announces tool calls and holds none"
_BY_WORD: Final = {word: finish for finish, words in _FINISHES.items() for word in words}

_MALFORMED: Final = {
    "function_call_filter",
    "malformed_function_call",
    "malformed_model_output",
    "malformed_response",
    "malformed_tool_use",
    "too_many_tool_calls",
    "unexpected_tool_call",
}


def promises_calls(reason: str | None) -> bool:
    """Whether a message with this reason holds tool calls, or should."""
    return not _CALLS.isdisjoint(_words(reason))


def _words(reason: str | None) -> list[str]:
    return [re.sub(r"[\s-]+", "_", part.strip().lower()) for part in re.split("[:.]", reason or "")]


def finish_of(reason: str | None, text: str) -> Finish:
    """Why a model stopped; `STOP` also where it calls tools.

    Args:
        reason: In any case, alone or behind a general one, as in `content_filter: SAFETY`.
        text: What it wrote, for the error.

    Raises:
        MalformedOutputError: it wrote a call that the server could not read.
        EndpointError: the word is unknown, or means a failure of the server.
    """
    words = _words(reason)
    if not _MALFORMED.isdisjoint(words):
        raise MalformedOutputError(text)
    for word in reversed(words):
        if word in _BY_WORD:
            return _BY_WORD[word]
    raise EndpointError(f"the response has the unknown finish reason {reason!r}")

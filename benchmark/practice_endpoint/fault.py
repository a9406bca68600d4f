"""What is sent over the wire: an answer, or a fault in its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True)
class Fault:
    """The response to a request: an answer, possibly spoiled in content or delivery."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds to wait before the response."""

    drop: bool = False
    """Whether the connection is closed without an answer."""

    stall: bool = False
    """Whether there is no answer at all until the client hangs up."""

    cut_at: int | None = None
    """After how many bytes of the body the connection is closed; None sends the whole body."""

    head_seconds: float = 0.0
    """Over how many seconds the status line and headers are sent, in tiny steps; 0 sends them at once."""

    body_seconds: float = 0.0
    """Over how many seconds the body is sent, in tiny steps; 0 sends it at once."""


class FaultKind(StrEnum):
    """The faults that can be chosen by name."""

    RATE_LIMIT = "rate-limit"
    """429 without a Retry-After."""

    RATE_LIMIT_SECONDS = "rate-limit-seconds"
    """429 with a Retry-After in seconds."""

    RATE_LIMIT_DATE = "rate-limit-date"
    """429 with a Retry-After that is an HTTP date."""

    SERVER_ERROR = "server-error"
    """500."""

    UNAVAILABLE = "unavailable"
    """503."""

    DROP = "drop"
    """The connection is closed before the answer."""

    TRUNCATE = "truncate"
    """The connection is closed in the middle of the body."""

    STALL = "stall"
    """No answer comes until the client hangs up."""

    DRIP_HEAD = "drip-head"
    """The right answer, with its head in tiny steps."""

    DRIP_BODY = "drip-body"
    """The right answer, with its body in tiny steps."""

    MALFORMED_JSON = "malformed-json"
    """200 with a body that is almost JSON."""

    HTML_PAGE = "html-page"
    """200 with an HTML page, as from a proxy."""

    EMPTY_ANSWER = "empty-answer"
    """200 without choices, output, content or candidates, as the API calls them."""

    MISSING_USAGE = "missing-usage"
    """The right answer without its usage."""

    INVALID_ARGUMENTS = "invalid-arguments"
    """Tool calls whose arguments are cut off within the JSON."""

    UNKNOWN_TOOL = "unknown-tool"
    """Calls of a tool that was not offered."""

    MISTYPED_ARGUMENTS = "mistyped-arguments"
    """Tool calls whose arguments are JSON with values of the wrong type."""

    OBJECT_ARGUMENTS = "object-arguments"
    """Tool calls whose arguments are an object on the wire instead of a string."""

    NULL_ARGUMENTS = "null-arguments"
    """Tool calls whose arguments are null on the wire."""

    MANY_CALLS = "many-calls"
    """200 tool calls at once."""

    HUGE_ARGUMENTS = "huge-arguments"
    """Tool calls with a megabyte of arguments."""

    NAN_ANSWER = "nan-answer"
    """An answer with NaN and Infinity for times."""

    HUGE_ANSWER = "huge-answer"
    """An answer of 20,000 candidates."""

    DEEP_ANSWER = "deep-answer"
    """An answer nested 100,000 deep."""

    CONTROL_CHARACTERS = "control-characters"
    """The right answer surrounded by control characters."""

    LONE_SURROGATES = "lone-surrogates"
    """The right answer surrounded by lone surrogates, written as JSON escapes."""

    MARKUP = "markup"
    """The right answer surrounded by HTML and script."""


ON_THE_WIRE = (
    FaultKind.RATE_LIMIT,
    FaultKind.RATE_LIMIT_SECONDS,
    FaultKind.RATE_LIMIT_DATE,
    FaultKind.SERVER_ERROR,
    FaultKind.UNAVAILABLE,
    FaultKind.DROP,
    FaultKind.TRUNCATE,
    FaultKind.STALL,
    FaultKind.DRIP_HEAD,
    FaultKind.DRIP_BODY,
    FaultKind.MALFORMED_JSON,
    FaultKind.HTML_PAGE,
    FaultKind.EMPTY_ANSWER,
    FaultKind.MISSING_USAGE,
)
"""Faults of the endpoint: the request may succeed when it is sent again."""

IN_CALLS = (
    FaultKind.INVALID_ARGUMENTS,
    FaultKind.UNKNOWN_TOOL,
    FaultKind.MISTYPED_ARGUMENTS,
    FaultKind.OBJECT_ARGUMENTS,
    FaultKind.NULL_ARGUMENTS,
    FaultKind.MANY_CALLS,
    FaultKind.HUGE_ARGUMENTS,
)
"""Mistakes in the model's tool calls: each costs an extra turn, after which the model continues normally."""

IN_ANSWERS = (
    FaultKind.NAN_ANSWER,
    FaultKind.HUGE_ANSWER,
    FaultKind.DEEP_ANSWER,
    FaultKind.CONTROL_CHARACTERS,
    FaultKind.LONE_SURROGATES,
    FaultKind.MARKUP,
)
"""Mistakes in the model's final message."""

BY_THE_MODEL = IN_CALLS + IN_ANSWERS

PASSING = tuple(kind for kind in ON_THE_WIRE if kind is not FaultKind.STALL)
"""Faults that pass by themselves; a stall lasts as long as the client waits."""

GROUPS = {"wire": ON_THE_WIRE, "passing": PASSING, "calls": IN_CALLS, "answers": IN_ANSWERS, "model": BY_THE_MODEL}
"""Names of several kinds together."""


def kinds_named(text: str) -> tuple[FaultKind, ...]:
    """The kinds in a comma-separated list of kinds and groups, each once.

    Raises:
        ValueError: a name is neither a kind nor a group.
    """
    kinds: dict[FaultKind, None] = {}
    for name in text.split(","):
        try:
            kinds |= dict.fromkeys(GROUPS.get(name) or (FaultKind(name),))
        except ValueError:
            known = ", ".join([*FaultKind, *GROUPS])
            raise ValueError(f"{name!r} is not a fault; the faults and their groups are {known}") from None
    return tuple(kinds)

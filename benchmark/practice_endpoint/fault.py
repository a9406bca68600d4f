"""What goes over the wire: an answer, or the fault in its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True)
class Fault:
    """What happens to a request instead of an answer by the brain."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds to wait first."""

    drop: bool = False
    """Whether the connection is closed without an answer."""

    stall: bool = False
    """Whether there is no answer at all until the client hangs up."""

    cut_at: int | None = None
    """After how many bytes of the body the connection is closed; None sends all that Content-Length announces."""

    head_seconds: float = 0.0
    """How long the status line and the headers take, which come in tiny steps then."""

    body_seconds: float = 0.0
    """How long the body takes, which comes in tiny steps then."""


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
    """The connection is closed amid the body."""

    STALL = "stall"
    """No answer comes until the client hangs up."""

    DRIP_HEAD = "drip-head"
    """The right answer, its head in tiny steps."""

    DRIP_BODY = "drip-body"
    """The right answer, its body in tiny steps."""

    MALFORMED_JSON = "malformed-json"
    """200 with a body that is almost JSON."""

    HTML_PAGE = "html-page"
    """200 with a page of HTML, as a proxy answers."""

    EMPTY_ANSWER = "empty-answer"
    """200 without choices (chat completions) or output (responses)."""

    MISSING_USAGE = "missing-usage"
    """The right answer without its usage."""

    INVALID_ARGUMENTS = "invalid-arguments"
    """Tool calls whose arguments are cut off amid the JSON."""

    UNKNOWN_TOOL = "unknown-tool"
    """Calls of a tool that was not offered."""

    MISTYPED_ARGUMENTS = "mistyped-arguments"
    """Tool calls whose arguments are JSON, each with a value of another type."""

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
    """The right answer amid control characters."""

    LONE_SURROGATES = "lone-surrogates"
    """The right answer amid halves of characters, as JSON can escape them."""

    MARKUP = "markup"
    """The right answer amid HTML and script."""


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
"""The endpoint's own faults: the same request may succeed when it is sent again."""

IN_CALLS = (
    FaultKind.INVALID_ARGUMENTS,
    FaultKind.UNKNOWN_TOOL,
    FaultKind.MISTYPED_ARGUMENTS,
    FaultKind.OBJECT_ARGUMENTS,
    FaultKind.NULL_ARGUMENTS,
    FaultKind.MANY_CALLS,
    FaultKind.HUGE_ARGUMENTS,
)
"""Mistakes that a model makes in tool calls: a turn more, after which it goes on as if nothing had been."""

IN_ANSWERS = (
    FaultKind.NAN_ANSWER,
    FaultKind.HUGE_ANSWER,
    FaultKind.DEEP_ANSWER,
    FaultKind.CONTROL_CHARACTERS,
    FaultKind.LONE_SURROGATES,
    FaultKind.MARKUP,
)
"""Mistakes that a model makes in its final message."""

BY_THE_MODEL = IN_CALLS + IN_ANSWERS

PASSING = tuple(kind for kind in ON_THE_WIRE if kind is not FaultKind.STALL)
"""What is over at once; a stall lasts as long as the client waits."""

GROUPS = {"wire": ON_THE_WIRE, "passing": PASSING, "calls": IN_CALLS, "answers": IN_ANSWERS, "model": BY_THE_MODEL}
"""Names of several kinds together."""


def kinds_named(text: str) -> tuple[FaultKind, ...]:
    """The kinds of a list with commas, in which groups may stand.

    Raises:
        ValueError: a name is neither a kind nor a group.
    """
    kinds: dict[FaultKind, None] = {}
    for name in text.split(","):
        try:
            kinds |= dict.fromkeys(GROUPS.get(name) or (FaultKind(name),))
        except ValueError:
            known = ", ".join([*FaultKind, *GROUPS])
            raise ValueError(f"{name!r} is no fault; the faults and their groups are {known}") from None
    return tuple(kinds)

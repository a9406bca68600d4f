"""What endpoints say when they do not answer, and whose fault it is.

Servers report what a model did wrong in words of their own, with any status, at times within a success. What the model
did wrong must not make the episode an error, which no average counts; what the endpoint did wrong must not be scored.
The names that programs know an error by (`code`, `type`, `status`) decide before the message for people.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple, Self

from mpcbench.schema.episode import Finish


class Verdict(Enum):
    """Whose fault an error is."""

    OUTGROWN = "outgrown"
    """The conversation does not fit into the model's context: truncated."""

    FILTERED = "filtered"
    """A content filter refuses it: refused."""

    MALFORMED = "malformed"
    """The model wrote what the server cannot read as a tool call or a message: a failed turn, of which it is told."""

    SPENT = "spent"
    """The account is used up: the run ends."""

    UNKNOWN_MODEL = "unknown model"
    """The endpoint has no such model: the run ends if it has never answered."""

    FAULT = "fault"
    """Anything else: the endpoint's."""


_BY_MARK: Final = {
    "context_length_exceeded": Verdict.OUTGROWN,
    "contextlengthexceeded": Verdict.OUTGROWN,
    "context_window_exceeded": Verdict.OUTGROWN,
    "contextwindowexceedederror": Verdict.OUTGROWN,
    "exceed_context_size_error": Verdict.OUTGROWN,
    "model_context_window_exceeded": Verdict.OUTGROWN,
    "model_max_prompt_tokens_exceeded": Verdict.OUTGROWN,
    "prompt_too_long": Verdict.OUTGROWN,
    "request_too_large": Verdict.OUTGROWN,
    "1261": Verdict.OUTGROWN,
    "content_filter": Verdict.FILTERED,
    "content_filter_error": Verdict.FILTERED,
    "content_policy_violation": Verdict.FILTERED,
    "contentpolicyviolationerror": Verdict.FILTERED,
    "cyber_policy_violation": Verdict.FILTERED,
    "data_inspection_failed": Verdict.FILTERED,
    "datainspectionfailed": Verdict.FILTERED,
    "guardrail_intervened": Verdict.FILTERED,
    "invalid_prompt": Verdict.FILTERED,
    "responsibleaipolicyviolation": Verdict.FILTERED,
    "1301": Verdict.FILTERED,
    "json_validate_failed": Verdict.MALFORMED,
    "malformed_function_call": Verdict.MALFORMED,
    "output_parse_failed": Verdict.MALFORMED,
    "tool_error": Verdict.MALFORMED,
    "tool_use_failed": Verdict.MALFORMED,
    "insufficient_quota": Verdict.SPENT,
    "insufficient_balance": Verdict.SPENT,
    "model_not_found": Verdict.UNKNOWN_MODEL,
}
"""By the name in small letters."""

_TOO_LONG_VALUES: Final = {"string_above_max_length", "array_above_max_length"}
"""The names of errors about a field that is too long; about the messages they mean that the conversation is."""

_LIMITED: Final = re.compile(
    r"per[ -](?:second|minute|hour|day|week|month)|\b[RT]P[MDS]\b|\b[IO]TPM\b|\brate\b|rate_?limit|quota|\bcredits?\b"
    r"|billing|balance|throttl|too many requests|please (?:wait|slow down)|try again (?:in|later|after)|capacity"
    r"|overloaded|time[ds]?[ _-]?out|\btime\b|deadline|\bseconds\b|concurren|\bretries\b|bandwidth|out of memory",
    re.IGNORECASE,
)
"""Limits of accounts and machines, which can be said in the words of a context that is outgrown."""

_BY_MESSAGE: Final = (
    (
        Verdict.MALFORMED,
        (r"failed to parse (?:input at pos|tool[ _]calls?|the tool|fc related|generated|function call|model output)"
        r"|error parsing tool call|failed to call a function|tool call validation failed|malformed[ _](?:function|tool)[ _](?:call|use)"
        r"|(?:model|output).{0,40}does not match the expected .{0,40}format|invalid diff: .{0,40}tool calls"
        r"|model (?:output|generated|produced|returned) .{0,60}(?:could not be parsed|invalid sequence|invalid json"
        r"|invalid tool|malformed|unparsable)|generated output that could not be parsed|invalid tool generation"
        r"|failed to (?:generate|validate) json|could not parse .{0,30}tool call|tool error: "
        r"|unexpected tokens remaining in message header|list\[function-wrap"),
    ),
    (
        Verdict.FILTERED,
        (r"content[ _-]?(?:management|filter|policy|moderation)|content exists risk|inappropriate content"
        r"|(?:input|output|prompt|request|content|message)s?\b.{0,30}(?:\bwas|\bwere|\bis|\bbeen)? ?\bflagged"
        r"|considered high risk|usage polic|responsible ai|blocked by .{0,40}(?:guardrail|safety)"
        r"|safety (?:filter|system)|prohibited content"),
    ),
    (
        Verdict.OUTGROWN,
        (r"context[ _-]?(?:length|window|size|limit)\b.{0,120}\b(?:exceed|overflow|not enough|too |reached|of only|longer)"
        r"|\b(?:exceed|longer than|larger than|greater than|overflow|fit|beyond|reached|maximum|above)\w*\b.{0,80}\b"
        r"context[ _-]?(?:length|window|size|limit)|contextwindowexceeded|when context the overflows"
        r"|(?:prompt|input|inputs|request|conversation|messages?|query|sequence|payload)\b.{0,60}\b(?:is |are |was )?"
        r"too (?:long|large)\b|request entity too large|content too large"
        r"|(?:prompt|input|request|sequence|messages?)\b.{0,80}\b(?:exceed|longer than|larger than)"
        r"|\btokens?\b.{0,60}\b(?:exceed|longer than|larger than|greater than)|exceed\w*\b.{0,60}\btokens?\b"
        r"|maximum (?:prompt|input|model|sequence) length|range of input length|too many (?:input )?tokens"
        r"|reduce the length of the (?:messages|prompt|input)|\bmust have less than \d+ tokens"
        r"|max_new_tokens`? must be <=|max_tokens must be at least 1, got -|max_(?:seq|model|input)_len"
        r"|prompt 超长|should not exceed max_num_tokens"),
    ),
)  # fmt: skip
_PATTERNS: Final = tuple((verdict, re.compile(words, re.IGNORECASE | re.DOTALL)) for verdict, words in _BY_MESSAGE)

_BY_STATUS: Final = {402: Verdict.SPENT, 407: Verdict.SPENT, 413: Verdict.OUTGROWN}
_WORDS_DO_NOT_COUNT: Final = {401, 402, 403, 407, 408, 409, 425, 429}
"""Statuses that say what is wrong better than words, which may only look like something else."""

_SETTING: Final = re.compile(r"(?!.*(?:context|prompt|input|got -)).*\bmax_(?:completion_|output_)?tokens\b", re.DOTALL)
"""The length of one message, which is an option of the user."""

_SETTING_BEYOND: Final = re.compile(r"max_(?:completion_)?tokens\D{1,60}too large: (\d+).{0,80}context length is (\d+)")
"""The same, where it is no shorter than the whole context."""

_MARKUP: Final = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_LONG_TEXT: Final = re.compile(r"(?:messages|input)(?:$|.*\.(?:content|output|text|arguments)$)")

_LONGEST_READ: Final = 4_000
_DEEPEST: Final = 4


class ConversationEndedError(Exception):
    """The endpoint takes no more of a conversation, for reasons that are the model's and not a failure."""

    def __init__(self, finish: Finish) -> None:
        super().__init__(finish.value)
        self.finish = finish


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
        verdict = _verdict(status, marks, params, "\n".join(words)[:_LONGEST_READ])
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
            raise ConversationEndedError(Finish.LENGTH)
        if self.verdict is Verdict.FILTERED:
            raise ConversationEndedError(Finish.REFUSAL)
        if self.verdict is Verdict.MALFORMED:
            raise MalformedOutputError(self.generation)


def _verdict(status: int, marks: set[str], params: list[str], words: str) -> Verdict:
    for mark in sorted(marks & _BY_MARK.keys()):
        return _BY_MARK[mark]
    if marks & _TOO_LONG_VALUES:
        return Verdict.OUTGROWN if any(map(_LONG_TEXT.match, params)) else Verdict.FAULT
    limited = bool(_LIMITED.search(words)) or any("rate_limit" in mark for mark in marks)
    if "413" in marks:  # a gateway's success or 400 around it
        status = 413
    if status in _BY_STATUS and not (_BY_STATUS[status] is Verdict.OUTGROWN and limited):
        return _BY_STATUS[status]
    if status in _WORDS_DO_NOT_COUNT or _MARKUP.match(words):
        return Verdict.FAULT
    verdict = next((verdict for verdict, pattern in _PATTERNS if pattern.search(words)), Verdict.FAULT)
    if verdict is Verdict.OUTGROWN and (limited or _SETTING.match(words) or _is_setting_beyond(words)):
        return Verdict.FAULT
    return verdict


def _is_setting_beyond(words: str) -> bool:
    found = _SETTING_BEYOND.search(words)
    return found is not None and int(found[1]) >= int(found[2])


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

"""Whose fault an error of an endpoint is, in the names and words of many servers.

What the model did wrong must not make the episode an error, which no average counts; what the endpoint did wrong must
not be scored. The names that programs know an error by (`code`, `type`, `status`) decide before the message for people.
"""

import re
from enum import Enum
from typing import Final


class Verdict(Enum):
    """Whose fault an error is."""

    OUTGROWN = "outgrown"
    """The conversation does not fit into the model's context: truncated, once the model has written a part of it."""

    FILLED = "filled"
    """The model wrote until its context was full: truncated."""

    FILTERED = "filtered"
    """A content filter refuses it: refused."""

    MALFORMED = "malformed"
    """The model wrote what the server cannot read as a tool call or a message: a failed turn, of which it is told."""

    SPENT = "spent"
    """The account is used up: the run ends."""

    KEY_REFUSED = "key refused"
    """The endpoint refuses the key: the run ends."""

    UNKNOWN_MODEL = "unknown model"
    """The endpoint has no such model or URL: the run ends if it has never answered."""

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
    "base_resp 1026": Verdict.FILTERED,
    "base_resp 1027": Verdict.FILTERED,
    "json_validate_failed": Verdict.MALFORMED,
    "malformed_function_call": Verdict.MALFORMED,
    "output_parse_failed": Verdict.MALFORMED,
    "tool_use_failed": Verdict.MALFORMED,
    "accountoverdueerror": Verdict.SPENT,
    "arrearage": Verdict.SPENT,
    "billing_hard_limit_reached": Verdict.SPENT,
    "billing_not_active": Verdict.SPENT,
    "budget_exceeded": Verdict.SPENT,
    "exceeded_current_quota_error": Verdict.SPENT,
    "insufficient_balance": Verdict.SPENT,
    "insufficient_quota": Verdict.SPENT,
    "1113": Verdict.SPENT,
    "base_resp 1008": Verdict.SPENT,
    "api_key_invalid": Verdict.KEY_REFUSED,
    "authentication_error": Verdict.KEY_REFUSED,
    "base_resp 1004": Verdict.KEY_REFUSED,
    "base_resp 2049": Verdict.KEY_REFUSED,
    "invalid_api_key": Verdict.KEY_REFUSED,
    "invalid_model": Verdict.UNKNOWN_MODEL,
    "model_not_found": Verdict.UNKNOWN_MODEL,
}
"""By the name in small letters."""

_TOO_LONG_VALUES: Final = {"string_above_max_length", "array_above_max_length"}
"""The names of errors about a field that is too long; about the messages they mean that the conversation is."""

_LIMITED: Final = re.compile(
    r"(?:per[ -]|each |this |current )(?:second|minute|hour|day|week|month|billing)|\b(?:hourly|daily|weekly|monthly|today)\b"
    r"|\b[RT]P[MDS]\b|\b[IO]TPM\b|\brate\b|rate_?limit|quota|\bcredits?\b|allowance|budget(?!_tokens)|spend|\bcost\b"
    r"|billing|balance|\bpaid\b|upgrade|\b(?:pricing|your|free|trial|current) (?:plan|tier)\b|subscription|organi[sz]ation"
    r"|exceed\w* (?:your|its|their) (?!.{0,20}(?:context|prompt|input))"
    r"|\b(?:account|workspace|tenant|team|project|api key|virtual key)\b"
    r"|throttl|too many requests|please (?:wait|slow down)|try again (?:in|later|after)|capacity|overloaded|\bqueued?\b"
    r"|pending requests|time[ds]?[ _-]?out|\btime\b|deadline|\bseconds\b|concurren|\bretries\b|bandwidth|out of memory"
    r"|\b(?:access|auth\w*|bearer|session|refresh|id|csrf) token|\btoken(?:'s)? (?:lifetime|validity|expir|age)|lifetime|expired"
    r"|physical batch size|\bgrpc\b|rpc error|received message|\b(?:uri|url|headers?|cookies?)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Limits of accounts, gateways and machines, which can be said in the words of a context that is outgrown."""

_UNREACHED: Final = re.compile(
    r"connection (?:refused|reset|closed|aborted|error)|\bECONN\w+|dial tcp|no such host|unreachable|name resolution",
    re.IGNORECASE,
)
"""A machine behind the endpoint, which can be said to fail in the words of a malformed call."""

_NETWORK: Final = re.compile(
    r"\b(?:network|firewall|proxy server|web proxy|web gateway|administrator|web ?(?:site|page|filter\w*|content)|url"
    r"|domain|dns|zscaler|netskope|forti(?:guard|gate|net))\b|your (?:organi[sz]ation|company|employer|school)",
    re.IGNORECASE,
)
"""Filters on the way to the endpoint, which block it and not what the model wrote."""

_SPENT: Final = re.compile(
    r"(?:credit )?balance is (?:too low|insufficient|not enough|negative)|insufficient (?:account |paid )?(?:balance|funds|credits?)"
    r"|not enough (?:credits?|balance|funds)|(?:used|spent|run out of|out of|exhausted) (?:all )?(?:of )?(?:the |your |its )?(?:\w+ ){0,2}credits"
    r"|exceeded your monthly included credits|billing hard limit|account is not active|account is in good standing"
    r"|(?:account|team|organi[sz]ation)\b.{0,100}\bsuspended\b.{0,100}(?:balance|spending|invoice|billing|payment|recharge)"
    r"|credit limit (?:exceeded|reached)|reached (?:its|your|the) monthly spending limit|recharge your account|no resource package|budget has been exceeded"
    r"|余额不足|欠费",
    re.IGNORECASE | re.DOTALL,
)
"""An account that no wait fills, whatever the status."""

_WHATEVER_THE_STATUS: Final = (
    (Verdict.SPENT, _SPENT),
    (Verdict.FILTERED, re.compile(r"content violates usage guidelines|\bSAFETY_CHECK_TYPE_", re.IGNORECASE)),
)
"""What is said in no other sense, such as by xAI with HTTP 403."""

_BY_MESSAGE: Final = (
    (
        Verdict.MALFORMED,
        (r"failed to parse (?:input at pos|tool[ _]calls?|the tool|fc related|generated|function call|model output)"
        r"|error parsing tool call|failed to call a function|tool call validation failed|malformed[ _](?:function|tool)[ _](?:call|use)"
        r"|(?:model|output).{0,40}does not match the expected .{0,40}format|invalid diff: .{0,40}tool calls"
        r"|model (?:output|generated|produced|returned) .{0,60}(?:could not be parsed|invalid sequence|invalid json"
        r"|invalid tool|malformed|unparsable)|generated output that could not be parsed|invalid tool generation"
        r"|failed to (?:generate|validate) json|could not parse .{0,30}tool call|tool error: no tool"
        r"|unexpected tokens remaining in message header|list\[function-wrap"),
    ),
    (
        Verdict.FILTERED,
        (r"content[ _-]?(?:management|filter|policy|moderation)|content exists risk|inappropriate content"
        r"|(?:input|output|prompt|request|content|message)s?\b.{0,30}(?:\bwas|\bwere|\bis|\bbeen)? ?\bflagged"
        r"|considered high risk|usage polic|responsible ai|blocked by .{0,40}(?:guardrail|safety)"
        r"|safety (?:filter|system)|prohibited content"),
    ),
    (Verdict.FILLED, r"mid-generation context overflow|^context size has been exceeded"),
    (
        Verdict.OUTGROWN,
        (r"context[ _-]?(?:length|window|size|limit)\b.{0,120}\b(?:exceed|overflow|not enough|too |reached|of only|longer)"
        r"|\b(?:exceed|longer than|larger than|greater than|overflow|fit|beyond|reached|maximum|above)\w*\b.{0,80}\b"
        r"context[ _-]?(?:length|window|size|limit)|contextwindowexceeded|when context the overflows"
        r"|(?:prompt|input|inputs|request|conversation|messages?|query|sequence|payload)\b.{0,60}\b(?:is |are |was )?"
        r"too (?:long|large)\b|request entity too large|content too large"
        r"|(?:prompt|input|request|sequence|messages?)\b.{0,80}\b(?:exceed|longer than|larger than)"
        r"|\b(?:tokens|token (?:count|length|limit|usage))\b.{0,60}\b(?:exceed|longer than|larger than|greater than)"
        r"|exceed\w*\b.{0,60}\b(?:tokens|token (?:count|length|limit|window))\b"
        r"|maximum (?:prompt|input|model|(?:supported )?sequence) length|cannot truncate prompt with n_keep|range of input length|too many (?:input )?tokens"
        r"|reduce the length of the (?:messages|prompt|input)|\bmust have less than \d+ tokens"
        r"|max_new_tokens`? must be <=|max_tokens must be at least 1, got -|max_(?:seq|model|input)_len"
        r"|prompt 超长|should not exceed max_num_tokens"),
    ),
    (Verdict.KEY_REFUSED, r"^(?:api key not valid|(?:incorrect|invalid) api key\b)"),
    (
        Verdict.UNKNOWN_MODEL,
        (r"\bmodel not exist|is not a valid model id\b|invalid model name passed in model=|^invalid model: "
        r"|^unexpected endpoint or method"),
    ),
)  # fmt: skip
_PATTERNS: Final = tuple(
    (verdict, re.compile(words, re.IGNORECASE | re.DOTALL | re.MULTILINE)) for verdict, words in _BY_MESSAGE
)

_BY_STATUS: Final = {402: Verdict.SPENT, 407: Verdict.SPENT, 413: Verdict.OUTGROWN}
_WORDS_DO_NOT_COUNT: Final = {
    401,
    402,
    403,
    407,
    408,
    409,
    411,
    412,
    414,
    415,
    417,
    421,
    425,
    426,
    428,
    429,
    431,
    451,
    511,
}
"""Statuses that say what is wrong better than words, which may only look like something else."""

_SETTING: Final = re.compile(r"(?!.*(?:context|prompt|input|got -)).*\bmax_(?:completion_|output_)?tokens\b", re.DOTALL)
"""The length of one message, which is an option of the user."""

_SETTING_BEYOND: Final = re.compile(r"max_(?:completion_)?tokens\D{1,60}too large: (\d+).{0,80}context length is (\d+)")
"""The same, where it is no shorter than the whole context."""

_MARKUP: Final = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_LONG_TEXT: Final = re.compile(r"(?:messages|input)(?:$|.*\.(?:content|output|text|arguments|tool_calls)$)")


def verdict_of(status: int, marks: set[str], params: list[str], words: str) -> Verdict:
    """Whose fault an error is.

    Args:
        status: Of the HTTP response.
        marks: The names that programs know the error by, in small letters.
        params: The parameters of the request that it is about.
        words: Its messages for people.
    """
    if status < 400 and "401" in marks:
        marks = marks | {"invalid_api_key"}
    for mark in sorted(marks & _BY_MARK.keys()):
        return _BY_MARK[mark]
    for verdict, pattern in _WHATEVER_THE_STATUS:
        if pattern.search(words):
            return verdict
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
    elsewhere = {
        Verdict.OUTGROWN: limited or _SETTING.match(words) or _is_setting_beyond(words),
        Verdict.FILTERED: _NETWORK.search(words),
        Verdict.MALFORMED: _UNREACHED.search(words),
    }
    return Verdict.FAULT if elsewhere.get(verdict) else verdict


def _is_setting_beyond(words: str) -> bool:
    found = _SETTING_BEYOND.search(words)
    return found is not None and int(found[1]) >= int(found[2])

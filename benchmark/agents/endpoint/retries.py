"""When a request is sent again, and after how long.

The openai package retries by itself, but not as a benchmark needs it: it takes an answer for a success before anybody
has read a turn in it, sends again when the account is used up, and changes its rules from release to release. All tries
of a request share one limit, so there is one loop, in `transport`.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import random

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_LONGEST_ASKED = 60.0
_RETRY_DELAY = re.compile(r'"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d{1,9})?)s"')
_PASSING = {408, 409, 425, 429}
_LASTING = {501, 505}


class PassingError(Exception):
    """A transient failure, and how many seconds the endpoint asks to wait."""

    def __init__(self, message: str, asked: float | None = None) -> None:
        super().__init__(message)
        self.asked = asked


class SilenceError(PassingError):
    """Nothing was heard of the endpoint, not even an error; `refused` says whether there was no connection either."""

    def __init__(self, message: str, *, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused


def may_pass(status: int) -> bool:
    """Whether the same request may succeed later, after this HTTP status."""
    return status in _PASSING or (status >= 500 and status not in _LASTING)


def wait(tries: int, asked: float | None) -> float:
    """Seconds until the next try, after so many."""
    spread = random() / 4  # noqa: S311 - no secret
    if asked is not None:
        return asked * (1 + spread)
    return min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(tries - 1, 10)) * (1 - spread)


def asked_seconds(headers: Mapping[str, str], text: str = "") -> float | None:
    """The seconds that the endpoint asks to wait; None where it does not say, or nothing sensible.

    Args:
        headers: Of its answer.
        text: Its answer; Google's APIs say it there.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds > 0:
            return min(seconds, _LONGEST_ASKED)
    detail = _RETRY_DELAY.search(text)
    if detail is not None and "retry-after" not in headers:
        return min(float(detail[1]), _LONGEST_ASKED) or None
    try:
        moment = parsedate_to_datetime(headers["retry-after"])
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (KeyError, ValueError, OverflowError):
        return None
    return min(seconds, _LONGEST_ASKED) if seconds > 0 else None

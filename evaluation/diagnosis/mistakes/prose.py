"""The figures in the text of a policy: times of day, numbers and weekdays, sentence by sentence."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

_SENTENCES: Final = re.compile(r"(?<=[.;!?])\s+|\n+")
_TIME: Final = re.compile(
    r"\b(?:(\d{1,2}):(\d\d)|(\d{1,2})(?=\s*[ap]\.?m))\s*([ap])?\.?m?\b|\b(noon|midnight)\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"\b(\d{1,3})\b(?![:.]\d)")
_WORDS: Final = {
    "five": 5, "ten": 10, "quarter of an hour": 15, "fifteen": 15, "twenty": 20, "twenty-five": 25, "half an hour": 30,
    "thirty": 30, "forty": 40, "forty-five": 45, "three quarters of an hour": 45, "an hour": 60,
}  # fmt: skip
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RANGE: Final = re.compile(rf"({'|'.join(_DAYS)})s?\s*(?:to|through|until|-)\s*({'|'.join(_DAYS)})", re.IGNORECASE)
_MOST_MINUTES: Final = 120


class Sentence(NamedTuple):
    """The figures of one sentence."""

    times: tuple[int, ...]
    """Times of day in minutes, in the order of the text."""

    numbers: frozenset[int]
    """Numbers that may be minutes."""

    days: tuple[int, ...]
    """Weekdays."""


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text that hold figures."""
    found = (Sentence(_times(one), _numbers(one), _weekdays(one)) for one in _SENTENCES.split(text))
    return tuple(one for one in found if one.times or one.numbers)


def _times(text: str) -> tuple[int, ...]:
    found = []
    for match in _TIME.finditer(text):
        if match[5]:
            found.append(12 * 60 if match[5].lower() == "noon" else 24 * 60)
            continue
        hour, minute = int(match[1] or match[3]), int(match[2] or 0)
        if match[4]:
            hour = hour % 12 + (12 if match[4].lower() == "p" else 0)
        found.append(hour * 60 + minute)
    return tuple(time for time in found if time <= 24 * 60)


def _numbers(text: str) -> frozenset[int]:
    plain = _TIME.sub(" ", text).lower()
    numbers = {int(one) for one in _NUMBER.findall(plain)} | {value for word, value in _WORDS.items() if word in plain}
    return frozenset(number for number in numbers if 0 < number <= _MOST_MINUTES)


def _weekdays(text: str) -> tuple[int, ...]:
    folded = text.lower()
    days = {day for day, name in enumerate(_DAYS) if name in folded}
    for first, last in _RANGE.findall(folded):
        low, high = _DAYS.index(first), _DAYS.index(last)
        days |= {day % 7 for day in range(low, high + 1 + (7 if high < low else 0))}
    return tuple(sorted(days))

"""Texts with choices: `[Please|Kindly] book it[| for us].` is any of four sentences. Choices may be nested."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Final

_INNERMOST = re.compile(r"\[([^\[\]]*)\]")


_HEAVIEST: Final = 4


def one_of(texts: Sequence[str], rng: Random) -> str:
    """One of the texts, with one alternative of every choice.

    A text with more alternatives is taken more often, up to four times as often as one without choices, so that no
    wording is met much more often than others.
    """
    (text,) = rng.choices(texts, [_weight(text) for text in texts])
    return chosen(text, rng)


@cache
def _weight(text: str) -> int:
    return min(_HEAVIEST, len(list(every(text))))


def chosen(text: str, rng: Random) -> str:
    """The text with one alternative of every choice."""
    while match := _INNERMOST.search(text):
        text = text[: match.start()] + rng.choice(match[1].split("|")) + text[match.end() :]
    return text


def every(text: str) -> Iterator[str]:
    """Each text that `chosen` may return, without repetition."""
    match = _INNERMOST.search(text)
    if match is None:
        yield text
        return
    options = (text[: match.start()] + option + text[match.end() :] for option in match[1].split("|"))
    yield from dict.fromkeys(full for option in options for full in every(option))


def capitalised(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[0].upper() + text[1:]

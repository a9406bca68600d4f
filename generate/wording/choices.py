"""Texts with choices: `[Please|Kindly] book it[| for us].` is any of four sentences. Choices may be nested."""

import re
from collections.abc import Iterator
from random import Random

_INNERMOST = re.compile(r"\[([^\[\]]*)\]")


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

"""Parsing by reduction: each match of a pattern in a text is replaced by a token that refers to its value.

`9:00 on 3 March` becomes `<time> on <day>`, which becomes `<moment>`. Sentence patterns over these tokens need not
know how days, times and lengths are written. In the text, a token is written `«kind:index»`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

_SLOT = re.compile(r"<(\w+)>")
_TOKEN = re.compile(r"\u00ab(\w+):(\d+)\u00bb")


class ReadingError(RuntimeError):
    """The agent cannot parse something that it needs; it fails rather than guess."""


@cache
def pattern(text: str, *, exact_case: bool = False) -> re.Pattern[str]:
    """Compile a regular expression in which `<kind>` matches a token of that kind and captures its index."""
    expanded = _SLOT.sub(lambda slot: f"\u00ab{slot[1]}:(\\d+)\u00bb", text)
    return re.compile(expanded, 0 if exact_case else re.IGNORECASE)


@dataclass
class Reduced:
    """A text whose values are progressively replaced by tokens."""

    text: str
    values: list[Any] = field(default_factory=list)

    def reduce(self, kind: str, found: re.Pattern[str], value: Callable[..., Any]) -> None:
        """Replace every match by a token; `value` is called with the match's groups.

        Matches for which `value` returns None stay as they are.
        """

        def token(match: re.Match[str]) -> str:
            result = value(*match.groups())
            if result is None:
                return match[0]
            self.values.append(result)
            return f"\u00ab{kind}:{len(self.values) - 1}\u00bb"

        self.text = found.sub(token, self.text)

    def value(self, index: str) -> Any:
        """The value of a token, by the index that a pattern captured."""
        return self.values[int(index)]

    def has(self, kind: str) -> bool:
        """Whether the text contains a token of a kind."""
        return f"\u00ab{kind}:" in self.text

    def consume(self, found: re.Pattern[str]) -> list[tuple[int, tuple[Any, ...]]]:
        """The positions and groups of all matches, in order; blanks the matches out of the text."""
        matches = [(match.start(), match.groups()) for match in found.finditer(self.text)]
        if matches:
            self.text = found.sub(lambda match: " " * len(match[0]), self.text)
        return matches

    def left(self, kinds: Sequence[str]) -> list[str]:
        """Which of the given kinds still have unconsumed tokens; one entry per token."""
        return [kind for kind, _ in _TOKEN.findall(self.text) if kind in kinds]

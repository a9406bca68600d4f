"""Reading by reduction: what a pattern recognises in a text is replaced by a token that holds its value.

`9:00 on 3 March` becomes `<time> on <day>`, which becomes `<moment>`; sentences are then read as patterns over few
tokens, however their days, times and lengths were written. A token stands in the text as `«kind:index»`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

_SLOT = re.compile(r"<(\w+)>")
_TOKEN = re.compile(r"\u00ab(\w+):(\d+)\u00bb")


class ReadingError(RuntimeError):
    """The agent cannot read something that it needs; a fault, never a guess."""


@cache
def pattern(text: str, *, exact_case: bool = False) -> re.Pattern[str]:
    """A regular expression in which `<kind>` stands for a token of that kind; its group holds the index."""
    expanded = _SLOT.sub(lambda slot: f"\u00ab{slot[1]}:(\\d+)\u00bb", text)
    return re.compile(expanded, 0 if exact_case else re.IGNORECASE)


@dataclass
class Reduced:
    """A text in which values are being replaced by tokens."""

    text: str
    values: list[Any] = field(default_factory=list)

    def reduce(self, kind: str, found: re.Pattern[str], value: Callable[..., Any]) -> None:
        """Replace every match by a token; `value` is called with the match's groups.

        Where `value` gives None the match is left as it is.
        """

        def token(match: re.Match[str]) -> str:
            result = value(*match.groups())
            if result is None:
                return match[0]
            self.values.append(result)
            return f"\u00ab{kind}:{len(self.values) - 1}\u00bb"

        self.text = found.sub(token, self.text)

    def value(self, index: str) -> Any:
        """The value of a token, by the index that a pattern's group holds."""
        return self.values[int(index)]

    def has(self, kind: str) -> bool:
        """Whether a token of a kind stands in the text."""
        return f"\u00ab{kind}:" in self.text

    def consume(self, found: re.Pattern[str]) -> list[tuple[int, tuple[Any, ...]]]:
        """The places and groups of all matches, in order; the matches are blanked out of the text."""
        matches = [(match.start(), match.groups()) for match in found.finditer(self.text)]
        if matches:
            self.text = found.sub(lambda match: " " * len(match[0]), self.text)
        return matches

    def left(self, kinds: Sequence[str]) -> list[str]:
        """The kinds of the tokens that nothing has consumed, among those asked for."""
        return [kind for kind, _ in _TOKEN.findall(self.text) if kind in kinds]

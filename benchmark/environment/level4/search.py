"""Full-text search as offices have it: by whole words, ranked; it finds some of what was meant and more besides."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from mpcbench.benchmark.environment.tools.toolbox import ToolError

T = TypeVar("T")

_WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """The text as searches compare it: without case and accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


def words(text: str) -> list[str]:
    """The folded words of a text, in order: its longest runs of letters and digits."""
    return _WORD.findall(folded(text))


def wanted_words(keyword: str) -> list[str]:
    """The words of a query, each once; raises `ToolError` if there are none."""
    wanted = list(dict.fromkeys(words(keyword)))
    if not wanted:
        raise ToolError(f"keyword holds no word: {keyword!r}")
    return wanted


def first_place(text: str, wanted: Iterable[str]) -> int:
    """Where in the text the first of its words stands that is wanted; 0 if none is."""
    among = set(wanted)
    return next((match.start() for match in _WORD.finditer(text) if among.intersection(words(match[0]))), 0)


class SearchIndex(Generic[T]):
    """Texts by their words."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._entries = tuple(entries)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The places of the texts that hold a word, ascending, by word."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, (text, _) in enumerate(self._entries):
            for word in dict.fromkeys(words(text)):
                places[word].append(place)
        return dict(places)

    def find(self, wanted: Sequence[str]) -> list[T]:
        """The items whose text holds at least one of the words, the best first.

        A text with more of the words comes before one with fewer, then rare words count more than common ones; of
        equal ones the order of the entries holds.
        """
        ranks: dict[int, tuple[int, int]] = {}
        for word in dict.fromkeys(wanted):
            places = self._places.get(word, ())
            # In whole bits, so that no rounding can change the order from one machine to another.
            rarity = (len(self._entries) // max(1, len(places))).bit_length()
            for place in places:
                count, weight = ranks.get(place, (0, 0))
                ranks[place] = count + 1, weight + rarity
        ordered = sorted((-count, -weight, place) for place, (count, weight) in ranks.items())
        return [self._entries[place][1] for _, _, place in ordered]

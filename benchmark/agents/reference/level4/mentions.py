"""Which texts hold one of some terms, where more terms are added all the time."""

from collections.abc import Collection
from itertools import islice


class Mentions:
    """Remembers which texts hold a term, so that none is searched for a term twice."""

    def __init__(self) -> None:
        self._searched: dict[str, tuple[bool, int]] = {}
        """By text, whether it holds a term, and for how many of the terms it has been searched."""

    def holds(self, text: str, terms: Collection[str]) -> bool:
        """Whether a text holds one of the terms, without case.

        Args:
            text: The text.
            terms: The same as before, in the same order, and new ones after them.
        """
        found, searched = self._searched.get(text, (False, 0))
        if not found and searched < len(terms):
            lower = text.lower()
            found = any(term.lower() in lower for term in islice(terms, searched, None))
            self._searched[text] = found, len(terms)
        return found

"""Calling tools: questions are asked side by side, and what has been shown is kept until it may have changed."""

import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference.desk import OutOfTurnsError
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox

T = TypeVar("T")

_NO_MORE_CALLS = re.compile(r"error: the budget of \d+ tool calls is used up")


class Call(NamedTuple):
    """A tool and its arguments."""

    tool: str
    arguments: tuple[tuple[str, Any], ...] = ()

    def on_page(self, page: int) -> "Call":
        """The same call for another page of its result."""
        return self if page == 1 else Call(self.tool, (*self.arguments, ("page", page)))


def call(tool: str, /, **arguments: Any) -> Call:
    """A call of a tool."""
    return Call(tool, tuple(arguments.items()))


Inquiry = Generator[Sequence[Call], list[str], T]
"""A question that takes several calls: it yields calls, is sent their results, and returns what it has found out."""

CHANGING: Final = frozenset(
    {
        "search_messages",
        "search_direct_messages",
        "search_announcements",
        "search_site_news",
        "search_newsletters",
        "search_wiki",
        "look_up_glossary",
        "get_calendar",
        "get_team_calendar",
        "get_room_bookings",
        "read_thread",
        "read_direct_messages",
    }
)
"""The tools whose results are looked at again: messages, pages, entries and bookings are added while one works."""


class LadderDesk:
    """The tools of an episode. No call is made twice before `forget`.

    Args:
        tools: Those of the episode.
        budget: How many turns there are.
    """

    def __init__(self, tools: Toolbox, budget: Budget) -> None:
        self._tools = tools
        self._most_turns = budget.max_turns
        self._shown: dict[Call, str] = {}
        self.turn = 0

    def ask(self, inquiries: Iterable[Inquiry[T]]) -> list[T]:
        """Pursue questions side by side: in each turn, the next calls of all of them.

        Raises:
            OutOfTurnsError: only the turn for the answer is left.
            ReadingError: a result is an error.
        """
        asked = together(inquiries)
        try:
            calls = next(asked)
            while True:
                self._make(calls)
                calls = asked.send([self._shown[wanted] for wanted in calls])
        except StopIteration as end:
            found: list[T] = end.value
            return found

    def forget(self, kept: Iterable[Call] = ()) -> list[Call]:
        """Forget what may have changed, but for some calls; returns what was forgotten, in the order of the calls."""
        kept = set(kept)
        forgotten = [one for one in self._shown if one.tool in CHANGING and one not in kept]
        for one in forgotten:
            del self._shown[one]
        return forgotten

    def _make(self, wanted: Iterable[Call]) -> None:
        new = [one for one in dict.fromkeys(wanted) if one not in self._shown]
        if not new:
            return
        self.turn += 1
        if self.turn >= self._most_turns:
            raise OutOfTurnsError
        made = self._tools.results([(one.tool, dict(one.arguments)) for one in new], turn=self.turn)
        for one, result in zip(new, made, strict=True):
            if _NO_MORE_CALLS.match(result):
                raise OutOfTurnsError
            if result.startswith("error:"):
                raise ReadingError(f"{one.tool}: {result}")
            self._shown[one] = result


def together(inquiries: Iterable[Inquiry[T]]) -> Inquiry[list[T]]:
    """Several questions as one: each time, the next calls of all of them."""
    asked = list(inquiries)
    found: dict[int, T] = {}
    waiting: dict[int, Sequence[Call]] = {}
    for place, inquiry in enumerate(asked):
        _advance(place, inquiry, None, waiting, found)
    while waiting:
        calls = list(waiting.values())
        results = yield [one for some in calls for one in some]
        for place, some in list(waiting.items()):
            _advance(place, asked[place], results[: len(some)], waiting, found)
            results = results[len(some) :]
    return [found[place] for place in range(len(asked))]


def _advance(
    place: int,
    inquiry: Inquiry[T],
    results: list[str] | None,
    waiting: dict[int, Sequence[Call]],
    found: dict[int, T],
) -> None:
    """Send an inquiry its results, or start it; keeps what it asks next, or what it has found."""
    waiting.pop(place, None)
    try:
        waiting[place] = next(inquiry) if results is None else inquiry.send(results)
    except StopIteration as end:
        found[place] = end.value


def json_pages(first: Call) -> Inquiry[list[Mapping[str, Any]]]:
    """All pages of a JSON result."""
    (text,) = yield [first]
    pages = [json.loads(text)]
    if pages[0]["pages"] > 1:
        texts = yield [first.on_page(page) for page in range(2, pages[0]["pages"] + 1)]
        pages += [json.loads(text) for text in texts]
    return pages

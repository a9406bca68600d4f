"""Calling tools and parsing the form of their results, not their meaning."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference.facts import Busy, Message, Room
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.benchmark.environment.tools.toolbox import Toolbox

_MESSAGE = re.compile(r"^\[\w{3} (\S+)\] ([^\n]*?): ", re.MULTILINE)
_CHANNEL = re.compile(r"^Thread \S+ in (\S+), ")
_TAGS = re.compile(r"^(?:    tags|rules of POL-\d+): \[.*\]\n?", re.MULTILINE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)
_ROOM_COLUMNS = ["room_id", "name", "site", "floor", "capacity", "equipment"]


class OutOfTurnsError(RuntimeError):
    """The budget does not allow another turn or call."""


class Desk:
    """The tools of an episode, called turn by turn."""

    def __init__(self, tools: Toolbox, budget: Budget) -> None:
        self._tools = tools
        self._most_turns = budget.max_turns
        self.turn = 0

    @property
    def offers(self) -> frozenset[str]:
        """The names of the tools."""
        return frozenset(tool.name for tool in self._tools.tools)

    def parameters(self, name: str) -> Mapping[str, Any]:
        """The parameters of a tool."""
        properties = [tool.parameters["properties"] for tool in self._tools.tools if tool.name == name]
        return properties[0] if properties else {}

    def next_turn(self) -> None:
        """Begin another turn; raises `OutOfTurnsError` if only the turn for the answer is left."""
        self.turn += 1
        if self.turn >= self._most_turns:
            raise OutOfTurnsError

    def call(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool and return the text of its result.

        Raises:
            ReadingError: the result is an error.
            OutOfTurnsError: the call is beyond the budget of calls.
        """
        result = self._tools.call(tool, arguments, turn=self.turn)
        if self._tools.max_calls is not None and len(self._tools.log) > self._tools.max_calls:
            raise OutOfTurnsError
        if result.startswith("error:"):
            raise ReadingError(f"{tool}: {result}")
        return result

    def call_json(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and decode its JSON result."""
        return json.loads(self.call(tool, **arguments))

    def pages(self, tool: str, /, **arguments: Any) -> list[Any]:
        """Fetch all pages of a JSON result, each in a turn of its own."""
        results = [self.call_json(tool, **arguments)]
        while results[-1]["page"] < results[-1]["pages"]:
            self.next_turn()
            results.append(self.call_json(tool, **arguments, page=results[-1]["page"] + 1))
        return results


def minutes(moment: datetime) -> int:
    """Minutes since 1970-01-01 UTC."""
    return (moment - _EPOCH) // _MINUTE


def busy_of(items: list[dict[str, str]]) -> list[Busy]:
    """Events or bookings of a JSON result."""
    return [
        Busy(
            minutes(datetime.fromisoformat(item["start"])), minutes(datetime.fromisoformat(item["end"])), item["title"]
        )
        for item in items
    ]


def messages_of(thread_id: str, text: str) -> list[Message]:
    """The messages of a thread, in order; tags are ignored if shown."""
    head, *parts = _MESSAGE.split(_TAGS.sub("", text))
    channel = _CHANNEL.match(head)
    if channel is None or not parts:
        raise ReadingError(f"thread {thread_id} shows no messages")
    return [
        Message(
            datetime.fromisoformat(sent), thread_id, place, body.strip().replace("\n    ", "\n"), author, channel[1]
        )
        for place, (sent, author, body) in enumerate(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
    ]


def document_of(text: str) -> str:
    """A policy document without tags, which are removed if shown."""
    return _TAGS.sub("", text)


def rooms_of(table: str) -> tuple[list[Room], bool]:
    """The rooms of one page of the table, and whether another page follows."""
    lines = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    if lines[0] != _ROOM_COLUMNS:
        raise ReadingError(f"the table of rooms has the columns {lines[0]}")
    page = re.fullmatch(r"page (\d+) of (\d+), .*", lines[-1][0])
    if page is None:
        raise ReadingError("the table of rooms does not end with the number of pages")
    rooms = [
        Room(room_id, name, site, int(floor), int(capacity), () if items == "none" else tuple(items.split(", ")))
        for room_id, name, site, floor, capacity, items in lines[2:-1]
    ]
    return rooms, int(page[1]) < int(page[2])


def day_text(day: date) -> str:
    """A day as tools take it."""
    return day.isoformat()

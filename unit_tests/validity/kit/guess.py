"""What an agent assumes where its flaw kept it from reading who, when, how long or how many."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from mpcbench.benchmark.agents.reference.facts import Message, PersonName, Request, Window
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours

_AUTHOR = re.compile(r"^\[\w{3} \S+\] ([^:(\n]+?)(?: \(([^)\n]+)\))?: ", re.MULTILINE)
_SEARCHED = re.compile(r'"author": "([^"(]+?)(?: \(([^")]+)\))?"')
_SENT = re.compile(r'"sent": "([^"]+)"')
_FEW = 4
_FORTNIGHT = timedelta(days=13)
_USUAL = {"length": 60, "count": 3}


def guesses(request: Request, messages: Sequence[Message], results: Sequence[str]) -> dict[str, Any]:
    """Values for the missing fields of a request.

    The first who wrote are assumed to take part, in the two weeks after the last message, in office hours. Without any
    message and search result there are no guesses of people and days.
    """
    made: dict[str, Any] = {name: value for name, value in _USUAL.items() if getattr(request, name) is None}
    authors = [author for result in results for found in (_AUTHOR, _SEARCHED) for author in found.findall(result)]
    if not request.people and authors:
        made["people"] = list(dict.fromkeys(PersonName(name.strip(), team or None) for name, team in authors))[:_FEW]
    sent = [message.sent for message in messages] or [
        datetime.fromisoformat(text) for result in results for text in _SENT.findall(result)
    ]
    if request.window is None and sent:
        first = max(sent).date() + timedelta(days=1)
        made["window"] = Window(Days(first, first + _FORTNIGHT), Hours(9 * 60, 17 * 60))
    return made

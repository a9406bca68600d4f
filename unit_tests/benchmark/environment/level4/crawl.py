"""An agent that calls every tool with everything that it has read so far, until it reads nothing new."""

import re
from collections.abc import Iterator
from typing import Any

from mpcbench.benchmark.environment.level4.search import words
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema.episode import ToolCall

DAYS = {"start_date": "2027-01-25", "end_date": "2027-02-24"}
SEARCHES = (
    "search_people",
    "search_messages",
    "search_direct_messages",
    "search_policies",
    "search_announcements",
    "search_site_news",
    "search_wiki",
    "look_up_glossary",
    "search_newsletters",
    "search_contacts",
)
LISTS = (
    "list_teams",
    "list_rosters",
    "list_channels",
    "list_direct_messages",
    "list_policy_documents",
    "list_policy_archive",
    "search_rooms",
    "list_sites",
    "search_announcements",
    "search_site_news",
    "list_desks",
)
BY_ID = {
    r"\bp\d{3,}\b": (("get_person", "person_id", {}), ("get_calendar", "person_id", DAYS)),
    r"\bTEAM-\d+\b": (("get_team", "team_id", {}), ("get_team_calendar", "team_id", DAYS)),
    r"\bRST-\d+\b": (("get_roster", "roster_id", {}),),
    r"\bT\d{4,}\b": (("read_thread", "thread_id", {}), ("read_direct_messages", "thread_id", {})),
    r"\bDOC-\d+\b": (("read_policy_document", "document_id", {}), ("read_archived_document", "document_id", {})),
    r"\bR\d{2,}\b": (("get_room", "room_id", {}), ("get_room_bookings", "room_ids", DAYS)),
    r'(?<="page_id": ")[^"]+': (
        ("read_announcement", "page_id", {}),
        ("read_site_news", "page_id", {}),
        ("read_wiki_page", "page_id", {}),
        ("read_newsletter", "page_id", {}),
    ),
    r'(?<="channel": ")[^"]+': (("list_threads", "channel", {}),),
    r'(?<="site": ")[^"]+': (("get_site", "site", {}),),
    r"(?<=Country: ).+": (("list_public_holidays", "country", {}),),
}


def page_count(result: str) -> int:
    """How many pages a result says that there are; 1 if it says nothing of pages."""
    found = re.search(r'"pages": (\d+)|, page \d+ of (\d+)|^page \d+ of (\d+)', result, re.MULTILINE)
    return int(next(number for number in found.groups() if number)) if found else 1


def called(tools: Toolbox, name: str, arguments: dict[str, Any]) -> list[ToolCall]:
    """The logged calls of a tool for all pages; it is left at the first if it is an error."""
    tools.call(name, arguments)
    calls = [tools.log[-1]]
    for page in range(2, 1 if calls[0].is_error else page_count(calls[0].result) + 1):
        tools.call(name, arguments | {"page": page})
        calls.append(tools.log[-1])
    return calls


def crawl(tools: Toolbox) -> None:
    """Call the tools until nothing new turns up; the log of the toolbox holds the calls."""
    done: set[tuple[str, str]] = set()
    text = "\n".join(call.result for name in LISTS for call in called(tools, name, {}))
    while text:
        text = "\n".join(
            call.result
            for name, arguments, key in _next(text)
            if (name, key) not in done and not done.add((name, key))  # type: ignore[func-returns-value]
            for call in called(tools, name, arguments)
        )


def _next(text: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    for word in dict.fromkeys(filter(str.isalpha, words(text))):
        yield from ((name, {"keyword": word}, word) for name in SEARCHES)
    for pattern, tools in BY_ID.items():
        for found in dict.fromkeys(re.findall(pattern, text)):
            for name, parameter, more in tools:
                value = [found] if parameter == "room_ids" else found
                yield name, {parameter: value} | more, found

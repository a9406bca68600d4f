"""Flaws before integration, in threads: not searched, not opened, or those of another meeting."""

import json
import re
from collections.abc import Sequence
from functools import partial

from mpcbench.benchmark.agents.reference.acquire import find_threads
from mpcbench.benchmark.agents.reference.desk import Desk
from mpcbench.benchmark.agents.reference.facts import Message
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import Mind, Plan, flawed


def _by_time(mind: Mind, threads: Sequence[str]) -> list[str]:
    """Threads by the latest message that a search found in each, oldest first."""
    sent: dict[str, str] = {}
    for result in mind.results("search_threads"):
        for message in json.loads(result)["messages"]:
            sent[message["thread_id"]] = max(sent.get(message["thread_id"], ""), message["sent"])
    return sorted(threads, key=lambda thread: sent.get(thread, ""))


def _one_unopened(mind: Mind, _: Desk, threads: list[str]) -> list[str]:
    """Leaves one thread of those found closed, though not the first about the meeting."""
    later = _by_time(mind, threads)[1:]
    if not later:
        return threads
    closed = mind.rng.choice(later)
    mind.note(record=f"thread:{closed}")
    return [thread for thread in threads if thread != closed]


def _newest_only(mind: Mind, _: Desk, threads: list[str]) -> list[str]:
    ordered = _by_time(mind, threads)
    if len(ordered) > 1:
        mind.note(record=f"thread:{ordered[0]}", unopened=ordered[:-1])
    return ordered[-1:]


def _oldest_only(mind: Mind, _: Desk, threads: list[str]) -> list[str]:
    ordered = _by_time(mind, threads)
    if len(ordered) > 1:
        mind.note(record=f"thread:{ordered[-1]}", unopened=ordered[1:])
    return ordered[:1]


def _none_opened(mind: Mind, _: Desk, threads: list[str]) -> list[str]:
    """Goes by the snippets of the search results."""
    if threads:
        mind.note(record=f"thread:{threads[0]}", unopened=threads)
    return []


def _none_searched(mind: Mind, desk: Desk) -> list[str]:
    if "search_threads" in desk.offers:
        mind.note(what="threads never searched")
    return []


def _first_page(mind: Mind, desk: Desk) -> list[str]:
    """Searches for the first word of the name, and takes the first page for all that there is."""
    right = set(_hits(mind, desk, f'"{mind.meeting}"', note=False)) if "search_threads" in desk.offers else set()
    if not right:
        return []
    found = set(_hits(mind, desk, mind.meeting.split()[0], note=True)) & right
    lost = sorted(right - found)
    if lost:
        mind.note(record=f"thread:{lost[0]}", unopened=lost)
    return sorted(found)


def _hits(mind: Mind, desk: Desk, keyword: str, *, note: bool) -> list[str]:
    desk.next_turn()
    page = desk.call_json("search_threads", keyword=keyword)
    if note:
        mind.note(search=keyword, pages=page["pages"])
    return list(dict.fromkeys(message["thread_id"] for message in page["messages"]))


def _first_list_page(mind: Mind, desk: Desk) -> list[str]:
    """Goes through the list of all threads, and stops paging at the first thread about the meeting."""
    if "list_threads" not in desk.offers:
        return find_threads(desk, mind.meeting)
    page, pages = 1, 1
    while page <= min(pages, 12):
        desk.next_turn()
        shown = desk.call_json("list_threads", page=page)
        found = [row["thread_id"] for row in shown["threads"] if mind.meeting in row["beginning"]]
        if found:
            mind.note(search="list_threads", page=page, opened=found)
            return found
        page, pages = page + 1, shown["pages"]
    return find_threads(desk, mind.meeting)


def _similar(mind: Mind, desk: Desk) -> tuple[str, list[str]] | None:
    """The name of another meeting with the same words but the first, or the same first word, and its threads."""
    words = mind.meeting.split()
    for keyword, name in (
        (" ".join(words[1:]), rf"([A-Z]\w+ {re.escape(' '.join(words[1:]))})"),
        (words[-1], rf"([A-Z]\w+ [a-z-]+ {re.escape(words[-1])})"),
    ):
        desk.next_turn()
        rows = desk.call_json("search_threads", keyword=f'"{keyword}"')["messages"]
        for row in rows:
            found = re.search(name, row["snippet"])
            if found and found[1] != mind.meeting:
                other = found[1]
                return other, list(dict.fromkeys(r["thread_id"] for r in rows if other in r["snippet"]))
    return None


def _similar_added(mind: Mind, desk: Desk, threads: list[str]) -> list[str]:
    """Opens a thread about a similar meeting, too, and takes it for one about this meeting."""
    similar = _similar(mind, desk) if threads else None
    if similar is None:
        return threads
    mind.note(other_meeting=similar[0], other_thread=f"thread:{similar[1][0]}")
    return [*threads, *(one for one in similar[1][:1] if one not in threads)]


def _similar_instead(mind: Mind, desk: Desk, threads: list[str]) -> list[str]:
    """Opens a thread about a similar meeting instead of the latest one about this meeting."""
    similar = _similar(mind, desk) if threads else None
    if similar is None:
        return threads
    latest = _by_time(mind, threads)[-1]
    mind.note(record=f"thread:{latest}", other_meeting=similar[0], other_thread=f"thread:{similar[1][0]}")
    return [*(one for one in threads if one != latest), similar[1][0]]


def _renamed(mind: Mind, messages: list[Message]) -> list[Message]:
    """What is said about the other meeting in its thread, as if about this one."""
    slip = mind.slip or {}
    if "other_meeting" not in slip:
        return messages
    thread = slip["other_thread"].removeprefix("thread:")
    return [
        message._replace(text=message.text.replace(slip["other_meeting"], mind.meeting))
        if message.thread_id == thread
        else message
        for message in messages
    ]


_agent = partial(flawed, lead="The thread of the slip", levels=(2, 3))

_UNSEEN = "acquisition.record_never_seen:thread"

AGENTS = (
    _agent(
        "no-threads",
        "Never looks for threads.",
        Plan(search=_none_searched),
        ("decomposition.source_never_queried:threads",),
        levels=(2,),
        stage=Stage.DECOMPOSITION,
        follows_up=False,
    ),
    _agent(
        "snippets-only",
        "Opens none of the threads found and goes by the snippets.",
        Plan(threads=_none_opened),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
        follows_up=False,
    ),
    _agent(
        "thread-unopened",
        "Never opens one of the threads found.",
        Plan(threads=_one_unopened),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "newest-thread-only",
        "Reads only the newest thread.",
        Plan(threads=_newest_only),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
        follows_up=False,
    ),
    _agent(
        "oldest-thread-only",
        "Reads only the oldest thread.",
        Plan(threads=_oldest_only),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
        follows_up=False,
    ),
    _agent(
        "first-page-of-search",
        "Searches too broadly and reads only the first page.",
        Plan(search=_first_page),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
        follows_up=False,
    ),
    _agent(
        "stops-at-first-found",
        "Pages through the list of threads and stops at the first about the meeting.",
        Plan(search=_first_list_page),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
        follows_up=False,
    ),
    _agent(
        "similar-thread-instead",
        "Opens a thread about a similar meeting instead of one about this meeting.",
        Plan(threads=_similar_instead, messages=_renamed),
        (_UNSEEN,),
        stage=Stage.ACQUISITION,
    ),
    _agent(
        "similar-thread-added",
        "Takes a thread about a similar meeting for one about this meeting, too.",
        Plan(threads=_similar_added, messages=_renamed),
        ("integration.value_wrong", "integration.constraint_added"),
        "statements of another meeting's thread",
        stage=Stage.INTEGRATION,
    ),
)
"""The agents of this module."""

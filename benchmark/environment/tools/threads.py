"""The threads source: chat threads in channels."""

from typing import Annotated

from pydantic import Field

from mpcbench.benchmark.environment.tools.results import (
    PageNumber,
    as_json,
    local,
    page_of,
    tags_json,
    unknown,
    words_of,
)
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import ToolError, ToolResult

LIST_SIZE = 20
SEARCH_SIZE = 10
SNIPPET_CHARACTERS = 60


def list_threads(
    sources: Sources,
    channel: Annotated[str | None, Field(description="Only the threads of this channel.")] = None,
    page: PageNumber = 1,
) -> ToolResult:
    """The chat threads of one channel or of all channels, the latest first, 20 a page.

    JSON: each thread's ID, channel, time and author of its first message, the beginning of that message and the
    number of messages.
    """
    threads = sources.world.threads
    if channel is not None:
        wanted = channel.strip().removeprefix("#").casefold()
        channels = sorted({thread.channel for thread in threads})
        threads = tuple(thread for thread in threads if thread.channel.removeprefix("#").casefold() == wanted)
        if not threads:
            raise unknown("channel", channel, channels, f"the channels are {', '.join(channels)}")
    ordered = sorted(threads, key=lambda thread: (thread.messages[0].sent, thread.thread_id), reverse=True)
    rows, pages = page_of(ordered, page, LIST_SIZE)
    content = {
        "total": len(ordered),
        "page": page,
        "pages": pages,
        "threads": [
            {
                "thread_id": thread.thread_id,
                "channel": thread.channel,
                "started": local(thread.messages[0].sent, sources),
                "author": display_name(sources, thread.messages[0].author),
                "beginning": snippet(thread.messages[0].text, 0),
                "messages": len(thread.messages),
            }
            for thread in rows
        ],
    }
    return ToolResult(as_json(content))


def search_threads(
    sources: Sources,
    keyword: Annotated[
        str,
        Field(
            description=(
                'Words, and phrases in "double quotes". Each of them has to occur in the text of one and the same message,'
                " in any order; also as a part of longer words. Upper and lower case are the same."
            )
        ),
    ],
    page: PageNumber = 1,
) -> ToolResult:
    """Full-text search over the chat messages of all channels; the latest first, 10 a page.

    Only the texts of messages are searched: not their authors, channels, dates and thread IDs.

    JSON: for each message found, its thread's ID and channel, its author and time, and a short snippet. The snippet is
    only a part of the message: read the thread for the whole.
    """
    wanted = words_of(keyword, "keyword")
    found = [
        (message, thread)
        for folded, message, thread in sources.world.folded_messages
        if wanted[0] in folded and all(word in folded for word in wanted)
    ]
    found.sort(key=lambda item: (item[0].sent, item[1].thread_id), reverse=True)
    rows, pages = page_of(found, page, SEARCH_SIZE)
    content = {
        "total": len(found),
        "page": page,
        "pages": pages,
        "messages": [
            {
                "thread_id": thread.thread_id,
                "channel": thread.channel,
                "author": display_name(sources, message.author),
                "sent": local(message.sent, sources),
                "snippet": snippet(message.text, message.text.casefold().find(wanted[0])),
            }
            for message, thread in rows
        ],
    }
    return ToolResult(as_json(content))


def read_thread(
    sources: Sources, thread_id: Annotated[str, Field(description="A thread ID as list or search results show it.")]
) -> ToolResult:
    """One whole chat thread as text: every message with its author and local time, the oldest first."""
    thread = sources.world.thread_by_id.get(thread_id.strip().upper())
    if thread is None:
        raise ToolError(f"no thread {thread_id!r}: find thread IDs with search_threads or list_threads")
    lines = [f"Thread {thread.thread_id} in {thread.channel}, {len(thread.messages)} messages"]
    for message in thread.messages:
        sent = message.sent.astimezone(sources.world.zone)
        text = message.text.replace("\n", "\n    ")
        lines.append(
            f"[{sent:%a} {sent.isoformat(timespec='minutes')}] {display_name(sources, message.author)}: {text}"
        )
        if sources.show_tags:
            lines.append(f"    tags: {tags_json(message.tags)}")
    return ToolResult("\n".join(lines), (f"thread:{thread.thread_id}",))


def display_name(sources: Sources, person_id: str) -> str:
    """An author's name as chat shows it; with the team at level 3, where people share names."""
    person = sources.world.person_by_id.get(person_id)
    if person is None:
        return person_id
    return f"{person.name} ({person.team})" if sources.world.level == 3 else person.name


def snippet(text: str, place: int) -> str:
    """A short part of a text, on one line, that holds a place in it."""
    flat = text.replace("\n", " ")
    first = max(0, min(place - SNIPPET_CHARACTERS // 3, len(flat) - SNIPPET_CHARACTERS))
    last = first + SNIPPET_CHARACTERS
    return ("\u2026" if first else "") + flat[first:last].strip() + ("\u2026" if last < len(flat) else "")


def fits_snippet(text: str) -> bool:
    """Whether snippets of a text hold all of it."""
    return len(text) <= SNIPPET_CHARACTERS

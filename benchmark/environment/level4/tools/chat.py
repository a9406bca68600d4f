"""The chat: threads in channels, and direct messages."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from mpcbench.benchmark.environment.level4.pages import (
    LIST_SIZE,
    Block,
    Keyword,
    Name,
    list_page,
    rows_page,
    text_page,
    unknown_id,
)
from mpcbench.benchmark.environment.level4.records import DIRECT, FoundMessage, LadderRecords
from mpcbench.benchmark.environment.level4.search import first_place, wanted_words
from mpcbench.benchmark.environment.level4.tools.people import person_of
from mpcbench.benchmark.environment.tools.results import PageNumber, local_in, unknown
from mpcbench.benchmark.environment.tools.threads import fits_snippet, snippet
from mpcbench.benchmark.environment.tools.toolbox import ToolResult
from mpcbench.schema.level4.world import LadderThread

MOST_MESSAGES = 50
"""How many messages a search can show in all."""

ThreadId = Annotated[Name, Field(description="A thread ID as lists and search results show it.")]


def list_channels(records: LadderRecords, page: PageNumber = 1) -> ToolResult:
    """The channels of the chat by name, 20 a page. JSON: names and numbers of threads."""
    counts: dict[str, int] = {}
    for thread in records.threads(direct=False):
        counts[thread.channel] = counts.get(thread.channel, 0) + 1
    return list_page("channels", [{"channel": name, "threads": counts[name]} for name in sorted(counts)], page)


def list_threads(
    records: LadderRecords,
    channel: Annotated[Name, Field(description="The name of a channel.")],
    page: PageNumber = 1,
) -> ToolResult:
    """The threads of one channel, the latest first, 20 a page.

    JSON: each thread's ID, time and author of its first message, the beginning of that message and the number of
    messages.
    """
    threads = records.threads(direct=False)
    wanted = channel.strip().removeprefix("#").casefold()
    found = [thread for thread in threads if thread.channel.removeprefix("#").casefold() == wanted]
    if not found:
        channels = sorted({thread.channel for thread in threads})
        raise unknown("channel", channel, channels, "list_channels shows the channels")
    return _threads(records, "threads", found, page)


def search_messages(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Search the texts of the messages in all channels; 10 a page, and not more than the best 50.

    Of messages with equally good words the latest comes first. Authors, dates and channels are not searched.

    JSON: for each message found, its thread's ID and channel, its author and time, and a short snippet.
    """
    return _found(records, keyword, page, direct=False)


def read_thread(records: LadderRecords, thread_id: ThreadId, page: PageNumber = 1) -> ToolResult:
    """One thread of a channel as text: every message with its author and time, the oldest first."""
    thread = records.world.thread_by_id.get(thread_id.strip().upper())
    if thread is None:
        raise unknown_id("thread", thread_id, "find thread IDs with search_messages or list_threads")
    if thread.channel == DIRECT:
        raise unknown_id("thread of a channel", thread_id, "these are direct messages, see read_direct_messages")
    return _read(records, thread, f"Thread {thread.thread_id} in {thread.channel}", page)


def list_direct_messages(
    records: LadderRecords,
    person_id: Annotated[
        Name | None, Field(description="Only conversations in which this person wrote: a person ID such as p001.")
    ] = None,
    page: PageNumber = 1,
) -> ToolResult:
    """The conversations by direct message that people have shared with you, the latest first, 20 a page.

    JSON: each conversation's thread ID, time and author of its first message, the beginning of that message and the
    number of messages.
    """
    found = list(records.threads(direct=True))
    if person_id is not None:
        author = person_of(records, person_id).person_id
        found = [thread for thread in found if any(message.author == author for message in thread.messages)]
    return _threads(records, "conversations", found, page)


def search_direct_messages(records: LadderRecords, keyword: Keyword, page: PageNumber = 1) -> ToolResult:
    """Search the texts of the direct messages that people have shared with you; 10 a page, the best 50 at most.

    JSON, as for messages in channels. Channels are not searched.
    """
    return _found(records, keyword, page, direct=True)


def read_direct_messages(records: LadderRecords, thread_id: ThreadId, page: PageNumber = 1) -> ToolResult:
    """One conversation by direct message as text: every message with its author and time, the oldest first."""
    thread = records.world.thread_by_id.get(thread_id.strip().upper())
    if thread is None:
        raise unknown_id("conversation", thread_id, "find thread IDs with search_direct_messages")
    if thread.channel != DIRECT:
        raise unknown_id("conversation by direct message", thread_id, "it is a thread of a channel, see read_thread")
    return _read(records, thread, f"Direct messages {thread.thread_id}", page)


def _read(records: LadderRecords, thread: LadderThread, heading: str, page: int) -> ToolResult:
    blocks = []
    for message in thread.messages:
        sent = message.sent.astimezone(records.world.zone)
        text = message.text.replace("\n", "\n    ")
        line = f"[{sent:%a} {sent.isoformat(timespec='minutes')}] {records.name_of(message.author)}: {text}"
        blocks.append(Block(line, (f"thread:{thread.thread_id}",)))
    return text_page(f"{heading}, {len(thread.messages)} messages", blocks, page)


def _threads(records: LadderRecords, name: str, found: Sequence[LadderThread], page: int) -> ToolResult:
    def row(thread: LadderThread) -> dict[str, Any]:
        first = thread.messages[0]
        return {
            "thread_id": thread.thread_id,
            "started": local_in(first.sent, records.world.zone),
            "author": records.name_of(first.author),
            "beginning": snippet(first.text, 0),
            "messages": len(thread.messages),
        }

    return rows_page(name, found, row, page, size=LIST_SIZE, shows=_in_snippet)


def _in_snippet(thread: LadderThread) -> tuple[str, ...]:
    """The thread if a snippet holds all of it: it has one message, which is short."""
    is_shown = len(thread.messages) == 1 and fits_snippet(thread.messages[0].text)
    return (f"thread:{thread.thread_id}",) if is_shown else ()


def _found(records: LadderRecords, keyword: str, page: int, *, direct: bool) -> ToolResult:
    wanted = wanted_words(keyword)

    def row(found: FoundMessage) -> dict[str, Any]:
        thread, message = found
        return {
            "thread_id": thread.thread_id,
            **({} if direct else {"channel": thread.channel}),
            "author": records.name_of(message.author),
            "sent": local_in(message.sent, records.world.zone),
            "snippet": snippet(message.text, first_place(message.text, wanted)),
        }

    found = records.messages(direct=direct).find(wanted)
    return rows_page("messages", found, row, page, most=MOST_MESSAGES, shows=lambda one: _in_snippet(one[0]))

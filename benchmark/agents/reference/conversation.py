"""Find the messages of a thread that concern the meeting, and read their statements."""

import re
from collections.abc import Iterable, Iterator

from mpcbench.benchmark.agents.reference.facts import Heard, Kind, Message
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements
from mpcbench.benchmark.agents.reference.mentions import Meeting

_OTHER_MEETING = re.compile(r"\b(?:[Tt]he|[Oo]ur)(?: last)? (?!POL-|[A-Z][a-z]+day\b)[A-Z][a-z]+(?: [a-z-]+){2}")
"""A project, a subject and a kind."""

_HEARSAY = re.compile(
    r"\b(?:no idea|not part of|may be (?:wrong|outdated)|don['\u2019]t quote me|not sure|second-hand|better (?:ask|check))\b",
    re.IGNORECASE,
)


def statements_about(meeting: Meeting, messages: Iterable[Message]) -> list[Heard]:
    """The statements about a meeting in messages of any threads, oldest first.

    Messages sent in the same minute are ordered by thread ID and place.
    """
    relevant = [message for thread in threads_of(messages) for message in speaking_of(meeting, thread)]
    relevant.sort(key=lambda message: (message.sent, message.thread_id, message.place))
    return [
        heard for message in relevant for heard in read_statements(message.text, message.sent.date(), message.author)
    ]


def announced(name: str, asked: Iterable[Heard], messages: Iterable[Message]) -> Meeting:
    """The meeting of a name, as the oldest of the threads that begin with it announces it.

    Its people and its window come from the task or from that thread.
    """
    plain = Meeting(name)
    opening = [thread for thread in threads_of(messages) if any(speaking_of(plain, thread[:1]))]
    kickoff = min(opening, key=lambda thread: thread[0].sent, default=[])
    said = [*asked, *statements_about(plain, kickoff)]
    windows = [value for kind, value in said if kind is Kind.WINDOW]
    return Meeting(
        name,
        tuple(kickoff),
        frozenset(person for kind, value in said if kind is Kind.PEOPLE for person in value),
        windows[0].days.first if windows else None,
    )


def threads_of(messages: Iterable[Message]) -> list[list[Message]]:
    """The messages by thread, each thread in order."""
    threads: dict[str, list[Message]] = {}
    for message in sorted(messages, key=lambda message: (message.thread_id, message.place)):
        threads.setdefault(message.thread_id, []).append(message)
    return list(threads.values())


def speaking_of(meeting: Meeting, thread: Iterable[Message]) -> Iterator[Message]:
    """The messages of one thread that concern a meeting, with references to it replaced by "this".

    A message that refers to no meeting concerns the one that its thread has last referred to. What somebody has only
    heard of concerns nobody.
    """
    on_subject = False
    for message in thread:
        text, refers = meeting.plainly(message)
        on_subject = (refers or (on_subject and not _OTHER_MEETING.search(text))) and not _HEARSAY.search(text)
        if on_subject:
            yield message._replace(text=text)

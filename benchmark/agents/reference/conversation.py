"""Find the messages of a thread that concern the meeting, and read their statements."""

import re
from collections.abc import Iterable, Iterator

from mpcbench.benchmark.agents.reference.facts import Heard, Kind, Message
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements
from mpcbench.benchmark.agents.reference.mentions import Meeting

_ASTRAY = re.compile(
    r"^(?:unrelated|off topic|completely different subject|not about this meeting|something else entirely"
    r"|different matter)\b[^:]*: *",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"^(?:different meeting|not this one|while you are all here, about|(?:now to|on) another meeting|change of subject"
    r"|back to|now for|anyway|so, on|as for|returning to|but on|to come back to)\b[^:.]*[:.] *",
    re.IGNORECASE,
)
_HEARSAY = re.compile(r"\b(?:hearsay|rumour|nothing official)\b", re.IGNORECASE)


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

    A message that refers to no meeting concerns the one that its thread has last referred to. What is told from
    hearsay concerns nobody.
    """
    on_subject = False
    for message in thread:
        if _HEARSAY.search(message.text):
            on_subject = False
            continue
        text, refers = meeting.plainly(message)
        turn = _TURN.match(text)
        on_subject = refers or (on_subject and turn is None and _ASTRAY.match(text) is None)
        if on_subject:
            yield message._replace(text=text[turn.end() :] if turn else text)
        on_subject = on_subject and _ASTRAY.match(text) is None

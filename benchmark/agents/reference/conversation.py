"""Find the messages of a thread that concern the meeting, and read their statements."""

import re
from collections.abc import Iterable, Iterator

from mpcbench.benchmark.agents.reference.facts import Heard, Message
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements

_ASTRAY = re.compile(
    r"^(?:unrelated|off topic|completely different subject|not about this meeting|something else entirely"
    r"|different matter|different meeting|not this one|while you are all here, about|on another meeting"
    r"|this is for the [^:]*, not for this thread)\b([^:]*): *",
    re.IGNORECASE,
)


def statements_about(meeting: str, messages: Iterable[Message]) -> list[Heard]:
    """The statements about a meeting in messages of any threads, oldest first.

    Messages sent in the same minute are ordered by thread ID and place.
    """
    threads: dict[str, list[Message]] = {}
    for message in sorted(messages, key=lambda message: (message.thread_id, message.place)):
        threads.setdefault(message.thread_id, []).append(message)
    relevant = [message for thread in threads.values() for message in speaking_of(meeting, thread)]
    relevant.sort(key=lambda message: (message.sent, message.thread_id, message.place))
    return [
        heard for message in relevant for heard in read_statements(message.text, message.sent.date(), message.author)
    ]


def speaking_of(meeting: str, thread: Iterable[Message]) -> Iterator[Message]:
    """The messages of one thread that concern a meeting, with its name replaced by "this" or removed.

    Messages concern the meeting from the first that names it. One that announces another subject ends this until the
    name appears again. If the announced subject is the meeting itself, that message alone concerns it.
    """
    named = re.compile(rf"(?:\bthe )?\b{re.escape(meeting)}\b(?!-)", re.IGNORECASE)
    on_subject = False
    for message in thread:
        aside = _ASTRAY.match(message.text)
        if aside is not None:
            on_subject = False
            rest = message.text[aside.end() :]
            if named.search(aside[0]):
                yield message._replace(text=rest)
        else:
            on_subject = on_subject or named.search(message.text) is not None
            if on_subject:
                yield message._replace(text=named.sub("this", message.text))

"""Parse task texts: the meeting and, at levels 1 and 2, the people, the window and the number of options."""

import re
from typing import NamedTuple

from mpcbench.benchmark.agents.reference.facts import Heard, Kind, PolicyCall, Window
from mpcbench.benchmark.agents.reference.grammar_meeting import COUNTED_OPTIONS, POLICY, people_in, window_of
from mpcbench.benchmark.agents.reference.grammar_time import Days, Span, number, reduce_lengths, reduce_times
from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced, pattern

_MEETING = re.compile(
    r"\b(?:[Tt]he|called) ([A-Z][\w-]*(?: [a-z][a-z-]*)+?)"
    r"(?=[.,:;?!]|$| (?:and|with|still|needs|has|have|of [A-Z]|for [A-Z\u00ab]|on \u00ab|from \u00ab))"
)
_ZONE = re.compile(r"\btime zone ([A-Z]\w*(?:/[\w+-]+)*)")


class TaskText(NamedTuple):
    """The content of a task text."""

    meeting: str
    statements: tuple[Heard, ...]


def read_task(text: str) -> TaskText:
    """The meeting and the statements of a task; raises `ReadingError` if the text is ambiguous.

    Only the first paragraph is the task. Text added by `--reveal` follows it and is ignored.
    """
    text = text.partition("\n\n")[0]
    reduced = Reduced(text)
    reduce_times(reduced, None)
    reduce_lengths(reduced)
    statements = [Heard(Kind.PEOPLE, people) for people in people_in(reduced.text)]
    windows = _windows(reduced)
    statements += [Heard(Kind.WINDOW, window) for window in windows]
    statements += [Heard(Kind.LENGTH, reduced.value(index)) for _, (index,) in reduced.consume(pattern("<length>"))]
    statements += [Heard(Kind.COUNT, number(word)) for _, (word,) in reduced.consume(pattern(COUNTED_OPTIONS))]
    statements += [Heard(Kind.POLICY, PolicyCall(groups[0])) for _, groups in reduced.consume(POLICY)]
    unread = reduced.left(("day", "time", "hours", "moment", "days", "span"))
    if unread:
        raise ReadingError(f"cannot tell what the {unread[0]} means in the task {text!r}")
    for kind in (Kind.PEOPLE, Kind.WINDOW, Kind.LENGTH, Kind.COUNT):
        values = [statement.value for statement in statements if statement.kind is kind]
        if len(values) > 1:
            raise ReadingError(f"the task names more than one {kind}: {text!r}")
    return TaskText(_meeting(reduced.text, text), tuple(statements))


def read_zone(system_prompt: str) -> str:
    """The IANA name of the time zone in the system prompt; raises `ReadingError`."""
    names = set(_ZONE.findall(system_prompt))
    if len(names) != 1:
        raise ReadingError(f"the system prompt names {len(names)} time zones")
    name: str = names.pop()
    return name


def _meeting(reduced: str, text: str) -> str:
    names = set(_MEETING.findall(reduced))
    if len(names) != 1:
        raise ReadingError(f"the task names {len(names)} meetings: {text!r}")
    name: str = names.pop()
    return name


def _windows(reduced: Reduced) -> list[Window]:
    """Runs of days or single days, with daily hours if given; a day with hours may have been reduced to a span."""
    value = reduced.value
    spans: list[Span] = [value(index) for _, (index,) in reduced.consume(pattern("<span>"))]
    windows = [window_of(span) for span in spans]
    if any(window.hours is not None and window.days.first != window.days.last for window in windows):
        raise ReadingError("the task's window runs from one moment to another")
    days = [value(index) for _, (index,) in reduced.consume(pattern("<days>"))]
    days += [Days(value(index), value(index)) for _, (index,) in reduced.consume(pattern("on <day>"))]
    hours = [value(index) for _, (index,) in reduced.consume(pattern("<hours>"))]
    if len(hours) > 1:
        raise ReadingError("the task names more than one stretch of hours")
    return windows + [Window(run, hours[0] if hours else None) for run in days]

"""How people refer to a meeting: by its name, or by less once it is known from a kick-off."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from mpcbench.benchmark.agents.reference.facts import Message, PersonName, same_person
from mpcbench.benchmark.agents.reference.grammar_meeting import PERSON, people_in

_NOUN = r"(?:one|meeting|session)"
_MONTHS = r"(?P<months>[A-Z][a-z]+(?:(?:/| or )[A-Z][a-z]+)?)"
_PEOPLE = rf"(?P<people>{PERSON}(?: and (?:{PERSON}|me|I))?)"
_QUOTE = re.compile(r"^(?P<head>[^\n]+):\n> (?P<line>[^\n]*)\n?")
_CHANNEL = re.compile(r"#([\w-]+)|\b(this channel)\b")


@dataclass(frozen=True)
class Meeting:
    """What a careful reader recognises a meeting by."""

    name: str
    kickoff: tuple[Message, ...] = ()
    """The messages of the thread that announces it; none if it is known by its name alone."""

    people: frozenset[PersonName] = frozenset()
    first_day: date | None = None
    """The first day of its window."""

    @property
    def parts(self) -> tuple[str, str, str]:
        """The project, the subject and the kind."""
        project, subject, kind = (*self.name.split(" ", 2), "", "")[:3]
        return project, subject, kind

    @property
    def announced_channels(self) -> list[str]:
        """The channels that the author of the kick-off refers to in it."""
        return [
            name or message.channel or ""
            for message in self.kickoff
            if message.author == self.kickoff[0].author
            for name, _ in _CHANNEL.findall(message.text)
        ]

    def plainly(self, message: Message) -> tuple[str, bool]:
        """The text of a message with references to the meeting replaced by "this", and whether there were any."""
        text, found = self._unquoted(message)
        for pattern in self._patterns(message):
            text, times = pattern.subn("this", text)
            found = found or times > 0
        return text, found

    def _unquoted(self, message: Message) -> tuple[str, bool]:
        """The text without a quoted line, and whether the line is quoted from the kick-off."""
        quote = _QUOTE.match(message.text)
        if quote is None:
            return message.text, False
        quoted = any(
            one.writer in quote["head"]
            and f"{one.sent:%H:%M}" in quote["head"]
            and _day(one.sent.date()).search(quote["head"])
            and quote["line"] in one.text
            for one in self.kickoff
        )
        return message.text[quote.end() :], quoted

    def _patterns(self, message: Message) -> Iterable[re.Pattern[str]]:
        project, subject, kind = map(re.escape, self.parts)
        article = r"(?:\b(?:the|our) )?\b"
        yield re.compile(rf"{article}{re.escape(self.name)}\b(?!-)", re.IGNORECASE)
        if not self.kickoff:
            return
        yield re.compile(rf"{article}(?:{project} {subject} {_NOUN}\b|{subject} {_NOUN} for {project}\b)")
        opened = self.kickoff[0]
        if message.author == opened.author:
            where = rf"(?:in #{opened.channel}" + (
                r"|here|in this channel)" if message.channel == opened.channel else ")"
            )
            when = rf"on {_day(opened.sent.date()).pattern}"
            if message.sent.date() == opened.sent.date():
                when = rf"(?:{when}|earlier today\b)"
            yield re.compile(rf"{article}{kind} (?:that )?I [\w ]+? {where} {when}")
        if self.first_day is not None:
            for text in (
                rf"{_MONTHS} {subject} {kind} that {_PEOPLE} are part of",
                rf"{subject} {kind} planned for {_MONTHS} that {_PEOPLE} are in",
                rf"{subject} {kind} that includes {_PEOPLE}, planned for {_MONTHS}",
                rf"{subject} {kind} that {_PEOPLE} have in {_MONTHS}",
            ):
                held = re.compile(rf"{article}{text}")
                found = held.search(message.text)
                if found and f"{self.first_day:%B}" in found["months"] and self._attend(found["people"]):
                    yield held

    def _attend(self, people: str) -> bool:
        return all(map(self._is_attended_by, people_in(people)))

    def _is_attended_by(self, group: Iterable[PersonName]) -> bool:
        return all(any(same_person(person, known) for known in self.people) for person in group)


def _day(day: date) -> re.Pattern[str]:
    """A day without its year, as people write it."""
    month = f"{day:%B}"
    name = rf"(?:{month}|{month[:3]})\b"
    return re.compile(
        rf"(?:the )?(?:{day:%A},? |{day:%a},? )?(?:the )?(?:{day.day}(?:st|nd|rd|th)?(?: of)? {name}|{name} {day.day}\b|{day})"
    )

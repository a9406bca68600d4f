"""Parse the messages of a thread into their tags."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from pydantic import ValidationError

from mpcbench.benchmark.agents.reference.grammar_time import instant
from mpcbench.benchmark.agents.reference.level4.grammar_fact import FactReader, NoticePart, joined
from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.grammar_said import Subject, leads, read_said
from mpcbench.benchmark.agents.reference.level4.phrases import Phrases, UnreadableError, sentences
from mpcbench.benchmark.agents.reference.level4.resolver import Message, Resolver
from mpcbench.schema.level4.facts import Fact
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from mpcbench.schema.level4.world import Tag

_QUOTE = re.compile(r"^> ([^\n]+)\n")
_AT = "{person} (?:wrote|proposed) on <moment>"
_AGREED: Final = (
    "agreed, {person}, let's do that",
    "agreed, {person}",
    "yes, {person}, let's do it that way",
    "fine, {person}, that's settled then",
    "OK, {person}, we'll do as you propose",
    "good point, {person}, consider it decided",
    f"(?:agreed|yes) to what {_AT}",
    f"let's do what {_AT}",
    f"what {_AT} is fine, we'll do it that way",
    "good idea, {person}",
    "i like that, {person}",
    "{person}, i'd be happy with that",
    "that would suit me, {person}",
    f"i like what {_AT}",
    f"i'd be happy with what {_AT}",
    f"what {_AT} would suit me",
    "a good idea of {person}, the one sent on <moment>",
)
_DECLINED: Final = (
    "sorry, {person}, that won't work",
    "no, {person}, let's leave it as it is",
    "i'd rather not, {person}",
    "thanks, {person}, but let's not do that",
    f"sorry, what {_AT} won't work",
    f"let's not do what {_AT}",
    f"no to what {_AT}",
    f"i'd rather not do what {_AT}",
)
_AGREED_QUOTE = re.compile(
    r"agreed(?:, let's do that)?|yes, let's do it that way|fine, that's settled then|ok, we'll do as you propose"
    r"|good idea|i like that|i'd be happy with that|that would suit me",
    re.IGNORECASE,
)
_DECLINED_QUOTE = re.compile(
    r"sorry, that won't work|no, let's leave it as it is|i'd rather not|thanks, but let's not do that", re.IGNORECASE
)


def read_thread(messages: Sequence[Message], resolver: Resolver) -> tuple[tuple[Tag, ...], ...]:
    """The tags of each message, in order.

    As long as no meeting has been named, a sentence that states nothing is skipped: most threads are about no meeting at
    all.

    Raises:
        UnreadableError: a sentence seems to say something about a meeting and cannot be read, or it is not clear which
            meeting or message is meant. The error quotes the sentence.
    """
    reader = _ThreadReader(resolver)
    for message in messages:
        reader.add(message)
    return tuple(reader.tags)


class _ThreadReader:
    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._messages: list[Message] = []
        self._subject = Subject()
        self.tags: list[tuple[Tag, ...]] = []

    def add(self, message: Message) -> None:
        """Read the next message."""
        names = NameReader(self._resolver, message.author)
        today = message.sent.astimezone(self._resolver.zone).date()
        text, before, quoted = message.text, self._subject.last, None
        if quote := _QUOTE.match(text):
            quoted = self._quoted(quote[1])
            text = text[quote.end() :]
            self._subject.last = self._topic(quoted)
        named = self._subject.last
        found: list[Said | Agreed | Declined | Fact | NoticePart] = []
        for sentence in sentences(text):
            phrases = self._phrases(sentence, today)
            if phrases is None:
                continue
            try:
                found += self._read(phrases, names, quoted if not found else None)
            except ValidationError as error:
                raise UnreadableError(sentence, f"not a valid statement ({error.errors()[0]['msg']})") from error
        if quote and before != named and not names.mentioned:
            self._subject.last = None
        self._messages.append(message._replace(text=text))
        self.tags.append(_in_order(found))

    def _read(
        self, phrases: Phrases, names: NameReader, quoted: int | None
    ) -> list[Said | Agreed | Declined | Fact | NoticePart]:
        if self._subject.is_named(phrases, names):
            return []
        fact = FactReader(names).read(phrases)
        if fact is not None:
            if names.mentioned:
                self._subject.last = None
            return [fact]
        for lead in leads(phrases):
            answer = self._answer(phrases, lead.text, names, quoted)
            about = None if answer is None or lead.words is None else names.meeting(lead.words)
            if answer is not None and (lead.words is None or about is not None):
                kind, place = answer
                return [kind(about=self._subject.about(about, phrases), message=place)]
        said = read_said(phrases, names, self._subject)
        return [] if said is None else [said]

    def _phrases(self, sentence: str, today: date) -> Phrases | None:
        """The sentence; None if it is about no meeting and names a day that does not exist."""
        try:
            return Phrases(sentence, today, self._resolver)
        except UnreadableError:
            if self._subject.has_been_named or self._resolver.names_meeting(sentence):
                raise
            return None

    def _topic(self, place: int) -> MeetingRef | None:
        """The meeting that a message is about, if it is about a single one."""
        about = {tag.about for tag in self.tags[place] if isinstance(tag, Said | Agreed | Declined)}
        return about.pop() if len(about) == 1 else None

    def _quoted(self, line: str) -> int:
        found = [place for place, message in enumerate(self._messages) if line in message.text]
        if len(found) != 1:
            raise UnreadableError(line, f"{len(found)} earlier messages hold what is quoted")
        return found[0]

    def _answer(
        self, phrases: Phrases, text: str, names: NameReader, quoted: int | None
    ) -> tuple[type[Agreed | Declined], int] | None:
        """Which earlier message is agreed to or declined."""
        for kind, by_quote, forms in (
            (Agreed, _AGREED_QUOTE, _AGREED),
            (Declined, _DECLINED_QUOTE, _DECLINED),
        ):
            if by_quote.fullmatch(text):
                if quoted is None:
                    raise UnreadableError(phrases.sentence, "cannot tell which message is meant")
                return kind, quoted
            for form in forms:
                for found in phrases.find(text, form):
                    author = names.person(found.words["person"])
                    if author is not None:
                        moment = found.values.get("moment")
                        sent = None if moment is None else instant(moment, self._resolver.zone)
                        return kind, self._message(author, sent, phrases)
        return None

    def _message(self, author: str, sent: datetime | None, phrases: Phrases) -> int:
        """The place of an earlier message by its author and, if the author has written several, its time."""
        found = [
            place
            for place, message in enumerate(self._messages)
            if message.author == author and (sent is None or message.sent == sent)
        ]
        if len(found) != 1:
            raise UnreadableError(phrases.sentence, f"{len(found)} earlier messages can be meant")
        return found[0]


def _in_order(found: Sequence[Said | Agreed | Declined | Fact | NoticePart]) -> tuple[Tag, ...]:
    """The tags; the parts of a notice become one."""
    tags: list[Tag] = []
    facts: list[Fact | NoticePart] = []
    for one in (*found, None):
        if one is None or isinstance(one, Said | Agreed | Declined):
            tags += joined(facts)
            facts = []
            tags += [] if one is None else [one]
        else:
            facts.append(one)
    return tuple(tags)

"""Parse sentences about meetings: what each states, and which meeting or plan it is about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.grammar_statement import StatementReader
from mpcbench.benchmark.agents.reference.level4.phrases import Phrases, UnreadableError
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.statements import Said

_LEAD = re.compile(r"(?:(?:about|on|regarding|as for) )?([^:]+): (.+)", re.IGNORECASE | re.DOTALL)
_TOPICS: Final = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        r"(?:(?:hello everybody|good morning|hi all), )?this is about (.+)",
        r"(?:i'm writing about|a word on|now for|one more thing about|some news about|a question of detail about) (.+)",
        r"(?:next topic|another topic), (.+)",
        r"(?:we still need|we have to find|it's time to find) a time for (.+)",
        r"let's (?:talk about|turn to|sort out) (.+)",
    )
)
_CUE = re.compile(
    r"\u00ab|\b(?:takes?|lasts|add|take|drop|remove|must|has to|have to|needs?|should|shall|could|let's|please|can't|cannot|may|agreed|decide[ds]?|organis\w+"
    r"|invit\w+|participants?|attend\w*|options?|rooms?|seats?|sites?|equipment|agenda|plan(?:s|ned|ning)?|meetings?|busy"
    r"|free|tentative|available|deadline|window|duty|roster|manager|notice|closed|takes place|no longer|instead)\b",
    re.IGNORECASE,
)
"""What a sentence that binds somebody has at least one of."""


@dataclass
class Subject:
    """Which meeting a text is about."""

    last: MeetingRef | None = None
    """The meeting last named; None if that is in doubt or none has been named."""

    has_been_named: bool = False
    """Whether any meeting has been named yet."""

    def is_named(self, phrases: Phrases, names: NameReader) -> bool:
        """Whether a sentence only says what the next one is about; if so, that is the meeting last named."""
        for topic in _TOPICS:
            match = topic.fullmatch(phrases.text)
            if match is not None:
                self.last = names.meeting(match[1])
                self.has_been_named = self.has_been_named or self.last is not None
                return True
        return False

    def about(self, named: MeetingRef | None, phrases: Phrases) -> MeetingRef:
        """The meeting that a sentence is about: the one that it names or, if it names none, the one last named.

        Raises:
            UnreadableError: there is none, or it is in doubt which one.
        """
        found = self.last if named is None else named
        if found is None:
            raise UnreadableError(phrases.sentence, "cannot tell which meeting is meant")
        self.last, self.has_been_named = found, True
        return found


class Lead(NamedTuple):
    """A sentence, perhaps without the words before its colon, which may name the meeting that it is about."""

    words: str | None
    text: str


def leads(phrases: Phrases) -> Iterator[Lead]:
    """How a sentence can be divided into a meeting and what is said about it."""
    if match := _LEAD.fullmatch(phrases.text):
        yield Lead(*match.groups())
    yield Lead(None, phrases.text)


def read_said(phrases: Phrases, names: NameReader, subject: Subject) -> Said | None:
    """What a sentence says about a meeting; None for small talk.

    Args:
        phrases: The sentence.
        names: Finds what names mean.
        subject: What was named before, which is updated.

    Raises:
        UnreadableError: it seems to say something about a meeting and cannot be read, or it is in doubt which meeting is
            meant.
    """
    for lead in leads(phrases):
        mentioned = len(names.mentioned)
        stated = StatementReader(names).read(phrases, lead.text)
        about = None if stated is None or lead.words is None else names.meeting(lead.words)
        if stated is None or (lead.words is not None and about is None):
            continue
        said = Said(about=subject.about(stated.about or about, phrases), statement=stated.statement)
        if {ref for _, ref in names.mentioned[mentioned:]} - {said.about}:
            subject.last = None
        return said
    matters = subject.has_been_named or names.resolver.names_meeting(phrases.sentence)
    if matters and _CUE.search(phrases.text):
        raise UnreadableError(phrases.sentence)
    return None

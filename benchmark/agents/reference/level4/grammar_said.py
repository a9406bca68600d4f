"""Parse sentences about meetings: what each states, and which meeting or plan it is about."""

import re
from dataclasses import dataclass
from typing import Final

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
        r"(?:i'm writing about|a word on|back to|one more thing about|some news about|a question of detail about) (.+)",
        r"(?:next topic|another topic), (.+)",
    )
)
_CUE = re.compile(
    r"\u00ab|\b(?:takes?|lasts?|add|take|drop|remove|must|has to|have to|needs?|should|shall|could|let's|please|can't|cannot|may|agreed|decide[ds]?|organis\w+"
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
                self.about(names.meeting(match[1]), phrases, is_named=True)
                return True
        return False

    def about(self, named: MeetingRef | None, phrases: Phrases, *, is_named: bool = False) -> MeetingRef:
        """The meeting that a sentence is about: the one that it names or, if it names none, the one last named.

        Args:
            named: The meeting that it names.
            phrases: The sentence.
            is_named: Whether the sentence has to name one.

        Raises:
            UnreadableError: there is none, or it is in doubt which one.
        """
        found = named if named is not None or is_named else self.last
        if found is None:
            raise UnreadableError(phrases.sentence, "cannot tell which meeting is meant")
        self.last, self.has_been_named = found, True
        return found


def split_lead(phrases: Phrases, names: NameReader) -> tuple[str, MeetingRef | None]:
    """A sentence without the meeting before its colon, and that meeting."""
    lead = _LEAD.fullmatch(phrases.text)
    about = None if lead is None else names.meeting(lead[1])
    return (phrases.text, None) if lead is None or about is None else (lead[2], about)


def read_said(
    phrases: Phrases, text: str, about: MeetingRef | None, names: NameReader, subject: Subject
) -> Said | None:
    """What a sentence says about a meeting; None for small talk.

    Args:
        phrases: The sentence.
        text: It without the meeting before its colon.
        about: That meeting.
        names: Finds what names mean.
        subject: What was named before, which is updated.

    Raises:
        UnreadableError: it seems to say something about a meeting and cannot be read, or it is in doubt which meeting is
            meant.
    """
    mentioned = len(names.mentioned)
    stated = StatementReader(names).read(phrases, text)
    if stated is None:
        matters = about is not None or subject.has_been_named or names.resolver.names_meeting(phrases.sentence)
        if matters and _CUE.search(phrases.text):
            raise UnreadableError(phrases.sentence)
        return None
    said = Said(about=subject.about(stated.about or about, phrases), statement=stated.statement)
    if {ref for _, ref in names.mentioned[mentioned:]} - {said.about}:
        subject.last = None
    return said

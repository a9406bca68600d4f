"""Parse task texts: the meeting or plan, and what the task itself says."""

from typing import Final, NamedTuple

from pydantic import ValidationError

from mpcbench.benchmark.agents.reference.grammar_time import NUMBER_WORDS, number
from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.grammar_said import Subject, read_said
from mpcbench.benchmark.agents.reference.level4.phrases import Phrases, UnreadableError, sentences
from mpcbench.benchmark.agents.reference.level4.resolver import Resolver
from mpcbench.schema import OptionCount
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.statements import Said

_OPTIONS = rf"(?:the|(?P<count>\d+|{NUMBER_WORDS})) (?:option|suggestion)s?"
_TASKS: Final = (
    f"(?:please )?(?:propose|work out|put together|find|send me|give me) {_OPTIONS} for {{it}}(?:, please)?",
    f"which {_OPTIONS} do we have for {{it}}",
    "which options do we have for {it}",
    f"(?:can|could) you (?:work out|find|put together) {_OPTIONS} for {{it}}",
    f"{{it}} (?:needs to be scheduled|still needs a time and a room), so please work out {_OPTIONS}",
    f"(?:i'd like to see|i need) {_OPTIONS} for {{it}}",
    "please plan {it} for us, with a time and a room for each meeting on its agenda",
    "{it} still has to be planned, so please find a time and a room for every meeting on its agenda",
    "(?:can|could) you plan {it}, that is, find a time and a room for each of its meetings",
    "we need a plan for {it} that gives each of its meetings a time and a room",
    "please work out when and where all the meetings of {it} are to take place",
)


class TaskRead(NamedTuple):
    """The content of a task text."""

    subject: MeetingRef
    statements: tuple[Said, ...]


def read_task(text: str, resolver: Resolver) -> TaskRead:
    """The meeting or plan of a task, and what the task says.

    Only the first paragraph is the task. Text added by `--reveal` follows it and is ignored.

    Raises:
        UnreadableError: a sentence cannot be read; the error quotes it.
    """
    first, *others = sentences(text.partition("\n\n")[0])
    names = NameReader(resolver)
    try:
        meeting, count = _first(Phrases(first, None, resolver), names)
        subject = Subject(meeting, has_been_named=True)
        found = [] if count is None else [Said(about=meeting, statement=OptionCount(count=count))]
        for sentence in others:
            said = read_said(Phrases(sentence, None, resolver), names, subject)
            if said is None:
                raise UnreadableError(sentence)
            found.append(said)
    except ValidationError as error:
        raise UnreadableError(text, f"not a valid statement ({error.errors()[0]['msg']})") from error
    return TaskRead(meeting, tuple(found))


def _first(phrases: Phrases, names: NameReader) -> tuple[MeetingRef, int | None]:
    """The subject, and the number of options if it is given."""
    for form in _TASKS:
        for found in phrases.find(phrases.text, form):
            meeting = names.meeting(found.words["it"])
            if meeting is not None:
                count = found.words.get("count")
                return meeting, None if count is None else number(count)
    raise UnreadableError(phrases.sentence, "cannot tell what is to be scheduled")

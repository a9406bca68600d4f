"""The task texts: three equivalent paraphrases of each."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final, TypeVar

from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.phrasing import PhrasingError, Voice
from mpcbench.schema import CallPolicy, Duration, OptionCount, Participants, Statement, Window
from mpcbench.schema.model import Level

S = TypeVar("S")

EXPLICIT_TASKS: Final = (
    "Please put together {options} for the {meeting}. It takes {duration} and is for {people}. The window is {days}, {hours} on each day. Two sources count: the participants' calendars and policy {policy}.",
    "We need {options} for the {meeting} with {people}, {duration} long, {days}, each day {hours}. Look at the calendars of the participants and at the policy {policy}; that policy applies, no other does.",
    "Find {options} for a meeting called {meeting}. Participants: {people}. Duration: {duration}. Window: {days}, {hours} on each day. Use the calendar of every participant and follow policy {policy}.",
    "{people} have to meet for the {meeting}, {duration} in length. Using the calendar source and the policy source (policy {policy} applies), work out {options} {days}, each day {hours}.",
    "Schedule the {meeting}: {duration}, attended by {people}. It must take place {days}, {hours} on each day, must fit everybody's calendar and must respect policy {policy}. Give me {options}.",
    "The {meeting} needs a time. Check the calendars of {people} and the rules of policy {policy}, then give me {options} of {duration} {days}, each day {hours}.",
    "I am planning the {meeting} for {people}. It lasts {duration} and has to lie {days}, {hours} on each day. What the calendars and policy {policy} leave free counts; please name {options}.",
)
"""Level 1: state everything and name both sources."""

COUNTED_TASKS: Final = (
    "Please put together {options} for the {meeting} with {people}. The window is {days}, {hours} on each day. Three internal sources are needed to get this right.",
    "{people} are to meet for the {meeting}. Find {options} {days}, each day {hours}. You will have to combine three internal sources.",
    "Find {options} for the {meeting}. Participants: {people}. Window: {days}, {hours} on each day. Three internal sources are needed.",
    "We'd like {options} for the {meeting}, {days}, each day {hours}; it is for {people}. What else you need to know is spread over three internal sources, and all three are needed.",
    "Name {options} when {people} can hold the {meeting}. Stay {days}, {hours} on each day, and note that three internal sources are needed.",
    "The {meeting} of {people} has to be placed {days}, each day {hours}. Please name {options}. Three internal sources are needed, no more and no fewer.",
    "I need {options} for the {meeting}: {people} take part, and it must lie {days}, {hours} on each day. Details stand in our own records; three internal sources are needed.",
)
"""Level 2: state participants, window, N and the number of sources."""

BARE_TASKS: Final = (
    "Please propose the options for the {meeting}.",
    "Find the options for the {meeting}, please.",
    "Which options do we have for the {meeting}?",
    "Can you work out the options for the {meeting}?",
    "The {meeting} needs to be placed. Please propose the options.",
    "Please send me the options for the {meeting}.",
    "I'd like to see the options for the {meeting}.",
    "Let me know the options for the {meeting}.",
)
"""Level 3: name only the meeting."""

_TEMPLATES: Final = {1: EXPLICIT_TASKS, 2: COUNTED_TASKS, 3: BARE_TASKS}


def write_tasks(
    level: Level, meeting: str, statements: Sequence[Statement], voice: Voice, rng: Random
) -> tuple[str, str, str]:
    """Three paraphrases of a task text that express the statements; at level 3 there are no statements.

    Dates include their year, since a task itself is undated.

    Raises:
        PhrasingError: the statements are not those of a task of the level.
    """
    expected = {
        1: (Participants, Window, Duration, OptionCount, CallPolicy),
        2: (Participants, Window, OptionCount),
        3: (),
    }
    kinds = tuple(type(statement) for statement in statements)
    if sorted(kind.__name__ for kind in kinds) != sorted(kind.__name__ for kind in expected[level]):
        raise PhrasingError(
            f"task of level {level} cannot state {', '.join(kind.__name__ for kind in kinds) or 'nothing'}"
        )
    first, second, third = (
        _filled(template, meeting, statements, voice, rng) for template in rng.sample(_TEMPLATES[level], 3)
    )
    return first, second, third


def _filled(template: str, meeting: str, statements: Iterable[Statement], voice: Voice, rng: Random) -> str:
    fields = {"meeting": meeting}
    for statement in statements:
        match statement:
            case Participants(person_ids=people):
                fields["people"] = words.listed([voice.names[person] for person in people])
            case Window():
                parts = words.window(rng, statement, voice.zone, words.DATED_STYLES)
                fields["days"] = parts.days
                fields["hours"] = parts.hours or "at any hour"
            case Duration(minutes=minutes):
                fields["duration"] = words.duration(rng, minutes)
            case OptionCount(count=count):
                fields["options"] = words.counted(rng, count, "option", "suggestion")
            case CallPolicy(policy_id=policy):
                fields["policy"] = policy
            case _:
                raise AssertionError(statement.kind)
    text = template.format(**fields)
    return text[0].upper() + text[1:]

"""The task texts: three equivalent paraphrases of each."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final, TypeVar

from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import capitalised, chosen
from mpcbench.generate.wording.phrasing import PhrasingError, Voice
from mpcbench.schema import CallPolicy, Duration, OptionCount, Participants, Statement, Window
from mpcbench.schema.model import Level

S = TypeVar("S")

EXPLICIT_TASKS: Final = (
    "Please [put together|find|work out] {options} for the {meeting}. It takes {duration} and is for {people}. The window is {days}, {daily}. Please go by the participants' calendars and policy {policy}.",
    "We need {options} for the {meeting} with {people}. It is {duration} long and should be some time {days}, {daily}. [Look at|Check] the participants' calendars and policy {policy}; no other policy applies.",
    "[Find|Give me|Work out] {options} for the {meeting}. Participants: {people}. Duration: {duration}. Window: {days}; {daily}. Use every participant's calendar and follow policy {policy}.",
    "{people} have to meet for the {meeting}, which takes {duration}. Using their calendars and policy {policy}, [work out|find] {options} {days}, {daily}.",
    "[Schedule|Please schedule] the {meeting} with {people}, which takes {duration}. It should fall some time {days}, {daily}, fit everybody's calendar and comply with policy {policy}. [Give|Send] me {options}.",
    "The {meeting} needs a time. Check the calendars of {people} and the rules of policy {policy}, then give me {options} of {duration} each, {days}, {daily}.",
    "I'm planning the {meeting} for {people}. It lasts {duration} and has to take place some time {days}, {daily}. Please [send me|find|give me] {options} that the participants' calendars and policy {policy} allow.",
)
"""Level 1: state everything and name both sources."""

COUNTED_TASKS: Final = (
    "Please [put together|find|work out] {options} for the {meeting} with {people}. The window is {days}, {daily}. You'll have to [look things up in|consult] three kinds of internal sources.",
    "{people} are to meet for the {meeting}. [Find|Put together|Work out] {options} {days}, {daily}. You'll have to combine what three kinds of internal sources say.",
    "[Find|Put together|Work out] {options} for the {meeting}. Participants: {people}. Window: {days}; {daily}. For everything else, [consult|look into] three kinds of internal sources.",
    "[We'd like|We need] {options} for the {meeting}, some time {days}, {daily}; it is for {people}. What else you need to know is spread over three kinds of internal sources, and you need all three.",
    "[Send|Give] me {options} for {people} to hold the {meeting}. It has to be some time {days}, {daily}. You'll find what else matters in three kinds of internal sources.",
    "The {meeting} with {people} has to take place some time {days}, {daily}. Please [send me|give me|find] {options}. To find them you have to [consult|combine] three kinds of internal sources.",
    "I need {options} for the {meeting}: {people} take part, and it must be some time {days}, {daily}. The rest is on record, spread over three kinds of internal sources.",
)
"""Level 2: state participants, window, N and the number of sources that must be consulted."""

BARE_TASKS: Final = (
    "Please [propose|work out|put together] the options for the {meeting}.",
    "[Find|Work out|Propose] the options for the {meeting}, please.",
    "Which options do we have for the {meeting}?",
    "[Can|Could] you [work out|find|put together] the options for the {meeting}?",
    "The {meeting} [needs to be scheduled|still needs a time]. Please [propose|send me|work out] the options.",
    "Please [send|give] me the options for the {meeting}.",
    "[I'd like to see|I need] the options for the {meeting}.",
    "[Let me know|Tell me] the options for the {meeting}.",
)
"""Level 3: name only the meeting."""

TEMPLATES: Final = {1: EXPLICIT_TASKS, 2: COUNTED_TASKS, 3: BARE_TASKS}


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
        fill_task(chosen(template, rng), meeting, statements, voice, rng)
        for template in rng.sample(TEMPLATES[level], 3)
    )
    return first, second, third


def fill_task(template: str, meeting: str, statements: Iterable[Statement], voice: Voice, rng: Random) -> str:
    """A task text without choices, with its fields filled in; the statements are those of its level."""
    fields = {"meeting": meeting}
    for statement in statements:
        match statement:
            case Participants(person_ids=people):
                fields["people"] = words.listed([voice.names[person] for person in people])
            case Window():
                fields |= words.window(rng, statement, voice.zone, words.DATED_STYLES)._asdict()
            case Duration(minutes=minutes):
                fields["duration"] = words.duration(rng, minutes)
            case OptionCount(count=count):
                fields["options"] = words.counted(rng, count, "option", "suggestion")
            case CallPolicy(policy_id=policy):
                fields["policy"] = policy
            case _:
                raise AssertionError(statement.kind)
    return capitalised(template.format(**fields))

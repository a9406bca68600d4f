"""The prompts: the benchmark's conventions in plain words, how to answer, and how to call tools.

The conventions are the rules by which a level's answers are judged. The prompt does not say which records are needed
or where they are, since finding out is what the benchmark measures.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema.model import Level

_ROLE = """\
You are the scheduling assistant of an organisation. You are given a task: find times at which a meeting can take \
place. What you need to know is in the organisation's records. You have tools that look things up in them; call them \
as often as you need to, several at once if you like. Rely on what the records say and do not assume anything that \
you could look up. Nobody can answer questions while you work."""

_OPTION = {
    1: "Each option that you propose is one time slot, with a start and an end.",
    2: "Each option that you propose is one time slot, with a start and an end.",
    3: """\
Each option that you propose is a time slot together with a room, which is named by its ID. The same slot in another \
room is another option, so several rooms that are free at one time are several options.""",
}

_TIME = """\
All times are local times of the time zone {timezone} unless they carry another offset. The zone's offset from UTC may \
change between two dates (daylight saving time). Time spans include their start and exclude their end, so two spans \
that only touch do not overlap."""

_GRID = """\
An option starts at :00, :15, :30 or :45 local time and lasts exactly as long as the meeting does. Options may overlap \
one another: 10:00-11:00 and 10:15-11:15 are two options."""

_WINDOW = """\
An option lies wholly inside the window that is given for the meeting. If the window has daily hours, it also lies \
wholly inside these hours of one local day, whatever other times are named for the meeting. All days of the week count, \
Saturdays and Sundays too, unless something that applies to this meeting says otherwise."""

_BUSY = {
    1: """\
Every event in a participant's calendar is busy time, and an option overlaps no busy event of any participant. Events \
may start and end at any minute.""",
    2: """\
Every event of a participant is busy time, whatever it is called, and an option overlaps no busy event of any \
participant. Events may start and end at any minute.""",
}
_BUSY[3] = _BUSY[2]

_POLICIES = {
    1: """\
Only the policies that the task calls for apply. Leave every other policy out of account, however general it sounds.""",
    2: """\
The organisation has rules for meetings, each under an ID. Only those apply whose ID is named for this meeting, by the \
task or by somebody who may set its terms. Leave all others out of account, however general they sound.""",
}
_POLICIES[3] = _POLICIES[2]

_RULES = """\
What {rule} may demand: where it gives working hours, an option lies wholly inside them, on one of the weekdays \
named. Where it keeps a time of day or of the week free, such as lunch, an option does not overlap it. Where it asks \
for a buffer, at least that many minutes lie between the option and every busy event of every participant, before the \
option and after it; a gap of exactly that length is enough."""

_TURNAROUND = """\
Where it asks for a turnaround time of rooms, at least that many minutes lie between the option and every other \
booking of its room, before and after."""

_SPEAKERS = """\
The terms of a meeting are set by its organiser, by its participants, and by whoever has said that they write for the \
organiser. Hearsay, guesses and general advice bind nothing. A message may shorten a meeting's name or describe the \
meeting instead: it is about the one that fits. A message that does neither, and does not name a meeting, is about the \
meeting last named in that conversation or, if it begins by quoting another message, about that one's meeting; what it \
quotes it does not say again."""

_STATEMENTS = """\
What people may say about a meeting: where they set a deadline, an option ends at or before it. "Not before" gives one \
moment, and no time of each day: an option starts at that moment or later, and so on no earlier day. Where they rule a \
time out, an option does not overlap it. Where they name times that the meeting has to be in, an option lies wholly \
inside one of them."""

_AFTER_EVENT = """\
Where the meeting has to come after some event, an option may start at the minute at which that event ends, or later."""

_SUPERSEDING = """\
If two messages about the same meeting say different things about the same point, the later message holds. Times that \
are ruled out add up, and so do the times that the meeting may be in and the rules that apply. A meeting of the same \
name that is over is another meeting, and nothing that was said of it counts."""

_ATTENDING = """\
Only the people who are named as attending attend. Whoever merely writes, asks or offers something does not."""

_PEOPLE = "People are added and removed in the order of the messages. Equipment adds up as well."

_ROOM = """\
The room of an option has seats for all participants and all guests together, has all the equipment asked for, is at \
the site asked for, if there is one, and has no booking that overlaps the option. A number of guests is the \
number of all guests. When they are busy does not matter."""

_RANKING = {
    1: "earliest start first.",
    2: "earliest start first; latest start first if the latest options are asked for.",
    3: """\
earliest start first; options that start at the same time in the order that is asked for, if there is one; whatever \
is still level by room ID, ascending.""",
}

_COUNT = """\
Of all options that meet every condition, give the first N, where N is the number of options asked for: exactly N, not \
more and not fewer. They are ranked like this: {ranking}"""

_ANSWER = """\
Once you have found the options, write a final message without tool calls. It ends with one JSON object that fits this \
JSON Schema:

{schema}

If a message holds several such objects, the last one counts. List the options in the order of the ranking. Write times \
in ISO 8601, with their offset from UTC, such as {example}; a time without an offset is read in the time zone {timezone}. \
The rationale is optional and is not judged."""

_EXAMPLE = datetime.fromisoformat("2027-02-09T14:30")


def system_prompt(level: Level, timezone: str, instructions: str | None = None) -> str:
    """The system prompt of every episode of a level.

    Args:
        level: Determines which conventions apply, and the format of the answer.
        timezone: The IANA name of the world's time zone.
        instructions: What it says besides, at its end.
    """
    conventions = [_OPTION[level], _TIME.format(timezone=timezone), _GRID, _WINDOW, _BUSY[level], _POLICIES[level]]
    rules = _RULES.format(rule="a policy" if level == 1 else "such a rule")
    conventions.append(rules if level < 3 else f"{rules} {_TURNAROUND}")
    if level == 2:
        conventions += [_SPEAKERS, _STATEMENTS, _SUPERSEDING, _ATTENDING]
    if level == 3:
        conventions += [_SPEAKERS, f"{_STATEMENTS} {_AFTER_EVENT}", _SUPERSEDING, f"{_ATTENDING} {_PEOPLE}", _ROOM]
    conventions.append(_COUNT.format(ranking=_RANKING[level]))
    schema = json.dumps(answer_schema(level), indent=2)
    example = _EXAMPLE.replace(tzinfo=ZoneInfo(timezone)).isoformat()
    return "\n\n".join(
        [
            _ROLE,
            "These conventions hold:",
            "\n".join(f"- {convention}" for convention in conventions),
            _ANSWER.format(schema=schema, example=example, timezone=timezone),
            *([] if instructions is None else [instructions]),
        ]
    )


FINAL_TURN: Final = """\
This is your last message, and tools can no longer be called. Give your final answer now, from what you know: the JSON \
object with the key "candidates" that the instructions describe."""
"""The message that opens the forced final turn."""

# Do not ask for "only" JSON: small models then answer at once and look nothing up.
_JSON_TOOLS = """\
You call tools by what you write. Each of your messages is one JSON object, in one of these forms:

- {{"tool": "NAME", "arguments": {{...}}}} calls one tool. You get its result, and then it is your turn again.
- {{"calls": [{{"tool": "NAME", "arguments": {{...}}}}, {{"tool": "NAME", "arguments": {{...}}}}]}} calls several tools \
at once. You get all their results.
- {{"candidates": [...]}} is your final message, as described above. Write it once tool results have told you what you \
need to know.

These are the tools, one a line. "arguments" is the JSON Schema that the arguments of a call have to fit.

{tools}"""


def json_tools_prompt(tools: Sequence[Tool]) -> str:
    """The text appended to the system prompt for models that call tools by JSON objects in their messages."""
    lines = [
        json.dumps(
            {"tool": tool.name, "description": tool.description, "arguments": tool.parameters}, ensure_ascii=False
        )
        for tool in tools
    ]
    return _JSON_TOOLS.format(tools="\n".join(lines))

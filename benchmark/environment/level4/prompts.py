"""The prompt of level 4: each convention that decides in one sentence, without saying where to look.

What cannot be known without being told is a convention. What a careful reader learns from the tools, such as how a
recurring entry is written, is said by their descriptions.
"""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

from mpcbench.evaluation.scoring.ladder_answer import ladder_answer_schema
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.mechanism import Mechanism

_ROLE = """\
You are the scheduling assistant of an organisation with several sites. You are given a task: {aim}. What you need to \
know is in the organisation's records. You have tools that look things up in them; call them as often as you need to, \
several at once if you like. Rely on what the records say and do not assume anything that you could look up. Nobody can \
answer questions while you work."""

_AIM = {
    False: "find times and rooms for a meeting",
    True: "plan several meetings together, each with a time and a room",
}

_OPTION = {
    False: """\
Each option that you propose is a time slot together with a room, which is named by its ID; the same slot in another \
room is another option.""",
    True: """\
A plan has one option for each meeting on its agenda: the meeting, by its full name, a time slot, and a room, which is \
named by its ID.""",
}

_TIME = """\
All times are local times of the time zone {timezone} unless they carry another offset or are said to be local to a site \
or to people; dates, days of the week and the daily hours of a window are those of {timezone}, too, and the day of an \
option is the one on which it starts."""

_SPANS = "Time spans include their start and exclude their end, so two spans that only touch do not overlap."

_GRID = """\
An option starts at :00, :15, :30 or :45 local time of {timezone} and lasts exactly as long as its meeting does."""

_WINDOW = """\
An option lies wholly inside the window that is given for its meeting and, if the window has daily hours, wholly inside \
them on one day; all days of the week count unless something that holds for the meeting says otherwise."""

_DECIDING = """\
The organiser decides on a meeting's terms, and from the moment at which the organiser hands the planning over, so does \
whoever is named for it, beside the organiser, and may hand it over in turn; who attends, helps or knows more does not \
decide by that. What the task itself says is decided."""

_PROPOSALS = """\
What anybody else says about a meeting's terms is a proposal: it holds once somebody who may decide agrees to it in the \
same conversation, from then on, and it never holds if it is declined or left unanswered."""

_ORGANISER = """\
Of several people who are named as the organiser of a meeting, the one named first is the organiser."""

_NAMELESS = """\
A message that does not name a meeting is about the meeting last named in that conversation or, if it begins by quoting \
another message, about that one's meeting."""

_SUPERSEDING = """\
If two decisions on the same meeting say different things about the same point, the later one holds; times that are \
ruled out, times that the meeting may be in, what it has to come after, and equipment add up; people are added and removed \
one by one."""

_STATEMENTS = """\
An option ends at a deadline or before it, starts at a "not before" time or later, and starts at the end of the event or \
meeting that it has to come after, or later."""

_RULED_OUT = """\
An option does not overlap a time that is ruled out, and where times are named that the meeting has to be in, it lies \
wholly inside one of them."""

_REFERENCES = """\
Where a meeting is to be like another one in length, people, equipment or site, what counts is the other meeting's terms \
after everything that was decided about it."""

_HOLDERS = """\
Where people are named by a role, a relation or a duty, those are meant who have it on the day of the option, with \
all changes that have been made known: a role or a relation is that of whoever took it over last on or before that day, \
and where two changes concern one duty on that day, the one made known last holds; on a day on which nobody has it, a \
meeting that needs them has no option."""

_INVITED = """\
Only the people who are invited take part, the organiser too only if invited; optional people need not be available, and \
where some of several people will do, or one instead of another, any allowed choice of people is enough."""

_AVAILABLE = """\
An option overlaps nothing at which somebody who is needed is marked as busy or out of office, private entries included; \
what is marked as declined, cancelled or free takes no time. Where a rule makes a team's entries count, they are \
treated as if they were the participant's own."""

_TENTATIVE = """\
What is marked as tentative counts as busy unless somebody who may decide says otherwise; where nobody has decided it, a \
rule that holds for the meeting may say otherwise."""

_RULES = """\
The organisation's rules for meetings apply by their own words, whether or not anybody names them: to the meetings and \
on the days that they describe, unless an exception in a rule in force says otherwise, whatever meetings that rule itself \
is about."""

_EDITIONS = """\
Of several editions of a rule only the one counts that came into force last on or before the day of the option; once that \
one has ended, no earlier one comes back."""

_LOCAL_RULES = """\
Where a rule gives times of day or days of the week, it holds for each participant whom it binds by the clock at the \
participant's own site, and a public holiday is one of the country of that site, on the date there."""

_BUFFERS = """\
Where a rule gives working hours, an option lies wholly inside them on one of the days named, which is the \
participant's own day; where it keeps times free, an option does not overlap them; and where it asks for a buffer or for a \
turnaround time of rooms, at least that many minutes lie between the option and everything else that takes the \
participant's or the room's time, a room's tentative bookings included, before and after."""

_ROOM = """\
The room has seats for everybody who is invited, optional people and stand-ins included, and for all guests, or as many \
seats as are asked for instead; it has all the equipment and is at the site asked for, if any is; and none of its \
bookings, tentative ones included, overlaps the option."""

_NOTICES = """\
Where it is made known that a room or a site is closed, or that a building is open, at certain times, this holds at these \
times whatever else says so, unless it has been taken back or replaced; times at which a building is open add to its \
usual hours."""

_CHANGES = """\
The organisation does not stand still while you work: what holds is what the records say when you give your answer."""

_COUNT = """\
Of all options that meet every condition, give the first N, where N is the number of options asked for: exactly N, ranked \
by earliest start first, those that start at the same time in the order that is asked for, if there is one, and whatever \
is still level by room ID, ascending. Options may overlap one another."""

_TOGETHER = """\
In a plan, two meetings that need the same person, and two meetings in the same room, do not overlap and are as far apart \
as the buffers or turnaround times of either demand; and where the plan says that nobody takes part in more than so many \
of its meetings a day, this counts for everybody who is needed in them."""

_PLAN_TERMS = """\
What is decided for a plan holds for each of its meetings unless something else is decided for that meeting itself; what \
adds up adds up over both. A meeting of a plan has the plan's organiser unless somebody is named, or names themselves, as \
the organiser of that meeting."""

_PLAN = """\
Of all plans that meet every condition, give this one: in the order of the agenda each meeting has the best option that \
still lets all later meetings be placed. Of two options the one that starts earlier is better, of those that start at the \
same time the first in the order that is asked for, if there is one, and then the one with the lower room ID."""

_ANSWER = """\
Once you are done, write a final message without tool calls. It ends with one JSON object that fits this JSON Schema:

{schema}

If a message holds several such objects, the last one counts. List the options in the order of the {order}. Write times \
in ISO 8601, with their offset from UTC, such as {example}; a time without an offset is read in the time zone {timezone}. \
The rationale is optional and is not judged."""

_ORDER = {False: "ranking", True: "agenda"}
_EXAMPLE = datetime.fromisoformat("2027-02-09T14:30")


def is_plan(instance: LadderInstance) -> bool:
    """Whether several meetings are to be planned together."""
    return Mechanism.JOINT in instance.mechanisms


def ladder_prompt(timezone: str, *, plan: bool) -> str:
    """The system prompt of an episode of level 4.

    It depends on nothing else of the instance: which of the conventions matter is for the agent to find out.

    Args:
        timezone: The IANA name of the world's time zone.
        plan: Whether several meetings are to be planned together.
    """
    conventions = (
        _OPTION[plan],
        _TIME,
        _SPANS,
        _GRID,
        _WINDOW,
        _DECIDING,
        _PROPOSALS,
        _ORGANISER,
        _NAMELESS,
        _SUPERSEDING,
        _STATEMENTS,
        _RULED_OUT,
        _REFERENCES,
        _HOLDERS,
        _INVITED,
        _AVAILABLE,
        _TENTATIVE,
        _RULES,
        _EDITIONS,
        _LOCAL_RULES,
        _BUFFERS,
        _ROOM,
        _NOTICES,
        _CHANGES,
        *((_PLAN_TERMS, _TOGETHER, _PLAN) if plan else (_COUNT,)),
    )
    schema = json.dumps(ladder_answer_schema(plan=plan), indent=2)
    example = _EXAMPLE.replace(tzinfo=ZoneInfo(timezone)).isoformat()
    return "\n\n".join(
        [
            _ROLE.format(aim=_AIM[plan]),
            "These conventions hold:",
            "\n".join(f"- {convention.format(timezone=timezone)}" for convention in conventions),
            _ANSWER.format(schema=schema, example=example, timezone=timezone, order=_ORDER[plan]),
        ]
    )

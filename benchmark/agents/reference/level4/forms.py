"""The forms of sentences about a meeting or plan, without the words that make them a decision or a proposal.

`mpcbench.benchmark.agents.reference.level4.phrases` explains the notation. `{it}` is the meeting or plan that the sentence
is about, `{other}` another meeting. The forms of one kind are tried in their order, and kinds in theirs.
"""

from typing import Final

from mpcbench.benchmark.agents.reference.grammar_meeting import ROOM_ORDER
from mpcbench.benchmark.agents.reference.grammar_time import NUMBER_WORDS

_COUNT = rf"(?P<count>\d+|no|{NUMBER_WORDS})"
_OPTIONS = rf"{_COUNT} (?:option|proposal|suggestion)s?"
_VISITORS = rf"{_COUNT} (?:visitor|guest)s? from outside in all"
_SEATS = rf"{_COUNT} seats?"
_MEETINGS = rf"{_COUNT} meetings? of {{it}} (?:a|per) day"
_EVENT = (
    r"(?:(?P<mine>my) <title>|the <title> in (?P<mine>my) calendar|the <title> (?:of|in the calendar of) {owner})"
    r" (?:due )?on <day>"
)
_WINDOW = "(?:<window>|<span>)"
_KEYS = f"(?P<keys>{ROOM_ORDER[1:-1]})"
_HAS = "(?:needs|must have|has to have)"

FORMS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "organiser",
        (
            "(?:{person} (?:organises|organise|is organising|am organising)|(?P<me>I)'m organising) {it}",
            "(?:{person} is|(?P<me>I)'m) the organiser of {it}",
            "the organiser of {it} is {person}",
            "{it} is organised by {person}",
            "(?:{person} is|(?P<me>I)'m) in charge of organising {it}",
        ),
    ),
    (
        "delegate",
        (
            "{person} takes? over the planning of {it} from here on",
            "whatever {person} decides? about {it} holds from here on",
            "from now on {person} may decide about {it} as well",
            "hand the planning of {it} over to {person}",
            "let {person} decide about {it} from here on",
        ),
    ),
    (
        "duration",
        (
            "{it} (?:takes|lasts|needs) <length>",
            "we need <length> for {it}",
            "the length of {it} is <length>",
            "<length> is the right length for {it}",
            "(?:plan|book|set aside|reserve) <length> for {it}",
            "make {it} <length> long",
            "settle on <length> for {it}",
        ),
    ),
    (
        "duration_of",
        (
            "{it} (?:takes|lasts) as long as {other}",
            "{it} has the same length as {other}",
            "(?:we need|plan) as much time for {it} as for {other}",
            "(?:use|take over) the length of {other} for {it}",
            "make {it} as long as {other}",
        ),
    ),
    (
        "option_count",
        (
            f"we (?:need|want) {_OPTIONS} for {{it}}",
            f"we'd like {_OPTIONS} to choose from for {{it}}",
            f"there are to be {_OPTIONS} for {{it}}",
            f"{_OPTIONS} will do for {{it}}",
            f"(?:ask for|get|choose among) {_OPTIONS} for {{it}}",
            f"have {_OPTIONS} to choose from for {{it}}",
        ),
    ),
    (
        "window",
        (
            f"{{it}} (?:is to happen|takes place|is planned for) some time {_WINDOW}",
            f"the (?:window|time frame) for {{it}} is {_WINDOW}",
            f"(?:we want to )?(?:hold|schedule) {{it}} some time {_WINDOW}",
            f"(?:find|look for) a time for {{it}} {_WINDOW}",
            f"look for times for {{it}} {_WINDOW}",
        ),
    ),
    (
        "invited",
        (
            "the (?:participants|list of participants) of {it} (?:are|is) {invitations}",
            "{it} is for {invitations}, nobody else",
            "those invited to {it} are {invitations}, nobody else",
            "invite exactly these people to {it}, namely {invitations}",
            "hold {it} with {invitations}, nobody else",
            "get together for {it} with exactly these people, namely {invitations}",
        ),
    ),
    (
        "invite",
        (
            "{it} also needs {invitation}",
            "the list of participants of {it} also includes {invitation}",
            "also invite {invitation} to {it}",
            "add {invitation} to the (?:list|list of participants) for {it}",
            "send {invitation} an invitation to {it} as well",
            "put {invitation} on the list for {it} too",
        ),
    ),
    (
        "uninvite",
        (
            "(?:the invitation of {who}|(?P<me>my) invitation) to {it} no longer holds",
            "{who} can be taken off the list for {it}",
            "(?:take {who} off the list for|take back the invitation of {who} to) {it}",
            "remove {who} from the participants of {it}",
            "cancel (?:the invitation of {who}|(?P<me>my) invitation) to {it}",
        ),
    ),
    (
        "no_guests",
        (
            "there will be no (?:guests|visitors) from outside at {it}",
            "nobody from outside will join {it}",
            "{it} has no guests from outside",
            "plan {it} without guests from outside",
            "count no seats for guests at {it}",
        ),
    ),
    (
        "guests",
        (
            f"{_VISITORS} will join {{it}}",
            f"there will be {_VISITORS} at {{it}}",
            f"we're expecting {_VISITORS} for {{it}}",
            f"the room for {{it}} also has to seat {_VISITORS}",
            f"count in {_VISITORS} for {{it}}",
            f"(?:plan|count) seats for {_VISITORS} at {{it}}",
            f"reckon with {_VISITORS} at {{it}}",
        ),
    ),
    (
        "seats",
        (
            f"the room for {{it}} {_HAS} (?:at least {_SEATS}|{_SEATS} or more)",
            f"we need at least {_SEATS} for {{it}}",
            f"take a room with at least {_SEATS} for {{it}}",
            f"(?:book|reserve) a room with {_SEATS} or more for {{it}}",
        ),
    ),
    (
        "deadline",
        (
            "{it} (?:has to|must) be over by <moment>",
            "{it} must end no later than <moment>",
            "the latest possible end of {it} is <moment>",
            "(?:finish|end) {it} no later than <moment>",
            "(?:finish|end) {it} by <moment>",
            "have {it} over by <moment>",
        ),
    ),
    (
        "not_before",
        (
            "{it} (?:can't|cannot|must not) (?:start|begin) before <moment>",
            "the earliest possible start of {it} is <moment>",
            "{it} (?:starts|begins) no earlier than <moment>",
            "(?:start|begin) {it} no earlier than <moment>",
            "keep {it} from starting before <moment>",
            "rule out any start of {it} before <moment>",
        ),
    ),
    (
        "ban_window",
        (
            "we (?:can't|cannot) hold {it} <span>, not even in part",
            "no part of {it} can be held <span>",
            "no part of {it} may fall <span>",
            "times <span> are ruled out for {it}, even in part",
            "rule out times <span> for {it}, even in part",
            "keep {it} clear of times <span>",
            "keep every part of {it} away from times <span>",
        ),
    ),
    (
        "required_window",
        (
            "the whole of {it} (?:has to|must|may also) (?:lie|fall) <span>",
            "{it} (?:only|also) works <span>, from start to finish",
            "only times <span> will do for the whole of {it}",
            "times <span> will do for the whole of {it}, too",
            "limit the whole of {it} to times <span>",
            "also allow times <span> for the whole of {it}",
            "hold the whole of {it} <span>",
        ),
    ),
    (
        "after_entry",
        (
            f"{{it}} can only (?:start|begin) once {_EVENT} is over",
            f"{{it}} has to wait for the end of {_EVENT}",
            f"{_EVENT} has to be over before {{it}} (?:starts|begins)",
            f"(?:start|begin) {{it}} only after the end of {_EVENT}",
            f"put {{it}} after the end of {_EVENT}",
        ),
    ),
    (
        "tentative_block",
        (
            "tentative entries count as busy for {it}",
            "tentative appointments take up time for {it}",
            "treat tentative entries as busy for {it}",
            "respect tentative entries for {it}",
            "work around tentative entries for {it}",
        ),
    ),
    (
        "tentative_free",
        (
            "tentative entries don't count as busy for {it}",
            "tentative appointments don't take up time for {it}",
            "treat tentative entries as free for {it}",
            "ignore tentative entries for {it}",
            "plan over tentative entries for {it}",
        ),
    ),
    (
        "tie_break",
        (
            f"rooms for {{it}} at the same time are ranked {_KEYS}",
            f"among rooms for {{it}} at the same time the ranking goes {_KEYS}",
            f"rank the rooms for {{it}} within the same time {_KEYS}",
            f"list rooms for {{it}} that fit the same time {_KEYS}",
        ),
    ),
    (
        "equipment_of",
        (
            "the room for {it} needs the same equipment as the one for {other}",
            "we need all the equipment of {other} for {it}",
            "take a room for {it} with all the equipment of {other}",
            "plan the same equipment for {it} as for {other}",
        ),
    ),
    (
        "equipment",
        (
            f"the room for {{it}} {_HAS} {{items}}",
            "we need {items} in the room for {it}",
            "{it} needs a room that has {items}",
            "take a room for {it} that has {items}",
            "make sure that the room for {it} has {items}",
        ),
    ),
    (
        "site_of",
        (
            "the room for {it} has to be at the same site as the one for {other}",
            "{it} takes place at the site of {other}",
            "hold {it} at the same site as {other}",
            "take a room for {it} at the site of {other}",
        ),
    ),
    (
        "site",
        (
            "the room for {it} (?:has to|must) be at {site}",
            "{it} (?:takes place|is held) at {site}",
            "(?:hold|take a room for) {it} at {site}|meet at {site} for {it}",
        ),
    ),
    (
        "agenda",
        (
            "the agenda of {it} is, in this order, {meetings}",
            "{it} (?:has|consists of) these meetings, in this order, {meetings}",
            "put on the agenda of {it}, in this order, {meetings}",
            "place the meetings of {it} in this order, {meetings}",
        ),
    ),
    (
        "daily_limit",
        (
            f"nobody (?:takes part in|attends) more than {_MEETINGS}",
            f"{_MEETINGS} is the limit for anybody",
            f"give nobody more than {_MEETINGS}",
            f"limit everybody to {_MEETINGS}",
        ),
    ),
    (
        "after_meeting",
        (
            "{it} can only (?:start|begin) once {other} is over",
            "{other} has to be over before {it} (?:starts|begins)",
            "(?:start|begin) {it} only after the end of {other}",
            "put {it} after the end of {other}",
        ),
    ),
)
"""By kind of statement."""

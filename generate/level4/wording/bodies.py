"""The phrasings of what is said about a meeting, without the words that make them a decision or a proposal.

A clause is a sentence of its own: "the meeting takes an hour". An action follows "let's" and "could we": "plan an hour for
the meeting". `{it}` is what is to be scheduled, `{this}` the same or, for a plan, the plan itself, and `{other}` another
meeting. `generate.wording.choices` resolves the choices in brackets.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Bodies(NamedTuple):
    """The phrasings of one kind."""

    clauses: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


BODIES: Final[Mapping[str, Bodies]] = {
    "organiser": Bodies(
        clauses=(
            "{person} [organises|is organising] {this}",
            "{person} is the organiser of {this}",
            "the organiser of {this} is {person}",
            "{this} is organised by {person}",
            "{person} is in charge of organising {this}",
        ),
    ),
    "own_organiser": Bodies(
        clauses=(
            "I [organise|am organising] {this}",
            "I'm the organiser of {this}",
            "{this} is organised by me",
            "I'm in charge of organising {this}",
        ),
    ),
    "delegate": Bodies(
        clauses=(
            "{person} takes over the planning of {this} from here on",
            "whatever {person} decides about {this} holds from here on",
            "from now on {person} may decide about {this} as well",
        ),
        actions=(
            "hand the planning of {this} over to {person}",
            "let {person} decide about {this} from here on",
        ),
    ),
    "duration": Bodies(
        clauses=(
            "{it} [takes|lasts|needs] {duration}",
            "we need {duration} for {it}",
            "the length of {it} is {duration}",
            "{duration} is the right length for {it}",
        ),
        actions=(
            "[plan|book|set aside|reserve] {duration} for {it}",
            "make {it} {duration} long",
            "settle on {duration} for {it}",
        ),
    ),
    "duration_of": Bodies(
        clauses=(
            "{it} [takes|lasts] as long as {other}",
            "{it} has the same length as {other}",
            "we need as much time for {it} as for {other}",
        ),
        actions=(
            "plan as much time for {it} as for {other}",
            "[use|take over] for {it} the length of {other}",
            "make {it} as long as {other}",
        ),
    ),
    "option_count": Bodies(
        clauses=(
            "we [need|want] {options} for {it}",
            "we'd like {options} to choose from for {it}",
            "there are to be {options} for {it}",
            "{options} will do for {it}",
        ),
        actions=(
            "[ask for|look at] {options} for {it}",
            "[get|put together|work out] {options} for {it}",
            "choose among {options} for {it}",
        ),
    ),
    "window": Bodies(
        clauses=(
            "{it} [is to happen|takes place|is planned for] some time {days}, {daily}",
            "the [window|time frame] for {it} is {days}, {daily}",
            "we want to hold {it} some time {days}, {daily}",
        ),
        actions=(
            "[find|look for] a time for {it} {days}, {daily}",
            "[hold|schedule] {it} some time {days}, {daily}",
            "look for times for {it} {days}, {daily}",
        ),
    ),
    "invited": Bodies(
        clauses=(
            "the participants of {it} are {people}",
            "the list of participants of {it} is {people}",
            "{it} is for {people}, nobody else",
            "those invited to {it} are {people}, nobody else",
        ),
        actions=(
            "invite exactly these people to {it}, namely {people}",
            "hold {it} with {people}, nobody else",
            "get together for {it} with exactly these people, namely {people}",
        ),
    ),
    "invite": Bodies(
        clauses=(
            "{it} also needs {people}",
            "the list of participants of {it} also includes {people}",
        ),
        actions=(
            "also invite {people} to {it}",
            "add {people} to the [list|list of participants] for {it}",
            "send {people} an invitation to {it} as well",
            "put {people} on the list for {it} too",
        ),
    ),
    "uninvite": Bodies(
        clauses=(
            "the invitation of {who} to {it} no longer holds",
            "{it} goes ahead without the invitation of {who}",
        ),
        actions=(
            "take {who} off the list for {it}",
            "remove {who} from the participants of {it}",
            "cancel the invitation of {who} to {it}",
            "drop {who} from the list for {it}",
        ),
    ),
    "guests": Bodies(
        clauses=(
            "{visitors} will join {it}",
            "there will be {visitors} at {it}",
            "we're expecting {visitors} for {it}",
            "the room for {it} also has to seat {visitors}",
        ),
        actions=(
            "count in {visitors} for {it}",
            "[plan|count] seats for {visitors} at {it}",
            "reckon with {visitors} at {it}",
        ),
    ),
    "no_guests": Bodies(
        clauses=(
            "there will be no [guests|visitors] from outside at {it}",
            "nobody from outside will join {it}",
            "{it} has no guests from outside",
        ),
        actions=(
            "plan {it} without guests from outside",
            "count no seats for guests at {it}",
        ),
    ),
    "seats": Bodies(
        clauses=(
            "the room for {it} [needs|must have] at least {seats}",
            "we need at least {seats} for {it}",
            "the room for {it} has to have {seats} or more",
        ),
        actions=(
            "take a room with at least {seats} for {it}",
            "[book|reserve] a room with {seats} or more for {it}",
        ),
    ),
    "deadline": Bodies(
        clauses=(
            "{it} [has to|must] be over by {moment}",
            "{it} must end no later than {moment}",
            "the latest possible end of {it} is {moment}",
        ),
        actions=(
            "[finish|end] {it} no later than {moment}",
            "be done with {it} by {moment}",
            "have {it} over by {moment}",
        ),
    ),
    "not_before": Bodies(
        clauses=(
            "{it} [can't|cannot|must not] [start|begin] before {moment}",
            "the earliest possible start of {it} is {moment}",
            "{it} [starts|begins] no earlier than {moment}",
        ),
        actions=(
            "[start|begin] {it} no earlier than {moment}",
            "keep {it} from starting before {moment}",
            "rule out any start of {it} before {moment}",
        ),
    ),
    "ban_window": Bodies(
        clauses=(
            "we [can't|cannot] hold {it} {span}, not even in part",
            "no part of {it} may fall into the time {between}",
            "times {between} are ruled out for {it}, even in part",
        ),
        actions=(
            "rule out times {between} for {it}, even in part",
            "keep {it} clear of the time {between}",
            "keep every part of {it} out of the time {between}",
        ),
    ),
    "required_window": Bodies(
        clauses=(
            "the whole of {it} [has to|must] [lie|fall] {between}",
            "{it} only works {between}, from start to finish",
            "only times {between} will do for the whole of {it}",
        ),
        actions=(
            "keep the whole of {it} within the time {between}",
            "hold the whole of {it} {between}",
        ),
    ),
    "another_window": Bodies(
        clauses=(
            "the whole of {it} may also [lie|fall] {between}",
            "times {between} will do for the whole of {it}, too",
            "{it} also works {between}, from start to finish",
        ),
        actions=("also allow times {between} for the whole of {it}",),
    ),
    "after_entry": Bodies(
        clauses=(
            "{it} can only [start|begin] once {event} is over",
            "{it} has to wait for the end of {event}",
            "{event} has to be over before {it} [starts|begins]",
        ),
        actions=(
            "[start|begin] {it} only after the end of {event}",
            "put {it} after the end of {event}",
        ),
    ),
    "tentative_block": Bodies(
        clauses=(
            "tentative entries count as busy for {it}",
            "tentative appointments take up time for {it}",
        ),
        actions=(
            "treat tentative entries as busy for {it}",
            "respect tentative entries for {it}",
            "work around tentative entries for {it}",
        ),
    ),
    "tentative_free": Bodies(
        clauses=(
            "tentative entries don't count as busy for {it}",
            "tentative appointments don't take up time for {it}",
        ),
        actions=(
            "treat tentative entries as free for {it}",
            "ignore tentative entries for {it}",
            "plan over tentative entries for {it}",
        ),
    ),
    "tie_break": Bodies(
        clauses=(
            "rooms for {it} at the same time are ranked {keys}",
            "among rooms for {it} at the same time the ranking goes {keys}",
        ),
        actions=(
            "rank the rooms for {it} within the same time {keys}",
            "list rooms for {it} that fit the same time {keys}",
        ),
    ),
    "equipment": Bodies(
        clauses=(
            "the room for {it} [needs|must have|has to have] {items}",
            "we need {items} in the room for {it}",
            "{it} needs a room that has {items}",
        ),
        actions=(
            "take a room for {it} that has {items}",
            "make sure that the room for {it} has {items}",
        ),
    ),
    "equipment_of": Bodies(
        clauses=(
            "the room for {it} needs the same equipment as the one for {other}",
            "we need for {it} all the equipment of {other}",
        ),
        actions=(
            "take a room for {it} with all the equipment of {other}",
            "plan for {it} the same equipment as for {other}",
        ),
    ),
    "site": Bodies(
        clauses=(
            "the room for {it} [has to|must] be at {site}",
            "{it} [takes place|is held] at {site}",
        ),
        actions=(
            "hold {it} at {site}",
            "take a room for {it} at {site}",
            "meet for {it} at {site}",
        ),
    ),
    "site_of": Bodies(
        clauses=(
            "the room for {it} has to be at the same site as the one for {other}",
            "{it} takes place at the site of {other}",
        ),
        actions=(
            "hold {it} at the same site as {other}",
            "take a room for {it} at the site of {other}",
        ),
    ),
    "agenda": Bodies(
        clauses=(
            "the agenda of {this} is, in this order, {meetings}",
            "{this} [has|consists of] these meetings, in this order, {meetings}",
        ),
        actions=(
            "put on the agenda of {this}, in this order, {meetings}",
            "place the meetings of {this} in this order, {meetings}",
        ),
    ),
    "after_meeting": Bodies(
        clauses=(
            "{it} can only [start|begin] once {other} is over",
            "{other} has to be over before {it} [starts|begins]",
        ),
        actions=(
            "[start|begin] {it} only after the end of {other}",
            "put {it} after the end of {other}",
        ),
    ),
    "daily_limit": Bodies(
        clauses=(
            "nobody [takes part in|attends] more than {count} of {this} [a|per] day",
            "{count} of {this} [a|per] day are the most for anybody",
        ),
        actions=(
            "give nobody more than {count} of {this} [a|per] day",
            "limit everybody to {count} of {this} [a|per] day",
        ),
    ),
}

DECIDED_CLAUSES: Final = (
    "{body}",
    "{body}",
    "[please note that|it's settled that|I've decided that|for the record,] {body}",
    "[to be clear|just so everybody knows|to keep it simple], {body}",
)
DECIDED_ACTIONS: Final = (
    "let's {body}",
    "please {body}",
    "we'll {body}",
    "[I've decided that we|we're going to|we are to] {body}",
)
CHANGED_CLAUSES: Final = ("[change of plan|on second thoughts|correction], {body}", "we've had to change this, {body}")
CHANGED_ACTIONS: Final = (
    "[change of plan|on second thoughts], [let's|we'll] {body}",
    "we've had to change this, let's {body}",
)
PROPOSED_CLAUSES: Final = (
    "[I'd suggest that|my suggestion would be that|my proposal is that|I'd propose that] {body}",
    "[could we say that|can we agree that|would you all be fine if|what if] {body}?",
    "[just an idea|a suggestion|a thought], maybe {body}?",
)
PROPOSED_ACTIONS: Final = (
    "[could we|shall we|can't we|why don't we] {body}?",
    "[I'd suggest that we|I'd propose that we|maybe we could|perhaps we could] {body}",
    "[would it make sense to|would it be all right to] {body}?",
)

"""The phrasings of what a meeting is: who organises it, who takes part, how long it takes."""

from collections.abc import Mapping
from typing import Final

from mpcbench.generate.level4.wording.frames import Bodies

MEETING: Final[Mapping[str, Bodies]] = {
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
            "[I organise|I'm organising] {this}",
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
    "own_delegate": Bodies(
        clauses=(
            "I take over the planning of {this} from here on",
            "whatever I decide about {this} holds from here on",
            "from now on I may decide about {this} as well",
        ),
        actions=(
            "hand the planning of {this} over to me",
            "let me decide about {this} from here on",
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
            "[use|take over] the length of {other} for {it}",
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
            "[ask for|get] {options} for {it}",
            "have {options} to choose from for {it}",
            "choose among {options} for {it}",
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
            "{who} can be taken off the list for {it}",
        ),
        actions=(
            "take {who} off the list for {it}",
            "remove {who} from the participants of {it}",
            "cancel the invitation of {who} to {it}",
            "take back the invitation of {who} to {it}",
        ),
    ),
    "own_uninvite": Bodies(
        clauses=("my invitation to {it} no longer holds",),
        actions=(
            "take me off the list for {it}",
            "remove me from the participants of {it}",
            "cancel my invitation to {it}",
        ),
    ),
}
"""By kind of statement."""

"""The phrasings of what a meeting is: its length, window and people, and how many options are wanted.

`generate.wording.choices` resolves the choices in brackets; `generate.wording.phrasing` fills the fields in braces
and capitalises the first letter. A phrasing states a fact of its own: it does not pass on what somebody else said, and
claims nothing about anybody's calendar.
"""

from typing import NamedTuple


class Forms(NamedTuple):
    """The phrasings of one kind."""

    first: tuple[str, ...]
    """State it for the first time."""

    again: tuple[str, ...]
    """Replace an earlier statement of the kind or, for kinds that add up, add to it."""


DURATION = Forms(
    (
        "[It|The meeting|This one] [should take|will take|takes|needs|lasts] {duration}[| in all|, no more and no less].",
        "[Please plan|Please book|Let's book|Let's plan|Please set aside] {duration} for [it|this|the meeting].",
        "[We'll need|I'd like|We need|I'd ask for] {duration} [for this|for it|of everyone's time].",
        "[Length of the meeting|Length|Duration|Time needed]: {duration}.",
        "{duration} is [the right length|what we need] for [this one|the meeting].",
        "[Schedule|Plan] it for {duration}, the agenda [fits into that|needs no more than that].",
        "The agenda [calls for|needs] {duration}, so [that's the length|let's book that].",
    ),
    (
        "[Make the meeting|Let's make the meeting] {duration} [after all|instead].",
        "[Scrap|Forget|Ignore] the [earlier|old|first] length: [it's {duration} now|{duration} it is|we need {duration}].",
        "Correction of the length: [the meeting takes|we need|it's] {duration}.",
        "The agenda has [changed|been reworked], so we now need {duration} instead.",
        "[I got the length wrong before|The length was wrong], [please book|it takes] {duration}.",
        "Change of plan: {duration} instead of the length given before.",
        "Let's [go for|book] {duration} rather than [what we said earlier|the length from before].",
        "New length, replacing the old one: {duration}.",
    ),
)

OPTION_COUNT = Forms(
    (
        "Please [come back|get back to us] with {options}.",
        "[I'd like|We'd like|We need|I need] {options}[| to choose from|, no more and no fewer].",
        "[Give|Send] [us|me] {options}, please.",
        "[Could we get|Can we have|Could you send] {options}?",
        "{options} [would be perfect|would be ideal|will do].",
        "Send {options} and we'll pick one.",
        "[Wanted|To choose from]: {options}.",
    ),
    (
        "[Make that|Please make that] {options} instead.",
        "[Correction|Change of plan]: we [want|need] {options}[| now].",
        "On second thoughts, please send {options} rather than the number from before.",
        "[Forget|Scrap] the number [given earlier|from before]: {options}, please.",
        "Let's change how many [we get|you send]: {options} now.",
        "Number of options [updated|changed]: we now need {options}.",
    ),
)

WINDOW = Forms(
    (
        "[It|The meeting] [should|has to|must|needs to] happen some time {days}, {daily}.",
        "[The window is|The time frame is|The search window runs] {days}, {daily}.",
        "[Window|Time frame|Dates]: {days}; {daily}.",
        "[Please look|Find something|Please look for times|We want to meet|Please place it] {days}, {daily}.",
        "We can meet {days}[,|;] {daily}.",
        "Let's find a time {days}, {daily}.",
    ),
    (
        "New [window|time frame], replacing the old one: {days}, {daily}.",
        "[Forget|Scrap|Ignore] the [earlier window|old window|earlier dates]: it's now {days}, {daily}.",
        "The dates have changed, so please look {days}, {daily}.",
        "Correction of the [window|dates]: {days}, {daily}.",
        "[Scrap|Forget] the dates from before. We want to meet {days}; {daily}.",
        "We had to move the whole window: it now [runs|is] {days}, {daily}.",
    ),
)

PARTICIPANTS = Forms(
    (
        "[It's|This is|The meeting is] for {people}.",
        "[Who has to be there|Who takes part|Participants|Attendees|To be invited|Who attends]: {people}.",
        "[The participants|Participants] are {people}.",
        "We need {people} [in this meeting|in this one|for this].",
        "[The people taking part|Taking part]: {people}, nobody else.",
        "Please [get {people} together for this|bring {people} together for this one].",
        "Please invite {people}[| and nobody else].",
        "[This one|The meeting] concerns {people}, and {all} have to attend.",
    ),
    (
        "New list of participants, replacing the earlier one: {people}.",
        "[Scrap|Forget] the earlier list: it's for {people} and nobody else.",
        "Correction of who attends: {people}, that's the full list.",
        "The line-up has changed completely, [the participants|participants] are now {people}.",
        "Forget who was named before; the people taking part are {people}.",
        "Updated [attendee list|list of participants], the old one no longer counts: {people}.",
    ),
)

ADD_PARTICIPANT = Forms(
    (
        "Please [add {person} to the participants|put {person} on the list of participants too].",
        "{person} [has to|must|needs to] [be there|attend|take part] [as well|too].",
        "{person} will take part [too|as well], so [please check that calendar|that calendar counts].",
        "[One more participant|Another participant|Also taking part]: {person}.",
        "We also need {person} [in the meeting|in this one].",
        "Can you [include|add] {person}? We can't do it otherwise.",
        "[I|We] forgot somebody: {person} must [attend|take part] too.",
        "{person} [joins us|is joining us|will join us] for this one.",
    ),
    (
        "After all we do need {person} in the meeting[|, please add that name].",
        "Change of plan: {person} [takes part too|will take part as well|will take part too|takes part as well].",
        "The line-up grows: [add {person}, please|please add {person}].",
        "Correction: {person} [has to|must|needs to] [attend|be there|take part] [as well|too].",
        "[New|One more|Another] participant: {person}.",
        "Please [put {person} on the list|add {person} to the list] after all.",
    ),
)

ADD_AUTHOR = Forms(
    (
        "Please [add me to the participants|put me on the list of participants too].",
        "I [have to|must|need to] [be there|attend|take part] [as well|too].",
        "I will take part [too|as well], so [please check my calendar|my calendar counts].",
        "[One more participant|Another participant]: me.",
        "You [also need|will also need] me in [the meeting|this one].",
        "Can you [include|add] me[|, please]? [You|We] can't do it otherwise.",
        "I was forgotten: I must [attend|take part] too.",
        "I'm [joining you|joining] for this one.",
    ),
    (
        "After all [you do need me|I do have to be] in the meeting[|, please add me].",
        "Change of plan: I [take part too|will take part as well].",
        "The line-up grows: [add me, please|please add me].",
        "Correction: I have to [attend|be there] [as well|too].",
        "New participant: me.",
        "Please [put me on the list|add me to the list] after all.",
    ),
)
"""Somebody adds themselves."""

REMOVE_PARTICIPANT = Forms(
    (
        "{person} won't [take part|attend] any more.",
        "Please take {person} off the [list|list of participants|invitation].",
        "We'll do this without {person}, so [leave that calendar out|that calendar no longer counts].",
        "{person} is out of this one[| and won't attend].",
        "[You can drop|Please drop|Please remove] {person} from the [meeting|list].",
        "No need to wait for {person}, who won't take part any more.",
        "{person} has [pulled out|dropped out] and won't [attend|take part].",
    ),
    (
        "After all {person} won't take part[|: please remove that name].",
        "Change of plan: {person} [doesn't take part|won't take part|won't attend|won't be there].",
        "The line-up shrinks: [leave out {person}, please|please leave out {person}].",
        "Correction: {person} [will not attend|will not be there|does not take part|will not take part].",
        "One participant fewer: {person} [drops out|is out].",
        "Please [strike {person} from|take {person} off] the list after all.",
    ),
)

REMOVE_AUTHOR = Forms(
    (
        "I won't [take part|attend] any more.",
        "Please take me off the [list|list of participants|invitation].",
        "You'll do this without me, so [leave my calendar out|my calendar no longer counts].",
        "I'm out of this one[| and won't attend].",
        "[You can drop|Please drop|Please remove] me from the [meeting|list].",
        "No need to wait for me, I won't take part any more.",
        "I have [pulled out|dropped out] and won't [attend|take part].",
    ),
    (
        "After all I won't take part[|: please remove me].",
        "Change of plan: I [don't|won't] take part.",
        "The line-up shrinks: [leave me out, please|please leave me out].",
        "Correction: I will not [attend|be there].",
        "One participant fewer: I'm dropping out.",
        "Please [strike me from|take me off] the list after all.",
    ),
)
"""Somebody removes themselves."""

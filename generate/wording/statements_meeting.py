"""The phrasings of what a meeting is: its length, window and people, and how many options are wanted.

`generate.wording.choices` resolves the choices in brackets; `generate.wording.phrasing` fills the fields in braces
and capitalises the first letter. A phrasing states a fact of its own: it does not pass on what somebody else said, and
claims nothing about anybody's calendar. It may follow a colon, so it contains none.
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
        "[The meeting|This one] [will take|takes|needs|should last] {duration}.",
        "[Please book|Please plan|Let's book|Let's plan|Please set aside] {duration} for [this one|this meeting|the meeting].",
        "[We'll need|We need] {duration} for [this|this one|the meeting].",
        "{duration} [is fine|will do] for [this one|the meeting].",
        "[Make it|Let's make it] {duration}, the agenda [fits into that|needs no more than that].",
        "The agenda [calls for|needs] {duration}, so [that's the length|let's book that].",
        "We [settled on|decided on|agreed on] {duration} for [this one|the meeting].",
        "This needs {duration}, so please [book|plan] exactly that.",
        "Please make it {duration}.",
        "[It|The meeting] should be {duration}.",
        "[The meeting|This one] [is|will be] {duration} long.",
        "Please send the invite for {duration}.",
    ),
    (
        "[Make this meeting|Let's make this one|Please make it] {duration} [after all|instead].",
        "[Scrap|Forget|Ignore] the [earlier|old|previous] length, [it's {duration} now|we need {duration}].",
        "The agenda has [changed|been reworked], so we now need {duration}.",
        "The [length|earlier length] was wrong, [please book|the meeting takes] {duration}.",
        "[We talked about the length again, and|We had to change the length,] [it's {duration} now|we now need {duration}].",
        "Let's [go for|book] {duration} [instead|after all].",
        "Please change the length[ of the meeting|] to {duration}.",
        "The [old|earlier] length won't do, [we need|please book] {duration}.",
        "It turns out [we need|the meeting takes] {duration}, not [what we said|as announced].",
        "[Change of plan|On second thoughts], [this one takes|we need|please book] {duration}.",
        "The meeting has been changed to {duration}.",
    ),
)

OPTION_COUNT = Forms(
    (
        "Please [come back|get back to us] with {options}.",
        "[I'd like|We'd like|We need|I need] {options}[| to choose from].",
        "[Give|Send] [us|me] {options}, please.",
        "[Could we get|Can we have|Could you send us] {options}?",
        "{options} [would be perfect|would be ideal|will do].",
        "[Send|Please send] {options} and we'll pick one.",
        "We'll [choose among|decide between|pick one of] {options}, so please send them over.",
        "[I'd like|We want|We'd like] to choose from {options}.",
        "Please [prepare|put together|work out] {options}.",
        "There should be {options} to choose from.",
        "I'll put {options} to the vote, so please send that many.",
        "We need {options} [for the vote|to vote on].",
    ),
    (
        "[Make that|Please make that] {options} instead.",
        "[On reflection|Change of plan], we [want|need] {options} now.",
        "On second thoughts, please send {options}.",
        "[Forget|Scrap] the number [given earlier|from before], [please send|we need] {options}.",
        "We've changed our minds about the number, [please send|we'd like] {options}.",
        "The number has changed, [we now need|please send] {options}.",
        "We need {options} now, not the number [mentioned|given] earlier.",
        "Please send {options} after all.",
        "We talked about the number again, [please send|we'd like] {options}.",
        "The number was wrong, [we need|please send] {options}.",
        "Let's have {options} [instead|after all].",
    ),
)

WINDOW = Forms(
    (
        "[It|The meeting] [should|has to|must|needs to] happen [some time|at some point] {days}, {daily}.",
        "The [window|time frame][ for the meeting|] is {days}, {daily}.",
        "Please [look for times|find something|find a time] {days}, {daily}.",
        "[We want|We'd like] to meet [some time|at some point] {days}, {daily}.",
        "We can meet [some time|at some point] {days}, {daily}.",
        "[Let's find a time|Let's look for a time|We're looking for a time] {days}, {daily}.",
        "[Please find|Do find] us a time {days}, {daily}.",
        "We [have|need|plan] to meet [some time|at some point] {days}, {daily}.",
        "[The meeting is|This one is|It's] planned for some time {days}, {daily}.",
        "Please [place|schedule] [it|the meeting] some time {days}, {daily}.",
        "Whoever schedules this should look for times {days}, {daily}.",
    ),
    (
        "The [window|time frame] has changed, it's now {days}, {daily}.",
        "[Forget|Scrap|Ignore] the [earlier window|old window|earlier dates], it's now {days}, {daily}.",
        "The dates have changed, so please look for times {days}, {daily}.",
        "The [dates|earlier dates] were wrong, please look for times {days}, {daily}.",
        "[Scrap|Forget] the dates from before, we want to meet [some time|at some point] {days}, {daily}.",
        "We had to move the whole window, it's now {days}, {daily}.",
        "Let's drop the earlier dates and look for times {days}, {daily}.",
        "Instead of the earlier dates, please look for times {days}, {daily}.",
        "The [earlier|old] dates are off, we now want to meet some time {days}, {daily}.",
        "[Change of plan|On second thoughts], we want to meet some time {days}, {daily}.",
        "[Let's change|We have to change] the dates, the window is now {days}, {daily}.",
    ),
)

PARTICIPANTS = Forms(
    (
        "[It's|This is|The meeting is] for {people}[|, nobody else].",
        "[The participants|Those attending] are {people}[|, nobody else].",
        "We need {people} [in this meeting|in this one|for this].",
        "The people taking part are {people}[|, nobody else].",
        "Please [get {people} together for this|book this one for {people}].",
        "Please invite {people}[|, nobody else].",
        "[This one|The meeting] involves {people}, and {all} have to attend.",
        "The invitation goes to {people}[|, nobody else].",
        "[Please|Let's] find a time for {people}.",
        "We want to get {people} [together|into one meeting].",
        "It takes {people} to settle this, so please invite {all}.",
        "The attendees are {people}[|, nobody else].",
    ),
    (
        "The list of participants has changed, [please invite|it's now for] {people}, nobody else.",
        "[Scrap|Forget] the earlier list, [it's for|please invite] {people}, nobody else.",
        "The line-up has changed completely, the participants are now {people}.",
        "[Forget|Never mind] who was named before, the people taking part are {people}.",
        "[On second thoughts|Change of plan], [the participants are|please invite] {people}, nobody else.",
        "The old list no longer counts, the participants are {people}.",
        "Instead of the people named before, please invite {people}.",
        "We've changed the list, the meeting is now for {people}, nobody else.",
        "The [list|earlier list] was wrong, the participants are {people}.",
        "[We have to change|Let's change] the list of participants, it's now for {people}.",
    ),
)

ADD_PARTICIPANT = Forms(
    (
        "Please [add {person} to the invite|put {person} on the list too].",
        "{person} [has to|must|needs to] [be there|attend|take part] [as well|too].",
        "{person} will take part [too|as well].",
        "We also need {person} [in the meeting|in this one].",
        "[Can|Could] you [include|add] {person}?",
        "We forgot somebody, {person} must [attend|take part] too.",
        "{person} [is joining us|will join us] for this one.",
        "Please invite {person} [too|as well].",
        "The meeting needs {person} [too|as well].",
        "I'd like {person} to [attend|take part] [too|as well].",
        "Please send {person} an invitation [too|as well].",
    ),
    (
        "We do need {person} in the meeting after all[|, so please send an invitation].",
        "One more change, {person} [is coming|will take part] [too|as well].",
        "The group is growing, [so please add|please add|so please include] {person}.",
        "[On second thoughts|On reflection], {person} [has to|must|needs to] [attend|be there|take part] [as well|too].",
        "Please [put {person} on the list|add {person} to the list] after all.",
        "We can't do [it|this] without more help, so please [add|include] {person}.",
        "We've decided that {person} [has to|should] [join|attend] [too|as well].",
        "The list was incomplete, {person} [has to|must] [attend|take part] [too|as well].",
        "Please invite {person} [too|as well] after all.",
        "It turns out that we also need {person} in the meeting.",
        "[The list|The invite] [misses|lacks] a participant, please add {person}.",
    ),
)

ADD_AUTHOR = Forms(
    (
        "Please [add me to the invite|put me on the list too].",
        "I [have to|must|need to] [be there|attend|take part] [as well|too].",
        "I'll be there [too|as well].",
        "You also need me [in the meeting|in this one].",
        "[Can|Could] you [include|add] me?",
        "You forgot somebody, I have to [attend|take part] too.",
        "I'm joining [|you ]for this one.",
        "Please invite me [too|as well].",
        "The meeting needs me [too|as well].",
        "Please send me an invitation [too|as well].",
    ),
    (
        "[You do need me|I do have to be] in the meeting after all.",
        "One more change, I'll [come too|take part as well].",
        "The group is growing, [so please add|please add|so please include] me.",
        "[On second thoughts|On reflection], I [have to|must|need to] [attend|be there|take part] [as well|too].",
        "Please [put me on the list|add me to the list] after all.",
        "It turns out that I [have to|must] [attend|take part] [too|as well].",
        "The list was incomplete, I [have to|must] [attend|take part] [too|as well].",
        "Please invite me [too|as well] after all.",
        "This touches on my work, so you also need me in the meeting.",
        "[The list|The invite] [misses|lacks] a participant, please add me.",
    ),
)
"""Somebody adds themselves."""

REMOVE_PARTICIPANT = Forms(
    (
        "{person} [won't|will not] [take part|attend].",
        "{person} [won't|will not] [take part|attend] any more.",
        "Please take {person} off the [list|list of participants|invitation].",
        "We'll [hold|have] [this one|the meeting] without {person}.",
        "{person} is out of this one[| and won't attend].",
        "[You can drop|Please drop|Please remove] {person} from the [meeting|list of participants].",
        "{person} has [pulled out|dropped out] and won't [attend|take part].",
        "{person} isn't [coming to|taking part in] this one.",
        "[The meeting|This one] will go ahead without {person}.",
        "Please leave {person} off the [list of participants|invitation].",
        "Please uninvite {person}, who won't [attend|take part].",
    ),
    (
        "{person} won't [take part|attend] after all[|, so please take them off the list].",
        "Change of plan, {person} [isn't taking part|won't take part|won't attend|won't be there].",
        "The group is getting smaller, [please leave out|so please leave out|please drop] {person}.",
        "[On second thoughts|On reflection], {person} [won't attend|won't be there|won't be joining|won't take part].",
        "We're one fewer now, {person} has [dropped|pulled] out.",
        "Please [strike {person} from|take {person} off] the list after all.",
        "The list has changed, {person} [won't|will not] [attend|take part].",
        "We've decided to [meet|go ahead|do this] without {person}.",
        "{person} is needed elsewhere and won't [attend|take part].",
        "{person} is off the list and won't [attend|take part].",
        "[We need to|Let's] change the list, please remove {person}.",
    ),
)

REMOVE_AUTHOR = Forms(
    (
        "I [won't|will not] [take part|attend].",
        "I [won't|will not] [take part|attend] any more.",
        "Please take me off the [list|list of participants|invitation].",
        "You'll [hold|have] [this one|the meeting] without me.",
        "I'm out of this one[| and won't attend].",
        "[You can drop|Please drop|Please remove] me from the [meeting|list of participants].",
        "I've [pulled out|dropped out] and won't [attend|take part].",
        "I'm not [coming to|taking part in] this one.",
        "[The meeting|This one] will go ahead without me.",
        "Please leave me off the [list of participants|invitation].",
    ),
    (
        "I won't [take part|attend] after all.",
        "Change of plan, I [won't take part|won't attend|won't be there].",
        "The group is getting smaller, [please leave me out|so please leave me out|please drop me].",
        "[On second thoughts|On reflection], I won't [attend|be there|take part].",
        "You're one fewer now, I've [dropped|pulled] out.",
        "Please [strike me from|take me off] the list after all.",
        "The list has changed, I [won't|will not] [attend|take part].",
        "I've decided to pull out, so please go ahead without me.",
        "I'm off the list and won't [attend|take part].",
        "[We need to|Let's] change the list, please remove me.",
    ),
)
"""Somebody removes themselves."""

"""The phrasings of what a meeting is: its length, window and people, and how many options are wanted.

`generate.wording.phrasing` fills the fields in braces and capitalises the first letter.
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
        "Please plan {duration} for it.",
        "It should take {duration}.",
        "We'll need {duration}.",
        "Let's book {duration} for this.",
        "Length of the meeting: {duration}.",
        "Schedule it for {duration}, the agenda fits into that.",
        "I'd like {duration} of everyone's time for this.",
        "The meeting lasts {duration}.",
        "{duration} is the right length for this one.",
    ),
    (
        "Make that {duration} after all.",
        "Scrap the earlier length: {duration} it is.",
        "Correction on the length: the meeting takes {duration}.",
        "The agenda has changed, so we now need {duration} instead.",
        "I got the length wrong before, please book {duration}.",
        "Change of plan: {duration} instead of the length given before.",
        "Let's go for {duration} rather than what we said earlier.",
    ),
)

OPTION_COUNT = Forms(
    (
        "Please come back with {options}.",
        "I'd like {options} to choose from.",
        "Give us {options}, please.",
        "We need {options}, no more and no fewer.",
        "Could we get {options}?",
        "{options} would be perfect.",
        "Send {options} and we'll pick one.",
    ),
    (
        "Make that {options} instead.",
        "Correction: we want {options}.",
        "On second thoughts, please send {options} rather than the number from before.",
        "Forget the number I gave earlier: {options}, please.",
        "Let's change how many you send: {options} now.",
        "Number of options updated: we now need {options}.",
    ),
)

WINDOW = Forms(
    (
        "It should happen {days}, any time {hours}.",
        "The window is {days}; each day {hours}.",
        "Please look {days}, always {hours} local time.",
        "We can meet {days}. On each day it has to start at {opens} or later and be over by {closes}.",
        "Find something {days}, {hours} on the day.",
        "The search window runs {days}, with each day open {hours}.",
        "It has to be {days}. Within a day everything {hours} is fine.",
    ),
    (
        "New window, replacing the old one: {days}, any time {hours}.",
        "Forget the earlier window: it's now {days}, each day {hours}.",
        "The dates have changed: please look {days} instead, always {hours} local time.",
        "Correction of the window: {days}, {hours} on the day.",
        "Scrap the dates from before. We can meet {days}; each day {hours}.",
        "We had to move the whole window: it runs {days} now, each day open {hours}.",
    ),
)

WINDOW_WITHOUT_HOURS = Forms(
    (
        "It should happen {days}, any time of the day.",
        "The window is {days}, around the clock.",
        "Please look {days}; the time of day doesn't matter.",
        "We can meet {days}, at whatever hour.",
        "Find something {days}, any hour is fine.",
        "The search window runs {days}, without limits on the time of day.",
    ),
    (
        "New window, replacing the old one: {days}, any time of the day.",
        "Forget the earlier window: it's now {days}, around the clock.",
        "The dates have changed: please look {days} instead; the time of day doesn't matter.",
        "Correction of the window: {days}, at whatever hour.",
        "Scrap the dates from before. We can meet {days}, any hour is fine.",
        "We had to move the whole window: it runs {days} now, without limits on the time of day.",
    ),
)

PARTICIPANTS = Forms(
    (
        "It's for {people}.",
        "Who has to be there: {people}.",
        "Participants are {people}.",
        "We need {people} in this meeting.",
        "The people taking part: {people}, nobody else.",
        "Please get {people} together for this.",
        "Attendees: {people}.",
        "This one concerns {people}, and all of them have to attend.",
    ),
    (
        "New list of participants, replacing the earlier one: {people}.",
        "Scrap the earlier list: it's for {people} and nobody else.",
        "Correction of who attends: {people}, that's the full list.",
        "The line-up has changed completely, participants are now {people}.",
        "Forget who I named before; the people taking part are {people}.",
        "Updated attendee list, the old one no longer counts: {people}.",
    ),
)

ADD_PARTICIPANT = Forms(
    (
        "Please add {person} to the participants.",
        "{person} has to be there as well.",
        "{person} will take part too, so please check that calendar as well.",
        "One more participant: {person}.",
        "We also need {person} in the meeting.",
        "Can you include {person}? We can't do it otherwise.",
        "I forgot somebody: {person} must attend too.",
        "{person} joins us for this one.",
    ),
    (
        "After all we do need {person} in the meeting, please add that name.",
        "Change of plan: {person} takes part too.",
        "The line-up grows: add {person}, please.",
        "Correction: {person} has to attend as well.",
        "New participant: {person}.",
        "Please put {person} on the list after all.",
    ),
)

REMOVE_PARTICIPANT = Forms(
    (
        "{person} no longer needs to attend.",
        "Please take {person} off the list of participants.",
        "We can do this without {person}, so leave that calendar out.",
        "{person} is out of this one.",
        "You can drop {person} from the meeting.",
        "No need to wait for {person}, who won't take part any more.",
        "{person} has handed this over and won't attend.",
    ),
    (
        "After all we don't need {person}: please remove that name.",
        "Change of plan: {person} doesn't take part.",
        "The line-up shrinks: leave out {person}, please.",
        "Correction: {person} does not have to attend.",
        "One participant fewer: {person} drops out.",
        "Please strike {person} from the list after all.",
    ),
)

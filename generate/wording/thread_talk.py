"""What people write in threads about a meeting besides statements: openers, questions, answers, asides.

None of these texts states anything about the thread's meeting.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

KICKOFFS: Final = (
    "Kicking off the {meeting}.",
    "Kicking off {meeting} here.",
    "New thread for the {meeting}.",
    "We need to set up the {meeting}.",
    "Let's get the {meeting} going.",
    "I'm collecting everything for the {meeting} in this thread.",
    "Opening this thread to plan the {meeting}.",
    "Time to schedule the {meeting}.",
    "Hi all, this is about the {meeting}.",
    "Let's plan the {meeting}.",
)

UPDATES: Final = (
    "Update on the {meeting}:",
    "News about the {meeting}.",
    "About the {meeting} again:",
    "Follow-up on the {meeting}, since the first thread is hard to find by now.",
    "The {meeting} once more, with an amendment.",
    "Amendment to the {meeting}:",
    "Something has changed for the {meeting}.",
    "This concerns the {meeting}, planned a while ago.",
    "Quick note on the {meeting}:",
)

BACKGROUNDS: Final = (
    "The steering group asked for it.",
    "We promised this to the sponsors last quarter.",
    "It was overdue anyway.",
    "Same idea as last year, hopefully with a better agenda.",
    "Context is in the project folder.",
    "I'd rather talk once than write forty mails.",
    "There is a draft agenda, comments are welcome.",
    "Some of you asked for it in the hallway.",
    "I'll pull the details together below.",
    "Details follow as I get them.",
    "The assistant will do the scheduling, we only have to say what we need.",
    "Whoever knows something that matters, please add it here.",
)

RETURNS: Final = (
    "Back to the {meeting}.",
    "Now for the {meeting} again.",
    "Anyway, the {meeting}:",
    "So, on the {meeting}:",
    "As for the {meeting}:",
    "Returning to the {meeting}.",
)
"""Precede a statement that follows talk of something else."""

LEAD_INS: Final = (
    "First things first.",
    "Here's what I know.",
    "A detail for the planning:",
    "For the planning:",
    "OK, so:",
    "Some facts.",
    "Noted down from the call:",
    "Just so that it's written somewhere:",
    "Let me add this:",
    "One point from my side.",
)

CLOSINGS: Final = (
    "Thanks!",
    "Shout if that's a problem.",
    "Cheers.",
    "That's it from me for now.",
    "Hope that's clear.",
    "Sorry for the noise.",
    "Thank you all.",
    "More when I know it.",
)

ACKNOWLEDGEMENTS: Final = (
    "OK.",
    "Got it, thanks.",
    "Works for me.",
    "Noted.",
    "👍",
    "Perfect, thank you.",
    "Fine with me.",
    "Makes sense.",
    "Understood.",
    "Thanks for the heads-up.",
    "Great, looking forward to it.",
    "Good to know.",
    "Alright!",
    "Thanks for taking care of this.",
    "Sure.",
    "No objections here.",
    "Sounds good.",
    "+1",
)

EXCHANGES: Final = (
    ("Who takes the minutes?", "I can, if nobody else wants to."),
    ("Is there an agenda already?", "The draft has 7 items so far, I'll shorten it."),
    ("Should I bring the slides from last time?", "Please do, slide 12 was the interesting one."),
    ("Can somebody share the link to the folder?", "It's pinned in the channel."),
    ("I still owe you the figures for chapter 3.", "No hurry, next week is early enough."),
    ("Do we expect a decision or only a discussion?", "A decision, I hope."),
    ("Somebody should tell the sponsors afterwards.", "I'll write to them once we have a date."),
    ("Can we please keep the discussion shorter than last year? :)", "I'll bring an hourglass."),
    ("I'd love to see the customer feedback on the agenda.", "Good idea, I'll put it under item 4."),
    ("Are the notes from last year still around?", "Yes, in the archive folder, page 5 and following."),
    ("Will there be cookies?", "There are always cookies."),
    ("Do you need anything from my team for this?", "Not yet, but thanks for asking."),
    ("Let's not reopen the naming debate, please.", "Agreed, the name stays."),
    ("I'll prepare a one-pager.", "One page, not five like last time?"),
    ("Shall I draft the decision paper?", "Yes please, half a page is plenty."),
    ("Which figures do you want to see?", "The usual 3, plus the complaints."),
    ("Is this about the old contract or the new one?", "The new one, signed in 2025."),
    ("I've read the draft, section 2 needs work.", "Comments welcome, I'm on it."),
    ("Are we ready for this at all?", "As ready as we'll ever be."),
    ("Please everyone read the summary beforehand.", "Will do, all 9 pages of it."),
)
"""Remarks and answers about the meeting, but not about when, where, how long or with whom."""

MARKERS: Final = (
    "Unrelated:",
    "Off topic:",
    "Completely different subject:",
    "Not about this meeting, but:",
    "Something else entirely:",
    "Different matter:",
)

UNRELATED: Final = (
    "the coffee machine on floor {number} is being descaled until {time}.",
    "has anyone seen my blue umbrella? I left it in the lobby around {time}.",
    "the deploy took {minutes} minutes today, somebody should look at the cache.",
    "the canteen closes at {time} on {weekday}, bring your own lunch.",
    "my train was {minutes} minutes late again.",
    "the release freeze starts on {weekday} at {time}.",
    "whoever parked in bay {number}, your lights are on.",
    "the gym class moved to {weekday} {time}, {number} places left.",
    "the help desk is down to {number} people this week, so be patient with tickets.",
    "I'm giving away {number} tickets for the match on {weekday}.",
    "the lift is out of order until {time}.",
    "the vending machine took my money, {number} times in a row.",
    "somebody left a cake in the kitchen, it will be gone by {time}.",
    "the window cleaners come on {weekday} from {time}, please clear the sills.",
    "the build has been red for {minutes} minutes, is anyone on it?",
    "the blood donation bus is in the yard on {weekday} until {time}.",
)

MENTIONS: Final = (
    "did anyone take notes at the last {other}?",
    "the notes from the {other} are in the folder now.",
    "who is preparing the slides for the {other}?",
    "the {other} has a thread of its own, please don't mix the two.",
    "thanks to everyone who helped with the {other}.",
    "I keep confusing this with the {other}.",
    "are the action items of the {other} done?",
)
"""Mentions of other meetings that do not say when, where, how long or with whom."""

ASIDES: Final = (
    "Unrelated, for the {other}:",
    "Different meeting, the {other}:",
    "Not this one, but the {other}:",
    "While you are all here, about the {other} only:",
    "On another meeting, namely the {other}:",
    "This is for the {other}, not for this thread's meeting:",
)
"""Precede a statement about another meeting."""

QUESTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "duration": ("How long will it take?", "How much time do we need?", "What length should be booked?"),
        "option_count": ("How many options do you want?", "How many proposals should there be?"),
        "window": ("When roughly?", "Which days are we talking about?", "What's the time frame?"),
        "participants": ("Who is it for?", "Who has to be there?", "Who takes part?"),
        "add_participant": ("Is the list of people complete?", "Did we forget anybody?"),
        "remove_participant": ("Does really everyone have to come?", "Is everybody on the list needed?"),
        "guests": ("Anyone from outside?", "Will there be visitors?"),
        "call_policy": ("Any rules to observe?", "Does one of the policies apply?", "Which policy counts for this?"),
        "deadline": ("Is there a deadline?", "By when must we be done?"),
        "not_before": ("From when on can we start?", "Is there an earliest time?"),
        "ban_window": ("Any times to avoid?", "Is anything blocked?"),
        "required_window": ("When could it be at all?", "Are we tied to certain hours?"),
        "after_event": ("Does it depend on anything?", "Is there something that has to happen first?"),
        "ranking": ("Early or late, what do you prefer?", "In which order do you want them?"),
        "tie_break": ("And if there are several rooms?", "Which room if there's a choice?"),
        "equipment": ("What do we need in the room?", "Any equipment?"),
        "site": ("Which site?", "Where do we meet?"),
    }
)
"""Questions that somebody else asks before a statement, by its kind."""

"""What people write in threads about a meeting besides statements: openers, references, questions, answers, asides.

None of these texts states anything about the thread's meeting. `{meeting}` is how a meeting is referred to, with its
article. Whatever could tell who attends is said by participants alone, who are the speakers of a thread.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GREETINGS: Final = ("", "", "", "Hi all, ", "Hello, ", "Morning, ", "OK, ", "Folks, ", "Right, ", "So, ", "Hey, ")

KICKOFFS: Final = (
    "{greeting}kicking off {meeting}.",
    "{greeting}new thread for {meeting}.",
    "{greeting}we need to set up {meeting}.",
    "{greeting}let's get {meeting} going.",
    "{greeting}I'm collecting everything for {meeting} in this thread.",
    "{greeting}opening this thread to plan {meeting}.",
    "{greeting}time to schedule {meeting}.",
    "{greeting}this is about {meeting}.",
    "{greeting}let's plan {meeting}.",
    "{greeting}here is what I have on {meeting} so far.",
    "{greeting}{meeting} is up next.",
    "{greeting}I'm organising {meeting}.",
    "{greeting}we agreed to have {meeting}, so let's find a date.",
    "{greeting}I have been asked to arrange {meeting}.",
)

UPDATES: Final = (
    "{greeting}update on {meeting}:",
    "{greeting}news about {meeting}.",
    "{greeting}about {meeting} again:",
    "{greeting}a follow-up on {meeting}, since the first thread is hard to find by now.",
    "{greeting}{meeting} once more.",
    "{greeting}one addition concerning {meeting}:",
    "{greeting}something new for {meeting}.",
    "{greeting}this concerns {meeting}.",
    "{greeting}quick note on {meeting}:",
    "{greeting}regarding {meeting}:",
    "{greeting}one thing is missing so far for {meeting}.",
    "{greeting}after a call this morning, on {meeting}:",
    "{greeting}for whoever schedules {meeting}:",
    "{greeting}I still owe you something on {meeting}.",
)

PROJECT_REFERENCES: Final = (
    "the {project} {subject} one",
    "the {project} {subject} meeting",
    "our {project} meeting on {subject}",
    "the {subject} meeting for {project}",
    "the {project} meeting about {subject}",
    "our {subject} meeting for {project}",
)
"""Refer to a meeting by its project and subject, which no other meeting shares."""

PEOPLE_REFERENCES: Final = (
    "the {subject} {kind} of {people} {when}",
    "the {subject} {kind} with {people} {when}",
    "the {kind} on {subject} that {people} have {when}",
    "the {kind} about {subject} with {people} {when}",
    "the {kind} on {subject} of {people} {when}",
)
"""Refer to a meeting by some of its people and the beginning of its window."""

WEEKS: Final = ("in the week of {day}", "in the week that begins on {day}")
WINDOWS: Final = ("in the days from {day} on", "in the window that opens on {day}", "in the window from {day} on")

CHANNEL_REFERENCES: Final = (
    "the {kind} that I announced {place} on {day}",
    "the {kind} for which I opened a thread {place} on {day}",
    "the {kind} that I brought up {place} on {day}",
    "the {kind} that I kicked off {place} on {day}",
)
"""Refer to a meeting by the channel and the day in which the same author announced it."""

QUOTES: Final = (
    "{author}, {day}, {time}:",
    "{author} wrote on {day} at {time}:",
    "On {day} at {time} {author} wrote:",
    "{author} on {day}, {time}:",
)
"""Introduce a quoted line of the kick-off."""

QUOTED: Final = (
    "Following up on the quoted line:",
    "On this:",
    "In reply to that:",
    "Picking this up again.",
    "About the meeting quoted above:",
    "Same meeting, one more point:",
    "A word on what I quoted:",
    "To this I have to add something.",
)
"""Follow a quoted line."""

NOTICES: Final = (
    "Changes, if any, go into {place} as threads of their own.",
    "If something changes, I'll say so {at} without repeating everything.",
    "Later changes are posted {at}.",
    "Watch {place} for changes.",
    "Whatever comes up later will be posted {at}.",
)
"""The organiser says at the kick-off in which channel changes will be posted."""

OLD_EDITION: Final = (
    "The one of {month} is over, and what was said about it no longer counts.",
    "This is the new edition; the one of {month} is done and its threads are history.",
    "Please don't mix it up with the one that we had in {month}, which is over.",
    "It is another one than that of {month}, which took place and is closed.",
)
"""The kick-off of a meeting tells it from an earlier meeting of the same name."""

ON_BEHALF: Final = (
    "Posting this for {organiser}:",
    "{organiser} asked me to post this:",
    "On behalf of {organiser}:",
    "Adding this because {organiser} asked me to:",
    "{organiser} wants this added, so I do:",
)
"""Give somebody who neither organises the meeting nor takes part in it the standing to speak."""

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
    "The paper that it is about is almost finished.",
    "After the last reorganisation it's nobody's job, so I took it.",
    "The customer keeps asking for results.",
    "There have been too many loose ends lately.",
    "I'd like this settled before the quarter closes.",
    "The last attempt got lost in somebody's inbox.",
    "Nothing dramatic, but we should talk.",
    "It came up in the portfolio board.",
    "The auditors want to see that we discussed it.",
)

AFTERTHOUGHTS: Final = (
    "It came up only now.",
    "Better late than never.",
    "It slipped my mind in the first round.",
    "Somebody asked me about it in the kitchen.",
    "I had a note on my desk and found it this minute.",
    "I promised to check, and I did.",
    "My mistake that it wasn't there from the start.",
    "That was still open.",
    "I heard it in the call just now.",
    "We talked about it on the way to lunch.",
    "It was in a mail that I had overlooked.",
    "Writing it down before it gets lost again.",
)
"""What a follow-up may add to its opening, as `BACKGROUNDS` do at a kick-off."""

RETURNS: Final = (
    "Back to {meeting}.",
    "Now for {meeting} again.",
    "Anyway, {meeting}:",
    "So, on {meeting}:",
    "As for {meeting}:",
    "Returning to {meeting}.",
    "But on {meeting}:",
    "To come back to {meeting}:",
)
"""Precede a statement that follows talk of something else."""

TURNS: Final = (
    "Different meeting, {meeting}:",
    "On another meeting, namely {meeting}:",
    "Now to another meeting, {meeting}:",
    "Not this one, but {meeting}:",
    "While you are all here, about {meeting} only:",
    "Change of subject, {meeting}:",
)
"""Turn to another meeting, of which the thread then goes on to speak."""

LEAD_INS: Final = (
    "Here's what I know.",
    "A detail for the planning:",
    "For the planning:",
    "OK, so:",
    "Noted down from the call:",
    "Just so that it's written somewhere:",
    "Let me add this:",
    "One point from my side.",
    "What I have so far:",
    "For the record:",
    "As discussed:",
    "In writing, as promised:",
    "From my notes:",
    "Before I forget:",
)

CLOSINGS: Final = (
    "Thanks!",
    "Shout if that's a problem.",
    "Cheers.",
    "That's it from me for now.",
    "Hope that's clear.",
    "Thank you all.",
    "More when I know it.",
    "Tell me if I got that wrong.",
    "Many thanks.",
    "That's all.",
    "Questions welcome.",
    "Please keep that in mind.",
)

ACKNOWLEDGEMENTS: Final = (
    "OK", "Got it", "Works for me", "Noted", "Perfect", "Fine with me", "Makes sense", "Understood", "Good to know",
    "Alright", "Sure", "No objections here", "Sounds good", "Clear", "Agreed", "Very well", "Fair enough", "Right",
    "Check", "All good", "Seen", "I see", "Great", "Good",
)  # fmt: skip

ACKNOWLEDGEMENT_ENDINGS: Final = (
    ".", ".", "!", ", thanks.", ", thank you.", ", thanks for the heads-up.", ", thanks for taking care of this.",
    ", cheers.", " :)", " 👍", ", and thanks for writing it down.", ", much appreciated.",
)  # fmt: skip

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
    ("Who keeps the list of open points?", "It's in the folder, I update it on the fly."),
    ("The numbers in the appendix look odd to me.", "Typo in column 4, already fixed."),
    ("Do the sponsors know about this?", "They were the first to know."),
    ("Can we reuse the template of the last round?", "Yes, only the cover changes."),
    ("I moved the drafts to the new folder.", "Found them, all 6 of them."),
    ("Is the risk list part of this?", "Only the top 3."),
    ("I'd skip the introduction this time.", "Nobody will miss it."),
    ("Who talks to the press people?", "Nobody, until there is something to say."),
    ("Has the translation of the paper arrived?", "Half of it, the rest is on its way."),
    ("Let's write down the decisions this time.", "There is a page for that now."),
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
    "the fire drill took {minutes} minutes, a new record.",
    "the plants on floor {number} want water.",
    "the parcel desk closes at {time} on {weekday}.",
    "I found a charger in room {number} of the old wing.",
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

HEARSAY_SOURCES: Final = (
    "From hearsay only:",
    "I know this from hearsay:",
    "Hearsay from the canteen:",
    "A rumour from the lift:",
    "Rumour has it,",
    "Nothing official, but",
)
HEARSAY_CLAIMS: Final = (
    "the {name} takes {duration}.",
    "they say {duration} are set aside for the {name}.",
    "the last edition of the {name} had {duration}.",
    "somebody mentioned {policy} together with the {name}.",
    "people think that the {name} can't be on a {weekday}.",
    "a year ago {policy} counted for the {name}.",
    "the {name} was always over by {time}.",
)
HEARSAY_LIMITS: Final = (
    "Don't go by that, ask {organiser}.",
    "I have no say in it, {organiser} has.",
    "Only what {organiser} and the participants say counts, of course.",
    "I'm not involved, so don't take it from me.",
    "That binds nobody, I only pass it on.",
)
"""Somebody without a say in a meeting passes on what is no condition, and says so."""

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

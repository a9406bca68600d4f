"""What people write in threads about a meeting besides statements: openers, references, questions, answers, asides.

None of these texts states anything about the thread's meeting. `{meeting}` is how a meeting is referred to, with its
article; brackets hold choices (see `generate.wording.choices`). An opening that ends with a colon leads to a statement.
Whatever could tell who attends is said by participants alone, who are the speakers of a thread.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GREETINGS: Final = (*11 * ("",), "Hi all, ", "Hello everyone, ", "Hello, ", "Hi, ", "Hey all, ", "Folks, ")

KICKOFFS: Final = (
    "[I'm starting a thread on|starting a thread on] {meeting}[ here|].",
    "[new thread|a thread] for {meeting}.",
    "we need to [set up|schedule|arrange] {meeting}.",
    "let's [get {meeting} going|find a date for {meeting}|get {meeting} into the calendars].",
    "[I'm collecting|let's collect] [the details of|everything about] {meeting} here.",
    "[time|it's time] to schedule {meeting}.",
    "[can we|could we] [find a date for|get a date for|schedule] {meeting}?",
    "[I need|we need|I'm after|we're looking for] a [slot|date] for {meeting}.",
    "[here's|this is] what I have on {meeting} so far.",
    "[next up|next on my list]: {meeting}.",
    "I'm [organising|setting up|looking after] {meeting}[ for us|].",
    "as agreed, [I'm setting up|we'll hold] {meeting}.",
    "[it's my job|it falls to me] to [arrange|set up|find a date for] {meeting}.",
    "{meeting} [still has no date|is due|is coming up|needs a date].",
    "[looks like|seems] it's my turn to [organise|plan] {meeting}.",
    "[trying|I'm trying] to get {meeting} scheduled.",
    "the [details|basics] for {meeting}:",
    "[what we have|what we know] so far on {meeting}:",
    "[planning|starting to plan] {meeting}.",
    "[some|a few] details for {meeting}[, so that we can book it|].",
)

UPDATES: Final = (
    "update on {meeting}:",
    "about {meeting}:",
    "[on|for] {meeting}:",
    "[quick|short] [note|message] on {meeting}:",
    "regarding {meeting}:",
    "[something|one thing] about {meeting}:",
    "this [came up|has come up] for {meeting}:",
    "re {meeting}:",
    "[a note|note] on {meeting}:",
    "this is about {meeting}.",
    "[heads-up|a heads-up] on {meeting}:",
)

MORE: Final = (
    *UPDATES,
    "one [more thing|more point|more detail] [for|on] {meeting}:",
    "[I should have mentioned this|this was missing] for {meeting}:",
    "[I still owe you|here's] a detail [about|on] {meeting}:",
    "[sorry, |]I forgot one thing for {meeting}:",
)
"""Open a follow-up that adds something and changes nothing."""

CHANGES: Final = (
    *UPDATES,
    "[a change|a small change|one change] [for|to] {meeting}:",
    "[something|one thing] has changed for {meeting}:",
    "[a correction|one correction] for {meeting}:",
)
"""Open a follow-up that changes something."""

PROJECT_REFERENCES: Final = (
    "the {project} {subject} session",
    "the {project} {subject} meeting",
    "our {project} {subject} meeting",
    "the {subject} meeting for {project}",
    "our {subject} meeting for {project}",
)
"""Refer to a meeting by its project and subject, which no other meeting shares."""

PEOPLE_REFERENCES: Final = (
    "the {month} {subject} {kind} that {they} are part of",
    "the {subject} {kind} planned for {months} that {they} are in",
    "the {subject} {kind} that includes {them}, planned for {months}",
    "the {subject} {kind} that {they} have in {months}",
)
"""Refer to a meeting by two of its people, of whom the speaker may be one, and the months of its window."""

CHANNEL_REFERENCES: Final = (
    "the {kind} I announced {place} on {day}",
    "the {kind} I opened a thread for {place} on {day}",
    "the {kind} I brought up {place} on {day}",
    "the {kind} I wrote about {place} on {day}",
    "the {kind} that I mentioned {place} on {day}",
)
"""Refer to a meeting by the channel and the day in which the same author announced it."""

QUOTES: Final = (
    "{author}, {day}, {time}:",
    "{author} wrote on {day} at {time}:",
    "On {day} at {time} {author} wrote:",
    "{author} on {day}, {time}:",
    "From {author}, {day}, {time}:",
)
"""Introduce a quoted line of the kick-off."""

QUOTED: Final = (
    "[About|On] this [one|meeting]:",
    "[Coming back to this|Picking this up again].",
    "[Same meeting|Also for this meeting|Also for this one][, different point|]:",
)
"""Follow a quoted line."""

QUOTED_MORE: Final = (
    *QUOTED,
    "[To add to that|One more thing for this one|Another point on this]:",
    "[Something to add here|There's more to this one].",
    "[Something is missing here|There's a point missing here].",
)
"""Follow a quoted line in a follow-up that adds something and changes nothing."""

QUOTED_CHANGES: Final = (
    *QUOTED,
    "[There's a change|There's been a change] to this meeting.",
    "[Something has changed here|One thing has changed since].",
)
"""Follow a quoted line in a follow-up that changes something."""

NOTICES: Final = (
    "If anything changes, [I'll post it in {place}|you'll hear it from me in {place}].",
    "I'll [let you know in {place}|say so in {place}] if anything changes.",
    "[Should anything change|In case of changes], I'll start a new thread in {place}.",
    "Keep an eye on {place}, [I'll post any changes there|that's where I'll post changes].",
    "[Any updates from me will be|I'll post any updates] in {place}.",
    "[Additions and changes|Corrections], if any, will come from me in {place}.",
)
"""The organiser says at the kick-off in which channel they will post changes, if any."""

OLD_EDITION: Final = (
    "[not the one in {month}, that's over|not {month}'s, that one's done]",
    "a new one, [the {month} one is|{month}'s is] [over|done]",
    "not to be confused with the one in {month}, which is [over|done]",
    "the next one, [the {month} one is over|{month}'s is over] and its threads no longer count",
    "another one, since [{month}'s|the one in {month}] is [over|done]",
    "[yes, another one|a fresh start], {month}'s is [done|over]",
    "[the follow-up to|the one after] {month}'s, which is [over|done]",
)
"""The kick-off of a meeting, in parentheses after its name, tells it from an earlier meeting of the same name."""

ON_BEHALF: Final = (
    "[Posting this|Writing this] for {organiser}:",
    "{organiser} asked me to [post|write|add] this:",
    "On behalf of {organiser}:",
    "{organiser} asked if I could [post|add] this:",
    "I'm writing for {organiser} here:",
    "I'm posting this on behalf of {organiser}.",
)
"""Give somebody who neither organises the meeting nor takes part in it the standing to speak."""

BACKGROUNDS: Final = (
    "The steering group asked for it.",
    "We promised this to the sponsors last quarter.",
    "The whole thing is overdue[ anyway|, I know|].",
    "Context is in the project folder.",
    "I'd rather talk once than write forty emails.",
    "[There's a draft agenda, comments welcome.|The draft agenda is in the folder.]",
    "[Some|A few] of you asked for it.",
    "After the last reorganisation it was nobody's job, so I took it.",
    "The customer keeps asking for results.",
    "There have been too many loose ends lately.",
    "I'd like to get this off my list at long last.",
    "The last attempt got lost in somebody's inbox.",
    "We haven't talked about it for a while.",
    "It came up in the portfolio board.",
    "The auditors want to see that we discussed it.",
    "We keep going round in circles on {subject} by email.",
    "There are lots of open {subject} questions, as you know.",
    "The {subject} figures are finally in.",
    "Management wants to know where we are with the {subject} work.",
    "Nobody has had {subject} on their agenda for far too long.",
)

AFTERTHOUGHTS: Final = (
    "[That only came up yesterday.|That came up yesterday.]",
    "It was in [an email|a note] that I'd overlooked.",
    "[Just got off a call about it.|I only noticed just now.]",
    "[I only found out today|I only heard today], sorry.",
)
"""What a follow-up may add to its opening, as `BACKGROUNDS` do at a kick-off."""

FORGOTTEN: Final = (
    *AFTERTHOUGHTS,
    "Better late than never.",
    "[It slipped my mind|I forgot about it] earlier, sorry.",
    "[My mistake|My fault], I should have said so earlier.",
)
"""The same after what adds something and changes nothing."""

REVISED: Final = (
    *AFTERTHOUGHTS,
    "[Sorry for the change.|Sorry about the change.|Apologies for the change.]",
    "[Hope that's OK for everyone.|I hope that works for everyone.]",
)
"""The same after what changes something."""

TURNS: Final = (
    "[And|Also] something on a separate meeting, {meeting}:",
    "While I'm at it, [something|one thing] for {meeting}:",
    "[Different|Another] meeting, {meeting}:",
    "[And now|Now] {meeting}, since [you're all here|we're all here]:",
    "[Separately|On a different note], for {meeting}:",
)
"""Turn to another meeting, about which the message speaks."""

CLOSINGS: Final = ("Thanks!", "[Shout|Tell me] if that's a problem.", "Thanks, everyone.")

ACKNOWLEDGEMENTS: Final = (
    "[OK|Okay|Ok|Sure|Alright][.|, thanks.|, thank you.]",
    "[Works for me|Fine by me|Fine with me][.|!|, thanks.]",
    "[Thanks|Thank you|Cheers|Thx], {first}[.|!]",
    "[Noted|Got it|Understood][.|, thanks.|, {first}.]",
    "👍",
    "👍 thanks",
    "✅",
    "[Perfect|Great|Good][.|, thanks.|!]",
    "[Makes sense|Sounds good|Fair enough|Good to know][.|, {first}.]",
    "[No objections|No complaints|Nothing to add] from me.",
    "[Yep|Yes|Yup|Yeah], [agreed|that works|fine].",
    "[I've read it|Read it], [fine|all good|no objections].",
)
"""`{first}` is the first name of whoever is answered."""

WELCOMES: Final = (
    "[About time|Finally] :)",
    "[Good that we're doing this|Glad that this is happening].",
    "[Thanks for organising|Thanks for taking this on|Thanks for sorting this out][.|, {first}.|!]",
    "[Looking forward to it|Should be interesting].",
)
"""Answers to a kick-off, besides those to anything."""

ASKED: Final = (
    ("[Are we recording this|Will this be recorded]?", "[No, just notes|Only if nobody minds]."),
    ("[Do we have to present anything|Do you want slides from us]?", "[Two slides are enough|No slides, please]."),
    ("Who [writes|sends] the summary afterwards?", "[I will|I'll do it]."),
    ("[Has the vendor replied|Any news from the vendor]?", "[Not yet|Yes, finally], I'll [chase them|forward it]."),
    ("Which version of the plan are we talking about?", "[The latest in the folder|Version three]."),
    (
        "[How far did we get|Where did we stop] in the document last time?",
        "[Chapter two|About halfway]. [Notes are in the folder|I'll send the notes].",
    ),
    (
        "[Is there any money for the {subject} work|Do we have any money for {subject}]?",
        "[Some|A bit]. That's [on the agenda|item one].",
    ),
    (
        "Has the {subject} plan been discussed with legal?",
        "[Last week|They've seen the draft], [no red flags|only small remarks].",
    ),
    ("[Who takes the minutes?|Who's taking notes?]", "[We'll take turns|I'll find somebody], as [always|usual]."),
    (
        "[Is there an agenda|Do we have an agenda] [already|yet]?",
        "[Draft is in the folder|Only a rough one], [I'll tidy it up|I'll send it round].",
    ),
    ("Should I bring [the slides|the printouts] from last time?", "[Please do|If you still have them, yes]."),
    ("[Can somebody share|Where do I find] the link to the folder?", "[It's pinned in the channel|Sent you the link]."),
    ("Do we expect a decision or [only|just] a discussion?", "A decision, [I hope|if we get that far]."),
    (
        "[Do you need anything from my team|Anything my team should prepare]?",
        "[Not yet, but thanks for asking|I'll get back to you on that].",
    ),
    (
        "Shall I draft [the decision paper|something to read beforehand]?",
        "[Yes please|That would help], half a page is plenty.",
    ),
    ("Which figures do you want to see?", "[The usual ones|Same as last quarter], plus the complaints."),
    (
        "[Do the sponsors know|Does the customer know] about this?",
        "[They were the first to know|Yes, they asked for it].",
    ),
    ("[Can we|Could we] reuse [the template from last time|the old template]?", "Yes, only the cover changes."),
    ("Is the risk list part of this?", "[Only the top items|Yes, but only the red ones]."),
    ("[Has the translation arrived|Is the translation done]?", "Half of it, the rest is on its way."),
    (
        "[What should we read|Is there anything to read] beforehand?",
        "The summary. [Skip the appendix|The rest is optional].",
    ),
    ("Is this a repeat of the last one or something new?", "New. The last one [left too much open|went nowhere]."),
    (
        "[Is the {subject} draft final|Is that the final {subject} draft]?",
        "[Almost|Nearly], [one chapter is missing|legal is still reading it].",
    ),
    (
        "[Who owns|Who's on] the {subject} topic these days?",
        "[Still me|Officially nobody], [sadly|that's part of the problem].",
    ),
    ("Is this only about the {subject} part, or the whole plan?", "[Only|Just] that, the rest can wait."),
    (
        "[Will we get|Can we see|Do we get] the {subject} numbers [beforehand|before the meeting|first]?",
        "[You'll have them|I'll upload them|They'll be in the folder] [as soon as|once] they're [checked|clean|final].",
    ),
    (
        "[Is the {subject} topic really that urgent|Why the rush with the {subject} topic]?",
        "[Ask the board :)|It is now.|Budget season, sorry.]",
    ),
    ("[Can I add|May I add] a topic to the agenda?", "[Sure, put it in the doc|Of course, it's open for editing]."),
)
"""A participant asks the organiser something, but not when, where, how long or with whom."""

REMARKED: Final = (
    (
        "[My screen sharing is broken|I can't share my screen], somebody else has to show the slides.",
        "[I can do that|Send them over].",
    ),
    ("The old folder is [empty|gone] now, just so you know.", "[I was wondering|Good, it was a mess]."),
    ("[I've uploaded|I uploaded] the comments from the workshop.", "[Saw them, thanks|That was quick]."),
    ("The glossary needs an update.", "[It always does|I'll have a look]."),
    (
        "[The customer sent another list of questions|Another list of questions from the customer].",
        "[Forward it to me, please.|How long is it this time?]",
    ),
    (
        "I'm [updating|redoing] the {subject} chart [at the moment|right now].",
        "[Great, the old one was confusing.|Can you add last year's figures?]",
    ),
    (
        "Nobody told me that the {subject} side was so complicated.",
        "[Welcome to the club|It wasn't, until we touched it].",
    ),
    (
        "[I still owe you|You'll get] the figures for the last chapter.",
        "[No hurry|No stress], [I have enough to read|it's only background].",
    ),
    (
        "Can we please keep the discussion calmer than last [year|time]? :)",
        "I'll bring [an hourglass|a gong].",
    ),
    (
        "I'd love to see the customer feedback on the agenda.",
        "[Good idea|Yes, good point], [it's on the list|I'll add it].",
    ),
    ("Let's not reopen the naming debate, please.", "[Agreed, the name stays|No chance, I promise]."),
    ("I'll prepare a one-pager.", "One page, [not five like last time?|really? :)]"),
    (
        "[I've read the draft, the middle part needs work|The draft reads well, apart from the middle part].",
        "[Comments welcome|Yes, known problem], I'm on it.",
    ),
    ("The numbers in the appendix look [odd|strange] to me.", "[Typo in the last column|Wrong column], already fixed."),
    ("I moved the drafts to the new folder.", "[Found them, thanks|Ah, that's why my links broke]."),
    ("I'd skip the introductions this time.", "[Nobody will miss them|Yes please]."),
    ("Let's write down the decisions this time.", "[There's a page for that now.|Good luck :)]"),
    ("[Coffee's on me|I'm bringing biscuits].", "[Deal.|Now you're talking.|❤️]"),
    ("I have [a few|some] {subject} questions from the team.", "[Put them in the doc|Bring them along], please."),
    ("The last {subject} report was [rather thin|hard to read].", "[This one's better.|I know, I wrote it :)]"),
    (
        "[Everybody has an opinion on the {subject} plan these days.|The {subject} topic again...]",
        "[True|Sigh], but somebody has to decide.",
    ),
    ("I've put my {subject} notes into the folder.", "[Very helpful, thanks|Thanks, will read]."),
    ("My team is [waiting for this|a bit nervous about the {subject} plan].", "[So is mine|You're not alone]."),
)
"""Somebody remarks on something, and somebody else answers."""

MENTIONS: Final = (
    "By the way, did anyone take notes at the last {other}?",
    "The notes from the last {other} are in the folder now, in case somebody is looking for them.",
    "Does anyone know who prepares the slides for the {other}?",
    "Thanks again to everyone who helped with the {other}, by the way.",
    "I keep mixing this up with the {other}, am I the only one?",
    "Are the action items of the last {other} done?",
    "Is anyone here also in the {other}? I have a question about the agenda.",
    "The pinned folder link still goes to the {other}, can somebody fix that?",
)
"""Mentions of other meetings, at the end of a thread, that do not say when, where, how long or with whom."""

HEARSAY_LENGTHS: Final = (
    "By the way, someone told me the {name} is booked for {duration}, but that's second-hand. [Check|Better check] with {organiser}.",
    "Does anybody know if the {name} is still planned for {duration}? I'm not part of it, [{organiser} would know|I'd have to ask {organiser}].",
    "[At lunch somebody|Somebody] mentioned {duration} for the {name}. [May be outdated|Don't quote me on that], {organiser} has the details.",
    "I seem to remember {duration} for the {name}, but [I may be wrong|that may be outdated]. {organiser} is the one to ask.",
)
HEARSAY_POLICIES: Final = (
    "[By the way, someone|Someone] said {policy} matters for the {name}. [No idea whether that's true|I may be wrong there], {organiser} would know.",
    "[Didn't|Wait, didn't] the {name} go by {policy} last year? [That may be outdated|No idea whether that still holds], {organiser} can tell you.",
    "Does {policy} still count for the {name}? [I'm not part of it any more|I'm not part of that one], so ask {organiser} rather than me.",
)
"""Somebody without a say in a meeting passes on or asks what is no condition."""

QUESTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "duration": ("How long will it take?", "How much time do we need?", "What length should be booked?"),
        "option_count": ("How many options do you want?", "How many proposals should there be?"),
        "window": ("When roughly?", "Which days are we talking about?", "What's the time frame?"),
        "participants": ("Who is it for?", "Who has to be there?", "Who's taking part?"),
        "add_participant": ("Is the list of people complete?", "Did we forget anybody?"),
        "remove_participant": ("Does everyone really have to come?", "Is everybody on the list needed?"),
        "guests": ("Anyone from outside?", "Will there be visitors?"),
        "call_policy": ("Any rules to follow?", "Does one of the policies apply?", "Which policy applies to this?"),
        "deadline": ("Is there a deadline?", "When do we have to be done?"),
        "not_before": ("When can we start at the earliest?", "Is there an earliest time?"),
        "ban_window": ("Any times to avoid?", "Is anything blocked?"),
        "required_window": ("Are some of these days better than others?", "Is there a day that it has to be on?"),
        "after_event": ("Does it depend on anything?", "Is there something that has to happen first?"),
        "ranking": ("Early or late, what do you prefer?", "Should it be as soon as possible?"),
        "tie_break": ("And if there are several rooms?", "Which room if there's a choice?"),
        "equipment": ("What do we need in the room?", "Any equipment?"),
        "site": ("Which site?", "Where do we meet?"),
    }
)
"""Questions that somebody else asks before a statement, by its kind."""

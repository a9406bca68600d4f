"""What people say besides: how they name a meeting, agree and decline, and small talk that binds nothing."""

from typing import Final

TOPICS: Final = (
    "[This is about|I'm writing about|A word on|Now for] {meeting}.",
    "[One more thing about|Some news about|A question of detail about] {meeting}.",
    "Let's [talk about|turn to] {meeting}.",
    "[Next topic|Another topic], {meeting}.",
)
"""A sentence that names the meeting of the next one."""

GREETED_TOPICS: Final = (*TOPICS, "[Hello everybody|Good morning|Hi all], this is about {meeting}.")
"""The same, at the beginning of a message."""

FIRST_TOPICS: Final = (
    "[We still need|We have to find|It's time to find] a time for {meeting}.",
    "Let's [talk about|sort out] {meeting}.",
    "[Hello everybody|Good morning|Hi all], this is about {meeting}.",
    "[This is about|I'm writing about] {meeting}.",
)
"""The same, at the beginning of a thread."""

LEADS: Final = ("{meeting}: ", "[about|on|regarding] {meeting}: ", "as for {meeting}: ")
"""The beginning of a sentence about a meeting."""

AGREED: Final = (
    "agreed, {person}",
    "agreed, {person}, let's do that",
    "yes, {person}, let's do it that way",
    "fine, {person}, that's settled then",
    "OK, {person}, we'll do as you propose",
    "good point, {person}, consider it decided",
)
"""To somebody who has written one earlier message in the thread, which is meant."""

AGREED_AT: Final = (
    "agreed to what {person} wrote {moment}",
    "let's do what {person} proposed {moment}",
    "yes to what {person} wrote {moment}",
    "what {person} proposed {moment} is fine, we'll do it that way",
)
"""To one of several messages of somebody, by its time."""

AGREED_QUOTE: Final = (
    "agreed",
    "agreed, let's do that",
    "yes, let's do it that way",
    "fine, that's settled then",
    "OK, we'll do as you propose",
)
"""To a message that is quoted."""

BACKED: Final = (
    "good idea, {person}",
    "I like that, {person}",
    "{person}, I'd be happy with that",
    "that would suit me, {person}",
)
"""By somebody who may not decide: in favour of a message, as `AGREED`."""

BACKED_AT: Final = (
    "I like what {person} wrote {moment}",
    "I'd be happy with what {person} proposed {moment}",
    "what {person} wrote {moment} would suit me",
    "a good idea of {person}, the one sent {moment}",
)
BACKED_QUOTE: Final = ("good idea", "I like that", "I'd be happy with that", "that would suit me")

DECLINED: Final = (
    "sorry, {person}, that won't work",
    "no, {person}, let's leave it as it is",
    "I'd rather not, {person}",
    "thanks, {person}, but let's not do that",
)
DECLINED_AT: Final = (
    "sorry, what {person} wrote {moment} won't work",
    "let's not do what {person} proposed {moment}",
    "no to what {person} wrote {moment}",
    "I'd rather not do what {person} proposed {moment}",
)
DECLINED_QUOTE: Final = (
    "sorry, that won't work",
    "no, let's leave it as it is",
    "I'd rather not",
    "thanks, but let's not do that",
)

SMALL_TALK: Final = (
    "[Thanks|Many thanks] [everybody|all] for the quick replies.",
    "[Hope|I hope] you all had a good weekend.",
    "[What a week|What a day|How time flies].",
    "The coffee machine [upstairs|downstairs|on our floor] works again, by the way.",
    "My [train|bus|tram] was late again this morning.",
    "It's [pouring|snowing|boiling hot|lovely and sunny] here.",
    "Sorry for the [many messages|late reply|long silence].",
    "I'm still catching up with my mail.",
    "The slides look [great|lovely|very good], thanks.",
    "Greetings from a very noisy [train|airport|café].",
    "[Nice|Good] to see so much interest in this.",
    "My [dog|cat|daughter] says hello.",
    "I loved the [cake|fruit salad|soup] yesterday.",
    "Does anybody know whose [umbrella|bicycle helmet|scarf] is in the corridor?",
    "The [lift|printer|revolving door] is stuck again.",
    "I've lost my [headphones|badge|charger], as usual.",
    "The new [website|logo|brochure] looks lovely.",
    "That chat about the offsite made me laugh.",
    "[Fingers crossed for|Good luck with] the [launch|pitch|exam], everybody.",
    "I'm reading this on my phone, so forgive the typos.",
    "[Back from holiday|Back from the dentist|Back at my desk], so be gentle with me.",
    "Writing this over lunch, [bon appétit|enjoy yours].",
    "I read all of this twice and it still makes sense.",
    "My connection is [poor|dreadful] today, so bear with me.",
    "[Great|Impressive] work on the draft, by the way.",
    "Who else saw the [rainbow|fox in the yard|fire brigade] this morning?",
    "The plants by the door look sad.",
    "[Cheers|Thanks] for keeping me in the loop.",
    "I was just thinking about this in the shower.",
    "We had [such a laugh|a good time] at the quiz, by the way.",
    "The canteen has [lentils|pancakes|goulash] today.",
    "Happy birthday to [everybody who had one|all the March babies]!",
    "That reminds me of last year, when everything went wrong.",
    "[Typing|Writing] with one hand, the other one holds a baby.",
    "Sounds like a lot of work, but fun.",
    "I've never seen so much post on my desk.",
    "[Good|Excellent] question, by the way.",
    "My neighbour is drilling again.",
    "I promise to be quick.",
    "[Nothing else from me|That's all from me] today.",
)
"""It binds nothing: it names no meeting, no time and no number, and says nothing of what ought to be."""

"""The phrasings of time limits and of the ranking."""

from typing import Final

from mpcbench.generate.wording.statements_meeting import Forms

CALL_POLICY = Forms(
    (
        "{policy} applies [to this one|here|to this meeting].",
        "Please [stick to|keep to|follow] {policy} [here|for this one].",
        "This [falls|comes] under {policy}.",
        "[Mind|Please mind|Observe] {policy} when you pick the times.",
        "We [have to|must] [follow|comply with] {policy} for this meeting.",
        "[The meeting|It] has to [respect|comply with] {policy}.",
        "For the scheduling, {policy} is binding.",
        "{policy} counts for this [meeting|one].",
    ),
    (
        "{policy} applies [on top|as well|too].",
        "I checked again: we have to follow {policy} for this meeting as well.",
        "One addition on the rules: {policy} is binding too.",
        "Please also [stick to|keep to|follow] {policy}.",
        "And the meeting has to [respect|comply with] {policy} too.",
        "[Besides|In addition], {policy} applies here.",
    ),
)

DEADLINE = Forms(
    (
        "[It|The meeting] [has to|must] be [over|finished|done] by {moment}.",
        "Hard stop: [the meeting must be finished|we have to be done|it must be over] by {moment}.",
        "[Whatever you find, it|The meeting] must end no later than {moment}.",
        "Latest possible end[| of the meeting]: {moment}.",
        "We [need|have] to be completely done with it by {moment}.",
        "{deadline_reason}, so [the meeting|it] must have ended by {moment}.",
        "Please make sure that it's finished, not just begun, by {moment}.",
        "The end of the meeting must be {moment} or earlier.",
    ),
    (
        "The deadline has [moved|changed]: [it|the meeting] now has to be [over|finished] by {moment}.",
        "Correction of the deadline: [the meeting|it] must end no later than {moment}.",
        "[Forget|Ignore] the earlier deadline, it has to be [finished|over] by {moment}.",
        "New [hard stop|deadline], replacing the old one: done and over by {moment}.",
        "[I had the deadline wrong|The deadline was wrong]; latest possible end of the meeting is {moment}.",
        "[Scratch|Scrap] the cut-off from before: the meeting must have ended by {moment}.",
    ),
)

NOT_BEFORE = Forms(
    (
        "[It|The meeting] [can't|must not|cannot] [start|begin] before {moment}.",
        "Earliest possible start: {moment}.",
        "Please don't let it [begin|start] earlier than {moment}.",
        "Only starts from {moment} onwards, nothing earlier[|, please].",
        "{start_reason}, so the meeting may [start|begin] from {moment} on, not sooner.",
        "We are only ready from {moment}, so it must not begin before that.",
        "Starting before {moment} is impossible, starting exactly then is fine.",
        "Nothing that [starts|begins] before {moment}, please.",
    ),
    (
        "The earliest start has [moved|changed]: [it|the meeting] can't [start|begin] before {moment} now.",
        "Correction[| of the start]: [the earliest|earliest] possible start is {moment}.",
        "[Forget|Ignore] the earliest start from before, [it|the meeting] may [begin|start] from {moment} on, not sooner.",
        "[I had the earliest start wrong|The earliest start was wrong]: only starts from {moment} onwards, nothing earlier.",
        "[Scratch|Scrap] what was said about the earliest start: it must not begin before {moment}.",
        "New earliest start, replacing the old one: {moment}.",
    ),
)

BAN_WINDOW = Forms(
    (
        "Nothing {span}, please[|: {blocker}].",
        "It can't [be|take place] {span}: {blocker}.",
        "Please don't put any of it {span}; {blocker}.",
        "No part of [the meeting|it] may fall {span}.",
        "[A no-go for this one|Not possible|Times to avoid|Please avoid]: {span}.",
        "Ruled out: {span}, so it must not overlap with that.",
        "[Please keep|Keep] it out of the following time: {span}[|; {blocker}].",
        "[It|The meeting] must not touch this time: {span}.",
    ),
    (
        "[One more|Another] no-go: {span}.",
        "Nor can it [be|take place] {span}[|: {blocker}].",
        "Also [blocked|to be avoided|not possible|ruled out]: {span}.",
        "And nothing {span}, please[|: {blocker}].",
        "[Another|One more] time to avoid: {span}.",
        "[I forgot one thing|One more thing]: no part of [the meeting|it] may fall {span}.",
    ),
)

REQUIRED_WINDOW = Forms(
    (
        "[It|The meeting] has to take place {span}, [all of it|from beginning to end].",
        "The only time [we can use|that suits us] is {span}; the whole meeting has to fit in there.",
        "[We need it|It's needed] {span}, [nothing outside of that|from start to finish].",
        "The whole meeting [must|has to] fall {span}[|: {reason}].",
        "[It|This] only works {span}[|, from start to finish]: {reason}.",
        "Please [restrict|limit] the search to times {span}[|; nothing may stick out of that].",
        "The whole meeting has to fall {span}, because {reason}.",
        "[The only possible time|Only possible time]: {span}[|; the whole meeting has to fit in there].",
    ),
    (
        "Alternatively [it|the meeting] may take place {span}: it has to lie wholly inside one of the times named.",
        "[A further|Another] possibility besides what we had: {span}. One of them is enough, as long as it holds the whole meeting.",
        "It would also work {span}: [any one of the times named will do|one of the times named is enough], from start to finish.",
        "In addition to the time given before, it may take place {span}; the whole meeting has to fit into one of them.",
        "The whole meeting may also fall {span}[, it|; it] need not be the time given before.",
        "[One more|Another] time that is allowed: {span}. The [meeting has to lie wholly|whole meeting has to lie] inside one of the times named.",
    ),
)

AFTER_EVENT = Forms(
    (
        "[It|The meeting|This one] can only [start|begin] once {event} on {day} [is over|has ended|is finished].",
        "We need the [outcome|result|conclusions] of {event} on {day} first, so start after that has ended.",
        "No start before {event} on {day} has [finished|ended]; right after it is fine.",
        "[The meeting|It] must not [begin|start] [until|before] {event} on {day} has [ended|finished].",
        "Please [place|put|schedule] it after the end of {event} on {day}.",
        "{event} on {day} has to be [finished|over] before [we start|this starts].",
        "It depends on {event} on {day}: only times from the end of that onwards.",
    ),
    (
        "One more dependency: it can only [start|begin] once {event} on {day} is over.",
        "Also wait for {event} on {day}: start after that has [ended|finished].",
        "Another thing, the meeting must not [begin|start] until {event} on {day} has [finished|ended].",
        "And {event} on {day} has to be [finished|over] before we start, too.",
        "Please [place|put] it after the end of {event} on {day} as well.",
        "It also depends on {event} on {day}: only times from the end of that onwards.",
    ),
)

RANKING_LATEST = Forms(
    (
        "The later the better: [give me|give us|we want|please list] the latest times first.",
        "[We want|We need|I'd like] the latest possible starts, so [rank|list them|go] from the latest backwards.",
        "Please [list|rank|order] them latest first and take the last ones that work.",
        "As late as possible, please: latest start [comes |]first.",
        "Not the earliest ones this time, but the latest ones: work backwards from the end.",
        "Order matters: the latest start is the best, then the next latest, and so on.",
        "[Start from|Begin at] the end: [I|we] want the latest feasible times, latest first.",
        "We'd rather have it late: the latest start is the best[|, the next latest comes second].",
    ),
    (
        "Turn the order around: latest start [comes |]first[|, please].",
        "Correction of the order: the later the better, so latest times first.",
        "We changed our minds about the order: [rank|go] from the latest backwards.",
        "Instead of what was said about the order: as late as possible, latest start first.",
        "New order: the latest start is the best, then the next latest, and so on.",
        "After all we want the latest times first.",
    ),
)

RANKING_EARLIEST = Forms(
    (
        "The sooner the better: [give me|give us|we want|please list] the earliest times first.",
        "[We want|We need|I'd like] the earliest possible starts, in order.",
        "Please [list|rank|order] them earliest first and take the first ones that work.",
        "As early as possible, please: earliest start [comes |]first.",
        "Order as usual, the earliest start is the best, then the next earliest.",
        "[I|We] want the earliest feasible times, earliest first.",
    ),
    (
        "Turn the order around: earliest start [comes |]first[|, please].",
        "Correction of the order: the sooner the better, so earliest times first.",
        "We changed our minds about the order: earliest start first, as usual.",
        "Instead of what was said about the order: as early as possible, earliest start first.",
        "New order: the earliest start is the best, then the next earliest, and so on.",
        "After all we want the earliest times first.",
    ),
)

DEADLINE_REASONS: Final = (
    "the board pack goes out afterwards",
    "the auditors want the minutes",
    "the client call hangs on the result",
    "the contract has to be signed right afterwards",
    "the print run starts afterwards",
    "the results go into the quarterly report",
)

START_REASONS: Final = (
    "the figures arrive late",
    "the embargo has to be lifted first",
    "the draft has to be signed off first",
    "the test results have to be in",
    "the client wants to be told first",
    "the sample has to arrive first",
)

RESTRICTIONS: Final = (
    "the interpreter is not there at other times",
    "the client can only be reached then",
    "the test equipment is only lent to us then",
    "the test line is only up then",
    "the supplier's hotline is only staffed then",
)
"""Reasons for a required window."""

BLOCKERS: Final = (
    "the fire drill is on then",
    "the network maintenance is running then",
    "the auditors need quiet in the house",
    "the client has asked us not to",
    "that's reserved for the release",
    "the figures are frozen then",
    "the power in our wing is off",
)
"""Reasons for a ban."""

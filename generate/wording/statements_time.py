"""The phrasings of time limits and of the ranking.

Each is about the meeting by itself, since it may follow a quoted line, a policy or another limit.
"""

from typing import Final

from mpcbench.generate.wording.statements_meeting import Forms

CALL_POLICY = Forms(
    (
        "{policy} applies to [this|the] meeting.",
        "[The|This] meeting is covered by {policy}.",
        "Please [follow|stick to|keep to|use] {policy} for [this|the] meeting.",
        "We [have to|must] [follow|comply with] {policy} for this meeting.",
        "[The|This] meeting [has to|must] [stick to|comply with] {policy}.",
        "When [scheduling|planning] [this|the] meeting, please apply {policy}.",
        "The policy for [this|the] meeting is {policy}.",
        "Please apply {policy} to this meeting.",
        "The times for this meeting have to comply with {policy}.",
        "[This|The] meeting is subject to {policy}.",
        "When you pick the times for this meeting, please [respect|follow] {policy}.",
        "For this meeting we go by {policy}.",
    ),
    (
        "{policy} also applies to [this|the] meeting.",
        "[The|This] meeting is also covered by {policy}.",
        "Please also [follow|stick to|keep to|use] {policy} for [this|the] meeting.",
        "We [also have to|must also] [follow|comply with] {policy} for this meeting.",
        "[The|This] meeting [also has to|must also] [stick to|comply with] {policy}.",
        "In addition, {policy} [applies to|counts for] [this|the] meeting.",
        "I checked again, and [this|the] meeting [is also covered by|is also subject to] {policy}.",
        "Please apply {policy} to this meeting, too.",
        "When [scheduling|planning] [this|the] meeting, please apply {policy}, too.",
        "We forgot that {policy} [also applies to|also counts for] [this|the] meeting.",
        "There's another policy for this meeting, {policy}.",
    ),
)

DEADLINE = Forms(
    (
        "[This|The] meeting [has to|must] be [over|finished|done] by {moment}.",
        "We [have|need] to be [done|finished] with [this|the] meeting by {moment}.",
        "Whatever time you find, the meeting must end no later than {moment}.",
        "The latest that [this|the] meeting can end is {moment}.",
        "{deadline_reason}, so the meeting must [have ended|be over] by {moment}.",
        "Please make sure that the meeting is finished by {moment}.",
        "The meeting has to end by {moment} at the latest.",
        "[This|The] meeting must not run past {moment}.",
        "We can only use times where the meeting is over by {moment}.",
        "By {moment} the meeting [must|has to] be over.",
        "{deadline_reason}, so please have the meeting end no later than {moment}.",
        "There's a hard stop, the meeting must be [over|finished] by {moment}.",
    ),
    (
        "The deadline has [moved|changed], the meeting now has to be [over|finished] by {moment}.",
        "[On second thoughts|Change of plan], the meeting must end no later than {moment}.",
        "[Forget|Ignore] the earlier deadline, the meeting has to be [finished|over] by {moment}.",
        "Instead of the earlier deadline, the meeting must be over by {moment}.",
        "The [deadline|earlier deadline] was wrong, the latest that the meeting can end is {moment}.",
        "[Scratch|Scrap] the cut-off from before, the meeting must have ended by {moment}.",
        "The earlier deadline is off, [the meeting must not run past|the meeting has to be done by] {moment}.",
        "We have a new deadline, the meeting must be [over|finished] by {moment}.",
        "The meeting now has to end by {moment} at the latest, whatever we said before.",
        "[Let's change|We have to change] the deadline, the meeting must be [over|done] by {moment}.",
        "The meeting now has to be over by {moment}, not by the time given before.",
    ),
)

NOT_BEFORE = Forms(
    (
        "[This|The] meeting [can't|must not|cannot] [start|begin] before {moment}.",
        "Let's start [this|the] meeting no earlier than {moment}.",
        "Please don't let the meeting [begin|start] earlier than {moment}.",
        "The meeting can start from {moment} onwards, but no earlier.",
        "{start_reason}, so the meeting [can't|must not] [start|begin] before {moment}.",
        "The meeting can't [start|begin] before {moment}, we won't be ready any earlier.",
        "We can't start the meeting before {moment}, but that time itself is fine.",
        "The earliest possible start of [this|the] meeting is {moment}.",
        "The earliest that the meeting can [start|begin] is {moment}.",
        "We can't start the meeting before {moment}, that's too early for us.",
        "{start_reason}, so please start the meeting no earlier than {moment}.",
        "Whatever time you find, the meeting must start no earlier than {moment}.",
    ),
    (
        "The earliest start has [moved|changed], the meeting can't [start|begin] before {moment} now.",
        "[On second thoughts|Change of plan], the meeting [can't|must not] [start|begin] before {moment}.",
        "[Forget|Ignore] the earliest start from before, the meeting must start no earlier than {moment}.",
        "The earliest start [was wrong|given before was wrong], the meeting can't [start|begin] before {moment}.",
        "[Scratch|Scrap] what was said about the earliest start, the meeting must not begin before {moment}.",
        "Instead of what we said before, let's start the meeting no earlier than {moment}.",
        "We have a new earliest start, the meeting [can't|must not] [start|begin] before {moment}.",
        "The earliest that the meeting can start is now {moment}, whatever we said before.",
        "The old earliest start is off, the meeting can't [start|begin] before {moment}.",
        "[Let's change|We have to change] the earliest start, the meeting can't [start|begin] before {moment}.",
        "We can't start the meeting before {moment} now, that's too early for us.",
    ),
)

BAN_WINDOW = Forms(
    (
        "We [can't|cannot] meet {span}[|, sorry].",
        "No part of the meeting may [fall|be] {span}.",
        "Please don't [put|schedule|place] any part of the meeting {span}.",
        "Meeting {between} is [out of the question|not possible|impossible].",
        "{span}, [we can't meet|the meeting isn't possible].",
        "{blocker} {span}, so [we can't meet then|no part of the meeting may fall into that time].",
        "{blocker} {span}, so please keep the meeting out of that time[| altogether].",
        "The meeting [can't|must not] be {between}, [please keep that time free|please keep it clear of that time].",
        "We have to rule out meeting {between}.",
        "We can't have any part of the meeting {span}.",
        "It's [not possible|impossible] for us to meet {between}.",
        "Please keep the meeting clear of any time {span}.",
    ),
    (
        "Nor can we meet {span}.",
        "We [can't|cannot] meet {span} either.",
        "No part of the meeting may [fall|be] {span} either.",
        "Please don't [put|schedule|place] any part of the meeting {span} either.",
        "Meeting {between} is [also out of the question|not possible either|also impossible].",
        "{blocker} {span}, so [we can't meet then either|no part of the meeting may fall into that time either].",
        "I forgot one thing, [we can't meet|no part of the meeting may fall] {span} either.",
        "[In addition|On top of that], [we can't meet|no part of the meeting may fall] {span}.",
        "We also have to rule out meeting {between}.",
        "The meeting [can't|must not] be {between} either, [please keep that time free|please keep it clear of that time].",
        "Please keep the meeting clear of any time {span}, too.",
    ),
)

REQUIRED_WINDOW = Forms(
    (
        "[This|The] meeting has to take place {between}, from start to finish.",
        "The only time that [suits us|works for us|we can use] is {between}, for the whole meeting.",
        "The whole meeting [must|has to] [fall|be] {between}.",
        "[This|The] meeting only works {between}, from start to finish.",
        "Please only look at times {between}, for the whole meeting.",
        "We can only meet {between}, start to finish.",
        "{reason} {between}, so the whole meeting must fit in.",
        "{reason} {between}, so please keep the [whole|entire] meeting within that time.",
        "Only times {between} will do for the whole meeting.",
        "From [start to finish|beginning to end], the meeting [has to|must] take place {between}.",
        "{reason} {between}, and no part of the meeting may fall outside that time.",
    ),
    (
        "[Alternatively|As an alternative], the whole meeting may [fall|be|take place] {between}.",
        "It's also fine if the whole meeting [falls|is|takes place] {between}.",
        "We could also meet {between}, from start to finish.",
        "The meeting would also work {between}, from start to finish.",
        "[In addition to|Besides] the time given before, the whole meeting may also be {between}.",
        "We can just as well meet {between}, if the whole meeting fits.",
        "There's another possibility, the whole meeting may also [fall|be] {between}.",
        "Times {between} will do, too, for the whole meeting.",
        "{reason_too} {between}, so the whole meeting may also take place then.",
        "There's another slot, the whole meeting could also be {between}.",
    ),
)

AFTER_EVENT = Forms(
    (
        "[This|The] meeting can only [start|begin] once {event} on {day} [is over|has ended|is finished].",
        "We need the [outcome|result|conclusions] of {event} on {day} first, so [only start|please start] after that has ended.",
        "[This|The] meeting must not [begin|start] [until|before] {event} on {day} has [ended|finished].",
        "Please wait for the end of {event} on {day}; the meeting can [start|begin] any time after that.",
        "{event} on {day} has to be [finished|over] before [this|the] meeting starts.",
        "[This|The] meeting depends on {event} on {day}, so please [schedule it|put it] after that has ended.",
        "[This|The] meeting has to wait until {event} on {day} is over.",
        "Before {event} on {day} has ended, the meeting can't [start|begin].",
        "[This|The] meeting builds on {event} on {day} and can't start before that has ended.",
        "Please don't start the meeting until {event} on {day} is over.",
        "No time before the end of {event} on {day} will do for the meeting.",
        "We can meet as soon as {event} on {day} [is over|has ended], not before.",
    ),
    (
        "[This|The] meeting can also only [start|begin] once {event} on {day} is [over|finished].",
        "[This|The] meeting also has to wait until {event} on {day} is over.",
        "We also need the [outcome|result|conclusions] of {event} on {day} first, so [only start|please start] after that has ended.",
        "[In addition|On top of that], the meeting must not [begin|start] until {event} on {day} has [finished|ended].",
        "{event} on {day} also has to be [finished|over] before the meeting starts.",
        "Please also wait for the end of {event} on {day}; the meeting can [start|begin] any time after that.",
        "[This|The] meeting also depends on {event} on {day}, so please [schedule it|put it] after that has ended.",
        "Before {event} on {day} has ended, the meeting can't [start|begin] either.",
        "Please don't start the meeting until {event} on {day} is over, too.",
        "I forgot one thing, the meeting can't [start|begin] before {event} on {day} has ended.",
        "[This|The] meeting also builds on {event} on {day} and can't start before that has ended.",
    ),
)

RANKING_LATEST = Forms(
    (
        "Please [give us|choose|take|pick] the latest possible options, [latest first|with the latest start first].",
        "[We want|We'd like|We need] the latest options that [work|are possible], [latest first|with the latest start first].",
        "Of all the [times|options] that work, please [choose|take|pick] the latest ones and list them latest first.",
        "Please take the latest options that work rather than the earliest, latest first.",
        "We'd rather [have it|meet] late, so [choose|take|pick] the latest options that work and list the latest first.",
        "The meeting should be as late as possible, so please [choose|take|pick] the latest options and rank them latest first.",
        "The later we meet, the better, so [give us|choose|pick] the latest possible options, latest first.",
        "The options should be the latest ones that work, in order from the latest start backwards.",
        "Please work backwards from the end of the window. Take the latest start that works, then the next latest, and so on.",
        "The best option is the latest one that works, the second best is the next latest, and so on.",
        "We're [looking for|interested in] the latest possible options, [beginning with|starting with] the latest of all.",
        "The first option should be the latest one that works, followed by the next latest, and so on.",
    ),
    (
        "We've changed our minds and [want|need] the latest possible options after all, latest first.",
        "[On second thoughts|Change of plan], [give us|choose|pick] the latest possible options, latest first.",
        "[On second thoughts|Change of plan], the later we meet, the better, so pick the latest possible options, latest first.",
        "Please take the latest options that work now rather than the earliest, latest first.",
        "We'd now like the latest options that [work|are possible], [latest first|with the latest start first].",
        "Instead of what we said before, [we want|please choose] the latest possible options, latest first.",
        "The meeting should now be as late as possible, so please choose the latest options and rank them latest first.",
        "After all we'd rather meet late, so [choose|take|pick] the latest options that work and list the latest first.",
        "The first option should now be the latest one that works, followed by the next latest, and so on.",
        "Our preference has changed, and we now want the latest options that work, latest first.",
        "We now prefer late times, so please take the latest options that work and list the latest first.",
    ),
)

RANKING_EARLIEST = Forms(
    (
        "Please [give us|choose|take|pick] the earliest possible options, [earliest first|with the earliest start first].",
        "[We want|We'd like|We need] the earliest options that [work|are possible], [earliest first|with the earliest start first].",
        "Of all the [times|options] that work, please [choose|take|pick] the earliest ones and list them earliest first.",
        "Please take the earliest options that work rather than the latest, earliest first.",
        "We'd rather [have it|meet] early, so [choose|take|pick] the earliest options that work and list the earliest first.",
        "The meeting should be as early as possible, so please [choose|take|pick] the earliest options and rank them earliest first.",
        "The sooner we meet, the better, so [give us|choose|pick] the earliest possible options, earliest first.",
        "The options should be the earliest ones that work, in order from the earliest start onwards.",
        "The best option is the earliest one that works, the second best is the next earliest, and so on.",
        "We're [looking for|interested in] the earliest possible options, [beginning with|starting with] the earliest of all.",
        "The first option should be the earliest one that works, followed by the next earliest, and so on.",
    ),
    (
        "We've changed our minds and [want|need] the earliest possible options after all, earliest first.",
        "[On second thoughts|Change of plan], [give us|choose|pick] the earliest possible options, earliest first.",
        "[On second thoughts|Change of plan], the sooner we meet, the better, so pick the earliest possible options, earliest first.",
        "Please take the earliest options that work now rather than the latest, earliest first.",
        "We'd now like the earliest options that [work|are possible], [earliest first|with the earliest start first].",
        "Instead of what we said before, [we want|please choose] the earliest possible options, earliest first.",
        "The meeting should now be as early as possible, so please choose the earliest options and rank them earliest first.",
        "After all we'd rather meet early, so [choose|take|pick] the earliest options that work and list the earliest first.",
        "The first option should now be the earliest one that works, followed by the next earliest, and so on.",
        "Our preference has changed, and we now want the earliest options that work, earliest first.",
        "We now prefer early times, so please take the earliest options that work and list the earliest first.",
    ),
)

DEADLINE_REASONS: Final = (
    "the board pack goes out afterwards",
    "the auditors are waiting for the minutes",
    "the client is waiting for the result",
    "the contract has to be signed right afterwards",
    "the print run starts afterwards",
    "the results go into the quarterly report",
)

START_REASONS: Final = (
    "the figures arrive late",
    "the embargo has to be lifted first",
    "the draft has to be signed off first",
    "the test results have to be in first",
    "the client wants to be told first",
    "the sample has to arrive first",
)

RESTRICTIONS: Final = (
    "The interpreter is only booked",
    "The client can only be reached",
    "We only have the test equipment",
    "The test line is only up",
    "The supplier's hotline is only staffed",
)
"""Reasons for a required window, which a span of time follows."""

MORE_CHOICE: Final = (
    "The interpreter is also booked",
    "The client can also be reached",
    "We also have the test equipment",
    "The test line is also up",
    "The supplier's hotline is also staffed",
)
"""Reasons for another required window, which a span of time follows."""

BLOCKERS: Final = (
    "The network is down for maintenance",
    "The auditors need quiet in the building",
    "The annual stocktake takes place",
    "The client has asked us to be on call",
    "The release is being rolled out",
    "The power in our wing is off",
    "The phone system is being replaced",
)
"""Reasons for a ban, which a span of time follows."""

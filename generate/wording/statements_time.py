"""The phrasings of time limits and of the ranking."""

from typing import Final

from mpcbench.generate.wording.statements_meeting import Forms

CALL_POLICY = Forms(
    (
        "{policy} applies to this one.",
        "Please stick to {policy} here.",
        "This falls under {policy}.",
        "Mind {policy} when you pick the times.",
        "We have to follow {policy} for this meeting.",
        "Compliance insists on {policy} for this.",
        "The meeting has to respect {policy}.",
        "For the scheduling, {policy} is binding.",
    ),
    (
        "{policy} applies on top.",
        "I checked again: we have to follow {policy} for this meeting as well.",
        "One addition on the rules: {policy} is binding too.",
        "Compliance got back to me, {policy} applies here as well.",
        "Please also stick to {policy}.",
        "And the meeting has to respect {policy} too.",
    ),
)

DEADLINE = Forms(
    (
        "It has to be over by {moment}.",
        "Hard stop: the meeting must be finished by {moment}.",
        "Whatever you find, it must end no later than {moment}.",
        "Latest possible end of the meeting: {moment}.",
        "We need to be completely done with it by {moment}.",
        "{deadline_reason}, so the meeting must have ended by {moment}.",
        "Please make sure that it's finished, not just begun, by {moment}.",
        "The end of the meeting can be {moment} at the latest.",
    ),
    (
        "The deadline has moved: it now has to be over by {moment} instead.",
        "Correction of the deadline: the meeting must end no later than {moment}.",
        "Forget the earlier deadline, it has to be finished by {moment}.",
        "New hard stop, replacing the old one: done and over by {moment}.",
        "I had the deadline wrong; latest possible end of the meeting is {moment}.",
        "Scratch the cut-off from before: the meeting must have ended by {moment}.",
    ),
)

NOT_BEFORE = Forms(
    (
        "It can't start before {moment}.",
        "Earliest possible start: {moment}.",
        "Please don't let it begin earlier than {moment}.",
        "Any start from {moment} onwards works, nothing earlier.",
        "{start_reason}, so the meeting may start from {moment} on, not sooner.",
        "We are only ready from {moment}, so it must not begin before that.",
        "Starting before {moment} is impossible, starting exactly then is fine.",
        "Nothing that starts before {moment}, please.",
    ),
    (
        "The earliest start has moved: it can't start before {moment} now.",
        "Correction: earliest possible start is {moment}.",
        "Forget the earliest start from before, it may begin from {moment} on, not sooner.",
        "I had the earliest start wrong, any start from {moment} onwards works, nothing earlier.",
        "Scratch what I said about the earliest start: it must not begin before {moment}.",
        "New earliest start, replacing the old one: {moment}.",
    ),
)

BAN_WINDOW = Forms(
    (
        "Nothing {span}, please.",
        "It can't be {span}: {blocker}.",
        "Please don't put any of it {span}; {blocker}.",
        "No part of the meeting may fall {span}.",
        "A no-go for this one: {span}.",
        "We're blocked {span}, so it must not overlap with that.",
        "Keep it out of the time {span}, {blocker}.",
        "Avoid the slot {span} entirely: {blocker}.",
    ),
    (
        "One more no-go: {span}.",
        "It can't be {span} either: {blocker}.",
        "Also blocked: {span}.",
        "And nothing {span}, please.",
        "Another stretch to avoid entirely: {span}.",
        "I forgot one thing, no part of the meeting may fall {span}.",
    ),
)

REQUIRED_WINDOW = Forms(
    (
        "It has to take place {span}, from start to finish.",
        "The only time that works is {span}; the whole meeting has to fit in there.",
        "We need it {span}, nothing outside of that.",
        "The whole meeting must lie {span}.",
        "It only works {span}, {reason}.",
        "Please restrict the search to times {span}.",
        "Everybody is free for this only {span}, so it has to lie completely inside that.",
    ),
    (
        "Alternatively it may also take place {span}, from start to finish.",
        "A further possibility besides what we had: {span}.",
        "It would also work {span}, that's now allowed too.",
        "In addition to the time given before, {span} is possible too.",
        "The whole meeting may also lie {span} instead.",
        "One more stretch that works: {span}.",
    ),
)

AFTER_EVENT = Forms(
    (
        "It can only start once {event} on {day} is over.",
        "We need the outcome of {event} on {day} first, so start after that has ended.",
        "Nothing before {event} on {day} has finished; right after it is fine.",
        "The meeting must not begin until {event} on {day} has ended.",
        "Please place it after the end of {event} on {day}.",
        "{event} on {day} has to be finished before we start.",
        "It depends on {event} on {day}: only times from the end of that onwards.",
    ),
    (
        "One more dependency: it can only start once {event} on {day} is over.",
        "Also wait for {event} on {day}: start after that has ended.",
        "Another thing, the meeting must not begin until {event} on {day} has finished.",
        "And {event} on {day} has to be finished before we start, too.",
        "Please place it after the end of {event} on {day} as well.",
        "It also depends on {event} on {day}: only times from the end of that onwards.",
    ),
)

RANKING_LATEST = Forms(
    (
        "The later the better: give me the latest times first.",
        "We want the latest possible starts, so rank from the latest backwards.",
        "Please list them latest first and take the last ones that work.",
        "As late as possible, please: latest start comes first.",
        "Not the earliest ones this time, but the latest ones: work backwards from the end.",
        "Order matters: the latest start is the best, then the next latest, and so on.",
        "Start from the end: I want the latest feasible times, latest first.",
    ),
    (
        "Turn the order around: latest start first, please.",
        "Correction of the order: the later the better, so latest times first.",
        "We changed our minds about the order: rank from the latest backwards.",
        "Instead of what I said about the order: as late as possible, latest start first.",
        "New order: the latest start is the best, then the next latest, and so on.",
        "After all we want the latest times first.",
    ),
)

RANKING_EARLIEST = Forms(
    (
        "The sooner the better: give me the earliest times first.",
        "We want the earliest possible starts, in order.",
        "Please list them earliest first and take the first ones that work.",
        "As early as possible, please: earliest start comes first.",
        "Order as usual, the earliest start is the best, then the next earliest.",
        "I want the earliest feasible times, earliest first.",
    ),
    (
        "Turn the order around: earliest start first, please.",
        "Correction of the order: the sooner the better, so earliest times first.",
        "We changed our minds about the order: earliest start first, as usual.",
        "Instead of what I said about the order: as early as possible, earliest start first.",
        "New order: the earliest start is the best, then the next earliest, and so on.",
        "After all we want the earliest times first.",
    ),
)

DEADLINE_REASONS: Final = (
    "The board pack goes out afterwards",
    "The auditors want the minutes",
    "The client call hangs on the result",
    "Legal won't extend this any further",
    "People have planes to catch",
    "The steering group insists",
)

START_REASONS: Final = (
    "The figures land late",
    "The embargo has to be lifted first",
    "Legal needs to sign off first",
    "The test results have to be in",
    "The client wants to be told first",
    "The steering group insists",
)

RESTRICTIONS: Final = (
    "the interpreter is not there at other times",
    "that's when the client can be reached",
    "the equipment is only lent to us then",
    "the steering group insists",
    "that's all the sponsor left us",
)
"""Reasons for a required window."""

BLOCKERS: Final = (
    "half of the team is on a site visit",
    "the auditors are in the house",
    "there's the fire drill and its aftermath",
    "the network maintenance is running",
    "we have the client workshop",
    "everyone is at the offsite rehearsal",
    "that's reserved for the release",
)
"""Reasons for a ban."""

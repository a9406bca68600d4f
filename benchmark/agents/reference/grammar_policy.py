"""Parse policy rules: sentences of policy prose, and the structured rules of level 1."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mpcbench.benchmark.agents.reference.grammar_time import WEEKDAYS, Hours, reduce_lengths, reduce_times
from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced, pattern

_WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_EVERY_DAY = re.compile(r"\b(?:every day|seven days a week|all days of the week)\b", re.IGNORECASE)
_WEEKDAY_RUN = re.compile(rf"(?:\b(?:[Oo]n|[Ee]ach day from) )?\b({_WEEKDAY}) (?:to|through) ({_WEEKDAY})\b")
_WEEKDAY_LIST = re.compile(rf"(?:\b[Oo]n )?\b((?:{_WEEKDAY}s?, )*(?:{_WEEKDAY}s?,? and )?{_WEEKDAY}s?)\b")
_PAST = re.compile(r"\b(?:until|before|edition of|revision of|before the revision of) (?:19|20)\d\d\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"\bnot (?:meetings|concern meetings)\b|nothing to do with|not the subject|\bdo not define|\bregardless\b|\bnot rooms\b"
    r"|without any effect|\bhere and there\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"\d|\bnoon\b|\bhour\b|\bhours\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class InsideHours:
    """The meeting lies wholly inside these hours of one of the weekdays (0 = Monday)."""

    hours: Hours
    weekdays: frozenset[int]


@dataclass(frozen=True, slots=True)
class OutsideHours:
    """The meeting does not overlap these hours of the weekdays."""

    hours: Hours
    weekdays: frozenset[int]


@dataclass(frozen=True, slots=True)
class Pause:
    """At least this many minutes lie between the meeting and every busy event of its participants."""

    minutes: int


@dataclass(frozen=True, slots=True)
class RoomPause:
    """At least this many minutes lie between the meeting and every other booking of its room."""

    minutes: int


Rule = InsideHours | OutsideHours | Pause | RoomPause

# By now "from A to B", "between A and B" and "A to B" are one token, and so is any list or run of weekdays with its
# preposition.
_INSIDE = (
    (r"(?:take place|be held) <weekdays> <hours> only", "wh"),
    (r"within the hours <hours> <weekdays>", "hw"),
    (r"only <weekdays> count as meeting days, and on these a meeting must both begin and end <hours>", "wh"),
    (r"start before <time> or end after <time>, and only <weekdays> are meeting days", "ttw"),
    (r"hours for meetings run <hours> <weekdays>", "hw"),
    (r"core hours, which are <hours> <weekdays>", "hw"),
    (r"permitted (?:times|hours) for meetings are <hours> <weekdays>", "hw"),
    (r"at <time> at the earliest and end at <time> at the latest <weekdays>", "ttw"),
    (r"meeting has to fit into the time <hours> <weekdays>", "hw"),
)
_OUTSIDE = (
    (r"overlap the lunch break <hours> <weekdays>", "hw"),
    (r"<weekdays>, the time <hours> (?:belongs to|is for) lunch", "wh"),
    (r"<weekdays>, no meeting (?:is scheduled|takes place) <hours>", "wh"),
    (r"midday break, which lasts <hours> <weekdays>", "hw"),
    (r"take up any minute <hours> <weekdays>", "hw"),
    (r"lunch hours, <hours> <weekdays>, are closed to meetings", "hw"),
    (r"lunch break without meetings <hours> <weekdays>", "hw"),
    (r"<hours> <weekdays> it is lunchtime", "hw"),
    (r"the time <hours> <weekdays> is kept for lunch", "hw"),
    (r"<weekdays> <hours> no meeting may", "wh"),
    (r"<weekdays> <hours> are reserved", "wh"),
    (r"every <weekdays>, the hours <hours> are kept free", "wh"),
    (r"focus time is (?:each|every) <weekdays> <hours>", "wh"),
    (r"scheduled on a <weekdays> if any part of it would fall <hours>", "wh"),
    (r"quiet block, <weekdays> <hours>", "wh"),
    (r"the block <hours> <weekdays> is closed", "hw"),
    (r"schedules a meeting (?:into|for any part of) the time <hours> on a <weekdays>", "hw"),
    (r"(?:every|once a) week, <weekdays> <hours>, there are no meetings", "wh"),
)
_PAUSE = (
    r"at least <length> must be left free",
    r"pause of at least <length> before and after the meeting",
    r"ended at least <length> earlier and the next one starts at least <length> later",
    r"no less than <length> on either side between",
    r"gap to the neighbouring events of all participants (?:is|has to be) <length> or more",
    r"at least <length> of free time must separate",
    r"must be at least <length> between the meeting and (?:whatever|anything)",
    r"the calendar shows at least <length> (?:without entries|of free time)",
    r"on both sides of the meeting, <length> or more must stay empty",
)
_ROOM_PAUSE = (
    r"distance of at least <length> from the bookings of its room",
    r"booking of the same room there must be at least <length>",
    r"keeps <length> or more away from all other bookings",
    r"room empty for no less than <length> before the meeting",
    r"ended at least <length> before the meeting and its next one starts at least <length> after",
    r"the room stays (?:unbooked|empty) for at least <length> on either side",
    r"a meeting leaves (?:a gap of )?at least <length>",
    r"turnaround of at least <length> is required",
)


def section_of(document: str, policy_id: str) -> str:
    """The text of a policy's section in a document as the tool shows it; raises `ReadingError`."""
    parts = _HEADING.split(document)
    whole = re.compile(rf"\b{re.escape(policy_id)}\b")
    texts = [text for heading, text in zip(parts[1::2], parts[2::2], strict=True) if whole.search(heading)]
    if len(texts) != 1:
        raise ReadingError(f"{len(texts)} sections are headed {policy_id}")
    return texts[0]


def read_rules(section: str) -> list[Rule]:
    """The rules in force in a section of prose, in reading order.

    Skips former rules and sentences that do not concern meetings. Raises `ReadingError` if there is no rule, or if
    hours or a length of time remain that no sentence pattern matches.
    """
    rules: list[Rule] = []
    for sentence in _SENTENCE.split(section):
        if _QUANTITY.search(sentence) and not _PAST.search(sentence) and not _BESIDE.search(sentence):
            rules += [rule for rule in _rules_of(sentence) if rule not in rules]
    if not rules:
        raise ReadingError(f"no rule can be read in the policy {section.strip()[:80]!r}")
    return rules


def rule_of_item(item: dict[str, Any]) -> Rule:
    """A rule from its level 1 JSON."""

    def hours() -> Hours:
        return Hours(*(int(item[end][:2]) * 60 + int(item[end][3:]) for end in ("start", "end")))

    def weekdays() -> frozenset[int]:
        names = item["days"] if "days" in item else [item["day"]]
        return frozenset(WEEKDAYS.index(name.lower()) for name in names)

    match item["kind"]:
        case "work_hours":
            return InsideHours(hours(), weekdays())
        case "lunch_block" | "ban_dow_time":
            return OutsideHours(hours(), weekdays())
        case "buffer_min":
            return Pause(item["minutes"])
        case "room_turnaround":
            return RoomPause(item["minutes"])
        case kind:
            raise ReadingError(f"unknown kind of rule {kind!r}")


def _rules_of(sentence: str) -> Iterator[Rule]:
    reduced = Reduced(sentence)
    reduced.reduce("weekdays", _EVERY_DAY, lambda: frozenset(range(len(WEEKDAYS))))
    reduced.reduce("weekdays", _WEEKDAY_RUN, _run)
    reduced.reduce("weekdays", _WEEKDAY_LIST, _list)
    reduce_times(reduced, None)
    value = reduced.value
    reduced.reduce("hours", pattern(r"<time> to <time>"), lambda low, high: Hours(value(low), value(high)))
    reduce_lengths(reduced)
    for rule, forms in ((InsideHours, _INSIDE), (OutsideHours, _OUTSIDE)):
        for text, order in forms:
            for _, groups in reduced.consume(pattern(text)):
                values = [value(index) for index in groups]
                yield rule(_hours(values, order), values[order.index("w")])
    for minutes_rule, texts in ((Pause, _PAUSE), (RoomPause, _ROOM_PAUSE)):
        for text in texts:
            for _, groups in reduced.consume(pattern(text)):
                lengths = {value(index) for index in groups}
                if len(lengths) != 1:
                    raise ReadingError(f"two pauses in {sentence!r}")
                yield minutes_rule(lengths.pop())
    unread = reduced.left(("hours", "time", "length"))
    if unread:
        raise ReadingError(f"cannot tell what the {unread[0]} means in {sentence!r}")


def _hours(values: list[Any], order: str) -> Hours:
    if "h" in order:
        hours: Hours = values[order.index("h")]
        return hours
    first = order.index("t")
    return Hours(values[first], values[first + 1])


def _run(first: str, last: str) -> frozenset[int]:
    return frozenset(range(WEEKDAYS.index(first.lower()), WEEKDAYS.index(last.lower()) + 1))


def _list(text: str) -> frozenset[int]:
    return frozenset(WEEKDAYS.index(f"{stem.lower()}day") for stem in re.findall(r"(\w+?)days?\b", text))

"""Chat threads: statements spread over the messages of several people, mixed with other talk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.phrasing import Voice, say
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.smalltalk import DISHES, GENERIC_REPLIES, TOPICS
from mpcbench.generate.wording.values import WEEKDAYS, ordinal
from mpcbench.schema import MeetingStatement, Message, Thread

FEWEST, MOST = 3, 15
"""The minimum and maximum number of messages of a thread."""

_DAY_STARTS, _DAY_ENDS = time(8, 30), time(18, 0)


class ThreadKind(StrEnum):
    """The purpose of a thread about a meeting."""

    KICKOFF = "kickoff"
    UPDATE = "update"


class Aside(NamedTuple):
    """A statement made in passing about a meeting other than the thread's."""

    meeting: str
    planned: PlannedStatement


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """One thread to be written."""

    thread_id: str
    channel: str
    meeting: str
    kind: ThreadKind
    first: datetime
    """The time of the first message; moved to the next working time if outside working hours."""

    authors: tuple[str, ...]
    """The person IDs of two or more authors; the first opens the thread."""

    statements: tuple[PlannedStatement, ...]
    """The statements about the meeting, in order; a correction follows in a later message than what it corrects."""

    voice: Voice
    asides: tuple[Aside, ...] = ()
    others: tuple[str, ...] = ()
    """Names of other meetings that may be mentioned, without statements about them."""


@dataclass(slots=True)
class _Draft:
    """A message without its time."""

    author: str
    text: str
    tags: tuple[MeetingStatement, ...] = ()
    strays: bool = False
    """Whether it is about something other than the thread's meeting."""

    is_answered: bool = False
    """Whether the next message answers it, so that nothing may come in between."""


def write_thread(plan: ThreadPlan, rng: Random) -> Thread:
    """Write a thread; each tag is on the message whose text expresses it.

    Messages have increasing times within the working hours of the voice's zone. A statement about the meeting names
    it again if the talk has turned to something else since it was last named.
    """
    groups = list(_grouped(plan.statements, rng))
    drafts = [_opener(plan, groups, rng)]
    for group in groups:
        drafts += _between(plan, drafts, rng)
        if not group[0].correcting and rng.random() < 0.3:
            question = rng.choice(chatter.QUESTIONS[group[0].statement.kind])
            drafts.append(_Draft(_other(plan.authors, None, rng), question, is_answered=True))
        drafts.append(_stating(plan, group, drafts, rng))
    drafts = _thinned(drafts, MOST - 1 - len(plan.asides), rng)
    gaps = [place for place in range(1, len(drafts) + 1) if not drafts[place - 1].is_answered]
    places = sorted(rng.choices(gaps, k=len(plan.asides)))
    for shift, (place, aside) in enumerate(zip(places, plan.asides, strict=True)):
        drafts.insert(place + shift, _aside(plan, aside, rng))
    while len(drafts) < FEWEST or _is_monologue(drafts) or (len(drafts) < MOST and rng.random() < 0.35):
        text = _unused(chatter.ACKNOWLEDGEMENTS, {draft.text for draft in drafts}, rng)
        drafts.append(_Draft(_other(plan.authors, drafts[-1].author, rng), text))
    first = plan.first.astimezone(plan.voice.zone)
    return _sent(plan.thread_id, plan.channel, first, _anchored(plan.meeting, drafts, rng), rng)


def smalltalk_thread(thread_id: str, channel: str, first: datetime, authors: Sequence[str], rng: Random) -> Thread:
    """A thread without a meeting or statements; times are in the zone of `first`."""
    topic = rng.choice(TOPICS)
    replies = rng.sample(topic.replies, rng.randint(2, len(topic.replies)))
    for _ in range(rng.randint(0, 3)):
        replies.insert(rng.randint(0, len(replies)), rng.choice(GENERIC_REPLIES))
    drafts = [_Draft(authors[0], _slotted(rng.choice(topic.openers), rng))]
    for reply in replies:
        drafts.append(_Draft(_other(authors, drafts[-1].author, rng), _slotted(reply, rng)))
    return _sent(thread_id, channel, first, drafts, rng)


def _grouped(statements: Sequence[PlannedStatement], rng: Random) -> Iterator[list[PlannedStatement]]:
    """The statements grouped into messages; a correction begins a new message.

    The more statements there are, the more a message holds, which limits the length of the thread.
    """
    most = max(2, -(-len(statements) // 5))
    group: list[PlannedStatement] = []
    for item in statements:
        if group and (item.correcting or len(group) == most or rng.random() < 0.4 / most):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _opener(plan: ThreadPlan, groups: list[list[PlannedStatement]], rng: Random) -> _Draft:
    """The first message, which names the meeting. It may make the first group of statements, which it then removes."""
    openers = chatter.KICKOFFS if plan.kind is ThreadKind.KICKOFF else chatter.UPDATES
    parts = [rng.choice(openers).format(meeting=plan.meeting)]
    tags: tuple[MeetingStatement, ...] = ()
    states = bool(groups) and (parts[0].endswith(":") or rng.random() < 0.5)
    if not states and parts[0].endswith(":"):
        parts[0] = parts[0][:-1] + "."
    if not states or (not parts[0].endswith(":") and rng.random() < 0.4):
        parts.append(rng.choice(chatter.BACKGROUNDS))
    if states:
        group = groups.pop(0)
        parts += _sentences(replace(plan.voice, author=plan.authors[0]), group, rng)
        tags = _tags(plan.meeting, group)
    return _Draft(plan.authors[0], " ".join(parts), tags)


def _stating(plan: ThreadPlan, group: Sequence[PlannedStatement], before: Sequence[_Draft], rng: Random) -> _Draft:
    """A message that makes statements about the meeting."""
    asked = before[-1].text in chatter.QUESTIONS[group[0].statement.kind]
    author = plan.authors[0] if rng.random() < 0.5 else rng.choice(plan.authors)
    if asked and author == before[-1].author:
        author = _other(plan.authors, author, rng)
    parts = _sentences(replace(plan.voice, author=author), group, rng)
    if not asked and rng.random() < 0.3:
        parts.insert(0, rng.choice(chatter.LEAD_INS))
    if rng.random() < 0.25:
        parts.append(rng.choice(chatter.CLOSINGS))
    return _Draft(author, rng.choice((" ", " ", "\n")).join(parts), _tags(plan.meeting, group))


def _aside(plan: ThreadPlan, aside: Aside, rng: Random) -> _Draft:
    prefix = rng.choice(chatter.ASIDES).format(other=aside.meeting)
    author = rng.choice(plan.authors)
    voice = replace(plan.voice, correcting=aside.planned.correcting, author=author)
    tags = (MeetingStatement(meeting=aside.meeting, statement=aside.planned.statement),)
    return _Draft(author, f"{prefix} {say(aside.planned.statement, voice, rng)}", tags, strays=True)


def _between(plan: ThreadPlan, before: Sequence[_Draft], rng: Random) -> Iterator[_Draft]:
    """The talk between two messages that matter; never repeats a text within a thread."""
    used = {draft.text for draft in before}
    author = before[-1].author
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        author = _other(plan.authors, author, rng)
        kind = rng.random()
        if kind < 0.4:
            yield _Draft(author, _unused(chatter.ACKNOWLEDGEMENTS, used, rng))
        elif kind < 0.75:
            remark, answer = rng.choice(chatter.EXCHANGES)
            if remark not in used:
                used.add(remark)
                yield _Draft(author, remark, is_answered=True)
                author = _other(plan.authors, author, rng)
                yield _Draft(author, answer)
        elif kind < 0.9 or not plan.others:
            text = _slotted(rng.choice(chatter.UNRELATED), rng)
            yield _Draft(author, f"{rng.choice(chatter.MARKERS)} {text}", strays=True)
        else:
            text = rng.choice(chatter.MENTIONS).format(other=rng.choice(plan.others))
            yield _Draft(author, f"{rng.choice(chatter.MARKERS)} {text}", strays=True)


def _is_monologue(drafts: Sequence[_Draft]) -> bool:
    return len({draft.author for draft in drafts}) == 1


def _unused(texts: Sequence[str], used: set[str], rng: Random) -> str:
    text = rng.choice([text for text in texts if text not in used])
    used.add(text)
    return text


def _thinned(drafts: list[_Draft], most: int, rng: Random) -> list[_Draft]:
    """Drop messages without statements until at most `most` are left; a remark and its answer go together."""
    kept = list(drafts)
    while len(kept) > most:
        removable = [place for place, draft in enumerate(kept) if place and not draft.tags]
        if not removable:
            break
        place = rng.choice(removable)
        if kept[place - 1].is_answered:
            place -= 1
        answered_by_chatter = kept[place].is_answered and not kept[place + 1].tags
        del kept[place : place + (2 if answered_by_chatter else 1)]
    return kept


def _anchored(meeting: str, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """The messages, with the meeting named again wherever it would otherwise be ambiguous."""
    anchored, astray = [], False
    for draft in drafts:
        anchors = astray and any(tag.meeting == meeting for tag in draft.tags)
        text = f"{rng.choice(chatter.RETURNS).format(meeting=meeting)} {draft.text}" if anchors else draft.text
        anchored.append(replace(draft, text=text))
        astray = draft.strays or (astray and not anchors)
    return anchored


def _sentences(voice: Voice, group: Sequence[PlannedStatement], rng: Random) -> list[str]:
    return [say(item.statement, replace(voice, correcting=item.correcting), rng) for item in group]


def _tags(meeting: str, group: Sequence[PlannedStatement]) -> tuple[MeetingStatement, ...]:
    return tuple(MeetingStatement(meeting=meeting, statement=item.statement) for item in group)


def _sent(thread_id: str, channel: str, first: datetime, drafts: Sequence[_Draft], rng: Random) -> Thread:
    messages = []
    sent = _at_work(first)
    for draft in drafts:
        messages.append(Message(sent=sent, author=draft.author, text=draft.text, tags=draft.tags))
        sent = _at_work(sent + timedelta(minutes=_gap(rng)))
    return Thread(thread_id=thread_id, channel=channel, messages=tuple(messages))


def _gap(rng: Random) -> int:
    """Minutes between two messages."""
    return rng.choices((rng.randint(1, 12), rng.randint(13, 75), rng.randint(120, 300)), (70, 23, 7))[0]


def _at_work(moment: datetime) -> datetime:
    """The moment itself or, outside working hours, the start of the next working day."""
    if moment.time() >= _DAY_ENDS:
        moment = datetime.combine(moment.date() + timedelta(days=1), _DAY_STARTS, moment.tzinfo)
    elif moment.time() < _DAY_STARTS:
        moment = datetime.combine(moment.date(), _DAY_STARTS, moment.tzinfo)
    while moment.weekday() >= 5:
        moment = datetime.combine(moment.date() + timedelta(days=1), _DAY_STARTS, moment.tzinfo)
    return moment


def _other(authors: Sequence[str], last: str | None, rng: Random) -> str:
    return rng.choice([author for author in authors if author != last] or list(authors))


_TIMES: Final = (
    "8:45",
    "9:30",
    "10:00",
    "11:15",
    "11:45",
    "12:30",
    "13:15",
    "14:30",
    "15:00",
    "16:00",
    "16:45",
    "17:30",
)


def _slotted(text: str, rng: Random) -> str:
    """A small-talk template with its fields filled in."""
    number = rng.randint(2, 9)
    return text.format(
        number=number,
        ordinal=ordinal(number),
        minutes=rng.randint(10, 60),
        time=rng.choice(_TIMES),
        weekday=WEEKDAYS[rng.randrange(5)],
        dish=rng.choice(DISHES),
        build=rng.randint(1000, 9999),
        year=rng.randint(2019, 2025),
    )

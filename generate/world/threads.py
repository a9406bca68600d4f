"""Chat threads: statements spread over the messages of several people, mixed with other talk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from random import Random
from typing import NamedTuple

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.choices import capitalised, chosen
from mpcbench.generate.wording.phrasing import Voice, say
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.smalltalk import ADDITIONS, DISHES, GENERIC_REPLIES, OWN_REPLIES, TIMES, TOPICS
from mpcbench.generate.wording.values import WEEKDAYS, ordinal
from mpcbench.schema import AddParticipant, MeetingStatement, Message, RemoveParticipant, Statement, Thread

FEWEST, MOST = 2, 15
"""The minimum and maximum number of messages of a thread."""

_MOST_TALK = 4
"""The most messages of a thread about a meeting that answer, ask or remark something."""

_MOST_GROUPS = 5
"""Statements are no longer split at random into more messages than this."""

_DAY_STARTS, _DAY_ENDS = time(8, 30), time(18, 0)


class Part(NamedTuple):
    """A stretch of a thread that speaks of one meeting."""

    meeting: str
    """The meeting's key, which its tags carry."""

    called: str
    """How the thread refers to the meeting, with its article; empty if only the opening does."""

    statements: tuple[PlannedStatement, ...]
    """In order; a correction follows in a later message than what it corrects."""


class Hearsay(NamedTuple):
    """A message about another meeting that binds nobody."""

    author: str
    text: str
    claim: Statement
    """What it passes on, without being sure."""


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """One thread to be written."""

    thread_id: str
    channel: str
    first: datetime
    """The time of the first message; moved to the next working time if outside working hours."""

    opening: str
    """What the first message begins with; tells which meeting the thread's first part is about."""

    parts: tuple[Part, ...]
    """One part or several, each of which turns to its meeting by name."""

    speakers: tuple[str, ...]
    """The person IDs of two or more people who take part in the meetings; the first opens the thread."""

    organiser: str
    """The person ID of whoever announced the meeting, one of the speakers."""

    voice: Voice
    subject: str = ""
    """What the meeting is about, for talk about it; empty if the thread does not name that."""

    is_kickoff: bool = False
    is_announced: bool = False
    """Whether its first speaker has announced, or announces here, to be the one who makes statements."""

    deputy: str | None = None
    """The person ID of somebody else, who speaks for the organiser and says so."""

    notices: tuple[str, ...] = ()
    """Sentences that follow the last statement about the first part's meeting."""

    hearsay: tuple[Hearsay, ...] = ()
    """Left out if the thread itself states what one of them claims."""

    others: tuple[str, ...] = ()
    """Names of other meetings that may be mentioned, without statements about them."""


@dataclass(slots=True)
class _Draft:
    """A message without its time."""

    author: str
    text: str
    tags: tuple[MeetingStatement, ...] = ()


def write_thread(plan: ThreadPlan, rng: Random) -> Thread:
    """Write a thread; each tag is on the message whose text expresses it.

    Messages have increasing times within the working hours of the voice's zone. A message with statements names its
    meeting unless this meeting is the last that the thread has named: other meetings are only mentioned at the end.
    """
    drafts = _written(plan, rng)
    while len(drafts) < FEWEST or len({draft.author for draft in drafts}) < 2 or rng.random() < 0.25:
        more = _reply(plan, drafts, rng) if len(plan.parts) == 1 else _acknowledging(plan, drafts, rng)
        if not more:
            break
        drafts += more
    first = plan.first.astimezone(plan.voice.zone)
    return _sent(plan.thread_id, plan.channel, first, [*drafts, *_asides(plan, drafts, rng)], rng)


def smalltalk_thread(
    thread_id: str, channel: str, first: datetime, authors: Sequence[str], rng: Random, *, most: int = 4
) -> Thread:
    """A thread without a meeting or statements; times are in the zone of `first`.

    It has two replies less than `most` to `most` replies, and half the time one more.
    """
    topic = rng.choice(TOPICS)
    replies = rng.sample(topic.replies, rng.randint(most - 2, most))
    if rng.random() < 0.5:
        replies.insert(rng.randint(0, len(replies)), rng.choice(GENERIC_REPLIES))
    opening = rng.choice(topic.openers)
    if rng.random() < 0.25:
        opening = f"{opening} {rng.choice(ADDITIONS)}"
    drafts = [_Draft(authors[0], _slotted(opening, rng))]
    own = iter(rng.sample(OWN_REPLIES, len(replies)))
    for reply in replies:
        author = _other(authors, drafts[-1].author, rng)
        drafts.append(_Draft(author, next(own) if author == authors[0] else _slotted(reply, rng)))
    return _sent(thread_id, channel, first, drafts, rng)


def fitting(
    statements: Sequence[PlannedStatement], new: Sequence[str], changes: Sequence[str], both: Sequence[str]
) -> Sequence[str]:
    """The texts that go with statements: with new ones alone, with changes alone, or with both."""
    kinds = {item.correcting for item in statements}
    return both if len(kinds) > 1 else changes if True in kinds else new


def _written(plan: ThreadPlan, rng: Random) -> list[_Draft]:
    """The messages that make statements, with some of the talk between them."""
    own, *others = plan.parts
    groups = list(_grouped(own.statements, rng))
    drafts = [_opener(plan, own, groups.pop(0), rng)]
    for group in groups:
        if rng.random() < 0.3:
            drafts += _reply(plan, drafts, rng)
        drafts += _stating(plan, own, group, drafts, rng)
    drafts[-1].text = " ".join((drafts[-1].text, *plan.notices))
    for part in others:
        author = rng.choice(plan.speakers)
        turn = chosen(rng.choice(chatter.TURNS), rng).format(meeting=part.called)
        sentences = _sentences(plan, author, part.statements, rng)
        drafts.append(_Draft(author, " ".join((turn, *sentences)), _tags(part.meeting, part.statements)))
    return drafts


def _grouped(statements: Sequence[PlannedStatement], rng: Random) -> Iterator[list[PlannedStatement]]:
    """The statements grouped into messages; corrections are in a later one than what they correct.

    The more statements there are, the more a message holds, which limits the length of the thread.
    """
    most = max(3, -(-len(statements) // 4))
    group: list[PlannedStatement] = []
    begun = 1
    for item in statements:
        corrects = item.correcting and bool(group) and not group[-1].correcting
        splits = begun < _MOST_GROUPS and rng.random() < 0.6 / most
        if group and (corrects or len(group) == most or splits):
            yield group
            group = []
            begun += 1
        group.append(item)
    if group:
        yield group


def _opener(plan: ThreadPlan, part: Part, group: Sequence[PlannedStatement], rng: Random) -> _Draft:
    """The first message, which makes the first statements."""
    author = plan.speakers[0]
    sentences = _sentences(plan, author, group, rng)
    afterthoughts = fitting(group, chatter.FORGOTTEN, chatter.REVISED, chatter.AFTERTHOUGHTS)
    backgrounds = [
        text
        for text in (chatter.BACKGROUNDS if plan.is_kickoff else afterthoughts)
        if plan.subject or "{subject}" not in text
    ]
    if rng.random() < 0.25:
        background = chosen(rng.choice(backgrounds), rng).format(subject=plan.subject)
        sentences.append(capitalised(background))
    return _Draft(author, " ".join((plan.opening, *sentences)), _tags(part.meeting, group))


def _stating(
    plan: ThreadPlan, part: Part, group: Sequence[PlannedStatement], before: Sequence[_Draft], rng: Random
) -> Iterator[_Draft]:
    """A message that makes statements about a meeting, perhaps after a question to the organiser."""
    heard = {draft.author for draft in before}
    if plan.deputy is not None and plan.deputy not in heard and rng.random() < 0.5:
        lead = chosen(rng.choice(chatter.ON_BEHALF), rng).format(organiser=plan.voice.names[plan.organiser])
        text = " ".join((lead, *_sentences(plan, None, group, rng)))
        yield _Draft(plan.deputy, text, _tags(part.meeting, group))
        return
    author = _speaker(plan, group, before, rng)
    sentences = _sentences(plan, author, group, rng)
    curious = [speaker for speaker in plan.speakers if speaker not in (plan.organiser, before[-1].author)]
    if author == plan.organiser and curious and not group[0].correcting and rng.random() < 0.3:
        yield _Draft(rng.choice(curious), chosen(rng.choice(chatter.QUESTIONS[group[0].statement.kind]), rng))
    if rng.random() < 0.06:
        sentences.append(chosen(rng.choice(chatter.CLOSINGS), rng))
    yield _Draft(author, rng.choice((" ", "\n")).join(sentences), _tags(part.meeting, group))


def _speaker(plan: ThreadPlan, group: Sequence[PlannedStatement], before: Sequence[_Draft], rng: Random) -> str:
    """Who makes statements: mostly the organiser, but whoever said it corrects it, and nobody their own attendance."""
    if plan.is_announced:
        return plan.organiser
    changed = {
        item.statement.person_id for item in group if isinstance(item.statement, AddParticipant | RemoveParticipant)
    }
    able = [speaker for speaker in plan.speakers if speaker not in changed]
    kinds = {item.statement.kind for item in group if item.correcting}
    said_it = [draft.author for draft in before if any(tag.statement.kind in kinds for tag in draft.tags)]
    for author in (*said_it[-1:], *([plan.organiser] if rng.random() < 0.6 else [])):
        if author in able:
            return author
    return rng.choice(able)


def _reply(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """An acknowledgement, or a remark and its answer; nothing if the thread has enough of that."""
    room = _MOST_TALK - sum(not draft.tags for draft in drafts)
    if room >= 2 and rng.random() < 0.4:
        return _exchange(plan, drafts, rng)
    return _acknowledging(plan, drafts, rng) if room > 0 else []


def _acknowledging(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """One message in answer to the last statements; none if nobody is left who has not answered anything yet."""
    stated = [draft.author for draft in drafts if draft.tags][-1]
    silent = {stated, drafts[-1].author, *(draft.author for draft in drafts if not draft.tags)}
    listeners = [speaker for speaker in plan.speakers if speaker not in silent]
    if not listeners:
        return []
    first = plan.voice.names[stated].split()[0]
    words = (*chatter.ACKNOWLEDGEMENTS, *(chatter.WELCOMES if plan.is_kickoff else ()))
    return [_Draft(rng.choice(listeners), chosen(rng.choice(words), rng).format(first=first))]


def _exchange(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """A question to the organiser or a remark, and its answer."""
    askers = [speaker for speaker in plan.speakers if speaker not in (plan.organiser, drafts[-1].author)]
    asked = [*chatter.ASKED, *chatter.REMARKED] if askers else chatter.REMARKED
    remark, answer = rng.choice([one for one in asked if plan.subject or "{subject}" not in "".join(one)])
    if (remark, answer) in chatter.REMARKED:
        author = _other(plan.speakers, drafts[-1].author, rng)
        answering = _other(plan.speakers, author, rng)
    else:
        author, answering = rng.choice(askers), plan.organiser
    texts = [chosen(text, rng).format(subject=plan.subject) for text in (remark, answer)]
    return [_Draft(who, capitalised(text)) for who, text in zip((author, answering), texts, strict=True)]


def _asides(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> Iterator[_Draft]:
    """What is said about other meetings after everything else."""
    stated = [tag.statement for draft in drafts for tag in draft.tags]
    last = drafts[-1].author
    for author, text, claim in plan.hearsay:
        if claim not in stated:
            yield _Draft(author, text)
            return
    if plan.others and rng.random() < 0.15:
        yield _Draft(
            _other(plan.speakers, last, rng), rng.choice(chatter.MENTIONS).format(other=rng.choice(plan.others))
        )


def _sentences(plan: ThreadPlan, author: str | None, group: Sequence[PlannedStatement], rng: Random) -> list[str]:
    """What an author says; without one, nobody is "I"."""
    return [say(item.statement, replace(plan.voice, author=author, correcting=item.correcting), rng) for item in group]


def _tags(meeting: str, group: Sequence[PlannedStatement]) -> tuple[MeetingStatement, ...]:
    return tuple(MeetingStatement(meeting=meeting, statement=item.statement) for item in group)


def _sent(thread_id: str, channel: str, first: datetime, drafts: Sequence[_Draft], rng: Random) -> Thread:
    messages = []
    sent = _at_work(first, rng)
    for draft in drafts:
        messages.append(Message(sent=sent, author=draft.author, text=draft.text, tags=draft.tags))
        sent = _at_work(sent + timedelta(minutes=_gap(rng)), rng)
    return Thread(thread_id=thread_id, channel=channel, messages=tuple(messages))


def _gap(rng: Random) -> int:
    """Minutes between two messages."""
    return rng.choices((rng.randint(1, 12), rng.randint(13, 75), rng.randint(120, 300)), (70, 23, 7))[0]


def _at_work(moment: datetime, rng: Random) -> datetime:
    """The moment itself or, outside working hours, some time in the next working morning."""
    day = moment.date()
    if moment.weekday() < 5 and _DAY_STARTS <= moment.time() < _DAY_ENDS:
        return moment
    if moment.time() >= _DAY_ENDS:
        day += timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return datetime.combine(day, _DAY_STARTS, moment.tzinfo) + timedelta(minutes=rng.randint(0, 150))


def _other(authors: Sequence[str], last: str | None, rng: Random) -> str:
    return rng.choice([author for author in authors if author != last] or list(authors))


def _slotted(text: str, rng: Random) -> str:
    """A small-talk template with its fields filled in."""
    number = rng.randint(2, 9)
    return text.format(
        number=number,
        ordinal=ordinal(number),
        minutes=rng.randint(10, 60),
        time=rng.choice(TIMES),
        weekday=WEEKDAYS[rng.randrange(5)],
        dish=rng.choice(DISHES),
        build=rng.randint(1000, 9999),
        year=rng.randint(2019, 2025),
    )

"""Chat threads: statements spread over the messages of several people, mixed with other talk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from random import Random
from typing import NamedTuple

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.phrasing import Voice, say
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.smalltalk import ADDITIONS, DISHES, GENERIC_REPLIES, TIMES, TOPICS
from mpcbench.generate.wording.values import WEEKDAYS, ordinal
from mpcbench.schema import AddParticipant, MeetingStatement, Message, RemoveParticipant, Thread

FEWEST, MOST = 3, 15
"""The minimum and maximum number of messages of a thread."""

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


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """One thread to be written."""

    thread_id: str
    channel: str
    first: datetime
    """The time of the first message; moved to the next working time if outside working hours."""

    opening: str
    """What the first message begins with; tells which meeting the thread's first part is about."""

    background: str
    """A sentence that states nothing, for a first message that would otherwise be short."""

    parts: tuple[Part, ...]
    """One part or several, each of which turns to its meeting by name."""

    speakers: tuple[str, ...]
    """The person IDs of two or more people who take part in the meetings; the first opens the thread."""

    organiser: str
    """The person ID of whoever announced the meeting."""

    voice: Voice
    deputy: str | None = None
    """The person ID of somebody else, who speaks for the organiser and says so."""

    notices: tuple[str, ...] = ()
    """Sentences that the first message ends with."""

    hearsay: tuple[Hearsay, ...] = ()

    others: tuple[str, ...] = ()
    """Names of other meetings that may be mentioned, without statements about them."""


@dataclass(slots=True)
class _Draft:
    """A message without its time."""

    author: str
    text: str
    meeting: str | None = None
    """The key of the meeting that it is about, or None for other talk."""

    tags: tuple[MeetingStatement, ...] = ()
    strays: bool = False
    """Whether it speaks of something else, so that the next statement has to name its meeting again."""

    is_answered: bool = False
    """Whether the next message answers it, so that nothing may come in between."""


def write_thread(plan: ThreadPlan, rng: Random) -> Thread:
    """Write a thread; each tag is on the message whose text expresses it.

    Messages have increasing times within the working hours of the voice's zone. A statement names its meeting unless
    this meeting is the last that the thread has named.
    """
    drafts = _written(plan, rng)
    while len(drafts) < FEWEST or _is_monologue(drafts) or (len(drafts) < MOST - 1 and rng.random() < 0.3):
        drafts += _acknowledging(plan, drafts, rng) or _exchange(plan, drafts, rng)
    first = plan.first.astimezone(plan.voice.zone)
    return _sent(plan.thread_id, plan.channel, first, _anchored(plan, drafts, rng), rng)


def smalltalk_thread(thread_id: str, channel: str, first: datetime, authors: Sequence[str], rng: Random) -> Thread:
    """A thread without a meeting or statements; times are in the zone of `first`."""
    topic = rng.choice(TOPICS)
    replies = rng.sample(topic.replies, rng.randint(2, 4))
    if rng.random() < 0.5:
        replies.insert(rng.randint(0, len(replies)), rng.choice(GENERIC_REPLIES))
    opening = f"{rng.choice(topic.openers)} {rng.choice(ADDITIONS)}"
    drafts = [_Draft(authors[0], _slotted(opening, rng))]
    for reply in replies:
        drafts.append(_Draft(_other(authors, drafts[-1].author, rng), _slotted(reply, rng)))
    return _sent(thread_id, channel, first, drafts, rng)


def _written(plan: ThreadPlan, rng: Random) -> list[_Draft]:
    """The messages of all parts, with the talk between them."""
    drafts: list[_Draft] = []
    for number, part in enumerate(plan.parts):
        groups = list(_grouped(part.statements, rng))
        if number == 0:
            drafts.append(_opener(plan, part, groups, rng))
        for place, group in enumerate(groups):
            drafts += _between(plan, drafts, rng)
            if number and place == 0:
                turn = rng.choice(chatter.TURNS).format(meeting=part.called)
                author = _speaker(plan, group, rng)
                sentences = " ".join(_sentences(plan, author, group, rng))
                drafts.append(_Draft(author, f"{turn} {sentences}", part.meeting, _tags(part.meeting, group)))
            else:
                drafts += _stating(plan, part, group, drafts, rng)
    drafts = _thinned(drafts, MOST - 1 - len(plan.hearsay), rng)
    for author, text in plan.hearsay:
        gaps = [place for place in range(1, len(drafts) + 1) if not drafts[place - 1].is_answered]
        drafts.insert(rng.choice(gaps), _Draft(author, text, strays=True))
    return drafts


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


def _opener(plan: ThreadPlan, part: Part, groups: list[list[PlannedStatement]], rng: Random) -> _Draft:
    """The first message. It may make the first group of statements, which it then removes."""
    opening, author = plan.opening, plan.speakers[0]
    tags: tuple[MeetingStatement, ...] = ()
    leads_on = opening.endswith(":")
    may_state = bool(groups) and author not in _changed_by(groups[0])
    states = may_state and (leads_on or rng.random() < 0.5)
    if not states and leads_on:
        opening = opening[:-1] + "."
    parts = [opening]
    if not states or (not leads_on and rng.random() < 0.4):
        parts.append(plan.background)
    if states:
        group = groups.pop(0)
        parts += _sentences(plan, author, group, rng)
        tags = _tags(part.meeting, group)
    return _Draft(author, " ".join((*parts, *plan.notices)), part.meeting, tags)


def _stating(
    plan: ThreadPlan, part: Part, group: Sequence[PlannedStatement], before: Sequence[_Draft], rng: Random
) -> Iterator[_Draft]:
    """A message that makes statements about a meeting, perhaps after a question that somebody else asks."""
    author = _speaker(plan, group, rng)
    if plan.deputy not in (None, *(draft.author for draft in before)) and rng.random() < 0.5:
        assert plan.deputy is not None
        author = plan.deputy
        parts = _sentences(plan, None, group, rng)
        parts.insert(0, rng.choice(chatter.ON_BEHALF).format(organiser=plan.voice.names[plan.organiser]))
    else:
        parts = _sentences(plan, author, group, rng)
        curious = [speaker for speaker in plan.speakers if speaker not in (author, plan.organiser)]
        if curious and not group[0].correcting and rng.random() < 0.4:
            question = rng.choice(chatter.QUESTIONS[group[0].statement.kind])
            yield _Draft(rng.choice(curious), question, is_answered=True)
        elif rng.random() < 0.3:
            parts.insert(0, rng.choice(chatter.LEAD_INS))
    if rng.random() < 0.25:
        parts.append(rng.choice(chatter.CLOSINGS))
    yield _Draft(author, rng.choice((" ", " ", "\n")).join(parts), part.meeting, _tags(part.meeting, group))


def _speaker(plan: ThreadPlan, group: Sequence[PlannedStatement], rng: Random) -> str:
    """Who makes statements: often the organiser, and nobody whom they add or remove."""
    changed = _changed_by(group)
    if plan.organiser in plan.speakers and plan.organiser not in changed and rng.random() < 0.5:
        return plan.organiser
    return rng.choice([speaker for speaker in plan.speakers if speaker not in changed])


def _changed_by(group: Sequence[PlannedStatement]) -> set[str]:
    return {
        item.statement.person_id for item in group if isinstance(item.statement, AddParticipant | RemoveParticipant)
    }


def _between(plan: ThreadPlan, before: Sequence[_Draft], rng: Random) -> Iterator[_Draft]:
    """The talk between two messages that matter; never repeats a text within a thread."""
    drafts = list(before)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        kind = rng.random()
        if kind < 0.4:
            found = _acknowledging(plan, drafts, rng)
        elif kind < 0.75:
            found = _exchange(plan, drafts, rng)
        elif any(not part.called for part in plan.parts):
            continue
        else:
            about_meeting = plan.others and rng.random() < 0.4
            template = rng.choice(chatter.MENTIONS if about_meeting else chatter.UNRELATED)
            other = rng.choice(plan.others) if about_meeting else ""
            text = _slotted(template.replace("{other}", other), rng)
            author = _other(plan.speakers, drafts[-1].author, rng)
            found = [_Draft(author, f"{rng.choice(chatter.MARKERS)} {text}", strays=True)]
        yield from found
        drafts += found


def _acknowledging(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """One message by somebody who made neither the last statement nor the last message; none if there is nobody."""
    silent = {*[draft.author for draft in drafts if draft.tags][-1:], drafts[-1].author}
    listeners = [speaker for speaker in plan.speakers if speaker not in silent]
    used = [draft.text for draft in drafts]
    words = [word for word in chatter.ACKNOWLEDGEMENTS if not any(text.startswith(word) for text in used)]
    text = rng.choice(words) + rng.choice(chatter.ACKNOWLEDGEMENT_ENDINGS)
    return [_Draft(rng.choice(listeners), text)] if listeners else []


def _exchange(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """A remark and its answer, which do not occur in the thread yet."""
    used = {draft.text for draft in drafts}
    remark, answer = rng.choice([exchange for exchange in chatter.EXCHANGES if exchange[0] not in used])
    author = _other(plan.speakers, drafts[-1].author, rng)
    return [_Draft(author, remark, is_answered=True), _Draft(_other(plan.speakers, author, rng), answer)]


def _is_monologue(drafts: Sequence[_Draft]) -> bool:
    return len({draft.author for draft in drafts}) < 2


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


def _anchored(plan: ThreadPlan, drafts: Sequence[_Draft], rng: Random) -> list[_Draft]:
    """The messages, with a meeting named again wherever the thread has named something else since."""
    called = {part.meeting: part.called for part in plan.parts}
    anchored, astray = [], False
    for draft in drafts:
        text = draft.text
        if astray and draft.tags and draft.meeting is not None and not text.startswith(_TURNS):
            text = f"{rng.choice(chatter.RETURNS).format(meeting=called[draft.meeting])} {text}"
        astray = draft.strays or (astray and not draft.tags)
        anchored.append(replace(draft, text=text))
    return anchored


_TURNS = tuple(turn.partition("{")[0] for turn in chatter.TURNS)


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

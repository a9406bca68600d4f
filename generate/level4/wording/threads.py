"""Write the messages of a thread from their tags."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Final

from mpcbench.generate.level4.wording import talk
from mpcbench.generate.level4.wording.facts import say_fact
from mpcbench.generate.level4.wording.names import Names, names_of
from mpcbench.generate.level4.wording.statements import CALLED, Speech, other_meetings, say, sentence
from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import capitalised, one_of
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.statements import (
    Agenda,
    Agreed,
    Declined,
    Delegate,
    Organiser,
    Said,
)
from mpcbench.schema.level4.world import LadderMessage, LadderThread, LadderWorld

_ADDS_UP: Final = {"ban_window", "after_entry", "equipment", "equipment_of", "after_meeting", "organiser", "delegate"}
_SCALAR_AS: Final = {"duration_of": "duration", "site_of": "site", "invite": "invited", "uninvite": "invited"}


@dataclass
class _Thread:
    """What has been written of a thread so far."""

    names: Names
    rng: Random
    thread: LadderThread
    organisers: dict[str, str]
    plans: set[str]
    texts: list[str] = field(default_factory=list)
    """The messages written so far, without what they quote."""

    stated: list[dict[MeetingRef, list[str]]] = field(default_factory=list)
    """By message: the sentences that state something, by what they are about."""

    ambiguous: set[str] = field(default_factory=set)
    """Of these sentences, those that name another meeting besides: after them "it" could be either."""

    called: str = CALLED[0]
    """What the present message calls a meeting that it does not name."""

    last: MeetingRef | None = None
    """The meeting last named, if there is no doubt."""

    delegates: dict[tuple[str, str], datetime] = field(default_factory=dict)
    """Since when people may decide whom the planning was handed over to, by person and meeting."""

    naming: int | None = None
    """The place of a message that names what it is about whatever has been said before."""

    known: set[tuple[str, str]] = field(default_factory=set)
    """The kinds of statements made, by meeting."""

    def meaning(self, ref: str) -> str:
        """What a reference means, or the reference itself if its alias is not defined here."""
        return self.names.known_meaning(ref)

    def decides(self, message: LadderMessage, about: MeetingRef) -> bool:
        """Whether the author may decide at that moment, as far as it is known here."""
        meeting = self.meaning(about)
        organiser = self.organisers.get(meeting, self.thread.messages[0].author)
        since = self.delegates.get((message.author, meeting))
        return message.author == organiser or (since is not None and since <= message.sent)


def worded(
    thread: LadderThread,
    office: LadderWorld | Names,
    rng: Random,
    *,
    organisers: Mapping[str, str] | None = None,
    delegates: Mapping[tuple[str, str], datetime] | None = None,
    plans: Collection[str] = (),
    naming: int | None = None,
) -> LadderThread:
    """The thread with a text for each message that has none.

    Args:
        thread: Messages with their tags, by time.
        office: Has the people, teams, roles, rosters, sites, rooms, entries and definitions that the tags refer to. Give
            its `Names` where many threads are written.
        rng: Chooses among the phrasings.
        organisers: Person IDs by full names of meetings, where they are not stated in the thread or the office. It
            only matters for the mood: what others say reads as a proposal. Without one it is the author of the thread.
        delegates: When other threads hand the planning over, by person ID and full name of the meeting.
        plans: The full names of plans whose agenda is stated neither in the thread nor in the office.
        naming: The place of a message that names what it is about whatever has been said before, so that a search
            for the name shows it.

    Raises:
        PhrasingError: something cannot be expressed so that it can only mean its tag.
    """
    said = [tag for message in thread.messages for tag in message.tags]
    names = names_of(office).knowing([tag for tag in said if isinstance(tag, Definition)])
    state = _Thread(
        names,
        rng,
        thread,
        {**names.organisers, **(organisers or {})},
        {*names.plans, *plans},
        delegates={**(delegates or {})},
        naming=naming,
    )
    for tag in said:
        if isinstance(tag, Said) and isinstance(tag.statement, Organiser):
            state.organisers.setdefault(state.meaning(tag.about), state.meaning(tag.statement.person))
        if isinstance(tag, Said) and isinstance(tag.statement, Agenda):
            state.plans.add(state.meaning(tag.about))
    messages = tuple(message.model_copy(update={"text": _text(message, state)}) for message in thread.messages)
    return thread.model_copy(update={"messages": messages})


def _text(message: LadderMessage, state: _Thread) -> str:
    rng = state.rng
    state.stated.append({})
    if message.text or not message.tags:
        text = message.text or " ".join(
            one_of((one,), rng) for one in rng.sample(talk.SMALL_TALK, rng.choice((1, 1, 2)))
        )
        state.texts.append(text)
        return text
    quote, before = "", state.last
    state.called = rng.choice(CALLED)
    parts: list[str] = []
    for place, tag in enumerate(message.tags):
        if isinstance(tag, Said | Agreed | Declined):
            if place == 0 and (quoted := _quoted(tag, state)):
                quote, state.last = f"> {quoted}\n", tag.about
            parts += _about_meeting(tag, message, state, quoted=bool(place == 0 and quote))
        else:
            parts += say_fact(tag, state.names, rng)
            state.last = None
    if quote and state.last != before and not any(state.names.names(part, state.last) for part in parts):
        state.last = None
    if rng.random() < 0.3:
        small = one_of(talk.SMALL_TALK, rng)
        parts = [*parts, small] if quote or rng.random() < 0.5 else [small, *parts]
    state.texts.append(" ".join(parts))
    return quote + " ".join(parts)


def _quoted(tag: Said | Agreed | Declined, state: _Thread) -> str | None:
    """The sentence to quote at the beginning of a message so that it is clear what it is about, or None for no quote.

    It is the only one of its message about the meeting, stands in no other message, and its message is about no other.
    What is said after it speaks of "it", so it names no other meeting either; an answer means the sentence itself.
    """
    if isinstance(tag, Said):
        sources, chance = range(len(state.texts)), 0.15
    else:
        sources, chance = range(tag.message, tag.message + 1), 0.4
    found = []
    for source in sources:
        stated = state.stated[source]
        if set(stated) == {tag.about} and len(stated[tag.about]) == 1:
            (line,) = stated[tag.about]
            if sum(line in text for text in state.texts) == 1:
                found.append(line)
    if not found or state.rng.random() >= chance:
        return None
    line = state.rng.choice(found)
    return None if isinstance(tag, Said) and line in state.ambiguous else line


def _about_meeting(tag: Said | Agreed | Declined, message: LadderMessage, state: _Thread, *, quoted: bool) -> list[str]:
    rng, names = state.rng, state.names
    others = other_meetings(tag.statement) if isinstance(tag, Said) else set()
    is_first = not quoted and not state.stated[-1]
    named = tag.about != state.last or bool(others) or (is_first and rng.random() < 0.4)
    named = named or state.naming == len(state.texts)
    way = rng.choices(("inside", "lead", "topic"), (5, 3, 2))[0] if isinstance(tag, Said) else "lead"
    if tag.about in state.stated[-1] and way == "topic":
        way = "inside"  # it is no other topic
    lead, topic = "", []
    if named and way == "topic":
        topics = talk.FIRST_TOPICS if is_first and not state.texts else talk.GREETED_TOPICS if is_first else talk.TOPICS
        topic = [one_of(topics, rng).format(meeting=names.meeting(tag.about))]
    if named and way == "lead":
        lead = one_of(talk.LEADS, rng).format(meeting=names.meeting(tag.about))
    if isinstance(tag, Said):
        kind = _SCALAR_AS.get(tag.statement.kind, tag.statement.kind)
        meeting = state.meaning(tag.about)
        speech = Speech(
            names,
            rng,
            names.office.zone,
            message.sent.astimezone(names.office.zone).date(),
            message.author,
            decides=state.decides(message, tag.about),
            is_plan=meeting in state.plans,
            named=tag.about if named and way == "inside" else None,
            called=state.called,
            site=names.home(message.author) if rng.random() < 0.4 else None,
            changed=(meeting, kind) in state.known and kind not in _ADDS_UP,
        )
        body = say(tag.statement, speech)
        if speech.decides:
            state.known.add((meeting, kind))
        if speech.decides and isinstance(tag.statement, Delegate):
            state.delegates.setdefault((state.meaning(tag.statement.person), meeting), message.sent)
    else:
        body = sentence(_answer(tag, message, state, quoted=quoted))
    text = capitalised(lead + body)
    state.stated[-1].setdefault(tag.about, []).append(text)
    if others:
        state.ambiguous.add(text)
    state.last = None if others else tag.about
    return [*topic, text]


def _answer(tag: Agreed | Declined, message: LadderMessage, state: _Thread, *, quoted: bool) -> str:
    """What agrees to or declines an earlier message, by a quote before it, its author or its time."""
    rng, earlier = state.rng, state.thread.messages[: len(state.texts)]
    if tag.message >= len(earlier):
        raise PhrasingError(f"message {tag.message} of thread {state.thread.thread_id} is not an earlier one")
    meant = earlier[tag.message]
    texts: tuple[Sequence[str], Sequence[str], Sequence[str]]
    if isinstance(tag, Declined):
        texts = (talk.DECLINED_QUOTE, talk.DECLINED, talk.DECLINED_AT)
    elif state.decides(message, tag.about):
        texts = (talk.AGREED_QUOTE, talk.AGREED, talk.AGREED_AT)
    else:
        texts = (talk.BACKED_QUOTE, talk.BACKED, talk.BACKED_AT)
    if quoted:
        return one_of(texts[0], rng)
    person = state.names.person(meant.author)
    mine = [one for one in earlier if one.author == meant.author]
    if len(mine) == 1:
        return one_of(texts[1], rng).format(person=person)
    if sum(one.sent == meant.sent for one in mine) > 1:
        raise PhrasingError(f"two messages of thread {state.thread.thread_id} have one author and one time")
    local = meant.sent.astimezone(state.names.office.zone)
    style = rng.choice(words.DAY_STYLES)
    clock = words.clock_for(rng, style).write(words.minute_of(local))
    return one_of(texts[2], rng).format(person=person, moment=f"on {words.day(local.date(), style)} at {clock}")

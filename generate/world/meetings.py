"""The threads about one meeting: a kick-off and follow-ups, which may refer to the meeting by less than its name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from random import Random
from typing import Final

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.choices import capitalised, chosen
from mpcbench.generate.wording.meeting_names import MeetingName
from mpcbench.generate.wording.phrasing import Voice
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.values import MONTHS, day
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.generate.world.threads import Hearsay, Part, ThreadPlan, fitting, write_thread
from mpcbench.schema import Message, OptionCount, Participants, Thread, Window
from mpcbench.schema.model import Model

MOST_THREADS: Final = 3
_SHORTEST_QUOTE: Final = 15
"""Shorter lines would fit more than one message."""

_STAYS: Final = (Participants, Window, OptionCount)
"""What a kick-off says itself, so that it shows which meeting it is about."""

_PLAIN_DAYS: Final = (
    "{weekday} {day} {month}",
    "{day} {month}",
    "{month} {day}",
    "{wd} {day} {mon}",
    "the {ordinal} of {month}",
)
Talk = tuple[PlannedStatement, ...]


class Style(StrEnum):
    """How a follow-up refers to its meeting."""

    NAME = "name"
    PROJECT = "project"
    PEOPLE = "people"
    QUOTE = "quote"
    CHANNEL = "channel"


_NAMING: Final = (*5 * [Style.NAME], *5 * [Style.PROJECT], *5 * [Style.PEOPLE], *7 * [Style.QUOTE])
_ANNOUNCED: Final = (*4 * [Style.CHANNEL], Style.NAME, Style.PROJECT)
"""The styles of follow-ups in the channel that the kick-off has announced."""


@dataclass(frozen=True, slots=True)
class MeetingPlan:
    """A meeting to be talked about."""

    key: str
    """What the tags call it."""

    name: MeetingName
    channel: str
    """Where it is announced."""

    thread_ids: Sequence[str]
    """At least `MOST_THREADS`, or one if only the first talk is to be held."""

    talks: tuple[Talk, ...]
    """The statements; what a talk says comes after everything that earlier ones say."""

    people: tuple[str, ...]
    """Two or more people who take part from beginning to end, by person ID."""

    first_day: date
    """The first day of its window."""

    days: int
    """The length of its window."""

    first: datetime
    """The time of the first message; moved to the next working time if outside working hours."""

    voice: Voice
    deputy: str
    """The person ID of somebody else, who may speak for the organiser."""

    known_by_people: bool = True
    """Whether its people and months tell it from the others with its subject and kind."""

    remark: str = ""
    """What the kick-off says about the meeting in parentheses."""

    guest: Part | None = None
    """A part about another meeting, which one of the threads may also contain."""

    others: tuple[str, ...] = ()
    """Names of other meetings that may be mentioned."""

    hearsay: tuple[Hearsay, ...] = ()
    """Messages about other meetings, for any of the threads."""


def write_meeting(plan: MeetingPlan, rng: Random) -> tuple[Thread, ...]:
    """Write one to three threads about a meeting, the kick-off first; each begins after the one before has ended.

    If the kick-off announces where its author will post changes, this author posts all of them there.
    """
    talks = spread(plan.talks, rng) if len(plan.thread_ids) >= MOST_THREADS else plan.talks[:1]
    organiser = rng.choice(plan.people)
    announced = None
    if not any(item.correcting for item in talks[0]) and rng.random() < (0.35 if len(talks) > 1 else 0.15):
        announced = plan.channel if rng.random() < 0.6 else rng.choice(CHANNELS)
    place = "this channel" if announced == plan.channel else f"#{announced}"
    kickoff = write_thread(
        ThreadPlan(
            thread_id=plan.thread_ids[0],
            channel=plan.channel,
            first=plan.first,
            opening=_opening(
                chatter.KICKOFFS, f"the {plan.name} ({plan.remark})" if plan.remark else f"the {plan.name}", rng
            ),
            parts=(Part(plan.key, f"the {plan.name}", talks[0]),),
            speakers=_speakers(plan, organiser, rng),
            organiser=organiser,
            voice=plan.voice,
            subject=plan.name.subject,
            is_kickoff=True,
            is_announced=announced is not None,
            deputy=plan.deputy if announced is None and rng.random() < 0.1 else None,
            notices=() if announced is None else (chosen(rng.choice(chatter.NOTICES), rng).format(place=place),),
            hearsay=plan.hearsay,
            others=plan.others,
        ),
        rng,
    )
    threads = [kickoff]
    for talk in talks[1:]:
        threads.append(_follow_up(plan, threads, talk, announced, rng))
    return tuple(threads)


def spread(talks: Sequence[Talk], rng: Random) -> list[Talk]:
    """The talks, with statements of the first one moved to talks of their own, so that plans vary."""
    spread_out = [list(talk) for talk in talks]
    opening = spread_out[0]
    corrected: set[type[Model]] = {type(item.statement) for talk in talks for item in talk if item.correcting}
    while len(spread_out) < MOST_THREADS and rng.random() < (0.75 if len(spread_out) == 1 else 0.2):
        movable = [item for item in opening if _is_movable(item, corrected, opening)]
        if len(opening) < 3 or not movable:
            break
        moved = rng.choice(movable)
        opening.remove(moved)
        spread_out.insert(rng.randint(1, len(spread_out)), [moved])
    return [tuple(talk) for talk in spread_out]


def _is_movable(item: PlannedStatement, corrected: set[type[Model]], opening: Sequence[PlannedStatement]) -> bool:
    if item.correcting:
        return item is opening[-1]
    return not isinstance(item.statement, _STAYS) and type(item.statement) not in corrected


def reference(plan: MeetingPlan, style: Style, speaker: str, rng: Random) -> str:
    """How a speaker refers to the meeting; with its article, and exact in the world."""
    project, subject, kind = plan.name
    fields = {"project": project, "subject": subject, "kind": kind}
    match style:
        case Style.PROJECT:
            return rng.choice(chatter.PROJECT_REFERENCES).format(**fields)
        case Style.PEOPLE:
            pair = sorted(rng.sample(plan.people, 2), key=speaker.__eq__)
            names = [plan.voice.names[person] for person in pair if person != speaker]
            last_day = plan.first_day + timedelta(days=plan.days - 1)
            months = list(dict.fromkeys(MONTHS[one.month - 1] for one in (plan.first_day, last_day)))
            return rng.choice(chatter.PEOPLE_REFERENCES).format(
                **fields,
                them=" and ".join(names if len(names) == 2 else [*names, "me"]),
                they=" and ".join(names if len(names) == 2 else [*names, "I"]),
                month="/".join(months),
                months=" or ".join(months),
            )
        case _:
            return f"the {plan.name}"


def _follow_up(plan: MeetingPlan, before: Sequence[Thread], talk: Talk, announced: str | None, rng: Random) -> Thread:
    """A later thread: by the organiser in the announced channel, or else often by whoever said what it corrects."""
    kickoff = before[0]
    organiser = kickoff.messages[0].author
    style = rng.choice(_NAMING if announced is None else _ANNOUNCED)
    if style is Style.PEOPLE and not plan.known_by_people:
        style = Style.PROJECT
    others = [person for person in plan.people if person != organiser]
    author = organiser
    if announced is None:
        writers = others if style is Style.QUOTE else [*len(others) * [organiser], *others]
        author = _who_said(before, talk) or rng.choice(writers)
    lines = _quotable(plan, kickoff, author) if style is Style.QUOTE else []
    called = reference(plan, style, author, rng) if style not in (Style.QUOTE, Style.CHANNEL) else ""
    channel = announced or rng.choice((plan.channel, rng.choice(CHANNELS)))
    if lines:
        opening = _quoting(plan, *rng.choice(lines), talk, rng)
    elif style is Style.CHANNEL:
        opening = _opening(_updates(talk), _announcement(plan, kickoff, channel, rng), rng)
    else:
        called = called or reference(plan, Style.PROJECT, author, rng)
        opening = _opening(_updates(talk), called, rng)
    parts: tuple[Part, ...] = (Part(plan.key, called, talk),)
    kinds = {item.statement.kind for item in talk}
    if (
        plan.guest is not None
        and called
        and announced is None
        and kinds.isdisjoint(item.statement.kind for item in plan.guest.statements)
        and rng.random() < 0.3
    ):
        parts, opening = _with_guest(plan.guest, parts[0], opening, rng)
    speakers = _speakers(plan, organiser, rng)
    thread = write_thread(
        ThreadPlan(
            thread_id=plan.thread_ids[len(before)],
            channel=channel,
            first=before[-1].messages[-1].sent + timedelta(hours=rng.randint(2, 30)),
            opening=opening,
            parts=parts,
            speakers=tuple(dict.fromkeys((author, *speakers))),
            organiser=organiser,
            voice=plan.voice,
            subject=plan.name.subject if called else "",
            is_announced=announced is not None,
            deputy=plan.deputy if announced is None and rng.random() < 0.1 else None,
        ),
        rng,
    )
    return _without_date_of_today(thread, _local_day(plan, kickoff)) if style is Style.CHANNEL else thread


def _without_date_of_today(thread: Thread, opened: date) -> Thread:
    """The thread, whose opening refers to the same day, if it is the same day, as "earlier today".

    When the thread begins is only known once it is written.
    """
    first, *others = thread.messages
    if first.sent.date() != opened:
        return thread
    dates = "|".join(re.escape(day(opened, style)) for style in _PLAIN_DAYS)
    text = re.sub(rf" on (?:{dates})\b", " earlier today", first.text, count=1)
    return thread.model_copy(update={"messages": (first.model_copy(update={"text": text}), *others)})


def _local_day(plan: MeetingPlan, thread: Thread) -> date:
    """The day on which a thread begins."""
    return thread.messages[0].sent.astimezone(plan.voice.zone).date()


def _who_said(threads: Sequence[Thread], talk: Talk) -> str | None:
    """The participant who said last what a talk begins with correcting; None if it corrects nothing."""
    said = [
        message.author
        for thread in threads
        for message in thread.messages
        for tag in message.tags
        if talk[0].correcting and tag.statement.kind == talk[0].statement.kind
    ]
    return said[-1] if said else None


def _with_guest(guest: Part, own: Part, opening: str, rng: Random) -> tuple[tuple[Part, ...], str]:
    """A thread that speaks of two meetings, in either order."""
    if rng.random() < 0.5:
        return (own, guest), opening
    return (guest, own), _opening(_updates(guest.statements), guest.called, rng)


def _quotable(plan: MeetingPlan, kickoff: Thread, author: str) -> list[tuple[Message, str]]:
    """The lines of other participants at the kick-off that make statements without naming the meeting."""
    return [
        (message, line)
        for message in kickoff.messages
        if message.author in plan.people and message.author != author
        if any(tag.meeting == plan.key for tag in message.tags)
        for line in message.text.split("\n")
        if str(plan.name) not in line and len(line) >= _SHORTEST_QUOTE
    ]


def _quoting(plan: MeetingPlan, message: Message, line: str, talk: Talk, rng: Random) -> str:
    """An opening that quotes a line with its author and time."""
    sent = message.sent.astimezone(plan.voice.zone)
    introduction = rng.choice(chatter.QUOTES).format(
        author=plan.voice.names[message.author],
        day=day(sent.date(), rng.choice(_PLAIN_DAYS)),
        time=f"{sent:%H:%M}",
    )
    followed = fitting(talk, chatter.QUOTED_MORE, chatter.QUOTED_CHANGES, chatter.QUOTED)
    return f"{introduction}\n> {line}\n{chosen(rng.choice(followed), rng)}"


def _announcement(plan: MeetingPlan, kickoff: Thread, channel: str, rng: Random) -> str:
    """Refer to the meeting by where and when the same author announced it."""
    here = rng.choice(("here", "in this channel"))
    return rng.choice(chatter.CHANNEL_REFERENCES).format(
        kind=plan.name.kind,
        place=here if channel == plan.channel else f"in #{plan.channel}",
        day=day(_local_day(plan, kickoff), rng.choice(_PLAIN_DAYS)),
    )


def _updates(talk: Talk) -> Sequence[str]:
    """The openings of a follow-up that fit what it says."""
    return fitting(talk, chatter.MORE, chatter.CHANGES, chatter.UPDATES)


def _opening(templates: Sequence[str], called: str, rng: Random) -> str:
    return capitalised(rng.choice(chatter.GREETINGS) + chosen(rng.choice(templates), rng).format(meeting=called))


def _speakers(plan: MeetingPlan, organiser: str, rng: Random) -> tuple[str, ...]:
    """Two or three participants, the organiser first."""
    others = [person for person in plan.people if person != organiser]
    return (organiser, *rng.sample(others, min(len(others), rng.choice((1, 2, 2)))))

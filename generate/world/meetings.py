"""The threads about one meeting: a kick-off and follow-ups, which may refer to the meeting by less than its name."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from random import Random
from typing import Final

from mpcbench.generate.wording import thread_talk as chatter
from mpcbench.generate.wording.meeting_names import MeetingName
from mpcbench.generate.wording.phrasing import Voice
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.wording.values import day
from mpcbench.generate.wording.vocabulary import CHANNELS
from mpcbench.generate.world.threads import Hearsay, Part, ThreadPlan, write_thread
from mpcbench.schema import Message, OptionCount, Participants, Thread, Window
from mpcbench.schema.model import Model

MOST_THREADS: Final = 3
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


_STYLES: Final = (
    *4 * [Style.NAME],
    *5 * [Style.PROJECT],
    *4 * [Style.PEOPLE],
    *4 * [Style.QUOTE],
    *3 * [Style.CHANNEL],
)


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

    notices: tuple[str, ...] = ()
    """What else the kick-off says."""

    guest: Part | None = None
    """A part about another meeting, which one of the threads may also contain."""

    others: tuple[str, ...] = ()
    """Names of other meetings that may be mentioned."""

    hearsay: tuple[Hearsay, ...] = ()
    """Messages about other meetings, for any of the threads."""


def write_meeting(plan: MeetingPlan, rng: Random) -> tuple[Thread, ...]:
    """Write one to three threads about a meeting, the kick-off first; each begins after the one before has ended."""
    talks = spread(plan.talks, rng) if len(plan.thread_ids) >= MOST_THREADS else plan.talks[:1]
    organiser = rng.choice(plan.people)
    styles = [rng.choice(_STYLES) for _ in talks[1:]]
    announced = plan.channel if rng.random() < 0.6 else rng.choice(CHANNELS)
    notices = list(plan.notices)
    if Style.CHANNEL in styles or rng.random() < 0.25:
        place, at = (
            ("this channel", "in this channel") if announced == plan.channel else (f"#{announced}", f"in #{announced}")
        )
        notices.append(rng.choice(chatter.NOTICES).format(place=place, at=at))
    kickoff = write_thread(
        ThreadPlan(
            thread_id=plan.thread_ids[0],
            channel=plan.channel,
            first=plan.first,
            opening=_opening(chatter.KICKOFFS, f"the {plan.name}", rng),
            background=rng.choice(chatter.BACKGROUNDS),
            parts=(Part(plan.key, f"the {plan.name}", talks[0]),),
            speakers=_speakers(plan, organiser, rng),
            organiser=organiser,
            voice=plan.voice,
            deputy=plan.deputy if rng.random() < 0.15 else None,
            notices=tuple(notices),
            hearsay=plan.hearsay,
            others=plan.others,
        ),
        rng,
    )
    threads = [kickoff]
    for style, talk in zip(styles, talks[1:], strict=True):
        threads.append(_follow_up(plan, kickoff, style, talk, announced, len(threads), threads[-1], rng))
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
            others = [person for person in plan.people if person != speaker]
            pair = rng.sample(others if len(others) > 1 else plan.people, 2)
            monday = plan.first_day - timedelta(days=plan.first_day.weekday())
            one_week = (plan.first_day - monday).days + plan.days <= 7
            whens, begins = (chatter.WEEKS, monday) if one_week else (chatter.WINDOWS, plan.first_day)
            when = rng.choice(whens).format(day=day(begins, rng.choice(_PLAIN_DAYS)))
            people = " and ".join(plan.voice.names[person] for person in pair)
            return rng.choice(chatter.PEOPLE_REFERENCES).format(**fields, people=people, when=when)
        case _:
            return f"the {plan.name}"


def _follow_up(
    plan: MeetingPlan,
    kickoff: Thread,
    style: Style,
    talk: Talk,
    announced: str,
    number: int,
    before: Thread,
    rng: Random,
) -> Thread:
    organiser = kickoff.messages[0].author
    channel = announced if style is Style.CHANNEL else rng.choice((plan.channel, rng.choice(CHANNELS)))
    speakers = _speakers(plan, organiser, rng)
    if style is not Style.CHANNEL and rng.random() < 0.5:
        speakers = (*speakers[1:], speakers[0])
    parts: tuple[Part, ...] = (Part(plan.key, "", talk),)
    lines = _quotable(plan, kickoff) if style is Style.QUOTE else []
    if lines:
        author, opening = _quoting(plan, *rng.choice(lines), rng)
        speakers = tuple(sorted(speakers, key=author.__eq__))
    elif style is Style.CHANNEL:
        announcement = _announcement(plan, kickoff, channel, rng)
        opening = _opening(chatter.UPDATES, announcement, rng)
    else:
        called = reference(plan, style, speakers[0], rng)
        opening = _opening(chatter.UPDATES, called, rng)
        parts = (Part(plan.key, called, talk),)
        if plan.guest is not None and rng.random() < 0.3:
            parts, opening = _with_guest(plan.guest, parts[0], opening, rng)
    return write_thread(
        ThreadPlan(
            thread_id=plan.thread_ids[number],
            channel=channel,
            first=before.messages[-1].sent + timedelta(hours=rng.randint(2, 30)),
            opening=opening,
            background=rng.choice(chatter.AFTERTHOUGHTS),
            parts=parts,
            speakers=speakers,
            organiser=organiser,
            voice=plan.voice,
            deputy=plan.deputy if style is not Style.CHANNEL and rng.random() < 0.15 else None,
            others=plan.others,
        ),
        rng,
    )


def _with_guest(guest: Part, own: Part, opening: str, rng: Random) -> tuple[tuple[Part, ...], str]:
    """A thread that speaks of two meetings, in either order."""
    if rng.random() < 0.5:
        return (own, guest), opening
    return (guest, own), _opening(chatter.UPDATES, guest.called, rng)


def _quotable(plan: MeetingPlan, kickoff: Thread) -> list[tuple[Message, str]]:
    """The lines of the kick-off that make statements without naming the meeting, with their messages."""
    talk = {*chatter.LEAD_INS, *chatter.CLOSINGS}
    return [
        (message, line)
        for message in kickoff.messages
        if any(tag.meeting == plan.key for tag in message.tags)
        for line in message.text.split("\n")
        if str(plan.name) not in line and line not in talk and not line.endswith(":")
    ]


def _quoting(plan: MeetingPlan, message: Message, line: str, rng: Random) -> tuple[str, str]:
    """The author of a line, and an opening that quotes it with its author and time."""
    sent = message.sent.astimezone(plan.voice.zone)
    introduction = rng.choice(chatter.QUOTES).format(
        author=plan.voice.names[message.author],
        day=day(sent.date(), rng.choice(_PLAIN_DAYS)),
        time=f"{sent:%H:%M}",
    )
    return message.author, f"{introduction}\n> {line}\n{rng.choice(chatter.QUOTED)}"


def _announcement(plan: MeetingPlan, kickoff: Thread, channel: str, rng: Random) -> str:
    """Refer to the meeting by where and when the same author announced it."""
    here = rng.choice(("here", "in this channel"))
    opened = kickoff.messages[0].sent.astimezone(plan.voice.zone).date()
    return rng.choice(chatter.CHANNEL_REFERENCES).format(
        kind=plan.name.kind,
        place=here if channel == plan.channel else f"in #{plan.channel}",
        day=day(opened, rng.choice(_PLAIN_DAYS)),
    )


def _opening(templates: Sequence[str], called: str, rng: Random) -> str:
    text = rng.choice(templates).format(greeting=rng.choice(chatter.GREETINGS), meeting=called)
    return text[0].upper() + text[1:]


def _speakers(plan: MeetingPlan, organiser: str, rng: Random) -> tuple[str, ...]:
    """Two or three participants, the organiser first."""
    others = [person for person in plan.people if person != organiser]
    return (organiser, *rng.sample(others, min(len(others), rng.choice((1, 2, 2)))))

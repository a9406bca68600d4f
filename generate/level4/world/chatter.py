"""The chat of the office: what is made known there, talk about its own meetings, and small talk."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import OFFICE_NAMES, OFFICE_THREADS, thread_id
from mpcbench.generate.level4.world.meetings import Remark, talk_of
from mpcbench.generate.level4.world.names import meeting_names
from mpcbench.generate.level4.world.news import Posting, working_time
from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.sites import SATURDAY, TODAY, moment
from mpcbench.generate.wording.vocabulary import CHANNELS as CHANNELS_OF_LOWER_LEVELS
from mpcbench.generate.world.threads import smalltalk_thread
from mpcbench.schema.level4.facts import Fact, Handover, NewManager, Swap
from mpcbench.schema.level4.world import LadderMessage, LadderThread, LadderWorld

CHANNELS: Final = (*CHANNELS_OF_LOWER_LEVELS, "engineering", "people", "facilities", "help-desk", "travel", "research")
DIRECT: Final = "direct"
THREADS: Final = 2500
MEETINGS: Final = 640
"""How many meetings of its own the office talks about."""

_NEWEST, _OLDEST = 4, 40
"""How many days before today the talk about a meeting begins."""

_MORNING, _EVENING = 8 * 60, 18 * 60 + 30


def chatter(
    office: LadderWorld, people: Staff, aliases: Mapping[str, str], posted: Sequence[Posting], rng: Random
) -> Iterator[LadderThread]:
    """All threads; messages that state something have no text yet.

    Args:
        office: The people, roles and rosters.
        people: The same people by team.
        aliases: The aliases of some of the office's own meetings, by their full names.
        posted: The facts that are made known in the chat.
        rng: The random numbers.
    """
    ids = (thread_id(office.seed, OFFICE_THREADS + place) for place in count())
    threads = [*_news(office, ids, posted, rng), *_meetings(office, people, aliases, ids, rng)]
    yield from threads
    for _ in range(THREADS - len(threads)):
        authors = [person.person_id for person in rng.sample(people.people, rng.randint(2, 4))]
        channel = rng.choice(CHANNELS) if rng.random() < 0.8 else DIRECT
        talk = smalltalk_thread(next(ids), channel, working_time(rng), authors, rng)
        messages = tuple(
            LadderMessage(sent=one.sent, author=one.author, text=one.text)
            for one in talk.messages
            if one.sent < moment(TODAY, _EVENING - 60)
        )
        yield LadderThread(thread_id=talk.thread_id, channel=channel, messages=messages)


def _news(office: LadderWorld, ids: Iterator[str], posted: Sequence[Posting], rng: Random) -> Iterator[LadderThread]:
    """What is made known in a message by somebody whom it concerns, and what others say to it."""
    for one in posted:
        others = [person.person_id for person in rng.sample(office.people, 3)]
        author = _giving_up(office, one.fact) or others[0]
        remarks = [Remark(author, (one.fact,)), *(Remark(other) for other in others[1 : rng.choice((1, 2, 3))])]
        channel = rng.choice(CHANNELS) if rng.random() < 0.75 else DIRECT
        yield LadderThread(thread_id=next(ids), channel=channel, messages=_sent(remarks, one.posted, rng))


def _giving_up(office: LadderWorld, fact: Fact) -> str | None:
    """Whoever gives up the role, the duty or the person; None if that is nobody in particular."""
    match fact:
        case Handover(role=role_id):
            return next(role.holder for role in office.roles if role.role_id == role_id)
        case NewManager(person_id=person):
            return office.person_by_id[person].manager
        case Swap(roster=roster_id, first=day):
            shifts = next(roster.shifts for roster in office.rosters if roster.roster_id == roster_id)
            return next((shift.person_id for shift in shifts if shift.first <= day <= shift.last), None)
        case _:
            return None


def _meetings(
    office: LadderWorld, people: Staff, aliases: Mapping[str, str], ids: Iterator[str], rng: Random
) -> Iterator[LadderThread]:
    names = [str(one.name) for one in meeting_names(office.seed)[OFFICE_NAMES:]]
    for _, talks in talk_of(office, people, names[:MEETINGS], aliases, rng):
        first = working_time(rng, _NEWEST, _OLDEST)
        home = rng.choice(CHANNELS)
        for remarks in talks:
            channel = rng.choice((home, home, rng.choice(CHANNELS), DIRECT))
            messages = _sent(remarks, first, rng)
            first = _next(messages[-1].sent, rng.randrange(60, 40 * 60), rng)
            if messages[-1].sent < moment(TODAY, _EVENING - 60):
                yield LadderThread(thread_id=next(ids), channel=channel, messages=messages)


def _sent(remarks: Sequence[Remark], first: datetime, rng: Random) -> tuple[LadderMessage, ...]:
    """The messages with their times, without text."""
    messages = []
    sent = first
    for remark in remarks:
        messages.append(LadderMessage(sent=sent, author=remark.author, text="", tags=remark.tags))
        sent = _next(sent, rng.choice((rng.randint(1, 12), rng.randint(1, 12), rng.randint(13, 90))), rng)
    return tuple(messages)


def _next(sent: datetime, minutes: int, rng: Random) -> datetime:
    """So many minutes later or, if that is no working time, on the next working morning."""
    later = moment(sent.date(), sent.hour * 60 + sent.minute + minutes)
    if later.weekday() < SATURDAY and _MORNING <= later.hour * 60 + later.minute < _EVENING:
        return later
    day = later.date() + timedelta(days=later.hour * 60 + later.minute >= _EVENING)
    while day.weekday() >= SATURDAY:
        day += timedelta(days=1)
    return moment(day, _MORNING + rng.randint(0, 120))

"""What an instance adds to the office, before it has times, IDs and words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.naming import PAGES, THREADS, page_id, thread_id
from mpcbench.generate.level4.world.chatter import CHANNELS, DIRECT
from mpcbench.generate.level4.world.sites import SATURDAY, TODAY, moment
from mpcbench.oracle.level4.knowledge import Knowledge, Line, Meaning, lines_of, notices_of
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import MeetingRef
from mpcbench.schema.level4.instance import BookingChanged, Change, EntryChanged, MessageSent, PagePosted
from mpcbench.schema.level4.statements import Agreed, Declined, LadderStatement, Said
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage, LadderThread, Tag
from mpcbench.schema.model import to_minutes

_OLDEST: Final = 34
_SPAN: Final = 14 * 10 * 60
"""The working minutes that the pauses between threads may take."""

_MORNING, _EVENING = 8 * 60, 18 * 60


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to a proposal."""

    author: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One message about a meeting, and what is said to it."""

    talk: int
    """The number of the thread; threads follow one another in time."""

    about: MeetingRef
    author: str
    statements: tuple[LadderStatement, ...]
    answer: Answer | None = None
    decoy: bool = False
    """Whether it is there only to be told from what holds."""

    fixed: bool = False
    """Whether it stays even if some of it changes nothing: first messages, and talk about other meetings."""

    @property
    def said(self) -> tuple[Said, ...]:
        """Its tags."""
        return tuple(Said(about=self.about, statement=one) for one in self.statements)


@dataclass(frozen=True, slots=True)
class Naming:
    """The definition of an alias, and the kind of page that states it; None: a message."""

    definition: Definition
    collection: LadderCollection | None
    author: str


@dataclass(frozen=True, slots=True)
class Script:
    """All that an instance says."""

    subject: MeetingRef
    task: tuple[Said, ...]
    parts: tuple[Part, ...]
    namings: tuple[Naming, ...] = ()

    def without(self, part: int, statement: int) -> "Script":
        """The script without one statement; a part that states nothing is left out."""
        one = self.parts[part]
        fewer = one.statements[:statement] + one.statements[statement + 1 :]
        kept = (replace(one, statements=fewer),) if fewer else ()
        return replace(self, parts=self.parts[:part] + kept + self.parts[part + 1 :])

    def organiser_of(self, part: Part) -> str:
        """Who decides about what a part is about: whoever answers it or makes decisions about it."""
        means = {f"alias:{one.definition.alias}": one.definition.means for one in self.namings}
        about = part.about
        while about in means:
            about = means[about]
        first = next(one for one in self.parts if one.about == about and one.fixed)
        return first.author


@dataclass(frozen=True, slots=True)
class Tagged:
    """What an instance adds, with IDs and times but without words."""

    subject: MeetingRef
    task: tuple[Said, ...]
    threads: tuple[LadderThread, ...]
    pages: tuple[LadderPage, ...]
    change: Change | None = None

    def known(self, office: Knowledge) -> Knowledge:
        """What the office and this instance hold, before its change, without the task."""
        lines: list[Line] = []
        aliases = {**office.aliases}
        for thread in self.threads:
            for number, message in enumerate(thread.messages):
                sent = to_minutes(message.sent)
                lines += lines_of(thread.thread_id, number, sent, message.author, message.tags)
                for tag in message.tags:
                    if isinstance(tag, Definition):
                        aliases[tag.alias] = Meaning(f"thread:{thread.thread_id}", tag.means)
        for page in self.pages:
            for fact in page.facts:
                if isinstance(fact, Definition):
                    aliases[fact.alias] = Meaning(f"{page.collection}:{page.page_id}", fact.means)
        return office.saying(lines).having(aliases=aliases)

    def known_after(self, office: Knowledge) -> Knowledge:
        """The same after its change."""
        match None if self.change is None else self.change.edit:
            case MessageSent(thread_id=thread_id, message=message):
                threads = tuple(
                    one.model_copy(update={"messages": (*one.messages, message)}) if one.thread_id == thread_id else one
                    for one in self.threads
                )
                return replace(self, threads=threads).known(office)
            case PagePosted(page=page):
                return self.known(office).having(notices=(*office.notices, *notices_of(page)))
            case EntryChanged(person_id=person, entry=entry):
                calendars = {**office.calendars, person: _with(office.calendars[person], entry)}
                return self.known(office).having(calendars=calendars)
            case BookingChanged(room_id=room, entry=entry):
                bookings = {**office.bookings, room: _with(office.bookings[room], entry)}
                return self.known(office).having(bookings=bookings)
            case _:
                return self.known(office)


def _with(timeline: Timeline, entry: Entry) -> Timeline:
    return Timeline((*timeline.entries, entry), timeline)


def tagged(script: Script, seed: int, place: int, rng: Random) -> Tagged:
    """The script with IDs and times.

    Args:
        script: What is said.
        seed: Of the office.
        place: The instance's place in the world.
        rng: Chooses times and channels.
    """
    clock = _Clock(rng, len({part.talk for part in script.parts}))
    pages: list[LadderPage] = []
    found: list[tuple[str, tuple[LadderMessage, ...]]] = []
    used: dict[LadderCollection, int] = {}
    for naming in script.namings:
        posted = clock.anywhere()
        if naming.collection is None:
            message = LadderMessage(sent=posted, author=naming.author, text="", tags=(naming.definition,))
            found.append((rng.choice(CHANNELS), (message,)))
            continue
        number = used.get(naming.collection, 0)
        used[naming.collection] = number + 1
        name = page_id(seed, naming.collection, PAGES * place + number)
        pages.append(
            LadderPage(
                page_id=name,
                collection=naming.collection,
                title="",
                text="",
                posted=posted,
                facts=(naming.definition,),
            )
        )
    home = rng.choice(CHANNELS)
    for talk in sorted({part.talk for part in script.parts}):
        parts = [part for part in script.parts if part.talk == talk]
        channel = rng.choice((home, home, rng.choice(CHANNELS), DIRECT))
        found.append((channel, tuple(_messages(parts, clock, rng))))
        clock.pause()
    ids = rng.sample(range(THREADS * place, THREADS * (place + 1)), len(found))
    threads = tuple(
        LadderThread(thread_id=thread_id(seed, number), channel=channel, messages=messages)
        for number, (channel, messages) in zip(ids, found, strict=True)
    )
    return Tagged(script.subject, script.task, threads, tuple(pages))


def _messages(parts: Sequence[Part], clock: "_Clock", rng: Random) -> Iterator[LadderMessage]:
    """The messages of a thread, with small talk between some."""
    count = 0
    authors = sorted({part.author for part in parts})
    for part in parts:
        yield LadderMessage(sent=clock.tick(), author=part.author, text="", tags=part.said)
        place, count = count, count + 1
        if part.answer is None:
            if part.decoy and rng.random() < 0.5:
                yield LadderMessage(sent=clock.tick(), author=rng.choice(authors), text="", tags=())
                count += 1
            continue
        kind = Agreed if part.answer.agrees else Declined
        tag: Tag = kind(about=part.about, message=place)
        yield LadderMessage(sent=clock.tick(), author=part.answer.author, text="", tags=(tag,))
        count += 1


class _Clock:
    """Gives out working times before today, each later than the one before."""

    def __init__(self, rng: Random, talks: int) -> None:
        self.rng = rng
        self.longest = max(40, min(9 * 60, _SPAN // max(1, talks)))
        days = [TODAY - timedelta(days=back) for back in range(_OLDEST - 8, _OLDEST)]
        first = rng.choice([day for day in days if day.weekday() < SATURDAY])
        self.now = moment(first, rng.randrange(_MORNING, _EVENING - 240))

    def tick(self) -> datetime:
        """Some minutes later."""
        self.now = self._later(
            self.rng.choice((self.rng.randint(1, 12), self.rng.randint(1, 12), self.rng.randint(13, 80)))
        )
        return self.now

    def pause(self) -> None:
        """Some time later: the more threads there are, the sooner the next one begins."""
        self.now = self._later(self.rng.randrange(20, self.longest))

    def anywhere(self) -> datetime:
        """A working time of the weeks before today."""
        days = [TODAY - timedelta(days=back) for back in range(2, 60)]
        day = self.rng.choice([day for day in days if day.weekday() < SATURDAY])
        return moment(day, self.rng.randrange(_MORNING, _EVENING))

    def _later(self, minutes: int) -> datetime:
        later = self.now + timedelta(minutes=minutes)
        if later.weekday() < SATURDAY and _MORNING <= later.hour * 60 + later.minute < _EVENING:
            return later
        day = later.date() + timedelta(days=later.hour * 60 + later.minute >= _EVENING)
        while day.weekday() >= SATURDAY:
            day += timedelta(days=1)
        return moment(day, _MORNING + self.rng.randint(0, 90))

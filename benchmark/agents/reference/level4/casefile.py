"""What has been read in an episode, and the knowledge that it amounts to."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mpcbench.benchmark.agents.reference.level4.grammar_fact import FactReader, NoticePart, joined
from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.grammar_task import TaskRead
from mpcbench.benchmark.agents.reference.level4.grammar_thread import read_thread
from mpcbench.benchmark.agents.reference.level4.mentions import Mentions
from mpcbench.benchmark.agents.reference.level4.phrases import Phrases, UnreadableError, sentences
from mpcbench.benchmark.agents.reference.level4.register import Register, bare
from mpcbench.benchmark.agents.reference.level4.resolver import Message
from mpcbench.benchmark.agents.reference.level4.shown import Page, RosterPage, SitePage
from mpcbench.oracle.level4.knowledge import Knowledge, Line, Meaning, Place, Posted, Stated, lines_of, reading_order
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Definition, Fact, Handover, NewManager, Notice, Swap
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.policy import Policy
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from mpcbench.schema.level4.world import Role, Roster, Shift, Tag, Team
from mpcbench.schema.model import to_minutes
from mpcbench.schema.world import Room

if TYPE_CHECKING:
    from mpcbench.benchmark.agents.reference.level4.desk import Inquiry

_NOTICE = re.compile(r"\bnotice N\d+", re.IGNORECASE)
_TASK_TIME: Final = -(2**62)


class Source(NamedTuple):
    """A text that may state a fact."""

    when: int
    record: str
    author: str | None
    today: date | None
    text: str


class Stretch(NamedTuple):
    """Some days of one calendar."""

    kind: str
    """`calendars`, `team_calendars` or `bookings`."""

    owner: str
    first: date
    """By the calendar's clock."""


@dataclass
class CaseFile:
    """Everything that has been read; all IDs of people are those of the register."""

    register: Register
    task: TaskRead | None = None
    threads: dict[str, list[Message]] = field(default_factory=dict)
    """Authors by the ID of the register."""

    direct: set[str] = field(default_factory=set)
    """Those threads that are direct messages."""

    pages: dict[str, Page] = field(default_factory=dict)
    """By record."""

    sites: dict[str, SitePage] = field(default_factory=dict)
    policies: tuple[Policy, ...] = ()
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The members of teams whose pages have been read."""

    rosters: dict[str, RosterPage] = field(default_factory=dict)
    holders: dict[str, str | None] = field(default_factory=dict)
    """The holders of roles on record, by the names of the roles."""

    holidays: dict[str, tuple[date, ...]] = field(default_factory=dict)
    rooms: dict[str, Room] = field(default_factory=dict)
    entries: dict[tuple[str, str], dict[str, Entry]] = field(default_factory=lambda: defaultdict(dict))
    """By kind of calendar and owner, then by event ID."""

    seen: set[Stretch] = field(default_factory=set)
    asked: dict[Any, "Callable[[CaseFile], Inquiry[None]]"] = field(default_factory=dict)
    """The questions that have been pursued, in their order, and how."""

    reads_all: bool = False
    """Whether threads about other meetings count, too: only for agents that take one meeting for another."""

    terms: dict[str, None] = field(default_factory=dict)
    """The names that facts are looked for by, in lower case."""

    openings: set[str] = field(default_factory=set)
    """The sites whose exceptional opening hours are known."""

    confirmed: set[str] = field(default_factory=set)
    """The rooms and notices of which it is known which notices name them."""

    unreadable: dict[str, UnreadableError] = field(default_factory=dict)
    """The threads that cannot be read yet."""

    termed: Mentions = field(default_factory=Mentions)
    """Which texts hold one of the terms."""

    _tags: dict[str, tuple[Any, tuple[tuple[Tag, ...], ...]]] = field(default_factory=dict)
    _calendars: dict[tuple[str, str], Timeline] = field(default_factory=dict)
    _facts: dict[tuple[str, str], Fact | NoticePart | None] = field(default_factory=dict)

    def look_for(self, *names: str) -> None:
        """Read what is stated about these names from now on."""
        self.terms |= dict.fromkeys(name.lower() for name in names)

    # What is said.

    def concerned(self) -> list[str]:
        """The threads that name a meeting that matters."""
        if self.reads_all:
            return list(self.threads)
        names = self.register.names_meeting
        return [thread for thread, messages in self.threads.items() if any(names(one.text) for one in messages)]

    def lines(self) -> Iterator[Line]:
        """What the task and the threads say about meetings."""
        if self.task is not None:
            for place, said in enumerate(self.task.statements):
                yield Line(_TASK_TIME, "", 0, place, None, said)
        for thread in self.concerned():
            messages = self.threads[thread]
            for number, (message, tags) in enumerate(zip(messages, self._tags_of(thread), strict=True)):
                stated = [tag for tag in tags if isinstance(tag, Said | Agreed | Declined)]
                yield from lines_of(thread, number, to_minutes(message.sent), message.author, stated)

    def _tags_of(self, thread: str) -> tuple[tuple[Tag, ...], ...]:
        messages = self.threads[thread]
        state = (len(messages), *self.register.state)
        known = self._tags.get(thread)
        if known is None or known[0] != state:
            try:
                tags = read_thread(messages, self.register)
                self.unreadable.pop(thread, None)
            except UnreadableError as error:
                tags = ((),) * len(messages)
                self.unreadable[thread] = error
            known = self._tags[thread] = state, tags
        return known[1]

    # Facts.

    def facts(self) -> list[tuple[tuple[int, str, int], Fact]]:
        """The facts about what is looked for, in the order in which they were stated."""
        found: list[tuple[tuple[int, str, int], Fact]] = []
        for sources in self._sources():
            read = [one for source in sources for one in self._read(source)]
            found += (((sources[0].when, sources[0].record, place), fact) for place, fact in enumerate(joined(read)))
        return sorted(found, key=lambda one: one[0])

    def _sources(self) -> Iterator[list[Source]]:
        """The texts, each thread and page by itself; of threads those of one message."""
        for record, page in self.pages.items():
            yield [Source(to_minutes(page.posted), record, None, None, page.text)]
        for thread, messages in self.threads.items():
            for message in messages:
                day = message.sent.astimezone(self.register.zone).date()
                yield [Source(to_minutes(message.sent), f"thread:{thread}", message.author, day, message.text)]

    def _read(self, source: Source) -> Iterator[Fact | NoticePart]:
        if not self.termed.holds(source.text, self.terms):
            return
        for sentence in sentences(source.text):
            if self.termed.holds(sentence, self.terms) or _NOTICE.search(sentence):
                key = (source.record, sentence)
                if key not in self._facts:
                    self._facts[key] = self._fact(source, sentence)
                fact = self._facts[key]
                if fact is not None:
                    yield fact

    def _fact(self, source: Source, sentence: str) -> Fact | NoticePart | None:
        fact = None
        with suppress(UnreadableError):  # what is said besides may name days without their year
            phrases = Phrases(sentence, source.today, self.register)
            fact = FactReader(NameReader(self.register, source.author)).read(phrases)
        if fact is None and _NOTICE.search(sentence):
            raise UnreadableError(sentence, f"{source.record} cannot be read")
        return _without_articles(fact) if isinstance(fact, Definition) else fact

    # Knowledge.

    def knowledge(self) -> Knowledge:
        """What all of this amounts to. What has not been looked at is taken to stand in nobody's way."""
        facts = self.facts()
        register = self.register
        for order, fact in facts:
            if isinstance(fact, Definition):
                register.aliases[fact.alias] = Meaning(order[1], fact.means)
        lines = defaultdict(list)
        for line in self.lines():
            lines[line.tag.about].append(line)
        return Knowledge(
            zone=register.zone,
            subject="" if self.task is None else self.task.subject,
            lines={about: tuple(sorted(some, key=reading_order)) for about, some in lines.items()},
            aliases=dict(register.aliases),
            people=register.colleagues(),
            teams={
                team: Team(team_id=team, name=name, members=self.members.get(team, ()))
                for name, team in register.teams.items()
            },
            roles={
                role: Role(role_id=role, name=name, holder=self.holders.get(name), shown_in="page:role")
                for name, role in register.roles.items()
            },
            rosters={
                roster: Roster(
                    roster_id=roster,
                    name=roster,
                    shifts=tuple(
                        Shift(first=first, last=last, person_id=register.id_of(person))
                        for first, last, person in page.shifts
                    ),
                )
                for roster, page in self.rosters.items()
            },
            handovers=tuple(Stated(order, fact) for order, fact in facts if isinstance(fact, Handover)),
            new_managers=tuple(Stated(order, fact) for order, fact in facts if isinstance(fact, NewManager)),
            swaps=tuple(Stated(order, fact) for order, fact in facts if isinstance(fact, Swap)),
            sites={name: Place(page.zone, page.country, page.opening) for name, page in self.sites.items()},
            holidays=dict(self.holidays),
            policies=self.policies,
            notices=tuple(Posted(order[1], fact) for order, fact in facts if isinstance(fact, Notice)),
            calendars=self._timelines("calendars"),
            team_calendars=self._timelines("team_calendars"),
            rooms=tuple(sorted(self.rooms.values(), key=lambda room: room.room_id)),
            bookings=self._timelines("bookings"),
        )

    def _timelines(self, kind: str) -> dict[str, Timeline]:
        return {owner: self._timeline(kind, owner) for what, owner in self.entries if what == kind}

    def _timeline(self, kind: str, owner: str) -> Timeline:
        """The same as before as long as no entries have been added, for it keeps what follows from them."""
        entries = self.entries[kind, owner]
        known = self._calendars.get((kind, owner))
        if known is None or len(known.entries) < len(entries):
            known = self._calendars[kind, owner] = Timeline(tuple(entries.values()))
        return known


def _without_articles(fact: Definition) -> Definition:
    means = f"{ALIAS}{bare(fact.means.removeprefix(ALIAS))}" if fact.means.startswith(ALIAS) else fact.means
    return Definition(alias=bare(fact.alias), means=means)


def references_in(value: Any) -> Iterator[str]:
    """The references by alias in a dumped tag."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from references_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from references_in(one)
    elif isinstance(value, str) and value.startswith(ALIAS):
        yield value


def empty(zone: tzinfo) -> CaseFile:
    """A case of which nothing is known but the zone."""
    return CaseFile(Register(zone))


def replace_changing(case: CaseFile) -> CaseFile:
    """The case without what may have changed; the names that were learnt stay."""
    case.register.doubt()
    return CaseFile(
        case.register,
        task=case.task,
        sites=case.sites,
        policies=case.policies,
        members=case.members,
        rosters=case.rosters,
        holders=case.holders,
        holidays=case.holidays,
        rooms=case.rooms,
        terms=case.terms,
        reads_all=case.reads_all,
        termed=case.termed,
    )

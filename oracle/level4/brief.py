"""What holds about a meeting: statements folded under the authority of those who may decide."""

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from mpcbench.oracle.interval import Interval
from mpcbench.oracle.level4.knowledge import Knowledge, Line, reading_order
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import (
    BanWindow,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    RequiredWindow,
    Room,
    Site,
    TieBreak,
    TieBreakKey,
    Window,
)
from mpcbench.schema.level4.people import (
    AtLeast,
    Invitation,
    ManagerOf,
    MembersOf,
    Named,
    Required,
    SamePeople,
    StandIn,
    Who,
)
from mpcbench.schema.level4.people import Optional as OptionalInvitation
from mpcbench.schema.level4.statements import (
    AfterEntry,
    AfterMeeting,
    Agenda,
    Agreed,
    DailyLimit,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    LadderStatement,
    Organiser,
    Said,
    Seats,
    SiteOf,
    TentativeEntries,
    Uninvite,
)
from mpcbench.schema.model import minute_of_day, to_minutes


class EntryKey(NamedTuple):
    """An occurrence of an entry of a person's calendar."""

    person: str
    event_id: str
    day: date | None


@dataclass(frozen=True, slots=True)
class Brief:
    """What holds about one meeting or plan. Instants and lengths in minutes; None or empty: nothing is said."""

    name: str
    organiser: str | None
    duration: int | None = None
    count: int | None = None
    window: Interval | None = None
    daily: tuple[int, int] | None = None
    invitations: tuple[Invitation, ...] = ()
    guests: int = 0
    seats: int | None = None
    deadline: int | None = None
    not_before: int | None = None
    bans: tuple[Interval, ...] = ()
    required: tuple[Interval, ...] = ()
    after_entries: tuple[EntryKey, ...] = ()
    after_meetings: tuple[str, ...] = ()
    tentative: bool | None = None
    tie_break: tuple[TieBreakKey, ...] = ()
    equipment: frozenset[str] = frozenset()
    site: str | None = None
    agenda: tuple[str, ...] = ()
    daily_limit: int | None = None

    def suits(self, room: Room) -> bool:
        """Whether a room is at the site and has the equipment asked for."""
        return (self.site is None or room.site == self.site) and self.equipment.issubset(room.equipment)


class Reader:
    """Folds what is said; briefs are kept, since meetings refer to one another."""

    def __init__(self, knowledge: Knowledge, like: "Reader | None" = None, changed: Collection[str] = ()) -> None:
        """`like` has read the same, but for what is said about the meetings in `changed`."""
        self.knowledge = knowledge
        self.subject = self.resolved(knowledge.subject)
        self._briefs: dict[str, Brief] = {}
        self._read: dict[str, set[str]] = {}
        """The meetings about which something was read, for each of the briefs."""

        self._read_first: set[str]
        """The meetings about which something was read to find the agenda."""

        self._open: list[str] = []
        self.agenda: tuple[str, ...] = ()
        if like is not None and like._read_first.isdisjoint(changed):  # noqa: SLF001 - of the same class
            self.agenda, self._read_first = like.agenda, like._read_first  # noqa: SLF001
        else:
            self.agenda = self.brief(self.subject).agenda
            self._read_first = self._read[self.subject]
            self._briefs.clear()  # they were read without the plan
            self._read.clear()
        if like is not None and like.agenda == self.agenda:
            self._read = {name: read for name, read in like._read.items() if read.isdisjoint(changed)}  # noqa: SLF001
            self._briefs = {name: like._briefs[name] for name in self._read if name in like._briefs}  # noqa: SLF001

    def resolved(self, reference: str) -> str:
        """What a reference means; raises `UnresolvedError` for an unknown alias."""
        meaning = self.knowledge.meaning(reference)
        if meaning is None:
            msg = f"{reference!r} is not defined"
            raise UnresolvedError(msg)
        return meaning

    def brief(self, name: str) -> Brief:
        """What holds about a meeting or plan; of a meeting on the agenda also what holds about the plan."""
        if name in self._open:
            msg = f"{name!r} refers to itself"
            raise UnresolvedError(msg)
        if name not in self._briefs:
            self._read[name] = {name, self.subject} if name in self.agenda else {name}
            self._open.append(name)
            self._briefs[name] = self._folded(name)
            self._open.pop()
        if self._open:
            self._read[self._open[-1]] |= self._read[name]
        return self._briefs[name]

    def _folded(self, name: str) -> Brief:
        brief = Brief(name, self._organiser(name))
        plan = self.held(self.subject) if name in self.agenda else []
        for _, statement in (*plan, *self.held(name)):
            brief = self._with(brief, statement)
        return brief

    def _organiser(self, name: str) -> str | None:
        own = self._first_organiser(name)
        return own if own is not None or name not in self.agenda else self._first_organiser(self.subject)

    def _first_organiser(self, name: str) -> str | None:
        for line in self.knowledge.said_about(name):
            if isinstance(line.tag, Said) and isinstance(line.tag.statement, Organiser):
                return self._one_of(self.knowledge.people, line.tag.statement.person)
        return None

    def held(self, name: str) -> list[tuple[Line, LadderStatement]]:
        """The statements about a meeting that hold, each with the line by which it holds, in order."""
        sources = {name}
        if name in self.agenda and self._first_organiser(name) is None:
            sources.add(self.subject)
        organiser = self._organiser(name)
        deciders = set() if organiser is None else {organiser}
        lines = [(line, source) for source in sources for line in self.knowledge.said_about(source)]
        found = []
        for line, source in sorted(lines, key=lambda one: reading_order(one[0])):
            if line.author is not None and line.author not in deciders:
                continue
            for statement in self._stated(line, source):
                if isinstance(statement, Delegate):
                    deciders.add(self._one_of(self.knowledge.people, statement.person))
                if source == name:
                    found.append((line, statement))
        return found

    def _stated(self, line: Line, about: str) -> Iterator[LadderStatement]:
        """What a line by somebody who may decide states: its own statement, or those that it agrees to."""
        if isinstance(line.tag, Agreed):
            for said in self.knowledge.said_in(line.thread, line.tag.message, about):
                yield said.statement
        else:
            yield line.tag.statement

    def _with(self, brief: Brief, statement: LadderStatement) -> Brief:
        return replace(brief, **self._changes(brief, statement))

    def _changes(self, brief: Brief, statement: LadderStatement) -> dict[str, Any]:  # noqa: C901, PLR0911, PLR0912
        """The fields of a brief that a statement changes; one case a statement."""
        match statement:
            case Duration(minutes=minutes):
                return {"duration": minutes}
            case DurationOf(meeting=meeting):
                return {"duration": self._other(meeting).duration}
            case OptionCount(count=count):
                return {"count": count}
            case Window(daily=daily):
                hours = None if daily is None else (minute_of_day(daily.start), minute_of_day(daily.end))
                return {"window": _interval(statement), "daily": hours}
            case Invited(invitations=some):
                return {"invitations": self._invited((), some)}
            case Invite(invitation=one):
                return {"invitations": self._invited(brief.invitations, (one,))}
            case Uninvite(who=who):
                key = self._who(who)
                return {"invitations": tuple(one for one in brief.invitations if _key(one) != key)}
            case Guests(count=count):
                return {"guests": count}
            case Seats(count=count):
                return {"seats": count}
            case Deadline(at=at):
                return {"deadline": to_minutes(at)}
            case NotBefore(at=at):
                return {"not_before": to_minutes(at)}
            case BanWindow():
                return {"bans": (*brief.bans, _interval(statement))}
            case RequiredWindow():
                return {"required": (*brief.required, _interval(statement))}
            case AfterEntry(person=person, event_id=event_id, day=day):
                return {"after_entries": (*brief.after_entries, EntryKey(self.resolved(person), event_id, day))}
            case TentativeEntries(block=block):
                return {"tentative": block}
            case TieBreak(keys=keys):
                return {"tie_break": keys}
            case Equipment(items=items):
                return {"equipment": brief.equipment | set(items)}
            case EquipmentOf(meeting=meeting):
                return {"equipment": brief.equipment | self._other(meeting).equipment}
            case Site(site=site):
                return {"site": site}
            case SiteOf(meeting=meeting):
                return {"site": self._other(meeting).site}
            case Agenda(meetings=meetings):
                return {"agenda": tuple(map(self.resolved, meetings))}
            case AfterMeeting(meeting=meeting):
                return {"after_meetings": (*brief.after_meetings, self.resolved(meeting))}
            case DailyLimit(count=count):
                return {"daily_limit": count}
            case Organiser() | Delegate():
                return {}

    def _other(self, meeting: str) -> Brief:
        return self.brief(self.resolved(meeting))

    def _invited(self, before: tuple[Invitation, ...], more: Iterable[Invitation]) -> tuple[Invitation, ...]:
        """The invitations with more; each replaces the one to the same people, if there is one."""
        found = {_key(one): one for one in before}
        for invitation in more:
            if isinstance(invitation, SamePeople):
                found |= {_key(one): one for one in self._other(invitation.meeting).invitations}
            else:
                one = self._invitation(invitation)
                found[_key(one)] = one
        return tuple(found.values())

    def _invitation(self, invitation: Required | OptionalInvitation | StandIn | AtLeast) -> Invitation:
        match invitation:
            case AtLeast(count=count, of=some):
                return AtLeast(count=count, of=tuple(map(self._who, some)))
            case StandIn(who=who, stand_in=stand_in):
                return StandIn(who=self._who(who), stand_in=self._who(stand_in))
            case Required(who=who):
                return Required(who=self._who(who))
            case OptionalInvitation(who=who):
                return OptionalInvitation(who=self._who(who))

    def _who(self, who: Who) -> Who:
        """The same people, without aliases."""
        match who:
            case Named(person=person):
                return Named(person=self._one_of(self.knowledge.people, person))
            case ManagerOf(person=person):
                return ManagerOf(person=self._one_of(self.knowledge.people, person))
            case MembersOf(team=team, contractors=contractors):
                return MembersOf(team=self._one_of(self.knowledge.teams, team), contractors=contractors)
            case _:
                return who

    def _one_of(self, records: Container[str], reference: str) -> str:
        meaning = self.resolved(reference)
        if meaning not in records:
            msg = f"{self.subject!r}: there is no {meaning!r}"
            raise UnresolvedError(msg)
        return meaning


def _key(invitation: Invitation) -> Who | frozenset[Who]:
    """What makes two invitations the same."""
    match invitation:
        case AtLeast(of=some):
            return frozenset(some)
        case Required(who=who) | OptionalInvitation(who=who) | StandIn(who=who):
            return who
        case SamePeople():
            msg = "invitations of another meeting are expanded before they are compared"
            raise AssertionError(msg)


def _interval(span: Window | BanWindow | RequiredWindow) -> Interval:
    return Interval(to_minutes(span.start), to_minutes(span.end))

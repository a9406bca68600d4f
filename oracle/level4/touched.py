"""What a task can touch: the meetings, aliases, people, rosters and roles that its statements lead to."""

from collections.abc import Iterator
from dataclasses import dataclass

from mpcbench.oracle.level4.knowledge import Knowledge, Line
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    Invitation,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    SamePeople,
    StandIn,
    Who,
)
from mpcbench.schema.level4.statements import (
    AfterEntry,
    AfterMeeting,
    Agenda,
    Delegate,
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    Organiser,
    Said,
    SiteOf,
    Uninvite,
)
from mpcbench.schema.model import Model


@dataclass(frozen=True, slots=True)
class Touched:
    """What a task can touch; whatever else changes, its gold stays."""

    subject: str
    meetings: tuple[str, ...]
    """By full name: the subject, its meetings, and those that they refer to."""

    lines: tuple[Line, ...]
    """Everything said about them."""

    aliases: tuple[str, ...]
    """Those used on the way, without prefix."""

    whos: tuple[Who, ...]
    people: frozenset[str]
    """Everybody who may be meant on some day."""


def touched(knowledge: Knowledge) -> Touched:
    """What the knowledge's task can touch; unknown aliases lead nowhere."""
    subject = knowledge.meaning(knowledge.subject) or knowledge.subject
    meetings: dict[str, None] = {}
    lines: list[Line] = []
    references = [knowledge.subject]
    open_names = [subject]
    while open_names:
        name = open_names.pop(0)
        if name in meetings:
            continue
        meetings[name] = None
        found = knowledge.said_about(name)
        lines += found
        references += [line.tag.about for line in found]
        for line in found:
            for reference in _meetings_in(line):
                references.append(reference)
                meaning = knowledge.meaning(reference)
                if meaning is not None:
                    open_names.append(meaning)
    whos = tuple(dict.fromkeys(who for line in lines for who in _whos_in(line)))
    references += [reference for who in whos for reference in _references_of(who)]
    references += [reference for line in lines for reference in _people_in(line)]
    people = {person for who in whos for person in _possible(knowledge, who)}
    people |= {knowledge.meaning(reference) or reference for line in lines for reference in _people_in(line)}
    return Touched(subject, tuple(meetings), tuple(lines), _used(knowledge, references), whos, frozenset(people))


def _used(knowledge: Knowledge, references: list[str]) -> tuple[str, ...]:
    """The aliases among the references, and those that they lead through."""
    used: dict[str, None] = {}
    for reference in references:
        while reference.startswith(ALIAS) and reference.removeprefix(ALIAS) not in used:
            alias = reference.removeprefix(ALIAS)
            if alias not in knowledge.aliases:
                break
            used[alias] = None
            reference = knowledge.aliases[alias].means  # noqa: PLW2901 - follows the chain
    return tuple(used)


def _meetings_in(line: Line) -> Iterator[str]:
    if isinstance(line.tag, Said):
        match line.tag.statement:
            case DurationOf(meeting=one) | EquipmentOf(meeting=one) | SiteOf(meeting=one) | AfterMeeting(meeting=one):
                yield one
            case Agenda(meetings=some):
                yield from some
    for invitation in invitations_in(line):
        if isinstance(invitation, SamePeople):
            yield invitation.meeting


def invitations_in(line: Line) -> tuple[Invitation, ...]:
    """The invitations that a line states."""
    if isinstance(line.tag, Said):
        match line.tag.statement:
            case Invited(invitations=some):
                return some
            case Invite(invitation=one):
                return (one,)
    return ()


def _whos_in(line: Line) -> Iterator[Who]:
    for invitation in invitations_in(line):
        match invitation:
            case AtLeast(of=some):
                yield from some
            case StandIn(who=who, stand_in=stand_in):
                yield from (who, stand_in)
            case SamePeople():
                pass
            case other:
                yield other.who
    if isinstance(line.tag, Said) and isinstance(line.tag.statement, Uninvite):
        yield line.tag.statement.who


def _people_in(line: Line) -> Iterator[str]:
    """The people named other than by invitations."""
    if isinstance(line.tag, Said):
        match line.tag.statement:
            case Organiser(person=person) | Delegate(person=person) | AfterEntry(person=person):
                yield person


def _references_of(who: Model) -> Iterator[str]:
    match who:
        case Named(person=person) | ManagerOf(person=person):
            yield person
        case MembersOf(team=team):
            yield team


def _possible(knowledge: Knowledge, who: Who) -> Iterator[str]:
    """Everybody who may be meant on some day."""
    match who:
        case Named(person=reference):
            person = knowledge.meaning(reference)
            if person is not None:
                yield person
        case Holder(role=role):
            holder = knowledge.roles[role].holder if role in knowledge.roles else None
            if holder is not None:
                yield holder
            yield from (one.fact.person_id for one in knowledge.handovers if one.fact.role == role)
        case ManagerOf(person=reference):
            person = knowledge.meaning(reference) or ""
            if person in knowledge.people:
                yield person
                manager = knowledge.people[person].manager
                yield from () if manager is None else (manager,)
            yield from (one.fact.manager for one in knowledge.new_managers if one.fact.person_id == person)
        case OnRoster(roster=roster):
            if roster in knowledge.rosters:
                yield from (shift.person_id for shift in knowledge.rosters[roster].shifts)
            yield from (one.fact.person_id for one in knowledge.swaps if one.fact.roster == roster)
        case MembersOf(team=reference):
            team = knowledge.meaning(reference) or ""
            yield from knowledge.teams[team].members if team in knowledge.teams else ()

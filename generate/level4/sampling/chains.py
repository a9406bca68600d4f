"""How far a needed record lies from the task: through how many others in a row it is found."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.touched import touched
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
    AfterMeeting,
    Agenda,
    DurationOf,
    EquipmentOf,
    LadderStatement,
    Organiser,
    Said,
    SiteOf,
)

Token = tuple[str, str]
"""A kind of name, and the name."""


def longest_chain(knowledge: Knowledge, needed: Iterable[str]) -> int:
    """Of the needed records, the most others in a row through which one is found, on the shortest way to it."""
    depths = _depths(knowledge)
    return max((depths[record] - 1 for record in needed if record in depths), default=0)


@dataclass
class _Web:
    """Which names lead to which records, and which names these tell."""

    tells: dict[str, set[Token]] = field(default_factory=dict)
    found_by: dict[Token, set[str]] = field(default_factory=dict)

    def add(self, record: str, found_by: Iterable[Token], tells: Iterable[Token]) -> None:
        self.tells.setdefault(record, set()).update(tells)
        for token in found_by:
            self.found_by.setdefault(token, set()).add(record)


def _depths(knowledge: Knowledge) -> dict[str, int]:
    """The number of the step in which each record is found, if every name known leads to all records at once."""
    web = _web(knowledge)
    depths: dict[str, int] = {}
    names = {_meeting(knowledge.subject)} | {
        token for line in touched(knowledge).lines if not line.thread for token in _told(line.tag)
    }
    known = set(names)
    step = 0
    while names:
        step += 1
        records = {record for name in names for record in web.found_by.get(name, ()) if record not in depths}
        depths |= dict.fromkeys(records, step)
        names = {token for record in records for token in web.tells[record]} - known
        known |= names
    return depths


def _web(knowledge: Knowledge) -> _Web:
    found = touched(knowledge)
    web = _Web()
    for line in found.lines:
        if line.thread:
            web.add(line.record, [_meeting(line.tag.about)], _told(line.tag))
    for alias in found.aliases:
        record, means = knowledge.aliases[alias]
        tokens = [_meeting(ALIAS + alias), _meeting(means)]
        web.add(record, tokens, tokens)
    for who in found.whos:
        for record, tells in _about(knowledge, who):
            web.add(record, [_token(who)], tells)
    for person in found.people:
        web.add(f"calendar:{person}", [("person", person)], [])
    return web


def _about(knowledge: Knowledge, who: Who) -> Iterator[tuple[str, list[Token]]]:  # noqa: C901 - one case a kind
    """The records that say who is meant, each with the people whom it names."""
    match who:
        case Holder(role=role) if role in knowledge.roles:
            yield knowledge.roles[role].shown_in, _people(knowledge.roles[role].holder)
            for one in knowledge.handovers:
                if one.fact.role == role:
                    yield one.record, _people(one.fact.person_id)
        case OnRoster(roster=roster):
            yield f"roster:{roster}", _people(*(shift.person_id for shift in knowledge.rosters[roster].shifts))
            for swap in knowledge.swaps:
                if swap.fact.roster == roster:
                    yield swap.record, _people(swap.fact.person_id)
        case ManagerOf(person=person) if person in knowledge.people:
            yield f"person:{person}", _people(knowledge.people[person].manager)
            for change in knowledge.new_managers:
                if change.fact.person_id == person:
                    yield change.record, _people(change.fact.manager)
        case MembersOf(team=team) if team in knowledge.teams:
            yield f"team:{team}", _people(*knowledge.teams[team].members)


def _people(*ids: str | None) -> list[Token]:
    return [("person", one) for one in ids if one is not None]


def _meeting(reference: str) -> Token:
    return ("meeting", reference)


def _told(tag: object) -> Iterator[Token]:
    """The names that a tag tells."""
    if isinstance(tag, Said):
        yield _meeting(tag.about)
        yield from _in_statement(tag.statement)


def _in_statement(statement: LadderStatement) -> Iterator[Token]:
    match statement:
        case Organiser(person=person):
            yield ("person", person)
        case DurationOf(meeting=one) | EquipmentOf(meeting=one) | SiteOf(meeting=one) | AfterMeeting(meeting=one):
            yield _meeting(one)
        case Agenda(meetings=some):
            yield from map(_meeting, some)
        case _:
            invitations = invitations_of(statement)
            for invitation in invitations:
                yield from _in_invitation(invitation)


def invitations_of(statement: LadderStatement) -> tuple[Invitation, ...]:
    """The invitations that a statement makes."""
    if statement.kind == "invited":
        return statement.invitations
    return (statement.invitation,) if statement.kind == "invite" else ()


def _in_invitation(invitation: Invitation) -> Iterator[Token]:
    match invitation:
        case SamePeople(meeting=meeting):
            yield _meeting(meeting)
        case AtLeast(of=some):
            yield from map(_token, some)
        case StandIn(who=who, stand_in=stand_in):
            yield from map(_token, (who, stand_in))
        case other:
            yield _token(other.who)


def _token(who: Who) -> Token:
    match who:
        case Named(person=person):
            return ("person", person)
        case Holder(role=role):
            return ("role", role)
        case ManagerOf(person=person):
            return ("managed", person)
        case OnRoster(roster=roster):
            return ("roster", roster)
        case MembersOf(team=team):
            return ("team", team)

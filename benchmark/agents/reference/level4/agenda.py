"""The agenda, first part: what has to be looked up before it is clear what is asked for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from mpcbench.benchmark.agents.reference.level4 import availability, questions
from mpcbench.benchmark.agents.reference.level4.casefile import CaseFile, references_in
from mpcbench.benchmark.agents.reference.level4.desk import Inquiry
from mpcbench.benchmark.agents.reference.level4.register import undefined
from mpcbench.oracle.level4.brief import Reader
from mpcbench.oracle.level4.knowledge import Knowledge, Line
from mpcbench.oracle.level4.touched import touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
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
    DurationOf,
    EquipmentOf,
    Invite,
    Invited,
    LadderStatement,
    SiteOf,
)

Question = tuple[Any, Callable[[CaseFile], Inquiry[None]]]
"""What is asked, by which it is known whether it has been, and how to pursue it."""


def about_texts(case: CaseFile, knowledge: Knowledge) -> list[Question]:
    """What has to be found out before it is clear what is asked for: texts, names, roles and rosters."""
    asked: list[Question] = [(("documents",), questions.documents)]
    register = case.register
    if register.rosters is None and register.needs_rosters:
        asked.append((("rosters",), questions.rosters))
    asked += [(("entry", need), partial(availability.entry, need=need)) for need in register.needed_entries]
    open_names = [knowledge.subject]
    met: dict[str, None] = {}
    years = _years(knowledge)
    reader = _reader(knowledge)
    while open_names:
        reference = open_names.pop(0)
        unknown = undefined([reference], register)
        for alias in unknown:
            case.look_for(alias)
            asked.append((("defined", alias), partial(questions.defined, alias=alias)))
        name = knowledge.meaning(reference)
        if name is None or name in met:
            continue
        met[name] = None
        for one in (name, *(ref.removeprefix(ALIAS) for ref in knowledge.aliases_of.get(name, ()))):
            case.look_for(one)
            register.meetings[one] = None
            asked.append((("said", one), partial(questions.said, name=one)))
            asked.append((("called", one), partial(questions.called, name=one)))
            if case.reads_all:
                project = " ".join(one.split()[:2])
                asked.append((("said", project), partial(questions.said, name=project)))
        held = _held(knowledge, reader, name)
        for statement in held:
            open_names += _meetings_in(statement)
            for alias in undefined(references_in(statement.model_dump()), register):
                case.look_for(alias)
                asked.append((("defined", alias), partial(questions.defined, alias=alias)))
            for who in _whos_in(statement):
                asked += _about(case, knowledge, who, years)
    return asked


def _reader(knowledge: Knowledge) -> Reader | None:
    try:
        return Reader(knowledge)
    except UnresolvedError:
        return None


def _held(knowledge: Knowledge, reader: Reader | None, name: str) -> list[LadderStatement]:
    """The statements that hold about a meeting or, as long as that cannot be told, all of them."""
    if reader is not None:
        try:
            return [statement for _, statement in reader.held(name)]
        except UnresolvedError:
            pass
    lines: Iterable[Line] = knowledge.said_about(name)
    return [line.tag.statement for line in lines if line.tag.kind == "said"]


def _meetings_in(statement: LadderStatement) -> list[str]:
    found: list[str] = []
    match statement:
        case DurationOf(meeting=one) | EquipmentOf(meeting=one) | SiteOf(meeting=one) | AfterMeeting(meeting=one):
            found.append(one)
        case Invited(invitations=some):
            found += [one.meeting for one in some if isinstance(one, SamePeople)]
        case Invite(invitation=SamePeople(meeting=one)):
            found.append(one)
        case _ if statement.kind == "agenda":
            found += statement.meetings
    return found


def _whos_in(statement: LadderStatement) -> Iterator[Who]:
    some: Sequence[Any] = ()
    match statement:
        case Invited(invitations=invitations):
            some = invitations
        case Invite(invitation=one):
            some = (one,)
        case AfterEntry(person=person):
            yield Named(person=person)
    for invitation in some:
        match invitation:
            case AtLeast(of=whos):
                yield from whos
            case StandIn(who=who, stand_in=stand_in):
                yield from (who, stand_in)
            case SamePeople():
                pass
            case other:
                yield other.who


def _about(case: CaseFile, knowledge: Knowledge, who: Who, years: Sequence[str]) -> Iterator[Question]:
    """What has to be known to tell who is meant."""
    if not years:
        return
    match who:
        case Holder(role=role_id):
            names = [name for name, one in case.register.roles.items() if one == role_id]
            for name in names:
                case.look_for(name)
                yield ("role", name), partial(questions.role, name=name, years=years)
        case OnRoster(roster=roster):
            case.look_for(*(name for name, one in (case.register.rosters or {}).items() if one == roster))
            yield ("roster", roster), partial(questions.roster, roster_id=roster, years=years)
        case ManagerOf(person=reference):
            person = knowledge.meaning(reference)
            if person is not None:
                case.look_for(case.register.name_of(person))
                yield ("manager", person), partial(questions.manager, person=person, years=years)
        case MembersOf(team=reference, contractors=contractors):
            team = knowledge.meaning(reference)
            if team is not None:
                yield ("team", team), partial(questions.team_page, team_id=team)
                for member in () if contractors else case.members.get(team, ()):
                    yield ("person", member), partial(questions.directory, person=member)


def _years(knowledge: Knowledge) -> list[str]:
    """The years of the windows that anybody has named for meetings that matter."""
    found = {
        str(moment.astimezone(knowledge.zone).year)
        for line in touched(knowledge).lines
        if line.tag.kind == "said" and line.tag.statement.kind == "window"
        for moment in (line.tag.statement.start, line.tag.statement.end)
    }
    return sorted(found)

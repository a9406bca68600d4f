"""Who takes part on a given day: invitations resolved through roles, managers, rosters and teams."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    Invitation,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    Required,
    StandIn,
    Who,
)
from mpcbench.schema.level4.people import Optional as OptionalInvitation

_DAY = timedelta(days=1)
People = frozenset[str]


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is needed for one meeting on one day."""

    required: People
    alternatives: tuple[tuple[People, ...], ...]
    """Of each of these, everybody in one of the groups."""

    thresholds: tuple[tuple[int, People], ...]
    """Of each of these, so many of the people."""

    invited: People
    """Everybody who gets a seat."""

    possible: bool
    """False if an invitation that has to be met names nobody."""

    @property
    def choosable(self) -> People:
        """Everybody whose attendance is a matter of choice."""
        groups = [group for groups in self.alternatives for group in groups]
        return frozenset().union(*groups, *(people for _, people in self.thresholds))


def cast(knowledge: Knowledge, invitations: Iterable[Invitation], day: date) -> Cast:
    """Who is needed on a day."""
    required: set[str] = set()
    invited: set[str] = set()
    alternatives, thresholds = [], []
    possible = True
    for invitation in invitations:
        match invitation:
            case Required(who=who):
                people = people_on(knowledge, who, day)
                possible &= bool(people)
                required |= people
                invited |= people
            case OptionalInvitation(who=who):
                invited |= people_on(knowledge, who, day)
            case StandIn(who=who, stand_in=stand_in):
                groups = tuple(group for one in (who, stand_in) if (group := people_on(knowledge, one, day)))
                possible &= bool(groups)
                alternatives.append(groups)
                invited |= frozenset().union(*groups)
            case AtLeast(count=count, of=some):
                people = frozenset().union(*(people_on(knowledge, one, day) for one in some))
                thresholds.append((count, people))
                invited |= people
    for person in invited:
        if person not in knowledge.people:
            msg = f"there is no person {person!r}"
            raise UnresolvedError(msg)
    return Cast(frozenset(required), tuple(alternatives), tuple(thresholds), frozenset(invited), possible)


def people_on(knowledge: Knowledge, who: Who, day: date) -> People:
    """The people meant on a day; references are resolved. Raises `UnresolvedError` for an unknown record."""
    match who:
        case Named(person=person):
            return frozenset({person})
        case Holder(role=role):
            if role not in knowledge.roles:
                msg = f"there is no role {role!r}"
                raise UnresolvedError(msg)
            holder = _latest(_handovers(knowledge, role), day) or knowledge.roles[role].holder
            return frozenset() if holder is None else frozenset({holder})
        case ManagerOf(person=person):
            manager = _latest(_new_managers(knowledge, person), day) or knowledge.people[person].manager
            return frozenset() if manager is None else frozenset({manager})
        case OnRoster(roster=roster):
            return _on_duty(knowledge, roster, day)
        case MembersOf(team=team, contractors=contractors):
            members = knowledge.teams[team].members
            external = {one for one in members if one in knowledge.people and knowledge.people[one].contractor}
            return frozenset(members) if contractors else frozenset(members) - external


def _handovers(knowledge: Knowledge, role: str) -> Iterator[tuple[date, str]]:
    for stated in knowledge.handovers:
        if stated.fact.role == role:
            yield stated.fact.since, stated.fact.person_id


def _new_managers(knowledge: Knowledge, person: str) -> Iterator[tuple[date, str]]:
    for stated in knowledge.new_managers:
        if stated.fact.person_id == person:
            yield stated.fact.since, stated.fact.manager


def _latest(changes: Iterable[tuple[date, str]], day: date) -> str | None:
    """The person of the last change on or before the day; of two of one date the later stated."""
    held = [(since, place, person) for place, (since, person) in enumerate(changes) if since <= day]
    return max(held)[2] if held else None


def _on_duty(knowledge: Knowledge, roster_id: str, day: date) -> People:
    if roster_id not in knowledge.rosters:
        msg = f"there is no roster {roster_id!r}"
        raise UnresolvedError(msg)
    swaps = (
        stated.fact.person_id
        for stated in reversed(knowledge.swaps)
        if stated.fact.roster == roster_id and stated.fact.first <= day <= stated.fact.last
    )
    shifts = (
        shift.person_id for shift in reversed(knowledge.rosters[roster_id].shifts) if shift.first <= day <= shift.last
    )
    person = next(swaps, None) or next(shifts, None)
    return frozenset() if person is None else frozenset({person})


def depends_on_day(invitations: Iterable[Invitation]) -> bool:
    """Whether somebody is invited by role, relation or duty, so that the day may decide who it is."""
    return any(isinstance(who, Holder | ManagerOf | OnRoster) for who in whos_of(invitations))


def whos_of(invitations: Iterable[Invitation]) -> Iterator[Who]:
    """Who is meant by the invitations; those that name another meeting mean nobody of their own."""
    for invitation in invitations:
        match invitation:
            case AtLeast(of=some):
                yield from some
            case StandIn(who=who, stand_in=stand_in):
                yield from (who, stand_in)
            case Required(who=who) | OptionalInvitation(who=who):
                yield who

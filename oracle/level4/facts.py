"""The facts of a task: single things to be found or decided, each of which can be lost."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

from mpcbench.oracle.level4.knowledge import TASK, Knowledge, Line, Place, Stated, without
from mpcbench.oracle.level4.misreadings.calendars import calendars_touched
from mpcbench.oracle.level4.misreadings.entries import EntryEdit
from mpcbench.oracle.level4.misreadings.language import dropped, rewritten, without_alias
from mpcbench.oracle.level4.misreadings.people import without_swap
from mpcbench.oracle.level4.misreadings.rules import with_notice, with_policies
from mpcbench.oracle.level4.touched import Touched
from mpcbench.schema import Equipment, Room
from mpcbench.schema.level4.calendar import Entry, Recurrence, Status
from mpcbench.schema.level4.facts import Handover, NewManager, Notice
from mpcbench.schema.level4.people import Holder, MembersOf
from mpcbench.schema.level4.policy import Policy, Scope
from mpcbench.schema.level4.statements import Invited, Said
from mpcbench.schema.level4.world import Colleague, Team, policy_record

_RECORDS = {"calendars": "calendar", "team_calendars": "team_calendar", "bookings": "room_calendar"}


class Reach:
    """What can matter to a task; whatever else is lost, its gold stays. By default everything can."""

    def calendar(self, kind: str, owner: str) -> bool:  # noqa: ARG002 - for those that narrow it
        """Whether any entry of a calendar can, given its kind and its owner."""
        return True

    def entry(self, kind: str, owner: str, entry: Entry) -> bool:  # noqa: ARG002
        """Whether an entry can, given the kind of calendar and its owner."""
        return True

    def occurrence(self, kind: str, owner: str, days: Iterable[date]) -> bool:  # noqa: ARG002
        """Whether a change to the occurrences of some dates can."""
        return True

    def roster(self, roster_id: str) -> bool:  # noqa: ARG002
        """Whether a roster can."""
        return True

    def member(self, team: str, person: str) -> bool:  # noqa: ARG002
        """Whether a person's place on a team's page can."""
        return True

    def day(self, day: date) -> bool:  # noqa: ARG002
        """Whether a public holiday can."""
        return True

    def notice(self, notice: Notice) -> bool:  # noqa: ARG002
        """Whether a notice can."""
        return True

    def room(self, room: Room) -> bool:  # noqa: ARG002
        """Whether a room's seats and whether it exists can."""
        return True


EVERYTHING: Final = Reach()


class Fact(NamedTuple):
    """A fact, the record that it is found in, and the knowledge without it."""

    name: str
    record: str
    lose: Callable[[Knowledge], Knowledge]


def facts(knowledge: Knowledge, found: Touched, reach: Reach = EVERYTHING) -> Iterator[Fact]:
    """Every fact that can matter to a task, in the order of docs/level4.md.

    Args:
        knowledge: What is known.
        found: What the task can touch.
        reach: What can matter.
    """
    for line in found.lines:
        yield Fact(line.key, line.record, dropped(line))
        yield from _invitations(line)
    yield from _stated(knowledge, found, reach)
    yield from _directory(knowledge, found, reach)
    for policy in knowledge.policies:
        yield from _of_policy(policy)
    for kind, owner, entries in calendars_touched(knowledge, found):
        if reach.calendar(kind, owner):
            for entry in entries:
                if reach.entry(kind, owner, entry):
                    yield from _of_entry(kind, owner, entry, reach)
    yield from _of_sites(knowledge, found, reach)
    asked = {
        item
        for line in found.lines
        if isinstance(line.tag, Said) and isinstance(line.tag.statement, Equipment)
        for item in line.tag.statement.items
    }
    for room in knowledge.rooms:
        yield from _of_room(room, asked, reach)


def _invitations(line: Line) -> Iterator[Fact]:
    """The invitations of a statement that holds several."""
    if isinstance(line.tag, Said) and isinstance(line.tag.statement, Invited):
        some = line.tag.statement.invitations
        for place in range(len(some)) if len(some) > 1 else ():
            fewer = line.tag.model_copy(update={"statement": Invited(invitations=some[:place] + some[place + 1 :])})
            name = f"invitation:{line.thread or TASK}.{line.message}.{line.place}.{place}"
            yield Fact(name, line.record, rewritten(line, fewer))


def _stated(knowledge: Knowledge, found: Touched, reach: Reach) -> Iterator[Fact]:
    for alias in found.aliases:
        yield Fact(f"definition:{alias}", knowledge.aliases[alias].record, partial(without_alias, alias))
    roles = {who.role for who in found.whos if isinstance(who, Holder)}
    for handover in knowledge.handovers:
        if handover.fact.role in roles:
            name = f"handover:{handover.fact.role}.{handover.fact.since}"
            yield Fact(name, handover.record, partial(_without_handover, handover))
    for change in knowledge.new_managers:
        if change.fact.person_id in found.people:
            name = f"new_manager:{change.fact.person_id}.{change.fact.since}"
            yield Fact(name, change.record, partial(_without_manager_change, change))
    for swap in knowledge.swaps:
        if not reach.roster(swap.fact.roster):
            continue
        yield Fact(f"swap:{swap.fact.roster}.{swap.fact.first}", swap.record, partial(without_swap, swap))
    for posted in knowledge.notices:
        if not reach.notice(posted.notice):
            continue
        name = posted.notice.notice_id
        yield Fact(f"notice:{name}", posted.record, partial(with_notice, name, None))


def _directory(knowledge: Knowledge, found: Touched, reach: Reach) -> Iterator[Fact]:
    for role_id in sorted({who.role for who in found.whos if isinstance(who, Holder)} & knowledge.roles.keys()):
        record = knowledge.roles[role_id].shown_in
        yield Fact(f"role:{role_id}", record, partial(_without_holder, role_id))
    for roster in knowledge.rosters.values():
        for place in range(len(roster.shifts)) if reach.roster(roster.roster_id) else ():
            name = f"shift:{roster.roster_id}.{place}"
            yield Fact(name, f"roster:{roster.roster_id}", partial(_without_shift, roster.roster_id, place))
    for person in sorted(found.people & knowledge.people.keys()):
        colleague = knowledge.people[person]
        record = f"person:{person}"
        for kind, field, none in (
            ("manager", "manager", None),
            ("contractor", "contractor", False),
            ("team_of", "team", ""),
        ):
            if getattr(colleague, field):
                yield Fact(f"{kind}:{person}", record, partial(_colleague, person, {field: none}))
    yield from _members(knowledge, found, reach)


def _members(knowledge: Knowledge, found: Touched, reach: Reach) -> Iterator[Fact]:
    teams = {knowledge.meaning(who.team) for who in found.whos if isinstance(who, MembersOf)}
    for team in knowledge.teams.values():
        if team.team_id in teams or team.team_id in knowledge.team_calendars:
            for member in team.members:
                if not reach.member(team.team_id, member):
                    continue
                name = f"member:{team.team_id}.{member}"
                yield Fact(name, f"team:{team.team_id}", partial(_without_member, team, member))


def _without_handover(lost: Stated[Handover], knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, handovers=tuple(one for one in knowledge.handovers if one != lost))


def _without_manager_change(lost: Stated[NewManager], knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, new_managers=tuple(one for one in knowledge.new_managers if one != lost))


def _without_holder(role_id: str, knowledge: Knowledge) -> Knowledge:
    role = knowledge.roles[role_id].model_copy(update={"holder": None})
    return replace(knowledge, roles={**knowledge.roles, role_id: role})


def _without_shift(roster_id: str, place: int, knowledge: Knowledge) -> Knowledge:
    roster = knowledge.rosters[roster_id]
    shifts = roster.shifts[:place] + roster.shifts[place + 1 :]
    return replace(knowledge, rosters={**knowledge.rosters, roster_id: roster.model_copy(update={"shifts": shifts})})


def _colleague(person: str, update: dict[str, Any], knowledge: Knowledge) -> Knowledge:
    colleague: Colleague = knowledge.people[person].model_copy(update=update)
    return replace(knowledge, people={**knowledge.people, person: colleague})


def _without_member(team: Team, member: str, knowledge: Knowledge) -> Knowledge:
    members = tuple(one for one in team.members if one != member)
    return replace(knowledge, teams={**knowledge.teams, team.team_id: team.model_copy(update={"members": members})})


def _of_policy(policy: Policy) -> Iterator[Fact]:
    record = policy_record(policy)
    where = record.removeprefix("policy:")

    def changed(update: dict[str, Any]) -> Callable[[Knowledge], Knowledge]:
        return with_policies({record: policy.model_copy(update=update)})

    for place in range(len(policy.rules)):
        rules = policy.rules[:place] + policy.rules[place + 1 :]
        yield Fact(f"rule:{where}.{place}", record, changed({"rules": rules}))
    for field in Scope.model_fields:
        default = Scope.model_fields[field].default
        if getattr(policy.scope, field) != default:
            scope = policy.scope.model_copy(update={field: default})
            yield Fact(f"scope:{where}.{field}", record, changed({"scope": scope}))
    if policy.first is not None or policy.last is not None:
        yield Fact(f"dates:{where}", record, changed({"first": None, "last": None}))
    if policy.people_at:
        yield Fact(f"people_at:{where}", record, changed({"people_at": ()}))
    for place in range(len(policy.exemptions)):
        exemptions = policy.exemptions[:place] + policy.exemptions[place + 1 :]
        yield Fact(f"exemption:{where}.{place}", record, changed({"exemptions": exemptions}))


def _of_entry(kind: str, owner: str, entry: Entry, reach: Reach) -> Iterator[Fact]:
    record = f"{_RECORDS[kind]}:{owner}"
    name = f"{owner}.{entry.event_id}"
    edit = partial(EntryEdit, kind, owner, entry.event_id)
    yield Fact(f"{'booking' if kind == 'bookings' else 'entry'}:{name}", record, edit(lambda _: None))
    if entry.status is not Status.BUSY:
        yield Fact(f"state:{name}", record, edit(lambda one: replace(one, status=Status.BUSY)))
    rule = entry.recurrence
    if rule is not None:
        for day in rule.excepted:
            if not reach.occurrence(kind, owner, (day,)):
                continue
            fewer = rule.model_copy(update={"excepted": tuple(one for one in rule.excepted if one != day)})
            yield Fact(f"excepted:{name}.{day}", record, edit(partial(_recurring, fewer)))
        for moved in rule.moved:
            if not reach.occurrence(kind, owner, (moved.day, moved.start.date(), moved.end.date())):
                continue
            fewer = rule.model_copy(update={"moved": tuple(one for one in rule.moved if one != moved)})
            yield Fact(f"moved:{name}.{moved.day}", record, edit(partial(_recurring, fewer)))


def _recurring(rule: Recurrence, entry: Entry) -> Entry:
    return replace(entry, recurrence=rule)


def _of_sites(knowledge: Knowledge, found: Touched, reach: Reach) -> Iterator[Fact]:
    sites = {knowledge.people[person].site for person in found.people & knowledge.people.keys()}
    sites |= {room.site for room in knowledge.rooms}
    countries = set()
    for site in sorted(sites & knowledge.sites.keys()):
        place = knowledge.sites[site]
        countries.add(place.country)
        if place.zone != knowledge.zone:
            yield Fact(f"zone:{site}", f"site:{site}", partial(_site, site, place._replace(zone=knowledge.zone)))
        if place.opening:
            yield Fact(f"opening:{site}", f"site:{site}", partial(_site, site, place._replace(opening=())))
    for country in sorted(countries & knowledge.holidays.keys()):
        for day in knowledge.holidays[country]:
            if not reach.day(day):
                continue
            days = tuple(one for one in knowledge.holidays[country] if one != day)
            yield Fact(f"holiday:{country}.{day}", f"holidays:{country}", partial(_holidays, country, days))


def _site(site: str, place: Place, knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, sites={**knowledge.sites, site: place})


def _holidays(country: str, days: tuple[date, ...], knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, holidays={**without(knowledge.holidays, country), country: days})


def _of_room(room: Room, asked: set[str], reach: Reach) -> Iterator[Fact]:
    record = f"room:{room.room_id}"
    if reach.room(room):
        yield Fact(record, record, partial(_with_room, room, None))
        roomy = room.model_copy(update={"capacity": 10**6})
        yield Fact(f"capacity:{room.room_id}", record, partial(_with_room, room, roomy))
    for item in sorted(asked - set(room.equipment)):
        equipped = room.model_copy(update={"equipment": (*room.equipment, item)})
        yield Fact(f"equipment:{room.room_id}.{item}", record, partial(_with_room, room, equipped))


def _with_room(room: Room, other: Room | None, knowledge: Knowledge) -> Knowledge:
    rooms = (other if one.room_id == room.room_id else one for one in knowledge.rooms)
    return replace(knowledge, rooms=tuple(one for one in rooms if one is not None))

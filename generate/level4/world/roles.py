"""Roles and duty rosters, and what changes about them: handovers, new managers and swapped duties."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Final

from mpcbench.generate.level4.world.people import Staff
from mpcbench.generate.level4.world.sites import DAYS, FIRST_DAY, LAST_DAY, OFFICES, SATURDAY, TODAY
from mpcbench.schema.level4.facts import Handover, NewManager, Swap
from mpcbench.schema.level4.world import Role, Roster, Shift

HEADED: Final = (
    "Accounting", "Commercial Law", "Communications", "Customer Care", "Information Security", "Property Services",
    "Purchasing", "Test Engineering",
)  # fmt: skip
"""Teams whose pages name a head, who is the manager of everybody in the team. Heads do not change."""

OFFICERS: Final = (
    "data protection officer", "chair of the works council", "press officer", "sustainability officer",
    "travel coordinator", "chief architect", "ombudsperson",
)  # fmt: skip
"""Roles that the directory entries of their holders name."""

APPOINTED: Final = ("accessibility lead", "innovation scout", "archive keeper", "ethics adviser")
"""Roles that no directory names: an announcement or a page of the wiki says who holds them."""

ROSTERS: Final = (
    ("support desk", 7), ("platform on-call duty", 7), ("press duty", 14), ("release watch", 5), ("reception cover", 2),
    ("incident lead", 3), ("customer hotline", 7), ("laboratory duty", 4),
)  # fmt: skip
"""Duties and the days that a shift usually takes."""

_COORDINATED: Final = ("support desk", "platform on-call duty", "release watch")
_BEFORE, _AFTER = FIRST_DAY - timedelta(days=21), LAST_DAY + timedelta(days=14)
_LAST_CHANGE: Final = 7 * 14
"""No change takes effect later than so many days after the first."""

Change = Handover | NewManager | Swap


@dataclass(frozen=True, slots=True)
class Duties:
    """Who holds which role and is on duty when, on record and by later news."""

    roles: tuple[Role, ...]
    rosters: tuple[Roster, ...]
    changes: tuple[Change, ...]
    """In the order in which they are to be made known."""

    appointments: dict[str, Handover] = field(default_factory=dict)
    """By the record that shows the role: what its page has to say."""


def duties(people: Staff, pages: Sequence[str], rng: Random) -> Duties:
    """The roles, rosters and changes of an office.

    Args:
        people: The people and teams.
        pages: The record IDs of the pages that name those whom no directory names, as many as `APPOINTED`.
        rng: The random numbers.
    """
    rosters = tuple(_roster(number, name, days, people, rng) for number, (name, days) in enumerate(ROSTERS, start=1))
    named = [*_named_roles(people, rosters, pages, rng)]
    ids = rng.sample(range(1, len(named) + 1), len(named))
    roles = [
        Role(role_id=f"ROLE-{number:02}", name=name, holder=holder, shown_in=shown_in)
        for number, (name, holder, shown_in) in zip(ids, named, strict=True)
    ]
    appointments = {
        role.shown_in: Handover(role=role.role_id, person_id=role.holder, since=_past(rng))
        for role in roles
        if role.shown_in in pages and role.holder is not None
    }
    changes: list[Change] = [*_handovers(roles, people, rng), *_new_managers(people, rng), *_swaps(rosters, rng)]
    rng.shuffle(changes)
    return Duties(tuple(sorted(roles, key=lambda role: role.role_id)), rosters, tuple(changes), appointments)


def _named_roles(
    people: Staff, rosters: Sequence[Roster], pages: Sequence[str], rng: Random
) -> Iterator[tuple[str, str | None, str]]:
    """Names, holders and the records that show them."""
    for name in HEADED:
        team = people.named(name)
        yield f"head of {name}", people.leads[team.team_id], f"team:{team.team_id}"
    free = iter(rng.sample([person for person in people.employees() if person.title != "Team lead"], 40))
    for name in OFFICERS:
        holder = next(free).person_id
        yield name, holder, f"person:{holder}"
    for office in OFFICES:
        local = [person.person_id for person in people.at(office.site) if not person.contractor]
        yield f"building manager of {office.site}", rng.choice(local), f"site:{office.site}"
    for roster in rosters:
        if roster.name in _COORDINATED:
            yield f"coordinator of the {roster.name}", next(free).person_id, f"roster:{roster.roster_id}"
    for team in rng.sample(people.project_teams, 4):
        members = [one for one in team.members if one not in people.leads.values()]
        yield f"lead of {team.name}", rng.choice(members), f"team:{team.team_id}"
    vacant = rng.choice(people.project_teams)
    yield f"sponsor of {vacant.name}", None, f"team:{vacant.team_id}"
    for name, page in zip(APPOINTED, pages, strict=True):
        yield name, next(free).person_id, page


def _past(rng: Random) -> date:
    return TODAY - timedelta(days=rng.randrange(30, 250))


def _workday(rng: Random) -> date:
    """A weekday of the period on which a change may take effect; seldom a Monday, so that it falls within a week."""
    days = [day for day in DAYS[:_LAST_CHANGE] if day.weekday() < SATURDAY]
    return rng.choice([day for day in days if day.weekday() or rng.random() < 0.3])


def _handovers(roles: Sequence[Role], people: Staff, rng: Random) -> Iterator[Handover]:
    """One or two handovers of most roles other than those of a team's head, the vacant role among them."""
    employees = [person.person_id for person in people.employees() if person.title != "Team lead"]
    for role in roles:
        if role.name.startswith("head of") or (role.holder is not None and rng.random() < 0.1):
            continue
        held = {role.holder}
        first = _workday(rng)
        days = [first]
        if rng.random() < 0.6:
            days.append(min(first + timedelta(days=rng.randrange(6, 40)), LAST_DAY - timedelta(days=3)))
        for since in days:
            holder = rng.choice([one for one in employees if one not in held])
            held.add(holder)
            yield Handover(role=role.role_id, person_id=holder, since=since)


def _new_managers(people: Staff, rng: Random) -> Iterator[NewManager]:
    """People who get the lead of a neighbouring team for a manager, some of them twice."""
    leads = sorted(set(people.leads.values()))
    members = [person for person in people.people if person.person_id not in leads]
    for person in rng.sample(members, 32):
        held = {person.manager}
        first = _workday(rng)
        for since in (first, first + timedelta(days=rng.randrange(8, 40)))[: rng.choice((1, 1, 1, 2))]:
            manager = rng.choice([lead for lead in leads if lead not in held])
            held.add(manager)
            yield NewManager(person_id=person.person_id, manager=manager, since=since)


def _roster(number: int, name: str, days: int, people: Staff, rng: Random) -> Roster:
    """Shifts of six to nine people one after another; some days have nobody, some a second line that counts instead."""
    crew = [person.person_id for person in rng.sample(people.people, rng.randint(6, 9))]
    planned: list[Shift] = []
    extra: list[Shift] = []
    first, last_person = _BEFORE, ""
    while first <= _AFTER:
        person = rng.choice([one for one in crew if one != last_person])
        last = first + timedelta(days=days - 1)
        planned.append(Shift(first=first, last=last, person_id=person))
        if rng.random() < 0.18 and days > 2:
            inner = first + timedelta(days=rng.randrange(days - 1))
            cover = rng.choice([one for one in crew if one != person])
            extra.append(Shift(first=inner, last=inner + timedelta(days=rng.choice((0, 0, 1))), person_id=cover))
        first = last + timedelta(days=1 if rng.random() < 0.9 else 2)
        last_person = person
    return Roster(roster_id=f"RST-{number:02}", name=name, shifts=(*planned, *extra))


def _swaps(rosters: Sequence[Roster], rng: Random) -> Iterator[Swap]:
    """Seven to ten swaps of each roster, most of a few days, some within one another."""
    for roster in rosters:
        crew = sorted({shift.person_id for shift in roster.shifts})
        for _ in range(rng.randint(7, 10)):
            first = rng.choice(DAYS[:-7])
            on_duty = [shift.person_id for shift in roster.shifts if shift.first <= first <= shift.last]
            person = rng.choice([one for one in crew if one not in on_duty])
            last = first + timedelta(days=rng.choice((0, 0, 1, 2, 4)))
            yield Swap(roster=roster.roster_id, first=first, last=last, person_id=person)

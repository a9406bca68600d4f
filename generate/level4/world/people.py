"""The people of the office: line teams with their managers, project teams across sites, and contractors."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from mpcbench.generate.level4.world.names import LINE_TEAMS, PROJECT_TEAMS, people_names
from mpcbench.generate.level4.world.sites import SHARES
from mpcbench.schema.level4.world import Colleague, Team

PEOPLE: Final = 300
TEAM_SIZE: Final = PEOPLE // len(LINE_TEAMS)

_DIVISIONS: Final = 6
_CONTRACTORS: Final = 0.12
_REMOTE: Final = 0.12
"""The probability that somebody sits at another site than the team."""

_TITLES: Final = (
    "Account manager", "Analyst", "Architect", "Business partner", "Coordinator", "Data engineer", "Designer",
    "Engineer", "Lawyer", "Lead engineer", "Office manager", "Planner", "Product manager", "Quality manager",
    "Research associate", "Senior analyst", "Senior engineer", "Specialist", "Team assistant",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Staff:
    """Everybody in the office, and the teams they are in."""

    people: tuple[Colleague, ...]
    line_teams: tuple[Team, ...]
    project_teams: tuple[Team, ...]
    leads: dict[str, str]
    """The person ID of whoever leads a line team, by team ID."""

    @property
    def teams(self) -> tuple[Team, ...]:
        """All teams by ID."""
        return tuple(sorted((*self.line_teams, *self.project_teams), key=lambda team: team.team_id))

    @property
    def site_of(self) -> dict[str, str]:
        """The sites of people by person ID."""
        return {person.person_id: person.site for person in self.people}

    def at(self, site: str) -> list[Colleague]:
        """Everybody at a site."""
        return [person for person in self.people if person.site == site]

    def employees(self) -> list[Colleague]:
        """Everybody but contractors."""
        return [person for person in self.people if not person.contractor]

    def named(self, team: str) -> Team:
        """The team of a name."""
        return next(one for one in self.teams if one.name == team)


def staff(rng: Random) -> Staff:
    """The people and teams of an office.

    A team's lead is the manager of its members, a division's head that of its leads. IDs tell nothing of teams.
    """
    sites = [site for site, share in SHARES.items() for _ in range(share)]
    rng.shuffle(sites)
    team_ids = [f"TEAM-{number:02}" for number in range(1, len(LINE_TEAMS) + len(PROJECT_TEAMS) + 1)]
    rng.shuffle(team_ids)
    person_ids = [f"p{number:03}" for number in rng.sample(range(1, PEOPLE + 1), PEOPLE)]
    names = people_names(PEOPLE, rng)
    groups = [person_ids[place * TEAM_SIZE : (place + 1) * TEAM_SIZE] for place in range(len(LINE_TEAMS))]
    leads = [group[0] for group in groups]
    people = []
    for place, group in enumerate(groups):
        for number, person_id in enumerate(group):
            first, last = names[place * TEAM_SIZE + number]
            remote = number > 0 and rng.random() < _REMOTE
            people.append(
                Colleague(
                    person_id=person_id,
                    name=f"{first} {last}",
                    team=team_ids[place],
                    site=rng.choice([site for site in SHARES if site != sites[place]]) if remote else sites[place],
                    title="Team lead" if number == 0 else rng.choice(_TITLES),
                    email=f"{first}.{last}@example.com".lower(),
                    manager=leads[place] if number else _head(leads, place),
                    contractor=number > 0 and rng.random() < _CONTRACTORS,
                )
            )
    line_teams = tuple(
        Team(team_id=team_id, name=name, members=_listed(group, rng))
        for team_id, name, group in zip(team_ids, LINE_TEAMS, groups, strict=False)
    )
    projects = [
        Team(team_id=team_id, name=f"Project {name}", members=_project_members(people, rng))
        for team_id, name in zip(team_ids[len(LINE_TEAMS) :], PROJECT_TEAMS, strict=True)
    ]
    return Staff(
        people=tuple(sorted(people, key=lambda person: person.person_id)),
        line_teams=line_teams,
        project_teams=tuple(projects),
        leads={team.team_id: lead for team, lead in zip(line_teams, leads, strict=True)},
    )


def _head(leads: Sequence[str], place: int) -> str | None:
    """Who manages the lead of a team: the lead of the division's first team, and of all these the very first."""
    head = place - place % (len(leads) // _DIVISIONS)
    if place != head:
        return leads[head]
    return leads[0] if place else None


def _listed(group: Sequence[str], rng: Random) -> tuple[str, ...]:
    """A team's page in an order that does not give the lead away."""
    return tuple(rng.sample(group, len(group)))


def _project_members(people: Sequence[Colleague], rng: Random) -> tuple[str, ...]:
    """Six to ten people of two or three sites, one or two of them contractors."""
    sites = rng.sample(sorted(SHARES), rng.choice((2, 2, 3)))
    near = [person for person in people if person.site in sites]
    outside = [person.person_id for person in near if person.contractor]
    inside = [person.person_id for person in near if not person.contractor]
    members = [*rng.sample(inside, rng.randint(5, 8)), *rng.sample(outside, rng.choice((1, 2)))]
    return tuple(rng.sample(members, len(members)))

"""Who is invited: by name, as a choice of several, by role, relation, duty or team."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import (
    AtLeast,
    Holder,
    Invitation,
    ManagerOf,
    MembersOf,
    Named,
    OnRoster,
    Optional,
    Required,
    StandIn,
)

_MOST_REQUIRED = 5


class Inviting:
    """Draws people and invitations for one instance."""

    def __init__(self, setting: Setting, mechanisms: frozenset[Mechanism], start: date, days: int, rng: Random) -> None:
        """`start` and `days` are those of the window."""
        self.setting = setting
        self.mechanisms = mechanisms
        self.start = start
        self.last = start + timedelta(days=days)
        self.rng = rng

    def people(self, count: int) -> list[str]:
        """So many people: at the site of the world's zone or, with the mechanism `zones`, mostly elsewhere."""
        rng, home = self.rng, self.setting.home
        others = [site for site in self.setting.people_at if site != home]
        sites = [home]
        if Mechanism.ZONES in self.mechanisms:
            sites = rng.sample(others, rng.choice((1, 1, 2))) + rng.choice(([], [home]))
        found: list[str] = []
        for place in range(count):
            site = sites[place % len(sites)]
            free = [one.person_id for one in self.setting.people_at[site] if one.person_id not in found]
            found.append(rng.choice(free))
        return rng.sample(found, len(found))

    def invitations(self, people: Sequence[str], mechanisms: frozenset[Mechanism], *, wide: bool) -> list[Invitation]:
        """Invitations to these people, some by detours; with `wide` perhaps to a whole team besides."""
        rest = list(people)
        found: list[Invitation] = []
        if Mechanism.QUORUM in mechanisms:
            found = self._choices(rest)
        if Mechanism.ROLE in mechanisms:
            found += self._roles(wide=wide)
            del rest[max(1, len(rest) - 1) :]
        return [*(Required(who=Named(person=one)) for one in rest[:_MOST_REQUIRED]), *found]

    def _choices(self, rest: list[str]) -> list[Invitation]:
        """Choices of some of the people, who are taken off the list."""
        rng = self.rng
        kinds = ["at_least"] if len(rest) > 4 else [rng.choice(("at_least", "stand_in"))]
        kinds += ["stand_in"] if len(rest) > 7 else []
        kinds += ["optional"] if rng.random() < 0.5 else []
        found: list[Invitation] = []
        for kind in kinds:
            if kind == "at_least":
                size = min(len(rest) - 1, max(2, round(len(rest) * rng.uniform(0.55, 0.8))))
                some = [rest.pop() for _ in range(size)]
                count = max(1, round(size * rng.uniform(0.5, 0.66)))
                found.append(AtLeast(count=count, of=tuple(Named(person=one) for one in some)))
            elif kind == "stand_in" and len(rest) > 2:
                found.append(StandIn(who=Named(person=rest.pop()), stand_in=Named(person=rest.pop())))
            elif kind == "optional" and len(rest) > 1:
                found.append(Optional(who=Named(person=rest.pop())))
        return found

    def _roles(self, *, wide: bool) -> list[Invitation]:
        """Somebody by role, relation or duty, if possible another person on some days of the window."""
        rng, rosters = self.rng, self.setting.office.rosters
        roles = [
            role
            for role, changes in self.setting.changes_of_roles.items()
            if any(self.start < change < self.last for change in changes)
        ]
        managed = [one for one, day in self.setting.changes_of_managers.items() if self.start < day < self.last]
        on_duty = Required(who=OnRoster(roster=rng.choice(rosters).roster_id))
        kinds = [*(["role"] if roles else []), *(["manager"] if managed else []), "roster", "roster"]
        kinds += ["team"] if wide else []
        found: list[Invitation] = []
        for kind in rng.sample(kinds, 2 if wide else 1):
            if kind == "role":
                found.append(Required(who=Holder(role=rng.choice(roles))))
            elif kind == "manager":
                found.append(Required(who=ManagerOf(person=rng.choice(managed))))
            elif kind == "roster":
                found.append(on_duty)
            else:
                team = rng.choice(self.setting.project_teams)
                found.append(Optional(who=MembersOf(team=team.team_id, contractors=rng.random() < 0.4)))
        return list(dict.fromkeys(found))

"""What the sampler looks up in an office again and again, found once."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from random import Random

from mpcbench.generate.level4.sampling.reading import Reader
from mpcbench.generate.level4.wording.names import Names
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.schema.level4.facts import RoomClosed, SiteClosed
from mpcbench.schema.level4.world import Colleague, LadderWorld, Team


@dataclass
class Setting:
    """An office with what is known of it."""

    office: LadderWorld
    known: Knowledge
    names: Names = field(init=False)
    reader: Reader = field(init=False)

    def __post_init__(self) -> None:
        self.names = Names(self.office)
        self.reader = Reader(self.office)
        self.known.work_out()

    @cached_property
    def people_at(self) -> dict[str, list[Colleague]]:
        """Everybody by site."""
        found: dict[str, list[Colleague]] = {site.site: [] for site in self.office.sites}
        for person in self.office.people:
            found[person.site].append(person)
        return found

    def somebody(self, near: str, but: Collection[str], rng: Random) -> str:
        """Somebody at a person's site who is none of some people, nor the person."""
        site = self.known.people[near].site
        return rng.choice([one.person_id for one in self.people_at[site] if one.person_id not in {near, *but}])

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The equipment that there is."""
        return tuple(sorted({item for room in self.office.rooms for item in room.equipment}))

    @cached_property
    def project_teams(self) -> tuple[Team, ...]:
        """The teams that hold people of several lines."""
        return tuple(team for team in self.office.teams if team.name.startswith("Project "))

    @cached_property
    def changes_of_roles(self) -> dict[str, list[date]]:
        """The days on which a role changes hands, by role; roles that do not are left out."""
        found: dict[str, list[date]] = {}
        for stated in self.known.handovers:
            if self.known.roles[stated.fact.role].holder is not None and stated.fact.since >= self.first_day:
                found.setdefault(stated.fact.role, []).append(stated.fact.since)
        return found

    @cached_property
    def changes_of_managers(self) -> dict[str, date]:
        """The day on which somebody gets another manager."""
        return {
            one.fact.person_id: one.fact.since for one in self.known.new_managers if one.fact.since >= self.first_day
        }

    @cached_property
    def closures(self) -> tuple[RoomClosed | SiteClosed, ...]:
        """What notices in force close."""
        replaced = {one.notice.replaces for one in self.known.notices}
        return tuple(
            effect
            for one in self.known.notices
            if one.notice.notice_id not in replaced
            for effect in one.notice.effects
            if isinstance(effect, RoomClosed | SiteClosed)
        )

    @cached_property
    def home(self) -> str:
        """The site in the world's zone."""
        return next(site.site for site in self.office.sites if site.timezone == self.office.timezone)

    @cached_property
    def first_day(self) -> date:
        """The first day of the period."""
        return self.office.period.start.date()

    @cached_property
    def days(self) -> tuple[date, ...]:
        """The days of the period in which windows lie."""
        last = (self.office.period.end - self.office.period.start).days - 14
        return tuple(self.first_day + timedelta(days=number) for number in range(last))

"""A small office of level 4 with everything that people speak of, and a resolver that knows it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.reference.level4.resolver import EntryFound
from mpcbench.schema.level4.calendar import Entry, Frequency, Recurrence
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.world import (
    Colleague,
    LadderCollection,
    LadderPage,
    LadderWorld,
    Office,
    PersonalCalendar,
    Role,
    Roster,
    Team,
)
from mpcbench.schema.world import Period, Room

ZONE = ZoneInfo("Europe/Berlin")
TODAY = datetime(2027, 3, 1, 8, tzinfo=UTC)
MEETINGS = (
    "Curlew pricing review",
    "Heron supplier deep dive",
    "Wagtail export round table",
    "Otter hiring catch-up",
    "Plover planning week",
)
PLAN = "Plover planning week"
PEOPLE = {
    "p001": ("Ada Larsen", "TEAM-01", "Harbour House"),
    "p002": ("Ben Okafor", "TEAM-01", "Mill Lane"),
    "p003": ("Ines Costa", "TEAM-02", "Harbour House"),
    "p004": ("Sam Carter", "TEAM-02", "Mill Lane"),
    "p005": ("Sam Carter", "TEAM-03", "North Campus"),
    "p006": ("Mei Tanaka", "TEAM-03", "North Campus"),
    "p007": ("Quinn Rao", "TEAM-01", "North Campus"),
}
SITES = ("Harbour House", "Mill Lane", "North Campus")
TEAMS = {
    "TEAM-01": "Platform",
    "TEAM-02": "Finance",
    "TEAM-03": "Research and Development",
    "TEAM-04": "Raven project team",
}
ROLES = {"ROLE-01": "head of Finance", "ROLE-02": "assistant to the board", "ROLE-03": "Platform lead"}
ROSTERS = {"RST-01": "Support desk", "RST-02": "First aid roster"}
ALIASES = {
    "the Dutch thing": "Heron supplier deep dive",
    "CPR": "Curlew pricing review",
    "the big week": "Plover planning week",
    "velvet ladder": "Otter hiring catch-up",
    "AL": "p001",
    "first mate": "p007",
    "the Captain": "p006",
    "Growth": "TEAM-02",
    "the Ravens": "TEAM-04",
    "DT": "alias:the Dutch thing",
}


def _entry(event_id: str, title: str | None, day: int, recurrence: Recurrence | None = None) -> Entry:
    start = datetime(2027, 3, day, 10, tzinfo=ZONE)
    return Entry(event_id, title, start, start.replace(hour=11), recurrence=recurrence)


WEEKLY = Recurrence(timezone="Europe/Berlin", frequency=Frequency.WEEKLY, until=date(2027, 5, 25))


def office() -> LadderWorld:
    """The office."""
    return LadderWorld(
        generator_version="1",
        seed=1,
        timezone="Europe/Berlin",
        today=TODAY,
        period=Period(start=TODAY, end=datetime(2027, 6, 20, tzinfo=UTC)),
        sites=(
            Office(site="Harbour House", timezone="Europe/Lisbon", country="PT"),
            Office(site="Mill Lane", timezone="Europe/Berlin", country="DE"),
            Office(site="North Campus", timezone="America/New_York", country="US"),
        ),
        people=tuple(
            Colleague(person_id=one, name=name, team=team, site=site, title="Engineer", email=f"{one}@example.org")
            for one, (name, team, site) in PEOPLE.items()
        ),
        teams=tuple(Team(team_id=team, name=name, members=("p001",)) for team, name in TEAMS.items()),
        roles=tuple(
            Role(role_id=role, name=name, holder="p001", shown_in="team:TEAM-01") for role, name in ROLES.items()
        ),
        rosters=tuple(Roster(roster_id=roster, name=name, shifts=()) for roster, name in ROSTERS.items()),
        calendars=tuple(
            PersonalCalendar(
                person_id=one,
                entries=(
                    _entry("e1", "Design critique", 9),
                    _entry("e2", "Team weekly", 2, WEEKLY),
                    _entry("e3", None, 9),
                ),
            )
            for one in PEOPLE
        ),
        rooms=tuple(
            Room(room_id=f"R0{number}", name=name, site=site, floor=1, capacity=8, equipment=())
            for number, (name, site) in enumerate(
                (("Ash", "Harbour House"), ("Elm", "Mill Lane"), ("Fir", "North Campus"))
            )
        ),
        pages=tuple(
            LadderPage(
                page_id=f"G{number}",
                collection=LadderCollection.GLOSSARY,
                title=alias,
                text="",
                posted=TODAY,
                facts=(Definition(alias=alias, means=means),),
            )
            for number, (alias, means) in enumerate(ALIASES.items())
        ),
    )


@dataclass(frozen=True)
class OfficeResolver:
    """Knows the names in an office and those of the meetings."""

    office: LadderWorld
    meetings: tuple[str, ...] = MEETINGS

    @property
    def zone(self) -> tzinfo:
        return self.office.zone

    def person(self, name: str, team: str | None = None) -> str | None:
        teams = {one.team_id: one.name for one in self.office.teams}
        found = [one for one in self.office.people if one.name == name and team in {None, teams[one.team]}]
        return (
            found[0].person_id if len(found) == 1 else self._alias(name, {one.person_id for one in self.office.people})
        )

    def team(self, name: str) -> str | None:
        found = next((one.team_id for one in self.office.teams if one.name == name), None)
        return found or self._alias(name, {one.team_id for one in self.office.teams})

    def role(self, name: str) -> str | None:
        return next((one.role_id for one in self.office.roles if one.name == name), None)

    def roster(self, name: str) -> str | None:
        return next((one.roster_id for one in self.office.rosters if one.name == name), None)

    def site_zone(self, site: str) -> tzinfo | None:
        return next((one.zone for one in self.office.sites if one.site == site), None)

    def meeting(self, words: str) -> str | None:
        bare = words[4:] if words.lower().startswith("the ") else words
        found = next((one for one in self.meetings if one in {words, bare}), None)
        return found or self._alias(words, set(self.meetings))

    def names_meeting(self, text: str) -> bool:
        lower = text.lower()
        return any(name in lower for name in self._meeting_names)

    def entry(self, person: str, title: str, day: date) -> EntryFound | None:
        while person.startswith(ALIAS):
            person = self._definitions[person.removeprefix(ALIAS)]
        for calendar in self.office.calendars:
            for entry in calendar.entries if calendar.person_id == person else ():
                if entry.title == title and entry.recurrence is not None and (day - entry.start.date()).days % 7 == 0:
                    return EntryFound(entry.event_id, day)
                if (
                    entry.title == title
                    and entry.recurrence is None
                    and entry.start.astimezone(self.zone).date() == day
                ):
                    return EntryFound(entry.event_id, None)
        return None

    @cached_property
    def _definitions(self) -> dict[str, str]:
        return {fact.alias: fact.means for _, _, fact in self.office.facts() if isinstance(fact, Definition)}

    @cached_property
    def _meeting_names(self) -> set[str]:
        """The meetings and the aliases of meetings, in lower case."""
        named = {*self.meetings, *(alias for alias in self._definitions if self.meeting(alias))}
        return {name.lower() for name in named}

    def _alias(self, words: str, meanings: set[str]) -> str | None:
        """The reference with an alias that is written so, but for a capital or an article, and means one of these."""
        for alias in self._definitions:
            if words in {alias, alias[0].upper() + alias[1:], f"the {alias}", f"The {alias}"}:
                meaning = ALIAS + alias
                while meaning.startswith(ALIAS):
                    meaning = self._definitions[meaning.removeprefix(ALIAS)]
                return ALIAS + alias if meaning in meanings else None
        return None

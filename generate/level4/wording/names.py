"""How people, teams, meetings and other things of an office are called in a text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from datetime import date
from functools import cached_property
from zoneinfo import ZoneInfo

from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import ALIAS, MeetingRef, PersonRef, TeamRef
from mpcbench.schema.level4.statements import Agenda, Organiser, Said
from mpcbench.schema.level4.world import LadderWorld

_UNCLEAR = re.compile(r"[.:;!?\"<>\n\u00ab\u00bb]|, |\d{1,2} [A-Z]|\d:\d")
"""What would end a sentence or an item of a list, or could be read as a time."""


def names_of(office: "LadderWorld | Names") -> "Names":
    """The names in an office."""
    return office if isinstance(office, Names) else Names(office)


class Names:
    """The names in an office, in a form that a careful reader cannot take for anything else.

    Every method raises `PhrasingError` for what the office does not hold and for a name that does not fit into a sentence.
    """

    def __init__(self, office: LadderWorld) -> None:
        self.office = office
        self.aliases = {fact.alias: fact.means for _, _, fact in office.facts() if isinstance(fact, Definition)}

    def knowing(self, definitions: Sequence[Definition]) -> "Names":
        """The same names, with the aliases that these define."""
        if all(fact.alias in self.aliases for fact in definitions):
            return self
        other = copy(self)
        other.aliases = {**self.aliases, **{fact.alias: fact.means for fact in definitions}}
        return other

    def person(self, ref: PersonRef, author: str | None = None) -> str:
        """The full name, with the team if others share the name; "me" for the author; or the alias."""
        if ref == author:
            return "me"
        if ref.startswith(ALIAS):
            return self._called(ref)
        try:
            person = self.office.person_by_id[ref]
        except KeyError:
            raise PhrasingError(f"the office has no person {ref!r}") from None
        if self._people[person.name] == 1:
            return _clear(person.name)
        team = self._team_names.get(person.team, person.team)
        if self._people[f"{person.name} ({team})"] > 1:
            raise PhrasingError(f"two people are called {person.name} ({team})")
        return f"{_clear(person.name)} ({_clear(team)})"

    def team(self, ref: TeamRef) -> str:
        """A noun phrase with its article: `the Platform team`."""
        name = self._alias(ref) if ref.startswith(ALIAS) else _clear(self._one(self._team_names, ref, "team"))
        if name.lower().startswith("the "):
            return name
        return f"the {name}" if name.lower().endswith(" team") else f"the {name} team"

    def role(self, role_id: str) -> str:
        """Without article: `head of Facilities`."""
        return _clear(self._one(self._roles, role_id, "role"))

    def roster(self, roster_id: str) -> str:
        """Without article: `Support desk roster`."""
        name = _clear(self._one(self._rosters, roster_id, "roster"))
        return name if name.lower().endswith(" roster") else f"{name} roster"

    def room(self, room_id: str) -> str:
        """The name and the ID."""
        try:
            return f"{self.office.room_by_id[room_id].name} ({room_id})"
        except KeyError:
            raise PhrasingError(f"the office has no room {room_id!r}") from None

    def site(self, site: str) -> str:
        """The site's name."""
        if site not in {one.site for one in self.office.sites}:
            raise PhrasingError(f"the office has no site {site!r}")
        return _clear(site)

    def home(self, person_id: str) -> str | None:
        """The site of a person."""
        person = self.office.person_by_id.get(person_id)
        return None if person is None else person.site

    def zone_of(self, site: str) -> ZoneInfo:
        """The zone of a site."""
        return next(one.zone for one in self.office.sites if one.site == self.site(site))

    def site_of(self, room_id: str) -> str:
        """The site of a room."""
        self.room(room_id)
        return self.office.room_by_id[room_id].site

    def meeting(self, ref: MeetingRef) -> str:
        """A noun phrase: `the Falcon pricing review`; an alias has an article if it begins with a small letter."""
        if ref.startswith(ALIAS):
            return self._called(ref)
        name = _clear(ref)
        return name if name.lower().startswith("the ") else f"the {name}"

    def title(self, person: PersonRef, event_id: str, day: date | None) -> tuple[str, date]:
        """The title of an entry and the day by which it is called; both together name no other entry."""
        person_id = self.meaning(person)
        calendar = next((one for one in self.office.calendars if one.person_id == person_id), None)
        entries = () if calendar is None else calendar.entries
        found = next((entry for entry in entries if entry.event_id == event_id), None)
        if found is None or found.title is None or "'" in found.title or not found.title[0].isupper():
            raise PhrasingError(f"no entry {event_id!r} with a title that can be quoted in the calendar of {person_id}")
        if (day is None) != (found.recurrence is None):
            raise PhrasingError(f"entry {event_id!r} is a series if and only if a day is given")
        called = self._days(found)[0] if day is None else day
        alike = [one for one in entries if one.title == found.title and one is not found]
        if any(one.recurrence is not None or called in self._days(one) for one in alike):
            raise PhrasingError(f"the calendar of {person_id} has another {found.title!r} on {called}")
        return found.title, called

    def _days(self, entry: Entry) -> tuple[date, ...]:
        return (entry.start.astimezone(self.office.zone).date(), entry.start.date())

    def names(self, text: str, ref: MeetingRef | None) -> bool:
        """Whether a text names a meeting by this reference."""
        return ref is not None and self.meeting(ref).lower() in text.lower()

    def alias(self, alias: str) -> str:
        """An alias by itself."""
        return self._alias(ALIAS + alias)

    def anything(self, ref: str) -> str:
        """What an alias can mean: a person, a team, a meeting or, in quotes, another alias."""
        if ref.startswith(ALIAS):
            return f'"{self._alias(ref)}"'
        if ref in self.office.person_by_id:
            return self.person(ref)
        return self.team(ref) if ref in self._team_names else self.meeting(ref)

    def meaning(self, ref: str) -> str:
        """What a reference means after all aliases that the office defines."""
        for _ in range(len(self.aliases) + 1):
            if not ref.startswith(ALIAS):
                return ref
            ref = self._one(self.aliases, ref.removeprefix(ALIAS), "alias")
        raise PhrasingError(f"the alias {ref!r} means itself")

    def known_meaning(self, ref: str) -> str:
        """What a reference means, or the reference itself if an alias of it is not defined."""
        try:
            return self.meaning(ref)
        except PhrasingError:
            return ref

    def _called(self, ref: str) -> str:
        """An alias in a sentence: with an article if it begins with a small letter, as in "the velvet ladder"."""
        alias = self._alias(ref)
        return f"the {alias}" if alias[0].islower() and not alias.startswith("the ") else alias

    def _alias(self, ref: str) -> str:
        return _clear(ref.removeprefix(ALIAS))

    def _one(self, names: dict[str, str], key: str, what: str) -> str:
        if key not in names:
            raise PhrasingError(f"the office has no {what} {key!r}")
        return names[key]

    @cached_property
    def organisers(self) -> dict[str, str]:
        """The organisers that the threads of the office state, by meeting."""
        found: dict[str, str] = {}
        for said in self._said:
            if isinstance(said.statement, Organiser):
                found.setdefault(self.known_meaning(said.about), self.known_meaning(said.statement.person))
        return found

    @cached_property
    def plans(self) -> set[str]:
        """The plans whose agenda the threads of the office state."""
        return {self.known_meaning(said.about) for said in self._said if isinstance(said.statement, Agenda)}

    @cached_property
    def _said(self) -> list[Said]:
        """What the threads of the office say, by time."""
        messages = [message for thread in self.office.threads for message in thread.messages]
        messages.sort(key=lambda message: message.sent)
        return [tag for message in messages for tag in message.tags if isinstance(tag, Said)]

    @cached_property
    def _team_names(self) -> dict[str, str]:
        return {team.team_id: team.name for team in self.office.teams}

    @cached_property
    def _roles(self) -> dict[str, str]:
        return _unique("roles", ((role.role_id, role.name) for role in self.office.roles))

    @cached_property
    def _rosters(self) -> dict[str, str]:
        return _unique("rosters", ((roster.roster_id, roster.name) for roster in self.office.rosters))

    @cached_property
    def _people(self) -> Counter[str]:
        """How many people have a name, and a name and team."""
        names: list[str] = []
        for person in self.office.people:
            names += [person.name, f"{person.name} ({self._team_names.get(person.team, person.team)})"]
        return Counter(names)


def _unique(what: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    names = dict(pairs)
    repeated = [name for name, times in Counter(names.values()).items() if times > 1]
    if repeated:
        raise PhrasingError(f"two {what} are called {repeated[0]!r}")
    return names


def _clear(name: str) -> str:
    """The name, if it cannot be mistaken for another part of a sentence."""
    if not name.strip() or _UNCLEAR.search(name):
        raise PhrasingError(f"{name!r} cannot be part of a sentence")
    return name

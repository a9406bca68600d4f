"""The names of a world as the grammar asks for them, to check that texts state their tags and nothing else."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from copy import copy
from datetime import date, tzinfo
from typing import Any, NamedTuple

from mpcbench.benchmark.agents.reference.level4.resolver import EntryFound
from mpcbench.oracle.level4.timeline import occurrences
from mpcbench.schema.level4.facts import Definition
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.statements import Agreed, Declined, Said
from mpcbench.schema.level4.world import LadderPage, LadderThread, LadderWorld, Tag


class _Learned(NamedTuple):
    """The aliases and the meetings that are known."""

    meanings: dict[str, str]
    """By alias."""

    aliases: dict[str, str]
    """By how they are written."""

    meetings: dict[str, None]
    others: Container[str]
    """What aliases can mean besides meetings: the IDs of people and teams."""

    def learn(self, tags: Iterable[Any]) -> None:
        """Add what tags define and name."""
        for tag in tags:
            if isinstance(tag, Definition):
                self.meanings[tag.alias] = tag.means
                capitalised = tag.alias[0].upper() + tag.alias[1:]
                for words in (tag.alias, capitalised, f"the {tag.alias}", f"The {tag.alias}"):
                    self.aliases.setdefault(words, tag.alias)
                if tag.means not in self.others and not tag.means.startswith(ALIAS):
                    self.meetings[tag.means] = None
            elif isinstance(tag, Said | Agreed | Declined):
                self.meetings.update(dict.fromkeys(meetings_in(tag)))


class WorldResolver:
    """Knows all names of a world; make it once for an office, and let it learn what each instance adds."""

    def __init__(self, world: LadderWorld) -> None:
        self._world = world
        self._team_names = {team.team_id: team.name for team in world.teams}
        self._teams = {team.name: team.team_id for team in world.teams}
        self._roles = {role.name: role.role_id for role in world.roles}
        self._rosters = {roster.name: roster.roster_id for roster in world.rosters}
        self._sites = {site.site: site.zone for site in world.sites}
        self._entries = {calendar.person_id: calendar.entries for calendar in world.calendars}
        self._people: dict[str, list[str]] = defaultdict(list)
        for person in world.people:
            self._people[person.name].append(person.person_id)
        self.learned = _Learned({}, {}, {}, {*world.person_by_id, *self._team_names})
        """What the threads and pages define and name."""

        self.learned.learn(tags_of(world.threads, world.pages))

    def knowing(
        self, threads: Iterable[LadderThread], pages: Iterable[LadderPage], said: Iterable[Tag] = ()
    ) -> "WorldResolver":
        """The same names, with the meetings and aliases of these threads and pages, and of what else is said."""
        other = copy(self)
        other.learned = _Learned(
            dict(self.learned.meanings), dict(self.learned.aliases), dict(self.learned.meetings), self.learned.others
        )
        other.learned.learn((*tags_of(threads, pages), *said))
        return other

    @property
    def zone(self) -> tzinfo:
        """The world's zone."""
        return self._world.zone

    def person(self, name: str, team: str | None = None) -> str | None:
        """A person by full name, with the team's name if others share it, or by an alias."""
        people = self._world.person_by_id
        found = [one for one in self._people.get(name, ()) if team in {None, self._team_names[people[one].team]}]
        return found[0] if len(found) == 1 else self._alias(name, people)

    def team(self, name: str) -> str | None:
        """A team by its name or by an alias."""
        return self._teams.get(name) or self._alias(name, self._team_names)

    def role(self, name: str) -> str | None:
        """A role by its name."""
        return self._roles.get(name)

    def roster(self, name: str) -> str | None:
        """A roster by its name."""
        return self._rosters.get(name)

    def site_zone(self, site: str) -> tzinfo | None:
        """The zone of a site."""
        return self._sites.get(site)

    def meeting(self, words: str) -> str | None:
        """A meeting or plan by its full name or by an alias."""
        bare = words[4:] if words.lower().startswith("the ") else words
        found = next((one for one in (words, bare) if one in self.learned.meetings), None)
        return found or self._alias(words, self.learned.meetings)

    def names_meeting(self, text: str) -> bool:
        """Whether the text holds the name or an alias of any meeting."""
        lower = text.lower()
        aliases = (alias for alias in self.learned.meanings if alias.lower() in lower)
        return any(name.lower() in lower for name in self.learned.meetings) or any(map(self.meeting, aliases))

    def entry(self, person: str, title: str, day: date) -> EntryFound | None:
        """The entry of a title on a day in a person's calendar."""
        for entry in self._entries.get(self._meaning(person) or "", ()):
            if entry.title != title:
                continue
            if entry.recurrence is None:
                if entry.start.astimezone(self.zone).date() == day:
                    return EntryFound(entry.event_id, None)
            elif any(one.day == day for one in occurrences(entry)):
                return EntryFound(entry.event_id, day)
        return None

    def _meaning(self, reference: str) -> str | None:
        seen = set()
        while reference.startswith(ALIAS):
            alias = reference.removeprefix(ALIAS)
            if alias in seen or alias not in self.learned.meanings:
                return None
            seen.add(alias)
            reference = self.learned.meanings[alias]
        return reference

    def _alias(self, words: str, meanings: Container[str | None]) -> str | None:
        """The reference with an alias that is written so and means one of these."""
        alias = self.learned.aliases.get(words)
        return ALIAS + alias if alias is not None and self._meaning(ALIAS + alias) in meanings else None


def tags_of(threads: Iterable[LadderThread], pages: Iterable[LadderPage]) -> Iterator[Tag]:
    """All tags of threads and pages."""
    for thread in threads:
        for message in thread.messages:
            yield from message.tags
    for page in pages:
        yield from page.facts


def meetings_in(tag: Tag) -> Iterator[str]:
    """The full names of the meetings that a tag is about or refers to."""
    if isinstance(tag, Said | Agreed | Declined):
        yield from (name for name in _references_in(tag.model_dump()) if not name.startswith(ALIAS))


def _references_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for field, item in value.items():
            if field in {"about", "meeting"}:
                yield item
            elif field == "meetings":
                yield from item
            else:
                yield from _references_in(item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _references_in(item)

"""What the names in texts mean, as far as it is known by now: people, teams, rosters, roles, sites, meetings, aliases.

Texts are read before everything in them has been looked up, since only what matters is. So people and roles have
identifiers of the agent's own from the moment at which they are named.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, tzinfo
from typing import Final, NamedTuple

from mpcbench.benchmark.agents.reference.level4.mentions import Mentions
from mpcbench.benchmark.agents.reference.level4.resolver import EntryFound
from mpcbench.benchmark.agents.reference.level4.shown import Known
from mpcbench.oracle.level4.knowledge import Meaning, meaning_of
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.world import Colleague

_NAMELESS: Final = "0"
_FULL_NAME = re.compile(r"[^\W\d_][\w'\u2019-]* [^\W\d_][\w'\u2019 -]*")
_MEETING = re.compile(r"[A-Z][a-z]+(?: [a-z]+(?:-[a-z]+)*){2,4}")
_CODE = re.compile(r"[A-Z]{2,5}|[A-Z]{2,5}-\d+")
_NICKNAME = re.compile(r"(?:\w[\w'\u2019-]*)(?: \w[\w'\u2019-]*){0,2}")
_ROLE = re.compile(r"[a-z][\w'\u2019-]*(?: [\w'\u2019-]+){0,7}")
_ARTICLE = re.compile(r"the ", re.IGNORECASE)
_GRAMMAR = re.compile(
    r"\b(?:a|an|the|that|this|these|those|it|its|is|are|be|been|has|have|had|was|were|will|would|can|could|may|must|to|for"
    r"|from|in|on|at|by|with|and|or|not|no|more|than|we|us|our|i|me|my|you|they|them|their|who|whom|whose|when|where|if"
    r"|as|so|also|only|just|every|each|all|both)\b",
    re.IGNORECASE,
)
"""Words that no name has: what a pattern takes for a name may be half a sentence."""

_PLAIN = re.compile(r"(?:rooms?|seats?|meetings?|plan|list|times?|one)", re.IGNORECASE)
"""What has an article and is no nickname."""


class EntryNeed(NamedTuple):
    """An entry of a calendar that a text names and that has to be looked up."""

    person: str
    title: str
    day: date


def bare(words: str) -> str:
    """Words without their article: what an alias is known by."""
    return _ARTICLE.sub("", words, count=1) if _ARTICLE.match(words) else words


@dataclass
class Register:
    """The names; it is a `Resolver`.

    Names of people, roles and aliases that nobody has looked up yet are taken for what they look like. What turns out
    not to be a name is put into `no_role` or `no_alias`, and the text is read again.
    """

    zone: tzinfo
    sites: dict[str, tzinfo] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)
    """IDs by name in lower case."""

    rosters: dict[str, str] | None = None
    """IDs by name in lower case; None: not listed yet."""

    roles: dict[str, str] = field(default_factory=dict)
    """The agent's own IDs by name."""

    aliases: dict[str, Meaning] = field(default_factory=dict)
    """By alias without its article."""

    meetings: dict[str, None] = field(default_factory=dict)
    """The names by which the meetings that matter are called, with aliases."""

    meeting_texts: Mentions = field(default_factory=Mentions)
    """Which texts hold one of these names."""

    no_role: set[str] = field(default_factory=set)
    no_alias: set[str] = field(default_factory=set)
    people: dict[str, str] = field(default_factory=dict)
    """IDs by name; the agent's own where the person's real ID was not known when the name was read."""

    real: dict[str, str] = field(default_factory=dict)
    """The real IDs, by those of `people`."""

    directory: dict[str, Colleague] = field(default_factory=dict)
    """The entries of those who have been looked up, by the IDs of `people`."""

    entries: dict[EntryNeed, EntryFound | None] = field(default_factory=dict)
    needs_rosters: bool = False
    _named: dict[str, Colleague] = field(default_factory=dict)
    needed_entries: dict[EntryNeed, None] = field(default_factory=dict)

    @property
    def state(self) -> tuple[int | bool, ...]:
        """What the reading of a text depends on; it changes whenever a text may have to be read again."""
        return len(self.no_role), len(self.no_alias), self.rosters is None, len(self.entries), len(self.teams)

    def doubt(self) -> None:
        """Forget what may have been said or entered since: what aliases mean, what is no name, and entries."""
        self.aliases.clear()
        self.no_role.clear()
        self.no_alias.clear()
        self.entries.clear()

    # People.

    def person_id(self, name: str, real: str | None = None) -> str:
        """The ID by which a person is known here."""
        if name not in self.people:
            self.people[name] = real or f"p9{len(self.people):05}"
        found = self.people[name]
        if real is not None:
            self.real[found] = real
        return found

    def id_of(self, person: Known) -> str:
        """The ID of a person whom a result shows."""
        return self.person_id(person.name, person.person_id)

    def name_of(self, person_id: str) -> str:
        """The name of a person who has one here."""
        return next(name for name, one in self.people.items() if one == person_id)

    def colleagues(self) -> dict[str, Colleague]:
        """Everybody who has been named; of those whom nobody has looked up only the name is known."""
        for name, one in self.people.items():
            if one not in self._named:
                self._named[one] = Colleague(person_id=one, name=name, team="TEAM-00", site="", title="", email="")
        return self._named | self.directory

    # As a resolver.

    def person(self, name: str, team: str | None = None) -> str | None:
        """By full name or alias."""
        if name in self.people:
            return self.people[name]
        if _is_full_name(name) and self._alias(name, "person") is None:
            return self.person_id(name)
        return None if team is not None else self._alias_of(name, "person")

    def team(self, name: str) -> str | None:
        """By its exact name or an alias."""
        return self.teams.get(name.lower()) or self._alias_of(name, "team")

    def role(self, name: str) -> str | None:
        """Whatever may be the name of a role."""
        if name in self.roles:
            return self.roles[name]
        if name in self.no_role or not _ROLE.fullmatch(name) or bare(name) in self.aliases or self._is_code(name):
            return None
        self.roles[name] = f"ROLE-{len(self.roles) + 1:02}"
        return self.roles[name]

    def roster(self, name: str) -> str | None:
        """By its exact name."""
        if self.rosters is None:
            self.needs_rosters = True
            return None
        return self.rosters.get(name.lower())

    def site_zone(self, site: str) -> tzinfo | None:
        """By its exact name."""
        return self.sites.get(site)

    def meeting(self, words: str) -> str | None:
        """By full name or alias."""
        name = bare(words)
        if _MEETING.fullmatch(name) and not _GRAMMAR.search(name):
            return name
        return self._alias_of(words, "meeting")

    def names_meeting(self, text: str) -> bool:
        """Whether a text holds a name of one of the meetings that matter."""
        return self.meeting_texts.holds(text, self.meetings)

    def entry(self, person: str, title: str, day: date) -> EntryFound | None:
        """An entry that has been looked up; otherwise it is noted that it has to be."""
        owner = self.meaning(person)
        if owner is None:
            return None
        need = EntryNeed(owner, title, day)
        if need not in self.entries:
            self.needed_entries[need] = None
        return self.entries.get(need)

    # Aliases.

    def meaning(self, reference: str) -> str | None:
        """What a reference means in the end; None if that is not known."""
        return meaning_of(reference, self.aliases)

    def kind(self, meaning: str) -> str:
        """What kind of thing a meaning is."""
        if re.fullmatch(r"p\d+", meaning):
            return "person"
        return "team" if re.fullmatch(r"TEAM-\d+", meaning) else "meeting"

    def _is_code(self, words: str) -> bool:
        return _CODE.fullmatch(words) is not None

    def _alias_of(self, words: str, kind: str) -> str | None:
        """The reference of an alias, known or not."""
        known = self._alias(words, kind)
        if known is not None:
            return known
        name = bare(words)
        if name in self.aliases or name in self.no_alias or _GRAMMAR.search(name) or _PLAIN.fullmatch(name):
            return None
        if kind != "meeting" and _MEETING.fullmatch(name):
            return None
        if self._is_code(name) or (name != words and _NICKNAME.fullmatch(name)):
            return ALIAS + name
        return None

    def _alias(self, words: str, kind: str) -> str | None:
        """The reference of a known alias, if it means this kind of thing."""
        reference = ALIAS + bare(words)
        meaning = self.meaning(reference)
        return reference if meaning is not None and self.kind(meaning) == kind else None


def _is_full_name(words: str) -> bool:
    if not _FULL_NAME.fullmatch(words) or _GRAMMAR.search(words):
        return False
    return words[0].isupper() and words.rpartition(" ")[2][0].isupper()


def undefined(references: Iterable[str], register: Register) -> list[str]:
    """The aliases among references of which it is not known what they mean, without prefix."""
    found: dict[str, None] = {}
    for reference in references:
        while reference.startswith(ALIAS):  # follows the chain
            alias = reference.removeprefix(ALIAS)
            if alias in found or alias in register.no_alias:
                break
            if alias not in register.aliases:
                found[alias] = None
                break
            reference = register.aliases[alias].means  # noqa: PLW2901 - follows the chain
    return list(found)

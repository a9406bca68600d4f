"""Parse what names people, meetings and invitations: noun phrases, whose identifiers a resolver finds."""

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from mpcbench.benchmark.agents.reference.grammar_time import NUMBER_WORDS, number
from mpcbench.benchmark.agents.reference.level4.resolver import Resolver
from mpcbench.schema.level4.header import MeetingRef, PersonRef, TeamRef
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
    SamePeople,
    StandIn,
    Who,
)

T = TypeVar("T")

_THAT_DAY = "(?:that day|on the day)"
_PERSON = re.compile(r"(.+?)(?: \((.+)\))?")
_MANAGER = re.compile(
    rf"(?:whoever is )?(?:the manager of (?P<of>.+?)|(?P<my>my) manager|(?P<s>.+?)['\u2019]s manager)(?: {_THAT_DAY})?",
    re.IGNORECASE,
)
_ROSTER = re.compile(
    rf"(?:(?:whoever is on(?: duty on)?|the person on) the (?P<on>.+) {_THAT_DAY}"
    r"|(?:whoever|the person whom) the (?P<names>.+) names for (?:that|the) day)",
    re.IGNORECASE,
)
_TEAM = re.compile(
    r"(?:everybody|all the people) (?:in|on) (?P<team>.+)|(?:all|the) members of (?P<of>.+)|the whole of (?P<whole>.+)",
    re.IGNORECASE,
)
_EMPLOYEES = re.compile(
    r"(.+?) (?:except contractors|without its contractors|who are not contractors|apart from contractors)",
    re.IGNORECASE,
)
_HOLDER = re.compile(
    rf"(?:whoever is|the person who is) (?P<whoever>.+) {_THAT_DAY}|(?:the|our) (?P<role>.+)", re.IGNORECASE
)
_OPTIONAL = re.compile(
    r"(.+) (?:\(optional\)|as an optional participant|if possible|on an optional basis)", re.IGNORECASE
)
_STAND_INS = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        r"(.+?) or, failing that, (.+)",
        r"(.+?) with (.+) as stand-in",
        r"(.+?) \(stand-in (.+)\)",
        r"(.+?) with (.+) standing in if need be",
    )
)
_COUNT = rf"(\d+|{NUMBER_WORDS})"
_AT_LEAST = re.compile(
    rf"(?:at least {_COUNT} of (.+)|{_COUNT} or more of (.+)|no fewer than {_COUNT} of (.+)"
    rf"|any {_COUNT} of (.+) \(more are welcome\))",
    re.IGNORECASE,
)
_ONE_OF_TWO = re.compile(r"either (.+) or (.+)|(.+) or (.+) \(one of them is enough\)", re.IGNORECASE)
_SAME_PEOPLE = re.compile(
    r"(?:the same people as for|everybody on the list for|(?:all|the) participants of|everybody who takes part in) (.+)",
    re.IGNORECASE,
)
_ME: Final = {"me", "i", "my"}


class NameReader:
    """Reads noun phrases in a text of one author. Every method returns None for what is none of its kind.

    Args:
        resolver: Finds what names mean.
        author: The person ID behind "me" and "my"; None in a text without an author.
    """

    def __init__(self, resolver: Resolver, author: str | None = None) -> None:
        self.resolver = resolver
        self.author = author
        self.mentioned: list[tuple[str, MeetingRef]] = []
        """The meetings named, with their words, in no order."""

    def person(self, text: str) -> PersonRef | None:
        """`Ada Larsen`, `Sam Carter (Platform)`, an alias, or `me`."""
        if text.lower() in _ME:
            return self.author
        match = _PERSON.fullmatch(text)
        return None if match is None else self.resolver.person(match[1], match[2])

    def team(self, text: str) -> TeamRef | None:
        """`the Platform team`."""
        bare = re.sub("^the ", "", text, flags=re.IGNORECASE)
        return _first(self.resolver.team, (bare.removesuffix(" team"), bare, text))

    def roster(self, text: str) -> str | None:
        """`Support desk roster`."""
        return _first(self.resolver.roster, (text.removesuffix(" roster"), text))

    def meeting(self, text: str) -> MeetingRef | None:
        """`the Falcon pricing review`, or an alias; it counts as named."""
        found = self.resolver.meeting(text)
        if found is not None:
            self.mentioned.append((text, found))
        return found

    def who(self, text: str) -> Who | None:
        """People: a name, a role, a relation, a roster or a team."""
        return next(
            (who for read in (self._manager, self._roster, self._team, self._holder) if (who := read(text))), None
        )

    def invitation(self, text: str) -> Invitation | None:
        """One invitation."""
        if match := _SAME_PEOPLE.fullmatch(text):
            meeting = self.meeting(match[1])
            if meeting is not None:
                return SamePeople(meeting=meeting)
        if match := _AT_LEAST.fullmatch(text):
            count, people = (group for group in match.groups() if group is not None)
            some = self._listed(people, self.who)
            return None if some is None else AtLeast(count=number(count), of=some)
        if match := _ONE_OF_TWO.fullmatch(text):
            either = [self.who(group) for group in match.groups() if group is not None]
            pair = tuple(who for who in either if who is not None)
            return AtLeast(count=1, of=pair) if len(pair) == len(either) else None
        if match := _OPTIONAL.fullmatch(text):
            who = self.who(match[1])
            return None if who is None else Optional(who=who)
        for stand_in in _STAND_INS:
            if match := stand_in.fullmatch(text):
                who, other = self.who(match[1]), self.who(match[2])
                return None if who is None or other is None else StandIn(who=who, stand_in=other)
        who = self.who(text)
        return None if who is None else Required(who=who)

    def invitations(self, text: str) -> tuple[Invitation, ...] | None:
        """A list of invitations: items between semicolons, or full names between commas."""
        if "; " in text:
            return _all(self.invitation, [re.sub("^and ", "", item) for item in text.split("; ")])
        if " and " in text and not _AT_LEAST.fullmatch(text) and not _ONE_OF_TWO.fullmatch(text):
            people = self._listed(text, self.person)
            if people is not None:
                return tuple(Required(who=Named(person=person)) for person in people)
        one = self.invitation(text)
        return None if one is None else (one,)

    def meetings(self, text: str) -> tuple[MeetingRef, ...] | None:
        """A list of meetings in order."""
        items = text.split("; ") if "; " in text else re.sub("^first ", "", text).split(", then ")
        return _all(self.meeting, items) if len(items) > 1 else None

    def _manager(self, text: str) -> Who | None:
        match = _MANAGER.fullmatch(text)
        if match is None:
            return None
        person = self.author if match["my"] else self.person(match["of"] or match["s"])
        return None if person is None else ManagerOf(person=person)

    def _roster(self, text: str) -> Who | None:
        match = _ROSTER.fullmatch(text)
        roster = None if match is None else self.roster(match["on"] or match["names"])
        return None if roster is None else OnRoster(roster=roster)

    def _team(self, text: str) -> Who | None:
        employees = _EMPLOYEES.fullmatch(text)
        match = _TEAM.fullmatch(employees[1] if employees else text)
        team = None if match is None else self.team(match["team"] or match["of"] or match["whole"])
        return None if team is None else MembersOf(team=team, contractors=employees is None)

    def _holder(self, text: str) -> Who | None:
        match = _HOLDER.fullmatch(text)
        role = None if match is None else self.resolver.role(match["whoever"] or match["role"])
        if role is not None:
            return Holder(role=role)
        person = self.person(text)
        return None if person is None else Named(person=person)

    def _listed(self, text: str, read: Callable[[str], T | None]) -> tuple[T, ...] | None:
        """A list with commas and a last "and"; where a name may hold an "and", the division that can be read."""
        return next((found for items in _divisions(text) if (found := _all(read, items)) is not None), None)


def _divisions(text: str) -> Iterator[list[str]]:
    items = text.split(", ")
    *others, last = items
    for place in [match.start() for match in re.finditer(" and ", last)][::-1]:
        yield [*others, last[:place], last[place + len(" and ") :]]
    yield items


def _first(find: Callable[[str], T | None], names: tuple[str, ...]) -> T | None:
    return next((found for name in dict.fromkeys(names) if (found := find(name)) is not None), None)


def _all(read: Callable[[str], T | None], items: list[str]) -> tuple[T, ...] | None:
    found = []
    for item in items:
        one = read(item)
        if one is None:
            return None
        found.append(one)
    return tuple(found)

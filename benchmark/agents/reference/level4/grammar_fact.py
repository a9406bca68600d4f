"""Parse what messages and pages state about the organisation: definitions, handovers, swaps and notices."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, NamedTuple

from mpcbench.benchmark.agents.reference.grammar_time import Days, Span, instant
from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.phrases import Found, Phrases, UnreadableError, sentences
from mpcbench.benchmark.agents.reference.level4.resolver import Resolver
from mpcbench.schema.level4.facts import (
    Definition,
    Effect,
    Fact,
    Handover,
    NewManager,
    Notice,
    RoomClosed,
    SiteClosed,
    SiteOpen,
    Swap,
)
from mpcbench.schema.level4.header import ALIAS

_DAYS = "(?:on <day>|<days>)"
_ALIAS = '"{alias}"'
_ROOM = r"room .+? \((?P<room>R\d+)\)"

DEFINITIONS: Final = (
    f"{_ALIAS} (?:means|stands for|is our name for|is what we call) {{meaning}}",
    f"by {_ALIAS} we mean {{meaning}}",
    f"when (?:people|we|they) say {_ALIAS}, (?:they|we|people) mean {{meaning}}",
    f"{{meaning}} is (?:also called|known as|better known as) {_ALIAS}",
    f"we call {{meaning}} {_ALIAS}",
)
NEW_MANAGERS: Final = (
    "from <day> on, {person} reports to {manager}",
    "from <day> on, the manager of {person} is {manager}",
    "as of <day>, {manager} manages {person}",
    "on <day>, {manager} becomes the manager of {person}",
    "{person} has a new manager from <day> on, namely {manager}",
)
HANDOVERS: Final = (
    "from <day> on, {person} is {role}",
    "{person} takes over as {role} on <day>",
    "on <day>, {person} becomes {role}",
    "the new {role} is {person}, from <day> on",
    "as of <day>, {person} is our {role}",
)
SWAPS: Final = (
    f"{{person}} takes over the duty on the {{roster}} {_DAYS}",
    f"{_DAYS}, {{person}} is on duty on the {{roster}}",
    f"on the {{roster}}, {{person}} steps in {_DAYS}",
    f"there has been a swap on the {{roster}}, {{person}} is on duty {_DAYS}",
    f"{{person}} covers the {{roster}} {_DAYS}",
)
EFFECTS: Final = (
    (
        "room_closed",
        (
            rf"{_ROOM} (?:is closed|is out of service|cannot be used|stays closed) <span>",
            rf"(?:there is no access to|nobody can use) {_ROOM} <span>",
            rf"the meeting {_ROOM} is (?:not available|out of use) <span>",
        ),
    ),
    (
        "site_closed",
        (
            "the whole site {site} is closed <span>",
            "(?:none of the rooms|no room) at {site} can be used <span>",
            "all rooms at {site} (?:are closed|are out of service) <span>",
            "{site} stays closed <span>",
        ),
    ),
    (
        "site_open",
        (
            "the building at {site} is (?:exceptionally )?open <span>(?:, whatever its usual hours)?",
            "{site} opens its doors <span>, in addition to its usual hours",
            "{site} is also open <span>",
        ),
    ),
)
REPLACEMENTS: Final = (
    "notice (?P<notice>N[0-9]+) (?:replaces|takes back) notice (?P<replaced>N[0-9]+)",
    "notice (?P<replaced>N[0-9]+) is (?:replaced|taken back) by notice (?P<notice>N[0-9]+)",
    "notice (?P<replaced>N[0-9]+) no longer holds, notice (?P<notice>N[0-9]+) takes its place",
    "with notice (?P<notice>N[0-9]+), notice (?P<replaced>N[0-9]+) is (?:no longer in force|cancelled)",
    "notice (?P<replaced>N[0-9]+) has been withdrawn, see notice (?P<notice>N[0-9]+)",
)
_NOTICES = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        r"notice (?P<id>N\d+): (?P<effect>.+)",
        r"under notice (?P<id>N\d+), (?P<effect>.+)",
        r"(?P<effect>.+) \(notice (?P<id>N\d+)\)",
    )
)
_CUE = re.compile(
    r"\bnotice N\d+|\bR\d+\b|\b(?:reports to|new manager|takes over|on duty|swap(?:ped)?|stands for|steps in|covers the)\b",
    re.IGNORECASE,
)


class NoticePart(NamedTuple):
    """What one sentence says of a notice."""

    notice_id: str
    effect: Effect | None = None
    replaces: str | None = None


class FactReader:
    """Reads sentences that state a fact. Every method returns None for a sentence that states none of its kind."""

    def __init__(self, names: NameReader) -> None:
        self._names = names

    def read(self, phrases: Phrases) -> Fact | NoticePart | None:
        """The fact that a sentence states, or the part of a notice."""
        for forms, build in (
            (DEFINITIONS, self._definition),
            (NEW_MANAGERS, self._new_manager),
            (HANDOVERS, self._handover),
            (SWAPS, self._swap),
            (REPLACEMENTS, self._replacement),
        ):
            for form in forms:
                for found in phrases.find(phrases.text, form):
                    fact = build(found)
                    if fact is not None:
                        return fact
        return self._notice(phrases)

    def _definition(self, found: Found) -> Definition | None:
        means = self._meaning(found.words["meaning"])
        return None if means is None else Definition(alias=found.words["alias"], means=means)

    def _meaning(self, text: str) -> str | None:
        if text.startswith('"') and text.endswith('"'):
            return ALIAS + text.strip('"')
        if text.lower().startswith("the "):
            return self._names.team(text) or self._names.meeting(text)
        return self._names.person(text) or self._names.meeting(text)

    def _new_manager(self, found: Found) -> NewManager | None:
        person, manager = self._names.person(found.words["person"]), self._names.person(found.words["manager"])
        if person is None or manager is None:
            return None
        return NewManager(person_id=person, manager=manager, since=found.values["day"])

    def _handover(self, found: Found) -> Handover | None:
        person = self._names.person(found.words["person"])
        role = None if person is None else self._names.resolver.role(found.words["role"])
        if person is None or role is None:
            return None
        return Handover(role=role, person_id=person, since=found.values["day"])

    def _swap(self, found: Found) -> Swap | None:
        person = self._names.person(found.words["person"])
        roster = None if person is None else self._names.roster(found.words["roster"])
        if person is None or roster is None:
            return None
        first, last = _days(found.values)
        return Swap(roster=roster, first=first, last=last, person_id=person)

    def _replacement(self, found: Found) -> NoticePart:
        return NoticePart(found.words["notice"], replaces=found.words["replaced"])

    def _notice(self, phrases: Phrases) -> NoticePart | None:
        for notice in _NOTICES:
            match = notice.fullmatch(phrases.text)
            if match is None:
                continue
            for kind, forms in EFFECTS:
                for form in forms:
                    for found in phrases.find(match["effect"], form):
                        effect = self._effect(kind, found)
                        if effect is not None:
                            return NoticePart(match["id"], effect)
        return None

    def _effect(self, kind: str, found: Found) -> Effect | None:
        resolver = self._names.resolver
        span: Span = found.values["span"]
        start, end = instant(span.start, resolver.zone), instant(span.end, resolver.zone)
        if kind == "room_closed":
            return RoomClosed(start=start, end=end, room_id=found.words["room"])
        site = found.words["site"]
        if resolver.site_zone(site) is None:
            return None
        return (SiteClosed if kind == "site_closed" else SiteOpen)(start=start, end=end, site=site)


def joined(read: Iterable[Fact | NoticePart]) -> tuple[Fact, ...]:
    """The facts in order, the parts of each notice in the place of its first."""
    found: dict[Any, Fact] = {}
    for place, one in enumerate(read):
        if not isinstance(one, NoticePart):
            found[place] = one
            continue
        known = found.get(one.notice_id)
        before = known if isinstance(known, Notice) else Notice(notice_id=one.notice_id, effects=())
        effects = before.effects if one.effect is None else (*before.effects, one.effect)
        found[one.notice_id] = Notice(
            notice_id=one.notice_id, effects=effects, replaces=one.replaces or before.replaces
        )
    return tuple(found.values())


def read_page(title: str, text: str, resolver: Resolver) -> tuple[Fact, ...]:
    """What a page states, in order; sentences that state nothing are skipped.

    Args:
        title: The title, which states nothing by itself.
        text: The page as the tool shows it, without its heading.
        resolver: Finds what names mean.

    Raises:
        UnreadableError: a sentence seems to state a fact and cannot be read.
    """
    reader = FactReader(NameReader(resolver))
    found = []
    for sentence in sentences(text):
        try:
            fact = reader.read(Phrases(sentence, None, resolver))
        except UnreadableError:
            fact = None  # news besides may have days without their year
        if fact is None and _CUE.search(sentence):
            raise UnreadableError(sentence, f"the page {title!r} cannot be read")
        if fact is not None:
            found.append(fact)
    return joined(found)


def _days(values: Any) -> tuple[date, date]:
    if "days" in values:
        run: Days = values["days"]
        return run.first, run.last
    return values["day"], values["day"]

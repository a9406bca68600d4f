"""Parse the section of a policy document that states one edition of a policy."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import ValidationError

from mpcbench.benchmark.agents.reference.grammar_policy import (
    InsideHours,
    OutsideHours,
    Pause,
    RoomPause,
    Rule,
    read_rules,
)
from mpcbench.benchmark.agents.reference.grammar_time import Hours
from mpcbench.benchmark.agents.reference.level4.grammar_names import NameReader
from mpcbench.benchmark.agents.reference.level4.phrases import Phrases, UnreadableError, sentences
from mpcbench.benchmark.agents.reference.level4.resolver import Resolver
from mpcbench.benchmark.agents.reference.lexicon import ReadingError
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, RoomTurnaround, WorkHours
from mpcbench.schema.level4.policy import (
    BuildingOpen,
    Exemption,
    HolidaysBlock,
    LadderRule,
    Policy,
    Scope,
    TeamCalendarBlocks,
    TentativeFree,
)
from mpcbench.schema.model import clock

if TYPE_CHECKING:
    from datetime import date

T = TypeVar("T")

_HEADING = re.compile(r"(POL-\d+), edition (\d+)")
_FIRST: Final = (
    "in force from <day> on",
    "this edition applies from <day> on",
    "with effect from <day>",
    "it comes into force on <day>",
)
_DAYS = "(?:<days>|on <day>)"
_FIRST_AND_LAST: Final = (
    f"in force {_DAYS}",
    f"this edition applies {_DAYS}",
    f"it holds {_DAYS} and on no other day",
    f"its period of validity runs {_DAYS}",
)
_LAST: Final = (
    "in force up to and including <day>",
    "this edition ends after <day>",
    "its last day is <day>",
    "it holds until the end of <day>",
)
_IT = "(?:this section|it|the rule)"
_SCOPES: Final = (
    f"{_IT} applies to meetings {{conditions}}",
    f"{_IT} is for meetings {{conditions}}, and for no others",
    "meetings {conditions} come under this section, others do not",
    f"{_IT} covers meetings {{conditions}}",
)
_EVERYWHERE: Final = (
    f"{_IT} (?:applies to all meetings|covers every meeting|is for meetings of every kind)",
    "all meetings come under this section",
)
_PEOPLE_AT: Final = (
    "it binds only participants whose site is {sites}",
    "of the participants, only those at {sites} are bound by it",
    "among the participants, it holds for those at {sites} only",
    "participants at other sites than {sites} are not bound by it",
)
_POLICY = r"(?P<policy>POL-\d+|this section)"
_EXEMPTIONS: Final = (
    f"{_POLICY} does not apply to meetings {{conditions}}",
    f"meetings {{conditions}} are exempt from {_POLICY}",
    f"an exception from {_POLICY} is made for meetings {{conditions}}",
    f"for meetings {{conditions}}, {_POLICY} is waived",
)
_GENERAL_EXEMPTIONS: Final = (
    f"{_POLICY} does not apply to any meeting as long as this edition is in force",
    f"as long as this edition is in force, all meetings are exempt from {_POLICY}",
    f"{_POLICY} is suspended for all meetings by this edition",
    f"for the time of this edition, {_POLICY} is waived for all meetings",
)
_PLAIN_RULES: Final[tuple[tuple[LadderRule, str], ...]] = (
    (
        HolidaysBlock(),
        (
            r"(?:no participant|nobody) is asked to a meeting on a public holiday|a public holiday at a participant's site is a day off"
            r"|meetings keep off the public holidays of every participant's country"
            r"|on a public holiday in the country of a participant's site, that participant is not available"
        ),
    ),
    (
        TentativeFree(),
        (
            r"tentative entries in the calendars of participants do not stand in the way"
            r"|a meeting may overlap tentative entries of its participants|what is only tentative in a participant's calendar counts as free"
            r"|participants give up their tentative entries"
        ),
    ),
    (
        TeamCalendarBlocks(),
        (
            r"entries in the calendar of a team count as entries of everybody|the calendar of a team counts as part of the calendar of each"
            r"|what takes time in a team calendar takes the time of everybody"
            r"|everybody on the page of a team is busy whenever the team's calendar says so"
        ),
    ),
    (
        BuildingOpen(),
        (
            r"a meeting lies wholly within the opening hours of the building|rooms are only used while their building is open"
            r"|no meeting begins before the building of its room opens"
            r"|a meeting takes place only while the building of its room is open"
        ),
    ),
)
_CONDITIONS = (
    "(?P<with>with guests from outside|that guests from outside attend|that have guests)",
    "(?P<without>without guests from outside|that no guests attend|that have no guests)",
    "(?:whose room is at|held in a room at|that take place at) (?P<sites>.+?)",
    "(?:whose organiser is in|organised by somebody in|whose organiser belongs to) (?P<teams>.+?)",
    "(?:that last longer than|of more than|that take more than) (?P<longer>\u00ablength:\\d+\u00bb|0 minutes)",
    "(?:that last (?P<less>\u00ablength:\\d+\u00bb) or less|(?:of at most|that take no longer than) (?P<most>\u00ablength:\\d+\u00bb))",
)
_ALL_CONDITIONS = re.compile("".join(f"(?:(?:^|(?<!^) and ){one})?" for one in _CONDITIONS))
_OR = re.compile(", | or ")
_CUE = re.compile(
    r"\b(?:POL-\d+|public holidays? (?:at|of|in)|tentative|team calendar|exempt|exception from|does not apply|suspended|waived"
    r"|this edition|in force|participants at|applies to|comes? under|guests)\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"\d|\bnoon\b|\bhour\b|\bhours\b", re.IGNORECASE)
_LUNCH = re.compile(r"lunch|midday", re.IGNORECASE)


def read_section(heading: str, text: str, resolver: Resolver) -> Policy:
    """The edition of a policy that a section states.

    Args:
        heading: As the tool shows it, with the policy's ID and edition.
        text: The text of the section.
        resolver: Finds what names mean.

    Raises:
        UnreadableError: the heading names no policy, or a sentence seems to matter and cannot be read.
    """
    match = _HEADING.search(heading)
    if match is None:
        raise UnreadableError(heading, "the heading names no policy and edition")
    found: dict[str, Any] = {"policy_id": match[1], "edition": int(match[2]), "rules": (), "exemptions": ()}
    reader = _SectionReader(resolver, match[1])
    for sentence in sentences(text):
        for field, value in reader.read(sentence):
            if field in {"rules", "exemptions"}:
                found[field] = (*found[field], value)
            elif field in found:
                raise UnreadableError(sentence, f"{match[1]} states its {field} twice")
            else:
                found[field] = value
    try:
        return Policy(**found)
    except ValidationError as error:
        raise UnreadableError(heading, f"not a valid policy ({error.errors()[0]['msg']})") from error


class _SectionReader:
    def __init__(self, resolver: Resolver, policy_id: str) -> None:
        self._names = NameReader(resolver)
        self._policy_id = policy_id

    def read(self, sentence: str) -> Iterator[tuple[str, Any]]:
        """The fields of the edition that a sentence states, with their values."""
        stated = list(self._stated(Phrases(sentence, None, self._names.resolver)))
        if stated:
            yield from stated
            return
        for rule, forms in _PLAIN_RULES:
            if re.match(forms, sentence, re.IGNORECASE):
                yield "rules", rule
                return
        if _QUANTITY.search(sentence):
            rules = _rules(sentence)
            yield from (("rules", rule) for rule in rules)
            if rules:
                return
        if _CUE.search(sentence):
            raise UnreadableError(sentence)

    def _stated(self, phrases: Phrases) -> Iterator[tuple[str, Any]]:
        """What is said about the days on which it is in force, where it applies and whom it binds."""
        for form in _FIRST_AND_LAST:
            for found in phrases.find(phrases.text, form):
                run = found.values.get("days")
                first, last = (found.values["day"],) * 2 if run is None else run
                yield from (("first", first), ("last", last))
                return
        for field, forms in (("first", _FIRST), ("last", _LAST)):
            for form in forms:
                for found in phrases.find(phrases.text, form):
                    day: date = found.values["day"]
                    yield field, day
                    return
        if any(list(phrases.find(phrases.text, form)) for form in _EVERYWHERE):
            yield "scope", Scope()
            return
        yield from self._where(phrases)

    def _where(self, phrases: Phrases) -> Iterator[tuple[str, Any]]:
        for form in _GENERAL_EXEMPTIONS:
            for found in phrases.find(phrases.text, form):
                yield "exemptions", Exemption(policy_id=self._called(found.words["policy"]), when=Scope())
                return
        for form in _EXEMPTIONS:
            for found in phrases.find(phrases.text, form):
                when = self._scope(phrases, found.words["conditions"])
                yield "exemptions", Exemption(policy_id=self._called(found.words["policy"]), when=when)
                return
        for form in _SCOPES:
            for found in phrases.find(phrases.text, form):
                yield "scope", self._scope(phrases, found.words["conditions"])
                return
        for form in _PEOPLE_AT:
            for found in phrases.find(phrases.text, form):
                yield "people_at", self._several(found.words["sites"], self._site, phrases)
                return

    def _called(self, words: str) -> str:
        return self._policy_id if words.lower() == "this section" else words

    def _scope(self, phrases: Phrases, conditions: str) -> Scope:
        match = _ALL_CONDITIONS.fullmatch(conditions)
        if match is None:
            raise UnreadableError(phrases.sentence, "cannot tell which meetings are meant")

        def length(*names: str) -> int | None:
            token = next((match[name] for name in names if match[name]), None)
            if token is None:
                return None
            minutes: int = phrases.value(token.strip("\u00ab\u00bb").partition(":")[2]) if ":" in token else 0
            return minutes

        return Scope(
            guests=True if match["with"] else (False if match["without"] else None),
            room_sites=self._several(match["sites"], self._site, phrases),
            organiser_teams=self._several(match["teams"], self._names.team, phrases),
            longer_than=length("longer"),
            at_most=length("less", "most"),
        )

    def _several(self, text: str | None, read: Callable[[str], T | None], phrases: Phrases) -> tuple[T, ...]:
        items = [] if text is None else _OR.split(text)
        found = [one for item in items if (one := read(item)) is not None]
        if len(found) < len(items):
            raise UnreadableError(phrases.sentence, f"cannot tell what {text!r} means")
        return tuple(found)

    def _site(self, name: str) -> str | None:
        return None if self._names.resolver.site_zone(name) is None else name


def _rules(sentence: str) -> list[LadderRule]:
    """The rules of level 3 in a sentence; none if it is about no meeting."""
    try:
        found = read_rules(sentence)
    except ReadingError as error:
        if "no rule can be read" in str(error):
            return []
        raise UnreadableError(sentence) from error
    return [_rule(rule, sentence) for rule in found]


def _rule(rule: Rule, sentence: str) -> LadderRule:
    match rule:
        case InsideHours(hours=hours, weekdays=weekdays):
            return WorkHours(**_ends(hours), days=tuple(sorted(weekdays)))
        case OutsideHours(hours=hours, weekdays=weekdays):
            if len(weekdays) == 1 and not _LUNCH.search(sentence):
                return BanDowTime(**_ends(hours), day=next(iter(weekdays)))
            return LunchBlock(**_ends(hours), days=tuple(sorted(weekdays)))
        case Pause(minutes=minutes):
            return BufferMin(minutes=minutes)
        case RoomPause(minutes=minutes):
            return RoomTurnaround(minutes=minutes)


def _ends(hours: Hours) -> dict[str, str]:
    return {"start": clock(hours.start), "end": clock(hours.end)}

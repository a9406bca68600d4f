"""Parse what people say about a meeting: sentence patterns over tokens, one table per kind of statement."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from mpcbench.benchmark.agents.reference.facts import EventName, Heard, Kind, PersonName, PolicyCall, Window
from mpcbench.benchmark.agents.reference.grammar_time import (
    MINUTES_PER_DAY,
    NUMBER_WORDS,
    Days,
    Hours,
    Span,
    number,
    reduce_lengths,
    reduce_times,
)
from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced, pattern

_WORD = r"[A-Z][\w\u2019-]*"
_NO_NAME = r"(?!(?:And|Also|But|So|Then|The|For|Please|With|Thanks|Hi|Hello|Sorry|Update)\b)"
PERSON = rf"\b{_NO_NAME}{_WORD}(?: {_WORD})+(?: from {_WORD}(?: {_WORD})*| \({_WORD}(?: {_WORD})*\))?"
_PEOPLE = rf"({PERSON}(?:, {PERSON})*(?:,? and {PERSON})?)"
_PERSON_PARTS = re.compile(
    rf"{_NO_NAME}({_WORD}(?: {_WORD})+)(?: from ({_WORD}(?: {_WORD})*)| \(({_WORD}(?: {_WORD})*)\))?"
)
_PLACE = rf"({_WORD}(?: {_WORD})*)"
_COUNT = rf"(\d+|no|{NUMBER_WORDS})"

_QUANTITY = re.compile(r"\d|\bnoon\b|\bhour|\bmin", re.IGNORECASE)
_TITLE = re.compile(r"(?<!\w)['\u2018\"]([A-Z][^'\"\u2018\u2019]*)['\u2019\"](?!\w)")
POLICY = re.compile(r"\b(POL-\d+)\b(?: \((?:in )?(DOC-\d+)\)| (?:of|in) (DOC-\d+))?")
_EVENT = rf"(?:[Tt]he <title> (?:of|in the calendar of) ({PERSON})|({PERSON})['\u2019]s <title>) on <day>"

_WHEN = r"(?:<days>|on <day>)(?: instead| now)?[.,;] "
_WINDOWS = (
    rf"{_WHEN}(?:any time |each day (?:open )?|always |with each day open |within a day everything )?<hours>",
    rf"{_WHEN}on each day it has to start at <time> or later and be over by <time>",
    r"<span> on the day",
    (
        rf"{_WHEN}(?:(?:at )?any (?:time of the day|hour)|around the clock|the time of day doesn['\u2019]t matter|at whatever hour"
        r"|without limits on the time of day)"
    ),
    r"(?:happen|replacing the old one:) <span>",
)
_LENGTH = (
    r"(?:take|takes|plan|need|needs|book|go for|for|lasts|like|that|:) <length>",
    r"<length> is the right length",
)
COUNTED_OPTIONS = rf"\b{_COUNT} (?:option|proposal|suggestion)s?\b"
_DEADLINE = (
    r"(?:over|finished|ended|with it|begun,) by <moment>",
    r"no later than <moment>",
    r"end of the meeting(?: is|:| can be) <moment>",
)
_NOT_BEFORE = (
    r"(?:start|starts|starting|begin|begins) (?:before|earlier than|from) <moment>",
    r"earliest (?:possible )?start(?:, replacing the old one)?(?: is|:) <moment>",
    r"any start from <moment>",
    r"only ready from <moment>",
)
_BAN = (
    r"nothing <span>",
    r"can['\u2019]t be <span>",
    r"put any of it <span>",
    r"no part of the meeting may fall <span>",
    r"(?:no-go|no-go for this one|blocked|avoid entirely): <span>",
    r"(?:blocked|out of the time|avoid the slot) <span>",
)
_REQUIRED = (
    r"take place <span>",
    r"the only time that works is <span>",
    r"\bneed it <span>",
    r"the whole meeting (?:must|may) (?:also )?lie <span>",
    r"only works <span>",
    r"to times <span>",
    r"free for this only <span>",
    r"besides what we had: <span>",
    r"would also work <span>",
    r"the time given before, <span>",
    r"stretch that works: <span>",
)
_LATEST = (
    r"\bthe later the better|\blatest possible starts|\blatest(?: times| start(?: comes)?)? first"
    r"|\blatest start is the best|\bthe latest ones|\bfrom the latest backwards|\bas late as possible"
)
_EARLIEST = (
    r"\bthe sooner the better|\bearliest possible starts|\bearliest(?: times| start(?: comes)?)? first"
    r"|\bearliest start is the best|\bas early as possible"
)
_RANKING = (rf"({_LATEST})|({_EARLIEST})",)
_ROOM_KEYS = {
    "capacity": r"smallest room first|the room with the fewest seats first|lowest capacity first",
    "-capacity": r"largest room first|the room with the most seats first|highest capacity first",
    "floor": r"lowest floor first|the room on the lower floor first",
    "-floor": r"highest floor first|the room on the higher floor first",
    "name": r"room names in alphabetical order|rooms alphabetically by name",
}
_ROOM_KEY = "|".join(_ROOM_KEYS.values())
_ROOM_ORDER = (rf"((?:{_ROOM_KEY})(?:, then (?:{_ROOM_KEY}))*)",)
_GUESTS = (
    rf"\b{_COUNT} (?:external )?(?:visitors?|guests?)\b",
    r"\b(nobody) (?:comes )?from outside\b",
    r"\b(no) extra seats\b",
)
_EQUIPMENT = (
    r"\broom (?:also )?needs ([^.]+)\.",
    r"\bcan['\u2019]t do without ([^.]+) in the room",
    r"\bmake sure there is ([^.]+) in the room",
    r"\broom (?:with|that has) (?!us\b)([^.]+?)(?: will do)?\.",
    r"\b(?:equipment required|one more thing for the room): ([^.]+)\.",
    r"\bwe depend on ([^.,]+(?:, [^.,]+)*?)(?:, so the room| too)",
    r"\bthe room must have (?!that)([^.]+)\.",
)
_SITE = (
    rf"(?i:\bhas to be at|\bmeet at|\bsite:|\btake a room at|\bwill be at|\brooms at|\bof the site:) {_PLACE}",
    rf"\b(?i:only) {_PLACE} is possible as a site",
    rf"\bsite, replacing the old one: {_PLACE}",
)
_JOINS = (
    rf"(?i:\badd|\bone more participant:|\balso need|\binclude|\bdo need|\bnew participant:|\bput) {_PEOPLE}",
    rf"\bI forgot somebody: {_PEOPLE}",
    rf"{_PEOPLE} (?:has to (?:be there|attend) as well|(?:will take|takes) part too|joins us)",
)
_LEAVES = (
    rf"(?i:\btake|\bwithout|\bdrop|\bwait for|\bdon['\u2019]t need|\bleave out|\bfewer:|\bstrike) {_PEOPLE}",
    rf"{_PEOPLE} (?:no longer needs|is out of|has handed|doesn['\u2019]t take part|does not have to attend)",
)
_PARTICIPANTS = (
    rf"(?i:it['\u2019]s for|be there:|participants are(?: now)?|\bneed|taking part:|taking part are) {_PEOPLE}",
    rf"(?i:\bget|attendees:|concerns|earlier one:|who attends:|no longer counts:) {_PEOPLE}",
)


def read_statements(text: str, today: date | None) -> list[Heard]:
    """The statements in a text about a single meeting, in reading order.

    A day without a year is the one nearest to `today`. Raises `ReadingError` if a time, day or length remains that
    no sentence pattern matches.
    """
    reduced = Reduced(text)
    reduced.reduce("title", _TITLE, lambda title: title)
    if _QUANTITY.search(text):
        reduce_times(reduced, today)
        reduce_lengths(reduced)
    placed = sorted(_statements(reduced), key=lambda item: item[0])
    unread = reduced.left(("day", "time", "hours", "moment", "days", "span", "length"))
    if unread:
        raise ReadingError(f"cannot tell what the {unread[0]} means in {text!r}")
    return [statement for _, statement in placed]


def people_in(text: str) -> list[list[PersonName]]:
    """Every list of full names in a text."""
    return [_people(match[0]) for match in re.finditer(_PEOPLE, text)]


def _statements(reduced: Reduced) -> Iterator[tuple[int, Heard]]:
    yield from _about_records(reduced)
    yield from _about_time(reduced)
    yield from _each(reduced, Kind.COUNT, (COUNTED_OPTIONS,), number)
    yield from _each(reduced, Kind.LATEST, _RANKING, lambda latest, _: latest is not None)
    yield from _each(reduced, Kind.GUESTS, _GUESTS, lambda word: 0 if word.lower() == "nobody" else number(word))
    yield from _each(reduced, Kind.ROOM_ORDER, _ROOM_ORDER, _room_order)
    yield from _each(reduced, Kind.EQUIPMENT, _EQUIPMENT, _items)
    yield from _each(reduced, Kind.SITE, _SITE, str, cased=True)
    if people_in(reduced.text):
        yield from _about_people(reduced)


def _each(
    reduced: Reduced, kind: Kind, texts: tuple[str, ...], build: Callable[..., Any], *, cased: bool = False
) -> Iterator[tuple[int, Heard]]:
    for text in texts:
        for place, groups in reduced.consume(pattern(text, exact_case=cased)):
            yield place, Heard(kind, build(*groups))


def _about_records(reduced: Reduced) -> Iterator[tuple[int, Heard]]:
    """Events and policies."""
    value = reduced.value

    def event(title: str | None, owner: str | None, person: str | None, other_title: str | None, day: str) -> EventName:
        return EventName(_person(owner or person or ""), value(title or other_title or ""), value(day))

    if reduced.has("title"):
        yield from _each(reduced, Kind.AFTER, (_EVENT,), event, cased=True)
    for place, (policy, bracketed, document) in reduced.consume(POLICY):
        yield place, Heard(Kind.POLICY, PolicyCall(policy, bracketed or document))


def _about_time(reduced: Reduced) -> Iterator[tuple[int, Heard]]:
    """The window, the length and the limits."""
    if reduced.has("days") or reduced.has("day") or reduced.has("span"):
        yield from _windows(reduced)
    for token, kind, texts in (
        ("moment", Kind.DEADLINE, _DEADLINE),
        ("moment", Kind.NOT_BEFORE, _NOT_BEFORE),
        ("span", Kind.BAN, _BAN),
        ("span", Kind.REQUIRED, _REQUIRED),
        ("length", Kind.LENGTH, _LENGTH),
    ):
        if reduced.has(token):
            yield from _each(reduced, kind, texts, reduced.value)


def _about_people(reduced: Reduced) -> Iterator[tuple[int, Heard]]:
    """Who joins, who leaves, and who takes part; each pattern sees only what earlier ones have not consumed."""
    for kind, texts in ((Kind.JOINS, _JOINS), (Kind.LEAVES, _LEAVES)):
        for place, heard in _each(reduced, kind, texts, _people, cased=True):
            yield from ((place, Heard(kind, person)) for person in heard.value)
    yield from _each(reduced, Kind.PEOPLE, _PARTICIPANTS, _people, cased=True)


def _windows(reduced: Reduced) -> Iterator[tuple[int, Heard]]:
    """Windows: a run of days or a single day, with or without hours, or a span."""
    value = reduced.value

    def window(days: str | None, day: str | None, hours: Hours | None) -> Window:
        return Window(value(days) if days else Days(value(day or ""), value(day or "")), hours)

    def spanned(span: Span) -> Window:
        hours = Hours(span.start.minute, span.end.minute)
        return Window(Days(span.start.day, span.end.day), None if hours == Hours(0, MINUTES_PER_DAY) else hours)

    with_hours, with_bounds, on_the_day, at_any_hour, whole = (pattern(text) for text in _WINDOWS)
    for place, (days, day, hours) in reduced.consume(with_hours):
        yield place, Heard(Kind.WINDOW, window(days, day, value(hours)))
    for place, (days, day, opens, closes) in reduced.consume(with_bounds):
        yield place, Heard(Kind.WINDOW, window(days, day, Hours(value(opens), value(closes))))
    for span_pattern in (on_the_day, whole):
        for place, (span,) in reduced.consume(span_pattern):
            yield place, Heard(Kind.WINDOW, spanned(value(span)))
    for place, (days, day) in reduced.consume(at_any_hour):
        yield place, Heard(Kind.WINDOW, window(days, day, None))


def _people(text: str) -> list[PersonName]:
    return [PersonName(name, team or bracketed or None) for name, team, bracketed in _PERSON_PARTS.findall(text)]


def _person(text: str) -> PersonName:
    return _people(text)[0]


def _items(text: str) -> list[str]:
    return [re.sub(r"^(?:an?|the) ", "", item.strip()).lower() for item in re.split(r", (?:and )?| and ", text)]


def _room_order(text: str) -> tuple[str, ...]:
    return tuple(
        next(key for key, phrases in _ROOM_KEYS.items() if re.fullmatch(phrases, phrase, re.IGNORECASE))
        for phrase in re.split(r", then ", text, flags=re.IGNORECASE)
    )

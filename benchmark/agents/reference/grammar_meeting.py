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
_NO_NAME = r"(?!(?:And|Also|After|Before|But|So|Then|The|For|Please|With|Thanks|Hi|Hello|Sorry|Update)\b)"
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
_EVENT = rf"(?:[Tt]he <title> (?:of|in the calendar of|that) ({PERSON})(?: has)?|({PERSON})['\u2019]s <title>) on <day>"

_WHEN = r"(?:<days>|on <day>)[,;] "
_WINDOWS = (
    rf"{_WHEN}(?:(?:each day|on each of these days|on any day|always|any time) )?<hours>(?: every day)?",
    rf"{_WHEN}(?:any time of the day|at any hour|around the clock|at whatever hour)",
    (
        r"(?:\b(?:some time|at some point)|\b(?:window|frame)(?: for the meeting)? is(?: now)?|\blook(?: for (?:times|a time))?|\bsomething"
        r"|\b(?:(?<!us )to|can) meet|\b(?:find(?: us)?|for) a time|\bit['\u2019]s now) <span>"
    ),
)
_LENGTH = (
    (
        r"(?:takes?|plan|needs?|book|aside|for|cover|last|settled on|decided on|agreed on|less than|make it"
        r"|make (?:the|this) (?:meeting|one)|it['\u2019]s(?: now)?|(?:it|meeting) should be|calls for|meeting is|this one is|will be"
        r"|changed to|length(?: of the meeting)? to) <length>"
    ),
    r"<length> (?:is (?:the right length|what we need|fine)|will do|it is)",
)
COUNTED_OPTIONS = rf"\b{_COUNT} (?:option|proposal|suggestion)s?\b"
_DEADLINE = (
    r"\bby <moment>",
    r"\bno later than <moment>",
    r"\brun past <moment>",
    r"\bend of (?:the|this) meeting (?:is|must(?: now)? be) <moment>",
    r"\blatest that (?:the|this) meeting can end is <moment>",
)
_NOT_BEFORE = (
    r"\b(?:start|starts|starting|begin|begins) (?:(?:of )?(?:the|this) meeting )?(?:before|no earlier than|earlier than|from) <moment>",
    r"\bearliest (?:possible start of (?:the|this) meeting|that the meeting can (?:start|begin)) is(?: now)? <moment>",
)
_BAN = (
    r"\b(?:can['\u2019]t|cannot|nor can we|(?:impossible|not possible) for us to) meet <span>",
    r"\bno part of the meeting may (?:fall|be) <span>",
    r"\bany part of the meeting <span>",
    r"^meeting <span> is (?:also )?(?:out of the question|(?:not )?possible|impossible)",
    r"(?<=[.:>\n] )meeting <span> is (?:also )?(?:out of the question|(?:not )?possible|impossible)",
    r"<span>, (?:we can['\u2019]t meet|(?:no part of )?the meeting (?:is|isn['\u2019]t) possible)",
    r"<span>, so (?:we can['\u2019]t meet then|no part of the meeting may fall into that time|please keep the meeting out of that time)",
    r"\bthe meeting (?:can['\u2019]t|must not|may not) be <span>",
    r"\brule out meeting <span>",
    r"\bkeep the meeting clear of any time <span>",
)
_REQUIRED = (
    r"\btake(?:s)? place <span>",
    r"\bonly time that (?:suits us|works for us|we can use) is <span>",
    r"\bwhole meeting (?:must|has to|(?:may|could)(?: also)?) (?:fall|be) <span>",
    r"\bwhole meeting (?:falls|is) <span>",
    r"\bmeeting (?:only works|would also work) <span>",
    r"\bonly look at times <span>",
    r"\b(?:can only|could also|just as well) meet <span>",
    r"<span>, so (?:the whole meeting|please keep the (?:whole|entire) meeting within)",
    r"<span>, and no part of the meeting may fall outside",
    r"\btimes <span> will do",
)
_LATEST = (
    r"\blatest (?:possible )?(?:options|ones)\b|\blatest (?:one|start) that works|\blatest first|\bnext latest|\blatest of all"
    r"|\blatest start (?:first|backwards)|\bas late as possible"
)
_EARLIEST = (
    r"\bearliest (?:possible )?(?:options|ones)\b|\bearliest one that works|\bearliest first|\bnext earliest"
    r"|\bearliest of all|\bearliest start (?:first|onwards)|\bas early as possible"
)
_RANKING = (
    (
        rf"(?:don['\u2019]t take the earliest options (?:any more )?but the )?({_LATEST})"
        rf"|(?:don['\u2019]t take the latest options (?:any more )?but the )?({_EARLIEST})"
    ),
)
_ROOM_KEYS = {
    "capacity": r"by (?:(?:number of )?seats, fewest|(?:seating )?capacity, lowest) first",
    "-capacity": r"by (?:(?:number of )?seats, most|(?:seating )?capacity, highest) first",
    "floor": r"by floor, (?:lowest first|lower floors before higher ones|from the bottom up)",
    "-floor": r"by floor, (?:highest first|higher floors before lower ones|from the top down)",
    "name": r"by name, in alphabetical order|alphabetically by name|by name, from A to Z",
}
_ROOM_KEY = "|".join(_ROOM_KEYS.values())
_NEXT_KEY = r"(?:, then |, and where that is equal, |; where that is equal, )"
ROOM_ORDER = rf"((?:{_ROOM_KEY})(?:{_NEXT_KEY}(?:{_ROOM_KEY}))*)"
_GUESTS = (
    rf"\b{_COUNT} (?:external )?(?:visitors?|guests?)\b",
    r"\b(nobody) from outside\b",
)
_EQUIPMENT = (
    r"\broom (?:also )?(?:needs|has to have|must (?:also )?have) ([^.]+)\.",
    r"\bcan['\u2019]t do without ([^.]+?) in the room",
    r"\bmake sure that the room has ([^.]+?)(?: as well)?\.",
    r"\broom (?:with|that (?:also )?has) (?!us\b)([^.]+?)(?: will do| as well)?\.",
    r"\bneed (?!(?:a )?seats?\b)([^.]+?) in the room\b",
    r"\bwhichever room it is, it (?:must|has to) (?:also )?have ([^.]+)\.",
    r"\b(?:we depend on|we['\u2019]ll be using) ([^.]+?)(?: too)?, so (?:please|the room)",
)
_SITE = (
    rf"(?i:\b(?:has to|must) be at|\b(?:meet(?:ing)?|held) at|\ba room at|\brooms at) {_PLACE}",
    rf"\b(?i:only) {_PLACE} (?:is possible|works for us)\b",
    rf"{_PLACE} only, please\b",
)
_TOO = "(?:as well|too)"
_ATTEND = "(?:be there|attend|take part|join|be joining)"
_WILL_NOT = r"(?:won['\u2019]t|will not|do(?:es)?(?:n['\u2019]t| not))"
_JOINS = (
    rf"(?i:\badd|\balso need|\binclude|\bdo need|\bput|\bforgot somebody,) {_PEOPLE}",
    rf"(?i:\binvite|\bneeds) {_PEOPLE} {_TOO}",
    rf"(?i:\bsend) {_PEOPLE} an invitation",
    (
        rf"{_PEOPLE} (?:(?:has to|must|needs to|should|to) {_ATTEND} {_TOO}|(?:will take part|takes part|is coming) {_TOO}"
        r"|(?:is joining|will join) us for this one)"
    ),
)
_LEAVES = (
    rf"(?i:\btake|\bwithout|\bdrop|\bremove|\bleave out|\bleave|\bstrike|\buninvite) {_PEOPLE}",
    rf"{_PEOPLE} (?:(?:is needed elsewhere and )?{_WILL_NOT} {_ATTEND}|isn['\u2019]t (?:coming|taking part)|is (?:out of this|off the list)|has (?:pulled|dropped) out)",
)
_AUTHOR_JOINS = (
    rf"\bI (?:(?:have to|must|need to) {_ATTEND} {_TOO}|take part {_TOO}|do have to be in the meeting)",
    rf"\bI(?: will|['\u2019]ll) (?:come|{_ATTEND}) {_TOO}",
    r"\bI['\u2019]m joining (?:you )?for this one",
)
_AUTHOR_LEAVES = (
    rf"\bI {_WILL_NOT} {_ATTEND}",
    r"\bI(?:['\u2019]m (?:out of this one|off the list|not (?:coming|taking part))|(?: have|['\u2019]ve) (?:pulled|dropped) out)",
)
_PARTICIPANTS = (
    (
        r"(?i:\b(?:it['\u2019]s|this is|meeting is)(?: now)? for|\b(?:participants|attendees|attending) are(?: now)?|\bneed"
        rf"|\btaking part are|\btakes|\ba time for|\bbook this one for|\blist of participants has) {_PEOPLE}"
    ),
    rf"(?i:\bget|\bbring|\binvite|\bconcerns|\binvolves|\binvitation goes to) {_PEOPLE}",
)
_ME = re.compile(r"\bme\b")
_MINE = re.compile(r"\b[Mm]y ('[^']*')")
_MY_CALENDAR = re.compile(r"\bin my calendar\b")


def read_statements(text: str, today: date | None, author: str | None = None) -> list[Heard]:
    """The statements in a text about a single meeting, in reading order.

    A day without a year is the one nearest to `today`. "I", "me" and "my" are the author, whose name is followed by
    the team in parentheses if the author is known with it. Raises `ReadingError` if a time, day or length remains that
    no sentence pattern matches.
    """
    reduced = Reduced(text if author is None else _in_third_person(text, author))
    reduced.reduce("title", _TITLE, lambda title: title)
    if _QUANTITY.search(text):
        reduce_times(reduced, today)
        reduce_lengths(reduced)
    placed = sorted(_statements(reduced, author), key=lambda item: item[0])
    unread = reduced.left(("day", "time", "hours", "moment", "days", "span", "length"))
    if unread:
        raise ReadingError(f"cannot tell what the {unread[0]} means in {text!r}")
    return [statement for _, statement in placed]


def _in_third_person(text: str, author: str) -> str:
    text = _MINE.sub(lambda match: f"the {match[1]} of {author}", text)
    return _ME.sub(author, _MY_CALENDAR.sub(f"in the calendar of {author}", text))


def window_of(span: Span) -> Window:
    """The window that consists of the same hours on each day of a span, or of whole days."""
    hours = Hours(span.start.minute, span.end.minute)
    return Window(Days(span.start.day, span.end.day), None if hours == Hours(0, MINUTES_PER_DAY) else hours)


def people_in(text: str) -> list[list[PersonName]]:
    """Every list of full names in a text."""
    return [_people(match[0]) for match in re.finditer(_PEOPLE, text)]


def _statements(reduced: Reduced, author: str | None) -> Iterator[tuple[int, Heard]]:
    yield from _about_records(reduced)
    yield from _about_time(reduced)
    yield from _each(reduced, Kind.COUNT, (COUNTED_OPTIONS,), number)
    yield from _each(reduced, Kind.LATEST, _RANKING, lambda latest, _: latest is not None)
    yield from _each(reduced, Kind.GUESTS, _GUESTS, lambda word: 0 if word.lower() == "nobody" else number(word))
    yield from _each(reduced, Kind.ROOM_ORDER, (ROOM_ORDER,), room_order)
    yield from _each(reduced, Kind.EQUIPMENT, _EQUIPMENT, items_in)
    yield from _each(reduced, Kind.SITE, _SITE, str, cased=True)
    if author is not None:
        yield from _about_author(reduced, _person(author))
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


def _about_author(reduced: Reduced, author: PersonName) -> Iterator[tuple[int, Heard]]:
    """Whether the author joins or leaves."""
    yield from _each(reduced, Kind.JOINS, _AUTHOR_JOINS, lambda: author, cased=True)
    yield from _each(reduced, Kind.LEAVES, _AUTHOR_LEAVES, lambda: author, cased=True)


def _windows(reduced: Reduced) -> Iterator[tuple[int, Heard]]:
    """Windows: a run of days or a single day, with or without hours, or a span."""
    value = reduced.value

    def window(days: str | None, day: str | None, hours: Hours | None) -> Window:
        return Window(value(days) if days else Days(value(day or ""), value(day or "")), hours)

    with_hours, at_any_hour, whole = (pattern(text) for text in _WINDOWS)
    for place, (days, day, hours) in reduced.consume(with_hours):
        yield place, Heard(Kind.WINDOW, window(days, day, value(hours)))
    for place, (days, day) in reduced.consume(at_any_hour):
        yield place, Heard(Kind.WINDOW, window(days, day, None))
    for place, (span,) in reduced.consume(whole):
        yield place, Heard(Kind.WINDOW, window_of(value(span)))


def _people(text: str) -> list[PersonName]:
    return [PersonName(name, team or bracketed or None) for name, team, bracketed in _PERSON_PARTS.findall(text)]


def _person(text: str) -> PersonName:
    return _people(text)[0]


def items_in(text: str) -> list[str]:
    """The pieces of equipment in a list."""
    return [re.sub(r"^(?:an?|the) ", "", item.strip()).lower() for item in re.split(r", (?:and )?| and ", text)]


def room_order(text: str) -> tuple[str, ...]:
    """The keys of a ranking of rooms that `ROOM_ORDER` found; "-" is descending."""
    return tuple(
        next(key for key, phrases in _ROOM_KEYS.items() if re.fullmatch(phrases, phrase, re.IGNORECASE))
        for phrase in re.split(_NEXT_KEY, text, flags=re.IGNORECASE)
    )

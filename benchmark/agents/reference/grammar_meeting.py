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

_WHEN = r"(?:<days>|on <day>)[,;] "
_WINDOWS = (
    rf"{_WHEN}(?:(?:each day|every day|daily|on each of these days|on every day|any time) )?<hours>",
    rf"{_WHEN}(?:any time of the day|at any hour|around the clock|at whatever hour)",
    (
        r"(?:\bhappen some time|\b(?:window|frame) is|\bwindow (?:runs|is)|\b(?:window|frame|dates|old one):|\blook(?: for times)?"
        r"|\bsomething|\b(?:want to|can) meet|\bplace it|\bfind a time|\bit['\u2019]s now|\bit now (?:runs|is)) <span>"
    ),
)
_LENGTH = (
    (
        r"(?:take|takes|plan|need|needs|book|aside|go for|for|lasts|like|make (?:that|it|the meeting)|it['\u2019]s|calls for"
        r"|(?:length|meeting|duration|needed|plan|one):) <length>"
    ),
    r"<length> (?:is (?:the right length|what we need)|it is)",
)
COUNTED_OPTIONS = rf"\b{_COUNT} (?:option|proposal|suggestion)s?\b"
_DEADLINE = (
    r"\bby <moment>",
    r"no later than <moment>",
    r"\bend(?: of the meeting)?(?: is|:| must be) <moment>",
)
_NOT_BEFORE = (
    r"(?:start|starts|starting|begin|begins) (?:before|earlier than|from) <moment>",
    r"earliest (?:possible )?start(?:, replacing the old one)?(?: is|:) <moment>",
    r"only ready from <moment>",
)
_BAN = (
    r"nothing <span>",
    r"(?:can['\u2019]t|nor can it) (?:be|take place) <span>",
    r"put any of it <span>",
    r"\bno part of (?:the meeting|it) may fall <span>",
    r"(?:no-go|for this one|possible|avoid|avoided|blocked|following time|this time|ruled out): <span>",
)
_REQUIRED = (
    r"take place <span>",
    r"\bonly time (?:we can use|that suits us) is <span>",
    r"\bneed(?:ed| it) <span>",
    r"(?:must|has to|may also) fall <span>",
    r"only works <span>",
    r"search to times <span>",
    r"(?:only possible time|besides what we had): <span>",
    r"would also work <span>",
    r"the time given before, <span>",
    r"time that is allowed: <span>",
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
    "capacity": r"smallest room first|(?:the room with the )?fewest seats first|lowest capacity first",
    "-capacity": r"largest room first|(?:the room with the )?most seats first|highest capacity first",
    "floor": r"lowest floor first|the room on the lower floor first|lower floors before higher ones",
    "-floor": r"highest floor first|the room on the higher floor first|higher floors before lower ones",
    "name": r"room names in alphabetical order|rooms alphabetically by name|alphabetically by the name of the room",
}
_ROOM_KEY = "|".join(_ROOM_KEYS.values())
_NEXT_KEY = r"(?:, then |, and if that is equal, |; among equals, )"
_ROOM_ORDER = (rf"((?:{_ROOM_KEY})(?:{_NEXT_KEY}(?:{_ROOM_KEY}))*)",)
_GUESTS = (
    rf"\b{_COUNT} (?:external )?(?:visitors?|guests?)\b",
    r"\b(nobody) (?:comes )?from outside\b",
    r"\b(no) extra seats\b",
)
_EQUIPMENT = (
    r"\broom (?:also )?(?:needs|has to have|must (?:also )?have) ([^.]+)\.",
    r"\bcan['\u2019]t do without ([^.]+) in the room",
    r"\bmake sure that the room has ([^.]+?)(?: as well)?\.",
    r"\broom (?:with|that has) (?!us\b)([^.]+?)(?: will do)?\.",
    r"\b(?:equipment (?:required|needed)|(?:needed|required) in the room): ([^.]+)\.",
    r"\bwe depend on ([^.]+?)(?:, so (?:only|please)| too\b)",
)
_SITE = (
    rf"(?i:\b(?:has to|must) be at|\bmeet(?:ing)? at|\b(?:site|place|location):|\ba room at|\brooms at) {_PLACE}",
    rf"\b(?i:only) {_PLACE} is possible as a site",
    rf"\bsite, replacing the old one: {_PLACE}",
)
_TOO = "(?:as well|too)"
_ATTEND = "(?:be there|attend|take part)"
_WILL_NOT = r"(?:won['\u2019]t|will not|do(?:es)?(?:n['\u2019]t| not))"
_JOINS = (
    (
        r"(?i:\badd|\b(?:one more|another|new) participant:|\balso taking part:|\balso need|\binclude|\bdo need|\bput"
        rf"|\bforgot somebody:) {_PEOPLE}"
    ),
    (
        rf"{_PEOPLE} (?:(?:has to|must|needs to) {_ATTEND} {_TOO}|(?:will take|takes) part {_TOO}"
        r"|(?:joins|is joining|will join) us for this one)"
    ),
)
_LEAVES = (
    rf"(?i:\btake|\bwithout|\bdrop|\bremove|\bwait for|\bdon['\u2019]t need|\bleave out|\bleave|\bfewer:|\bstrike) {_PEOPLE}",
    rf"{_PEOPLE} (?:{_WILL_NOT} {_ATTEND}|is out of this|has (?:pulled|dropped) out)",
)
_AUTHOR_JOINS = (
    rf"\bI (?:(?:have to|must|need to) {_ATTEND} {_TOO}|(?:will )?take part {_TOO}|do have to be in the meeting)",
    r"\bI['\u2019]m joining (?:you )?for this one",
)
_AUTHOR_LEAVES = (
    rf"\bI {_WILL_NOT} {_ATTEND}",
    r"\bI(?:['\u2019]m (?:out of this one|dropping out)| have (?:pulled|dropped) out)",
)
_PARTICIPANTS = (
    (
        r"(?i:\b(?:it['\u2019]s|this is|meeting is) for|\b(?:be there|takes? part|participants|attendees|be invited|attends):"
        rf"|\bparticipants are(?: now)?|\bneed|\btaking part(?::| are)) {_PEOPLE}"
    ),
    rf"(?i:\bget|\bbring|\binvite|\bconcerns|\bearlier one:|\bno longer counts:) {_PEOPLE}",
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
    yield from _each(reduced, Kind.ROOM_ORDER, _ROOM_ORDER, _room_order)
    yield from _each(reduced, Kind.EQUIPMENT, _EQUIPMENT, _items)
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


def _items(text: str) -> list[str]:
    return [re.sub(r"^(?:an?|the) ", "", item.strip()).lower() for item in re.split(r", (?:and )?| and ", text)]


def _room_order(text: str) -> tuple[str, ...]:
    return tuple(
        next(key for key, phrases in _ROOM_KEYS.items() if re.fullmatch(phrases, phrase, re.IGNORECASE))
        for phrase in re.split(_NEXT_KEY, text, flags=re.IGNORECASE)
    )

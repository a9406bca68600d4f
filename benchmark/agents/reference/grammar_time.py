"""Parse days, times of day, moments, spans, lengths and counts as people write them."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced, pattern

MINUTES_PER_DAY = 24 * 60
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


def number(word: str) -> int:
    """A number in digits or words."""
    return int(word) if word.isdigit() else NUMBERS.index(word.lower())


_WEEKDAY = r"\b(?:(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?"
_MONTH = (
    r"(January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b"
)
_ISO_DAY = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DAY_MONTH = re.compile(rf"{_WEEKDAY}(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (\d{{4}})\b(?!:))?")
_MONTH_DAY = re.compile(rf"{_WEEKDAY}{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:\d)(?:,? (\d{{4}})\b(?!:))?")

_CLOCK = re.compile(
    r"(?<![\d:.])(\d{1,2})(?::(\d\d))?(?: ?([ap])\.?m\b\.?(?!\w))|(?<![\d:.])(\d{1,2}):(\d\d)(?!\d|:\d)"
)
_NOON = re.compile(r"\b(noon)\b", re.IGNORECASE)

NUMBER_WORDS = "|".join(NUMBERS[1:])
_COUNT = rf"(\d+|{NUMBER_WORDS})"
_LENGTHS = (
    (rf"\b{_COUNT}(?: and a half|\u00bd) hours?\b", lambda hours: number(hours) * 60 + 30),
    (r"\b(?:an|one|1) hour and a half\b", lambda: 90),
    (r"\bthree[ -]quarters of an hour\b", lambda: 45),
    (r"\b(?:a quarter of an hour|a quarter[ -]hour)\b", lambda: 15),
    (r"\b(?:half an hour|a half[ -]hour)\b", lambda: 30),
    (r"\b(\d+)\.5 ?(?:hours?|h)\b", lambda hours: int(hours) * 60 + 30),
    (r"\b(\d+) ?h ?(\d\d)(?: ?min)?\b", lambda hours, minutes: int(hours) * 60 + int(minutes)),
    (
        rf"\b(?:an|{_COUNT}) hours?(?: and)? {_COUNT} min(?:utes?)?\b",
        lambda hours, minutes: number(hours or "one") * 60 + number(minutes),
    ),
    (rf"\b{_COUNT}[ -]?min(?:ute)?s?\b", number),
    (rf"\b{_COUNT} ?(?:hours?|h)\b", lambda hours: number(hours) * 60),
    (r"\ban hour\b", lambda: 60),
)
_LENGTH_PATTERNS = tuple((re.compile(text, re.IGNORECASE), value) for text, value in _LENGTHS)


class Hours(NamedTuple):
    """A part of the day, in minutes from midnight."""

    start: int
    end: int


class Days(NamedTuple):
    """A run of whole days, both ends included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Moment:
    """A wall-clock time on a day, in minutes from midnight; 1440 is the end of the day."""

    day: date
    minute: int


@dataclass(frozen=True, slots=True)
class Span:
    """From one moment to another."""

    start: Moment
    end: Moment


def instant(moment: Moment, zone: tzinfo) -> datetime:
    """A wall-clock moment as an instant; 24:00 is the midnight that ends the day."""
    day, minute = divmod(moment.minute, MINUTES_PER_DAY)
    midnight = datetime.combine(moment.day + timedelta(days=day), time())
    return (midnight + timedelta(minutes=minute)).replace(tzinfo=zone)


def reduce_times(reduced: Reduced, today: date | None) -> None:
    """Replace days, times, hours of the day, moments, runs of days and spans by tokens.

    A day without a year is the one nearest to `today`. Raises `ReadingError` for a day that does not exist, does not
    fall on the weekday named with it, or has no year if `today` is None.
    """
    reduced.reduce("day", _ISO_DAY, lambda year, month, day: _date(int(year), int(month), int(day)))
    reduced.reduce("day", _DAY_MONTH, lambda wd, day, month, year: _day(wd, day, month, year, today))
    reduced.reduce("day", _MONTH_DAY, lambda wd, month, day, year: _day(wd, day, month, year, today))
    reduced.reduce("time", _CLOCK, _minute)
    reduced.reduce("time", _NOON, lambda _: MINUTES_PER_DAY // 2)
    value = reduced.value
    for text in (
        r"(?:between )<time> and <time>",
        r"(?:from )<time> (?:to|until|till) <time>",
        r"<time> ?[-\u2013] ?<time>",
        r"starting no earlier than <time> and ending no later than <time>",
    ):
        reduced.reduce("hours", pattern(text), lambda low, high: Hours(value(low), value(high)))
    reduced.reduce("moment", pattern(r"<time> on <day>"), lambda minute, day: Moment(value(day), value(minute)))
    reduced.reduce("moment", pattern(r"<day>,?(?: at)? <time>"), lambda day, minute: Moment(value(day), value(minute)))
    _reduce_days(reduced)
    _reduce_spans(reduced)


def reduce_lengths(reduced: Reduced) -> None:
    """Replace lengths of time by tokens of kind `length`, in minutes."""
    for found, value in _LENGTH_PATTERNS:
        reduced.reduce("length", found, value)


def _reduce_days(reduced: Reduced) -> None:
    value = reduced.value
    weekends = r"(?:, (?:the )?weekends? included|, Saturdays? and Sundays? too)?"
    for text in (
        r"from <day> through <day>",
        r"from <day> to <day> inclusive",
        r"between <day> and <day> \(both days included\)",
        r"from <day> up to and including <day>",
    ):
        reduced.reduce("days", pattern(text + weekends), lambda first, last: Days(value(first), value(last)))


def _reduce_spans(reduced: Reduced) -> None:
    value = reduced.value

    def within(day: str, hours: str) -> Span:
        return Span(Moment(value(day), value(hours).start), Moment(value(day), value(hours).end))

    def whole(first: date, last: date) -> Span:
        return Span(Moment(first, 0), Moment(last, MINUTES_PER_DAY))

    any_hour = r"\(at any (?:hour|time of the day)\)"
    reduced.reduce("span", pattern(r"on <day>,? <hours>"), within)
    reduced.reduce("span", pattern(r"<hours> on <day>"), lambda hours, day: within(day, hours))
    reduced.reduce("span", pattern(rf"on <day> {any_hour}"), lambda day: whole(value(day), value(day)))
    reduced.reduce("span", pattern(rf"<days> {any_hour}"), lambda days: whole(*value(days)))
    nights = r"(?:, (?:the )?nights? included| \((?:the )?nights? included\))?"
    for text in (
        rf"(?:in the (?:unbroken )?stretch )?from <moment>,? (?:(?:straight|right) through to|until|to) <moment>{nights}",
        r"between <moment> and <moment>",
    ):
        reduced.reduce("span", pattern(text), lambda start, end: Span(value(start), value(end)))


def _date(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise ReadingError(f"no such day: {year}-{month}-{day}") from None


def _day(weekday: str | None, day: str, month: str, year: str | None, today: date | None) -> date:
    number_of_month = MONTHS.index(month[:3].lower()) + 1
    if year is not None:
        read = _date(int(year), number_of_month, int(day))
    elif today is None:
        raise ReadingError(f"no year: {day} {month}")
    else:
        near = _years_nearby(number_of_month, int(day), today)
        read = min(near, key=lambda candidate: abs(candidate - today))
    if weekday is not None and not WEEKDAYS[read.weekday()].startswith(weekday[:3].lower()):
        raise ReadingError(f"{read} is not a {weekday}")
    return read


def _years_nearby(month: int, day: int, today: date) -> list[date]:
    near = []
    for year in (today.year - 1, today.year, today.year + 1):
        try:
            near.append(date(year, month, day))
        except ValueError:  # 29 February
            continue
    if not near:
        raise ReadingError(f"no such day: {day} of month {month}")
    return near


def _minute(hour12: str, minute12: str, half: str, hour: str, minute: str) -> int | None:
    if half:
        read = int(hour12) % 12 * 60 + int(minute12 or 0) + (12 * 60 if half.lower() == "p" else 0)
    else:
        read = int(hour) * 60 + int(minute)
    return read if read <= MINUTES_PER_DAY else None

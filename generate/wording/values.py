"""Write values as people do: days, times of day, moments, spans, durations, counts and lists.

The random number generator passed to a function picks the style; the returned text always states the value exactly.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo
from random import Random
from typing import Final, NamedTuple

from mpcbench.generate.wording.choices import chosen
from mpcbench.schema import BanWindow, RequiredWindow, Window
from mpcbench.schema.model import MINUTES_PER_DAY, TimeOfDay, minute_of_day

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_NOON = 12 * 60

DAY_STYLES: Final = (
    "{weekday} {day} {month}",
    "{weekday}, {day} {month}",
    "{weekday}, {month} {day}",
    "{wd} {day} {mon}",
    "{wd}, {mon} {day}",
    "{day} {month}",
    "{month} {day}",
    "{weekday} the {ordinal} of {month}",
    "{iso}",
)
DATED_STYLES: Final = (
    "{weekday} {day} {month} {year}",
    "{weekday}, {day} {month} {year}",
    "{weekday}, {month} {day}, {year}",
    "{day} {month} {year}",
    "{wd} {day} {mon} {year}",
    "{iso}",
)


class PhrasingError(ValueError):
    """No phrasing expresses a statement exactly."""


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, ..."""
    suffix = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def day(value: date, style: str) -> str:
    """A calendar day in one of `DAY_STYLES` or `DATED_STYLES`."""
    weekday, month = WEEKDAYS[value.weekday()], MONTHS[value.month - 1]
    return style.format(
        weekday=weekday,
        wd=weekday[:3],
        day=value.day,
        ordinal=ordinal(value.day),
        month=month,
        mon=month[:3],
        year=value.year,
        iso=f"{value.year:04d}-{value.month:02d}-{value.day:02d}",
    )


class Clock(NamedTuple):
    """A style of writing times of day."""

    pattern: str

    def write(self, minute: int) -> str:
        """A minute of the day, 0 to 1440; midnight is 00:00 or 24:00 in every style."""
        hour, rest = divmod(minute, 60)
        if hour in {0, 24} or self.pattern == "08:00":
            return f"{hour:02d}:{rest:02d}"
        if self.pattern == "8:00":
            return f"{hour}:{rest:02d}"
        if minute == _NOON:
            return "noon"
        half = "am" if hour < 12 else "pm"
        gap = " " if self.pattern == "8 am" else ""
        return f"{(hour - 1) % 12 + 1}" + (f":{rest:02d}" if rest else "") + f"{gap}{half}"

    @property
    def is_digital(self) -> bool:
        """Whether the style is digital, so that a hyphen between two times reads well."""
        return ":" in self.pattern


CLOCKS: Final = (Clock("08:00"), Clock("8:00"), Clock("8 am"), Clock("8am"))


def clock_for(rng: Random, day_style: str) -> Clock:
    """A style of writing times that goes with a style of writing days."""
    return CLOCKS[0] if day_style == "{iso}" else rng.choice(CLOCKS)


def minute_of(moment: datetime) -> int:
    """The minute of the day of a moment that is already in the world's zone."""
    return moment.hour * 60 + moment.minute


def time_range(rng: Random, clock: Clock, start: int, end: int, *, between: bool = False) -> str:
    """`between A and B`, `from A to B`, `A-B`."""
    low, high = clock.write(start), clock.write(end)
    if between:
        return f"between {low} and {high}"
    forms = [f"between {low} and {high}", f"from {low} to {high}", f"from {low} until {high}"]
    if clock.is_digital:
        forms.append(f"{low}-{high}")
    return rng.choice(forms)


def moment(rng: Random, at: datetime, zone: tzinfo, styles: Sequence[str] = DAY_STYLES) -> str:
    """A day and a time, to follow `by`, `from`, `before`, `than`."""
    local = at.astimezone(zone)
    style = rng.choice(styles)
    when, clock = day(local.date(), style), clock_for(rng, style).write(minute_of(local))
    forms = [f"{clock} on {when}", f"{when} at {clock}"]
    if style == "{iso}":
        forms.append(f"{when} {clock}")
    elif "{month} {day}" not in style:
        forms.append(f"{when}, {clock}")
    return rng.choice(forms)


def span(
    rng: Random,
    stated: BanWindow | RequiredWindow,
    zone: tzinfo,
    *,
    between: bool = False,
    styles: Sequence[str] = DAY_STYLES,
) -> str:
    """A span of time as an adverbial: `on Wednesday 10 February between 9:00 and 13:00`.

    A span over several days says that it includes the nights, so that it cannot be read as daily hours. With `between`,
    hours are never written `from 9:00 to 13:00`, which could be read as those of the meeting itself.
    """
    start, end = stated.start.astimezone(zone), stated.end.astimezone(zone)
    style = rng.choice(styles)
    clock = clock_for(rng, style)
    begins, ends = minute_of(start), minute_of(end)
    last = end.date()
    if ends == 0:
        last, ends = last - timedelta(days=1), MINUTES_PER_DAY
    first_day, last_day = day(start.date(), style), day(last, style)
    whole_days = begins == 0 and ends == MINUTES_PER_DAY
    if start.date() == last:
        if whole_days:
            return f"on {first_day} " + rng.choice(("(at any time of the day)", "(at any hour)"))
        hours = time_range(rng, clock, begins, ends, between=between)
        if hours[0].isdigit():
            return f"on {first_day}, {hours}"
        return rng.choice((f"on {first_day} {hours}", f"{hours} on {first_day}"))
    if whole_days:
        return rng.choice(
            (
                f"from {first_day} through {last_day} (at any time of the day)",
                f"from {first_day} up to and including {last_day} (at any hour)",
            )
        )
    low, high = clock.write(begins), clock.write(ends)
    nights = "the night included" if (last - start.date()).days == 1 else "nights included"
    forms = [
        f"in the stretch from {low} on {first_day} straight through to {high} on {last_day}, {nights}",
        f"in the stretch from {first_day} at {low} right through to {last_day} at {high} ({nights})",
        f"in the unbroken stretch from {low} on {first_day} until {high} on {last_day}, {nights}",
    ]
    if not style.startswith("{month}"):
        forms.append(f"in the stretch from {first_day}, {low}, straight through to {last_day}, {high}, {nights}")
    return rng.choice(forms)


class WindowWords(NamedTuple):
    """The two parts of a window's text."""

    days: str
    """`from Monday 1 February through Friday 12 February, the weekend included`, `on Monday 1 February`."""

    daily: str
    """The hours of each day: `each day between 8:00 and 20:00`, `any time of the day`."""


def window(rng: Random, stated: Window, zone: tzinfo, styles: Sequence[str] = DAY_STYLES) -> WindowWords:
    """The parts of a window's text.

    Raises:
        PhrasingError: the window does not begin and end with a local day or with its daily hours, so days and hours
            alone cannot express it.
    """
    start, end = stated.start.astimezone(zone), stated.end.astimezone(zone)
    opens, closes = (0, MINUTES_PER_DAY) if stated.daily is None else _daily(stated.daily.start, stated.daily.end)
    last = end.date() - timedelta(days=1) if minute_of(end) == 0 else end.date()
    if minute_of(start) not in {0, opens}:
        raise PhrasingError(f"window start {start.isoformat()} is neither midnight nor the start of the daily hours")
    if minute_of(end) not in {0, closes}:
        raise PhrasingError(f"window end {end.isoformat()} is neither midnight nor the end of the daily hours")
    style = rng.choice(styles)
    clock = clock_for(rng, style)
    several = start.date() < last
    days = f"on {day(start.date(), style)}"
    if several:
        dates = [start.date() + timedelta(days=number) for number in range((last - start.date()).days + 1)]
        days = chosen(_RUN_OF_DAYS, rng).format(day(start.date(), style), day(last, style)) + _weekend(rng, dates)
    if stated.daily is None:
        return WindowWords(days, chosen(_ANY_HOUR, rng))
    hours = chosen(_HOURS_OF_DAYS if several else _HOURS_OF_A_DAY, rng)
    return WindowWords(
        days,
        hours.format(hours=time_range(rng, clock, opens, closes), opens=clock.write(opens), closes=clock.write(closes)),
    )


_RUN_OF_DAYS: Final = (
    "[from {} through {}|from {} to {} inclusive|between {} and {} (both days included)|from {} up to and including {}]"
)
_ANY_HOUR: Final = "[any time of the day|at any hour|around the clock|at whatever hour]"
_HOURS_OF_A_DAY: Final = "[{hours}|any time {hours}|starting no earlier than {opens} and ending no later than {closes}]"
_HOURS_OF_DAYS: Final = "[each day {hours}|on each of these days {hours}|{hours} every day|always between {opens} and {closes}|on any day between {opens} and {closes}|each day starting no earlier than {opens} and ending no later than {closes}]"


def _weekend(rng: Random, dates: Sequence[date]) -> str:
    """What is added to a run of days with a weekend in it; one that begins on Sunday or ends on Saturday says so."""
    weekend = [date for date in dates if date.weekday() >= WEEKDAYS.index("Saturday")]
    if len(weekend) < 2:
        return ""
    if len(weekend) == 2:
        return rng.choice((", the weekend included", ", Saturday and Sunday too"))
    return rng.choice((", weekends included", ", Saturdays and Sundays too"))


def _daily(start: TimeOfDay, end: TimeOfDay) -> tuple[int, int]:
    return minute_of_day(start), minute_of_day(end)


def duration(rng: Random, minutes: int) -> str:
    """A length of time as a noun phrase: `45 minutes`, `three quarters of an hour`, `1h30`."""
    forms = [f"{minutes} minutes", f"{minutes} min"]
    hours, rest = divmod(minutes, 60)
    if minutes == 15:
        forms += ["a quarter of an hour"]
    if minutes == 30:
        forms += ["half an hour"]
    if minutes == 45:
        forms += ["three quarters of an hour"]
    if minutes == 60:
        forms += ["an hour", "one hour", "1 hour"]
    if hours > 1 and not rest:
        forms += [f"{NUMBERS[hours]} hours", f"{hours} hours"]
    if minutes == 90:
        forms += ["an hour and a half"]
    if hours > 1 and rest == 30:
        forms += [f"{NUMBERS[hours]} and a half hours"]
    if hours and rest == 30:
        forms += [f"{hours}.5 hours"]
    if hours and rest:
        forms += [f"{hours}h{rest}", f"{_hours(hours)} and {rest} minutes"]
    return rng.choice(forms)


def _hours(hours: int) -> str:
    return "one hour" if hours == 1 else f"{NUMBERS[hours]} hours"


def count(rng: Random, number: int) -> str:
    """A number in words or digits; zero is `no`."""
    return (
        rng.choice((NUMBERS[number], str(number))) if 0 < number < len(NUMBERS) else (str(number) if number else "no")
    )


def counted(rng: Random, number: int, *nouns: str) -> str:
    """A number and one of the nouns, in the plural where it must be."""
    return f"{count(rng, number)} {rng.choice(nouns)}" + ("" if number == 1 else "s")


def listed(items: Sequence[str], conjunction: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    *others, last = items
    return f"{', '.join(others)} {conjunction} {last}" if others else last

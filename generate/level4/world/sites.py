"""The sites of the office, the public holidays of their countries, and the time that its records cover."""

from datetime import date, datetime, time, timedelta, timezone
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from mpcbench.schema.level4.world import Holiday, HolidayCalendar, Office, OpeningHours
from mpcbench.schema.model import MINUTES_PER_DAY, to_minutes

FIRST_DAY: Final = date(2027, 3, 1)
"""A Monday, two weeks before the clocks change in North America and four before they do in Europe."""

WEEKS: Final = 16
DAYS: Final = tuple(FIRST_DAY + timedelta(days=number) for number in range(7 * WEEKS))
LAST_DAY: Final = DAYS[-1]
TODAY: Final = date(2027, 2, 25)
TIMEZONE: Final = "Europe/Berlin"

_MONDAY_TO_FRIDAY: Final = (0, 1, 2, 3, 4)
SATURDAY: Final = 5

HARBOUR, MILL, NORTH, STATION = "Harbour House", "Mill Lane", "North Campus", "Station Square"

OFFICES: Final = (
    Office(
        site=HARBOUR,
        timezone=TIMEZONE,
        country="Germany",
        opening=(
            OpeningHours(start="08:00", end="17:30", days=(0, 1, 2, 3)),
            OpeningHours(start="08:00", end="15:00", days=(4,)),
        ),
    ),
    Office(
        site=MILL,
        timezone="Europe/Lisbon",
        country="Portugal",
        opening=(OpeningHours(start="09:00", end="17:00", days=_MONDAY_TO_FRIDAY),),
    ),
    Office(
        site=NORTH,
        timezone="America/New_York",
        country="United States",
        opening=(
            OpeningHours(start="08:30", end="17:00", days=_MONDAY_TO_FRIDAY),
            OpeningHours(start="09:00", end="13:00", days=(SATURDAY,)),
        ),
    ),
    Office(
        site=STATION,
        timezone="Africa/Johannesburg",
        country="South Africa",
        opening=(
            OpeningHours(start="07:30", end="17:00", days=(0, 1, 2, 3)),
            OpeningHours(start="07:30", end="14:30", days=(4,)),
        ),
    ),
)
"""The clocks of the last site never change."""

SHARES: Final = {HARBOUR: 11, MILL: 8, NORTH: 6, STATION: 5}
"""How many of the line teams sit at each site."""

_HOLIDAYS: Final = {
    "Germany": (
        ((1, 1), "New Year's Day"),
        ((3, 26), "Good Friday"),
        ((3, 29), "Easter Monday"),
        ((5, 1), "Labour Day"),
        ((5, 6), "Ascension Day"),
        ((5, 17), "Whit Monday"),
        ((10, 3), "Day of German Unity"),
        ((12, 25), "Christmas Day"),
        ((12, 26), "Second Day of Christmas"),
    ),
    "Portugal": (
        ((1, 1), "New Year's Day"),
        ((3, 26), "Good Friday"),
        ((3, 28), "Easter Sunday"),
        ((4, 25), "Freedom Day"),
        ((5, 1), "Labour Day"),
        ((5, 27), "Corpus Christi"),
        ((6, 10), "Portugal Day"),
        ((8, 15), "Assumption Day"),
        ((10, 5), "Republic Day"),
        ((11, 1), "All Saints' Day"),
        ((12, 1), "Restoration of Independence"),
        ((12, 8), "Immaculate Conception"),
        ((12, 25), "Christmas Day"),
    ),
    "United States": (
        ((1, 1), "New Year's Day"),
        ((1, 18), "Martin Luther King Jr. Day"),
        ((2, 15), "Washington's Birthday"),
        ((5, 31), "Memorial Day"),
        ((6, 18), "Juneteenth (observed)"),
        ((7, 5), "Independence Day (observed)"),
        ((9, 6), "Labor Day"),
        ((10, 11), "Columbus Day"),
        ((11, 11), "Veterans Day"),
        ((11, 25), "Thanksgiving Day"),
        ((12, 24), "Christmas Day (observed)"),
    ),
    "South Africa": (
        ((1, 1), "New Year's Day"),
        ((3, 21), "Human Rights Day"),
        ((3, 22), "Human Rights Day (observed)"),
        ((3, 26), "Good Friday"),
        ((3, 29), "Family Day"),
        ((4, 27), "Freedom Day"),
        ((5, 1), "Workers' Day"),
        ((6, 16), "Youth Day"),
        ((8, 9), "National Women's Day"),
        ((9, 24), "Heritage Day"),
        ((12, 16), "Day of Reconciliation"),
        ((12, 25), "Christmas Day"),
        ((12, 26), "Day of Goodwill"),
        ((12, 27), "Day of Goodwill (observed)"),
    ),
}
"""The nationwide public holidays of 2027, by month and day."""

ZONES: Final = {office.site: office.zone for office in OFFICES}
HOME: Final = ZoneInfo(TIMEZONE)


def holiday_calendars() -> tuple[HolidayCalendar, ...]:
    """The public holidays of the four countries in the year of the period."""
    return tuple(
        HolidayCalendar(
            country=country,
            days=tuple(Holiday(day=date(FIRST_DAY.year, month, day), name=name) for (month, day), name in days),
        )
        for country, days in _HOLIDAYS.items()
    )


def holidays_of(site: str) -> frozenset[date]:
    """The public holidays of the country of a site."""
    (country,) = (office.country for office in OFFICES if office.site == site)
    return frozenset(date(FIRST_DAY.year, month, day) for (month, day), _ in _HOLIDAYS[country])


def moment(day: date, at: int, zone: ZoneInfo = HOME) -> datetime:
    """The wall-clock time of a day, minutes after midnight (1440 is the next midnight), with a fixed offset."""
    days, rest = divmod(at, MINUTES_PER_DAY)
    local = datetime.combine(day + timedelta(days=days), time(rest // 60, rest % 60), zone)
    return local.replace(tzinfo=timezone(local.utcoffset() or timedelta()))


def minute(day: date, at: int, zone: ZoneInfo = HOME) -> int:
    """The same moment as minutes since 1970-01-01 UTC; for times from 04:00 on, after the clocks have changed."""
    return _noon(day, zone) + at - MINUTES_PER_DAY // 2


@cache
def _noon(day: date, zone: ZoneInfo) -> int:
    return to_minutes(moment(day, MINUTES_PER_DAY // 2, zone))

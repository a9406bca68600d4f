"""How calendars show their entries: a single one with its times, a series with its rule, exceptions and moves."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from mpcbench.benchmark.environment.tools.policies import WEEKDAYS
from mpcbench.benchmark.environment.tools.results import local_in
from mpcbench.schema.level4.calendar import Entry, Frequency, Recurrence
from mpcbench.schema.model import to_minutes

PRIVATE = "(private)"
_COUNTED = {1: "first", 2: "second", 3: "third", 4: "fourth", -1: "last"}
_UNITS = {Frequency.DAILY: "day", Frequency.WEEKLY: "week", Frequency.MONTHLY: "month"}


def entries_between(entries: Iterable[Entry], start: datetime, end: datetime) -> list[Entry]:
    """The single entries that touch a half-open span, and the series whose run does, by start.

    A series runs from its first day to its last; an occurrence that was moved out of its run belongs to it, too.
    """
    found = [entry for entry in entries if any(low < end and start < high for low, high in _runs(entry))]
    return sorted(found, key=lambda entry: (to_minutes(entry.start), to_minutes(entry.end), entry.event_id))


def _runs(entry: Entry) -> list[tuple[datetime, datetime]]:
    rule = entry.recurrence
    if rule is None:
        return [(entry.start, entry.end)]
    last = datetime.combine(rule.until + timedelta(days=1), time(), rule.zone).astimezone(UTC)
    return [
        (entry.start, last + timedelta(minutes=_minutes(entry))),
        *((moved.start, moved.end) for moved in rule.moved),
    ]


def entry_json(entry: Entry, zone: ZoneInfo) -> dict[str, Any]:
    """An entry for a JSON result; times of single entries and of moved occurrences carry the offset of the zone."""
    shown: dict[str, Any] = {
        "entry_id": entry.event_id,
        "title": PRIVATE if entry.title is None else entry.title,
        "state": _words(entry.status),
    }
    rule = entry.recurrence
    if rule is None:
        return shown | {"starts": local_in(entry.start, zone), "ends": local_in(entry.end, zone)}
    first = entry.start.astimezone(rule.zone)
    shown |= {
        "repeats": rule_text(rule, first.weekday()),
        "first_day": str(first.date()),
        "last_day": str(rule.until),
        "time": f"{first:%H:%M}",
        "minutes": _minutes(entry),
        "time_zone": rule.timezone,
    }
    if rule.excepted:
        shown["not_on"] = [str(day) for day in sorted(rule.excepted)]
    if rule.moved:
        shown["moved"] = [
            {
                "instead_of": str(moved.day),
                "starts": local_in(moved.start, zone),
                "ends": local_in(moved.end, zone),
                "state": _words(entry.status if moved.status is None else moved.status),
            }
            for moved in sorted(rule.moved, key=lambda moved: moved.day)
        ]
    return shown


def rule_text(rule: Recurrence, first_weekday: int) -> str:
    """A rule in words, such as `every 2 weeks on Monday and Thursday`."""
    unit = _UNITS[rule.frequency]
    every = f"every {unit}" if rule.interval == 1 else f"every {rule.interval} {unit}s"
    match rule.frequency:
        case Frequency.DAILY:
            return every
        case Frequency.WEEKLY:
            return f"{every} on {_listed(sorted(set(rule.weekdays or (first_weekday,))))}"
        case Frequency.MONTHLY:
            assert rule.nth is not None
            return f"{every} on the {_COUNTED[rule.nth]} {WEEKDAYS[rule.weekdays[0]]}"


def _listed(weekdays: Sequence[int]) -> str:
    *others, last = (WEEKDAYS[weekday] for weekday in weekdays)
    return f"{', '.join(others)} and {last}" if others else last


def _minutes(entry: Entry) -> int:
    return to_minutes(entry.end) - to_minutes(entry.start)


def _words(status: str) -> str:
    return status.replace("_", " ")

"""What an agent was exposed to: which records, by which calls, and which days of calendars."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

from pydantic import TypeAdapter, ValidationError

from mpcbench.evaluation.diagnosis.choices import Spans
from mpcbench.oracle.interval import Interval, to_minutes, union
from mpcbench.schema.episode import ToolCall

_CALENDARS = ("calendar:", "room_calendar:")
_DAYS_OF_A_WEEK = 7
_DATE: Final = TypeAdapter(date)  # reads what the tools read


@dataclass(frozen=True, eq=False)
class Exposure:
    """The records that tool results showed, and those that `--reveal` handed over."""

    calls: Mapping[str, int | None]
    """By record, the number (from 1) of the first call that showed it; None if it was handed over."""

    days: Mapping[str, Sequence[Interval]]
    """By calendar or room calendar that was never shown whole, the spans that calls asked for, merged and in order."""

    @classmethod
    def by(cls, calls: Iterable[ToolCall], zone: tzinfo, handed_over: Collection[str] = ()) -> "Exposure":
        """The exposure by calls; records handed over were shown whole."""
        first: dict[str, int | None] = {}
        whole = set(handed_over)
        days: dict[str, list[Interval]] = {}
        for number, call in enumerate(calls, start=1):
            for record in call.records:
                first.setdefault(record, number)
                if record.startswith(_CALENDARS):
                    asked = _days(call.arguments, zone)
                    if asked is None:
                        whole.add(record)
                    else:
                        days.setdefault(record, []).append(asked)
        for record in handed_over:
            first.setdefault(record, None)
        return cls(first, {record: union(spans) for record, spans in days.items() if record not in whole})

    def known(self, record: str, events: Spans) -> Spans:
        """The known events of a calendar; if it was seen in part, those that touch the days asked for.

        A person's calendar that was never seen has no known events. A room's bookings that were never seen count as
        known, so that no explanation rests on their absence.
        """
        if record.startswith("calendar:") and record not in self.calls:
            return ()
        days = self.days.get(record)
        if days is None:
            return events
        return tuple(event for event in events if _touches(event, days))

    def unseen(self, record: str, events: Spans) -> Spans:
        """The unknown events of a calendar; all of them if it was never seen."""
        if record not in self.calls:
            return events
        days = self.days.get(record)
        return () if days is None else tuple(event for event in events if not _touches(event, days))

    def looked_up(self, kind: str) -> frozenset[str] | None:
        """The IDs of the records of a kind that calls showed; None if some were handed over instead."""
        if None in self.calls.values():
            return None
        return self.ids(kind)

    def ids(self, kind: str) -> frozenset[str]:
        """The IDs of the seen records of a kind, without the kind."""
        parts = (record.partition(":") for record in self.calls)
        return frozenset(name for prefix, _, name in parts if prefix == kind)


def _touches(event: Interval, days: Sequence[Interval]) -> bool:
    first, last = event
    return any(first < end and start < last for start, end in days)


def _days(arguments: object, zone: tzinfo) -> Interval | None:
    """The local days that a call asked for; None if it names no days."""
    if not isinstance(arguments, dict):
        return None
    try:
        if "date" in arguments:
            first = _DATE.validate_python(arguments["date"])
            last = first + timedelta(days=_DAYS_OF_A_WEEK - 1)
        else:
            first, last = (_DATE.validate_python(arguments[name]) for name in ("start_date", "end_date"))
        return Interval(_midnight(first, zone), _midnight(last + timedelta(days=1), zone))
    except (KeyError, ValidationError, OverflowError):
        return None


def _midnight(day: date, zone: tzinfo) -> int:
    return to_minutes(datetime.combine(day, time(), zone))

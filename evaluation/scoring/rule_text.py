"""What the oracle's rules demand, as text for people and as JSON; one case for each kind of rule."""

from datetime import tzinfo
from functools import partial
from typing import Literal

from pydantic import JsonValue

from mpcbench.evaluation.scoring.time_text import days_text, hours_text, local_interval, local_minute
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.oracle.problem import Buffer, Busy, EndsBy, Inside, InsideHours, Outside, OutsideHours, Rule, StartsFrom
from mpcbench.schema.model import clock

Precision = Literal["auto", "minutes"]
"""How exactly an instant is written: with its seconds, or to the minute."""


def limit_text(rule: Rule, zone: tzinfo) -> str:
    """The limit that a rule sets, for people: hours with their days, spans or an instant, local to the zone.

    Raises:
        TypeError: the rule sets none: busy events and a buffer have no limit of their own.
    """
    match rule:
        case InsideHours(start=start, end=end, days=days) | OutsideHours(start=start, end=end, days=days):
            return f"{hours_text(start, end)} on {days_text(days)}"
        case Inside(spans=spans):
            return " or ".join(local_interval(span, zone) for span in spans)
        case Outside(span=span):
            return local_interval(span, zone)
        case StartsFrom(instant=instant) | EndsBy(instant=instant):
            return local_minute(instant, zone)
    raise TypeError(rule)


def rule_values(rule: Rule, zone: tzinfo, precision: Precision = "auto") -> dict[str, JsonValue]:
    """The values of a rule as JSON: instants ISO 8601 in the zone, times of day `09:30`, weekdays from 0 for Monday."""
    span = partial(span_values, zone=zone, precision=precision)
    match rule:
        case Busy(events=events):
            return {"events": [span(event) for event in events]}
        case Buffer(minutes=minutes):
            return {"minutes": minutes}
        case InsideHours(start=start, end=end, days=days) | OutsideHours(start=start, end=end, days=days):
            return {**hours_values(start, end), "days": [*days]}
        case Inside(spans=spans):
            return {"spans": [span(allowed) for allowed in spans]}
        case Outside(span=banned):
            return span(banned)
        case StartsFrom(instant=instant) | EndsBy(instant=instant):
            return {"at": to_datetime(instant, zone).isoformat(timespec=precision)}


def span_values(span: Interval, zone: tzinfo, precision: Precision = "auto") -> dict[str, JsonValue]:
    """An interval as JSON, times ISO 8601 in the zone."""
    start, end = (to_datetime(minutes, zone).isoformat(timespec=precision) for minutes in (span.start, span.end))
    return {"start": start, "end": end}


def hours_values(start: int, end: int) -> dict[str, JsonValue]:
    """Two minutes of the day as JSON."""
    return {"start": clock(start), "end": clock(end)}

"""The evidence for a cause: records, with what holds and what the agent used instead."""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime, tzinfo
from enum import Enum
from typing import Any, NamedTuple

from pydantic import JsonValue

from mpcbench.evaluation.scoring.rule_text import rule_values, span_values
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.problem import Buffer, EndsBy, Inside, InsideHours, Outside, OutsideHours, StartsFrom
from mpcbench.schema.cause import Evidence
from mpcbench.schema.model import Model


class Fact(NamedTuple):
    """One piece of evidence, before it is written as JSON."""

    record: str
    """A record ID, or `task`."""

    holds: object = None
    """What the record says; None if the agent used something that nobody asked for."""

    used: object = None
    """What leads to the answer instead; None if the agent ignored what holds."""

    more: Mapping[str, object] = {}


class Slot(NamedTuple):
    """A candidate in minutes since 1970-01-01 UTC."""

    start: int
    end: int
    room_id: str | None

    @property
    def span(self) -> Interval:
        """Its time."""
        return Interval(self.start, self.end)

    def named(self) -> dict[str, object]:
        """Its time and, if it has one, its room."""
        return {"slot": self.span} | ({} if self.room_id is None else {"room_id": self.room_id})


class Stakes(NamedTuple):
    """What a mistake did to the answer, as read without mistakes in writing it."""

    given: tuple[Slot, ...]
    """Every candidate of the answer."""

    missed: tuple[Slot, ...]
    """The candidates that the answer lacks because of this mistake alone."""


def as_evidence(fact: Fact, tool_call: int | None, zone: tzinfo) -> Evidence:
    """The fact as stored JSON; times are in the zone."""
    values = {"holds": fact.holds, "used": fact.used, **fact.more}
    plain = {name: as_json(value, zone) for name, value in values.items()}
    return Evidence(record=fact.record, values=plain, tool_call=tool_call)


def as_json(value: Any, zone: tzinfo) -> JsonValue:
    """A value of the domain as JSON; instants as ISO 8601 in the zone, times of day as `09:30`."""
    plain: JsonValue
    match value:
        case Enum():
            plain = value.value
        case None | bool() | int() | str():
            plain = value
        case datetime():
            plain = value.astimezone(zone).isoformat()
        case Interval():
            plain = span_values(value, zone)
        case Buffer() | InsideHours() | OutsideHours() | Inside() | Outside() | StartsFrom() | EndsBy():
            plain = rule_values(value, zone)
        case Model():
            plain = as_json({name: one for name, one in value if name != "kind"}, zone)
        case Mapping():
            plain = {str(name): as_json(one, zone) for name, one in value.items()}
        case _:
            ordered = sorted(value) if isinstance(value, AbstractSet) else value
            plain = [as_json(one, zone) for one in ordered]
    return plain


def joined(facts: Iterable[tuple[Fact, ...]]) -> tuple[Fact, ...]:
    """Merge lists of facts about the same records; values that differ are listed as `one_of`."""
    rows = [*zip(*facts, strict=True)]
    return tuple(_same_record(row) for row in rows)


def _same_record(facts: Collection[Fact]) -> Fact:
    first, *_ = facts
    holds, used = (_either([getattr(fact, name) for fact in facts]) for name in ("holds", "used"))
    return first._replace(holds=holds, used=used)


def _either(values: list[object]) -> object:
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    return distinct[0] if len(distinct) == 1 else {"one_of": distinct}

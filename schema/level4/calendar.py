"""Entries of calendars: single and recurring, with their states."""

from enum import StrEnum
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from mpcbench.schema.level4.header import Day, Zone
from mpcbench.schema.model import Instant, Model, Weekday


class Status(StrEnum):
    """The state of a calendar entry."""

    BUSY = "busy"
    TENTATIVE = "tentative"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    FREE = "free"
    OUT_OF_OFFICE = "out_of_office"


class Frequency(StrEnum):
    """How often a series recurs."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


class Moved(Model):
    """The occurrence of one date of a series takes place at another time, or in another state."""

    day: Day
    """The date on which the rule puts the occurrence, in the series' zone."""

    start: Instant
    end: Instant
    status: Status | None = None
    """None: the state of the series."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            msg = f"start {self.start.isoformat()} is not before end {self.end.isoformat()}"
            raise ValueError(msg)
        return self


class Recurrence(Model):
    """The rule of a series: its dates in a zone; every occurrence starts when the wall clock shows the first's start.

    Each occurrence lasts as many minutes as the first.
    """

    timezone: Zone
    frequency: Frequency
    interval: Annotated[int, Field(ge=1, le=12)] = 1
    """Every so many days, weeks (from Monday) or months, counted from those of the first occurrence."""

    weekdays: Annotated[tuple[Weekday, ...], Field(max_length=7)] = ()
    """Weekly: the days of the week, those of the first occurrence if empty. Monthly: one day, with `nth`."""

    nth: Literal[1, 2, 3, 4, -1] | None = None
    """Monthly: which of that weekday in the month; -1 is the last."""

    until: Day
    """The last date on which an occurrence may begin."""

    excepted: tuple[Day, ...] = ()
    """Dates of occurrences that do not take place."""

    moved: tuple[Moved, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.frequency is Frequency.MONTHLY and (self.nth is None or len(self.weekdays) != 1):
            msg = "a monthly series needs nth and one weekday"
            raise ValueError(msg)
        days = [*self.excepted, *(moved.day for moved in self.moved)]
        if len(set(days)) < len(days):
            msg = "a date is excepted or moved twice"
            raise ValueError(msg)
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The zone of the series."""
        return ZoneInfo(self.timezone)


# A slotted dataclass rather than a model: a world has tens of thousands of entries, and models took 50 % more memory.
@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Entry:
    """One entry of a calendar or one booking of a room, half-open; with a rule, the first of a series."""

    event_id: str
    title: str | None
    """None: private."""

    start: Instant
    end: Instant
    status: Status = Status.BUSY
    recurrence: Recurrence | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            msg = f"event {self.event_id}: start {self.start.isoformat()} is not before end {self.end.isoformat()}"
            raise ValueError(msg)
        return self

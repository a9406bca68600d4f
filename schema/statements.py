"""The machine-readable statements (tags): what policies demand and what people say about a meeting.

"The rules" in the documentation define what each statement means. Times of day and weekdays are
local to the world's time zone; intervals are half-open.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mpcbench.schema.model import Instant, Minutes, Model, TimeOfDay, Weekday, minute_of_day

PersonId = Annotated[str, Field(pattern=r"^p[0-9]+$")]
PolicyId = Annotated[str, Field(pattern=r"^POL-[0-9]{2,}$")]


class _Hours(Model):
    start: TimeOfDay
    end: TimeOfDay

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if minute_of_day(self.start) >= minute_of_day(self.end):
            msg = f"start {self.start} is not before end {self.end}"
            raise ValueError(msg)
        return self


class _WeekdayHours(_Hours):
    days: Annotated[tuple[Weekday, ...], Field(min_length=1)]


class _Span(Model):
    start: Instant
    end: Instant

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            msg = f"start {self.start.isoformat()} is not before end {self.end.isoformat()}"
            raise ValueError(msg)
        return self


# Policy rules.


class WorkHours(_WeekdayHours):
    """The candidate lies wholly inside start to end of one local day whose weekday is in days."""

    kind: Literal["work_hours"] = "work_hours"


class LunchBlock(_WeekdayHours):
    """The candidate does not overlap start to end on those weekdays."""

    kind: Literal["lunch_block"] = "lunch_block"


class BufferMin(Model):
    """At least this many minutes lie between the candidate and every busy event, on both sides."""

    kind: Literal["buffer_min"] = "buffer_min"
    minutes: Minutes


class BanDowTime(_Hours):
    """The candidate does not overlap start to end on that weekday."""

    kind: Literal["ban_dow_time"] = "ban_dow_time"
    day: Weekday


class RoomTurnaround(Model):
    """At least this many minutes lie between the candidate and every booking of its room."""

    kind: Literal["room_turnaround"] = "room_turnaround"
    minutes: Minutes


PolicyRule = Annotated[
    WorkHours | LunchBlock | BufferMin | BanDowTime | RoomTurnaround,
    Field(discriminator="kind"),
]


# Statements about a meeting. Of a scalar the latest holds; statements that add up all hold.


class Duration(Model):
    """The candidate lasts exactly this long. Scalar: the later statement wins."""

    kind: Literal["duration"] = "duration"
    minutes: Annotated[int, Field(ge=15, le=480, multiple_of=15)]


class OptionCount(Model):
    """How many candidates are wanted, N. Scalar."""

    kind: Literal["option_count"] = "option_count"
    count: Annotated[int, Field(ge=1, le=20)]


class DailyHours(_Hours):
    """The hours of each local day that a window is open."""


class Window(_Span):
    """The candidate lies inside start to end and, with daily hours, inside them on one local date. Scalar."""

    kind: Literal["window"] = "window"
    daily: DailyHours | None = None


class Participants(Model):
    """The meeting is for exactly these people. Scalar; additions and removals come after it."""

    kind: Literal["participants"] = "participants"
    person_ids: Annotated[tuple[PersonId, ...], Field(min_length=1)]


class AddParticipant(Model):
    """One more person takes part. Adds up, in message order."""

    kind: Literal["add_participant"] = "add_participant"
    person_id: PersonId


class RemoveParticipant(Model):
    """One person no longer takes part. Adds up, in message order."""

    kind: Literal["remove_participant"] = "remove_participant"
    person_id: PersonId


class Guests(Model):
    """This many people from outside need a seat; they have no calendar here. Scalar."""

    kind: Literal["guests"] = "guests"
    count: Annotated[int, Field(ge=0, le=500)]


class CallPolicy(Model):
    """The policy of this ID applies to the meeting. Adds up."""

    kind: Literal["call_policy"] = "call_policy"
    policy_id: PolicyId


class Deadline(Model):
    """The candidate ends at or before this time. Scalar."""

    kind: Literal["deadline"] = "deadline"
    at: Instant


class NotBefore(Model):
    """The candidate starts at or after this time. Scalar."""

    kind: Literal["not_before"] = "not_before"
    at: Instant


class BanWindow(_Span):
    """The candidate does not overlap this span. Adds up."""

    kind: Literal["ban_window"] = "ban_window"


class RequiredWindow(_Span):
    """The candidate lies inside one of the required windows stated. Adds up."""

    kind: Literal["required_window"] = "required_window"


class AfterEvent(Model):
    """The candidate starts at or after the end of this event of this person's calendar. Adds up."""

    kind: Literal["after_event"] = "after_event"
    person_id: PersonId
    event_id: str


class Order(StrEnum):
    """Which start comes first in the ranking."""

    EARLIEST = "earliest"
    LATEST = "latest"


class Ranking(Model):
    """The order of starts; earliest first unless stated. Scalar."""

    kind: Literal["ranking"] = "ranking"
    order: Order


class TieBreakKey(StrEnum):
    """A property of the room that ranks candidates of one slot."""

    CAPACITY_ASCENDING = "capacity_ascending"
    CAPACITY_DESCENDING = "capacity_descending"
    FLOOR_ASCENDING = "floor_ascending"
    FLOOR_DESCENDING = "floor_descending"
    NAME_ASCENDING = "name_ascending"


class TieBreak(Model):
    """How candidates of one slot are ranked; room ID ascending comes last in any case. Scalar."""

    kind: Literal["tie_break"] = "tie_break"
    keys: Annotated[tuple[TieBreakKey, ...], Field(min_length=1)]


class Equipment(Model):
    """The room has all of these. Adds up."""

    kind: Literal["equipment"] = "equipment"
    items: Annotated[tuple[str, ...], Field(min_length=1)]


class Site(Model):
    """The room is at this site. Scalar."""

    kind: Literal["site"] = "site"
    site: str


Statement = Annotated[
    Duration
    | OptionCount
    | Window
    | Participants
    | AddParticipant
    | RemoveParticipant
    | Guests
    | CallPolicy
    | Deadline
    | NotBefore
    | BanWindow
    | RequiredWindow
    | AfterEvent
    | Ranking
    | TieBreak
    | Equipment
    | Site,
    Field(discriminator="kind"),
]


class MeetingStatement(Model):
    """One statement about the meeting of that name; names of meetings are unique within a world."""

    meeting: str
    statement: Statement

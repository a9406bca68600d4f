"""A problem together with the statements, events and names that explanations refer to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta, tzinfo
from functools import cached_property
from typing import NamedTuple

from pydantic import JsonValue

from mpcbench.evaluation.scoring.rule_text import span_values
from mpcbench.evaluation.scoring.score import Proposal, proposal_key
from mpcbench.evaluation.scoring.time_text import local_interval
from mpcbench.oracle.interval import Interval, to_datetime, to_minutes
from mpcbench.oracle.problem import Busy, Constraint, Problem, StartsFrom
from mpcbench.oracle.resolve import Located, statements
from mpcbench.schema import AfterEvent, Event, Instance, World
from mpcbench.schema.model import Model

TASK = "task"
"""Used as the record ID of the task text, which the agent has always seen."""


class BrokenConstraint(NamedTuple):
    """One constraint that a candidate does not fulfil."""

    kind: str
    message: str
    records: tuple[str, ...]
    values: dict[str, JsonValue]


class TitledSpan(NamedTuple):
    """A busy event or a booking: whose it is, what it is called and when it is."""

    owner: str
    """Record ID of the calendar."""

    owner_name: str
    title: str
    span: Interval

    def gap_to(self, other: Interval) -> int:
        """The minutes between the two; 0 where they touch or overlap."""
        return max(self.span.start - other.end, other.start - self.span.end, 0)

    def values(self, zone: tzinfo) -> dict[str, JsonValue]:
        """As JSON, times ISO 8601."""
        return {"calendar": self.owner, "title": self.title, **span_values(self.span, zone)}

    def text(self, zone: tzinfo) -> str:
        """For people."""
        return f"{self.owner_name}'s {self.title!r} ({local_interval(self.span, zone)})"


@dataclass(frozen=True)
class ResolvedInstance:
    """A problem and the world and instance that it was resolved from."""

    world: World
    instance: Instance
    problem: Problem

    @cached_property
    def said(self) -> list[Located]:
        """The statements about the meeting, oldest first."""
        return statements(self.world, self.instance)

    def every_record(self, *kinds: type[Model]) -> tuple[str, ...]:
        """The records that hold statements of these kinds, oldest first."""
        found = (_record(item) for item in self.said if isinstance(item.statement, kinds))
        return tuple(dict.fromkeys(found))

    def last_record(self, kind: type[Model]) -> tuple[str, ...]:
        """The record of the latest statement of this kind, which is the one that holds; empty if there is none."""
        return tuple([_record(item) for item in self.said if isinstance(item.statement, kind)][-1:])

    @cached_property
    def busy(self) -> dict[str, tuple[TitledSpan, ...]]:
        """The participants' busy events that the problem knows, by person ID."""
        return {
            rule.person_id: tuple(
                self._titled(
                    f"calendar:{rule.person_id}",
                    self.person_name(rule.person_id),
                    self.world.events_by_person.get(rule.person_id, ()),
                    rule.events,
                )
            )
            for rule in (constraint.rule for constraint in self.problem.constraints)
            if isinstance(rule, Busy)
        }

    def bookings(self, room_id: str, known: Iterable[Interval]) -> tuple[TitledSpan, ...]:
        """A room's bookings that the problem knows."""
        events = self.world.bookings_by_room.get(room_id, ())
        name = self.world.room_by_id[room_id].name
        return tuple(self._titled(f"room_calendar:{room_id}", f"room {name}", events, known))

    def person_name(self, person_id: str) -> str:
        """A person's name with the ID, as names repeat."""
        return f"{self.world.person_by_id[person_id].name} ({person_id})"

    def awaited(self, constraint: Constraint) -> str:
        """Of the start after an event, which event has to end first, as the end of a sentence; otherwise empty."""
        if constraint.kind != "after_event" or not isinstance(constraint.rule, StartsFrom):
            return ""
        return f", when {self._ending(constraint.records[-1], constraint.rule.instant)} has ended"

    def _ending(self, person_record: str, instant: int) -> str:
        """The event of the calendar with that record ID that ends at that minute."""
        for item in self.said:
            if isinstance(item.statement, AfterEvent) and person_record == f"calendar:{item.statement.person_id}":
                person_id = item.statement.person_id
                for event in self.world.events_by_person.get(person_id, ()):
                    if event.event_id == item.statement.event_id and to_minutes(event.end) == instant:
                        return f"{self.person_name(person_id)}'s {event.title!r}"
        return f"an event of {person_record}"

    @staticmethod
    def _titled(owner: str, name: str, events: Iterable[Event], known: Iterable[Interval]) -> Iterator[TitledSpan]:
        wanted = set(known)
        for event in events:
            span = Interval(to_minutes(event.start), to_minutes(event.end))
            if span in wanted:
                yield TitledSpan(owner, name, event.title, span)


def duration(proposal: Proposal) -> timedelta:
    """How long a proposal lasts; negative where it ends before it starts."""
    start, end, *_ = proposal_key(proposal)
    return end - start


def minutes_covered(proposal: Proposal) -> Interval:
    """The whole minutes that a proposal touches.

    For comparisons with whole-minute bounds this is as exact as its seconds.
    """
    start, end, *_ = proposal_key(proposal)
    last = to_minutes(end)
    return Interval(to_minutes(start), last + (to_datetime(last, UTC) < end))


def _record(item: Located) -> str:
    return TASK if item.key.thread is None else f"thread:{item.key.thread}"

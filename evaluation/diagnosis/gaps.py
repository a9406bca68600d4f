"""Calendars that were seen only in part although the missing days matter."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, reduce
from operator import or_

from mpcbench.evaluation.diagnosis.choices import Spans
from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.oracle.problem import StartsFrom
from mpcbench.schema import Order

Gaps = Mapping[str, Spans]
"""By calendar seen in part, the unseen events that matter."""


def gaps(frame: Frame, exposure: Exposure) -> Gaps:
    """The calendars that were seen in part and have an unseen event that matters.

    An event matters if it rules out a candidate that seems feasible by what the agent was shown and ranks before the
    last gold candidate: an agent that knows only this would propose it. Calendars that were never seen count as
    empty here. So a further call never makes an event matter that did not before, since what seems feasible only
    shrinks.

    Args:
        frame: The problem with every event known.
        exposure: What the agent was shown.
    """
    unknown = [record for record in exposure.days if exposure.unseen(record, frame.events(record))]
    return dict(_Gaps(frame, exposure).found(unknown)) if unknown else {}


class _Gaps:
    def __init__(self, frame: Frame, exposure: Exposure) -> None:
        self.frame = frame
        self.exposure = exposure
        self.seen = replace(frame, known=self._seen, shared={}, _masks={}, _without={}, _suitable={}, _anywhere={})

    def _seen(self, record: str, events: Spans) -> Spans:
        unseen = {*self.exposure.unseen(record, events)}
        return tuple(event for event in events if event not in unseen) if unseen else events

    def found(self, records: Iterable[str]) -> Iterator[tuple[str, Spans]]:
        """Those of the given calendars that have unseen events that matter, with these events."""
        anywhere = reduce(or_, self.taken_by_mistake.values(), 0)
        margin = self.frame.buffer
        for record in records:
            kind, _, owner = record.partition(":")
            if kind == "room_calendar":
                query = self.frame.choices.rooms
                events = self._hiding(record, self.taken_by_mistake.get(owner, 0), 0 if query is None else query.margin)
            else:
                events = self._hiding(record, anywhere, margin) if owner in self.frame.persons else ()
                events += self._awaited(record, anywhere)
            if events:
                yield record, tuple(dict.fromkeys(events))

    @cached_property
    def taken_by_mistake(self) -> dict[str | None, int]:
        """By room, the starts that seem feasible but are not, and rank before the last gold candidate."""
        true, choices = self.frame.without(()), self.frame.choices
        by_shown = self.seen.without(self.seen.unknown_ends)
        *_, (last, last_room) = self.frame.top(true, choices)
        before = -1 << (last + 1) if choices.order is Order.LATEST else (1 << last) - 1
        found = {}
        for (room, free), (_, seems_free) in zip(self.frame.rooms(choices), self.seen.rooms(choices), strict=True):
            if room == last_room:
                last = -1  # at this start, all further rooms rank after the last gold candidate
            ranked = before | (1 << last if last >= 0 else 0)
            found[room] = by_shown & seems_free & ranked & ~(true & free)
        return found

    def _awaited(self, record: str, starts: int) -> Spans:
        """The events of a calendar that must end first but do not before one of the starts."""
        return tuple(
            event
            for key in self.seen.unknown_ends
            for constraint, keys in self.frame.keys
            if key in keys and record in constraint.records and starts & ~self.frame.at(key)
            for event in self.frame.events(record)
            if isinstance(constraint.rule, StartsFrom) and event.end == constraint.rule.instant
        )

    def _hiding(self, record: str, starts: int, margin: int) -> Spans:
        """The unseen events of a calendar that rule out one of the starts."""
        if not starts:
            return ()
        clear, painted = self.frame.clear, self.frame.painted
        return tuple(
            event
            for event in self.exposure.unseen(record, self.frame.events(record))
            if starts & ~clear(painted([event]), margin, margin)
        )

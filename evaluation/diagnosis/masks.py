"""The masks of single rules, calendars and days, shared by all variants of a problem.

As in `oracle.masks`, bit i of a mask is the start at minute `masks.origin + i`. But a mask extends a day beyond the
window on both sides.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final, TypeVar, cast

from mpcbench.evaluation.diagnosis.choices import Blur, Spans
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.oracle.interval import Interval, paint, smeared, to_datetime
from mpcbench.oracle.local_time import daily_spans, segments
from mpcbench.oracle.masks import constraint_mask
from mpcbench.oracle.problem import Constraint, InsideHours, OutsideHours, Problem, Rule
from mpcbench.schema import Source, World
from mpcbench.schema.interval import IntervalIndex
from mpcbench.schema.model import MINUTES_PER_DAY

_MARGIN = MINUTES_PER_DAY
_EPOCH: Final = date(1970, 1, 1)
_DAY: Final = timedelta(days=1)

T = TypeVar("T")

Known = Callable[[str, Spans], Spans]
"""Selects the events of a calendar, by record ID, that the agent was shown."""


def everything(_record: str, events: Spans) -> Spans:
    """A `Known` under which every event is known."""
    return events


@dataclass(frozen=True)
class Masks:
    """The masks for candidates of one duration."""

    world: World
    provenance: Provenance
    problem: Problem
    duration: int
    known: Known = everything
    shared: dict[object, Any] = field(default_factory=dict)
    """Cache of masks and events, shared by the same world and knowledge."""

    @cached_property
    def bare(self) -> Problem:
        """The problem without conditions, its window a day wider on both sides."""
        return replace(
            self.problem,
            window=self.problem.window.widened(MINUTES_PER_DAY),
            daily=None,
            duration=self.duration,
            constraints=(),
            rooms=None,
        )

    @cached_property
    def origin(self) -> int:
        """The minute of bit 0, since 1970-01-01 UTC."""
        return self.bare.window.start

    @cached_property
    def width(self) -> int:
        """The number of bits."""
        return self.bare.window.end - self.origin

    def _once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        key = (self.origin, self.width, *key)
        if key not in self.shared:
            self.shared[key] = make()
        return cast("T", self.shared[key])

    def mask(self, rule: Rule) -> int:
        """The starts that a rule allows; not for busy events and buffers, see `apart`."""
        constraint = Constraint(Source.POLICY, "", (), rule)
        return self._once((self.duration, rule), lambda: constraint_mask(constraint, self.bare))

    def allows(self, rule: Rule, start: int) -> bool:
        """Whether a rule allows a start; for daily hours quicker than by its mask."""
        if isinstance(rule, InsideHours | OutsideHours):
            (day, first), (last_day, last) = self._clock(start), self._clock(start + self.duration - 1)
            if day == last_day and last - first == self.duration - 1:
                if isinstance(rule, InsideHours):
                    return day in rule.days and rule.start <= first and last < rule.end
                return day not in rule.days or last < rule.start or rule.end <= first
        return bool(self.mask(rule) >> start & 1)

    def _clock(self, start: int) -> tuple[int, int]:
        """The weekday and the minute of the day at a start."""
        key = ("clock", self.origin + start)
        if key not in self.shared:
            local = to_datetime(self.origin + start, self.bare.zone)
            self.shared[key] = local.weekday() * MINUTES_PER_DAY + local.hour * 60 + local.minute
        minute: int = self.shared[key]
        return divmod(minute, MINUTES_PER_DAY)

    def painted(self, spans: Iterable[Interval]) -> int:
        """The minutes of spans, as a set whose origin is a day before the frame's."""
        return paint(spans, self.bare.window.widened(_MARGIN))

    def events(self, record: str) -> Spans:
        """The known events of a calendar near the frame, by record ID."""
        return self._once(
            ("events", record), lambda: self.known(record, self._index(record).near(self.bare.window.widened(_MARGIN)))
        )

    def overlapped(self, record: str, spans: Iterable[Interval]) -> list[Interval]:
        """The known events of a calendar that overlap one of some spans, by start."""
        index = self._index(record)
        near = ((span, self.known(record, index.near(span))) for span in spans)
        return sorted({event for span, events in near for event in events if event.overlaps(span)})

    def _index(self, record: str) -> IntervalIndex:
        kind, _, owner = record.partition(":")
        return (self.world.busy if kind == "calendar" else self.world.booked).get(owner, IntervalIndex())

    def is_free(self, record: str, margin: int, start: int) -> bool:
        """Whether a candidate at a start keeps clear of a calendar's events; like `apart`, for one start."""
        span = Interval(self.origin + start, self.origin + start + self.duration).widened(margin)
        return not any(event.overlaps(span) for event in self.known(record, self._index(record).near(span)))

    def taken(self, record: str) -> int:
        """The painted events of a calendar, by record ID."""
        return self._once((record,), lambda: self.painted(self.events(record)))

    def blurred(self, record: str, blur: Blur) -> int:
        """The painted events of a calendar as they are misread."""
        return self._once((record, blur), lambda: self.painted(blur.of(self.events(record))))

    def clear(self, taken: int, before: int = 0, after: int = 0, lasts: int | None = None) -> int:
        """The starts of candidates that keep clear of painted minutes.

        Args:
            taken: The minutes.
            before: Free minutes required before a candidate; less than a day.
            after: Free minutes required after a candidate.
            lasts: Their duration, if it is not the frame's.
        """
        near = smeared(taken, (lasts or self.duration) - 1 + before + after) >> (_MARGIN - before)
        return ((1 << self.width) - 1) & ~near

    def apart(self, record: str, before: int = 0, after: int = 0) -> int:
        """The starts that keep clear of a calendar's events."""
        return self._once((self.duration, record, before, after), lambda: self.clear(self.taken(record), before, after))

    def every(self, step: int, first: int = 0) -> int:
        """The starts whose wall clock is a multiple of `step` minutes after minute `first` of the hour."""
        return self._once(("every", step, first), lambda: self._every(step, first))

    def _every(self, step: int, first: int) -> int:
        bits = 0
        for low, high, offset in segments(self.bare.window, self.bare.zone):
            begin = low + -(low + offset - first) % step
            count = -(-(high - begin) // step)
            if count > 0:
                bits |= (((1 << count * step) - 1) // ((1 << step) - 1)) << (begin - self.origin)
        return bits

    def instants_outside(self, start: int, end: int, days: Collection[int]) -> int:
        """The starts whose own minute is outside daily hours."""
        hours = daily_spans(self.bare.window, self.bare.zone, start, end, days)
        return ((1 << self.width) - 1) & ~paint(hours, self.bare.window)

    @cached_property
    def days(self) -> tuple[int, ...]:
        """The minutes of each local day."""
        return tuple(self.dates.values())

    @cached_property
    def dates(self) -> dict[date, int]:
        """The minutes of each local day, by date."""
        found: dict[date, int] = {}
        for low, high, offset in segments(self.bare.window, self.bare.zone):
            for day in range((low + offset) // MINUTES_PER_DAY, (high - 1 + offset) // MINUTES_PER_DAY + 1):
                first, last = max(low, day * MINUTES_PER_DAY - offset), min(high, (day + 1) * MINUTES_PER_DAY - offset)
                name = _EPOCH + day * _DAY
                bits = ((1 << (last - first)) - 1) << (first - self.origin)
                found[name] = found.get(name, 0) | bits
        return found

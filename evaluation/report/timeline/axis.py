"""The axis of a day's picture: where an instant is drawn, and which hours are named."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from mpcbench.evaluation.report.shapes import box
from mpcbench.evaluation.report.timeline.timeline import Day
from mpcbench.evaluation.scoring.time_text import local_minute
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.oracle.local_time import daily_spans, segments

PLOT_WIDTH: Final = 830
"""Pixels that a usual day is fitted into; a longer one is wider."""

LEFT: Final = 16
"""Pixels left and right of the axis, for the halves of the first and last hours' names."""

_SCALES = (1.4, 1.2, 1.0, 0.8)  # pixels a minute; what starts on a multiple of five minutes has whole pixels


@dataclass(frozen=True, slots=True)
class Axis:
    """The instants of a day that are drawn, half-open, and their scale."""

    span: Interval
    zone: tzinfo
    scale: float

    @classmethod
    def of(cls, day: Day, zone: tzinfo) -> "Axis":
        """The axis of a day over its hours; longer or shorter where clocks change within."""
        parts = [*daily_spans(day.span, zone, *day.hours)]
        span = Interval(parts[0].start, parts[-1].end) if parts else day.span
        usual = day.hours[1] - day.hours[0]
        return cls(span, zone, next((one for one in _SCALES if usual * one <= PLOT_WIDTH), _SCALES[-1]))

    @property
    def right(self) -> float:
        """Where it ends."""
        return LEFT + (self.span.end - self.span.start) * self.scale

    def x(self, instant: int) -> float:
        """Where an instant is drawn; what lies before or after the axis, at its ends."""
        return LEFT + (min(max(instant, self.span.start), self.span.end) - self.span.start) * self.scale

    def shows(self, span: Interval) -> bool:
        """Whether something of a span lies on the axis; a line at its very ends does not."""
        return span.start < self.span.end and span.end > self.span.start

    def box(self, span: Interval, top: float, height: float) -> str:
        """The path of a span's rectangle; at least one pixel wide."""
        left, right = self.x(span.start), self.x(span.end)
        return box(left, top, max(right - left, 1), height)

    def boxes(self, spans: Iterable[Interval], top: float, height: float) -> str:
        """One path for all rectangles."""
        return "".join(self.box(span, top, height) for span in spans)

    def hours(self) -> Iterator[tuple[int, str]]:
        """The instants at which the wall clock shows a full hour, with what it shows."""
        for start, end, offset in segments(Interval(self.span.start, self.span.end + 1), self.zone):
            for instant in range(start + -(start + offset) % 60, end, 60):
                yield instant, f"{to_datetime(instant, self.zone):%H:%M}"


def clock_change(day: Day, zone: tzinfo) -> str:
    """When the clocks of a day change; empty on most days."""
    cut = segments(day.span, zone)
    return "" if len(cut) == 1 else f"clocks change at {local_minute(cut[1].start, zone).split()[-1]}"

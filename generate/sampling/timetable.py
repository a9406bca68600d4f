"""Which starts suit whom and what, as sets on the grid of starts, which are small enough to try hundreds of policies."""

from bisect import bisect_left
from collections.abc import Sequence

from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.truth_table import sets_of, table_of
from mpcbench.oracle.interval import Interval, smeared
from mpcbench.oracle.masks import slot_mask
from mpcbench.oracle.problem import Problem, Rule


class Timetable:
    """The starts of one duration within one window; bit g is the window's start number g on the setting's grid."""

    def __init__(self, setting: Setting, problem: Problem) -> None:
        """The window, its daily hours and the duration are those of the problem; it needs nothing else."""
        self._setting = setting
        self._duration = problem.duration
        self._offset = bisect_left(setting.grid, problem.window.start)
        self.slots = on_grid(setting, slot_mask(problem), problem.window.start) >> self._offset
        """The starts from which the meeting lies inside the window and its daily hours."""

    def person(self, person_id: str, margin: int = 0) -> int:
        """The starts at which a person is free, and for a margin in minutes before and after the meeting."""
        return self._apart(("person", person_id), self._setting.busy[person_id], margin)

    def room(self, room_id: str, margin: int) -> int:
        """The starts at which a room is free, and for a margin in minutes before and after the meeting."""
        return self._apart(("room", room_id), self._setting.booked[room_id], margin)

    def rule(self, rule: Rule) -> int:
        """The starts that a rule of a policy allows; not for buffers, which depend on who attends."""
        return self._apart(rule, self._setting.closed[rule], 0)

    def outside(self, span: Interval) -> int:
        """The starts from which the meeting does not overlap a span."""
        return self.slots & ~(self.before(span.end) & ~self.before(span.start - self._duration + 1))

    def inside(self, span: Interval) -> int:
        """The starts from which the meeting lies inside a span."""
        return self.slots & self.before(span.end - self._duration + 1) & ~self.before(span.start)

    def before(self, instant: int) -> int:
        """The places on the grid that lie before an instant."""
        return (1 << max(0, bisect_left(self._setting.grid, instant) - self._offset)) - 1

    def places(self, instants: Sequence[int]) -> list[int]:
        """The first place on the grid that does not lie before each instant."""
        import numpy as np  # noqa: PLC0415 - a tenth of a second

        minutes = np.array(instants, dtype=np.intp) - self._setting.span.start
        found: list[int] = np.maximum(self._setting.grid_minutes.searchsorted(minutes) - self._offset, 0).tolist()
        return found

    def instant(self, place: int) -> int:
        """The instant of a place on the grid."""
        return self._setting.grid[self._offset + place]

    def _apart(self, what: object, taken: int, margin: int) -> int:
        """The starts that keep a margin from minutes that are taken; remembered for the whole period."""
        known = self._setting.apart
        key = (what, self._duration, margin)
        places = known.get(key)
        if places is None:
            span = self._setting.span
            too_near = smeared(taken, self._duration - 1 + 2 * margin) << margin
            known[key] = places = on_grid(self._setting, ((1 << (span.end - span.start)) - 1) & ~too_near, span.start)
        return self.slots & (places >> self._offset)


def on_grid(setting: Setting, minutes: int, origin: int) -> int:
    """The places on the grid of the whole period that a set of minutes has; its origin is an instant of the period."""
    span = setting.span
    table = table_of([minutes << (origin - span.start)], span.end - span.start)
    (places,) = sets_of(table[:, setting.grid_minutes])
    return places

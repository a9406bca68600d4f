"""Each rule as the set of starts that it allows.

All candidates have the same duration, so a start identifies a slot and every rule is a set of starts: bit i of a
mask is the start at minute window.start + i. A problem's feasible slots are the intersection of its masks, and
dropping a rule means dropping its mask.
"""

from collections.abc import Callable, Iterable

from mpcbench.oracle.interval import Interval, paint, smeared
from mpcbench.oracle.local_time import daily_spans, grid
from mpcbench.oracle.problem import (
    Buffer,
    Busy,
    Constraint,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    Problem,
    RoomOption,
    StartsFrom,
)


def slot_mask(problem: Problem) -> int:
    """The generated candidates: starts on the grid from which a slot lies inside the window and its daily hours."""
    starts = _inside([problem.window], problem)
    if problem.daily is not None:
        starts &= _inside_hours(problem.daily, range(7), problem)
    return starts & grid(problem.window, problem.zone)


def constraint_mask(constraint: Constraint, problem: Problem) -> int:  # noqa: PLR0911 - one case a rule
    """The starts that one constraint allows."""
    match constraint.rule:
        case Busy(events=events):
            return _apart(events, 0, problem)
        case Buffer(minutes=minutes):
            return _apart(all_busy(problem), minutes, problem)
        case InsideHours(start=start, end=end, days=days):
            return _inside_hours((start, end), days, problem)
        case OutsideHours(start=start, end=end, days=days):
            reach = problem.window.widened(problem.duration)
            return _apart(daily_spans(reach, problem.zone, start, end, days), 0, problem)
        case Inside(spans=spans):
            return _inside(spans, problem)
        case Outside(span=span):
            return _apart([span], 0, problem)
        case StartsFrom(instant=instant):
            return paint([Interval(instant, problem.window.end)], problem.window)
        case EndsBy(instant=instant):
            return paint([Interval(problem.window.start, instant - problem.duration + 1)], problem.window)


def room_mask(room: RoomOption, problem: Problem) -> int:
    """The starts at which one room is free, with the longest required turnaround on both sides."""
    search = problem.rooms
    if search is None or not search.use_bookings:
        return _inside([problem.window], problem)
    margin = max((turnaround.minutes for turnaround in search.turnarounds), default=0)
    return _apart(room.bookings, margin, problem)


def all_busy(problem: Problem) -> list[Interval]:
    """Every busy event of every participant."""
    return [
        event
        for constraint in problem.constraints
        if isinstance(constraint.rule, Busy)
        for event in constraint.rule.events
    ]


def _inside(spans: Iterable[Interval], problem: Problem) -> int:
    starts = (Interval(start, end - problem.duration + 1) for start, end in spans)
    return paint(starts, problem.window)


def _inside_hours(hours: tuple[int, int], days: Iterable[int], problem: Problem) -> int:
    return _inside(daily_spans(problem.window, problem.zone, *hours, frozenset(days)), problem)


def _apart(spans: Iterable[tuple[int, int]], margin: int, problem: Problem) -> int:
    window = problem.window
    everywhere = (1 << max(0, window.end - window.start)) - 1
    taken = paint(spans, Interval(window.start - margin, window.end + margin + problem.duration))
    # A start is too close if any minute from the margin before it to the margin after its end is taken. Bit 0 of
    # `taken` lies the margin before bit 0 of the starts.
    return everywhere & ~smeared(taken, problem.duration - 1 + 2 * margin)


class Masks:
    """What makes the masks of a problem."""

    def slot(self, problem: Problem) -> int:
        """See `slot_mask`."""
        return slot_mask(problem)

    def constraint(self, constraint: Constraint, problem: Problem) -> int:
        """See `constraint_mask`."""
        return constraint_mask(constraint, problem)

    def room(self, room: RoomOption, problem: Problem) -> int:
        """See `room_mask`."""
        return room_mask(room, problem)


DIRECT = Masks()


class SharedMasks(Masks):
    """Makes each mask once, for a problem and its variants, which have most of their masks in common."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[tuple[object, ...], int] = {}

    def slot(self, problem: Problem) -> int:
        """See `slot_mask`."""
        return self._once((problem.daily,), problem, lambda: slot_mask(problem))

    def constraint(self, constraint: Constraint, problem: Problem) -> int:
        """See `constraint_mask`."""
        events = tuple(all_busy(problem)) if isinstance(constraint.rule, Buffer) else ()
        return self._once((constraint.rule, events), problem, lambda: constraint_mask(constraint, problem))

    def room(self, room: RoomOption, problem: Problem) -> int:
        """See `room_mask`."""
        search = problem.rooms
        asked = None if search is None else (search.use_bookings, search.turnarounds)
        return self._once((room.bookings, asked), problem, lambda: room_mask(room, problem))

    def _once(self, about: tuple[object, ...], problem: Problem, make: Callable[[], int]) -> int:
        key = (*about, problem.window, problem.duration, problem.zone)
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

"""The timeline of an instance: what each day has for the meeting, with the gold and the answer on top.

Values without pixels: this module says which bars there are, `evaluation.report.timeline.drawing` where they go.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import Final

from mpcbench.benchmark.environment.reveal import revealed_records
from mpcbench.evaluation.report.timeline.bars import Bar, BarKind, Lane, RowKind, days_of, lanes
from mpcbench.evaluation.report.timeline.marks import Mark, Marks, State, marks
from mpcbench.evaluation.scoring.resolved import TASK, ResolvedInstance
from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.interval import Interval, members, to_datetime, union
from mpcbench.oracle.solve import filtered_slots, room_masks
from mpcbench.schema import Instance, Label, World
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import MINUTES_PER_DAY

MOST_DAYS: Final = 62
"""Days of a longer window that hold no candidate are left out."""

MOST_OPEN: Final = 6
"""Days with candidates that are shown in full; the others are folded."""

_FAR = 31 * MINUTES_PER_DAY  # from the window; candidates further away are not drawn
_USUAL_HOURS = (8 * 60, 18 * 60)


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One row of a day: the window, a rule, a participant or a room."""

    kind: RowKind
    name: str
    detail: str
    records: tuple[str, ...]
    unseen: tuple[str, ...]
    """Those of the records that the agent needed, or whose room it proposed, and that no tool result showed."""

    room_id: str | None
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """One local date."""

    date: date
    span: Interval
    """The instants of the date: 1440 minutes unless clocks change."""

    rows: tuple[TimelineRow, ...]
    marks: tuple[Mark, ...]
    """The candidates that touch the date: gold by rank, then wrong ones by place. Not clipped."""

    feasible: tuple[Interval, ...]
    """Where the meeting can lie, according to the oracle: the union of the feasible slots, clipped to the date."""

    hours: tuple[int, int]
    """The minutes of the day from which and until which there is something to see; whole hours, the same on all
    days but those with candidates at unusual times."""

    shown: bool
    """Whether it is to be shown in full."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """What each day has for the meeting."""

    zone: tzinfo
    days: tuple[Day, ...]
    """By date: those of the window, and those near it that hold a candidate."""

    days_left_out: int
    """How many days of the window are not among them."""

    undrawn: tuple[Mark, ...]
    """Candidates on none of the days: far away from the window, endless, or ending before they start."""

    wrong_left_out: int
    """How many more wrong candidates there are."""


def timeline(world: World, instance: Instance, label: Label | None, episode: Episode) -> Timeline:
    """The timeline of an episode's instance.

    Args:
        world: The records.
        instance: The task.
        label: Which records it needs; the gold is the episode's own.
        episode: What the agent answered and has seen.

    Raises:
        UnresolvedError: the instance does not fit the world.
    """
    problem = resolve(world, instance)
    case = ResolvedInstance(world, instance, problem)
    found = marks(episode, label)
    every = (*found.gold, *found.wrong)
    dates, left_out = _dates(case, every)
    drawn = [mark for mark in every if mark.drawable and any(mark.span.overlaps(day) for day in dates)]
    on_day = {day: tuple(mark for mark in drawn if mark.span.overlaps(day)) for day in dates}
    shown = _shown(on_day)
    feasible = _feasible(problem)
    rows = lanes(case, _rooms(found, label), Interval(dates[0].start, dates[-1].end))
    unseen = _unseen(rows, case, label, episode, {mark.room_id for mark in every if mark.place is not None})
    days = tuple(
        Day(
            date=to_datetime(day.start, problem.zone).date(),
            span=day,
            rows=tuple(_row(lane, day, on_day[day], missed) for lane, missed in zip(rows, unseen, strict=True)),
            marks=on_day[day],
            feasible=tuple(
                Interval(max(span.start, day.start), min(span.end, day.end)) for span in feasible if span.overlaps(day)
            ),
            hours=(0, MINUTES_PER_DAY),
            shown=day in shown,
        )
        for day in dates
    )
    return Timeline(
        zone=problem.zone,
        days=_with_hours(problem, days),
        days_left_out=left_out,
        undrawn=tuple(mark for mark in every if mark not in drawn),
        wrong_left_out=found.left_out,
    )


def _dates(case: ResolvedInstance, every: Sequence[Mark]) -> tuple[list[Interval], int]:
    window = case.problem.window
    reach = window.widened(_FAR)
    near = [mark.span for mark in every if mark.drawable and reach.contains(mark.span)]
    held = {day for span in near for day in days_of(span, case)}
    of_window = days_of(window, case)
    kept = held.union(of_window[:MOST_DAYS])
    return sorted(kept), len(set(of_window) - kept)


def _shown(on_day: dict[Interval, tuple[Mark, ...]]) -> Collection[Interval]:
    """The days with candidates: the gold's first, then by place in the answer."""

    def order(day: Interval) -> tuple[bool, int, Interval]:
        ranks = [mark.rank for mark in on_day[day] if mark.rank is not None]
        places = [mark.place for mark in on_day[day] if mark.place is not None]
        return not ranks, min(ranks or places), day

    return sorted((day for day, held in on_day.items() if held), key=order)[:MOST_OPEN]


def _feasible(problem: Problem) -> list[Interval]:
    starts = 0
    for _, mask in room_masks(problem, filtered_slots(problem)[0]):
        starts |= mask
    origin, duration = problem.window.start, problem.duration
    return union(Interval(origin + start, origin + start + duration) for start in members(starts))


def _rooms(found: Marks, label: Label | None) -> Iterator[str]:
    """The rooms that matter, the gold's first."""
    for mark in (*found.gold, *found.wrong):
        if mark.room_id is not None:
            yield mark.room_id
    for record in label.records if label is not None else ():
        kind, _, room_id = record.partition(":")
        if kind in {"room", "room_calendar"}:
            yield room_id


def seen_records(world: World, instance: Instance, episode: Episode) -> set[str] | None:
    """The records that the agent has seen, in results or revealed; None where its calls are not known."""
    if episode.diagnosis is not None and episode.diagnosis.capability.acquisition is None:
        return None
    shown = {record for call in episode.tool_calls for record in call.records}
    return {*shown, *revealed_records(episode.reveal, world, instance), TASK}


def _unseen(
    rows: Iterable[Lane],
    case: ResolvedInstance,
    label: Label | None,
    episode: Episode,
    proposed: Collection[str | None],
) -> list[tuple[str, ...]]:
    seen = seen_records(case.world, case.instance, episode) if episode.scores is not None else None
    needed = set(label.records) if label is not None else set()
    return [
        ()
        if seen is None
        else tuple(
            record
            for record in row.records
            if record not in seen and (record in needed or (row.room_id is not None and row.room_id in proposed))
        )
        for row in rows
    ]


def _row(lane: Lane, day: Interval, on_day: Sequence[Mark], unseen: tuple[str, ...]) -> TimelineRow:
    wrong = [mark for mark in on_day if mark.state is State.WRONG and lane.room_id in {None, mark.room_id}]

    def hit(bar: Bar) -> Bar:
        places = tuple(mark.place for mark in wrong if mark.place is not None and bar.span.overlaps(mark.span))
        return replace(bar, hits=places) if places else bar

    return TimelineRow(
        kind=lane.kind,
        name=lane.name,
        detail=lane.detail,
        records=lane.records,
        unseen=unseen,
        room_id=lane.room_id,
        bars=tuple(map(hit, lane.bars(day))),
    )


def _with_hours(problem: Problem, days: Sequence[Day]) -> tuple[Day, ...]:
    def clock(span: Interval, day: Day) -> tuple[int, int]:
        start = to_datetime(max(span.start, day.span.start), problem.zone)
        last = to_datetime(min(span.end, day.span.end) - 1, problem.zone)
        return start.hour * 60 + start.minute, last.hour * 60 + last.minute + 1

    usual = [] if problem.daily is None else [problem.daily]
    for day in days:
        usual += [clock(bar.span, day) for row in day.rows for bar in row.bars if bar.kind is BarKind.BUSY]
        usual += [clock(mark.span, day) for mark in day.marks if mark.rank is not None]
    return tuple(
        replace(day, hours=_whole_hours([*(usual or [_USUAL_HOURS]), *(clock(mark.span, day) for mark in day.marks)]))
        for day in days
    )


def _whole_hours(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(start for start, _ in spans) // 60 * 60, -(-max(end for _, end in spans) // 60) * 60

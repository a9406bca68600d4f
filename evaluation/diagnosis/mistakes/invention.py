"""Far-fetched changes: habits and values found nowhere in the task or the records."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from mpcbench.evaluation.diagnosis.change import Change, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.misuse import tie_break
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.oracle.interval import Interval
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.problem import Buffer, Inside, InsideHours, OutsideHours, Rule
from mpcbench.schema import Guests, Site, Source, TieBreakKey, Window
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_MONDAY_TO_FRIDAY = (0, 1, 2, 3, 4)
_WHOLE_DAY = (0, MINUTES_PER_DAY)
_DAYS_OF_A_WEEK = 7
_COARSE_STEPS = (30, 60)
_MINUTES = (5, 10, 15, 20, 25, 30, 40, 45, 60)

Make = Callable[[], int]


def inventions(frame: Frame) -> list[Change]:
    """Every single change to a frame's problem that no record suggests."""
    return [*_other_windows(frame), *_coarse_grids(frame), *_other_rules(frame), *_other_rooms(frame)]


def _other_windows(frame: Frame) -> Iterator[Change]:
    window = frame.problem.window
    record, _ = frame.provenance.last(Window)
    for early, late in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        used = Interval(window.start + early * MINUTES_PER_DAY, window.end + late * MINUTES_PER_DAY)
        if used.start < used.end:
            yield Change(
                part(Reason.VALUE_WRONG, "window", Fact(record, window, used), ground=Ground.NOTHING),
                masks={"window": partial(frame.mask, Inside((used,)))},
            )
    days = Fact(record, {"days": "every day of the window"}, {"days": _MONDAY_TO_FRIDAY})
    yield Change(
        part(Reason.CONSTRAINT_ADDED, "weekdays", days, ground=Ground.NOTHING),
        masks={"weekdays": partial(frame.mask, InsideHours(*_WHOLE_DAY, _MONDAY_TO_FRIDAY))},
    )


def _coarse_grids(frame: Frame) -> Iterator[Change]:
    for step in _COARSE_STEPS:
        fact = Fact(TASK, {"step": GRID_MINUTES}, {"step": step})
        yield Change(
            part(Reason.VALUE_WRONG, "grid", fact, ground=Ground.NOTHING), masks={"grid": partial(frame.every, step)}
        )


def _other_rules(frame: Frame) -> Iterator[Change]:
    """Other values for policy rules, such as those of an outdated version."""
    for constraint, keys in frame.keys:
        if constraint.source is Source.POLICY:
            for used, makes in _altered(frame, constraint.rule, keys):
                fact = Fact(constraint.records[0], constraint.rule, used)
                yield Change(
                    part(Reason.VALUE_WRONG, constraint.kind, fact, ground=Ground.NOTHING),
                    masks=dict(zip(keys, makes, strict=True)),
                )


def _altered(frame: Frame, rule: Rule, keys: Sequence[str]) -> Iterator[tuple[Rule, list[Make]]]:
    if isinstance(rule, Buffer):
        records = [f"calendar:{key.partition(':')[2]}" for key in keys]
        for minutes in _MINUTES:
            if minutes != rule.minutes:
                yield Buffer(minutes), [partial(frame.apart, record, minutes, minutes) for record in records]
    elif isinstance(rule, InsideHours | OutsideHours):
        for other in _nearby(rule):
            yield other, [partial(frame.mask, other)]


def _nearby(rule: InsideHours | OutsideHours) -> Iterator[InsideHours | OutsideHours]:
    for shift in (-60, -30, 30, 60):
        for early, late in ((shift, 0), (0, shift), (shift, shift)):
            start, end = rule.start + early, rule.end + late
            if 0 <= start < end <= MINUTES_PER_DAY:
                yield replace(rule, start=start, end=end)
    if len(rule.days) == 1:
        yield from (replace(rule, days=(day,)) for day in range(_DAYS_OF_A_WEEK) if day not in rule.days)


def _other_rooms(frame: Frame) -> Iterator[Change]:
    """Other room requirements: tie-breaks, seats for the guests alone, sites, turnarounds."""
    query, search = frame.choices.rooms, frame.problem.rooms
    if query is None or search is None:
        return

    def altered(kind: str, fact: Fact, **fields: object) -> Change:
        return Change(part(Reason.VALUE_WRONG, kind, fact, ground=Ground.NOTHING), fields=fields)

    for key in TieBreakKey:
        if frame.choices.tie_break != (key,):
            yield tie_break(frame, (key,), ground=Ground.NOTHING)
    guests = query.seats - len(frame.problem.participants)
    if guests:
        seats = Fact(frame.provenance.last(Guests)[0], {"seats_needed": query.seats}, {"seats_needed": guests})
        yield altered("capacity", seats, seats=guests)
    record, _ = frame.provenance.last(Site)
    for site in sorted({room.site for room in search.rooms} - {query.site}):
        yield altered("site", Fact(record, {"site": query.site}, {"site": site}), site=site)
    for turnaround in search.turnarounds:
        for margin in _MINUTES:
            if margin != query.margin:
                fact = Fact(turnaround.record, {"minutes": query.margin}, {"minutes": margin})
                yield altered("room_turnaround", fact, margin=margin)

"""Far-fetched changes: habits and values that stand nowhere in the task or the records."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import JsonValue

from evaluation.diagnosis.cause import Reason
from evaluation.diagnosis.change import Change, part
from evaluation.diagnosis.frame import Form, Frame
from oracle.interval import Interval
from oracle.problem import Buffer, Inside, InsideHours, OutsideHours, Rule
from schema import Source
from schema.model import MINUTES_PER_DAY

_MONDAY_TO_FRIDAY = (0, 1, 2, 3, 4)
_WHOLE_DAY = (0, MINUTES_PER_DAY)
_DAYS_OF_A_WEEK = 7
_COARSE_STEPS = (30, 60)
_MINUTES = (5, 10, 15, 20, 25, 30, 40, 45, 60)


def far_fetched_changes(frame: Frame) -> list[Change]:
    """Every single change of a frame's problem that nothing on record suggests."""
    return [
        *_other_windows(frame),
        *_coarse_grids(frame),
        *_other_rules(frame),
        *_other_rooms(frame),
        Change(part(Reason.RANKING, "disjoint_slots", far_fetched=True), fields={"form": Form.DISJOINT}),
        Change(
            part(Reason.CONSTRAINT_ADDED, "weekdays", far_fetched=True),
            masks={"weekdays": frame.mask(InsideHours(*_WHOLE_DAY, _MONDAY_TO_FRIDAY))},
        ),
    ]


def _other_windows(frame: Frame) -> Iterator[Change]:
    first, last = frame.problem.window
    for early, late in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        start, end = first + early * MINUTES_PER_DAY, last + late * MINUTES_PER_DAY
        if start < end:
            yield Change(
                part(Reason.VALUE_WRONG, "window", far_fetched=True, first_day=early, last_day=late),
                masks={"window": frame.mask(Inside((Interval(start, end),)))},
            )


def _coarse_grids(frame: Frame) -> Iterator[Change]:
    for step in _COARSE_STEPS:
        yield Change(part(Reason.VALUE_WRONG, "grid", step=step, far_fetched=True), masks={"grid": frame.every(step)})


def _other_rules(frame: Frame) -> Iterator[Change]:
    """Other values for what a policy demands, such as an outdated version of it has."""
    for constraint, masks in frame.conditions:
        if constraint.source is Source.POLICY:
            for new, values in _altered(frame, constraint.rule, masks):
                mistake = part(Reason.VALUE_WRONG, constraint.kind, *constraint.records, far_fetched=True, **values)
                yield Change(mistake, masks=new)


def _altered(
    frame: Frame, rule: Rule, masks: Mapping[str, int]
) -> Iterator[tuple[dict[str, int], dict[str, JsonValue]]]:
    if isinstance(rule, Buffer):
        for minutes in _MINUTES:
            if minutes != rule.minutes:
                altered = {
                    key: frame.clear(frame.taken(f"calendar:{key.partition(':')[2]}"), minutes, minutes)
                    for key in masks
                }
                yield altered, {"used": minutes}
    elif isinstance(rule, InsideHours | OutsideHours):
        (key,) = masks
        for start, end in _nearby(rule.start, rule.end):
            yield {key: frame.mask(replace(rule, start=start, end=end))}, {"used": [start, end]}
        if len(rule.days) == 1:
            for day in range(_DAYS_OF_A_WEEK):
                if day not in rule.days:
                    yield {key: frame.mask(replace(rule, days=(day,)))}, {"day": day}


def _other_rooms(frame: Frame) -> Iterator[Change]:
    """Other values for what is asked of the room, and the guests' seats alone."""
    query, search = frame.choices.rooms, frame.problem.rooms
    if query is None or search is None:
        return

    def altered(kind: str, value: JsonValue, **fields: object) -> Change:
        return Change(part(Reason.VALUE_WRONG, kind, far_fetched=True, used=value), fields=fields)

    guests = query.seats - len(frame.problem.participants)
    if guests:
        yield altered("capacity", guests, seats=guests)
    for site in sorted({room.site for room in search.rooms} - {query.site}):
        yield altered("site", site, site=site)
    if query.margin:
        for margin in _MINUTES:
            if margin != query.margin:
                yield altered("room_turnaround", margin, margin=margin)


def _nearby(start: int, end: int) -> Iterator[tuple[int, int]]:
    for shift in (-60, -30, 30, 60):
        for low, high in ((start + shift, end), (start, end + shift), (start + shift, end + shift)):
            if 0 <= low < high <= MINUTES_PER_DAY:
                yield low, high

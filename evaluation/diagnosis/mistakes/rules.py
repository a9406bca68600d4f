"""Conditions with another value: compared with starts only, shifted, on other weekdays, or as another figure says."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.prose import Sentence, sentences
from mpcbench.oracle.interval import Interval, to_datetime, to_minutes
from mpcbench.oracle.problem import (
    Buffer,
    Constraint,
    EndsBy,
    Inside,
    InsideHours,
    Outside,
    OutsideHours,
    Rule,
    StartsFrom,
)
from mpcbench.schema import Source, Window
from mpcbench.schema.cause import Reason
from mpcbench.schema.model import MINUTES_PER_DAY

_DAY: Final = MINUTES_PER_DAY
_HALF_DAY: Final = MINUTES_PER_DAY // 2
_WEEK: Final = 7 * MINUTES_PER_DAY
_MONDAY_TO_FRIDAY: Final = (0, 1, 2, 3, 4)
_EVERY_DAY: Final = tuple(range(7))
_MINUTES: Final = (5, 10, 15, 20, 25, 30, 40, 45, 60)
_SHIFTS: Final = (-60, -30, 30, 60)

Make = Callable[[], int]


class _Other(NamedTuple):
    """A rule with another value."""

    rule: Rule
    ground: Ground
    used: object = None
    """What to report as used, if not the rule."""


def other_rules(frame: Frame) -> Iterator[Change]:
    """Every condition of a policy or thread with another value, and the daily hours and days of the window."""
    for constraint, keys in frame.keys:
        if isinstance(constraint.rule, Buffer):
            yield from _buffers(frame, constraint, keys)
        elif constraint.source is not Source.CALENDAR:
            for other in _others(frame, constraint):
                used = other.rule if other.used is None else other.used
                facts = [Fact(record, constraint.rule, used) for record in constraint.records]
                mistake = part(Reason.VALUE_WRONG, constraint.kind, *facts, ground=other.ground)
                yield _by(mistake, frame, keys[0], other.rule)
    yield from _windows(frame)


def _by(mistake: ChangedPart, frame: Frame, key: str, rule: Rule) -> Change:
    return Change(mistake, masks={key: partial(frame.mask, rule)}, free=partial(frame.allows, rule))


# Other values.


def _others(frame: Frame, constraint: Constraint) -> Iterator[_Other]:  # noqa: C901 - one case a rule
    zone = frame.bare.zone
    match constraint.rule:
        case InsideHours() | OutsideHours() as rule:
            yield from _other_hours(frame, constraint, rule)
        case StartsFrom(instant=instant):
            for used, ground in _other_instants(frame, constraint, instant):
                yield _Other(StartsFrom(used), ground, to_datetime(used, zone))
        case EndsBy(instant=instant):
            yield _Other(EndsBy(instant + frame.duration), Ground.RECORD, "as the last start")
            midnight = _midnight(instant - 1, zone)
            for used, ground in (
                (_midnight(midnight + _DAY + _DAY // 4, zone), Ground.PRACTICE),
                (midnight, Ground.NOTHING),
                *((instant + shift, Ground.NOTHING) for shift in (-_DAY, _DAY, -_WEEK, _WEEK, -_HALF_DAY, _HALF_DAY)),
            ):
                yield _Other(EndsBy(used), ground, to_datetime(used, zone))
        case Outside(span=span):
            for used_span, ground in _other_spans(span, zone):
                yield _Other(Outside(used_span), ground)
        case Inside(spans=spans):
            for place, span in enumerate(spans):
                for used_span, ground in _other_spans(span, zone):
                    yield _Other(Inside((*spans[:place], used_span, *spans[place + 1 :])), ground)
                if len(spans) > 1:
                    yield _Other(Inside((span,)), Ground.PRACTICE)
        case _:
            return


def _other_instants(frame: Frame, constraint: Constraint, instant: int) -> Iterator[tuple[int, Ground]]:
    """The start of an awaited event; the date without the time; the next day; days and half days off."""
    zone = frame.bare.zone
    if constraint.kind == "after_event":
        person = constraint.records[-1].partition(":")[2]
        for start in sorted({start for start, end in frame.world.busy[person].intervals if end == instant}):
            yield start, Ground.RECORD
    midnight = _midnight(instant, zone)
    yield midnight, Ground.PRACTICE
    yield _midnight(midnight + _DAY + _DAY // 4, zone), Ground.PRACTICE
    for shift in (-_DAY, _DAY, -_WEEK, _WEEK, -_HALF_DAY, _HALF_DAY):
        yield instant + shift, Ground.NOTHING


def _other_spans(span: Interval, zone: tzinfo) -> Iterator[tuple[Interval, Ground]]:
    first, last = _midnight(span.start, zone), _midnight(span.end - 1, zone)
    after = _midnight(last + _DAY + _DAY // 4, zone)
    for start, end in ((first, after), (span.start, after), (first, span.end), (span.start, _next(span.start, zone))):
        if start < end and (start, end) != (span.start, span.end):
            yield Interval(start, end), Ground.PRACTICE
    for shift in (-_DAY, _DAY, -_WEEK, _WEEK, -_HALF_DAY, _HALF_DAY, -60, 60):
        for early, late in ((shift, shift), (0, shift), (shift, 0)):
            if span.start + early < span.end + late:
                yield Interval(span.start + early, span.end + late), Ground.NOTHING


def _other_hours(frame: Frame, constraint: Constraint, rule: InsideHours | OutsideHours) -> Iterator[_Other]:
    yield from _hours_of_prose(frame, constraint, rule)
    for early, late in ((_HALF_DAY, _HALF_DAY), (0, _HALF_DAY), (_HALF_DAY, 0)):
        for sign in (-1, 1):
            yield from _shifted(rule, sign * early, sign * late, Ground.PRACTICE)
    for start, end in (
        (rule.start // 60 * 60, -(-rule.end // 60) * 60),
        (-(-rule.start // 60) * 60, rule.end // 60 * 60),
    ):
        if start < end and (start, end) != (rule.start, rule.end):
            yield _Other(replace(rule, start=start, end=end), Ground.PRACTICE)
    if isinstance(rule, InsideHours):
        yield from (_Other(one, Ground.PRACTICE) for one in _one_sided(rule))
    for shift in _SHIFTS:
        for early, late in ((shift, 0), (0, shift), (shift, shift)):
            yield from _shifted(rule, early, late, Ground.NOTHING)
    for days, ground in _other_days(rule.days):
        yield _Other(replace(rule, days=days), ground)


def _hours_of_prose(frame: Frame, constraint: Constraint, rule: InsideHours | OutsideHours) -> Iterator[_Other]:
    for said in _said(frame, constraint):
        for start, end in pairwise(said.times):
            for days in dict.fromkeys((rule.days, *((said.days,) if said.days else ()))):
                if start < end and (start, end, days) != (rule.start, rule.end, rule.days):
                    yield _Other(replace(rule, start=start, end=end, days=days), Ground.PROSE)


def _one_sided(rule: InsideHours) -> Iterator[InsideHours]:
    """Daily hours without their beginning or their end."""
    yield from (one for one in (replace(rule, start=0), replace(rule, end=_DAY)) if one != rule)


def _shifted(rule: InsideHours | OutsideHours, early: int, late: int, ground: Ground) -> Iterator[_Other]:
    start, end = rule.start + early, rule.end + late
    if 0 <= start < end <= _DAY:
        yield _Other(replace(rule, start=start, end=end), ground)


def _other_days(days: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Ground]]:
    """Every day; Monday to Friday; counted from another day; one day fewer or more; another single day."""
    found: dict[tuple[int, ...], Ground] = {_EVERY_DAY: Ground.PRACTICE, _MONDAY_TO_FRIDAY: Ground.PRACTICE}
    for shift in (1, -1):
        found.setdefault(tuple(sorted((day + shift) % 7 for day in days)), Ground.PRACTICE)
    for day in range(7):
        other = tuple(sorted({*days} ^ {day}))
        if other:
            found.setdefault(other, Ground.NOTHING)
        if len(days) == 1:
            found.setdefault((day,), Ground.NOTHING)
    found.pop(tuple(sorted(days)), None)
    yield from found.items()


def _buffers(frame: Frame, constraint: Constraint, keys: Sequence[str]) -> Iterator[Change]:
    """A buffer kept on one side only, or of other minutes."""
    minutes = constraint.rule.minutes if isinstance(constraint.rule, Buffer) else 0
    calendars = {key: f"calendar:{key.partition(':')[2]}" for key in keys}

    def kept(detail: str, before: int, after: int, used: object, ground: Ground) -> Change:
        fact = Fact(constraint.records[0], holds=constraint.rule, used=used)
        return Change(
            part(Reason.VALUE_WRONG, detail, fact, ground=ground),
            masks={key: partial(frame.apart, record, before, after) for key, record in calendars.items()},
            widens=max(before, after) <= minutes,
        )

    yield kept("buffer_side", minutes, 0, {"minutes": minutes, "only": "before"}, Ground.RECORD)
    yield kept("buffer_side", 0, minutes, {"minutes": minutes, "only": "after"}, Ground.RECORD)
    said = {number for one in _said(frame, constraint) for number in one.numbers}
    for other in sorted(said | {*_MINUTES} - {minutes}):
        ground = Ground.PROSE if other in said else Ground.NOTHING
        yield kept("buffer_min", other, other, Buffer(other), ground)


def _said(frame: Frame, constraint: Constraint) -> Sequence[Sentence]:
    """The figures of the policy behind a constraint, by sentence."""
    policy = constraint.records[0].partition(":")[2] if constraint.source is Source.POLICY else ""
    section = frame.world.policy_by_id.get(policy)
    return () if section is None else sentences(section.text)


# The window.


def _windows(frame: Frame) -> Iterator[Change]:
    """The window a day longer or shorter; its daily hours compared with starts only, or others; days left out."""
    window, daily = frame.problem.window, frame.problem.daily
    record, _ = frame.provenance.last(Window)
    for early, late in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        used = Interval(window.start + early * _DAY, window.end + late * _DAY)
        if used.start < used.end:
            fact = Fact(record, window, used)
            yield Change(
                part(Reason.VALUE_WRONG, "window", fact, ground=Ground.NOTHING),
                masks={"window": partial(frame.mask, Inside((used,)))},
            )
    for days in (_MONDAY_TO_FRIDAY, *(tuple(day for day in range(7) if day != left) for left in range(7))):
        fact = Fact(record, {"days": "every day of the window"}, {"days": days})
        yield Change(
            part(Reason.CONSTRAINT_ADDED, "weekdays", fact, ground=Ground.NOTHING),
            masks={"weekdays": partial(frame.mask, InsideHours(0, _DAY, days))},
            free=partial(frame.allows, InsideHours(0, _DAY, days)),
        )
    if daily is None:
        return
    hours = InsideHours(*daily, _EVERY_DAY)
    for other in _one_sided(hours):
        mistake = part(Reason.VALUE_WRONG, "daily_hours", Fact(record, hours, other), ground=Ground.PRACTICE)
        yield _by(mistake, frame, "daily_hours", other)
    for shift in (*_SHIFTS, -_HALF_DAY, _HALF_DAY):
        for early, late in ((shift, 0), (0, shift), (shift, shift)):
            for rule, ground, _ in _shifted(hours, early, late, Ground.NOTHING):
                mistake = part(Reason.VALUE_WRONG, "daily_hours", Fact(record, hours, rule), ground=ground)
                yield _by(mistake, frame, "daily_hours", rule)


def _midnight(minutes: int, zone: tzinfo) -> int:
    """The local midnight before an instant."""
    return to_minutes(to_datetime(minutes, zone).replace(hour=0, minute=0, fold=0))


def _next(minutes: int, zone: tzinfo) -> int:
    return _midnight(_midnight(minutes, zone) + _DAY + _DAY // 4, zone)

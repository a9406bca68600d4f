"""Conditions with another value: compared with starts only, shifted, on other weekdays, or as another figure says."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

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
_HALF_AN_HOUR: Final = 30
_HALF_DAY: Final = MINUTES_PER_DAY // 2
_WEEK: Final = 7 * MINUTES_PER_DAY
_MONDAY_TO_FRIDAY: Final = (0, 1, 2, 3, 4)
_EVERY_DAY: Final = tuple(range(7))
_SATURDAY: Final = 5
_MINUTES: Final = (5, 10, 15, 20, 25, 30, 40, 45, 60)
_SHIFTS: Final = (-60, -30, -15, 15, 30, 60)
_MOVES: Final = tuple(
    (sign * minutes, Ground.NOTHING if minutes >= _HALF_DAY else Ground.COINCIDENCE)
    for minutes in (_DAY, _WEEK, _HALF_DAY, 120, 60, 45, 30, 15)
    for sign in (-1, 1)
)
"""By how much a limit may be misread: by dates or halves of the day, or by a slip of arithmetic."""

_USUAL_CUTS: Final = (7, 14)
"""Days after which somebody may have stopped looking."""

Make = Callable[[], int]
Hours = TypeVar("Hours", bound=InsideHours | OutsideHours)


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


def _others(frame: Frame, constraint: Constraint) -> Iterator[_Other]:
    zone = frame.bare.zone
    match constraint.rule:
        case InsideHours() | OutsideHours() as rule:
            yield from _other_hours(frame, constraint, rule)
        case StartsFrom(instant=instant):
            for used, ground in _other_instants(frame, constraint, instant):
                yield _Other(StartsFrom(used), ground, to_datetime(used, zone))
            yield _Other(EndsBy(instant), Ground.CONVENTION, "as the latest end")
        case EndsBy(instant=instant):
            yield _Other(StartsFrom(instant), Ground.CONVENTION, "as the earliest start")
            yield _Other(EndsBy(instant + frame.duration), Ground.RECORD, "as the last start")
            midnight = _midnight(instant - 1, zone)
            for used, ground in (
                (_midnight(midnight + _DAY + _DAY // 4, zone), Ground.PRACTICE),
                (midnight, Ground.NOTHING),
                *((instant + shift, ground) for shift, ground in _MOVES),
            ):
                yield _Other(EndsBy(used), ground, to_datetime(used, zone))
        case Outside(span=span):
            for used_span, ground in _other_spans(span, zone):
                yield _Other(Outside(used_span), ground)
            yield _Other(Inside((span,)), Ground.CONVENTION)
        case Inside(spans=spans):
            yield from _other_requirements(spans, zone)
        case _:
            return


def _other_requirements(spans: Sequence[Interval], zone: tzinfo) -> Iterator[_Other]:
    """One of the times taken for another; one alone; the only one as one that is ruled out."""
    for place, span in enumerate(spans):
        for used, ground in _other_spans(span, zone):
            yield _Other(Inside((*spans[:place], used, *spans[place + 1 :])), ground)
        yield _Other(Inside((span,)), Ground.PRACTICE) if len(spans) > 1 else _Other(Outside(span), Ground.CONVENTION)


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
    for shift, ground in _MOVES:
        yield instant + shift, ground


def _other_spans(span: Interval, zone: tzinfo) -> Iterator[tuple[Interval, Ground]]:
    first, last = _midnight(span.start, zone), _midnight(span.end - 1, zone)
    after = _midnight(last + _DAY + _DAY // 4, zone)
    for start, end in ((first, after), (span.start, after), (first, span.end), (span.start, _next(span.start, zone))):
        if start < end and (start, end) != (span.start, span.end):
            yield Interval(start, end), Ground.PRACTICE
    for shift in (-_DAY, _DAY, -_WEEK, _WEEK, -_HALF_DAY, _HALF_DAY, *_SHIFTS):
        for early, late in ((shift, shift), (0, shift), (shift, 0)):
            if span.start + early < span.end + late:
                yield Interval(span.start + early, span.end + late), Ground.NOTHING


def _other_hours(frame: Frame, constraint: Constraint, rule: InsideHours | OutsideHours) -> Iterator[_Other]:
    yield from _hours_of_prose(frame, constraint, rule)
    for early, late in ((_HALF_DAY, _HALF_DAY), (0, _HALF_DAY), (_HALF_DAY, 0)):
        for sign in (-1, 1):
            yield from _shifted(rule, sign * early, sign * late, Ground.PRACTICE)
    yield from (_Other(one, Ground.PRACTICE) for one in _rounded(rule))
    if isinstance(rule, InsideHours):
        yield from (_Other(one, Ground.PRACTICE) for one in _one_sided(rule))
    for shift in _SHIFTS:
        ground = Ground.NOTHING if abs(shift) >= _HALF_AN_HOUR else Ground.COINCIDENCE
        for early, late in ((shift, 0), (0, shift), (shift, shift)):
            yield from _shifted(rule, early, late, ground)
    for days, ground in _other_days(rule.days):
        yield _Other(replace(rule, days=days), ground)


def _hours_of_prose(frame: Frame, constraint: Constraint, rule: InsideHours | OutsideHours) -> Iterator[_Other]:
    for said in _said(frame, constraint):
        for start, end in pairwise(said.times):
            for days in dict.fromkeys((rule.days, *((said.days,) if said.days else ()))):
                if start < end and (start, end, days) != (rule.start, rule.end, rule.days):
                    yield _Other(replace(rule, start=start, end=end, days=days), Ground.PROSE)


def _rounded(rule: Hours) -> Iterator[Hours]:
    """Daily hours to full hours, outwards and inwards."""
    for start, end in (
        (rule.start // 60 * 60, -(-rule.end // 60) * 60),
        (-(-rule.start // 60) * 60, rule.end // 60 * 60),
    ):
        if start < end and (start, end) != (rule.start, rule.end):
            yield replace(rule, start=start, end=end)


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
    for used, ground in _other_windows(window, frame.bare.zone):
        mistake = part(Reason.VALUE_WRONG, "window", Fact(record, window, used), ground=ground)
        yield _by(mistake, frame, "window", Inside((used,)))
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
    for other in (*_one_sided(hours), *_rounded(hours)):
        mistake = part(Reason.VALUE_WRONG, "daily_hours", Fact(record, hours, other), ground=Ground.PRACTICE)
        yield _by(mistake, frame, "daily_hours", other)
    for shift in (*_SHIFTS, -_HALF_DAY, _HALF_DAY, -120, 120):
        usual = Ground.NOTHING if abs(shift) in {_HALF_AN_HOUR, 60, _HALF_DAY} else Ground.COINCIDENCE
        for early, late in ((shift, 0), (0, shift), (shift, shift)):
            for rule, ground, _ in _shifted(hours, early, late, usual):
                mistake = part(Reason.VALUE_WRONG, "daily_hours", Fact(record, hours, rule), ground=ground)
                yield _by(mistake, frame, "daily_hours", rule)


def _other_windows(window: Interval, zone: tzinfo) -> Iterator[tuple[Interval, Ground]]:
    """A day longer or shorter; from a Monday or up to a weekend, for a week or two, within a month; cut at any other day."""
    for early, late in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        used = Interval(window.start + early * _DAY, window.end + late * _DAY)
        if used.start < used.end:
            yield used, Ground.NOTHING
    cuts = [window.start]
    while (cut := _next(cuts[-1], zone)) < window.end:
        cuts.append(cut)
    seen = set[str]()
    for days, cut in enumerate(cuts[1:], start=1):
        local = to_datetime(cut, zone)
        names = {"monday": local.weekday() == 0, "saturday": local.weekday() == _SATURDAY, "month": local.day == 1}
        named = {name for name, holds in names.items() if holds and name not in seen}
        seen |= named
        yield Interval(cut, window.end), Ground.NOTHING if named - {"saturday"} else Ground.COINCIDENCE
        is_usual = bool(named) or days in _USUAL_CUTS
        yield Interval(window.start, cut), Ground.NOTHING if is_usual else Ground.COINCIDENCE


def _midnight(minutes: int, zone: tzinfo) -> int:
    """The local midnight before an instant."""
    return to_minutes(to_datetime(minutes, zone).replace(hour=0, minute=0, fold=0))


def _next(minutes: int, zone: tzinfo) -> int:
    return _midnight(_midnight(minutes, zone) + _DAY + _DAY // 4, zone)

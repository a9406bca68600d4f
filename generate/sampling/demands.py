"""Demands about the time, placed at natural hours within a draft's window."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta, tzinfo
from functools import lru_cache
from random import Random
from typing import NamedTuple

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import Check, Rejected
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.interval import Interval, members, to_datetime
from mpcbench.oracle.problem import Constraint, EndsBy, Inside, Outside, StartsFrom
from mpcbench.schema import BanWindow, Deadline, NotBefore, Order, RequiredWindow, Source, Statement


class Demand(NamedTuple):
    """Statements about the time, and the constraint that they impose together."""

    statements: tuple[Statement, ...]
    constraint: Constraint


def thread_demand(rule: Outside | Inside | StartsFrom | EndsBy, *statements: Statement) -> Demand:
    """A demand made in a thread whose record ID is not known yet."""
    return Demand(statements, Constraint(Source.THREADS, statements[0].kind, ("thread",), rule))


def ban_window(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A ban on two to five hours of a day on which the meeting would be possible."""
    return _ban(setting, draft, rng, (120, 300))


def early_ban(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A ban on most of one of the days that the ranking begins with."""
    slots = draft.feasible()
    part = slots.bit_length() // 4
    near = slots >> (3 * part) << (3 * part) if draft.problem.order is Order.LATEST else slots & ((1 << part) - 1)
    return _ban(setting, replace(draft, slots=draft.slots & near), rng, (390, 630))


def _ban(setting: Setting, draft: Draft, rng: Random, lengths: tuple[int, int]) -> Demand:
    (span,) = _hours_of_days(setting, draft, rng, 1, lengths)
    return thread_demand(
        Outside(span), BanWindow(start=to_datetime(span.start, setting.zone), end=to_datetime(span.end, setting.zone))
    )


def required_windows(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """Two required windows on different days."""
    spans = _hours_of_days(setting, draft, rng, 2, (240, 600))
    statements = (
        RequiredWindow(start=to_datetime(span.start, setting.zone), end=to_datetime(span.end, setting.zone))
        for span in spans
    )
    return thread_demand(Inside(spans), *statements)


def deadline(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A latest end, on a day of the second half of the window and on a half hour of its daily hours."""
    at = _moment(setting, draft, rng, 1)
    return thread_demand(EndsBy(at), Deadline(at=to_datetime(at, setting.zone)))


def not_before(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """An earliest start, on a day of the first half of the window and on a half hour of its daily hours."""
    at = _moment(setting, draft, rng, 0)
    return thread_demand(StartsFrom(at), NotBefore(at=to_datetime(at, setting.zone)))


def _moment(setting: Setting, draft: Draft, rng: Random, half: int) -> int:
    opens, closes = _daily(draft)
    days = draft.problem.window
    first = to_datetime(days.start, setting.zone).date()
    length = (to_datetime(days.end - 1, setting.zone).date() - first).days
    return setting.instant(
        first + timedelta(days=rng.randint(0, length // 2) + half * (length // 2)), rng.randrange(opens, closes, 30)
    )


def _hours_of_days(
    setting: Setting, draft: Draft, rng: Random, number: int, lengths: tuple[int, int]
) -> tuple[Interval, ...]:
    """Spans of some different days, each around a feasible slot, on half hours within the daily hours, by start."""
    duration = draft.problem.duration
    slots = _minutes_by_day(draft.feasible(), draft.problem.window.start, setting.zone)
    if len(slots) < number:
        raise Rejected(Check.SOLVABLE, f"candidates on {len(slots)} days only")
    opens, closes = _daily(draft)
    spans = []
    for day in sorted(rng.sample(sorted(slots), number)):
        minute = rng.choice(slots[day])
        length = min(rng.randrange(*lengths, 30), closes - opens)
        least = max(opens, minute + duration - length)
        start = rng.randint(-(-least // 30), min(minute, closes - length) // 30) * 30
        spans.append(Interval(setting.instant(day, start), setting.instant(day, start + length)))
    return tuple(spans)


@lru_cache(maxsize=8)
def _minutes_by_day(starts: int, origin: int, zone: tzinfo) -> Mapping[date, Sequence[int]]:
    """The minutes of the day of a set of starts, by local day."""
    found: dict[date, list[int]] = {}
    for start in members(starts):
        local = to_datetime(origin + start, zone)
        found.setdefault(local.date(), []).append(local.hour * 60 + local.minute)
    return found


def _daily(draft: Draft) -> tuple[int, int]:
    daily = draft.problem.daily
    assert daily is not None
    return daily

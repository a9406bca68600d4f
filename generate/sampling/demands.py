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
from mpcbench.schema import BanWindow, Deadline, NotBefore, Order, Source, Statement

_BAN_MINUTES = (390, 630)


class Demand(NamedTuple):
    """Statements about the time, and the constraint that they impose together."""

    statements: tuple[Statement, ...]
    constraint: Constraint


def thread_demand(rule: Outside | Inside | StartsFrom | EndsBy, *statements: Statement) -> Demand:
    """A demand made in a thread whose record ID is not known yet."""
    return Demand(statements, Constraint(Source.THREADS, statements[0].kind, ("thread",), rule))


def early_ban(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A ban on most of one of the days that the ranking begins with."""
    slots = draft.feasible()
    part = slots.bit_length() // 4
    near = slots >> (3 * part) << (3 * part) if draft.problem.order is Order.LATEST else slots & ((1 << part) - 1)
    near_draft = replace(draft, slots=draft.slots & near)
    span = _hours_of_a_day(setting, near_draft, rng, _BAN_MINUTES)
    return thread_demand(
        Outside(span), BanWindow(start=to_datetime(span.start, setting.zone), end=to_datetime(span.end, setting.zone))
    )


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


def _hours_of_a_day(setting: Setting, draft: Draft, rng: Random, lengths: tuple[int, int]) -> Interval:
    """A span of some day, around a feasible slot, on half hours within the daily hours."""
    duration = draft.problem.duration
    slots = _minutes_by_day(draft.feasible(), draft.problem.window.start, setting.zone)
    if not slots:
        raise Rejected(Check.SOLVABLE, "no candidates to ban")
    opens, closes = _daily(draft)
    (day,) = rng.sample(sorted(slots), 1)
    minute = rng.choice(slots[day])
    length = min(rng.randrange(*lengths, 30), closes - opens)
    least = max(opens, minute + duration - length)
    start = rng.randint(-(-least // 30), min(minute, closes - length) // 30) * 30
    return Interval(setting.instant(day, start), setting.instant(day, start + length))


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

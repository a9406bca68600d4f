"""Demands about the time, placed to rule out the candidates that would otherwise rank first."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import NamedTuple

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.sample import SATURDAY, Check, Rejected
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.oracle.problem import Constraint, EndsBy, Inside, Outside, StartsFrom
from mpcbench.schema import BanWindow, Deadline, NotBefore, RequiredWindow, Source, Statement

_HOUR = 60


class Demand(NamedTuple):
    """A statement about the time, and the constraint that it imposes."""

    statement: Statement
    constraint: Constraint


def thread_demand(statement: Statement, rule: Outside | Inside | StartsFrom | EndsBy) -> Demand:
    """A demand made in a thread whose record ID is not known yet."""
    return Demand(statement, Constraint(Source.THREADS, statement.kind, ("thread",), rule))


def leading_starts(draft: Draft, most: int) -> list[int]:
    """The starts of the top candidates before the demand, as instants, in ranking order; none at weekends."""
    gold = draft.gold(problem=replace(draft.problem, count=most))
    starts = [choice.start for choice in gold if to_datetime(choice.start, draft.problem.zone).weekday() < SATURDAY]
    if not starts:
        raise Rejected(Check.SOLVABLE, "no candidate before the demand")
    return starts


def ban_window(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A ban on the hours around the leading candidates."""
    starts = leading_starts(draft, rng.randint(1, 24))
    return ban_hours(setting, draft, starts[0], starts[-1], rng)


def ban_hours(setting: Setting, draft: Draft, first: int, last: int, rng: Random) -> Demand:
    """A ban on the hours around the slots between two starts on one local day."""
    span = _around(setting, draft, first, last, rng)
    statement = BanWindow(start=to_datetime(span.start, setting.zone), end=to_datetime(span.end, setting.zone))
    return thread_demand(statement, Outside(span))


def required_window(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A required window of one to three days, after a run of leading candidates."""
    start = rng.choice(_ends_of_runs(leading_starts(draft, 120))) + GRID_MINUTES
    first = to_datetime(start, setting.zone).date()
    end = setting.instant(first + timedelta(days=rng.choice((0, 0, 1, 1, 2))), rng.randint(12, 19) * _HOUR)
    if end - start < draft.problem.duration:
        raise Rejected(Check.SOLVABLE, "the required window is too short")
    span = Interval(start, min(end, draft.problem.window.end))
    statement = RequiredWindow(start=to_datetime(span.start, setting.zone), end=to_datetime(span.end, setting.zone))
    return thread_demand(statement, Inside((span,)))


def deadline(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """A deadline just before a run of leading candidates; for latest start first."""
    at = rng.choice(_ends_of_runs(leading_starts(draft, 120))) + draft.problem.duration - GRID_MINUTES
    return thread_demand(Deadline(at=to_datetime(at, setting.zone)), EndsBy(at))


def not_before(setting: Setting, draft: Draft, rng: Random) -> Demand:
    """An earliest start just after a run of leading candidates."""
    at = rng.choice(_ends_of_runs(leading_starts(draft, 120))) + GRID_MINUTES
    return thread_demand(NotBefore(at=to_datetime(at, setting.zone)), StartsFrom(at))


def _ends_of_runs(starts: list[int]) -> list[int]:
    """The last start of every run of adjacent starts, except the last run."""
    ends = [start for start, following in pairwise(starts) if abs(following - start) > GRID_MINUTES]
    if not ends:
        raise Rejected(Check.LOAD_BEARING, "the candidates make one run")
    return ends


def _midnight(setting: Setting, instant: int) -> int:
    return setting.instant(to_datetime(instant, setting.zone).date(), 0)


def _around(setting: Setting, draft: Draft, first: int, last: int, rng: Random) -> Interval:
    """A span of one local day, on half hours, that covers the slots between two starts."""
    local = to_datetime(first, setting.zone)
    if local.weekday() >= SATURDAY:
        raise Rejected(Check.IMPLAUSIBLE, "a demand about a weekend")
    midnight = _midnight(setting, first)
    length = draft.problem.duration
    low = (min(first, last) - midnight) // 30 * 30 - rng.choice((0, 0, 30, 60))
    high = -(-(max(first, last) + length - midnight) // 30) * 30 + rng.choice((0, 0, 30, 60))
    low, high = max(low, 7 * _HOUR), min(high, 21 * _HOUR)
    if low >= high:
        raise Rejected(Check.LOAD_BEARING, "no span covers the leading candidates")
    return Interval(setting.instant(local.date(), low), setting.instant(local.date(), high))

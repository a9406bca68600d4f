"""Demands about the time of a level 3 meeting, as sets of starts that they allow."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import reduce
from operator import and_
from random import Random
from typing import NamedTuple

from mpcbench.generate.sampling.demands import Demand, thread_demand
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.timetable import Timetable
from mpcbench.generate.sampling.variants import guessed_ends
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.oracle.problem import Inside, Outside, Problem, StartsFrom
from mpcbench.schema import AfterEvent, BanWindow, CallPolicy, NotBefore, RequiredWindow, Section, Source

_BAN_MINUTES = (120, 300)
_WINDOW_MINUTES = (240, 600)
_MOST_DAYS = 3


class Limit(NamedTuple):
    """A demand about the time."""

    demand: Demand
    allowed: int
    """The starts that it allows."""

    others: tuple[int, ...]
    """What would be allowed instead if a statement of it were dropped, or guessed in an obvious way."""

    needs: Source | None = None
    """The source besides the threads that it is unknown without."""


class Limits(NamedTuple):
    """The demands about the time of a meeting together."""

    demands: tuple[Demand, ...]
    allowed: int
    others: tuple[int, ...]
    """What would be allowed instead, see `Limit`, for each statement and guess alone."""

    changes: tuple[int, ...]
    """For each of the others the starts that are allowed either by it or by the demands."""

    without_calendars: int
    """What is allowed as far as it is known without calendars."""

    without_policies: int
    """What is allowed as far as it is known without policies."""

    @classmethod
    def of(cls, limits: Sequence[Limit]) -> "Limits":
        """The limits that all demands together set; there is at least one."""
        masks = [limit.allowed for limit in limits]
        allowed = reduce(and_, masks)
        others = tuple(
            reduce(and_, (*masks[:place], *masks[place + 1 :]), other)
            for place, limit in enumerate(limits)
            for other in limit.others
        )
        return cls(
            demands=tuple(limit.demand for limit in limits),
            allowed=allowed,
            others=others,
            changes=tuple(allowed ^ other for other in others),
            without_calendars=_without(Source.CALENDAR, limits),
            without_policies=_without(Source.POLICY, limits),
        )


def _without(source: Source, limits: Sequence[Limit]) -> int:
    return reduce(and_, (limit.others[0] if limit.needs is source else limit.allowed for limit in limits))


def from_event(setting: Setting, timetable: Timetable, end: int, owner: str, event: str) -> Limit:
    """The meeting may start when an event has ended, at an instant."""
    guesses = (_from(timetable, guess) for _, guess in guessed_ends(end, setting.zone))
    demand = thread_demand(StartsFrom(end), AfterEvent(person_id=owner, event_id=event))
    return Limit(demand, _from(timetable, end), (timetable.slots, *guesses), needs=Source.CALENDAR)


def from_instant(setting: Setting, timetable: Timetable, at: int) -> Limit:
    """The meeting may start at an instant or later."""
    demand = thread_demand(StartsFrom(at), NotBefore(at=to_datetime(at, setting.zone)))
    return Limit(demand, _from(timetable, at), (timetable.slots,))


def ban(setting: Setting, timetable: Timetable, problem: Problem, day: date, rng: Random) -> Limit:
    """The meeting may not overlap two to five hours of a day, within the window's daily hours."""
    span = _hours_of(setting, problem, day, _BAN_MINUTES, rng)
    start, end = (to_datetime(instant, setting.zone) for instant in span)
    demand = thread_demand(Outside(span), BanWindow(start=start, end=end))
    return Limit(demand, timetable.outside(span), (timetable.slots,))


def light_policy(setting: Setting, timetable: Timetable, section: Section) -> Limit:
    """A policy of a single rule that leaves most times is called for besides the one that leaves few."""
    (constraint,) = setting.policy_constraints[section.policy_id]
    assert section.policy_id is not None
    demand = Demand((CallPolicy(policy_id=section.policy_id),), constraint)
    return Limit(demand, timetable.rule(constraint.rule), (timetable.slots,), needs=Source.POLICY)


def pick_windows(setting: Setting, problem: Problem, rng: Random) -> tuple[Interval, Interval]:
    """Some hours of a day and, from some later day on, a span of two to four days."""
    days = _days(setting, problem)
    first = rng.randrange(len(days) - _MOST_DAYS - 1)
    second = rng.randrange(first + 1, len(days) - _MOST_DAYS)
    hours = _hours_of(setting, problem, days[first], _WINDOW_MINUTES, rng)
    from_hour = _hours_of(setting, problem, days[second], _WINDOW_MINUTES, rng)
    to_hour = _hours_of(setting, problem, days[second + rng.randint(1, _MOST_DAYS)], _WINDOW_MINUTES, rng)
    return hours, Interval(from_hour.start, to_hour.end)


def required_windows(setting: Setting, timetable: Timetable, spans: tuple[Interval, Interval]) -> Limit:
    """The meeting lies inside one of two spans."""
    statements = (
        RequiredWindow(start=to_datetime(span.start, setting.zone), end=to_datetime(span.end, setting.zone))
        for span in spans
    )
    early, late = (timetable.inside(span) for span in spans)
    return Limit(thread_demand(Inside(spans), *statements), early | late, (timetable.slots, early, late))


def half_hours(setting: Setting, problem: Problem) -> Iterator[int]:
    """Every half hour of the window's daily hours."""
    assert problem.daily is not None
    for day in _days(setting, problem):
        yield from (setting.instant(day, minute) for minute in range(*problem.daily, 30))


def _days(setting: Setting, problem: Problem) -> list[date]:
    """The days of the window."""
    window = problem.window
    first, last = (to_datetime(moment, setting.zone).date() for moment in (window.start, window.end - 1))
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _from(timetable: Timetable, instant: int) -> int:
    return timetable.slots & ~timetable.before(instant)


def _hours_of(setting: Setting, problem: Problem, day: date, lengths: tuple[int, int], rng: Random) -> Interval:
    """Some hours of a day, on half hours within the daily hours."""
    assert problem.daily is not None
    opens, closes = problem.daily
    length = min(rng.randrange(*lengths, 30), closes - opens)
    start = rng.randrange(opens, closes - length + 1, 30)
    return Interval(setting.instant(day, start), setting.instant(day, start + length))

"""Samples: everything that an instance states, before it is put into words, and the checks that reject most."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from random import Random

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.schema import Source, Statement, Window
from mpcbench.schema.model import clock
from mpcbench.schema.statements import DailyHours

SATURDAY = 5


class Check(StrEnum):
    """Why a sample is rejected: one of the six checks of the certificate, or an implausible request."""

    SOLVABLE = "solvable"
    UNIQUE = "unique"
    LOAD_BEARING = "load_bearing"
    NO_SHORTCUT = "no_shortcut"
    TWICE_LABELLED = "twice_labelled"
    READABLE = "readable"
    IMPLAUSIBLE = "implausible"
    """Not a check of the certificate: the meeting would fall on a weekend."""


class Rejected(Exception):  # noqa: N818 - the everyday outcome of a sample, not an error
    """The sample fails a check of the certificate or is implausible."""

    def __init__(self, check: Check, why: str) -> None:
        super().__init__(f"{check}: {why}")
        self.check = check


@dataclass(frozen=True, slots=True)
class Talk:
    """The statements of one thread about the meeting, in order."""

    statements: tuple[PlannedStatement, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One instance before it is put into words."""

    task: tuple[Statement, ...]
    """The statements of the task text."""

    talks: tuple[Talk, ...]
    """The threads about the meeting, oldest first."""

    window: Interval
    participants: tuple[str, ...]


def check(setting: Setting, draft: Draft) -> None:
    """Apply checks 1, 3 and 4 of the certificate to a draft; raises `Rejected`."""
    gold = draft.gold()
    if len(gold) < draft.problem.count:
        raise Rejected(Check.SOLVABLE, f"{len(gold)} candidates of {draft.problem.count}")
    if any(to_datetime(choice.start, draft.problem.zone).weekday() >= SATURDAY for choice in gold):
        raise Rejected(Check.IMPLAUSIBLE, "a meeting at a weekend")
    chosen = set(gold)
    for other in draft.without_each():
        if set(other) == chosen:
            raise Rejected(Check.LOAD_BEARING, "a constraint changes nothing")
    for source in Source:
        if chosen & set(draft.alone(source)):
            raise Rejected(Check.NO_SHORTCUT, f"{source} alone finds a gold candidate")
    if chosen & set(draft.under(setting.every_policy)):
        raise Rejected(Check.NO_SHORTCUT, "every policy at once finds a gold candidate")


def window_statement(setting: Setting, first: date, last: date, daily: tuple[int, int]) -> Window:
    """The window between two local days, both included, with daily hours in minutes of the day."""
    span = setting.window(first, last)
    return Window(
        start=to_datetime(span.start, setting.zone),
        end=to_datetime(span.end, setting.zone),
        daily=DailyHours(start=clock(daily[0]), end=clock(daily[1])),
    )


def pick_days(setting: Setting, rng: Random, lengths: Sequence[int], first_weekdays: Sequence[int]) -> Sequence[date]:
    """Consecutive local days: one of the lengths, beginning on one of the weekdays (0 = Monday)."""
    length = rng.choice(lengths)
    starts = [
        place for place, day in enumerate(setting.days[: len(setting.days) - length]) if day.weekday() in first_weekdays
    ]
    start = rng.choice(starts)
    return setting.days[start : start + length]

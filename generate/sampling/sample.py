"""Samples: everything that an instance states, before it is put into words, and the checks that reject most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from random import Random

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.policy_trials import PolicyTrials
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.world.calendars import DAY_END, DAY_START
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.schema import Section, Source, Statement, Window
from mpcbench.schema.model import Level, clock
from mpcbench.schema.statements import DailyHours

THINNING: Mapping[Level, Mapping[Source, int]] = {
    1: {Source.CALENDAR: 8, Source.POLICY: 8},
    2: {Source.CALENDAR: 8, Source.POLICY: 11},
    3: {Source.CALENDAR: 3, Source.POLICY: 5},
}
"""Of the slots that would be left without a source, at most one in so many may be gold.

At level 3, where slots come with a choice of rooms, it may be more.
"""

DAILY = (
    (DAY_START, DAY_END),
    (DAY_START, DAY_END - 30),
    (DAY_START, DAY_END - 60),
    (DAY_START + 30, DAY_END),
    (DAY_START + 30, DAY_END - 30),
    (DAY_START + 60, DAY_END),
)
"""The daily hours of windows, in minutes of the day: the hours that calendars fill evenly."""


class Check(StrEnum):
    """Why a sample is rejected: one of the six checks of the certificate."""

    SOLVABLE = "solvable"
    UNIQUE = "unique"
    LOAD_BEARING = "load_bearing"
    NO_SHORTCUT = "no_shortcut"
    TWICE_LABELLED = "twice_labelled"
    READABLE = "readable"


class Rejected(Exception):  # noqa: N818 - the everyday outcome of a sample, not an error
    """The sample fails a check of the certificate."""

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


def pick_policy(setting: Setting, draft: Draft, sections: Sequence[Section], least: int, rng: Random) -> Section:
    """One of the policies under which a draft passes, each as likely as any other; raises `Rejected` if they are few.

    So to know the checks does not tell which policy is called for. Policies that share their gold do not count.
    """
    trials = PolicyTrials(setting, draft, THINNING[draft.problem.level])
    found: dict[int, list[Section]] = {}
    for number, section in enumerate(sections):
        if len(found) + len(sections) - number < least:
            break
        gold = trials.gold(section)
        if gold is not None:
            found.setdefault(gold, []).append(section)
    alone = [sharing[0] for sharing in found.values() if len(sharing) == 1]
    if len(alone) < least:
        raise Rejected(Check.NO_SHORTCUT, f"{len(alone)} policies pass, fewer than {least}")
    return rng.choice(alone)


def window_statement(setting: Setting, first: date, last: date, daily: tuple[int, int]) -> Window:
    """The window between two local days, both included, with daily hours in minutes of the day."""
    span = setting.window(first, last)
    return Window(
        start=to_datetime(span.start, setting.zone),
        end=to_datetime(span.end, setting.zone),
        daily=DailyHours(start=clock(daily[0]), end=clock(daily[1])),
    )


def pick_days(setting: Setting, rng: Random, lengths: Sequence[int]) -> Sequence[date]:
    """Consecutive local days, of one of the lengths, anywhere in the period except its very end."""
    length = rng.choice(lengths)
    start = rng.randrange(len(setting.days) - length)
    return setting.days[start : start + length]

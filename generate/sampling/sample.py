"""Samples: everything that an instance states, before it is put into words, and the checks that reject most."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from random import Random

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.wording.planned import PlannedStatement
from mpcbench.generate.world.calendars import DAY_END, DAY_START
from mpcbench.oracle.interval import Interval, to_datetime
from mpcbench.oracle.solve import Choice
from mpcbench.schema import Section, Source, Statement, Window
from mpcbench.schema.model import Level, clock
from mpcbench.schema.statements import DailyHours

THINNING: Mapping[Level, Mapping[Source, int]] = {
    1: {Source.CALENDAR: 8, Source.POLICY: 8},
    2: {Source.CALENDAR: 8, Source.POLICY: 11},
    3: {Source.CALENDAR: 3, Source.POLICY: 4},
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
    """One of the policies under which a draft passes `check`, each as likely as any other; raises `Rejected` if they are few.

    So to know the checks does not tell which policy is called for. Policies that share their gold do not count.
    """
    found: dict[frozenset[Choice], list[Section]] = {}
    for number, section in enumerate(sections):
        if len(found) + len(sections) - number < least:
            break
        with suppress(Rejected):
            gold = check(draft.with_policy(setting, section))
            found.setdefault(frozenset(gold), []).append(section)
    alone = [sharing[0] for sharing in found.values() if len(sharing) == 1]
    if len(alone) < least:
        raise Rejected(Check.NO_SHORTCUT, f"{len(alone)} policies pass, fewer than {least}")
    return rng.choice(alone)


def check(draft: Draft) -> list[Choice]:
    """The gold of a draft, if it passes checks 1, 3 and 4 of the certificate, as far as it knows them; raises `Rejected`."""
    count = draft.problem.count
    feasible = draft.feasible()
    if draft.problem.rooms is None and feasible.bit_count() <= count:
        raise Rejected(Check.SOLVABLE, f"{feasible.bit_count()} candidates of more than {count}")
    found = draft.gold(feasible, replace(draft.problem, count=count + 1))
    if len(found) <= count:
        raise Rejected(Check.SOLVABLE, f"{len(found)} candidates of more than {count}")
    gold = found[:count]
    starts = {choice.start - draft.problem.window.start for choice in gold}
    for source in (Source.CALENDAR, Source.POLICY):
        _check_spread(draft, starts, source)
    chosen = set(gold)
    for other in draft.without_each():
        if set(other) == chosen:
            raise Rejected(Check.LOAD_BEARING, "a constraint changes nothing")
    return gold


def _check_spread(draft: Draft, starts: set[int], source: Source) -> None:
    """Check that the gold is scattered over the slots that would be left without a source; see `THINNING`.

    Without the policy it is never N of them in a row, which skipping the right number would find. Without the calendars
    it may be, since it begins far down.
    """
    thinning = THINNING[draft.problem.level][source]
    places = draft.places(starts, draft.feasible_without(source))
    if places[-1] + 1 < thinning * len(places):
        raise Rejected(Check.NO_SHORTCUT, f"without {source} much is gold")
    if source is Source.POLICY and draft.problem.rooms is None and places[-1] - places[0] == len(places) - 1:
        raise Rejected(Check.NO_SHORTCUT, f"without {source} the gold is a run of slots")


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

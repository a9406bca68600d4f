"""Samples: everything that an instance states, before it is put into words, and the checks that reject most."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import partial
from random import Random
from typing import Generic, TypeVar

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.policy_trials import PolicyTrials, fault_of_spread
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


Item = TypeVar("Item")


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
    gold_under = (
        partial(_gold_under, setting, draft)
        if draft.problem.rooms
        else PolicyTrials(setting, draft, thinning(draft)).gold
    )
    found: dict[object, list[Section]] = {}
    for number, section in enumerate(sections):
        if len(found) + len(sections) - number < least:
            break
        gold = gold_under(section)
        if gold is not None:
            found.setdefault(gold, []).append(section)
    alone = [sharing[0] for sharing in found.values() if len(sharing) == 1]
    if len(alone) < least:
        raise Rejected(Check.NO_SHORTCUT, f"{len(alone)} policies pass, fewer than {least}")
    return rng.choice(alone)


def _gold_under(setting: Setting, draft: Draft, section: Section) -> frozenset[Choice] | None:
    with suppress(Rejected):
        return frozenset(check(draft.with_policy(setting, section)))
    return None


def thinning(draft: Draft) -> Mapping[Source, int]:
    """What `THINNING` asks of a draft."""
    return THINNING[draft.problem.level]


def check(draft: Draft) -> list[Choice]:
    """The gold of a draft, if it passes checks 1, 3 and 4 of the certificate, as far as it knows them; raises `Rejected`."""
    return Checked(draft, draft.problem.count).gold(draft.problem.count)


class Checked:
    """A draft whose checks are the same for any N up to a largest one but for how far its rankings are read."""

    def __init__(self, draft: Draft, most: int) -> None:
        """A draft, of which the first `most` candidates and one more are ranked, each way once."""
        self._draft = replace(draft, problem=replace(draft.problem, count=most + 1))
        self._feasible = draft.feasible()
        self._found = self._draft.gold(self._feasible)
        self._others = _Remembered(self._draft.without_each())
        self._spreads = _Remembered(
            (source, draft.feasible_without(source)) for source in (Source.CALENDAR, Source.POLICY)
        )

    def gold(self, count: int) -> list[Choice]:
        """The gold of N = `count`, if the draft passes; raises `Rejected`."""
        if len(self._found) <= count:
            raise Rejected(Check.SOLVABLE, f"{len(self._found)} candidates of more than {count}")
        gold = self._found[:count]
        starts = {choice.start - self._draft.problem.window.start for choice in gold}
        for source, without in self._spreads:
            _check_spread(self._draft, starts, source, without)
        chosen = set(gold)
        if any(chosen == {*other[:count]} for other in self._others):
            raise Rejected(Check.LOAD_BEARING, "a constraint changes nothing")
        return gold


class _Remembered(Generic[Item]):
    """An iterator that can be read from its beginning any number of times."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._seen: list[Item] = []

    def __iter__(self) -> Iterator[Item]:
        yield from self._seen
        for item in self._items:
            self._seen.append(item)
            yield item


def _check_spread(draft: Draft, starts: set[int], source: Source, without: int) -> None:
    """Check that the gold is scattered over the slots that would be left without a source; see `THINNING`."""
    problem = draft.problem
    gold = sum(1 << start for start in starts)
    fault = fault_of_spread(gold, without, problem, source, thinning(draft)[source])
    if fault is not None:
        raise Rejected(Check.NO_SHORTCUT, fault)


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

"""The composition load: the facts whose loss changes the gold."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Any, Final, NamedTuple

from mpcbench.oracle.interval import Interval, members, union
from mpcbench.oracle.level4.facts import Reach, facts
from mpcbench.oracle.level4.hidden import hidden
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.misreadings import MISREADINGS, habits_of, misread, misread_all
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, picks
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.level4.standing import Standing
from mpcbench.oracle.level4.timeline import Timeline, occurrences
from mpcbench.oracle.level4.touched import Touched, touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import BufferMin, Room, RoomTurnaround
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.facts import Effect, Notice
from mpcbench.schema.level4.label import LoadBearing, MisreadEffect
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.people import MembersOf, OnRoster
from mpcbench.schema.model import MINUTES_PER_DAY as _DAY
from mpcbench.schema.model import to_minutes

_EPOCH = date(1970, 1, 1)
_PLANNING = ("lookahead", "ordered", "limited")

EVERYWHERE: Final = "*"
"""What a solver with a habit misreads: all of its kind."""

Change = Callable[[Knowledge], Knowledge]


class Verdict(NamedTuple):
    """How an answer differs from the gold."""

    gold_lost: int | None
    """How many gold candidates it lacks; None if there is no answer."""

    changed: bool


class Gold:
    """The gold of a task, to be held against that of somebody who knows something else.

    Args:
        knowledge: The knowledge that gives it.
        found: The gold, if it is at hand.
        like: The stage of much the same knowledge, where it is at hand.
    """

    def __init__(self, knowledge: Knowledge, found: tuple[Pick, ...] | None = None, like: Stage | None = None) -> None:
        self.knowledge = knowledge
        self.base = stage(knowledge, counted=False, like=like)
        self.picks = picks(knowledge, self.base) if found is None else found

    @cached_property
    def standing(self) -> Standing | None:
        """The gold as a plan; None if it is none, or not one with all meetings."""
        if self.base.count is not None or len(self.picks) < len(self.base.meetings) or not self.knowledge.lookahead:
            return None
        plan = [(pick.start, pick.room_id) for pick in self.picks]
        return Standing(self.base, plan, ordered=self.knowledge.ordered, limited=self.knowledge.limited)

    def verdict(self, knowledge: Knowledge) -> Verdict:
        """How the answer of somebody with this knowledge, in place of the knowledge that gives the gold, differs."""
        try:
            found = stage(knowledge, counted=False, like=self.base)
            stays = self._stays(knowledge, found)
            answer = self.picks if stays else picks(knowledge, found, likely=self.picks, like=self.base)
        except (UnresolvedError, SearchLimitError):
            return Verdict(None, changed=True)
        return Verdict(len(set(self.picks) - set(answer)), set(self.picks) != set(answer))

    def is_given_by(self, knowledge: Knowledge, most: int) -> bool:
        """Whether somebody with this knowledge finds the gold, in its order, within so many placements."""
        try:
            found = stage(knowledge, counted=False, like=self.base)
            stays = self.standing is not None and self._stays(knowledge, found)
            return stays or picks(knowledge, found, most=most, likely=self.picks, like=self.base) == self.picks
        except (UnresolvedError, SearchLimitError):
            return False

    def found(self, knowledge: Knowledge) -> float:
        """The share of the gold's candidates that somebody with this knowledge finds; 0 where they find no answer."""
        lost = self.verdict(knowledge).gold_lost
        return 0.0 if lost is None else 1 - lost / len(self.picks)

    def found_ignoring(self, mechanism: Mechanism) -> float:
        """The share that somebody finds who ignores a mechanism altogether; of several ways to do so, the greatest."""
        return max(self.found(misread_all(self.knowledge, ways)) for ways in habits_of(mechanism))

    def _stays(self, knowledge: Knowledge, found: Stage) -> bool:
        """Whether the gold is plainly the same, so that no search is needed."""
        if any(getattr(knowledge, field) is not getattr(self.knowledge, field) for field in _PLANNING):
            return False
        if self.standing is None:
            return found.offers_same(self.base)
        return self.standing.holds(found)


def needed_of(knowledge: Knowledge, records: Iterable[str]) -> tuple[str, ...]:
    """Of the records those without which the gold is another, in their order."""
    gold = Gold(knowledge)
    return tuple(record for record in records if gold.verdict(hidden(knowledge, record)).changed)


class Load:
    """The composition load of a task: the facts whose loss changes the gold. What has been tried is remembered.

    Args:
        gold: The gold.
    """

    def __init__(self, gold: Gold) -> None:
        self._gold = gold
        met = touched(gold.knowledge)
        self._facts = tuple(facts(gold.knowledge, met, _Reach(gold.knowledge, met, gold.picks, gold.base)))
        self._tried: dict[int, LoadBearing | None] = {}

    def estimate(self, every: int) -> int:
        """How many facts are load-bearing, judged from one in so many."""
        return every * sum(self._bearing(number) is not None for number in range(0, len(self._facts), every))

    def bearing(self) -> tuple[LoadBearing, ...]:
        """The load-bearing facts, in the order of docs/level4.md; their number is the composition load."""
        return tuple(one for number in range(len(self._facts)) if (one := self._bearing(number)) is not None)

    def _bearing(self, number: int) -> LoadBearing | None:
        if number not in self._tried:
            fact = self._facts[number]
            lost = self._gold.verdict(fact.lose(self._gold.knowledge))
            bearing = LoadBearing(fact=fact.name, record=fact.record, gold_lost=lost.gold_lost)
            self._tried[number] = bearing if lost.changed else None
        return self._tried[number]


def load_bearing(knowledge: Knowledge) -> tuple[LoadBearing, ...]:
    """The facts whose loss changes the gold, in the order of docs/level4.md; their number is the composition load."""
    return Load(Gold(knowledge)).bearing()


def misread_effects(knowledge: Knowledge, *, each: bool = False) -> tuple[MisreadEffect, ...]:
    """What every misreading that is possible does to the gold, in the order of docs/level4.md.

    Args:
        knowledge: What is known.
        each: Whether to try each thing that can be misread alone, too. What is misread everywhere is `EVERYWHERE`.
    """
    gold = Gold(knowledge)
    found = touched(knowledge)
    effects = []
    for misreading in MISREADINGS:
        believed = misread(knowledge, found, misreading)
        variants = [] if believed is None else [(EVERYWHERE, believed)]
        if each:
            variants += [(slip.misread, slip.apply(knowledge)) for slip in misreading.slips(knowledge, found)]
        for name, variant in variants:
            gold_lost, changed = gold.verdict(variant)
            effects.append(
                MisreadEffect(
                    mechanism=misreading.mechanism,
                    way=misreading.way,
                    misread=name,
                    gold_lost=gold_lost,
                    changed=changed,
                )
            )
    return tuple(effects)


def ignorable(gold: Gold, mechanisms: Iterable[Mechanism], most: float) -> Iterator[Mechanism]:
    """Those of the mechanisms, in their order, of which somebody who ignores one still finds too much of the gold.

    Args:
        gold: The gold.
        mechanisms: What may be ignored, one at a time and altogether.
        most: What share of the gold's candidates may still be found, below 1.
    """
    for mechanism in mechanisms:
        if gold.found_ignoring(mechanism) > most:
            yield mechanism


class _Reach(Reach):
    """What can matter: of entries, those near a slot that would be feasible if their calendar were empty."""

    def __init__(self, knowledge: Knowledge, met: Touched, gold: tuple[Pick, ...], base: Stage) -> None:
        self.knowledge = knowledge
        self.met = met
        self.base = found = base
        self.span = found.axis.span
        self.teams = {knowledge.meaning(who.team) for who in met.whos if isinstance(who, MembersOf)}
        self.rosters = {who.roster for who in met.whos if isinstance(who, OnRoster)}
        self.equipment = [meeting.brief.equipment for meeting in found.meetings]
        self.sites = [meeting.brief.site for meeting in found.meetings]
        self.last = gold[-1].start if found.count is not None and len(gold) == found.count else None
        """After its start no candidate of a single meeting matters."""

        rules = [rule for policy in knowledge.policies for rule in policy.rules]
        self.margin = max((rule.minutes for rule in rules if isinstance(rule, BufferMin | RoomTurnaround)), default=0)
        self.spans: dict[tuple[str, str], list[Interval] | None] = {}

    def roster(self, roster_id: str) -> bool:
        return roster_id in self.rosters

    def member(self, team: str, person: str) -> bool:
        return team in self.teams or person in self.met.people

    def day(self, day: date) -> bool:
        return self.near_days((day,), [self.span])

    def notice(self, notice: Notice) -> bool:
        effects = [one for posted in self.knowledge.notices for one in self.held(posted.notice, notice)]
        return any(
            self.span.overlaps(Interval(to_minutes(effect.start), to_minutes(effect.end)).widened(_DAY))
            for effect in effects
        )

    def held(self, one: Notice, lost: Notice) -> tuple[Effect, ...]:
        """The effects of a notice that depend on another: its own, and those of what it replaces."""
        return one.effects if one.notice_id in {lost.notice_id, lost.replaces} else ()

    def room(self, room: Room) -> bool:
        return any(
            equipment <= set(room.equipment) and site in {None, room.site}
            for equipment, site in zip(self.equipment, self.sites, strict=True)
        )

    def occurrence(self, kind: str, owner: str, days: Iterable[date]) -> bool:
        spans = self.near_slots(kind, owner)
        return spans is None or self.near_days(days, spans)

    def near_days(self, days: Iterable[date], spans: Sequence[Interval]) -> bool:
        """Whether one of the spans is within two days of one of the dates, whatever the zone."""
        starts = [(day - _EPOCH).days * _DAY for day in days]
        return any(_overlaps(spans, start - 2 * _DAY, start + 3 * _DAY) for start in starts)

    def near_slots(self, kind: str, owner: str) -> list[Interval] | None:
        if (kind, owner) not in self.spans:
            self.spans[kind, owner] = self.near(kind, owner)
        return self.spans[kind, owner]

    def entry(self, kind: str, owner: str, entry: Entry) -> bool:
        spans = self.near_slots(kind, owner)
        if spans is None:
            return True
        if not spans:
            return False
        found = list(occurrences(entry))
        if entry.recurrence is not None:  # where its exceptions and moves would put it, too
            found += occurrences(
                replace(entry, recurrence=entry.recurrence.model_copy(update={"excepted": (), "moved": ()}))
            )
        return any(_overlaps(spans, one.start, one.end) for one in found)

    def near(self, kind: str, owner: str) -> list[Interval] | None:
        """The slots that would be feasible with an empty calendar, with the margin; None if that is no task."""
        changes: dict[str, Any] = {kind: {**getattr(self.knowledge, kind), owner: Timeline()}}
        try:
            found = stage(replace(self.knowledge, **changes), counted=False, like=self.base)
        except UnresolvedError:
            return None
        slots = []
        for meeting in found.meetings:
            starts = 0
            for option in meeting.options:
                if kind != "bookings" or option.room.room_id == owner:
                    starts |= option.starts
            for place in members(starts):
                start = found.axis.instants[place]
                if self.last is None or start <= self.last:
                    slots.append(Interval(start, start + meeting.length).widened(self.margin))
        return union(slots)


def _overlaps(spans: Sequence[Interval], start: int, end: int) -> bool:
    """Whether one of the spans, which are disjoint and by start, overlaps a span that is not empty."""
    place = bisect_left(spans, (end,)) - 1
    return place >= 0 and spans[place].end > start

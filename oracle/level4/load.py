"""The composition load: the facts whose loss changes the gold."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from mpcbench.oracle.interval import Interval, members, union
from mpcbench.oracle.level4.facts import facts
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.misreadings import MISREADINGS, misread
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, picks
from mpcbench.oracle.level4.stage import stage
from mpcbench.oracle.level4.timeline import Timeline, occurrences
from mpcbench.oracle.level4.touched import touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import BufferMin, RoomTurnaround
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.label import LoadBearing, MisreadEffect

Change = Callable[[Knowledge], Knowledge]


class Verdict(NamedTuple):
    """How an answer differs from the gold."""

    gold_lost: int | None
    """How many gold candidates it lacks; None if there is no answer."""

    changed: bool


def verdict(gold: tuple[Pick, ...], knowledge: Knowledge) -> Verdict:
    """How the answer of somebody with this knowledge differs from the gold."""
    try:
        answer = picks(knowledge)
    except (UnresolvedError, SearchLimitError):
        return Verdict(None, changed=True)
    return Verdict(len(set(gold) - set(answer)), set(gold) != set(answer))


def load_bearing(knowledge: Knowledge) -> tuple[LoadBearing, ...]:
    """The facts whose loss changes the gold, in the order of docs/level4.md; their number is the composition load."""
    gold = picks(knowledge)
    found = []
    reach = _Reach(knowledge, gold)
    for fact in facts(knowledge, touched(knowledge), reach.matters):
        lost = verdict(gold, fact.lose(knowledge))
        if lost.changed:
            found.append(LoadBearing(fact=fact.name, record=fact.record, gold_lost=lost.gold_lost))
    return tuple(found)


def misread_effects(knowledge: Knowledge, *, each: bool = False) -> tuple[MisreadEffect, ...]:
    """What every misreading that is possible does to the gold, in the order of docs/level4.md.

    Args:
        knowledge: What is known.
        each: Whether to try each thing that can be misread alone, too. What is misread everywhere is called `*`.
    """
    gold = picks(knowledge)
    found = touched(knowledge)
    effects = []
    for misreading in MISREADINGS:
        believed = misread(knowledge, found, misreading)
        variants = [] if believed is None else [("*", believed)]
        if each:
            variants += [(slip.misread, slip.apply(knowledge)) for slip in misreading.slips(knowledge, found)]
        for name, variant in variants:
            gold_lost, changed = verdict(gold, variant)
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


class _Reach:
    """Which entries can matter: those near a slot that would be feasible if their calendar were empty."""

    def __init__(self, knowledge: Knowledge, gold: tuple[Pick, ...]) -> None:
        self.knowledge = knowledge
        found = stage(knowledge)
        self.last = gold[-1].start if found.count is not None and len(gold) == found.count else None
        """After its start no candidate of a single meeting matters."""

        rules = [rule for policy in knowledge.policies for rule in policy.rules]
        self.margin = max((rule.minutes for rule in rules if isinstance(rule, BufferMin | RoomTurnaround)), default=0)
        self.spans: dict[tuple[str, str], list[Interval] | None] = {}

    def matters(self, kind: str, owner: str, entry: Entry) -> bool:
        if (kind, owner) not in self.spans:
            self.spans[kind, owner] = self.near(kind, owner)
        spans = self.spans[kind, owner]
        if spans is None:
            return True
        found = list(occurrences(entry))
        if entry.recurrence is not None:  # where its exceptions and moves would put it, too
            found += occurrences(
                replace(entry, recurrence=entry.recurrence.model_copy(update={"excepted": (), "moved": ()}))
            )
        return any(span.overlaps(Interval(one.start, one.end)) for one in found for span in spans)

    def near(self, kind: str, owner: str) -> list[Interval] | None:
        """The slots that would be feasible with an empty calendar, with the margin; None if that is no task."""
        changes: dict[str, Any] = {kind: {**getattr(self.knowledge, kind), owner: Timeline()}}
        try:
            found = stage(replace(self.knowledge, **changes))
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

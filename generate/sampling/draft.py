"""A problem under construction that caches its masks, so that thousands of variants per second can be evaluated.

A draft uses the oracle's constraints but keeps the events of calendars and rooms as sets of minutes, which combine
faster than lists. Every sample that passes is solved again by the engine and by the archive.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import and_, or_

from mpcbench.generate.sampling.setting import MARGIN, Setting, busy_constraint
from mpcbench.generate.sampling.variants import needs
from mpcbench.oracle.interval import smeared
from mpcbench.oracle.masks import constraint_mask, slot_mask
from mpcbench.oracle.problem import Buffer, Busy, Constraint, Problem, Rule
from mpcbench.schema import Source


@lru_cache(maxsize=8192)
def _rule_mask(rule: Rule, frame: Problem) -> int:
    """The mask of a rule that depends only on the clock; a frame is a problem without constraints."""
    return constraint_mask(Constraint(Source.POLICY, "", (), rule), frame)


_slot_mask = lru_cache(maxsize=1024)(slot_mask)


def _apart(minutes: int, margin: int, problem: Problem) -> int:
    """The starts in the window that keep a margin from a set of minutes; its origin is MARGIN before the window."""
    too_near = smeared(minutes, problem.duration - 1 + 2 * margin) >> (MARGIN - margin)
    return ((1 << (problem.window.end - problem.window.start)) - 1) & ~too_near


@dataclass(frozen=True, slots=True)
class Draft:
    """A problem without rooms, with the mask of each of its constraints."""

    problem: Problem
    slots: int
    busy: dict[str, int]
    """The busy minutes of each participant, as a set whose origin is MARGIN before the window."""

    masks: tuple[tuple[Constraint, int], ...] = ()

    @classmethod
    def of(cls, setting: Setting, problem: Problem) -> "Draft":
        """The draft of a problem that has no constraints yet; adds the calendars of its participants."""
        busy = {person: setting.near(setting.busy[person], problem.window) for person in problem.participants}
        calendars = (busy_constraint(person) for person in problem.participants)
        return cls(problem, _slot_mask(problem), busy).with_constraints(*calendars)

    def with_constraints(self, *constraints: Constraint) -> "Draft":
        """The draft with more constraints; calendars must belong to its participants."""
        problem = replace(self.problem, constraints=(*self.problem.constraints, *constraints))
        masks = tuple((constraint, self._mask(constraint, self.busy)) for constraint in constraints)
        return replace(self, problem=problem, masks=(*self.masks, *masks))

    def buffer_mask(self, minutes: int, left_out: str | None = None) -> int:
        """The starts that keep a buffer from the participants' events; without those of a person who is left out."""
        events = (events for person, events in self.busy.items() if person != left_out)
        return _apart(reduce(or_, events, 0), minutes, self.problem)

    def _mask(self, constraint: Constraint, busy: dict[str, int]) -> int:
        match constraint.rule:
            case Busy(person_id=person):
                return _apart(busy[person], 0, self.problem)
            case Buffer(minutes=minutes):
                return _apart(reduce(or_, busy.values(), 0), minutes, self.problem)
            case rule:
                return _rule_mask(rule, replace(self.problem, constraints=(), rooms=None, participants=()))

    def feasible(self, *, besides: Constraint | None = None) -> int:
        """The starts that satisfy every constraint except `besides`."""
        if besides is None or not isinstance(besides.rule, Busy):
            return self._all(mask for constraint, mask in self.masks if constraint is not besides)
        others = {person: minutes for person, minutes in self.busy.items() if person != besides.rule.person_id}
        return self._all(
            self._mask(constraint, others) if isinstance(constraint.rule, Buffer) else mask
            for constraint, mask in self.masks
            if constraint is not besides
        )

    def _all(self, masks: Iterable[int]) -> int:
        return reduce(and_, masks, self.slots)

    def feasible_without(self, source: Source) -> int:
        """The starts that satisfy every constraint known without a source."""
        return self._all(mask for constraint, mask in self.masks if not needs(constraint, source))

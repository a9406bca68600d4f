"""A problem under construction that caches its masks, so that thousands of variants per second can be evaluated.

A draft uses the oracle's constraints but keeps the events of calendars and rooms as sets of minutes, which combine
faster than lists. Every sample that passes is solved again by the engine and by the archive.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import and_, or_

from mpcbench.generate.sampling.setting import MARGIN, Setting, busy_constraint
from mpcbench.generate.sampling.variants import needs, room_variants
from mpcbench.oracle.interval import smeared
from mpcbench.oracle.masks import constraint_mask, slot_mask
from mpcbench.oracle.problem import Buffer, Busy, Constraint, Problem, RoomOption, Rule
from mpcbench.oracle.solve import Choice, room_rank, top
from mpcbench.schema import Section, Source

RoomMasks = Sequence[tuple[RoomOption | None, int]]


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
    """A problem with the mask of each of its constraints and the free starts of each of its rooms."""

    problem: Problem
    slots: int
    busy: dict[str, int]
    """The busy minutes of each participant, as a set whose origin is MARGIN before the window."""

    masks: tuple[tuple[Constraint, int], ...] = ()
    free: tuple[tuple[RoomOption, int], ...] = ()
    """Every room, suitable or not, with the starts at which it is free."""

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

    def with_policy(self, setting: Setting, section: Section) -> "Draft":
        """The draft under a policy; the same as with the policy's constraints, but faster."""
        constraints = setting.policy_constraints[section.policy_id]
        everywhere = (1 << (self.problem.window.end - self.problem.window.start)) - 1
        masks = (
            (one, self._mask(one, self.busy))
            if isinstance(one.rule, Buffer)
            else (one, everywhere & setting.allowed(one.rule, self.problem))
            for one in constraints
        )
        problem = replace(self.problem, constraints=(*self.problem.constraints, *constraints))
        return replace(self, problem=problem, masks=(*self.masks, *masks))

    def buffer_mask(self, minutes: int, left_out: str | None = None) -> int:
        """The starts that keep a buffer from the participants' events; without those of a person who is left out."""
        events = (events for person, events in self.busy.items() if person != left_out)
        return _apart(reduce(or_, events, 0), minutes, self.problem)

    def with_person(self, setting: Setting, person: str) -> "Draft":
        """The draft with one more participant."""
        busy = self.busy | {person: setting.near(setting.busy[person], self.problem.window)}
        constraints = (*self.problem.constraints, busy_constraint(person))
        masks = tuple(
            (constraint, self._mask(constraint, busy) if isinstance(constraint.rule, Buffer) else mask)
            for constraint, mask in self.masks
        )
        return replace(
            self,
            problem=replace(self.problem, participants=(*self.problem.participants, person), constraints=constraints),
            busy=busy,
            masks=(*masks, (constraints[-1], self._mask(constraints[-1], busy))),
        )

    def with_rooms(self, setting: Setting) -> "Draft":
        """The draft with the free starts of every room, under the problem's turnarounds."""
        search = self.problem.rooms
        assert search is not None
        margin = max((turnaround.minutes for turnaround in search.turnarounds), default=0)
        window = self.problem.window
        free = (
            (room, _apart(setting.near(setting.booked[room.room_id], window), margin, self.problem))
            for room in setting.rooms
        )
        return replace(self, free=tuple(free))

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

    def feasible_besides_each(self) -> Iterator[int]:
        """For each constraint the starts that satisfy every other one, as `feasible` gives them one by one."""
        if any(isinstance(constraint.rule, Buffer) for constraint, _ in self.masks):
            yield from (self.feasible(besides=constraint) for constraint, _ in self.masks)
            return
        after = [self.slots]
        for _, mask in reversed(self.masks):
            after.append(after[-1] & mask)
        before = -1
        for (_, mask), rest in zip(self.masks, reversed(after[:-1]), strict=True):
            yield before & rest
            before &= mask

    def _all(self, masks: Iterable[int]) -> int:
        return reduce(and_, masks, self.slots)

    def rooms(self, starts: int, problem: Problem | None = None) -> RoomMasks:
        """The free starts of every suitable room in ranking order, for the problem or a variant of it."""
        variant = problem or self.problem
        search = variant.rooms
        if search is None:
            return [(None, starts)]
        suitable = [(room, starts & mask) for room, mask in self.free if search.suits(room)]
        return sorted(suitable, key=lambda item: room_rank(item[0], variant.tie_break))

    def gold(self, starts: int | None = None, problem: Problem | None = None) -> list[Choice]:
        """The first N candidates, for the feasible starts or others, and the problem or a variant of it."""
        starts = self.feasible() if starts is None else starts
        return top(problem or self.problem, self.rooms(starts, problem))

    def feasible_without(self, source: Source) -> int:
        """The starts that satisfy every constraint known without a source."""
        starts = self._all(mask for constraint, mask in self.masks if not needs(constraint, source))
        search = self.problem.rooms
        return (
            starts
            if search is None
            else starts & reduce(or_, (mask for room, mask in self.free if search.suits(room)), 0)
        )

    def all_rooms(self, starts: int) -> RoomMasks:
        """The starts in every room, as if each were suitable and free, in ranking order."""
        if self.problem.rooms is None:
            return [(None, starts)]
        ranked = sorted((room for room, _ in self.free), key=lambda room: room_rank(room, self.problem.tie_break))
        return [(room, starts) for room in ranked]

    def without_each(self) -> Iterator[list[Choice]]:
        """The top N without each constraint and each room condition in turn, quickest first."""
        yield from self._without_each_room_condition()
        for constraint, _ in self.masks:
            yield self.gold(self.feasible(besides=constraint))

    def _without_each_room_condition(self) -> Iterator[list[Choice]]:
        search = self.problem.rooms
        if search is None:
            return
        starts = self.feasible()
        for _, variant in room_variants(self.problem):
            yield self.gold(starts, variant)
        yield top(self.problem, [item for item in self.all_rooms(starts) if item[0] and search.suits(item[0])])

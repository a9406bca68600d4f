"""A draft without rooms under one policy after another, on sets of starts alone.

What the policies share is computed once, so that hundreds of samples under a hundred policies each are tried a second.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from mpcbench.generate.sampling.draft import Draft
from mpcbench.generate.sampling.setting import Setting
from mpcbench.oracle.problem import Buffer, Busy, Problem, Rule
from mpcbench.schema import Order, Section, Source


def ahead_of(start: int, order: Order) -> int:
    """The places of all starts that rank before one, as a set; use it with `&` only, since it may be infinite."""
    return -1 << (start + 1) if order is Order.LATEST else (1 << start) - 1


def ends(gold: int, order: Order) -> tuple[int, int]:
    """The first and the last of a set of starts in the ranking."""
    low, high = (gold & -gold).bit_length() - 1, gold.bit_length() - 1
    return (high, low) if order is Order.LATEST else (low, high)


def leading(starts: int, count: int, order: Order) -> int:
    """The first so many of a set of starts in the ranking; all of them if there are no more."""
    rest = starts
    for _ in range(min(count, starts.bit_count())):
        rest = rest ^ (1 << (rest.bit_length() - 1)) if order is Order.LATEST else rest & (rest - 1)
    return starts ^ rest


class PolicyTrials:
    """A draft under each policy in turn."""

    def __init__(self, setting: Setting, draft: Draft, thinning: Mapping[Source, int]) -> None:
        """A draft without rooms, and how sparse its gold has to be among what is left without a source."""
        assert draft.problem.rooms is None
        self._setting = setting
        self._draft = draft
        self._thinning = thinning
        self._feasible = draft.feasible()
        self._without_calendar = draft.feasible_without(Source.CALENDAR)
        self._without_policy = draft.feasible_without(Source.POLICY)
        self._without_each = tuple(
            (one.rule.person_id if isinstance(one.rule, Busy) else None, draft.feasible(besides=one))
            for one, _ in draft.masks
        )
        self._buffer = cache(draft.buffer_mask)

    def gold(self, section: Section) -> int | None:
        """The starts of the gold under a policy, as a set; None if the draft then fails checks 1, 3 and 4 of the certificate, as far as it knows them."""
        problem = self._draft.problem
        rules = [constraint.rule for constraint in self._setting.policy_constraints[section.policy_id]]
        masks = [
            self._buffer(rule.minutes) if isinstance(rule, Buffer) else self._setting.allowed(rule, problem)
            for rule in rules
        ]
        feasible = _all(masks, self._feasible)
        if feasible.bit_count() <= problem.count:
            return None
        gold = leading(feasible, problem.count, problem.order)
        if fault_of_spread(gold, self._without_policy, problem, Source.POLICY, self._thinning[Source.POLICY]):
            return None
        without = self._without_calendar
        for rule, mask in zip(rules, masks, strict=True):
            if not isinstance(rule, Buffer):
                without &= mask
        if fault_of_spread(gold, without, problem, Source.CALENDAR, self._thinning[Source.CALENDAR]):
            return None
        ahead = ahead_of(ends(gold, problem.order)[1], problem.order)
        lost = ahead & ~feasible
        return gold if all(other & lost for other in self._dropping_each(rules, masks)) else None

    def _dropping_each(self, rules: Sequence[Rule], masks: Sequence[int]) -> Iterator[int]:
        """The feasible starts without each rule of the policy and each constraint of the draft."""
        for place in range(len(masks)):
            yield _all((*masks[:place], *masks[place + 1 :]), self._feasible)
        for person, others in self._without_each:
            if person is None:
                yield _all(masks, others)
            else:
                yield _all(
                    (
                        self._buffer(rule.minutes, person) if isinstance(rule, Buffer) else mask
                        for rule, mask in zip(rules, masks, strict=True)
                    ),
                    others,
                )


def fault_of_spread(gold: int, without: int, problem: Problem, source: Source, thinning: int) -> str | None:
    """Why a gold, a set of starts, is not scattered enough over those that would be left without a source, if so.

    Without the policy it is never N of them in a row, which skipping the right number would find. Without the calendars
    it may be, since it begins far down.
    """
    size, order = gold.bit_count(), problem.order
    first, last = ends(gold, order)
    place = (without & ahead_of(last, order)).bit_count()
    if place + 1 < thinning * size:
        return f"without {source} much is gold"
    is_slots = source is Source.POLICY and problem.rooms is None
    if is_slots and place - (without & ahead_of(first, order)).bit_count() == size - 1:
        return f"without {source} the gold is a run of slots"
    return None


def _all(masks: Iterable[int], starts: int) -> int:
    for mask in masks:
        starts &= mask
    return starts

"""Whether an explained answer might as well have been drawn at random, and how likely it is if nothing is known of its cause.

If few more candidates are feasible than asked for, some mistake leads to almost any choice among them and proves
nothing. So an answer made only of feasible candidates is compared with every wrong answer of the same size that could
be drawn from them. A mistake is claimed only if mistakes of its reason lead to at most one in ten of these answers, and
two mistakes only if there are as few pairs of mistakes.

Order counts, too. If the answer follows neither the ranking nor the order of time and room ID in which people write
lists, it is compared with all such orders. Answers with an infeasible candidate need no test: a window has too many
slots for a random one to be explained.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import combinations
from math import comb, factorial, prod
from operator import or_
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.fit import ANY_ROOM, Fit
from mpcbench.evaluation.diagnosis.frame import Pair
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema import Order

MOST_LIKELY: Final = 0.1
"""The highest share of the answers that could be drawn that mistakes may explain and still be claimed."""

_MOST_PASSED_OVER: Final = 3

_COUNT: Final = frozenset({"options", "use"})


@dataclass(frozen=True, eq=False)
class Lottery:
    """The wrong answers of the answer's size that could be drawn from the feasible candidates."""

    fit: Fit
    """The answer in the frame of the task itself."""

    gold: Sequence[Pair]
    in_order: bool
    """Whether the explanation covers the answer's order, too."""

    @cached_property
    def has_answer(self) -> bool:
        """Whether the answer is such a draw; false for a subset or superset of the gold, whose size is wrong."""
        pairs, gold = {*self.fit.pairs}, {*self.gold}
        return (
            not (pairs <= gold or pairs >= gold)
            and all(need == _COUNT for need in self.fit.needs)
            and all(room != ANY_ROOM for _, room in pairs)
        )

    @cached_property
    def tolerated(self) -> float:
        """How many of the answers mistakes of a reason may explain, and how many pairs of mistakes there may be."""
        number = len(self.fit.pairs)
        sets = comb(len(self._feasible), number) - (number == len(self.gold))
        orders = factorial(number) - len(self._usual(self.fit.pairs)) if self.is_unusual else 1
        return MOST_LIKELY * sets * orders

    def hits(self, outcomes: Iterable[Sequence[Pair]]) -> int:
        """How many of the answers are outcomes of mistakes."""
        size = len(self.fit.pairs)
        drawn = [one for one in outcomes if len(one) == size and self._feasible.issuperset(one)]
        if self.is_unusual:
            return len({tuple(one) for one in drawn if tuple(one) not in self._usual(one)})
        return len({frozenset(one) for one in drawn} - {frozenset(self.gold)})

    @cached_property
    def of_gaps(self) -> frozenset[frozenset[Pair]]:
        """The answers that pass over as many whole gaps as the answer does; empty if it passes over parts of gaps.

        A gap is a run of feasible starts. Whatever keeps an agent from some gaps leads to one of these answers.
        """
        frame = self.fit.frame
        free = frame.without(()) & frame.somewhere(frame.choices.rooms)
        gaps = runs(free, GRID_MINUTES)
        passed = [gap for gap in gaps if not gap & self.fit.starts]
        solve = partial(frame.top, choices=frame.choices)
        latest = frame.choices.order is Order.LATEST
        last = self.fit.starts & -self.fit.starts if latest else 1 << self.fit.starts.bit_length() - 1
        passed = [gap for gap in passed if (gap > last if latest else gap < last)]
        if self.is_unusual or not 0 < len(passed) <= _MOST_PASSED_OVER:
            return frozenset()
        if {*solve(free & ~reduce(or_, passed))} != {*self.fit.pairs}:
            return frozenset()
        gold = reduce(or_, (1 << start for start, _ in self.gold))
        outcomes = {
            frozenset(solve(free & ~reduce(or_, some)))
            for some in combinations(gaps, len(passed))
            if any(gap & gold for gap in some)
        }
        return frozenset(outcomes - {frozenset(self.gold)})

    @cached_property
    def unknown(self) -> float:
        """How likely the answer is if nothing is known of the mistake.

        An answer with infeasible candidates has any slot of the window for each. For one of feasible candidates, all
        ways to give others than the gold are equally likely: a draw; some left out; one replaced; the last one beyond
        the gold; the first ones skipped; some gaps passed over. One that goes on beyond the gold has too many candidates,
        whatever else.
        """
        frame, number = self.fit.frame, len(self.gold)
        ranked = frame.top(frame.without(()), frame.choices._replace(options=len(self._feasible)))
        places = {pair: place for place, pair in enumerate(ranked)}
        found = sorted(places[pair] for pair in self.fit.pairs if pair in places)
        given, beyond = len(self.fit.pairs), max(1, len(ranked) - number)
        if given > number and found == [*range(given)]:
            return 0.0
        if len(found) < given:
            slots = (frame.every(GRID_MINUTES) & frame.at("window")).bit_count()
            rooms, starts = len(frame.all_rooms), {start for start, _ in self.gold}
            wrong = [start for start, room in self.fit.pairs if (start, room) not in places]
            return prod(1 / (number * (rooms if start in starts else slots)) for start in wrong)
        is_replaced = given == number and sum(place >= number for place in found) == 1
        ways = (
            1 / max(1, comb(len(ranked), given)),
            1 / comb(number, given) if given < number else 0.0,
            1 / (number * beyond) if is_replaced else 0.0,
            1 / number if is_replaced and found[-1] == number else 0.0,
            1 / beyond if found == [*range(found[0], found[0] + given)] else 0.0,
            1 / len(self.of_gaps) if self.of_gaps else 0.0,
        )
        orders = factorial(given) - len(self._usual(self.fit.pairs)) if self.is_unusual else 1
        return sum(ways) / len(ways) / orders

    def effects(self, changes: Iterable[Change]) -> int:
        """The number of distinct effects of changes on the feasible candidates."""
        starts = reduce(or_, (1 << start for start, _ in self._feasible), 0)
        return len(
            {
                (starts & one.allowed, tuple(sorted((name, str(value)) for name, value in one.fields.items())))
                for one in changes
                if one.fields or starts & ~one.allowed
            }
        )

    @cached_property
    def _feasible(self) -> frozenset[Pair]:
        frame = self.fit.frame
        return frozenset(frame.feasible(frame.without(()), frame.choices))

    @cached_property
    def is_unusual(self) -> bool:
        """Whether the answer has an explained order that is neither the ranking's nor a natural one."""
        return self.in_order and self.fit.pairs not in self._usual(self.fit.pairs)

    def _usual(self, pairs: Sequence[Pair]) -> set[tuple[Pair, ...]]:
        latest = self.fit.frame.choices.order is Order.LATEST
        ranked = sorted(pairs, key=lambda pair: (-pair[0] if latest else pair[0], self._place(pair[1])))
        return {tuple(ranked), tuple(sorted(pairs, key=lambda pair: (pair[0], pair[1] or "")))}

    def _place(self, room: str | None) -> tuple[int, str]:
        """Where a room is in the ranking; unsuitable ones come last, by ID."""
        return (self._rank.get(room, len(self._rank)), room or "")

    @cached_property
    def _rank(self) -> dict[str | None, int]:
        frame = self.fit.frame
        return {room: rank for rank, (room, _) in enumerate(frame.rooms(frame.choices))}


def runs(starts: int, step: int) -> list[int]:
    """The runs of starts that are `step` apart, earliest first."""
    found = []
    begins = starts & ~(starts << step)
    while begins:
        one = begins & -begins
        begins ^= one
        run, last = one, one
        while starts & (last << step):
            last <<= step
            run |= last
        found.append(run)
    return found

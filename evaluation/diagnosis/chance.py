"""Whether an explained answer might as well have been drawn at random.

If few more candidates are feasible than asked for, some mistake leads to almost any choice among them and proves
nothing. So an answer made only of feasible candidates is compared with every wrong answer of the same size that could
be drawn from them. An explanation is claimed only if mistakes of its reason lead to at most one in ten of these
answers, or one in twenty for a far-fetched one. This bounds how often a random agent is assigned the reason on any
instance; on most instances the rate is far lower, as there are more possible answers.

Such draws are not the only way to go wrong: whatever keeps an agent from some free gaps leads to the gold without them.
So a mistake that rules candidates out on weak ground is claimed only if such mistakes lead to few of the answers that
pass over as many gaps. And an answer that differs from the gold by one choice is explained by whatever keeps a single
candidate away: on weak ground nothing is claimed of it.

Order counts, too. If the answer follows neither the ranking nor the order of time and room ID in which people write
lists, it is compared with all such orders. Answers with an infeasible candidate need no test: a window has too many
slots for a random one to be explained.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import combinations
from math import comb, factorial, prod
from operator import or_
from types import MappingProxyType
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground
from mpcbench.evaluation.diagnosis.fit import ANY_ROOM, Fit
from mpcbench.evaluation.diagnosis.frame import Pair
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema import Order

MOST_LIKELY: Final[Mapping[Ground, float]] = MappingProxyType(
    {ground: 0.1 if ground < Ground.NOTHING else 0.05 for ground in Ground}
)
"""By ground, the highest share of random answers that a reason may explain and still be claimed."""

MOST_GAPS: Final = 0.25
"""The highest share of the answers that pass over as many free gaps that mistakes may explain."""

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

    def tolerated(self, ground: Ground) -> float:
        """How many of the answers mistakes on a ground may explain."""
        number = len(self.fit.pairs)
        sets = comb(len(self._feasible), number) - (number == len(self.gold))
        orders = factorial(number) - len(self._usual(self.fit.pairs)) if self.is_unusual else 1
        return MOST_LIKELY[ground] * sets * orders

    @cached_property
    def is_near_miss(self) -> bool:
        """Whether the answer is the gold with one candidate replaced by another feasible one, in a usual order."""
        if self.is_unusual:
            return False
        return len({*self.fit.pairs} - {*self.gold}) == 1 and len(self.fit.pairs) == len(self.gold)

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

    def is_usual_gap(self, outcomes: Iterable[Sequence[Pair]]) -> bool:
        """Whether mistakes lead to too many of the answers that pass over as many gaps as the answer."""
        family = self.of_gaps
        return len({frozenset(one) for one in outcomes} & family) > MOST_GAPS * len(family)

    @cached_property
    def unknown(self) -> float:
        """How likely the answer is if nothing is known of the mistake.

        An answer with infeasible candidates has any slot of the window for each. For one of feasible candidates, all
        ways to give others than the gold are equally likely: a draw; some left out; one replaced; the last one beyond
        the gold; the first ones skipped; some gaps passed over.
        """
        frame, number = self.fit.frame, len(self.gold)
        ranked = frame.top(frame.without(()), frame.choices._replace(options=len(self._feasible)))
        places = {pair: place for place, pair in enumerate(ranked)}
        found = sorted(places[pair] for pair in self.fit.pairs if pair in places)
        given, beyond = len(self.fit.pairs), max(1, len(ranked) - number)
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
        ranked = sorted(pairs, key=lambda pair: (-pair[0] if latest else pair[0], self._rank[pair[1]]))
        return {tuple(ranked), tuple(sorted(pairs, key=lambda pair: (pair[0], pair[1] or "")))}

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

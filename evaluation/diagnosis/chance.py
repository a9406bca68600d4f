"""Whether an answer that is explained might as well have been drawn at random.

Where hardly more candidates are feasible than asked for, some mistake leads to almost any choice among them, and that
one does proves nothing. So an answer of feasible candidates only is compared with all others of that kind: an
explanation is claimed only if of the wrong answers that could be drawn from the feasible candidates, as many as the
answer has, at most one in ten is what mistakes of its reason lead to; of a far-fetched reason, one in fifty. For an
agent that draws at random that is the highest rate at which an instance has the reason; on most instances it is far
lower, as there are more answers.

An order counts, too: where the answer keeps neither the ranking's order nor that of time and room ID, in which people
write lists, it is compared with all such orders. Answers with a candidate that is not feasible need no such test: the
slots of a window are too many for a random one to be explained.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import comb, factorial
from operator import or_
from types import MappingProxyType
from typing import Final

from mpcbench.evaluation.diagnosis.change import Change, Ground
from mpcbench.evaluation.diagnosis.fit import ANY_ROOM, Fit, Pair
from mpcbench.schema import Order

MOST_LIKELY: Final[Mapping[Ground, float]] = MappingProxyType(
    {Ground.RECORD: 0.1, Ground.CONVENTION: 0.1, Ground.NOTHING: 0.02}
)
"""By ground, the highest chance of a random answer to have a reason at which the reason is claimed."""

_COUNT: Final = frozenset({"options"})


@dataclass(frozen=True, eq=False)
class Lottery:
    """The wrong answers that could be drawn from the feasible candidates, as many as an answer has."""

    fit: Fit
    """The answer in the frame of the task itself."""

    gold: Sequence[Pair]
    in_order: bool
    """Whether what explains the answer explains its order, too."""

    @cached_property
    def has_answer(self) -> bool:
        """Whether the answer is such a draw, and neither part of the gold nor the gold and more.

        If it is one of these, its number is wrong, whatever else.
        """
        pairs, gold = {*self.fit.pairs}, {*self.gold}
        return (
            not (pairs <= gold or pairs >= gold)
            and all(need == _COUNT for need in self.fit.needs)
            and all(room != ANY_ROOM for _, room in pairs)
        )

    def tolerated(self, ground: Ground) -> float:
        """How many of them mistakes on a ground may explain."""
        number = len(self.fit.pairs)
        sets = comb(len(self._feasible), number) - (number == len(self.gold))
        orders = factorial(number) - len(self._usual(self.fit.pairs)) if self._is_unusual else 1
        return MOST_LIKELY[ground] * sets * orders

    def hits(self, outcomes: Iterable[Sequence[Pair]]) -> int:
        """How many of them are among the outcomes of mistakes."""
        size = len(self.fit.pairs)
        drawn = [one for one in outcomes if len(one) == size and self._feasible.issuperset(one)]
        if self._is_unusual:
            return len({tuple(one) for one in drawn if tuple(one) not in self._usual(one)})
        return len({frozenset(one) for one in drawn} - {frozenset(self.gold)})

    def effects(self, changes: Iterable[Change]) -> int:
        """How many changes differ in what they do to the feasible candidates, and do anything."""
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
    def _is_unusual(self) -> bool:
        """Whether the answer has an order that is explained and that nobody would give it unasked."""
        return self.in_order and self.fit.pairs not in self._usual(self.fit.pairs)

    def _usual(self, pairs: Sequence[Pair]) -> set[tuple[Pair, ...]]:
        latest = self.fit.frame.choices.order is Order.LATEST
        ranked = sorted(pairs, key=lambda pair: (-pair[0] if latest else pair[0], self._rank[pair[1]]))
        return {tuple(ranked), tuple(sorted(pairs, key=lambda pair: (pair[0], pair[1] or "")))}

    @cached_property
    def _rank(self) -> dict[str | None, int]:
        frame = self.fit.frame
        return {room: rank for rank, (room, _) in enumerate(frame.rooms(frame.choices))}

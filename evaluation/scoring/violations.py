"""Why a candidate is wrong: every constraint that it breaks, with the records and values behind it.

A candidate breaks nothing if and only if it is in the oracle's feasible set; then only its rank is wrong.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final

from mpcbench.evaluation.scoring.resolved import TASK, BrokenConstraint, ResolvedInstance, minutes_covered
from mpcbench.evaluation.scoring.room_rules import broken_by_room
from mpcbench.evaluation.scoring.score import Proposal, proposal_key
from mpcbench.evaluation.scoring.slot_rules import broken_by_slot
from mpcbench.oracle.problem import Problem, RoomOption
from mpcbench.oracle.solve import filtered_slots, room_masks
from mpcbench.schema import OptionCount, Order, Ranking, TieBreak
from mpcbench.schema.episode import Violation, WrongCandidate

MAX_DETAILED: Final = 50
"""Wrong candidates of one answer that are looked into; the rest are only counted."""


def violations(
    case: ResolvedInstance, candidates: Sequence[Proposal], gold: Sequence[Proposal], shown: Collection[str] | None
) -> tuple[WrongCandidate, ...]:
    """What is wrong with an answer: its wrong candidates in order, each once, then its number of candidates.

    Args:
        case: The resolved problem with its world and instance.
        candidates: The answer.
        gold: The right candidates.
        shown: The records that the agent had seen; None where that is not known.
    """
    right = {proposal_key(candidate) for candidate in gold}
    wrong: dict[tuple[object, ...], WrongCandidate] = {}
    left_out = 0
    order = _Order(case.problem)
    for place, candidate in enumerate(candidates, start=1):
        key = proposal_key(candidate)
        if key in right or key in wrong:
            continue
        if len(wrong) == MAX_DETAILED:
            left_out += 1
            continue
        found = broken(case, candidate) or (_ranking(case, order, candidate),)
        wrong[key] = WrongCandidate(
            place=place,
            start=candidate.start,
            end=candidate.end,
            room_id=candidate.room_id,
            violations=tuple(_violation(one, shown) for one in found),
        )
    count = [*_count(case, candidates, left_out)]
    whole = [WrongCandidate(place=None, violations=tuple(_violation(one, shown) for one in count))] if count else []
    return (*wrong.values(), *whole)


def broken(case: ResolvedInstance, candidate: Proposal) -> tuple[BrokenConstraint, ...]:
    """Every constraint that a candidate breaks, the slot's first; none if and only if it is feasible."""
    return (*broken_by_slot(case, candidate), *broken_by_room(case, candidate))


class _Order:
    """The full ranking of a problem's feasible candidates; worked out when first asked for."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._masks: list[tuple[RoomOption | None, int]] | None = None

    def rank(self, candidate: Proposal) -> tuple[int, int]:
        """The candidate's rank, from 1, and the number of feasible candidates."""
        if self._masks is None:
            self._masks = room_masks(self._problem, filtered_slots(self._problem)[0])
        start = minutes_covered(candidate).start - self._problem.window.start
        latest = self._problem.order is Order.LATEST
        before = sum(
            (mask >> (start + 1) if latest else mask & ((1 << start) - 1)).bit_count() for _, mask in self._masks
        )
        better_rooms = takewhile(lambda entry: entry[0] and entry[0].room_id != candidate.room_id, self._masks)
        before += sum(mask >> start & 1 for _, mask in better_rooms)
        return before + 1, sum(mask.bit_count() for _, mask in self._masks)


def _ranking(case: ResolvedInstance, order: _Order, candidate: Proposal) -> BrokenConstraint:
    rank, feasible = order.rank(candidate)
    wanted = case.problem.count
    first = "latest" if case.problem.order is Order.LATEST else "earliest"
    keys = "".join(f", then {key.value.replace('_', ' ')}" for key in case.problem.tie_break)
    return BrokenConstraint(
        "ranking",
        f"breaks no constraint, but ranks {rank} of {feasible} ({first} start first{keys}); "
        f"the first {wanted} are asked for",
        (*case.last_record(Ranking), *case.last_record(TieBreak)),
        {"rank": rank, "feasible": feasible, "count": wanted, "order": case.problem.order.value},
    )


def _count(case: ResolvedInstance, candidates: Sequence[Proposal], left_out: int) -> Iterator[BrokenConstraint]:
    given = len({proposal_key(candidate) for candidate in candidates})
    wanted = case.problem.count
    if given != wanted or left_out:
        rest = f"; {left_out} more wrong ones are not listed" if left_out else ""
        repeated = f" ({len(candidates)} with repetitions)" if given != len(candidates) else ""
        yield BrokenConstraint(
            "count",
            f"the answer has {given} candidate{'s'[: given != 1]}{repeated} where {wanted} are asked for{rest}",
            case.last_record(OptionCount),
            {"given": given, "required": wanted, "not_listed": left_out},
        )


def _violation(one: BrokenConstraint, shown: Collection[str] | None) -> Violation:
    unseen = () if shown is None else tuple(record for record in one.records if record not in shown and record != TASK)
    return Violation(
        kind=one.kind,
        message=one.message,
        records=tuple(dict.fromkeys(one.records)),
        values=one.values,
        seen=None if shown is None else not unseen,
        unseen=tuple(dict.fromkeys(unseen)),
    )

"""The scores: an answer's candidates against the gold, as sets of instants and rooms."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from mpcbench.schema.episode import GRADING_VERSION, Scores

__all__ = ["GRADING_VERSION", "EmptyGoldError", "Proposal", "ProposalKey", "proposal_key", "score"]


class EmptyGoldError(ValueError):
    """There is nothing to score against."""


class Proposal(Protocol):
    """A slot and, at level 3, its room: a gold candidate or one of an answer. Times are aware."""

    @property
    def start(self) -> datetime:
        """When it starts."""

    @property
    def end(self) -> datetime:
        """When it ends."""

    @property
    def room_id(self) -> str | None:
        """Its room; None at levels 1 and 2, and where the answer names none."""


class ProposalKey(NamedTuple):
    """What makes two proposals the same; instants in UTC."""

    start: datetime
    end: datetime
    room_id: str | None
    meeting: str | None = None
    """In a plan of level 4."""


def proposal_key(proposal: Proposal) -> ProposalKey:
    """The proposal as a value to compare.

    In UTC, because Python compares two times of one zone by their wall clocks, also where a change of offset
    repeats the hour.
    """
    meeting = getattr(proposal, "meeting", None)
    return ProposalKey(proposal.start.astimezone(UTC), proposal.end.astimezone(UTC), proposal.room_id, meeting)


def score(answer: Sequence[Proposal], gold: Sequence[Proposal]) -> Scores:
    """Precision, recall, F1, exact match and ranked match of an answer.

    All but the ranked match take both lists as sets: order and repetition do not count. F1 is
    2 * hits / (proposed + gold), so it is 1 if and only if the two sets are equal. An answer of no candidates
    has precision 0, as it has nothing right. The ranked match asks for the same list in the same order.

    Raises:
        EmptyGoldError: the gold has no candidates.
    """
    if not gold:
        raise EmptyGoldError("the gold has no candidates, so no answer can be scored against it")
    ranked_answer = [proposal_key(candidate) for candidate in answer]
    ranked_gold = [proposal_key(candidate) for candidate in gold]
    proposed, wanted = set(ranked_answer), set(ranked_gold)
    hits = len(proposed & wanted)
    return Scores(
        precision=hits / len(proposed) if proposed else 0.0,
        recall=hits / len(wanted),
        f1=2 * hits / (len(proposed) + len(wanted)),
        exact_match=proposed == wanted,
        ranked_match=ranked_answer == ranked_gold,
    )

"""Gold beside answer: which candidates of the one are in the other, and where."""

from collections.abc import Sequence
from typing import NamedTuple

from mpcbench.evaluation.scoring.score import Proposal, ProposalKey, proposal_key


class PairedGold(NamedTuple):
    """A candidate of the gold."""

    candidate: Proposal
    rank: int
    """Its rank in the gold, from 1."""

    place: int | None
    """Its first place in the answer, from 1; None if it was not proposed."""


class PairedAnswer(NamedTuple):
    """A candidate of the answer."""

    candidate: Proposal
    place: int
    """Its place in the answer, from 1."""

    first: int
    """The first place of the same candidate."""

    rank: int | None
    """Its rank in the gold, from 1; None if it is wrong."""

    @property
    def text(self) -> str:
        """What it is, for people: `right`, `wrong`, `right, ranks 3` or `wrong, repeats 2`."""
        found = "wrong" if self.rank is None else "right" if self.rank == self.place else f"right, ranks {self.rank}"
        return found if self.first == self.place else f"{found}, repeats {self.first}"


class Paired(NamedTuple):
    """Gold and answer."""

    gold: tuple[PairedGold, ...]
    """By rank."""

    answer: tuple[PairedAnswer, ...]
    """By place, repeated candidates included."""


def paired(gold: Sequence[Proposal], answer: Sequence[Proposal]) -> Paired:
    """Every candidate of the gold and of the answer with its place in the other."""
    ranks = {proposal_key(candidate): rank for rank, candidate in enumerate(gold, start=1)}
    places: dict[ProposalKey, int] = {}
    answered = []
    for place, candidate in enumerate(answer, start=1):
        key = proposal_key(candidate)
        answered.append(PairedAnswer(candidate, place, places.setdefault(key, place), ranks.get(key)))
    return Paired(
        tuple(
            PairedGold(candidate, rank, places.get(proposal_key(candidate)))
            for rank, candidate in enumerate(gold, start=1)
        ),
        tuple(answered),
    )

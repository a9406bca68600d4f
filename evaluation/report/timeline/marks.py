"""The gold and the answer as marks on a timeline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from mpcbench.evaluation.scoring.answer import AnswerCandidate
from mpcbench.evaluation.scoring.resolved import minutes_covered
from mpcbench.evaluation.scoring.score import Proposal, ProposalKey, proposal_key
from mpcbench.evaluation.scoring.violations import MAX_DETAILED, WrongCandidate
from mpcbench.oracle.interval import Interval
from mpcbench.schema import Label
from mpcbench.schema.episode import Episode
from mpcbench.schema.model import MINUTES_PER_DAY

LONGEST_DRAWN: Final = 2 * MINUTES_PER_DAY
"""A longer candidate is listed and not drawn."""


class State(StrEnum):
    """What a mark says."""

    RIGHT = "right"
    """Gold and proposed."""

    WRONG = "wrong"
    """Proposed and not gold."""

    MISSED = "missed"
    """Gold and not proposed."""

    GOLD = "gold"
    """Gold of an error, which has missed nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One candidate of the gold or of the answer, each once."""

    state: State
    span: Interval
    """The whole minutes that it touches; it may end before it starts."""

    room_id: str | None
    rank: int | None
    """Its rank in the gold, from 1; None if it is not gold."""

    place: int | None
    """Its first place in the answer, from 1; None if it was not proposed."""

    reasons: tuple[str, ...] = ()
    """Why it is wrong, for people."""

    @property
    def drawable(self) -> bool:
        """Whether it is a span of time, and not an endless one."""
        return 0 < self.span.end - self.span.start <= LONGEST_DRAWN


@dataclass(frozen=True, slots=True)
class Marks:
    """The gold and the answer."""

    gold: tuple[Mark, ...]
    """Right and missed ones, by rank."""

    wrong: tuple[Mark, ...]
    """By place; the first `MAX_DETAILED`."""

    left_out: int
    """How many wrong ones are not listed."""


def proposals(rows: Sequence[Mapping[str, Any]]) -> tuple[AnswerCandidate, ...]:
    """The candidates as an episode stores them."""
    return tuple(
        AnswerCandidate(
            datetime.fromisoformat(row["start"]), datetime.fromisoformat(row["end"]), room_id=row.get("room_id")
        )
        for row in rows
    )


def gold_of(episode: Episode, label: Label | None) -> tuple[Proposal, ...]:
    """What the episode was judged by; the label's gold where it holds none, as one whose process died."""
    if episode.gold or label is None:
        return proposals(episode.gold)
    return label.gold


def marks(episode: Episode, label: Label | None) -> Marks:
    """The gold and the answer of an episode, each candidate once."""
    places: dict[ProposalKey, int] = {}
    proposed: list[Proposal] = []
    for place, candidate in enumerate(proposals(episode.answer or ()), start=1):
        if places.setdefault(proposal_key(candidate), place) == place:
            proposed.append(candidate)
    gold = gold_of(episode, label)
    ranks = {proposal_key(candidate): rank for rank, candidate in enumerate(gold, start=1)}
    reasons = {
        found.place: tuple(violation.message for violation in found.violations)
        for found in map(WrongCandidate.model_validate, episode.violations)
    }

    def mark(candidate: Proposal) -> Mark:
        key = proposal_key(candidate)
        rank, place = ranks.get(key), places.get(key)
        missing = State.GOLD if episode.scores is None else State.MISSED
        return Mark(
            state=missing if place is None else State.RIGHT if rank is not None else State.WRONG,
            span=minutes_covered(candidate),
            room_id=candidate.room_id,
            rank=rank,
            place=place,
            reasons=reasons.get(place, ()) if rank is None else (),
        )

    wrong = [candidate for candidate in proposed if proposal_key(candidate) not in ranks]
    return Marks(
        gold=tuple(map(mark, gold)),
        wrong=tuple(map(mark, wrong[:MAX_DETAILED])),
        left_out=max(0, len(wrong) - MAX_DETAILED),
    )

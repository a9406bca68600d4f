"""The gold and the answer as marks on a timeline."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mpcbench.evaluation.scoring.pairing import Paired, paired
from mpcbench.evaluation.scoring.resolved import minutes_covered
from mpcbench.evaluation.scoring.violations import MAX_DETAILED
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


def pairs(episode: Episode, label: Label | None) -> Paired:
    """The gold and the answer of an episode; the label's gold where it holds none, as one whose process died."""
    gold = label.gold if label is not None and not episode.gold else episode.gold
    return paired(gold, episode.answer or ())


def marks(episode: Episode, label: Label | None) -> Marks:
    """The gold and the answer of an episode, each candidate once."""
    found = pairs(episode, label)
    missing = State.GOLD if episode.scores is None else State.MISSED
    reasons = {one.place: tuple(violation.message for violation in one.violations) for one in episode.violations}
    wrong = [one for one in found.answer if one.rank is None and one.place == one.first]
    return Marks(
        gold=tuple(
            Mark(
                state=missing if one.place is None else State.RIGHT,
                span=minutes_covered(one.candidate),
                room_id=one.candidate.room_id,
                rank=one.rank,
                place=one.place,
            )
            for one in found.gold
        ),
        wrong=tuple(
            Mark(
                state=State.WRONG,
                span=minutes_covered(one.candidate),
                room_id=one.candidate.room_id,
                rank=None,
                place=one.place,
                reasons=reasons.get(one.place, ()),
            )
            for one in wrong[:MAX_DETAILED]
        ),
        left_out=max(0, len(wrong) - MAX_DETAILED),
    )

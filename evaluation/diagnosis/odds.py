"""How likely each kind of mistake is, given that it leads to the answer.

By Bayes' rule: a mistake of some kind is made, the more rarely the weaker its ground. A kind stands for many mistakes,
such as one for each event that may have been overlooked, and all of these are equally likely. So a kind weighs the more,
the larger the share of its mistakes that lead to the answer. Mistakes of which no hypothesis knows are one more kind.
"""

from collections.abc import Collection, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.change import Ground
from mpcbench.evaluation.diagnosis.explanation import Explanation
from mpcbench.schema.cause import Reason

PRIOR: Final[Mapping[Ground, float]] = MappingProxyType(
    {
        Ground.RECORD: 2.0,
        Ground.PROSE: 0.7,
        Ground.PRACTICE: 0.5,
        Ground.CONVENTION: 0.3,
        Ground.NOTHING: 0.3,
        Ground.COINCIDENCE: 0.1,
    }
)
"""By ground, how usual a mistake of a kind is, compared with the others."""

_POLICY: Final = f"{Reason.CONSTRAINT_ADDED.value}:policy"
_LOOKED_UP: Final = 10.0
"""How much more usual it is that somebody applies a policy that he looked up by itself than other mistakes on record."""

_USUAL: Final[Mapping[str, float]] = MappingProxyType(
    {
        f"{Reason.VALUE_WRONG.value}:week": 0.05,
        f"{Reason.VALUE_WRONG.value}:duration": 0.05,
        f"{Reason.VALUE_WRONG.value}:clock": 0.3,
        f"{Reason.VALUE_WRONG.value}:touching": 0.35,
        f"{Reason.HABIT.value}:one_per_day": 0.4,
        f"{Reason.HABIT.value}:one_per_gap": 0.4,
        f"{Reason.HABIT.value}:days_before_times": 0.4,
        f"{Reason.CONSTRAINT_ADDED.value}:office_hours": 0.5,
        f"{Reason.RECORD_MISREAD.value}:event": 2.0,
        f"{Reason.RECORD_MISREAD.value}:booking": 2.0,
        **{
            f"{Reason.VALUE_WRONG.value}:{limit}": 2.5
            for limit in ("window", "not_before", "deadline", "after_event", "ban_window", "required_window")
        },
    }
)
"""How much more usual some reasons are than others on the same weak ground, as counted among agents whose mistake is known."""

UNKNOWN: Final = 0.6
"""How usual a mistake of which no hypothesis knows is."""

LIKELY: Final = (0.9, 0.8, 0.9)
"""By the number of kinds that are claimed together, how likely it is at least that the mistake is one of them.

A second kind is named where the first leaves some doubt; a third says little, so two may leave more. More are never
claimed.
"""

Kind = tuple[str, ...]
"""The reasons of an explanation, in order."""

Size = Mapping[tuple[str, Ground], int]
"""By reason and ground, how many mistakes there are."""


def kind_of(explanation: Explanation) -> Kind:
    """The kind of an explanation."""
    return tuple(sorted(one.reason for one in explanation.findings))


def misread(kind: Kind) -> Kind:
    """The kind of a condition misread, for that of a condition left out; of other kinds the kind itself."""
    return tuple(reason.replace(Reason.CONSTRAINT_OMITTED.value, Reason.VALUE_WRONG.value) for reason in kind)


def _usual(reason: str, ground: Ground) -> float:
    if ground >= Ground.PRACTICE:
        return _USUAL.get(reason, 1.0)
    return _LOOKED_UP if reason == _POLICY and ground is Ground.RECORD else 1.0


class Odds(NamedTuple):
    """The weights of all kinds that lead to an answer."""

    weights: Mapping[Kind, float]
    unknown: float
    """The weight of what no hypothesis knows."""

    @classmethod
    def of(cls, explanations: Sequence[Explanation], sizes: Size, unknown: float) -> "Odds":
        """The odds of explanations by one mistake.

        Args:
            explanations: All that lead to the answer, on any ground.
            sizes: The number of mistakes by reason and ground.
            unknown: How likely the answer is if the mistake is none that is known.
        """
        shares: dict[tuple[Kind, Ground], float] = {}
        for one in explanations:
            key = (kind_of(one), one.ground)
            number = max(sizes.get((finding.reason, finding.ground), 1) for finding in one.findings)
            shares[key] = min(1.0, shares.get(key, 0.0) + 1 / number)
        weights: dict[Kind, float] = {}
        for (kind, ground), share in shares.items():
            weights[kind] = weights.get(kind, 0.0) + PRIOR[ground] * share * prod(_usual(one, ground) for one in kind)
        return cls(weights, UNKNOWN * unknown)

    def share(self, kinds: Collection[Kind]) -> float:
        """How likely it is that one of some kinds is the mistake; 1 for mistakes that have no odds."""
        if kinds and {*kinds}.isdisjoint(self.weights):
            return 1.0
        return sum(self.weights.get(kind, 0.0) for kind in {*kinds}) / (sum(self.weights.values()) + self.unknown)

    def likeliest(self) -> list[Kind]:
        """The fewest kinds that are likely enough together; empty if that takes too many of them."""
        ranked = self.ranked()
        for number, least in enumerate(LIKELY, start=1):
            if self.share(ranked[:number]) >= least:
                return ranked[:number]
        return ranked if self.share(ranked) >= min(LIKELY) and len(ranked) < len(LIKELY) else []

    def ranked(self) -> list[Kind]:
        """The kinds, likeliest first."""
        return sorted(self.weights, key=lambda kind: (-self.weights[kind], kind))

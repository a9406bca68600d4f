"""Where each constraint of a draft is the sole blocker, for the guided search of level 3."""

from dataclasses import dataclass

from mpcbench.generate.sampling.draft import Draft

_ENOUGH = 4


@dataclass(frozen=True, slots=True)
class Blockers:
    """The starts at which each constraint is the sole blocker."""

    feasible: int
    alone: tuple[int, ...]
    """For each constraint, the starts that it alone rules out."""

    @classmethod
    def of(cls, draft: Draft) -> "Blockers":
        """The blockers of a draft."""
        feasible = draft.feasible()
        return cls(feasible, tuple(others & ~feasible for others in draft.feasible_besides_each()))

    @property
    def promise(self) -> int:
        """The number of feasible starts; at most a few times that of the starts that the rarest sole blocker rules out."""
        return min(_ENOUGH * min(mask.bit_count() for mask in self.alone), self.feasible.bit_count())

    def worth(self, offset: int, most: int) -> bool:
        """Whether every constraint matters soon after an offset, while at most a few candidates come before, and some remain."""
        last = 0
        for mask in self.alone:
            later = mask >> offset
            if not later:
                return False
            last = max(last, (later & -later).bit_length())
        leading = ((self.feasible >> offset) & ((1 << last) - 1)).bit_count()
        return leading <= most and self.feasible >> (offset + last) > 0

"""Where each constraint of a draft is the sole blocker, for the guided search of level 3."""

from dataclasses import dataclass

from mpcbench.generate.sampling.draft import Draft


@dataclass(frozen=True, slots=True)
class Blockers:
    """The starts at which each constraint is the sole blocker."""

    feasible: int
    alone: tuple[int, ...]
    """For each constraint, the starts that it alone rules out."""

    most: int
    """How many candidates may come before every constraint has ruled out a start."""

    @classmethod
    def of(cls, draft: Draft, most: int) -> "Blockers":
        """The blockers of a draft."""
        feasible = draft.feasible()
        return cls(feasible, tuple(draft.feasible(besides=item) & ~feasible for item, _ in draft.masks), most)

    @property
    def promise(self) -> tuple[int, int]:
        """How many hours of the window are worth starting at; then the starts that the rarest sole blocker rules out."""
        if not all(self.alone):
            return 0, 0
        hours = range(0, self.feasible.bit_length(), 60)
        return sum(map(self.worth, hours)), min(mask.bit_count() for mask in self.alone)

    def worth(self, offset: int) -> bool:
        """Whether starting at an offset cuts off a feasible start while every constraint still matters after it."""
        if not self.feasible & ((1 << offset) - 1):
            return False
        last = 0
        for mask in self.alone:
            later = mask >> offset
            if not later:
                return False
            last = max(last, (later & -later).bit_length())
        leading = ((self.feasible >> offset) & ((1 << last) - 1)).bit_count()
        return leading <= self.most and self.feasible >> (offset + last) > 0

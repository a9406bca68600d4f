"""Where each constraint of a draft is the only one that blocks: what the guided search of level 3 looks for."""

from dataclasses import dataclass

from mpcbench.generate.sampling.draft import Draft


@dataclass(frozen=True, slots=True)
class Blockers:
    """Where each constraint is the only one that blocks."""

    feasible: int
    alone: tuple[int, ...]
    """For every constraint the starts that it alone takes away."""

    most: int
    """How many candidates may lead before the last constraint has mattered."""

    @classmethod
    def of(cls, draft: Draft, most: int) -> "Blockers":
        """The blockers of a draft."""
        feasible = draft.feasible()
        return cls(feasible, tuple(draft.feasible(besides=item) & ~feasible for item, _ in draft.masks), most)

    @property
    def promise(self) -> tuple[int, int]:
        """How many hours of the window are worth starting at, then how often the rarest blocker is alone."""
        if not all(self.alone):
            return 0, 0
        hours = range(0, self.feasible.bit_length(), 60)
        return sum(map(self.worth, hours)), min(mask.bit_count() for mask in self.alone)

    def worth(self, offset: int) -> bool:
        """Whether something feasible is cut off by starting at an offset, and everything still matters after it."""
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

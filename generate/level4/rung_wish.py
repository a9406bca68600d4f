"""What is asked of the instances of a set of level 4."""

from typing import Final, NamedTuple

from mpcbench.schema.level4.mechanism import Mechanism

RUNGS: Final = 8
"""The rungs of a data set; single ones can be higher."""


class LadderWish(NamedTuple):
    """What is asked of the instances of a set."""

    rung: int | None = None
    """All instances are on this rung; None: one after another on each."""

    mechanisms: frozenset[Mechanism] | None = None
    """All instances have these mechanisms; None: they are drawn."""

    def rung_of(self, k: int) -> int:
        """The rung of an instance, by its number alone, so that a set is the beginning of any larger one."""
        return 1 + k % RUNGS if self.rung is None else self.rung

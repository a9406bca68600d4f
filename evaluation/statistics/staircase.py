"""A staircase over the rungs of level 4: it finds the horizon with two instances a step, on neighbouring rungs.

Where both are solved, the pair moves up; where neither is, it moves down; else it stays. The first moves are of two rungs,
until the direction changes or the pair stays. This is the up-and-down method (Dixon and Mood 1948) with pairs: it gathers
where one half is solved.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from mpcbench.schema.run import Case

_FIRST_MOVE: Final = 2

Step = tuple[bool | None, bool | None]
"""Whether the instance of the lower and of the upper rung was solved; None for an error."""


def pair_after(steps: Iterable[Step], rungs: int) -> tuple[int, int]:
    """The places, from 0, of the two rungs that the next step asks for.

    Args:
        steps: What came of the steps so far, in order.
        rungs: How many there are, at least two.
    """
    highest = rungs - 2
    place, move, last = highest // 2, _FIRST_MOVE, 0
    for lower, upper in steps:
        direction = 1 if lower and upper else -1 if lower is False and upper is False else 0
        if direction in (0, -last):
            move = 1
        last = direction or last
        place = min(max(place + direction * move, 0), highest)
    return place, place + 1


class Climb:
    """The cases of one model in the order in which a staircase may ask for them.

    Args:
        cases: Those of one model.
        rungs: The rung of each instance.
        limit: How many episodes there are at most; None for two on each instance of the rung that has fewest.
    """

    def __init__(self, cases: Iterable[Case], rungs: Mapping[str, int], limit: int | None = None) -> None:
        by_rung: dict[int, list[Case]] = {}
        for case in cases:
            by_rung.setdefault(rungs[case.instance_id], []).append(case)
        self._columns = [by_rung[rung] for rung in sorted(by_rung)]
        fewest = min(map(len, self._columns), default=0)
        self.steps: Final = fewest if limit is None else min(fewest, limit // 2)
        """How many steps there are, of two episodes each."""

    @property
    def can_climb(self) -> bool:
        """Whether there are two rungs to choose from, and a step to take."""
        return len(self._columns) > 1 and self.steps > 0

    def order(self) -> list[Case]:
        """All cases that some step may ask for: step by step, in each by rung."""
        return [column[step] for step in range(self.steps) for column in self._columns]

    def asked(self, solved: Mapping[Case, bool | None]) -> list[Case]:
        """The cases that are asked for, as far as that is known: those of complete steps and of the one after them.

        Args:
            solved: By case that has run whether it was solved; None for an error.
        """
        asked: list[Case] = []
        steps: list[Step] = []
        for step in range(self.steps):
            lower, upper = (self._columns[place][step] for place in pair_after(steps, len(self._columns)))
            asked += [lower, upper]
            if lower not in solved or upper not in solved:
                break
            steps.append((solved[lower], solved[upper]))
        return asked


def climbs(cases: Sequence[Case], rungs: Mapping[str, int], limit: int | None = None) -> dict[str, Climb]:
    """The climb of every model, by model."""
    models = dict.fromkeys(case.model for case in cases)
    return {model: Climb([case for case in cases if case.model == model], rungs, limit) for model in models}

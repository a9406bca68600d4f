"""Episodes put together by instance, the unit of all statistics."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import fsum

from mpcbench.schema.episode import Outcome
from mpcbench.schema.result import Result

WorldOf = Callable[[Result], str]
"""Names the world that an episode's instance belongs to."""


def level_world(result: Result) -> str:
    """The world of an episode in one data set, which has one world a level."""
    return f"level{result.level}"


@dataclass(frozen=True, slots=True)
class InstanceTrials:
    """The episodes of one model on one instance."""

    world: str
    instance_id: str
    results: tuple[Result, ...]
    """Scored ones and errors, at least one; in no particular order."""

    scored: tuple[Result, ...]
    """Those of them that count."""

    @property
    def passed(self) -> int:
        """The number of trials with an exact match."""
        return sum(result.outcome is Outcome.PASSED for result in self.scored)

    @property
    def solved(self) -> bool:
        """Whether more than half of the scored trials passed."""
        return 2 * self.passed > len(self.scored)

    @property
    def never_solved(self) -> bool:
        """Whether there are scored trials and none of them passed."""
        return bool(self.scored) and not self.passed

    def mean(self, measure: Callable[[Result], float | None]) -> float | None:
        """The mean of a measure over the scored trials in which it is known; None if there are none."""
        known = [value for value in map(measure, self.scored) if value is not None]
        # fsum is exact, so the mean does not depend on the order in which trials finished.
        return fsum(known) / len(known) if known else None


def by_instance(results: Iterable[Result], world_of: WorldOf = level_world) -> list[InstanceTrials]:
    """The episodes of one model by instance, sorted by world and instance, whatever their order."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((world_of(result), result.instance_id), []).append(result)
    return [
        InstanceTrials(world, instance_id, tuple(group), tuple(result for result in group if result.scores is not None))
        for (world, instance_id), group in sorted(groups.items())
    ]

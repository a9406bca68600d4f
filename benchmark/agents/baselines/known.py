"""What a baseline is given, and what it returns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mpcbench.oracle import Problem, resolve
from mpcbench.oracle.interval import members
from mpcbench.oracle.masks import slot_mask
from mpcbench.oracle.solve import Choice
from mpcbench.schema import Candidate, Instance, Label, World
from mpcbench.schema.dataset import Dataset


@dataclass(frozen=True, slots=True)
class BaselineInput:
    """What a baseline is given of an instance."""

    world: World
    instance: Instance
    problem: Problem
    labels: dict[str, Label]
    """All labels of the level, by instance ID."""

    def slots(self) -> list[Choice]:
        """Every grid slot of the window, by start, without a room."""
        start, duration = self.problem.window.start, self.problem.duration
        return [Choice(start + place, start + place + duration, None) for place in members(slot_mask(self.problem))]

    def rooms(self) -> Sequence[str | None]:
        """The IDs of all rooms, ascending; None alone at levels 1 and 2."""
        search = self.problem.rooms
        return (None,) if search is None else sorted(room.room_id for room in search.rooms)


Picks = Sequence[Choice] | Sequence[Candidate]
Baseline = Callable[[BaselineInput], Picks]


def baseline_input(dataset: Dataset, instance: Instance) -> BaselineInput:
    """What the baselines are given of an instance."""
    world = dataset.world(instance.level)
    return BaselineInput(world, instance, resolve(world, instance), dataset.labels(instance.level))

"""What a mistake changes in a problem: dropped, added or altered conditions, rooms, ranking or number."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, reduce
from operator import and_

from mpcbench.evaluation.diagnosis.evidence import Fact, Stakes
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.schema.cause import Reason, reason_text


class Ground(IntEnum):
    """What suggests that an agent made a mistake, strongest ground first.

    Explanations on a weaker ground are given only where there is none on a stronger one.
    """

    RECORD = 0
    """A record that the agent saw and ignored, or applied although nobody asked for it."""

    PROSE = 1
    """A figure in the text of a policy, which is not the one that holds."""

    PRACTICE = 2
    """A usual way of working: comparing only starts, keeping a date without its time, one option a day."""

    CONVENTION = 3
    """A convention that the agent may have misread, such as the ranking, offsets or what counts as overlap."""

    NOTHING = 4
    """Only that it leads to the answer: far-fetched, so never combined."""

    COINCIDENCE = 5
    """As `NOTHING`, and one of so many that some of them leads to many an answer: considered last."""


@dataclass(frozen=True, eq=False)
class ChangedPart:
    """One mistake: its reason and its evidence."""

    reason: str
    facts: Callable[[Stakes], Iterable[Fact]]
    """Returns the evidence, given what the mistake did to the answer."""

    ground: Ground = Ground.RECORD


def part(reason: Reason, detail: str, *facts: Fact, ground: Ground = Ground.RECORD) -> ChangedPart:
    """A part whose evidence does not depend on the answer."""
    return ChangedPart(reason_text(reason, detail), lambda _: facts, ground)


def part_by(
    reason: Reason, detail: str, facts: Callable[[Stakes], Iterable[Fact]], *, ground: Ground = Ground.RECORD
) -> ChangedPart:
    """A part whose evidence depends on the answer."""
    return ChangedPart(reason_text(reason, detail), facts, ground)


@dataclass(frozen=True, eq=False)
class Change:
    """What a mistake does to the masks and choices of a frame."""

    part: ChangedPart
    dropped: frozenset[str] = frozenset()
    """Keys of conditions that no longer hold."""

    masks: Mapping[str, Callable[[], int]] = field(default_factory=dict)
    """Makers of the new masks, by key of an altered or added condition."""

    fields: Mapping[str, object] = field(default_factory=dict)
    """Fields of the choices or of the room query with their new values."""

    free: Callable[[int], bool] | None = None
    """Whether the new masks allow a start, computed faster than by making them."""

    widens: bool = False
    """Whether the altered masks allow everything that they did before."""

    @cached_property
    def touched(self) -> frozenset[str]:
        """The keys and fields that the change affects."""
        return self.dropped | self.masks.keys() | self.fields.keys()

    @cached_property
    def allowed(self) -> int:
        """The starts that all new masks allow."""
        return reduce(and_, (make() for make in self.masks.values()), -1)

    def allows(self, start: int) -> bool:
        """Whether all new masks allow a start."""
        return bool(self.allowed >> start & 1) if self.free is None else self.free(start)

    def adds(self, frame: Frame) -> bool:
        """Whether the change only adds conditions to a frame."""
        return not self.fields and not self.dropped and frame.conditions.keys().isdisjoint(self.masks)

    def relaxes(self, frame: Frame) -> bool:
        """Whether every allowed candidate stays allowed and keeps its rank."""
        return (self.widens or not self.masks) and all(
            frame.choices.permits(name, value) for name, value in self.fields.items()
        )

    def collides(self, other: "Change") -> bool:
        """Whether two changes alter the same thing."""
        return not (
            self.touched.isdisjoint(other.masks)
            and other.touched.isdisjoint(self.masks)
            and self.fields.keys().isdisjoint(other.fields)
        )

"""Every single change that a mistake of an agent may amount to."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from mpcbench.evaluation.diagnosis.change import Change
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.mistakes.invention import inventions
from mpcbench.evaluation.diagnosis.mistakes.misuse import (
    added_calendars,
    added_policies,
    fine_grids,
    misread_limits,
    one_sided_buffers,
    rankings,
)
from mpcbench.evaluation.diagnosis.mistakes.omission import omissions
from mpcbench.evaluation.diagnosis.mistakes.touching import touching


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """The changes of problems that an agent may have made, by what it was shown."""

    policies: Collection[str] | None
    """IDs of the policies that it may have applied; None if that is not known."""

    calendars: Collection[str]
    """The people whose calendars it saw."""

    _made: dict[tuple[int, str], tuple[Frame, Sequence[Change]]] = field(default_factory=dict)

    def mistakes(self, frame: Frame) -> Sequence[Change]:
        """Conditions left out or misread, and other rankings."""
        return self._once(
            "mistakes",
            frame,
            lambda: [
                *omissions(frame),
                *one_sided_buffers(frame),
                *misread_limits(frame),
                *fine_grids(frame),
                *touching(frame),
                *rankings(frame),
            ],
        )

    def additions(self, frame: Frame) -> Sequence[Change]:
        """Conditions on record that nobody asked for."""
        return self._once(
            "additions",
            frame,
            lambda: [*added_policies(frame, self.policies), *added_calendars(frame, self.calendars)],
        )

    def suggested(self, frame: Frame) -> Sequence[Change]:
        """What may have left an empty answer: the policies alone, as any calendar leaves nothing where little is."""
        return self._once("suggested", frame, lambda: [*added_policies(frame, self.policies)])

    def inventions(self, frame: Frame) -> Sequence[Change]:
        """Far-fetched ones."""
        return self._once("inventions", frame, lambda: inventions(frame))

    def _once(self, kind: str, frame: Frame, make: Callable[[], Sequence[Change]]) -> Sequence[Change]:
        key = (id(frame), kind)
        if key not in self._made:
            self._made[key] = (frame, make())  # the frame is kept, so that its id stays its own
        return self._made[key][1]

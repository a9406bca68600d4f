"""All single changes that may model an agent's mistake."""

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
    """The changes that an agent may have made to a problem, given what it was shown."""

    policies: Collection[str] | None
    """IDs of the policies that it may have applied; None if unknown."""

    calendars: Collection[str]
    """IDs of the people whose calendars it saw."""

    _made: dict[tuple[int, str], tuple[Frame, Sequence[Change]]] = field(default_factory=dict)

    def mistakes(self, frame: Frame) -> Sequence[Change]:
        """Omitted or misread conditions, and other rankings."""
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
        """Added conditions: recorded ones that nobody asked for."""
        return self._once(
            "additions",
            frame,
            lambda: [*added_policies(frame, self.policies), *added_calendars(frame, self.calendars)],
        )

    def suggested(self, frame: Frame) -> Sequence[Change]:
        """Possible reasons for an empty answer: policies alone, since almost any added calendar could empty it."""
        return self._once("suggested", frame, lambda: [*added_policies(frame, self.policies)])

    def inventions(self, frame: Frame) -> Sequence[Change]:
        """Far-fetched changes."""
        return self._once("inventions", frame, lambda: inventions(frame))

    def _once(self, kind: str, frame: Frame, make: Callable[[], Sequence[Change]]) -> Sequence[Change]:
        key = (id(frame), kind)
        if key not in self._made:
            self._made[key] = (frame, make())  # keeps the frame alive, so that its id stays unique
        return self._made[key][1]

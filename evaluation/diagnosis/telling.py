"""Which mistakes explain so few answers that a random answer would rarely be among them, see `chance`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mpcbench.evaluation.diagnosis.attempts import Attempts
from mpcbench.evaluation.diagnosis.chance import Lottery
from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground
from mpcbench.evaluation.diagnosis.frame import Pair
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses


@dataclass(frozen=True, eq=False)
class Telling:
    """Compares the mistakes that explain an answer with the answers that could be drawn at random."""

    attempts: Attempts
    hypotheses: Hypotheses

    def is_few(self, reason: str, ground: Ground) -> bool:
        """Whether single mistakes of a reason, on this or a stronger ground, explain few answers."""
        lottery = self._lottery
        if lottery is None:
            return True

        def counts_in(one: ChangedPart) -> bool:
            return one.reason == reason and one.ground <= ground

        changes = [one for one in self._moving if counts_in(one.part)]
        written, *readings = self.attempts.readings
        variants = [
            number for number, one in enumerate(self.attempts.variants) if one.parts and all(map(counts_in, one.parts))
        ]
        undone = [one for one in readings if all(map(counts_in, one.parts))]
        if len(changes) + len(variants) + len(undone) <= lottery.tolerated:
            return True
        outcomes = [*self._of_changes(changes), *self._of_variants(variants)]
        for reading in undone:
            late = written.candidates[0].start - reading.candidates[0].start
            outcomes.append([(start + late, room) for start, room in self.attempts.gold])
        return lottery.hits(outcomes) <= lottery.tolerated

    @property
    def are_pairs_few(self) -> bool:
        """Whether there are few pairs of mistakes compared with the possible answers."""
        lottery = self._lottery
        if lottery is None:
            return True
        changes = [one for one in self._moving if one.part.ground <= Ground.CONVENTION]
        others = len(self.attempts.variants) + len(self.attempts.readings) - 2
        numbers = (len(changes) + others, lottery.effects(changes) + others)
        return any(number * (number - 1) / 2 <= lottery.tolerated for number in numbers)

    @cached_property
    def _lottery(self) -> Lottery | None:
        """The draw that the answer may be; None for an answer that cannot be one."""
        attempt = self.attempts.as_given
        lottery = None if attempt is None else Lottery(attempt.fit, self.attempts.gold, in_order=True)
        return lottery if lottery is not None and lottery.has_answer else None

    @cached_property
    def _moving(self) -> list[Change]:
        """The changes to the task itself that may lead to other feasible candidates."""
        attempt = self.attempts.as_given
        if attempt is None:
            return []
        fit, frame = attempt.fit, attempt.fit.frame
        found = [*self.hypotheses.mistakes(fit), *self.hypotheses.coincidences(fit), *self.hypotheses.additions(frame)]
        # A change that only permits more changes the answer only by adding infeasible candidates.
        return [one for one in found if not one.relaxes(frame)]

    def _of_changes(self, changes: Sequence[Change]) -> Iterator[Sequence[Pair]]:
        """The answers that changes lead to."""
        frame = self.attempts.frame()
        for change in changes:
            yield frame.top(frame.without(change.touched) & change.allowed, frame.choices.having(change.fields))

    def _of_variants(self, numbers: Sequence[int]) -> Iterator[Sequence[Pair]]:
        """The answers to variants of the problem."""
        frame = self.attempts.frame()
        for number in numbers:
            other = self.attempts.frame(number)
            if other.duration == frame.duration:
                late = other.origin - frame.origin
                yield [(start + late, room) for start, room in other.top(other.without(()), other.choices)]

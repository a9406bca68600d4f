"""Which explanations tell something: those that a random answer would rarely have, see `chance`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mpcbench.evaluation.diagnosis.attempts import Attempts
from mpcbench.evaluation.diagnosis.chance import Lottery
from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground
from mpcbench.evaluation.diagnosis.explanation import Explanation
from mpcbench.evaluation.diagnosis.frame import Pair
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses


@dataclass(frozen=True, eq=False)
class Telling:
    """Compares the explanations of an answer with those that other answers would have."""

    attempts: Attempts
    hypotheses: Hypotheses

    def is_seen_in_order(self, explanation: Explanation) -> bool:
        """Whether an explanation leads to the answer's order, unless that says little or the ground is strong."""
        return explanation.in_order or explanation.ground < Ground.PRACTICE or not self._has_own_order

    @cached_property
    def _has_own_order(self) -> bool:
        """Whether the answer follows neither the ranking nor the order in which people write lists."""
        attempt = self.attempts.as_given
        return attempt is not None and Lottery(attempt.fit, self.attempts.gold, in_order=True).is_unusual

    def of(self, found: Sequence[Explanation]) -> list[Explanation]:
        """The explanations, all of one size, that a random answer would rarely have."""
        attempt = self.attempts.as_given
        if attempt is None:
            return [*found]
        lottery = Lottery(attempt.fit, self.attempts.gold, in_order=found[0].in_order)
        if not lottery.has_answer:
            return [*found]
        if len(found[0].findings) > 1:
            return [*found] if self._are_few_pairs(lottery) else []
        found = self._without_usual_gaps(lottery, found)
        if lottery.is_near_miss:
            found = [one for one in found if one.ground < Ground.PRACTICE or one.is_slip]
        if not found:
            return []
        if found[0].ground >= Ground.NOTHING:
            return [*found] if self._are_few_in_all(lottery, found[0].ground) else []
        kinds = {(one.findings[0].reason, one.ground) for one in found}
        few = {(reason, ground) for reason, ground in kinds if self._are_few(lottery, reason, ground)}
        return [one for one in found if (one.findings[0].reason, one.ground) in few]

    def _without_usual_gaps(self, lottery: Lottery, found: Sequence[Explanation]) -> list[Explanation]:
        """Without filters on weak ground, if such filters lead to too many of the answers that pass over gaps."""
        ground = max(one.ground for one in found)
        weak = [one for one in found if one.is_weak_filter]
        if not weak or not lottery.of_gaps or not lottery.is_usual_gap(self._outcomes(None, ground)):
            return [*found]
        return [one for one in found if one not in weak]

    def _are_few(self, lottery: Lottery, reason: str, ground: Ground) -> bool:
        """Whether single mistakes of a reason, on this or a stronger ground, explain few answers."""
        return lottery.hits(self._outcomes(reason, ground)) <= lottery.tolerated(ground)

    def _are_few_in_all(self, lottery: Lottery, ground: Ground) -> bool:
        """Whether all single mistakes on this or a stronger ground together explain few answers."""
        return lottery.hits(self._outcomes(None, ground)) <= lottery.tolerated(ground)

    def _are_few_pairs(self, lottery: Lottery) -> bool:
        """Whether there are few pairs of mistakes compared with the possible answers."""
        changes, tolerated = self._moving(Ground.CONVENTION), lottery.tolerated(Ground.CONVENTION)
        others = len(self.attempts.variants) + len(self.attempts.readings) - 2
        return any(
            number * (number - 1) / 2 <= tolerated
            for number in (len(changes) + others, lottery.effects(changes) + others)
        )

    def _moving(self, ground: Ground) -> list[Change]:
        """The changes to the task itself, on this or a stronger ground, that may lead to other feasible candidates."""
        attempt = self.attempts.as_given
        if attempt is None:
            return []
        fit, frame = attempt.fit, attempt.fit.frame
        found = [*self.hypotheses.mistakes(fit), *self.hypotheses.additions(frame)]
        found += self.hypotheses.coincidences(fit) if ground is Ground.COINCIDENCE else ()
        # A change that only permits more changes the answer only by adding infeasible candidates.
        return [one for one in found if one.part.ground <= ground and not one.relaxes(frame)]

    def _outcomes(self, reason: str | None, ground: Ground) -> Iterator[Sequence[Pair]]:
        """The answers that single mistakes of a reason, or of any, lead to."""
        frame = self.attempts.frame()

        def counts_in(parts: Sequence[ChangedPart]) -> bool:
            return all(reason in {None, one.reason} and one.ground <= ground for one in parts)

        for change in self._moving(ground):
            if counts_in([change.part]):
                choices = frame.choices.having(change.fields)
                yield frame.top(frame.without(change.touched) & change.allowed, choices)
        for number, variant in enumerate(self.attempts.variants):
            if variant.problem.duration == frame.duration and counts_in(variant.parts):
                other = self.attempts.frame(number)
                late = other.origin - frame.origin
                yield [(start + late, room) for start, room in other.top(other.without(()), other.choices)]
        written, *undone = self.attempts.readings
        for reading in undone:
            if counts_in(reading.parts):
                late = written.candidates[0].start - reading.candidates[0].start
                yield [(start + late, room) for start, room in self.attempts.gold]

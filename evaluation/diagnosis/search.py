"""The counterfactual search: which one or two changes to a task make its solution exactly the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.chance import Lottery
from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot, Stakes
from mpcbench.evaluation.diagnosis.fit import Fit, Pair
from mpcbench.evaluation.diagnosis.frame import Frame, Known
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.mistakes.misuse import count, counts
from mpcbench.evaluation.diagnosis.mistakes.reading import Reading
from mpcbench.evaluation.diagnosis.mistakes.variants import Variant
from mpcbench.evaluation.diagnosis.pairs import leads, pairs, singles
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.schema import Duration, World
from mpcbench.schema.cause import Reason

MOST_CHANGES: Final = 2


class Finding(NamedTuple):
    """One mistake of an explanation, with its evidence."""

    reason: str
    facts: tuple[Fact, ...]
    ground: Ground = Ground.RECORD


class Explanation(NamedTuple):
    """Mistakes that together lead to the whole answer."""

    findings: tuple[Finding, ...]
    in_order: bool = True
    """Whether they lead to the answer's order, too."""

    reproduces: bool = True
    """Whether they lead to the whole answer; if not, it merely lacks candidates."""

    @property
    def ground(self) -> Ground:
        """The weakest ground among the mistakes."""
        return max(one.ground for one in self.findings)


@dataclass(frozen=True, eq=False)
class _Attempt:
    """A variant's frame with one reading of the answer."""

    parts: tuple[ChangedPart, ...]
    fit: Fit
    given: tuple[Slot, ...]

    @property
    def near(self) -> bool:
        return all(one.ground < Ground.NOTHING for one in self.parts)


@dataclass(frozen=True, eq=False)
class Search:
    """The search space: variants of the problem, readings of the answer, and hypotheses about mistakes."""

    world: World
    provenance: Provenance
    known: Known
    variants: Sequence[Variant]
    """The problem itself first."""

    readings: Sequence[Reading]
    """The literal answer first."""

    hypotheses: Hypotheses
    _frames: dict[tuple[int, int], Frame] = field(default_factory=dict)
    _shared: dict[object, int] = field(default_factory=dict)

    def smallest(self) -> list[Explanation]:
        """The explanations with the fewest changes.

        Tries single mistakes that a record or convention suggests, then single far-fetched ones, then pairs of the
        first kind. If some explanations lead to the answer's order, too, only these count; pairs must. Explanations
        that a random answer would often have are dropped (see `chance`).
        """
        for look in (self._single, self._far_fetched, self._double):
            found = [*look()]
            if found:
                ordered = [one for one in found if one.in_order]
                return self._telling(ordered or found)
        return []

    # The attempts.

    def frame(self, number: int = 0, duration: int | None = None) -> Frame:
        """The frame of a variant."""
        problem = self.variants[number].problem
        key = (number, problem.duration if duration is None else duration)
        if key not in self._frames:
            self._frames[key] = Frame(self.world, self.provenance, problem, key[1], self.known, self._shared)
        return self._frames[key]

    @cached_property
    def _attempts(self) -> list[_Attempt]:
        return [*self._all_attempts()]

    def _all_attempts(self) -> Iterator[_Attempt]:
        for number, variant in enumerate(self.variants):
            for reading in self.readings:
                for extra, duration, candidates in self._durations(number, reading):
                    parts = (*variant.parts, *reading.parts, *extra)
                    if len(parts) > MOST_CHANGES or (
                        len(parts) > 1 and any(one.ground is Ground.NOTHING for one in parts)
                    ):
                        continue
                    fit = Fit.of(self.frame(number, duration), [(one.start, one.room_id) for one in candidates])
                    if fit is not None:
                        yield _Attempt(parts, fit, candidates)

    def _durations(
        self, number: int, reading: Reading
    ) -> Iterator[tuple[tuple[ChangedPart, ...], int, tuple[Slot, ...]]]:
        """The answer under the problem's duration and, if its own differs, under that, too."""
        asked = self.variants[number].problem.duration
        lengths = {one.end - one.start for one in reading.candidates}
        if lengths <= {asked}:
            yield (), asked, reading.candidates
            return
        record, _ = self.provenance.last(Duration)
        fact = Fact(record, {"minutes": asked}, {"minutes": sorted(lengths)})
        wrong = part(Reason.VALUE_WRONG, "duration", fact)
        if len(lengths) == 1 and min(lengths) > 0:
            yield (wrong,), min(lengths), reading.candidates
        cut = tuple(dict.fromkeys(one._replace(end=one.start + asked) for one in reading.candidates))
        yield (wrong,), asked, cut

    # The sizes.

    def _single(self) -> Iterator[Explanation]:
        for attempt in self._attempts:
            if attempt.near:
                yield from self._with(attempt, 1 - len(attempt.parts))

    def _double(self) -> Iterator[Explanation]:
        for attempt in self._attempts:
            if attempt.near and attempt.given:
                yield from (one for one in self._with(attempt, 2 - len(attempt.parts)) if one.in_order)

    def _far_fetched(self) -> Iterator[Explanation]:
        for attempt in self._attempts:
            if attempt.given and not attempt.near:
                yield from self._with(attempt, 0)
            elif attempt.given and not attempt.parts:
                inventions = self.hypotheses.inventions(attempt.fit.frame)
                for change, in_order in singles(attempt.fit, inventions, ()):
                    yield self._explained(attempt, (), (change,), in_order=in_order)
                if self.is_part_of_gold:
                    too_few = count(attempt.fit.frame, "too_few", len(attempt.given))
                    yield self._explained(attempt, [too_few], ())._replace(reproduces=False)

    def _with(self, attempt: _Attempt, more: int) -> Iterator[Explanation]:
        """The explanations of an attempt with `more` changes; an empty answer only by policies on record."""
        fit, frame = attempt.fit, attempt.fit.frame
        if more == 0:
            in_order = leads(fit, ()) if fit.breaks_nothing else None
            if in_order is not None:
                yield self._explained(attempt, (), (), in_order=in_order)
        elif more > 0:
            mistakes: list[Change] = []
            additions = self.hypotheses.suggested(frame)
            if attempt.given:
                mistakes = [*self.hypotheses.mistakes(frame), *counts(frame, len(fit.pairs))]
                additions = self.hypotheses.additions(frame) if more == MOST_CHANGES or not fit.needs else ()
            if more == 1:
                for change, in_order in singles(fit, mistakes, additions):
                    yield self._explained(attempt, (), (change,), in_order=in_order)
            else:
                yield from (self._explained(attempt, (), both) for both in pairs(fit, mistakes, additions))

    def _explained(
        self, attempt: _Attempt, more: Sequence[ChangedPart], changes: Sequence[Change], *, in_order: bool = True
    ) -> Explanation:
        frame, given = attempt.fit.frame, attempt.given

        def finding(one: ChangedPart, others: Sequence[Change]) -> Finding:
            return Finding(one.reason, tuple(one.facts(Stakes(given, _missed(frame, given, others)))), one.ground)

        return Explanation(
            (
                *(finding(one, ()) for one in (*attempt.parts, *more)),
                *(finding(one.part, [other for other in changes if other is not one]) for one in changes),
            ),
            in_order,
        )

    # Chance.

    @cached_property
    def gold(self) -> tuple[Pair, ...]:
        """The gold in the problem's own frame."""
        frame = self.frame()
        return tuple(frame.top(frame.without(()), frame.choices))

    @cached_property
    def is_part_of_gold(self) -> bool:
        """Whether the answer is a proper, non-empty subset of the gold."""
        attempt = self._as_given
        return attempt is not None and bool(attempt.given) and {*attempt.fit.pairs} < {*self.gold}

    @property
    def _as_given(self) -> _Attempt | None:
        """The literal answer to the problem itself, if it has the right duration."""
        return next((one for one in self._attempts if not one.parts), None)

    def _telling(self, found: Sequence[Explanation]) -> list[Explanation]:
        """The explanations, all of one size, that a random answer would rarely have."""
        attempt = self._as_given
        if attempt is None or not attempt.given:
            return [*found]
        lottery = Lottery(attempt.fit, self.gold, in_order=found[0].in_order)
        if not lottery.has_answer:
            return [*found]
        if len(found[0].findings) > 1:
            return [*found] if self._are_few_pairs(lottery) else []
        kinds = {(one.findings[0].reason, one.ground) for one in found}
        few = {(reason, ground) for reason, ground in kinds if self._are_few(lottery, reason, ground)}
        return [one for one in found if (one.findings[0].reason, one.ground) in few]

    def _are_few(self, lottery: Lottery, reason: str, ground: Ground) -> bool:
        """Whether single mistakes of a reason, on this or a stronger ground, explain few answers."""
        return lottery.hits(self._outcomes(reason, ground)) <= lottery.tolerated(ground)

    def _are_few_pairs(self, lottery: Lottery) -> bool:
        """Whether there are few pairs of mistakes compared with the possible answers."""
        changes, tolerated = self._moving(Ground.CONVENTION), lottery.tolerated(Ground.CONVENTION)
        others = len(self.variants) + len(self.readings) - 2
        return any(
            number * (number - 1) / 2 <= tolerated
            for number in (len(changes) + others, lottery.effects(changes) + others)
        )

    def _moving(self, ground: Ground) -> list[Change]:
        """The changes to the task itself, on this or a stronger ground, that may lead to other feasible candidates."""
        frame, given = self.frame(), len(self.readings[0].candidates)
        found = [*self.hypotheses.mistakes(frame), *counts(frame, given), *self.hypotheses.additions(frame)]
        found += self.hypotheses.inventions(frame) if ground is Ground.NOTHING else ()
        # A change that only permits more changes the answer only by adding infeasible candidates.
        return [one for one in found if one.part.ground <= ground and not one.relaxes(frame)]

    def _outcomes(self, reason: str, ground: Ground) -> Iterator[Sequence[Pair]]:
        """The answers that single mistakes of a reason lead to."""
        frame = self.frame()

        def counts_in(parts: Sequence[ChangedPart]) -> bool:
            return all(one.reason == reason and one.ground <= ground for one in parts)

        for change in self._moving(ground):
            if counts_in([change.part]):
                choices = frame.choices.having(change.fields)
                yield frame.top(frame.without(change.touched) & change.allowed, choices)
        for number, variant in enumerate(self.variants):
            if variant.problem.duration == frame.duration and counts_in(variant.parts):
                other = self.frame(number)
                late = other.origin - frame.origin
                yield [(start + late, room) for start, room in other.top(other.without(()), other.choices)]
        written, *undone = self.readings
        for reading in undone:
            if counts_in(reading.parts):
                late = written.candidates[0].start - reading.candidates[0].start
                yield [(start + late, room) for start, room in self.gold]


def _missed(frame: Frame, given: Sequence[Slot], changes: Sequence[Change]) -> tuple[Slot, ...]:
    """The candidates of the solution under some changes that the answer lacks."""
    choices, touched, allowed = frame.choices, frozenset[str](), -1
    for change in changes:
        choices, touched, allowed = choices.having(change.fields), touched | change.touched, allowed & change.allowed
    slots = (
        Slot(frame.origin + start, frame.origin + start + frame.duration, room)
        for start, room in frame.top(frame.without(touched) & allowed, choices)
    )
    return tuple(slot for slot in slots if slot not in given)

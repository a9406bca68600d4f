"""The counterfactual search: which one or two changes to a task make its solution exactly the answer."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from mpcbench.evaluation.diagnosis.chance import Lottery
from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot, Stakes
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding, likelier, most_usual, smaller
from mpcbench.evaluation.diagnosis.fit import Fit, Pair
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.masks import Known
from mpcbench.evaluation.diagnosis.mistakes.habits import counts
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.mistakes.reading import Reading
from mpcbench.evaluation.diagnosis.mistakes.variants import Variant
from mpcbench.evaluation.diagnosis.pairs import leads, pairs, singles
from mpcbench.evaluation.diagnosis.provenance import TASK, Provenance
from mpcbench.evaluation.diagnosis.slips import slips
from mpcbench.schema import Duration, World
from mpcbench.schema.cause import Reason

MOST_CHANGES: Final = 2
_SUGGESTED: Final = frozenset(ground for ground in Ground if ground < Ground.NOTHING)
_TIERS: Final = ((Ground.RECORD, Ground.PROSE), *((ground,) for ground in Ground if ground > Ground.PROSE))
_OF_FEASIBLE: Final = ((Ground.RECORD,), (Ground.PROSE, Ground.PRACTICE), *_TIERS[2:])


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
    repeated: Sequence[Slot] = ()
    """The candidates that the answer gives a second time."""

    _frames: dict[tuple[int, int], Frame] = field(default_factory=dict)
    _shared: dict[object, Any] = field(default_factory=dict)

    def smallest(self) -> list[Explanation]:
        """The explanations with the fewest changes.

        Tries single mistakes, those on the strongest ground first, and at last pairs of mistakes that records or
        habits suggest. If some explanations lead to the answer's order, too, only these count; pairs must.
        Explanations that a random answer would often have are dropped (see `chance`).
        """
        by_chance = False
        for tier in self._tiers:
            if by_chance and min(tier) >= Ground.NOTHING:
                return []  # what is far-fetched is no better than what a random answer would have, too
            found = [one for one in self._single(tier) if self._is_seen_in_order(one)]
            if self._lost is not None and (found or Ground.PRACTICE in tier):
                # Almost any habit of choosing leads to some subset of the gold.
                return most_usual([*self._too_few(), *(one for one in found if not one.is_habit)])
            if Ground.COINCIDENCE in tier and not found:
                found = [*self._double()]
            if found:
                ordered = [one for one in found if one.in_order]
                telling = likelier(smaller(self._telling(ordered or found)))
                if telling:
                    return most_usual(telling) if Ground.PRACTICE in tier else telling
                by_chance = True
        return []

    @property
    def _tiers(self) -> Sequence[Collection[Ground]]:
        """The grounds to try one after the other.

        An empty answer says little, so only records are suspected. Of an answer that breaks nothing, a figure in the
        prose is no better ground than a usual way of working.
        """
        if not self.readings[0].candidates:
            return _TIERS[:1]
        attempt = self._as_given
        return _OF_FEASIBLE if attempt is not None and attempt.fit.breaks_nothing else _TIERS

    @property
    def _lost(self) -> Pair | None:
        """The only candidate that the answer lacks, if it holds no wrong one."""
        attempt = self._as_given
        if attempt is None or not self.is_part_of_gold or len(attempt.fit.pairs) < len(self.gold) - 1:
            return None
        return next(pair for pair in self.gold if pair not in attempt.fit.pairs)

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

    def _single(self, tier: Collection[Ground]) -> Iterator[Explanation]:
        """The single mistakes on some grounds that explain the answer; an empty one by few kinds of mistake."""
        for attempt in self._attempts:
            if len(attempt.parts) == 1 and attempt.given and attempt.parts[0].ground in tier:
                yield from self._as_it_is(attempt)
            elif not attempt.parts:
                found = singles(attempt.fit, *(self._changes(attempt, tier)))
                yield from (self._explained(attempt, (), (one,), in_order=in_order) for one, in_order in found)
        if Ground.CONVENTION in tier:
            yield from self._slipped()

    def _double(self) -> Iterator[Explanation]:
        """The pairs of mistakes that something suggests and that explain the answer in its order."""
        for attempt in self._attempts:
            if attempt.given and attempt.near and len(attempt.parts) == MOST_CHANGES:
                yield from (one for one in self._as_it_is(attempt) if one.in_order)
            elif attempt.given and attempt.near:
                mistakes, additions = self.hypotheses.combined(attempt.fit)
                found: list[tuple[Change, ...]]
                if attempt.parts:
                    found = [(one,) for one, in_order in singles(attempt.fit, mistakes, additions) if in_order]
                else:
                    found = [*pairs(attempt.fit, mistakes, additions)]
                yield from (self._explained(attempt, (), changes) for changes in found)

    def _as_it_is(self, attempt: _Attempt) -> Iterator[Explanation]:
        """The explanation of an attempt without changes to its problem, if it is one."""
        in_order = leads(attempt.fit, ()) if attempt.fit.breaks_nothing else None
        if in_order is not None:
            yield self._explained(attempt, (), (), in_order=in_order)

    def _changes(self, attempt: _Attempt, tier: Collection[Ground]) -> tuple[list[Change], list[Change]]:
        """The mistakes on some grounds, and the additions; of an empty answer only policies on record."""
        fit, frame = attempt.fit, attempt.fit.frame
        if not attempt.given:
            return [], [one for one in self.hypotheses.suggested(frame) if one.part.ground in tier]
        mistakes = [*self.hypotheses.mistakes(fit)]
        if Ground.COINCIDENCE in tier:
            mistakes += self.hypotheses.coincidences(fit)
        kinds = (mistakes, self.hypotheses.additions(frame))
        of_mistakes, of_additions = ([one for one in some if one.part.ground in tier] for some in kinds)
        return of_mistakes, of_additions

    def _too_few(self) -> Iterator[Explanation]:
        """An answer that merely lacks a candidate."""
        attempt = self._as_given
        if attempt is not None:
            (too_few,) = counts(attempt.fit.frame, len(attempt.given))
            yield self._explained(attempt, [too_few.part], ())._replace(reproduces=False)

    def _slipped(self) -> Iterator[Explanation]:
        """The answer as the gold with one candidate written down wrongly."""
        frame, given = self.frame(), [*self.readings[0].candidates, *self.repeated]
        gold = [self._slot(frame, pair) for pair in self.gold]
        if len(given) != len(gold):
            return
        feasible = {self._slot(frame, pair) for pair in frame.feasible(frame.without(()), frame.choices)}
        found = slips(given, gold, feasible, self.world.zone)
        if found:
            facts = tuple(Fact(TASK, one.meant.named(), one.given.named()) for one in found)
            yield Explanation((Finding(found[0].reason, facts, Ground.CONVENTION),))

    def _slot(self, frame: Frame, pair: Pair) -> Slot:
        start, room = pair
        return Slot(frame.origin + start, frame.origin + start + frame.duration, room)

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

    def _is_seen_in_order(self, explanation: Explanation) -> bool:
        """Whether an explanation leads to the answer's order, unless that says little or the ground is strong."""
        return explanation.in_order or explanation.ground < Ground.PRACTICE or not self._has_own_order

    @cached_property
    def _has_own_order(self) -> bool:
        """Whether the answer follows neither the ranking nor the order in which people write lists."""
        attempt = self._as_given
        return attempt is not None and Lottery(attempt.fit, self.gold, in_order=True).is_unusual

    @cached_property
    def gold(self) -> tuple[Pair, ...]:
        """The gold in the problem's own frame."""
        return self.frame().gold

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
        found = self._without_usual_gaps(lottery, found)
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
        outcomes = [*self._outcomes(reason, ground)]
        if ground >= Ground.PRACTICE and lottery.is_near_miss:
            return lottery.near_misses(outcomes) <= lottery.tolerated_near_misses
        return lottery.hits(outcomes) <= lottery.tolerated(ground)

    def _are_few_in_all(self, lottery: Lottery, ground: Ground) -> bool:
        """Whether all single mistakes on this or a stronger ground together explain few answers."""
        return lottery.hits(self._outcomes(None, ground)) <= lottery.tolerated(ground)

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
        attempt = self._as_given
        if attempt is None:
            return []
        fit, frame = attempt.fit, attempt.fit.frame
        found = [*self.hypotheses.mistakes(fit), *self.hypotheses.additions(frame)]
        found += self.hypotheses.coincidences(fit) if ground is Ground.COINCIDENCE else ()
        # A change that only permits more changes the answer only by adding infeasible candidates.
        return [one for one in found if one.part.ground <= ground and not one.relaxes(frame)]

    def _outcomes(self, reason: str | None, ground: Ground) -> Iterator[Sequence[Pair]]:
        """The answers that single mistakes of a reason, or of any, lead to."""
        frame = self.frame()

        def counts_in(parts: Sequence[ChangedPart]) -> bool:
            return all(reason in {None, one.reason} and one.ground <= ground for one in parts)

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

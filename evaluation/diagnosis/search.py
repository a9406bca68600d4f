"""The counterfactual search: which one or two changes to a task make its solution exactly the answer."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mpcbench.evaluation.diagnosis.attempts import MOST_CHANGES, Attempt, Attempts, checked
from mpcbench.evaluation.diagnosis.chance import Lottery
from mpcbench.evaluation.diagnosis.change import Change, Ground
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding, likelier, most_usual, smaller, strongest
from mpcbench.evaluation.diagnosis.mistakes.habits import counts
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.odds import LIKELY, Odds, kind_of, misread
from mpcbench.evaluation.diagnosis.pairs import pairs, repairs, singles
from mpcbench.evaluation.diagnosis.provenance import TASK
from mpcbench.evaluation.diagnosis.slips import slips
from mpcbench.evaluation.diagnosis.telling import Telling
from mpcbench.schema.cause import Reason, reason_text

_TIERS: Final = ((Ground.RECORD, Ground.PROSE), *((ground,) for ground in Ground if ground > Ground.PROSE))


@dataclass(frozen=True, eq=False)
class Search:
    """The search space: attempts to explain the answer, and hypotheses about mistakes."""

    attempts: Attempts
    hypotheses: Hypotheses
    repeated: Sequence[Slot] = ()
    """The candidates that the answer gives a second time."""

    def smallest(self) -> list[Explanation]:
        """The explanations with the fewest changes.

        Of an answer that breaks nothing, those by the likeliest kinds of single mistakes (see `odds`). Of others, tries
        single mistakes, those on the strongest ground first, and at last pairs of mistakes that records or habits
        suggest, or that each repair another condition. If some explanations lead to the answer's order, too, only these
        count; pairs must. What is found is given with others that are as likely, or not at all if many are. One wrong
        candidate is not explained by two mistakes.
        """
        if self._is_choice and self.singles:
            return self._likely()
        for tier in self._tiers:
            found = [one for one in self.singles if one.ground in tier]
            if self.attempts.lost is not None and (found or Ground.PRACTICE in tier):
                # Almost any habit of choosing leads to some subset of the gold.
                return most_usual([*self._too_few(), *(one for one in found if not one.is_habit)])
            if Ground.COINCIDENCE in tier and not found and not self.attempts.has_one_wrong:
                found = (
                    self.attempts.borne_out([*self._double()])
                    if Telling(self.attempts, self.hypotheses).are_pairs_few
                    else []
                )
            if found:
                ordered = [one for one in found if one.in_order]
                kept = likelier(smaller(ordered or found))
                return self._with_others(most_usual(kept) if Ground.PRACTICE in tier else kept)
        return []

    @cached_property
    def _is_choice(self) -> bool:
        """Whether the answer breaks nothing and holds candidates beyond the gold: others were passed over for them."""
        attempt = self.attempts.as_given
        return attempt is not None and attempt.fit.breaks_nothing and not self.attempts.is_part_of_gold

    def _likely(self) -> list[Explanation]:
        """The explanations by the likeliest kinds of mistake; none if a random answer would often have one of them."""
        telling = Telling(self.attempts, self.hypotheses)
        found = [one for kind in self.odds.likeliest() for one in self._of_kind(kind)]
        few = [one for one in found if all(telling.is_few(part.reason, part.ground) for part in one.findings)]
        return few if self.odds.share({*map(kind_of, few)}) >= min(LIKELY) else []

    @property
    def _tiers(self) -> Sequence[Collection[Ground]]:
        """The grounds to try one after the other. An empty answer says little, so only records are suspected."""
        return _TIERS if self.attempts.readings[0].candidates else _TIERS[:1]

    # What is likely.

    def _with_others(self, found: Sequence[Explanation]) -> list[Explanation]:
        """Explanations with those of other kinds, the likeliest first, until the mistake is probably among them.

        Returns nothing if too many kinds are likely. Of an answer that merely lacks candidates it is certain that they
        are too few, which is said beside what leaves some doubt. A condition that was left out may as well have been
        misread. Two mistakes have no odds: nothing is returned if too many kinds of pairs lead to the answer.
        """
        most = len(LIKELY)
        if len(found[0].findings) > 1:
            found = strongest(found)
            return found if len({*map(kind_of, found)}) <= most else []
        kinds = [*dict.fromkeys(map(kind_of, found))]
        if self.attempts.is_part_of_gold:
            is_open = len(kinds) == 1 and self.odds.share(kinds) < LIKELY[0]
            return [*found, *(one for one in self._too_few() if is_open and kind_of(one) not in kinds)]
        others = [kind for kind in self.odds.ranked() if kind not in kinds]
        while len(kinds) > most or self.odds.share(kinds) < LIKELY[len(kinds) - 1]:
            if not others or len(kinds) >= most:
                return []
            kinds.append(others.pop(0))
        kinds += [kind for kind in others if len(kinds) == 1 and kind == misread(kinds[0])][:1]
        more = [one for kind in kinds for one in self._of_kind(kind)]
        return [*found, *(one for one in more if kind_of(one) not in map(kind_of, found))]

    def _of_kind(self, kind: tuple[str, ...]) -> list[Explanation]:
        """The single mistakes of a kind that explain the answer, on the strongest ground that they have."""
        found = [one for one in self._weighed if kind_of(one) == kind]
        return [one for one in found if one.ground == min(other.ground for other in found)]

    @cached_property
    def _weighed(self) -> list[Explanation]:
        ordered = [one for one in self.singles if one.in_order]
        strong = [one for one in self.singles if one.ground < Ground.PRACTICE]
        return smaller(ordered or (strong if self._has_own_order else self.singles))

    @property
    def _has_own_order(self) -> bool:
        """Whether the answer follows neither the ranking nor the order in which people write lists."""
        attempt = self.attempts.as_given
        return attempt is not None and Lottery(attempt.fit, self.attempts.gold, in_order=True).is_unusual

    @cached_property
    def odds(self) -> Odds:
        """How likely each kind of single mistake is."""
        attempt, written = self.attempts.as_given, (self.attempts.variants, self.attempts.readings)
        sizes = Counter((one.reason, one.ground) for some in written for single in some for one in single.parts)
        if attempt is None:
            return Odds.of(self._weighed, sizes, 0.0)
        sizes[reason_text(Reason.VALUE_WRONG, "duration"), Ground.NOTHING] = len(checked(attempt.fit.frame.duration))
        sizes.update(self.hypotheses.sizes(attempt.fit))
        return Odds.of(self._weighed, sizes, Lottery(attempt.fit, self.attempts.gold, in_order=True).unknown)

    # The sizes.

    @cached_property
    def singles(self) -> list[Explanation]:
        """The single mistakes that explain the answer; an empty one by few kinds of mistake."""
        return self.attempts.borne_out([*self._single()])

    def _single(self) -> Iterator[Explanation]:
        for attempt in self.attempts.every:
            if len(attempt.parts) == 1 and attempt.given:
                yield from attempt.as_it_is()
            elif not attempt.parts:
                found = singles(attempt.fit, *self._changes(attempt))
                yield from (attempt.explained((one,), in_order=in_order) for one, in_order in found)
        yield from self._slipped()

    def _double(self) -> Iterator[Explanation]:
        """The pairs of mistakes that something suggests and that explain the answer in its order."""
        for attempt in self.attempts.every:
            if attempt.given and attempt.is_near and len(attempt.parts) == MOST_CHANGES:
                yield from (one for one in attempt.as_it_is() if one.in_order)
            elif attempt.given and attempt.is_near:
                mistakes, additions = self.hypotheses.combined(attempt.fit)
                found: list[tuple[Change, ...]]
                if attempt.parts:
                    found = [(one,) for one, in_order in singles(attempt.fit, mistakes, additions) if in_order]
                else:
                    found = [*pairs(attempt.fit, mistakes, additions)]
                    found += repairs(attempt.fit, self.hypotheses.repairs(attempt.fit)) if not found else []
                yield from (attempt.explained(changes) for changes in found)

    def _changes(self, attempt: Attempt) -> tuple[Sequence[Change], Sequence[Change]]:
        """The mistakes, and the additions; of an empty answer only policies on record."""
        fit, frame = attempt.fit, attempt.fit.frame
        if not attempt.given:
            return (), [one for one in self.hypotheses.suggested(frame) if one.part.ground is Ground.RECORD]
        return [*self.hypotheses.mistakes(fit), *self.hypotheses.coincidences(fit)], self.hypotheses.additions(frame)

    def _too_few(self) -> Iterator[Explanation]:
        """An answer that merely lacks a candidate."""
        attempt = self.attempts.as_given
        if attempt is not None:
            (too_few,) = counts(attempt.fit.frame, len(attempt.given))
            yield attempt.explained((), more=[too_few.part])._replace(reproduces=False)

    def _slipped(self) -> Iterator[Explanation]:
        """The answer as the gold with one candidate written down wrongly."""
        frame, given = self.attempts.frame(), [*self.attempts.readings[0].candidates, *self.repeated]
        gold = [self.attempts.slot(pair) for pair in self.attempts.gold]
        if len(given) != len(gold):
            return
        feasible = {self.attempts.slot(pair) for pair in frame.feasible(frame.without(()), frame.choices)}
        found = slips(given, gold, feasible, self.attempts.world.zone)
        if found:
            facts = tuple(Fact(TASK, one.meant.named(), one.given.named()) for one in found)
            yield Explanation((Finding(found[0].reason, facts, Ground.CONVENTION),))

"""Attempts to explain an answer: each variant of the problem with each reading of the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from mpcbench.evaluation.diagnosis.change import Change, ChangedPart, Ground, part
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot, Stakes
from mpcbench.evaluation.diagnosis.explanation import Explanation, Finding
from mpcbench.evaluation.diagnosis.fit import Fit
from mpcbench.evaluation.diagnosis.frame import Frame, Pair
from mpcbench.evaluation.diagnosis.masks import Known
from mpcbench.evaluation.diagnosis.mistakes.reading import Reading
from mpcbench.evaluation.diagnosis.mistakes.variants import Variant
from mpcbench.evaluation.diagnosis.pairs import leads
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.oracle.local_time import GRID_MINUTES
from mpcbench.schema import Duration, World
from mpcbench.schema.cause import Reason

MOST_CHANGES: Final = 2
_STEPS: Final = (30, 60)


def checked(asked: int) -> list[int]:
    """Durations that an agent may have looked for in place of the right one, in minutes."""
    others = {asked - GRID_MINUTES, *(-(-asked // step) * step for step in _STEPS)}
    return sorted(others - {0, asked})


@dataclass(frozen=True, eq=False)
class Attempt:
    """A variant's frame with one reading of the answer."""

    parts: tuple[ChangedPart, ...]
    """The mistakes of the variant and the reading."""

    fit: Fit
    given: tuple[Slot, ...]

    @property
    def is_near(self) -> bool:
        """Whether something suggests every mistake."""
        return all(one.ground < Ground.NOTHING for one in self.parts)

    def as_it_is(self) -> Iterator[Explanation]:
        """The explanation without changes to the problem, if it is one."""
        in_order = leads(self.fit, ()) if self.fit.breaks_nothing else None
        if in_order is not None:
            yield self.explained((), in_order=in_order)

    def explained(
        self, changes: Sequence[Change], *, more: Sequence[ChangedPart] = (), in_order: bool = True
    ) -> Explanation:
        """The explanation by changes to the problem, beside the mistakes of the attempt."""

        def finding(one: ChangedPart, others: Sequence[Change]) -> Finding:
            stakes = Stakes(self.given, _missed(self.fit.frame, self.given, others))
            return Finding(one.reason, tuple(one.facts(stakes)), one.ground)

        choices = self.fit.frame.choices
        for change in changes:
            choices = choices.having(change.fields)
        return Explanation(
            (
                *(finding(one, ()) for one in (*self.parts, *more)),
                *(finding(one.part, [other for other in changes if other is not one]) for one in changes),
            ),
            in_order,
            rooms=self.fit.frame.looked_up(choices),
        )


@dataclass(frozen=True, eq=False)
class Attempts:
    """Every attempt, and the problem itself."""

    world: World
    provenance: Provenance
    known: Known
    variants: Sequence[Variant]
    """The problem itself first."""

    readings: Sequence[Reading]
    """The literal answer first."""

    looked_up: frozenset[str] | None = None
    """The rooms whose bookings the agent looked up; None if unknown."""

    _frames: dict[tuple[int, int], Frame] = field(default_factory=dict)
    _shared: dict[object, Any] = field(default_factory=dict)

    def frame(self, number: int = 0, duration: int | None = None) -> Frame:
        """The frame of a variant."""
        problem = self.variants[number].problem
        key = (number, problem.duration if duration is None else duration)
        if key not in self._frames:
            self._frames[key] = Frame(self.world, self.provenance, problem, key[1], self.known, self._shared)
        return self._frames[key]

    @cached_property
    def every(self) -> list[Attempt]:
        """Every attempt by at most two mistakes, of which no two are far-fetched together."""
        return [*self._every()]

    def _every(self) -> Iterator[Attempt]:
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
                        yield Attempt(parts, fit, candidates)

    def _durations(
        self, number: int, reading: Reading
    ) -> Iterator[tuple[tuple[ChangedPart, ...], int, tuple[Slot, ...]]]:
        """The answer under the problem's duration and, if its own differs, under that, too; else under similar ones."""
        asked = self.variants[number].problem.duration
        lengths = {one.end - one.start for one in reading.candidates}
        record, _ = self.provenance.last(Duration)
        if lengths <= {asked}:
            yield (), asked, reading.candidates
            for other in checked(asked) if lengths and not number and not reading.parts else ():
                fact = Fact(record, {"minutes": asked}, {"minutes": other})
                looked_for = part(Reason.VALUE_WRONG, "duration", fact, ground=Ground.NOTHING)
                yield (looked_for,), other, tuple(one._replace(end=one.start + other) for one in reading.candidates)
            return
        fact = Fact(record, {"minutes": asked}, {"minutes": sorted(lengths)})
        # One option of another length has a slip of its own, which is no second mistake beside one made with all.
        is_slip = sum(one.end - one.start != asked for one in reading.candidates) == 1 < len(reading.candidates)
        wrong = part(Reason.VALUE_WRONG, "duration", fact, ground=Ground.NOTHING if is_slip else Ground.RECORD)
        if len(lengths) == 1 and min(lengths) > 0:
            yield (wrong,), min(lengths), reading.candidates
        cut = tuple(dict.fromkeys(one._replace(end=one.start + asked) for one in reading.candidates))
        yield (wrong,), asked, cut

    def borne_out(self, found: Sequence[Explanation]) -> list[Explanation]:
        """The explanations that the calls bear out, if there are any: not those by which further rooms are suitable.

        Who takes a room for suitable looks its bookings up.
        """
        if self.looked_up is None:
            return [*found]
        looked_up = self.looked_up | self.frame().looked_up(self.frame().choices)
        return [one for one in found if one.rooms <= looked_up] or [*found]

    @property
    def as_given(self) -> Attempt | None:
        """The literal answer to the problem itself, if it has the right duration and is not empty."""
        return next((one for one in self.every if not one.parts and one.given), None)

    @cached_property
    def gold(self) -> tuple[Pair, ...]:
        """The gold in the problem's own frame."""
        return self.frame().gold

    @cached_property
    def is_part_of_gold(self) -> bool:
        """Whether the answer is a proper, non-empty subset of the gold."""
        attempt = self.as_given
        return attempt is not None and {*attempt.fit.pairs} < {*self.gold}

    @cached_property
    def has_one_wrong(self) -> bool:
        """Whether the answer is the gold with one candidate replaced."""
        attempt = self.as_given
        if attempt is None or len(attempt.fit.pairs) != len(self.gold):
            return False
        return len({*attempt.fit.pairs} - {*self.gold}) == 1

    @property
    def lost(self) -> Pair | None:
        """The only candidate that the answer lacks, if it holds no wrong one."""
        attempt = self.as_given
        if attempt is None or not self.is_part_of_gold or len(attempt.fit.pairs) < len(self.gold) - 1:
            return None
        return next(pair for pair in self.gold if pair not in attempt.fit.pairs)

    def slot(self, pair: Pair) -> Slot:
        """A candidate of the problem's own frame."""
        frame, (start, room) = self.frame(), pair
        return Slot(frame.origin + start, frame.origin + start + frame.duration, room)


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

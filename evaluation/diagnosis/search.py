"""The counterfactual search: which one or two changes of a task make its solution exactly the answer."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import NamedTuple

from evaluation.diagnosis.cause import Reason
from evaluation.diagnosis.change import Change, Part, changes, part
from evaluation.diagnosis.frame import Frame, Known, Proposed, everything, with_fields
from evaluation.diagnosis.invention import far_fetched_changes
from evaluation.diagnosis.reading import Reading, Written
from oracle.problem import Problem
from schema import World

MOST_CHANGES = 2


class Variant(NamedTuple):
    """A problem that the agent may have solved instead, and the mistakes that lead to it."""

    parts: tuple[Part, ...]
    problem: Problem
    known: Known = everything


class Explanation(NamedTuple):
    """Mistakes that together lead to the whole answer."""

    parts: tuple[Part, ...]
    in_order: bool
    """Whether they lead to the answer's order, too."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons, sorted."""
        return tuple(sorted(one.reason for one in self.parts))


@dataclass(frozen=True)
class _Attempt:
    """A variant's frame with one reading of the answer."""

    parts: tuple[Part, ...]
    frame: Frame
    answer: Proposed
    candidates: int


class _Weighed(NamedTuple):
    """A change, and what it does to the answer's chances on its own."""

    change: Change
    excess: int
    """The starts that still stand in the way."""

    only_adds: bool
    never_forbids: bool


def _hopeless(first: _Weighed, second: _Weighed) -> bool:
    """Whether starts stand in the way of two changes together for certain."""
    return any(
        (one.only_adds and other.excess & one.change.allowed) or (one.never_forbids and other.excess)
        for one, other in ((first, second), (second, first))
    )


@dataclass(frozen=True)
class Search:
    """What is looked through."""

    world: World
    variants: Sequence[Variant]
    """The problem itself first."""

    readings: Sequence[Reading]
    """The answer as it stands first."""

    policies: Collection[str] | None
    """IDs of the policies that the agent may have applied; None if that is not known."""

    calendars: Collection[str]
    """The people whose calendars it saw."""

    def smallest(self) -> list[Explanation]:
        """The explanations of the fewest changes, nothing far-fetched if anything else will do.

        Where some lead to the order of the answer, too, only those. There are thousands of pairs of changes, so two
        changes explain an answer only if they lead to its order as well.
        """
        attempts = list(self._attempts())
        weighed: dict[tuple[int, bool], list[Change]] = {}
        for size in range(1, MOST_CHANGES + 1):
            for far_fetched in (0, 1):
                found = [
                    explanation
                    for attempt in attempts
                    for explanation in self._of_size(attempt, size, far_fetched, weighed)
                ]
                ordered = [explanation for explanation in found if explanation.in_order]
                if ordered or (found and size == 1):
                    return ordered or found
        return []

    def _attempts(self) -> Iterator[_Attempt]:
        frames: dict[tuple[int, int], Frame] = {}
        shared: dict[tuple[str, int, Known], int] = {}
        for number, variant in enumerate(self.variants):
            for reading in self.readings:
                parts = variant.parts + reading.parts
                for extra, duration, candidates in _durations(variant.problem, reading):
                    if len(parts) + len(extra) > MOST_CHANGES:
                        continue
                    key = (number, duration)
                    if key not in frames:
                        frames[key] = Frame(self.world, variant.problem, duration, variant.known, shared)
                    answer = frames[key].proposed([(one.start, one.room_id) for one in candidates])
                    if answer is not None:
                        yield _Attempt((*parts, *extra), frames[key], answer, len(candidates))

    def _of_size(
        self, attempt: _Attempt, size: int, far_fetched: int, weighed: dict[tuple[int, bool], list[Change]]
    ) -> Iterator[Explanation]:
        """The explanations of so many parts, so many of them far-fetched."""
        frame, answer = attempt.frame, attempt.answer
        more = size - len(attempt.parts)
        far = far_fetched - sum(one.far_fetched for one in attempt.parts)
        if not 0 <= far <= more:
            return
        violated = frozenset(key for key, mask in frame.masks.items() if answer.starts & ~mask)
        near = self._weighed(attempt, weighed, far_fetched=False) if more > far else []
        distant = self._weighed(attempt, weighed, far_fetched=True) if far else []
        for some in product(combinations(near, more - far), combinations(distant, far)):
            both = some[0] + some[1]
            if violated and not violated <= frozenset(chain.from_iterable(one.change.touched for one in both)):
                continue
            if len(both) < MOST_CHANGES or not _hopeless(*both):
                yield from self._checked(attempt, [one.change for one in both])

    def _weighed(
        self, attempt: _Attempt, known: dict[tuple[int, bool], list[Change]], *, far_fetched: bool
    ) -> list[_Weighed]:
        """The changes that leave room for the answer."""
        frame, answer = attempt.frame, attempt.answer
        key = (id(frame), far_fetched)
        if key not in known:
            known[key] = (
                far_fetched_changes(frame)
                if far_fetched
                else changes(frame, policies=self.policies, calendars=self.calendars, given=attempt.candidates)
            )
        return [
            _Weighed(
                one,
                frame.excess(frame.without(one.touched) & one.allowed, with_fields(frame.choices, one.fields), answer),
                one.only_adds(frame),
                one.never_forbids(frame),
            )
            for one in known[key]
            if not answer.starts & ~one.allowed
        ]

    @staticmethod
    def _checked(attempt: _Attempt, some: Sequence[Change]) -> Iterator[Explanation]:
        frame, answer = attempt.frame, attempt.answer
        touched: frozenset[str] = frozenset()
        fields: dict[str, object] = {}
        allowed = -1
        for change in some:
            if not touched.isdisjoint(change.masks) or (fields and not fields.keys().isdisjoint(change.fields)):
                return
            touched |= change.touched
            fields |= change.fields
            allowed &= change.allowed
        choices = with_fields(frame.choices, fields) if fields else frame.choices
        in_order = frame.leads_to(frame.without(touched) & allowed, choices, answer)
        if in_order is not None:
            yield Explanation((*attempt.parts, *(change.part for change in some)), in_order)


def _durations(problem: Problem, reading: Reading) -> Iterator[tuple[tuple[Part, ...], int, tuple[Written, ...]]]:
    """The answer under the duration of the problem and, where it has another one, under its own."""
    lengths = {one.end - one.start for one in reading.candidates}
    if lengths <= {problem.duration}:
        yield (), problem.duration, reading.candidates
        return
    wrong = part(Reason.VALUE_WRONG, "duration", used=[*sorted(lengths)], asked=problem.duration)
    if len(lengths) == 1 and min(lengths) > 0:
        yield (wrong,), min(lengths), reading.candidates
    cut = tuple(dict.fromkeys(one._replace(end=one.start + problem.duration) for one in reading.candidates))
    yield (wrong,), problem.duration, cut

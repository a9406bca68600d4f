"""What explains a wrong answer of level 4: the task is solved again with one thing misread or lost, until that is the answer.

Nothing is claimed that does not lead to the whole answer. The label's certificate says how many candidates of the gold each
misreading and each lost fact costs, so only those are solved again that cost as many as the answer lacks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Final, NamedTuple

from mpcbench.evaluation.diagnosis.level4.shown import KNOWN
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.facts import EVERYTHING, Fact, Reach, facts
from mpcbench.oracle.level4.hidden import hidden
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.load import EVERYWHERE
from mpcbench.oracle.level4.misreadings import MISREADINGS, Misreading, misread
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, gives
from mpcbench.oracle.level4.stage import Stage, stage
from mpcbench.oracle.level4.touched import Touched, touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.cause import Cause, Evidence, Reason, reason_text
from mpcbench.schema.episode import AnswerCandidate
from mpcbench.schema.level4.calendar import Entry
from mpcbench.schema.level4.dataset import LadderExam
from mpcbench.schema.level4.label import LadderCandidate
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.model import to_minutes

MOST_SOLVED: Final = 40
"""Changed tasks that are solved for one answer, so that a diagnosis does not take seconds."""

_MOST: Final = 8
"""Explanations of one answer."""

Answer = frozenset[Pick]


class Found(NamedTuple):
    """An explanation: solved with this one change, the task gives the answer."""

    reason: str
    evidence: Evidence


@dataclass
class Counterfactuals:
    """The task of an exam, to be solved with changes.

    Args:
        exam: The task with its label.
        answer: The candidates of the answer, not all of them right.
        first_call: The number of the first call that showed each record.
    """

    exam: LadderExam
    answer: Sequence[AnswerCandidate]
    first_call: Mapping[str, int]
    solved: int = 0
    """How many changed tasks have been solved."""

    @cached_property
    def given(self) -> Answer:
        """The answer as the engine would give it; an answer that no task can have is empty."""
        plan = any(one.meeting is not None for one in self.exam.label.gold)
        found = [
            Pick(to_minutes(one.start), to_minutes(one.end), one.room_id or "", one.meeting if plan else None)
            for one in self.answer
        ]
        return frozenset(found) if len(set(found)) == len(found) else frozenset()

    @cached_property
    def _gold(self) -> Answer:
        return frozenset(map(_pick, self.exam.label.gold))

    @cached_property
    def lost(self) -> int:
        """How many candidates of the gold the answer lacks."""
        return len(self._gold - self.given)

    @cached_property
    def knowledge(self) -> Knowledge:
        """Everything that decides the gold."""
        return knowledge_of(self.exam.world, self.exam.instance, KNOWN.of(self.exam.world))

    @cached_property
    def _stage(self) -> Stage:
        return stage(self.knowledge, counted=False)

    @cached_property
    def _touched(self) -> Touched:
        return touched(self.knowledge)

    def without(self, records: Iterable[str]) -> bool:
        """Whether the task, solved without these records, has the answer as its solution."""
        return bool(self.given) and self._leads(lambda: reduce(hidden, records, self.knowledge))

    def causes(self) -> tuple[Cause, ...]:
        """The misreadings and lost facts each of which alone leads to the answer, as alternatives; empty without any.

        Habits come first, then lost facts. Things misread once are tried only where neither explains the answer.
        """
        if not self.given:
            return ()
        found = [*self.habits(), *self._lost()] or [*self._slips()]
        return tuple(
            Cause(reason=one.reason, evidence=(one.evidence,), changes=1, alternative=number, reproduces=True)
            for number, one in enumerate(found[:_MOST], start=1)
        )

    def habits(self) -> Iterator[Found]:
        """What is misread wherever it can be."""
        for misreading in MISREADINGS:
            if not self._may(misreading, EVERYWHERE):
                continue
            believed = misread(self.knowledge, self._touched, misreading)
            if believed is not None and self._leads(partial(_same, believed)):
                yield _misread(misreading, EVERYWHERE)

    def _slips(self) -> Iterator[Found]:
        """What is misread in one place."""
        for misreading in MISREADINGS:
            slips = list(misreading.slips(self.knowledge, self._touched))
            for slip in slips if len(slips) > 1 else ():
                if self._is_spent:
                    return
                if self._may(misreading, slip.misread) and self._leads(partial(slip.apply, self.knowledge)):
                    yield _misread(misreading, slip.misread)
                    break

    def _may(self, misreading: Misreading, name: str) -> bool:
        """Whether it costs as many candidates as the answer lacks, as far as the certificate tells."""
        costs = self._costs.get((misreading.mechanism, misreading.way), {})
        return costs.get(name, self.lost) == self.lost

    @cached_property
    def _costs(self) -> Mapping[tuple[Mechanism, str], Mapping[str, int | None]]:
        """How many candidates each misreading costs, by mechanism and way, and by what is misread."""
        certificate = self.exam.label.certificate
        costs: dict[tuple[Mechanism, str], dict[str, int | None]] = {}
        for one in () if certificate is None else certificate.misreadings:
            costs.setdefault((one.mechanism, one.way), {})[one.misread] = one.gold_lost
        return costs

    def _lost(self) -> Iterator[Found]:
        certificate = self.exam.label.certificate
        costly = (
            None
            if certificate is None or not certificate.load_bearing
            else {one.fact for one in certificate.load_bearing if one.gold_lost == self.lost}
        )
        if costly is not None and not costly:
            return
        for fact in facts(self.knowledge, self._touched, EVERYTHING if costly is None else _Entries(costly)):
            if self._is_spent:
                return
            if (costly is None or fact.name in costly) and self._leads(partial(fact.lose, self.knowledge)):
                yield Found(_reason(fact), self._evidence(fact))

    def _evidence(self, fact: Fact) -> Evidence:
        return Evidence(record=fact.record, values={"fact": fact.name}, tool_call=self.first_call.get(fact.record))

    @property
    def _is_spent(self) -> bool:
        """Whether so many tasks have been solved that none is any more."""
        return self.solved >= MOST_SOLVED

    def _leads(self, believed: Callable[[], Knowledge]) -> bool:
        """Whether somebody who knows this would give the answer; false once too many tasks have been solved."""
        if self._is_spent:
            return False
        self.solved += 1
        try:
            return gives(believed(), self.given, self._stage, self._gold)
        except (UnresolvedError, SearchLimitError):
            return False


class _Entries(Reach):
    """Everything but entries that none of some facts is about; most of the facts of a world are about entries."""

    def __init__(self, names: Iterable[str]) -> None:
        of_entries = [name.partition(":")[2].split(".") for name in names if "." in name]
        self._owners = {name[0] for name in of_entries}
        self._entries = {name[1] for name in of_entries}

    def calendar(self, kind: str, owner: str) -> bool:  # noqa: ARG002 - IDs tell owners apart
        return owner in self._owners

    def entry(self, kind: str, owner: str, entry: Entry) -> bool:  # noqa: ARG002 - IDs tell entries from all others
        return entry.event_id in self._entries


def _same(knowledge: Knowledge) -> Knowledge:
    return knowledge


def _misread(misreading: Misreading, name: str) -> Found:
    reason = reason_text(Reason.MECHANISM_MISREAD, f"{misreading.mechanism.value}_{misreading.way}")
    return Found(reason, Evidence(values={"misread": "all of its kind" if name == EVERYWHERE else name}))


def _reason(fact: Fact) -> str:
    return reason_text(Reason.FACT_LOST, fact.name.partition(":")[0])


def _pick(one: LadderCandidate) -> Pick:
    return Pick(to_minutes(one.start), to_minutes(one.end), one.room_id, one.meeting)

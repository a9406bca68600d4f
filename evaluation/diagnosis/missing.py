"""Failures of decomposition and acquisition: sources never queried, records never seen."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mpcbench.evaluation.diagnosis.choices import Spans
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot, as_evidence
from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.evaluation.diagnosis.frame import Frame
from mpcbench.evaluation.diagnosis.gaps import gaps
from mpcbench.evaluation.diagnosis.provenance import TASK, Provenance, record_of
from mpcbench.evaluation.diagnosis.within_reach import within_reach
from mpcbench.oracle import Problem, UnresolvedError, resolve
from mpcbench.schema import AddParticipant, AfterEvent, CallPolicy, Instance, Label, Participants, Source, World
from mpcbench.schema.cause import Cause, Reason, reason_text
from mpcbench.schema.episode import ToolCall
from mpcbench.schema.model import Level

_OF_KIND = {
    "calendar": Source.CALENDAR,
    "policy": Source.POLICY,
    "thread": Source.THREADS,
    "person": Source.DIRECTORY,
    "room": Source.ROOMS,
    "room_calendar": Source.ROOMS,
}
_SOURCES = (Source.THREADS, Source.POLICY, Source.DIRECTORY, Source.CALENDAR, Source.ROOMS)
_KINDS = ("thread", "policy", "person", "calendar", "room", "room_calendar")


def source_of(record: str) -> Source | None:
    """The source of a record, by record ID; None for a decoy."""
    return _OF_KIND.get(_kind(record))


class _Lack(NamedTuple):
    """Records of one kind that the agent lacks."""

    reason: str
    records: tuple[str, ...]
    """Those that it had a lead to, see `Missing._roots`."""

    never_seen: frozenset[str] = frozenset()
    """All required records of the kind that were never seen."""

    in_part: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Missing:
    """What its task needs and the agent lacks."""

    world: World
    instance: Instance
    problem: Problem
    label: Label
    provenance: Provenance
    exposure: Exposure
    queried: frozenset[Source | None]
    calls: Sequence[ToolCall] = ()

    @cached_property
    def sources(self) -> list[Source]:
        """The needed sources that were never queried."""
        return [source for source in _SOURCES if source in self.label.sources and source not in self.queried]

    @cached_property
    def led_to(self) -> list[Source]:
        """Those of the sources that the task or a record that was seen leads to.

        A policy that only an unseen thread calls for cannot be looked up: what the agent lacks is the thread.
        """
        unreachable = self._named_by_unseen
        needed = {source: {one for one in self.label.records if source_of(one) is source} for source in self.sources}
        return [source for source in self.sources if not needed[source] or not needed[source] <= unreachable]

    @cached_property
    def records(self) -> list[str]:
        """The required records that were never shown."""
        return [record for record in self.label.records if record not in self.exposure.calls]

    @cached_property
    def in_part(self) -> dict[str, Spans]:
        """The required calendars with unseen events that matter, and these events."""
        if not any(record in self.label.records for record in self.exposure.days):
            return {}
        found = gaps(Frame(self.world, self.provenance, self.problem, self.problem.duration), self.exposure)
        return {record: events for record, events in found.items() if record in self.label.records}

    @property
    def decomposition(self) -> float | None:
        """The share of the needed sources that the agent queried."""
        return _share(len(self.sources), len(self.label.sources))

    @property
    def acquisition(self) -> float | None:
        """The share of the required records that the agent saw, calendars with all days that matter."""
        return _share(len(self.records) + len(self.in_part), len(self.label.records))

    def never_queried(self, answer: Sequence[Slot]) -> tuple[Cause, ...]:
        """The sources never queried, except those that only another unqueried source leads to."""
        level = self.instance.level
        roots = [source for source in self.led_to if not any(_follows(source, other, level) for other in self.sources)]
        reproduces = self._reproduces(answer, frozenset(self.records))
        return tuple(
            self._cause(
                reason_text(Reason.SOURCE_NEVER_QUERIED, source.value),
                [self._content(record, answer) for record in self.records if source_of(record) is source]
                or [Fact(TASK, {"needed": source})],
                reproduces=reproduces,
            )
            for source in roots
        )

    def never_seen(self, answer: Sequence[Slot]) -> tuple[Cause, ...]:
        """The records never seen or seen in part, by kind.

        The certificate guarantees that lacking any of them changes the gold. If lacking one kind alone leads to the
        answer, only such kinds are reported, as alternatives; otherwise all are.
        """
        lacks = [*self._lacks()]
        alone = [lack for lack in lacks if self._reproduces(answer, lack.never_seen, lack.in_part)]
        if alone:
            return tuple(
                self._cause(lack.reason, self._facts(lack, answer), reproduces=True, alternative=number)
                for number, lack in enumerate(alone, start=1)
            )
        whole = self._reproduces(answer, frozenset(self.records), frozenset(self.in_part))
        return tuple(self._cause(lack.reason, self._facts(lack, answer), reproduces=whole) for lack in lacks)

    def _lacks(self) -> Iterator[_Lack]:
        roots = self._roots()
        for kind in sorted({_kind(record) for record in roots}, key=_KINDS.index):
            yield _Lack(
                reason_text(Reason.RECORD_NEVER_SEEN, kind),
                tuple(record for record in roots if _kind(record) == kind),
                never_seen=frozenset(record for record in self.records if _kind(record) == kind),
            )
        for kind in sorted({_kind(record) for record in self.in_part}, key=_KINDS.index):
            records = tuple(record for record in self.in_part if _kind(record) == kind)
            yield _Lack(reason_text(Reason.RECORD_SEEN_IN_PART, kind), records, in_part=frozenset(records))

    def _roots(self) -> list[str]:
        """The unseen records that the agent had a lead to: those that no other unseen record must name first."""
        named = set()
        for record in self.records:
            kind, _, name = record.partition(":")
            if kind == "room":
                named.add(f"room_calendar:{name}")
            elif kind == "calendar":  # says what looking the person up would have been for
                named.add(f"person:{name}")
        named |= self._named_by_unseen
        return [record for record in self.records if record not in named]

    @cached_property
    def _named_by_unseen(self) -> set[str]:
        """The records that only unseen records lead to."""
        unseen = {*self.records}
        named_by_seen = set(self._named(lambda record: record not in unseen))
        return set(self._named(lambda record: record in unseen)) - named_by_seen

    def _named(self, where: Callable[[str], bool]) -> Iterable[str]:
        """The records that the statements in some records, or in the task, lead to."""
        for item in self.provenance.located:
            if where(record_of(item)):
                people: tuple[str, ...] = ()
                match item.statement:
                    case Participants(person_ids=ids):
                        people = ids
                    case AddParticipant(person_id=person) | AfterEvent(person_id=person):
                        people = (person,)
                    case CallPolicy(policy_id=policy):
                        yield f"policy:{policy}"
                for person in people:
                    yield f"person:{person}"
                    yield f"calendar:{person}"

    def _reproduces(
        self, answer: Sequence[Slot], never_seen: frozenset[str], in_part: frozenset[str] = frozenset()
    ) -> bool | None:
        """Whether the task without some records has exactly the answer as its solution; None if it is unsolvable."""

        def known(record: str, events: Spans) -> Spans:
            if record in never_seen:
                return ()
            return self.exposure.known(record, events) if record in in_part else events

        try:
            problem = resolve(self.world, self.instance, hidden=never_seen)
        except UnresolvedError:
            return None
        frame = Frame(self.world, self.provenance, problem, problem.duration, known)
        top = frame.top(frame.without(frame.unknown_ends if in_part else ()), frame.choices)
        begin, lasts = frame.origin, frame.duration
        return {Slot(begin + start, begin + start + lasts, room) for start, room in top} == {*answer}

    # Evidence.

    def _cause(self, reason: str, facts: Iterable[Fact], *, reproduces: bool | None, alternative: int = 1) -> Cause:
        return Cause(
            reason=reason,
            evidence=tuple(as_evidence(fact, self.exposure.calls.get(fact.record), self.world.zone) for fact in facts),
            alternative=alternative,
            reproduces=reproduces,
        )

    def _facts(self, lack: _Lack, answer: Sequence[Slot]) -> Iterator[Fact]:
        for record in lack.records:
            if record in lack.in_part:
                yield Fact(record, {"events": self.in_part[record]}, {"days_asked_for": self.exposure.days[record]})
            else:
                yield self._content(record, answer)

    def _content(self, record: str, answer: Sequence[Slot]) -> Fact:
        """A record that was never seen, with its content and how it could have been seen."""
        return self._bare(record, answer)._replace(more=within_reach(record, self.world, self.provenance, self.calls))

    def _bare(self, record: str, answer: Sequence[Slot]) -> Fact:
        kind, _, name = record.partition(":")
        match kind:
            case "thread":
                stated = [item.statement for item in self.provenance.located if record_of(item) == record]
                return Fact(record, [{statement.kind: statement} for statement in stated])
            case "policy":
                return Fact(record, {rule.kind: rule for rule in self.world.policy_by_id[name].rules})
            case "person":
                person = self.world.person_by_id[name]
                return Fact(record, {"name": person.name, "team": person.team})
            case "room":
                room = self.world.room_by_id[name]
                return Fact(record, {"capacity": room.capacity, "site": room.site, "equipment": room.equipment})
            case _:
                return Fact(record, {"events": self._overlapped(kind, name, answer)})

    def _overlapped(self, kind: str, name: str, answer: Sequence[Slot]) -> list[object]:
        """The events of a calendar that the answer overlaps; of a room calendar, by candidates in that room."""
        indexes = self.world.busy if kind == "calendar" else self.world.booked
        spans = [slot.span for slot in answer if kind == "calendar" or slot.room_id == name]
        events = indexes[name].intervals if name in indexes else ()
        return [event for event in events if any(event.overlaps(span) for span in spans)]


def _share(lacking: int, needed: int) -> float | None:
    return (needed - lacking) / needed if needed else None


def _kind(record: str) -> str:
    return record.partition(":")[0]


def _follows(source: Source, other: Source, level: Level) -> bool:
    """Whether an agent that skips the other source cannot know what to ask this one for."""
    if other is Source.THREADS:
        return source is Source.POLICY if level == 2 else level == 3 and source is not Source.THREADS
    return other is Source.DIRECTORY and source is Source.CALENDAR

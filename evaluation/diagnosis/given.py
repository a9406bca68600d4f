"""The answer that an agent gave by what it was shown, and the causes that explain it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

from mpcbench.evaluation.diagnosis.alternatives import UNEXPLAINED, causes
from mpcbench.evaluation.diagnosis.attempts import Attempts
from mpcbench.evaluation.diagnosis.emptied import leaving_nothing
from mpcbench.evaluation.diagnosis.evidence import Fact, Slot, as_evidence
from mpcbench.evaluation.diagnosis.exposure import Exposure
from mpcbench.evaluation.diagnosis.masks import everything
from mpcbench.evaluation.diagnosis.mistakes.hypotheses import Hypotheses
from mpcbench.evaluation.diagnosis.mistakes.reading import readings, repeated
from mpcbench.evaluation.diagnosis.mistakes.variants import variants
from mpcbench.evaluation.diagnosis.provenance import Provenance
from mpcbench.evaluation.diagnosis.search import Search
from mpcbench.evaluation.diagnosis.sought import sought
from mpcbench.evaluation.diagnosis.titles import titled
from mpcbench.evaluation.diagnosis.upstream import upstream
from mpcbench.oracle import Problem
from mpcbench.schema import Duration
from mpcbench.schema.cause import Cause, Evidence, Reason, reason_text
from mpcbench.schema.episode import Episode
from mpcbench.schema.exam import Exam


@dataclass(frozen=True, eq=False)
class Given:
    """A wrong answer, and what the agent could know."""

    exam: Exam
    episode: Episode
    problem: Problem
    provenance: Provenance
    exposure: Exposure | None
    """What the agent was shown; None if its calls are unknown."""

    slots: tuple[Slot, ...] | None
    """The distinct candidates; None if no small mistake can have led to them."""

    def causes(self) -> tuple[Cause, ...]:
        """The causes of integration; empty if none explains the answer."""
        if self.slots is not None:
            found = causes(self._search(self.slots).smallest(), self._calls, self.exam.world.zone)
            if found != UNEXPLAINED:
                return titled(found, self.exam.world)
        return self._other_duration()

    def led_past(self, unseen: Collection[str]) -> tuple[Cause, ...]:
        """The mistakes that made needed records seem unneeded, so that they were never looked up; empty if none did."""
        if not self.slots:
            return ()
        found = upstream(self._search(self.slots).attempts, unseen)
        return causes(found, self._calls, self.exam.world.zone) if found else ()

    def leaving_nothing(self) -> tuple[Evidence, ...]:
        """What would leave no option, of an answer without options; empty for others."""
        if self.slots != ():
            return ()
        search = self._search(())
        found = leaving_nothing(search.attempts, search.hypotheses)
        return tuple(as_evidence(one, self._calls.get(one.record), self.exam.world.zone) for one in found)

    def _other_duration(self) -> tuple[Cause, ...]:
        """Another duration than asked for: the answer shows it if no candidate has the right one, whatever else it has."""
        asked = self.problem.duration
        lengths = {(one.end - one.start) // timedelta(minutes=1) for one in self.episode.answer or ()}
        if not lengths or asked in lengths:
            return ()
        record, _ = self.provenance.last(Duration)
        fact = Fact(record, {"minutes": asked}, {"minutes": sorted(lengths)})
        evidence = as_evidence(fact, self._calls.get(record), self.exam.world.zone)
        return (Cause(reason=reason_text(Reason.VALUE_WRONG, "duration"), evidence=(evidence,)),)

    @property
    def _calls(self) -> Mapping[str, int | None]:
        return {} if self.exposure is None else self.exposure.calls

    def _search(self, answer: tuple[Slot, ...]) -> Search:
        """The search for changes that lead to an answer."""
        world, instance, exposure = self.exam.world, self.exam.instance, self.exposure
        looked_up = [record for record, call in self._calls.items() if call is not None]
        names = {room.name.casefold(): room.room_id for room in world.rooms}
        return Search(
            Attempts(
                world,
                self.provenance,
                everything if exposure is None else exposure.known,
                variants(world, instance, self.problem, self.provenance, looked_up),
                readings(answer, world.zone, names, self.problem.window),
                None if exposure is None else exposure.looked_up("room_calendar"),
            ),
            Hypotheses(
                policies=None if exposure is None else exposure.ids("policy"),
                calendars=frozenset() if exposure is None else exposure.ids("calendar"),
                sought=None
                if exposure is None or world.level == 1  # level 1 shows each policy by itself
                else sought(world, self.provenance, self.episode.tool_calls),
                needed=[
                    record.partition(":")[2] for record in self.exam.label.records if record.startswith("calendar:")
                ],
            ),
            repeated(self.episode.answer or ()),
        )

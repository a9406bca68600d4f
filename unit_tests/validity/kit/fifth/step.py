"""The parts that agents of this kit share: the expectation with its rationale, reasons, and times of the wall clock."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from mpcbench.benchmark.agents.reference.desk import minutes
from mpcbench.benchmark.agents.reference.facts import Busy, Facts, PersonName
from mpcbench.schema.cause import Stage
from unit_tests.validity.kit.core import FlawedAgent, Mind, Plan
from unit_tests.validity.kit.fourth.step import clock

WEEK: Final = timedelta(days=7)
ALL_DAYS: Final = frozenset(range(7))
WORKING_DAYS: Final = frozenset(range(5))

WRONG: Final = "integration.value_wrong"
OMITTED: Final = "integration.constraint_omitted"
ADDED: Final = "integration.constraint_added"
OVERLOOKED: Final = "integration.record_overlooked"
MISREAD: Final = "integration.record_misread"
SLIP: Final = "integration.candidate_slip"
HABIT: Final = "integration.habit"
RANKING: Final = "integration.ranking"
TIES: Final = "integration.ranking:tie_break"
TOO_FEW: Final = "integration.count:too_few"
TOO_MANY: Final = "integration.count:too_many"
NEVER: Final = "acquisition.record_never_seen"
PART: Final = "acquisition.record_seen_in_part"
SOURCE: Final = "decomposition.source_never_queried"
BROKEN: Final = "observed.condition_broken"
PASSED: Final = "observed.passed_over"
ONE: Final = "observed.one_wrong"
NUMBER: Final = "observed.wrong_number"


def agent(
    name: str,
    description: str,
    plan: Plan,
    *right: str,
    also: Sequence[str] = (),
    why: str,
    stage: Stage = Stage.INTEGRATION,
    levels: tuple[int, ...] = (1, 2, 3),
    single: bool = False,
) -> FlawedAgent:
    """An agent; `why` says why a fair reader would give these reasons, or accept those in `also`."""
    return FlawedAgent(
        name=f"k6-{name}",
        description=description,
        stage=stage,
        expected=why,
        reasons=right,
        acceptable=tuple(also),
        plan=plan,
        levels=levels,
        single=single,
    )


def of_each(start: str, details: Sequence[str]) -> tuple[str, ...]:
    """The reason with each of the details."""
    return tuple(f"{start}:{detail}" for detail in details)


def moved(busy: Busy, facts: Facts, by: timedelta) -> Busy:
    """An entry at another time of the wall clock."""
    start, end = (minutes(clock(moment, facts) + by) for moment in (busy.start, busy.end))
    return busy._replace(start=start, end=end)


def organiser(mind: Mind) -> PersonName | None:
    """Whoever has written the kick-off of the meeting."""
    if not mind.about.kickoff:
        return None
    name, _, team = (mind.about.kickoff[0].author or "").rstrip(")").partition(" (")
    return PersonName(name, team or None)

"""The reference agent of level 4 with one misreading, and the agent that follows the plan of level 3."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import ReadingError
from mpcbench.benchmark.agents.reference.any_level import is_ladder, reference_agent
from mpcbench.benchmark.agents.reference.level4.agent import LadderAgent
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.misreadings import MISREADINGS, Misreading, misread_all, ways_of
from mpcbench.schema.episode import Reply
from mpcbench.schema.level4.mechanism import Mechanism

_NOTHING: Final = '{"candidates": []}'
_CONFUSING: Final = frozenset({"other_meeting", "other_edition"})
"""The ways that take one meeting for another: whoever has them has come across other meetings."""

_FIRST_STATE: Final = "first_state"


@dataclass(frozen=True, slots=True)
class LadderFlaw:
    """One known defect at level 4."""

    name: str
    description: str
    """What the agent does wrong, in one sentence."""

    mechanisms: tuple[Mechanism, ...]
    """The mechanisms that it resolves in a wrong way."""

    agent: "LadderFlawedAgent"


@dataclass(frozen=True, slots=True)
class LadderFlawedAgent:
    """The reference agent with a defect at level 4; at other levels the unchanged one."""

    stages: LadderAgent

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        """Run one episode; it gives no options where its misreadings leave nothing to go by."""
        if not is_ladder(tools):
            return reference_agent(task, tools, budget)
        try:
            return self.stages(task, tools, budget)
        except ReadingError:
            return Reply(text=_NOTHING, turns=max((call.turn for call in tools.log), default=0) + 1)


def _unruled(knowledge: Knowledge, misreadings: Sequence[Misreading]) -> Knowledge:
    """What somebody believes who has these habits and looks for no rules and notices, since no message names any."""
    return replace(misread_all(knowledge, misreadings), policies=(), notices=())


def _agent(
    *misreadings: Misreading, habit: Callable[[Knowledge, Sequence[Misreading]], Knowledge] = misread_all
) -> LadderFlawedAgent:
    ways = {misreading.way for misreading in misreadings}
    return LadderFlawedAgent(
        LadderAgent(
            habit=lambda knowledge: habit(knowledge, misreadings),
            looks_again=_FIRST_STATE not in ways,
            reads_all=bool(ways & _CONFUSING),
        )
    )


def _single(misreading: Misreading) -> LadderFlaw:
    mechanism, way = _words(misreading.mechanism.value), _words(misreading.way)
    description = f"Misreads {mechanism} wherever it can: {way}."
    name = f"{mechanism} {way}".replace(" ", "-")
    return LadderFlaw(name, description, (misreading.mechanism,), _agent(misreading))


def _ignorant(mechanism: Mechanism) -> LadderFlaw:
    words = _words(mechanism.value)
    description = f"Misreads {words} in every obvious way at once."
    return LadderFlaw(f"ignores-{words.replace(' ', '-')}", description, (mechanism,), _agent(*ways_of(mechanism)))


def _plan_of_level_3() -> LadderFlaw:
    """Of every mechanism the first way, which needs nothing but what the plan of level 3 looks up."""
    first: dict[Mechanism, Misreading] = {}
    for misreading in MISREADINGS:
        first.setdefault(misreading.mechanism, misreading)
    description = "Follows the plan of level 3: searches the name, takes all that it reads for decided, intersects."
    return LadderFlaw("level3-plan", description, tuple(Mechanism), _agent(*first.values(), habit=_unruled))


def _words(name: str) -> str:
    return name.replace("_", " ")


LADDER_FLAWS: Final[Mapping[str, LadderFlaw]] = MappingProxyType(
    {flaw.name: flaw for flaw in (*map(_single, MISREADINGS), *map(_ignorant, Mechanism), _plan_of_level_3())}
)
"""Every flaw of level 4 by name: single misreadings, whole mechanisms, and the plan of level 3."""

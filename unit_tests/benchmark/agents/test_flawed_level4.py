"""Flawed agents of level 4: each misreads what it has read as the engine's misreading does."""

from itertools import islice
from random import Random

import pytest

from mpcbench.benchmark.agents.flawed import FLAWS, FlawError, any_flawed_agent, flaws_named
from mpcbench.benchmark.agents.flawed.level4.habits import LADDER_FLAWS, LadderFlawedAgent
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle.level4.misreadings import MISREADINGS, Misreading, misread
from mpcbench.oracle.level4.solve import solve
from mpcbench.oracle.level4.touched import touched
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema.level4.instance import Change
from mpcbench.schema.level4.label import LadderCandidate
from mpcbench.schema.level4.mechanism import Mechanism
from unit_tests.builders.committed import DATASET
from unit_tests.builders.ladder_episodes import Scene, blocked, changed, own_meetings, plan

SCENES_TRIED, LEAST_TRIED = 8, 8
_ELSEWHERE = {"first_state", "other_meeting", "other_edition", "greedy", "order_ignored", "limit_ignored"}
"""Ways that need a change, a plan, or meetings that are called alike."""


def flaw_of(misreading: Misreading) -> str:
    return f"{misreading.mechanism} {misreading.way}".replace("_", "-").replace(" ", "-")


def believed(scene: Scene, misreading: Misreading) -> tuple[LadderCandidate, ...] | None:
    """What follows from a misreading of everything; None if it leaves the gold as it is."""
    wrong = misread(scene.knowledge, touched(scene.knowledge), misreading)
    if wrong is None:
        return None
    try:
        answer = solve(wrong).gold
    except UnresolvedError:
        return ()
    return None if answer == scene.gold else answer


def test_misreadings() -> None:
    """An agent answers what follows from its misreading; tried wherever a meeting of the office can be misread so."""
    tried = set()
    for scene in islice(own_meetings(Random(4)), SCENES_TRIED):
        for misreading in MISREADINGS:
            way = flaw_of(misreading)
            answer = None if misreading.way in _ELSEWHERE or way in tried else believed(scene, misreading)
            if answer is not None:
                tried.add(way)

                assert (way, scene.answer(any_flawed_agent(way))) == (way, answer)

    assert len(tried) >= LEAST_TRIED


@pytest.mark.parametrize("way", ["greedy", "order-ignored", "limit-ignored"])
def test_plans(way: str) -> None:
    """Agents that misread plans answer something else in some plan; the greedy one ends where nothing fits."""
    agent = any_flawed_agent(f"joint-{way}")
    answers = [(scene.answer(agent), scene.gold) for scene in (plan(Random(seed), 3) for seed in range(3))]

    assert all(
        len(answer) in {0, len(gold)} or (way == "greedy" and len(answer) < len(gold)) for answer, gold in answers
    )
    assert any(answer != gold for answer, gold in answers)


def test_changes() -> None:
    """An agent that does not look again answers from the first state."""
    scene = next(own_meetings(Random(6)))
    toolbox = scene.toolbox()
    before = scene.answer(any_flawed_agent("changes-first-state"), toolbox)
    shown = [record for call in toolbox.log for record in call.records]
    after = changed(scene, Change(when_shown=(shown[0], shown[-1]), edit=next(iter(blocked(scene)))))

    assert before == scene.gold
    assert after.answer(any_flawed_agent("changes-first-state")) == before


def test_plan_of_level_3() -> None:
    """The plan of level 3 answers something, and not the gold."""
    scene = plan(Random(1), 3)

    assert scene.answer(any_flawed_agent("level3-plan")) != scene.gold


def test_names() -> None:
    """There is a flaw for every misreading and for every mechanism, and none has the name of a flaw of other levels."""
    single = {flaw_of(misreading) for misreading in MISREADINGS}
    whole = {f"ignores-{mechanism.replace('_', '-')}" for mechanism in Mechanism}

    assert set(LADDER_FLAWS) == single | whole | {"level3-plan"}
    assert not set(LADDER_FLAWS) & set(FLAWS)
    assert {mechanism for flaw in LADDER_FLAWS.values() for mechanism in flaw.mechanisms} == set(Mechanism)


def test_flaws_of_level_4_come_alone() -> None:
    """They are not combined with others, and the error says so."""
    with pytest.raises(FlawError, match=r"^'role-first-holder' is a flaw of level 4, which comes alone$"):
        flaws_named("role-first-holder+omits-busy")


def test_other_levels() -> None:
    """At levels 1 to 3 it is the reference agent."""
    instance = DATASET.instances(3)[0]
    world = DATASET.world(3)
    task = Task(instance.instance_id, system_prompt(3, world.timezone), instance.task[0])
    agent = any_flawed_agent("scope-all-apply")
    replies = [one(task, Toolbox(Sources(world), tools_of_level(3)), Budget(100)) for one in (agent, reference)]

    assert isinstance(agent, LadderFlawedAgent)
    assert replies[0] == replies[1]

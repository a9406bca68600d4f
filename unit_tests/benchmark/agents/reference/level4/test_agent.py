"""The reference agent of level 4 finds the gold from texts and tools alone."""

import os
import subprocess
import sys
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import ReadingError
from mpcbench.benchmark.agents.reference.any_level import reference_agent
from mpcbench.benchmark.agents.reference.level4.agent import LadderAgent
from mpcbench.benchmark.agents.reference.level4.desk import CHANGING
from mpcbench.benchmark.environment.level4.prompts import ladder_prompt
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Finish
from mpcbench.schema.level4.instance import Change
from unit_tests.builders.ladder_episodes import Scene, blocked, changed, own_meetings, plan

AGENT = LadderAgent()
OWN = 5


@cache
def own_scenes() -> tuple[Scene, ...]:
    return tuple(islice(own_meetings(Random(11)), OWN))


@pytest.mark.parametrize("place", range(OWN))
def test_meetings_of_the_office(place: int) -> None:
    """A meeting is found by its name, and everything else by what is said about it."""
    scene = own_scenes()[place]

    assert scene.answer(AGENT) == scene.gold


@pytest.mark.parametrize("meetings", [2, 4])
def test_plans(meetings: int) -> None:
    """Several meetings are placed together."""
    scene = plan(Random(meetings), meetings)

    assert scene.answer(AGENT) == scene.gold


@pytest.mark.parametrize("place", range(4))
def test_changes(place: int) -> None:
    """What changes once everything has been seen is noticed, and without a second look it is not."""
    scene = own_scenes()[place]
    toolbox = scene.toolbox()
    before = scene.answer(LadderAgent(looks_again=False), toolbox)
    shown = [record for call in toolbox.log for record in call.records]
    edit = [*blocked(scene)][place]
    after = changed(scene, Change(when_shown=(shown[0], shown[-1]), edit=edit))

    assert after.gold != scene.gold
    assert (after.answer(AGENT), after.answer(LadderAgent(looks_again=False))) == (after.gold, before)


def test_calls() -> None:
    """What cannot change is looked up once, and what can change twice at most; no call is a mistake."""
    toolbox = own_scenes()[0].toolbox()
    own_scenes()[0].answer(AGENT, toolbox)
    made = [(call.name, str(call.arguments)) for call in toolbox.log]

    assert not any(call.is_error for call in toolbox.log)
    assert {name for name, arguments in made if made.count((name, arguments)) > 1} <= CHANGING
    assert max(map(made.count, made)) <= 2


@pytest.mark.slow  # two runs of an instance of the upper rungs
def test_calls_are_in_one_order(tmp_path: Path) -> None:
    """They do not depend on the hashes of a process."""
    command = [sys.executable, "-m", "pytest", "benchmark", "-p", "no:cacheprovider", "--report=off", "--level=4"]
    logs = []
    for seed in ("5", "7"):
        options = ["--instance=level4-030", f"--run-dir={tmp_path / seed}"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*command, *options], cwd=COMMITTED, env=environment, check=True, capture_output=True)
        (episode,) = RunFolder(tmp_path / seed).episodes()
        logs.append([(call.name, call.arguments) for call in episode.tool_calls])

    assert len(logs[0]) > 100
    assert logs[0] == logs[1]


def test_few_turns() -> None:
    """An agent that runs out of turns says so."""
    scene = own_scenes()[0]
    task = Task("level4-001", ladder_prompt(scene.world.timezone, plan=False), scene.instance.task[0])
    reply = reference_agent(task, scene.toolbox(), Budget(3))

    assert (reply.text, reply.finish, reply.turns) == ("", Finish.TURNS, 3)


def test_unknown_meeting() -> None:
    """Of a meeting of which nothing is said it does not guess."""
    scene = own_scenes()[0]
    task = Task(
        "level4-001", ladder_prompt(scene.world.timezone, plan=False), "Find the options for the Dodo tea party."
    )

    with pytest.raises(ReadingError, match="nothing states"):
        AGENT(task, scene.toolbox(), Budget(50))

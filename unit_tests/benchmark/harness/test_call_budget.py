"""Runs under a budget of tool calls."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.option_values import CallBudget, SettingsError
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.verify.verification import Verification
from mpcbench.schema.dataset import LEVELS, DataError
from mpcbench.schema.episode import Outcome, Reply
from unit_tests.benchmark.harness.test_harness import run
from unit_tests.builders import small_ladder, tiny
from unit_tests.builders.committed import DATASET


def test_budget_is_a_number_or_a_multiple_of_the_plan() -> None:
    """The plan of the small data set takes four calls; parts of a call are rounded up."""
    exam = small_ladder.exam(1)
    texts = ("3", "0.1x", "1x", "1.3x", "2x")

    assert [3, 1, 4, 6, 8] == [CallBudget.parse("--max-calls", text).calls(exam) for text in texts]


@pytest.mark.parametrize("text", ["0", "-1", "x", "0x", "1.x", "1e3", "2X", "\u0661", "1000000000"])
def test_other_budgets_are_refused(text: str) -> None:
    """With one line that says what is allowed."""
    with pytest.raises(SettingsError) as caught:
        CallBudget.parse("--max-calls", text)

    assert f"--max-calls: {text!r} is not a whole number from 1 or Kx with K above 0, such as 40 or 1.5x" == str(
        caught.value
    )


def test_minimal_plan_of_the_lower_levels_is_a_call_a_record() -> None:
    """Two records are required at level 1, three above it."""
    budget = CallBudget.parse("--max-calls", "2x")

    assert [4, 6, 6] == [budget.calls(tiny.exam(level)) for level in LEVELS]


def test_multiple_needs_a_certificate_at_level_4() -> None:
    """A label without one does not tell how long the plan is."""
    exam = small_ladder.exam(1)
    bare = replace(exam, label=exam.label.model_copy(update={"certificate": None}))
    with pytest.raises(DataError, match="level4-000: --max-calls: the label has no certificate, which holds the plan"):
        CallBudget.parse("--max-calls", "2x").calls(bare)


def test_calls_beyond_the_budget_are_told_so(tmp_path: Path) -> None:
    """Mistakes count; a refused call shows nothing, and the agent can still answer."""
    data = small_ladder.write(tmp_path).ladder
    exam = data.exam("level4-000")

    def agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
        assert budget.max_turns > 1
        tools.call("no_such_tool", {})
        small_ladder.read_all(tools)
        return Reply(text=small_ladder.right(data, task.instance_id))

    episode = run_episode(agent, exam, max_calls="2")
    refused = "error: the budget of 2 tool calls is used up; answer from what you know"

    assert [True, False, True, True] == [call.is_error for call in episode.tool_calls]
    assert [refused, refused] == [call.result for call in episode.tool_calls[2:]]
    assert ("calendar:p1", "calendar:p2") == episode.records_missed
    assert (Outcome.PASSED, 2) == (episode.outcome, episode.max_calls)


def test_runs_store_and_verify_their_budget(tmp_path: Path) -> None:
    """At any level: six times the minimal plan is enough for the reference agent, and half of it leads to no answer."""
    instances = ("--instance=level1-003", "--instance=level2-017")
    enough = run(tmp_path, *instances, "--max-calls=6x", reports=False)
    done = run(tmp_path, *instances, "--max-calls=0.5x", "--fail-on=never")
    other = run(tmp_path, f"--resume={done.folder}", "--max-calls=4", reports=False)
    folder = RunFolder.open(done.folder)
    settings = json.loads((done.folder / "run.json").read_text())["settings"]

    assert pytest.ExitCode.OK == enough.code
    assert "0.5x" == settings["max_calls"]
    assert ["no_answer", "no_answer"] == [episode.answer_status for episode in folder.episodes()]
    assert [] == [*Verification(folder, DATASET).findings()]
    assert pytest.ExitCode.USAGE_ERROR == other.code
    assert "max calls 0.5x, not 4" in other.output.replace("_", " ").replace("'", "")

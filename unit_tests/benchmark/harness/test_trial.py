from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.reveal import TITLES
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial, TrialResult, run_episode
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema.episode import AttributionVerdict, Fault, Outcome, Reply
from mpcbench.schema.exam import Exam
from mpcbench.schema.run import Case
from unit_tests.builders import small_dataset
from unit_tests.builders.small_worlds import world


def exam() -> Exam:
    instance = small_dataset.instance(1, 2)
    return Exam(world(1), instance, small_dataset.label(instance))


def trial_of(taken: Exam, **options: str) -> Trial:
    return Trial(Case(taken.instance.instance_id, 1, "test"), taken, Settings.from_options(options, Path()))


def result_of(run: Callable[[Task, Toolbox, Budget], Reply], **options: str) -> TrialResult:
    def agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
        return run(task, tools, budget)

    return trial_of(exam(), **options).run(agent)


def test_agent_gets_the_paraphrase_and_the_budget_asked_for() -> None:
    """The settings decide which text and how many turns."""
    told: list[object] = []

    def agent(task: Task, _tools: Toolbox, budget: Budget) -> Reply:
        told.extend((task.text, budget, task.answer_schema))
        return Reply(text="")

    result = result_of(agent, **{"paraphrase": "3", "max-turns": "7", "final-turn": "off"})

    text = "Find two slots for the Heron review on 2 February 2027. Thanks."
    assert told == [text, Budget(7, final_turn=False), answer_schema(1)]
    assert (3, told[0]) == (result.episode.paraphrase, result.episode.task)


def test_instructions_end_the_system_prompt() -> None:
    """The agent gets them, and the episode keeps them."""
    told: list[str] = []

    def agent(task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        told.append(task.system_prompt)
        return Reply(text="")

    plain, more = result_of(agent), result_of(agent, instructions="text:Look it up.")

    assert [plain.episode.system_prompt, f"{told[0]}\n\nLook it up."] == told
    assert told[1] == more.episode.system_prompt


def test_calls_before_a_fault_are_kept() -> None:
    """An episode that is an error still shows what the agent did."""

    def agent(_task: Task, tools: Toolbox, _budget: Budget) -> Reply:
        tools.call("nothing", {})
        raise EndpointError("gone\naway")

    result = result_of(agent)

    assert [call.name for call in result.episode.tool_calls] == ["nothing"]
    assert (Outcome.ERROR, Fault(kind="endpoint", message="gone away")) == (
        result.episode.outcome,
        result.episode.fault,
    )
    assert result.error == "endpoint: gone away"


def test_defect_of_an_agent_is_told_with_its_place() -> None:
    """The error text of a harness fault holds the traceback."""

    def agent(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        raise KeyError("x")

    result = result_of(agent)

    assert result.episode.fault == Fault(kind="harness", message="KeyError: 'x'")
    assert result.error is not None
    assert __file__ in result.error


@pytest.mark.parametrize("error", [KeyboardInterrupt, pytest.exit.Exception])
def test_wish_to_stop_passes_through(error: type[BaseException]) -> None:
    """What ends the run is no fault of an episode."""

    def agent(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        raise error

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - which it is, is asserted
        result_of(agent)

    assert error is caught.type


def test_task_ends_with_what_is_revealed() -> None:
    """The agent is given more, and the episode keeps all that it was given, also if it is an error."""
    told: list[str] = []

    def agent(task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        told.append(task.text)
        raise EndpointError("gone")

    episode = result_of(agent, reveal="plan").episode

    assert [episode.task] == told
    assert "plan" == episode.reveal
    assert told[0].startswith(f"Find two slots for the Heron review on 2 February 2027.\n\n{TITLES['plan']}\n")


def test_every_repair_gets_tools_of_its_own() -> None:
    """No trial sees the calls of another, and the episode keeps only those of its own."""
    logs: list[int] = []

    def agent(_task: Task, tools: Toolbox, _budget: Budget) -> Reply:
        logs.append(len(tools.log))
        tools.call("get_policy", {"keyword": "POL-01"})
        return Reply(text="")

    result = result_of(agent, attribute="causal")

    assert [0] * 5 == logs
    assert result.episode.attribution is not None
    assert (AttributionVerdict.UNREPAIRED, 1) == (result.episode.attribution.verdict, len(result.episode.tool_calls))


def test_error_is_not_repaired() -> None:
    """Only a failure is run again, and only where the settings ask for it."""
    runs: list[str] = []

    def erring(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        runs.append("erring")
        raise EndpointError("gone")

    def failing(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        runs.append("failing")
        return Reply(text="")

    results = [result_of(erring, attribute="causal"), result_of(failing)]

    assert ["erring", "failing"] == runs
    assert [None, None] == [result.episode.attribution for result in results]
    assert results[0].error == "endpoint: gone"


def test_defect_of_the_help_is_a_fault_with_a_record() -> None:
    """Where the help cannot be made, the episode is an error and holds the plain task."""
    instance = small_dataset.instance(1, 2)
    said = tuple(one for one in instance.references.statements if one.kind != "duration")
    broken = instance.model_copy(update={"references": instance.references.model_copy(update={"statements": said})})
    episode = trial_of(replace(exam(), instance=broken), reveal="plan").run(reference).episode

    assert (Outcome.ERROR, instance.task[0]) == (episode.outcome, episode.task)
    assert episode.fault == Fault(kind="harness", message="UnresolvedError: level1-002: nothing states the duration")


def test_explanation_names_what_was_revealed_without_repeating_it() -> None:
    """The text of the help can be long; the record holds it."""
    result = result_of(lambda _task, _tools, _budget: Reply(text=""), reveal="records")
    text = trial_of(exam()).explanation(result.episode)

    assert "Revealed with the task\n  records" in text
    assert TITLES["records"] in result.episode.task
    assert TITLES["records"] not in text


def test_an_agent_takes_an_exam_without_pytest() -> None:
    """One call runs the agent and grades it; options are those of the command line."""
    told: list[tuple[str, Budget]] = []

    def agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
        told.append((task.instance_id, budget))
        tools.call("get_policy", {"keyword": "POL-01"})
        return Reply(text="")

    episode = run_episode(agent, exam(), model="mine", paraphrase="2", max_turns="7")

    assert [("level1-002", Budget(7))] == told
    assert ("level1-002", "mine", 1, 2) == (episode.instance_id, episode.model, episode.trial, episode.paraphrase)
    assert ("no_answer", [("policy:POL-01",)]) == (episode.answer_status, [one.records for one in episode.tool_calls])

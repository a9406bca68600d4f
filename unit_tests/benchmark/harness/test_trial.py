from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.reveal import TITLES
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial, TrialResult
from mpcbench.evaluation.runs.folder import Case
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema.episode import AttributionVerdict, Fault, Outcome, Reply
from unit_tests.builders import small_dataset
from unit_tests.builders.small_worlds import world


def exam_of(**options: str) -> Trial:
    instance = small_dataset.instance(1, 2)
    return Trial(
        case=Case(instance.instance_id, 1, "test"),
        world=world(1),
        instance=instance,
        label=small_dataset.label(instance),
        settings=Settings.from_options(options, Path()),
    )


def examined(run: Callable[[Task, Toolbox, Budget], Reply], **options: str) -> TrialResult:
    def agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
        return run(task, tools, budget)

    exam = exam_of(**options)
    return exam.judged(agent, Toolbox(Sources(exam.world), ()))


def test_agent_gets_the_paraphrase_and_the_budget_asked_for() -> None:
    """The settings decide which text and how many turns."""
    told: list[object] = []

    def agent(task: Task, _tools: Toolbox, budget: Budget) -> Reply:
        told.extend((task.text, budget, task.answer_schema))
        return Reply(text="")

    trial = examined(agent, **{"paraphrase": "3", "max-turns": "7", "final-turn": "off"})

    text = "Find two slots for the Heron review on 2 February 2027. Thanks."
    assert told == [text, Budget(7, final_turn=False), answer_schema(1)]
    assert (3, told[0]) == (trial.episode.paraphrase, trial.episode.task)


def test_calls_before_a_fault_are_kept() -> None:
    """A void episode still shows what the agent did."""

    def agent(_task: Task, tools: Toolbox, _budget: Budget) -> Reply:
        tools.call("nothing", {})
        raise EndpointError("gone\naway")

    trial = examined(agent)

    assert [call.name for call in trial.episode.tool_calls] == ["nothing"]
    assert (Outcome.ERROR, Fault(kind="endpoint", message="gone away")) == (trial.episode.outcome, trial.episode.fault)
    assert trial.error == "endpoint: gone away"


def test_defect_of_an_agent_is_told_with_its_place() -> None:
    """The error text of a harness fault holds the traceback."""

    def agent(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        raise KeyError("x")

    trial = examined(agent)

    assert trial.episode.fault == Fault(kind="harness", message="KeyError: 'x'")
    assert trial.error is not None
    assert __file__ in trial.error


@pytest.mark.parametrize("error", [KeyboardInterrupt, pytest.exit.Exception])
def test_wish_to_stop_passes_through(error: type[BaseException]) -> None:
    """What ends the run is no fault of an episode."""

    def agent(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        raise error

    with pytest.raises(error):
        examined(agent)


def test_task_ends_with_what_is_given() -> None:
    """The agent is told more, the episode keeps all that it was told, and a void one too."""
    told: list[str] = []

    def agent(task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        told.append(task.text)
        raise EndpointError("gone")

    episode = examined(agent, reveal="plan").episode

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

    trial = examined(agent, attribute="causal")

    assert [0] * 5 == logs
    assert trial.episode.attribution is not None
    assert (AttributionVerdict.UNREPAIRED, 1) == (trial.episode.attribution.verdict, len(trial.episode.tool_calls))


def test_void_episode_is_not_repaired() -> None:
    """Only a failure is run again, and only where the settings ask for it."""
    runs: list[str] = []

    def erring(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        runs.append("erring")
        raise EndpointError("gone")

    def failing(_task: Task, _tools: Toolbox, _budget: Budget) -> Reply:
        runs.append("failing")
        return Reply(text="")

    trials = [examined(erring, attribute="causal"), examined(failing)]

    assert ["erring", "failing"] == runs
    assert [None, None] == [trial.episode.attribution for trial in trials]
    assert trials[0].error == "endpoint: gone"


def test_defect_of_the_help_is_a_fault_with_a_record() -> None:
    """Where the help cannot be made, the episode is void and holds the plain task."""
    instance = small_dataset.instance(1, 2)
    said = tuple(one for one in instance.references.statements if one.kind != "duration")
    broken = instance.model_copy(update={"references": instance.references.model_copy(update={"statements": said})})
    exam = replace(exam_of(reveal="plan"), instance=broken)
    episode = exam.trial(reference, exam.toolbox()).episode

    assert (Outcome.ERROR, instance.task[0]) == (episode.outcome, episode.task)
    assert episode.fault == Fault(kind="harness", message="UnresolvedError: level1-002: nothing states the duration")


def test_explanation_names_what_was_given_without_repeating_it() -> None:
    """The text of the help can be long; the record holds it."""
    trial = examined(lambda _task, _tools, _budget: Reply(text=""), reveal="records")
    text = exam_of().explanation(trial.episode)

    assert "Revealed with the task\n  records" in text
    assert TITLES["records"] in trial.episode.task
    assert TITLES["records"] not in text

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.agents.agent import Budget, EndpointError, Task
from benchmark.cases import Case
from benchmark.settings import Settings
from benchmark.tools.sources import Sources
from benchmark.tools.toolbox import Toolbox
from benchmark.trial import Exam, Trial
from evaluation.episode import Fault, Outcome, Reply
from unit_tests.benchmark import tiny_dataset
from unit_tests.benchmark.small_worlds import world


def examined(run: Callable[[Task, Toolbox, Budget], Reply], **options: str) -> Trial:
    def agent(task: Task, tools: Toolbox, budget: Budget) -> Reply:
        return run(task, tools, budget)

    instance = tiny_dataset.instance(1, 2)
    exam = Exam(
        case=Case(instance.instance_id, 1, "test"),
        world=world(1),
        instance=instance,
        label=tiny_dataset.label(instance),
        settings=Settings.from_options(options, Path()),
    )
    return exam.trial(agent, Toolbox(Sources(exam.world), ()))


def test_agent_gets_the_paraphrase_and_the_budget_asked_for() -> None:
    """The settings decide which text and how many turns."""
    told: list[object] = []

    def agent(task: Task, _tools: Toolbox, budget: Budget) -> Reply:
        told.extend((task.text, budget.max_turns))
        return Reply(text="")

    trial = examined(agent, **{"paraphrase": "3", "max-turns": "7"})

    assert told == ["Find two slots for the Heron review on 2 February 2027. Thanks.", 7]
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

"""A pytest plugin for runs of the benchmark within tests: agents with known behaviour, and planted accidents."""

import json
import os
from enum import StrEnum
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.local.model import LocalModel
from mpcbench.benchmark.agents.protocol import Agent, Budget, EndpointError, Task, UnusableEndpointError
from mpcbench.benchmark.environment.reveal import NAMED_TITLE, TITLES
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness import registry
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Reply, Usage
from unit_tests.builders import small_ladder

BUILT_IN = registry.agent_named


class BrokenConstraint(StrEnum):
    """JSON takes it, the workers' channel does not."""

    VALUE = "value"


class Planted:
    """Answers the gold, or misbehaves on chosen instances."""

    def __init__(self, name: str, dataset: Dataset) -> None:
        self.name = name
        self.dataset = dataset

    def gold(self, instance_id: str) -> list[dict[str, str]]:
        label = self.dataset.labels(1 if instance_id < "level2" else 3)[instance_id]
        return [candidate.model_dump(mode="json", exclude_none=True) for candidate in label.gold]

    def can(self, number: str, task: Task) -> bool:
        """Whether the help in the task is enough: on the first three the plan, the records too, the constraints too.

        Of the named records, only the second needs no more.
        """
        given = next((given for given, title in TITLES.items() if title in task.text), None)
        if (number, given) == ("5", "records"):
            raise EndpointError("HTTP 500 from 127.0.0.1: no luck \ud800")
        if NAMED_TITLE in task.text:
            return number == "2"
        return number == "6" or (number in "123" and given in list(TITLES)[int(number) - 1 :])

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        assert budget.max_turns > 0
        gold = self.gold(task.instance_id)
        right = json.dumps({"candidates": gold})
        half = json.dumps({"candidates": gold[:1]})
        match self.name, task.instance_id[-1]:
            case "half", _:
                return Reply(text=half)
            case "mixed", "2":
                tools.call("get_policy", {"keyword": "POL-01 \ud800"})
                return Reply(text=f"NaN \ud83d {half}", messages=({"content": "\ud83d", "logprob": float("nan")},))
            case "mixed", "3":
                raise EndpointError("HTTP 500 from 127.0.0.1: no luck \ud800")
            case "mixed", "4":
                raise RuntimeError("a defect \ud800 of the harness")
            case "mixed", "5":
                raise SystemExit(3)
            case "lacking", number:
                return Reply(text=right if self.can(number, task) else half)
            case "spender", _:
                return Reply(text=right, usage=Usage(input_tokens=90, output_tokens=10))
            case "refused", "2" | "3":
                raise UnusableEndpointError("HTTP 401 from 127.0.0.1: access denied")
            case "crash" | "interrupt", "2":
                self.end_the_process()
        return Reply(text=right)

    def end_the_process(self) -> None:
        if self.name == "crash":
            os._exit(13)
        raise KeyboardInterrupt


class Climber:
    """An agent of level 4 that reads all and answers the gold, up to a rung; above it, only the first candidate."""

    levels = (4,)

    def __init__(self, top: int, dataset: Dataset) -> None:
        self.top = top
        self.data = dataset.ladder

    def __call__(self, task: Task, tools: Toolbox, budget: Budget) -> Reply:
        assert budget.max_turns > 0
        small_ladder.read_all(tools)
        found = small_ladder.gold(self.data, task.instance_id)
        kept = found if self.data.rungs[task.instance_id] <= self.top else found[:1]
        return Reply(text=json.dumps({"candidates": kept}))


def agent_named(model: str, settings: Settings, dataset: Dataset, local: LocalModel | None = None) -> Agent:
    if model in {"good", "half", "mixed", "lacking", "spender", "refused", "crash", "interrupt"}:
        return Planted(model, dataset)
    if model.startswith("climbs"):
        return Climber(int(model.removeprefix("climbs")), dataset)
    return BUILT_IN(model, settings, dataset, local)


def pytest_addoption() -> None:
    """Plant the agents, before the run looks for its own."""
    registry.agent_named = agent_named


def planted(accident: str) -> bool:
    return accident in os.environ.get("PLANTED_ACCIDENTS", "").split()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Swallow a test."""
    return True if planted("swallow") and "level1-002" in item.nodeid else None


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give a test a property that a worker cannot send."""
    if planted("unsendable") and "level1-002" in item.nodeid:
        item.user_properties.append(("broken", BrokenConstraint.VALUE))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Lose a record on its way."""
    if planted("forget") and "level1-004" in report.nodeid:
        report.user_properties.clear()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say which parts of the benchmark this run loaded."""
    if path := os.environ.get("PLANTED_LOADED"):
        names = [str(name) for name, _ in config.pluginmanager.list_name_plugin()]
        Path(path).write_text("\n".join(name for name in names if name.endswith("conftest.py")))

"""A trial of an agent on an instance: run it, grade it, and keep the record whatever happens."""

import time
import traceback
from dataclasses import dataclass, field

import pytest

from benchmark.agents.agent import Agent, Budget, EndpointError, Task
from benchmark.cases import Case
from benchmark.prompts import system_prompt
from benchmark.settings import Settings
from benchmark.tools.toolbox import Toolbox
from evaluation.episode import Episode, Fault, Outcome, Reply
from evaluation.grade import grade
from schema import Instance, Label, World


@dataclass(frozen=True, slots=True)
class Trial:
    """An episode, and what to tell of the fault that made it void."""

    episode: Episode
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Exam:
    """What one case is judged by."""

    case: Case
    world: World = field(repr=False)
    instance: Instance
    label: Label
    settings: Settings

    @property
    def task(self) -> Task:
        """What the agent is told."""
        return Task(
            instance_id=self.instance.instance_id,
            system_prompt=system_prompt(self.case.level, self.world.timezone),
            text=self.instance.task[self.settings.paraphrase - 1],
        )

    def trial(self, agent: Agent, tools: Toolbox) -> Trial:
        """Run the agent once.

        Whatever the agent or the grading raises makes a void episode; only a keyboard interrupt and
        `pytest.exit` pass through.
        """
        task = self.task
        start = time.perf_counter()
        try:
            reply = agent(task, tools, Budget(max_turns=self.settings.max_turns))
            return Trial(self._graded(task, tools, start, reply=reply))
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except EndpointError as error:
            fault = Fault(kind="endpoint", message=one_line(error))
            return Trial(self._graded(task, tools, start, fault=fault), f"endpoint: {fault.message}")
        except BaseException as error:  # noqa: BLE001 - an agent that calls sys.exit() must not go unrecorded
            fault = Fault(kind="harness", message=one_line(f"{type(error).__name__}: {error}"))
            # Without the values of variables, which hold whole worlds and differ from process to process.
            trace = "".join(traceback.format_exception(error))
            return Trial(self._graded(task, tools, start, fault=fault), f"harness: {fault.message}\n\n{trace}")

    def _graded(
        self, task: Task, tools: Toolbox, start: float, *, reply: Reply | None = None, fault: Fault | None = None
    ) -> Episode:
        return grade(
            self.world,
            self.instance,
            self.label,
            model=self.case.model,
            paraphrase=self.settings.paraphrase,
            tags=self.settings.tags,
            system_prompt=task.system_prompt,
            task=task.text,
            reply=reply,
            tool_calls=tuple(tools.log),
            fault=fault,
            seconds=time.perf_counter() - start,
        )


def void(case: Case, settings: Settings, fault: Fault) -> Episode:
    """The record of an episode of which nothing else is left, as when its process died."""
    return Episode(
        instance_id=case.instance_id,
        level=case.level,
        model=case.model,
        outcome=Outcome.ERROR,
        paraphrase=settings.paraphrase,
        tags=settings.tags,
        system_prompt="",
        task="",
        reply=None,
        tool_calls=(),
        answer=None,
        answer_status=None,
        gold=(),
        scores=None,
        fault=fault,
        seconds=0.0,
    )


def one_line(text: object) -> str:
    """The text with all white space made single spaces."""
    return " ".join(str(text).split())

"""A trial of an agent on an instance: run it, grade it, and keep the record whatever happens."""

import time
import traceback
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from mpcbench.benchmark.agents.protocol import Agent, Budget, EndpointError, Task, UnusableEndpointError
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.reveal import help_text
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.grade import grade
from mpcbench.evaluation.runs.folder import Case
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.evaluation.scoring.explain import explain
from mpcbench.evaluation.statistics.attribution import STEPS, attribution, decides, explain_attribution, repair_trial
from mpcbench.schema import Instance, Label, World
from mpcbench.schema.episode import Episode, Fault, Outcome, Reply


@dataclass(frozen=True, slots=True)
class TrialResult:
    """An episode, and what to tell of the fault that made it an error."""

    episode: Episode
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """What one case is judged by."""

    case: Case
    world: World = field(repr=False)
    instance: Instance
    label: Label
    settings: Settings

    @property
    def task(self) -> Task:
        """What the agent is told, before anything is handed over."""
        return Task(
            instance_id=self.instance.instance_id,
            system_prompt=system_prompt(self.case.level, self.world.timezone),
            text=self.instance.task[self.settings.paraphrase - 1],
            answer_schema=answer_schema(self.case.level),
            trial=self.case.trial,
        )

    def toolbox(self) -> Toolbox:
        """The tools of the case with an empty log."""
        return Toolbox(Sources(self.world, show_tags=self._show_tags), tools_of_level(self.case.level))

    def judged(self, agent: Agent, tools: Toolbox) -> TrialResult:
        """Run the agent once and, where the settings ask for it, attribute a failure."""
        trial = self.trial(agent, tools)
        if self.settings.attribute is None or trial.episode.outcome is not Outcome.FAILED:
            return trial
        trials = []
        for reveal in STEPS:
            exam = replace(self, settings=replace(self.settings, reveal=reveal, attribute=None))
            trials.append(repair_trial(reveal, exam.trial(agent, exam.toolbox()).episode))
            # With several trials what each repair gains is averaged, so that all are tried.
            if decides(trials[-1]) and self.settings.trials == 1:
                break
        return TrialResult(trial.episode.model_copy(update={"attribution": attribution(trials)}))

    def explanation(self, episode: Episode) -> str:
        """Why an episode failed, for people; what was handed over is named and not shown, as it can be long."""
        shown = episode.model_copy(update={"task": self.task.text})
        text = explain(shown, self.world, self.instance, self.label)
        if episode.reveal is not None:
            text += f"\n\nRevealed with the task\n  {episode.reveal}"
        return text if episode.attribution is None else f"{text}\n\n{explain_attribution(episode.attribution)}"

    def trial(self, agent: Agent, tools: Toolbox) -> TrialResult:
        """Run the agent once.

        Whatever the agent or the grading raises makes an error; only a keyboard interrupt, `pytest.exit` and
        an endpoint that would fail in every episode pass through.

        Raises:
            UnusableEndpointError: the run should end.
        """
        tried = self._tried(agent, tools)
        reply, price = tried.episode.reply, getattr(agent, "cost_usd", None)
        if reply is None or price is None:
            return tried
        cost = price(reply.usage, datetime.now(UTC).date())
        return replace(tried, episode=tried.episode.model_copy(update={"cost_usd": cost}))

    def _tried(self, agent: Agent, tools: Toolbox) -> TrialResult:
        task = self.task
        start = time.perf_counter()
        try:
            if self.settings.reveal is not None:
                task = replace(task, text=f"{task.text}\n\n{self._help()}")
            reply = agent(task, tools, Budget(self.settings.max_turns, final_turn=self.settings.final_turn))
            return TrialResult(self._graded(task, tools, start, reply=reply))
        except (KeyboardInterrupt, pytest.exit.Exception, UnusableEndpointError):
            raise
        except EndpointError as error:
            fault = Fault(kind="endpoint", message=one_line(error))
            return TrialResult(
                self._graded(task, tools, start, reply=error.reply, fault=fault), f"endpoint: {fault.message}"
            )
        except BaseException as error:  # noqa: BLE001 - an agent that calls sys.exit() must not go unrecorded
            fault = Fault(kind="harness", message=one_line(f"{type(error).__name__}: {error}"))
            # Without the values of variables, which hold whole worlds and differ from process to process.
            trace = "".join(traceback.format_exception(error))
            return TrialResult(self._graded(task, tools, start, fault=fault), f"harness: {fault.message}\n\n{trace}")

    @property
    def _show_tags(self) -> bool:
        return self.settings.tags == "shown"

    def _help(self) -> str:
        assert self.settings.reveal is not None
        return help_text(self.settings.reveal, self.world, self.instance, self.label, show_tags=self._show_tags)

    def _graded(
        self, task: Task, tools: Toolbox, start: float, *, reply: Reply | None = None, fault: Fault | None = None
    ) -> Episode:
        return grade(
            self.world,
            self.instance,
            self.label,
            model=self.case.model,
            trial=self.case.trial,
            paraphrase=self.settings.paraphrase,
            tags=self.settings.tags,
            system_prompt=task.system_prompt,
            task=task.text,
            reply=reply,
            tool_calls=tuple(tools.log),
            fault=fault,
            seconds=time.perf_counter() - start,
            reveal=self.settings.reveal,
        )


def error_episode(case: Case, settings: Settings, fault: Fault) -> Episode:
    """The record of an episode of which nothing else is left, as when its process died."""
    return Episode(
        instance_id=case.instance_id,
        level=case.level,
        model=case.model,
        trial=case.trial,
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
        reveal=settings.reveal,
    )


def one_line(text: object) -> str:
    """The text with all white space made single spaces."""
    return " ".join(str(text).split())

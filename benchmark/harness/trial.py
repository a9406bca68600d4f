"""A trial of an agent on an instance: runs and grades it, and keeps the record whatever happens."""

import time
import traceback
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.conversation import conversation
from mpcbench.benchmark.agents.human.agent import HumanAgent
from mpcbench.benchmark.agents.protocol import Agent, Budget, EndpointError, Task, UnusableEndpointError
from mpcbench.benchmark.environment.reveal import named_text, revealed_text
from mpcbench.benchmark.environment.setting import answer_schema_of, prompt_of, toolbox_of
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.evaluation.scoring.explain import explain
from mpcbench.evaluation.statistics.attribution import (
    STEPS,
    attribution,
    decides,
    explain_attribution,
    named_records,
    repair_trial,
)
from mpcbench.schema.episode import Episode, Fault, Outcome, RepairTrial, Reply
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam
from mpcbench.schema.run import Case


@dataclass(frozen=True, slots=True)
class TrialResult:
    """An episode and, if it is an error, the reason as text."""

    episode: Episode
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """One case: an exam that an agent is to take, and how."""

    case: Case
    exam: AnyExam
    settings: Settings
    handed: str = ""
    """What the task's text hands over besides what the settings reveal."""

    @property
    def task(self) -> Task:
        """What the agent is told, before anything is revealed."""
        return Task(
            instance_id=self.exam.instance.instance_id,
            system_prompt=prompt_of(self.exam, self.settings.instructions),
            text=self.exam.instance.task[self.settings.paraphrase - 1],
            answer_schema=answer_schema_of(self.exam),
            trial=self.case.trial,
        )

    @property
    def told(self) -> Task:
        """What the agent is told, with what is revealed."""
        task = self.task
        if self.settings.reveal is not None:
            revealed = revealed_text(self.settings.reveal, self._revealable, show_tags=self._show_tags)
            task = replace(task, text=f"{task.text}\n\n{revealed}")
        return replace(task, text=f"{task.text}\n\n{self.handed}") if self.handed else task

    @property
    def budget(self) -> Budget:
        """What the agent may spend."""
        return Budget(self.settings.max_turns, final_turn=self.settings.final_turn)

    @property
    def max_calls(self) -> int | None:
        """How many tool calls are answered; None for any number; raises `DataError` if the label does not tell it."""
        return None if self.settings.max_calls is None else self.settings.max_calls.calls(self.exam)

    def toolbox(self) -> Toolbox:
        """The tools of the exam with an empty log; raises `DataError`."""
        return toolbox_of(self.exam, show_tags=self._show_tags, max_calls=self.max_calls)

    def run(self, agent: Agent) -> TrialResult:
        """Run the agent once and, where the settings ask for it, attribute a failure.

        Whatever the agent or the grading raises makes an error; only a keyboard interrupt, `pytest.exit` and
        an endpoint that would fail in every episode pass through.

        Raises:
            UnusableEndpointError: the run should end.
        """
        result = self._once(agent)
        if self.settings.attribute is None or result.episode.outcome is not Outcome.FAILED:
            return result
        repairs = []
        for reveal in STEPS:
            trial = replace(self, settings=replace(self.settings, reveal=reveal, attribute=None))
            repairs.append(repair_trial(reveal, trial.run(agent).episode))
            # With several trials what each repair gains is averaged, so that all are tried.
            if decides(repairs[-1]) and self.settings.trials == 1:
                break
        named = None if decides(repairs[0]) else self._with_named_records(agent, result.episode)
        return TrialResult(result.episode.model_copy(update={"attribution": attribution(repairs, named)}))

    def explanation(self, episode: Episode) -> str:
        """Why an episode failed, for people; what was revealed is named and not shown, as it can be long."""
        text = explain(episode.model_copy(update={"task": self.task.text}), self.exam)
        if episode.reveal is not None:
            text += f"\n\nRevealed with the task\n  {episode.reveal}"
        return text if episode.attribution is None else f"{text}\n\n{explain_attribution(episode.attribution)}"

    def _with_named_records(self, agent: Agent, failed: Episode) -> RepairTrial | None:
        """The trial with the records that the deduced cause names; None if it names none that the task needs."""
        handed = named_text(named_records(failed), self._revealable, show_tags=self._show_tags)
        if handed is None:
            return None
        settings = replace(self.settings, reveal=None, attribute=None)
        return repair_trial(None, replace(self, settings=settings, handed=handed).run(agent).episode)

    def _once(self, agent: Agent) -> TrialResult:
        tried = self._tried(agent, self.toolbox())
        taken = agent.seconds(self.case) if isinstance(agent, HumanAgent) else None
        if taken is not None:
            tried = replace(tried, episode=tried.episode.model_copy(update={"seconds": taken}))
        reply, price = tried.episode.reply, getattr(agent, "cost_usd", None)
        if reply is None or price is None:
            return tried
        cost = price(reply.usage, datetime.now(UTC).date())
        return replace(tried, episode=tried.episode.model_copy(update={"cost_usd": cost}))

    def _tried(self, agent: Agent, tools: Toolbox) -> TrialResult:
        task = self.task
        start = time.perf_counter()
        try:
            task = self.told
            reply = agent(task, tools, self.budget)
            return TrialResult(self.graded(task, tools, start, reply=reply))
        except (KeyboardInterrupt, pytest.exit.Exception, UnusableEndpointError):
            raise
        except EndpointError as error:
            fault = Fault(kind="endpoint", message=single_spaced(error))
            failure = None if error.reply is None else error.reply.failure
            text = f"endpoint: {fault.message}" if failure is None else f"endpoint: {failure}"
            return TrialResult(self.graded(task, tools, start, reply=error.reply, fault=fault), text)
        except BaseException as error:  # noqa: BLE001 - an agent that calls sys.exit() must not go unrecorded
            fault = Fault(kind="harness", message=single_spaced(f"{type(error).__name__}: {error}"))
            # Without the values of variables, which hold whole worlds and differ from process to process.
            trace = "".join(traceback.format_exception(error))
            return TrialResult(self.graded(task, tools, start, fault=fault), f"harness: {fault.message}\n\n{trace}")

    @property
    def _revealable(self) -> Exam:
        """The exam of which something can be revealed."""
        if isinstance(self.exam, Exam):
            return self.exam
        raise NotImplementedError("nothing can be revealed at level 4")

    @property
    def _show_tags(self) -> bool:
        return self.settings.tags == "shown"

    def graded(
        self, task: Task, tools: Toolbox, start: float, *, reply: Reply | None = None, fault: Fault | None = None
    ) -> Episode:
        """The graded episode of what an agent did with the tools; it began at `start`, on the performance counter."""
        attempt = Attempt(
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
            max_calls=self.max_calls,
        )
        return _with_messages(grade(self.exam, attempt))


def _with_messages(episode: Episode) -> Episode:
    """The episode with its exchange, where the agent kept none."""
    reply = episode.reply
    if reply is None or reply.messages:
        return episode
    told = reply.model_copy(update={"messages": tuple(conversation(episode))})
    return episode.model_copy(update={"reply": told})


def run_episode(agent: Agent, exam: AnyExam, *, model: str = "agent", trial: int = 1, **options: str) -> Episode:
    """One episode of an agent on an exam, graded; needs neither pytest nor a run's folder.

    Args:
        agent: The agent.
        exam: The instance, as `Dataset.exam` or, of level 4, `Dataset.ladder.exam` gives it.
        model: The agent's name in the episode.
        trial: The number of the episode, where the agent takes the exam several times.
        options: Options of the command line that decide what an episode is, with underscores for dashes, such as
            `paraphrase="2"` or `max_turns="10"`.

    Raises:
        SettingsError: an option's value is not allowed.
        UnusableEndpointError: the agent's endpoint would fail in every episode.
    """
    settings = Settings.from_options({name.replace("_", "-"): value for name, value in options.items()}, Path())
    case = Case(exam.instance.instance_id, exam.instance.level, model, trial)
    return Trial(case, exam, settings).run(agent).episode


def error_episode(case: Case, settings: Settings, fault: Fault) -> Episode:
    """The episode of a case whose process died, so that nothing else is known of it."""
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


def single_spaced(text: object) -> str:
    """The text with all white space made single spaces."""
    return " ".join(str(text).split())

"""Runs a case unless its episode is stored already, and stores the episode the moment it ends."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from mpcbench.benchmark.agents.human.agent import HumanAgent
from mpcbench.benchmark.agents.protocol import Agent, UnusableEndpointError
from mpcbench.benchmark.harness.record import as_json_text
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.stopping import NotRunError, Spending, StopSign
from mpcbench.benchmark.harness.trial import Trial, TrialResult, error_episode
from mpcbench.benchmark.progress.in_flight import InFlight
from mpcbench.evaluation.runs.durable_file import LARGEST
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.episode import Fault, Outcome
from mpcbench.schema.level4.exam import any_exam
from mpcbench.schema.run import Case


@dataclass
class EpisodeRunner:
    """Runs the cases of a run, several at a time if several threads ask for them."""

    settings: Settings
    dataset: Dataset
    agents: dict[str, Agent]
    folder: RunFolder
    hide: Callable[[str], str]
    """Takes secrets out of what is stored."""

    _failure: str | None = None
    """Why nothing more can be stored."""

    _storing: Lock = field(default_factory=Lock)
    _closed: bool = False
    _loading: Lock = field(default_factory=Lock)

    def trial_of(self, case: Case) -> Trial:
        """The trial of a case; raises `DataError` where the data are wrong."""
        with self._loading:  # a level is read once
            trial = Trial(case, any_exam(self.dataset, case.instance_id), self.settings)
        _ = trial.max_calls  # where the label does not tell it, the data are wrong
        return trial

    def run(self, case: Case) -> TrialResult:
        """The stored episode of a case, or a new one that is then stored; an error is run again.

        Raises:
            NotRunError: the run has been stopped, or is stopped now, as the episode cannot be stored.
            RunError: what is stored under the case's name is no episode.
        """
        stored = self.folder.episode(case)
        if stored is not None and stored.outcome is not Outcome.ERROR:
            return TrialResult(stored)
        reason = self._failure or self._sign.reason() or self._spending.reached()
        if reason is not None:
            raise self._stopped(reason)
        agent = self.agents[case.model]
        try:
            trial = self.trial_of(case)
        except DataError as error:
            fault = Fault(kind="harness", message=str(error))
            result = TrialResult(error_episode(case, self.settings, fault), str(error))
        else:
            try:
                with InFlight(self.folder).noted(case):
                    result = trial.run(agent)
            except UnusableEndpointError as error:
                raise self._stopped(str(error)) from None
        result = self._stored(case, result)
        if isinstance(agent, HumanAgent) and result.error is None:
            agent.stored(trial.exam, result.episode)
        return result

    def _stored(self, case: Case, result: TrialResult) -> TrialResult:
        """The result once it is stored; the first failure to store one stops the run, as others would be lost, too."""
        text = self.hide(as_json_text(result.episode))
        if len(text) > LARGEST:
            message = f"the record of the episode has {len(text):,} bytes, and at most {LARGEST:,} can be stored"
            fault = Fault(kind="harness", message=message)
            result = TrialResult(error_episode(case, self.settings, fault), message)
            text = self.hide(as_json_text(result.episode))
        with self._storing:
            if self._closed:
                raise NotRunError("the run has ended")
            if self._failure is not None:
                raise NotRunError(self._failure)
            try:
                self.folder.write_episode(case, text)
            except OSError as error:
                cause = (error.strerror or str(error)).lower()
                self._failure = f"{self.folder.episode_file(case)} could not be stored: {cause}"
                raise self._stopped(self._failure) from None
            if self._failure is None and not self.folder.run_file.is_file():
                self._failure = f"{self.folder.run_file} was removed or replaced during the run"
                self._stopped(self._failure)
        return result

    def _stopped(self, reason: str) -> NotRunError:
        """Stop the run; where the other processes cannot be told, they find out by themselves."""
        with suppress(OSError):
            self._sign.up(reason)
        return NotRunError(reason)

    def close(self) -> None:
        """Store nothing more: episodes that end later, on threads that nobody waits for, are discarded."""
        with self._storing:
            self._closed = True

    @cached_property
    def _sign(self) -> StopSign:
        return StopSign(self.folder)

    @cached_property
    def _spending(self) -> Spending:
        return Spending(self.folder, self.settings.budget_usd, self.settings.max_tokens_total)

"""The run that a command of `mpcbench play` works on: it is created or continued, and an answer completes it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from mpcbench.benchmark.agents.human.agent import HUMAN, HumanAgent
from mpcbench.benchmark.agents.human.episode import HumanEpisode
from mpcbench.benchmark.harness.episode_runner import EpisodeRunner
from mpcbench.benchmark.harness.ladder_runs import check_ladder
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.resuming import with_earlier
from mpcbench.benchmark.harness.run_info import run_info
from mpcbench.benchmark.harness.selection import select
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.evaluation.report.document import write_report
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import RUN_FILE, RunError, RunFolder
from mpcbench.evaluation.runs.identity import differences, joined
from mpcbench.evaluation.runs.lock import RunLock
from mpcbench.evaluation.runs.options import OPTIONS
from mpcbench.evaluation.runs.run_files import JSON_REPORT_FILE
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.evaluation.statistics.summary import Summary
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.level4.exam import any_exam
from mpcbench.schema.run import Case, RunInfo


@dataclass
class PlaySession:
    """One instance of a run that a person plays; the run is locked."""

    folder: RunFolder
    info: RunInfo
    """What the run is with this instance; stored once it has an answer."""

    settings: Settings
    dataset: Dataset
    case: Case
    agent: HumanAgent

    @cached_property
    def trial(self) -> Trial:
        """The instance as a case of the run."""
        return Trial(self.case, any_exam(self.dataset, self.case.instance_id), self.settings)

    @property
    def stored(self) -> Episode | None:
        """The episode, once it has a score."""
        found = self.folder.episode(self.case)
        return None if found is None or found.outcome is Outcome.ERROR else found

    def episode(self) -> HumanEpisode:
        """The episode as far as it has been played."""
        return self.agent.episode(self.case, self.trial.told, self.trial.toolbox(), self.trial.budget)

    def finish(self) -> Episode:
        """Run the episode to its end, and complete the run: a web page takes as long as the person does.

        Raises:
            RuntimeError: it ended in an error of the harness.
        """
        runner = EpisodeRunner(self.settings, self.dataset, {HUMAN: self.agent}, self.folder, str)
        self.folder.write_info(self.info.model_copy(update={"stopped": "a person plays"}))
        try:
            result = runner.run(self.case)
        finally:
            self._complete()
        if result.error is not None:
            raise RuntimeError(result.error)
        return result.episode

    def _complete(self) -> None:
        """Write what follows from the episodes, without those that are not there."""
        missing = len(self.info.cases) - sum(self.folder.episode_file(case).is_file() for case in self.info.cases)
        stopped = f"{missing} of {len(self.info.cases)} episodes have no answer yet" if missing else None
        self.folder.write_info(self.info.model_copy(update={"stopped": stopped}))
        results = self.folder.results()
        if not results:
            return
        (self.folder.path / JSON_REPORT_FILE).unlink(missing_ok=True)  # it would be that of an earlier session

        def report(summary: Summary, out: Path) -> None:
            write_report([ReportedRun(self.folder, results, summary, self.dataset)], out)

        write_summary(self.folder, results, write_report=report)


def _continued(folder: RunFolder, info: RunInfo) -> RunInfo:
    """The information of the run with what this command adds; raises `RunError` if the two do not fit."""
    found = list(differences(folder.info, info))
    if found:
        raise RunError(f"{folder.path} was begun with {'; '.join(found)}; name another folder with --run-dir")
    return joined(folder.info, info)


@contextmanager
def play_session(run: Path, instance_id: str, typed: Mapping[str, Any], here: Path) -> Iterator[PlaySession]:
    """Lock a run for one command.

    Args:
        run: Its folder; a new run is created if there is none.
        instance_id: Which instance is played.
        typed: Options of the command line by name. An existing run keeps its options; others are refused.
        here: The folder of the call.

    Raises:
        SettingsError: an option's value is not allowed, or there is no such instance.
        DataError: a data file is missing or wrong.
        RunError: the folder holds something else, another run, or one that another process uses.
    """
    there = (run / RUN_FILE).is_file()
    given: dict[str, Any] = {option.name: None for option in OPTIONS}
    given |= {"model": [HUMAN], "instance": [instance_id], "resume" if there else "run-dir": str(run), **typed}
    options = with_earlier(given, here)
    settings = Settings.from_options(options, here)
    dataset = Dataset.open(settings.dataset)
    (case,) = select(dataset, settings)
    agents = agents_of(settings, dataset)
    check_ladder(settings, agents, {case.level})
    agent = agents[HUMAN]
    assert isinstance(agent, HumanAgent)
    info = run_info(run.name, datetime.now(UTC), settings, options, dataset, [case.level], agents)
    info = info.model_copy(update={"cases": (case,), "stopped": "1 of 1 episodes have no answer yet"})
    folder = RunFolder(run)
    if not there:
        folder.make_room()
    with RunLock.take(run):
        if there:
            info = _continued(folder, info)
            folder.make_ready()
        else:
            folder = RunFolder.create(run, info)
        agent.open(run)
        try:
            yield PlaySession(folder, info, settings, dataset, case, agent)
        finally:
            agent.close()

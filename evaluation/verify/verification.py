"""The check of one run: what follows from something else is made again, the rest is compared with what it must fit."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import REPLAY
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.durable_file import is_regular
from mpcbench.evaluation.runs.folder import RUN_FILE, RunError, RunFolder
from mpcbench.evaluation.verify.agents import original
from mpcbench.evaluation.verify.data import RunData
from mpcbench.evaluation.verify.derived import DerivedFiles
from mpcbench.evaluation.verify.episode import grading_findings, setting_findings, value_findings
from mpcbench.evaluation.verify.files import file_findings
from mpcbench.evaluation.verify.rerun import Rerun, needs_no_endpoint
from mpcbench.evaluation.verify.run_file import run_findings, run_notes, settings_of
from mpcbench.evaluation.verify.transcript import transcript_findings
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.result import Result, result_of
from mpcbench.schema.run import case_of
from mpcbench.schema.untrusted_text import one_line


@dataclass
class Verification:
    """The check of one run; iterate over `findings` first."""

    folder: RunFolder
    dataset: Dataset
    """The data that the run ran on."""

    episodes: int = 0
    """How many have been checked so far."""

    tool_calls: int = 0
    """How many have been run again so far."""

    files: list[str] = field(default_factory=list)
    """The files made again and compared so far."""

    _results: list[Result] = field(default_factory=list)
    _settings: Settings | None = None
    _rerun: Rerun | None = None

    @property
    def data(self) -> str:
        """Which data the run ran on."""
        return RunData(self.folder, self.dataset).name

    def findings(self) -> Iterator[str]:
        """Every defect as one line that names the file; nothing if the run is intact.

        The checks: the files are those of a run, with the SHA-256 of its end; `run.json` fits the options, the
        prompts and the data; every planned episode is there; the gold is the oracle's; each episode fits the
        settings, its calls give the logged results, its transcript holds these calls, and its scores and diagnosis
        follow; agents without an endpoint do the same again; every summary and report follows from the episodes.
        """
        data = RunData(self.folder, self.dataset)
        yield from file_findings(self.folder)
        yield from data.findings()
        yield from self._run_file()
        planned = set(self.folder.info.cases)
        try:
            files = self.folder.episode_files()
        except RunError as error:
            yield str(error)
            files = []
        for file in filter(is_regular, files):
            name = file.relative_to(self.folder.path).as_posix()
            self.episodes += 1
            try:
                episode = self.folder.read(file)
                yield from data.gold_findings(episode.instance_id)
                if case_of(episode) not in planned:
                    yield f"{name}: the run planned no episode {one_line(case_of(episode).text, 200)}"
                yield from (f"{name}: {finding}" for finding in self._episode(episode))
            except (RunError, DataError) as error:
                yield str(error) if str(file) in str(error) else f"{name}: {error}"
            else:
                self._results.append(result_of(episode))
        self._results.sort(key=lambda result: case_of(result).place)
        yield from self._not_run()
        derived = DerivedFiles(self.folder, self._results, self.dataset, self._settings)
        try:
            yield from derived.findings()
        except (RunError, DataError) as error:
            yield str(error)
        self.files = derived.names

    def notes(self) -> Iterator[str]:
        """What is no defect, and what a reader of the run should know all the same."""
        yield from run_notes(self.folder.info)
        errors = Counter(result.model for result in self._results if result.outcome is Outcome.ERROR)
        for model, number in sorted(errors.items()):
            yield f"errors, which are part of no average: {number} of {one_line(model, 60)}"
        died = Counter(result.model for result in self._results if result.fault and result.fault.kind == "worker")
        for model, number in sorted(died.items()):
            if needs_no_endpoint(model):
                yield f"errors of workers that died, and nothing else would have been one: {number} of {one_line(model, 60)}"
        missing = len(self.folder.info.cases) - self.episodes
        if missing > 0 and self.folder.info.stopped is not None:
            yield f"planned and not run: {missing} episodes: {one_line(self.folder.info.stopped, 200)}"
        unearned = Counter(result.model for result in self._results if result.unearned)
        for model, number in sorted(unearned.items()):
            yield f"exact matches without the needed records: {number} of {one_line(model, 60)}"

    def _run_file(self) -> Iterator[str]:
        info = self.folder.info
        try:
            self._settings = settings_of(info)
        except SettingsError as error:
            yield f"{RUN_FILE}: $.options: {error}"
        else:
            self._rerun = Rerun(self._settings, self.dataset, info)
        yield from run_findings(info, self._settings, self.dataset)

    def _episode(self, episode: Episode) -> Iterator[str]:
        """The defects of an episode; nothing more is to be seen where its agent does the very same again."""
        self.tool_calls += len(episode.tool_calls)
        own = needs_no_endpoint(episode.model)
        rerun = self._rerun if own or episode.model.startswith(REPLAY) else None
        found = [] if rerun is None else list(rerun.findings(episode))
        yield from value_findings(episode, self.folder.info)
        if own and rerun is not None and not found:
            return
        yield from grading_findings(episode, self.dataset, self._settings)
        if self._settings is not None:
            yield from setting_findings(episode, self._settings)
        model, agent = original(episode.model, self.folder.info.agents.get(episode.model))
        if isinstance(agent, dict) and not (episode.fault is not None and model != episode.model):
            yield from transcript_findings(episode, agent)
        yield from found

    def _not_run(self) -> Iterator[str]:
        info = self.folder.info
        missing = sorted(set(info.cases) - {case_of(result) for result in self._results}, key=lambda case: case.place)
        if missing and info.stopped is None:
            yield (
                f"{RUN_FILE}: $.cases: {len(missing)} of {len(info.cases)} planned episodes are not there, "
                f"such as {one_line(missing[0].text, 100)}, and nothing says that the run was stopped"
            )

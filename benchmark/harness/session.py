"""The lifecycle of a run: check the options, start, plan, and complete it.

Every process of a run has its `RunSession`. The one where all results come together, which is the only process or
xdist's controller, also keeps the run's folder and reports; in workers these steps do nothing.
"""

import os
import threading
from collections.abc import Generator, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.local.server import LocalServer
from mpcbench.benchmark.harness.case_failure import case_failure, is_whole
from mpcbench.benchmark.harness.case_reports import CaseReports, RunEnd
from mpcbench.benchmark.harness.ending import Signals, follow
from mpcbench.benchmark.harness.episode_runner import EpisodeRunner
from mpcbench.benchmark.harness.json_report import JsonReport
from mpcbench.benchmark.harness.ladder_runs import check_ladder
from mpcbench.benchmark.harness.local_server import local_model, start_if_needed
from mpcbench.benchmark.harness.open_files import allow_files
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.outside_agents import OutsideAgents
from mpcbench.benchmark.harness.preflight import preflight
from mpcbench.benchmark.harness.recalling import in_words, recalled, remember
from mpcbench.benchmark.harness.registry import agents_of, hiding
from mpcbench.benchmark.harness.reporting import complete_json, run_block
from mpcbench.benchmark.harness.resuming import resumable, run_path, with_earlier
from mpcbench.benchmark.harness.run_display import RunDisplay
from mpcbench.benchmark.harness.run_info import data_versions, run_info
from mpcbench.benchmark.harness.run_terminal import RunTerminal
from mpcbench.benchmark.harness.run_writer import RunWriter
from mpcbench.benchmark.harness.selection import climbs_of, replayable, select, with_planned
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.stopping import StopSign
from mpcbench.benchmark.harness.trial import TrialResult
from mpcbench.benchmark.progress.in_flight import InFlight
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.lock import RunLock
from mpcbench.evaluation.runs.options import OPTIONS, Subject
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.run import Case
from mpcbench.schema.untrusted_text import printable

WORKER_INPUT = "mpcbench_run"
"""The key under which a worker receives the run's folder and the process ID of its controller."""


_LOOKING = ("collectonly", "setuponly", "setupplan", "showfixtures", "show_fixtures_per_test")
"""The options of pytest with which it runs no test."""


class RunSession:
    """One process's part in a run, from the command line to the summary files.

    Args:
        config: Of pytest.

    Raises:
        SettingsError: an option's value is not allowed, or makes no run on these data.
        DataError: a data file is missing or wrong.
        RunError: an earlier run cannot be read or resumed.
        OptionError: a model does not take one of the endpoint's options.
        MissingKeyError: an endpoint needs a key that the environment does not hold.
        ModelsFileError: models.toml cannot be used.
        LocalModelError: `--model local` cannot be served.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        worker_input: dict[str, Any] | None = getattr(config, "workerinput", None)
        self.is_worker = worker_input is not None
        here = config.invocation_params.dir
        typed = {option.name: config.getoption(f"--{option.name}") for option in OPTIONS}
        self._recalled = worker_input[WORKER_INPUT][2] if worker_input else recalled(config, typed)
        given = typed | self._recalled
        options = with_earlier(given, here)
        self.settings = Settings.from_options(options, here)
        self.dataset = Dataset.open(self.settings.dataset)
        cases = self._selected(given)
        levels = sorted({case.level for case in cases})
        for level in levels:
            self.dataset.require(level)
        workers = getattr(config.option, "numprocesses", None) or 0
        local = None if self.is_worker else local_model(self.settings, workers or 1)
        self.agents = agents_of(self.settings, self.dataset, local)
        self._outside = OutsideAgents(self.agents, workers)
        if self.settings.adaptive and (workers or self.is_worker):
            raise SettingsError("--adaptive: not together with -n, as one episode decides which is the next")
        self._climbs = climbs_of(cases, self.dataset, self.settings) if self.settings.adaptive else {}
        self._solved: dict[Case, bool | None] = {}
        """By case of a staircase that has run, whether it was solved; None for an error."""

        check_ladder(self.settings, self.agents, levels)
        self.cases = replayable(cases, self.agents, self.dataset)
        self.hide = hiding(self.agents.values())
        """Takes secrets out of texts."""

        now = datetime.now(UTC)
        told: tuple[str, int | None, dict[str, Any]] | None = worker_input[WORKER_INPUT] if worker_input else None
        self._controller = None if told is None else told[1]
        self.folder = RunFolder(Path(told[0]) if told is not None else run_path(self.settings, now))
        self._lock: RunLock | None = None
        self._signals = Signals()
        self._in_flight = InFlight(self.folder)
        self._display = RunDisplay(config, self.folder)
        self._terminal = RunTerminal(config)
        self._reports = CaseReports(self.settings, self.cases, self.folder)
        self._end = RunEnd()
        self._begun = False
        """Whether the folder is this process's to write; never in a worker."""

        self._flown: list[str] = []
        """What came of the preflight."""

        self._loading = False
        self._idle = self.is_worker or any(getattr(config.option, name, False) for name in _LOOKING)
        self._server = None if local is None or self._idle else LocalServer(local)
        if not self.is_worker:
            info = run_info(self.folder.path.name, now, self.settings, options, self.dataset, levels, self.agents)
            self._writer = RunWriter(
                self.folder, info if self.settings.resume is None else resumable(self.folder, info)
            )
        self._json_report = JsonReport(config, is_kept=not self._idle)

    @cached_property
    def runner(self) -> EpisodeRunner:
        """What runs and stores the episodes of this process."""
        return EpisodeRunner(self.settings, self.dataset, self.agents, self.folder, self.hide)

    def start(self) -> None:
        """Lock the run, start the local model's server, try the user's agents, and make the folder or resume the run.

        The workers need not agree on who starts the server and who is the last to need it: their parent does both.

        Raises:
            SettingsError: the system does not allow as many open files as the run needs, or an endpoint fails.
            LocalModelError: the server cannot start; then no run begins.
            AgentSpecError: an agent of the user's cannot be loaded; nor then.
            RunError: the folder cannot be used.
            OSError: it cannot be written.
        """
        if self._controller is not None:
            self._lock = RunLock.join(self.folder.path)
            if self._lock is not None:
                self._signals.ignore()
                follow(self._lock, self._controller)
        if not self._idle:
            allow_files(getattr(self.config.option, "numprocesses", None) or 1, self.settings.concurrency)
            if self.settings.resume is not None:
                self._lock = RunLock.take(self.folder.path)
        if self._server is not None:
            start_if_needed(self._server, self.cases, self.folder)
        if self._idle:
            return
        self._flown = self._preflight()
        if self.settings.resume is None:
            self.folder.make_room()
            self._lock = RunLock.take(self.folder.path)
            self._writer.create()
        else:
            self._writer.resume()
        self._begun = True
        self._in_flight.open()
        self._outside.write_addresses(self.folder)
        if not self._recalled:
            remember(self.config, self._writer.info.options)
        self._signals.take()
        self._outside.invite(self.folder, self._terminal.reporter)

    def judge(self, case: Case, result: TrialResult) -> None:
        """Raise `CaseFailure` if the episode is an error, or not what `--fail-on` asks for."""
        __tracebackhide__ = True
        trial = None if result.error is not None else self.runner.trial_of(case)
        scores = result.episode.scores
        if trial is None or scores is None or self.settings.fail_on.fails(scores):
            file = self._terminal.shown(self.folder.episode_file(case))
            raise case_failure(trial, result, file, hide=self.hide, whole=is_whole(self.config))

    def _selected(self, given: Mapping[str, Any]) -> tuple[Case, ...]:
        """The cases that the options choose; without a choice, also what earlier sessions of the run planned."""
        try:
            cases = select(self.dataset, self.settings)
        except SettingsError as error:
            raise SettingsError(f"{error}{self._as_before()}") from None
        chosen = any(given[option.name] for option in OPTIONS if option.subject is Subject.CASES)
        if self.settings.resume is None or chosen:
            return cases
        return with_planned(cases, RunFolder.open(self.settings.resume).info.cases)

    def _as_before(self) -> str:
        """The recalled options, for people; empty without any."""
        return f" as before: {in_words(self._recalled)}" if self._recalled else ""

    def _preflight(self) -> list[str]:
        """What came of the preflight; raises `SettingsError` or `AgentSpecError`."""
        self._outside.preflight()
        if not self.settings.preflight:
            return []
        return [*preflight(self.agents, self.cases, self.folder, self.runner.trial_of)]

    def for_workers(self) -> tuple[str, int | None, dict[str, Any]]:
        """The run's folder, the ID of this process if the workers are to store episodes there, and recalled options."""
        return str(self.folder.path), None if self._idle else os.getpid(), self._recalled

    def header(self) -> list[str]:
        """Which options an earlier run gave, what the preflight met, and which local model, file, settings and isolation."""
        words = [f"mpcbench:{printable(self._as_before())}"] if self._recalled else []
        words += [printable(line) for line in self._flown]
        words += [] if self._server is None else [f"local: {line}" for line in self._server.lines()]
        return words + self._outside.lines()

    def collected(self, nodeids: Iterable[str]) -> None:
        """Learn the order of the tests and plan their cases; all workers collect the same."""
        self._reports.collected(nodeids)
        if self._begun and not self.settings.adaptive:
            self._writer.plan(self._reports.planned())

    def asks_for(self, case: Case) -> bool:
        """Whether a case is to run: every one but those that a staircase leaves out; plans it if it was not before."""
        climb = self._climbs.get(case.model)
        if climb is None:
            return True
        if case not in climb.asked(self._solved):
            return False
        if self._begun:
            self._writer.plan((case,))
        return True

    def ended(self, case: Case, result: TrialResult) -> None:
        """Learn what came of a case, for what its staircase asks for next."""
        scores = result.episode.scores
        self._solved[case] = None if scores is None else scores.exact_match

    def test_begins(self) -> None:
        """Show how far the run is from now on."""
        if self._begun:
            self._display.start()

    def crashed(self, nodeid: str, report: pytest.TestReport) -> None:
        """A worker died during a test."""
        self._reports.crash(nodeid, report)

    def reported(self, report: pytest.TestReport) -> pytest.TestReport | None:
        """Take a report of a test; returns another one that pytest has still to be given, if there is one."""
        if not self._loading and hasattr(report, "node"):
            # What the end of the run needs takes a second to load; meanwhile the workers are at work.
            self._loading = True
            threading.Thread(target=import_module, args=("scipy.special",), daemon=True).start()
        return self._reports.take(report)

    def finish(self, session: pytest.Session) -> Generator[None, object, object]:
        """End the run: no episode is stored from here on, and no run passes that was stopped or lost a case.

        The reports are written where this yields; after them the folder is completed.
        """
        self._signals.disarm()
        self._display.close()
        self.runner.close()
        if not self._idle:
            self._close(session)
        result = yield
        if not self.is_worker:
            self._check_reports(session)
        if self._begun:
            self._in_flight.close()
            try:
                stopped = self._end.stopped or _interruption(session)
                dataset = self.dataset if self.settings.report else None
                self._writer.complete(self._end, stopped, self._json_report, dataset)
            except (OSError, RunError) as error:
                cause = self._writer.unwritable(error) if isinstance(error, OSError) else str(error)
                self._fail(session, f"lost: {cause}; --resume completes the run")
        return result

    def complete_json(self, json_report: dict[str, Any]) -> None:
        """Complete pytest-json-report's report."""
        complete_json(json_report, self._end, self._reports, self.folder, self._terminal.shown(self.folder.path))
        levels = sorted({case.level for case in self.cases})
        data = {"versions": data_versions(self.dataset, levels), "sha256": self.dataset.hashes(levels)}
        json_report["mpcbench"] = run_block(self._end, self.settings.described(), data)
        self._json_report.content = json_report

    def write_terminal(self) -> None:
        """Print the tables of results, and what is an error or lost."""
        death = None if self._server is None else self._server.death()
        if death is not None:
            self._terminal.fault(death)
        self._terminal.results(self._end, self.folder.path)

    def close(self) -> None:
        """End the servers of models and tools, and give the run free: it is over, or could not begin."""
        if self._server is not None:
            self._server.close()
        self._outside.close()
        self._signals.give_back()
        if self._lock is not None and not self.is_worker:
            self._lock.release()

    def _close(self, session: pytest.Session) -> None:
        """Determine the final state of the run, before the reports are written."""
        early = _interruption(session) is not None
        broken = self._signals.received is not None or session.exitstatus == pytest.ExitCode.INTERNAL_ERROR
        if self._lock is not None and (early or broken or self._reports.missing(session.testscollected)):
            self._lock.seal()
        stopped = StopSign(self.folder).take_down() if self._begun else None
        if stopped is None and self._signals.received is not None:
            stopped = f"interrupted by {self._signals.received}"
        if stopped is not None and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        try:
            self._end = self._reports.end(session.testscollected, early=early, stopped=stopped)
        except RunError as error:
            self._begun = False  # nothing is to be completed
            gone = not self.folder.path.is_dir()
            cause = f"{self.folder.path}: the folder was removed or moved during the run" if gone else str(error)
            self._end = RunEnd(lost=(f"lost: {cause}",), stopped=stopped)
        if self._end.lost and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _check_reports(self, session: pytest.Session) -> None:
        """Let no run pass without its JSON report, and print the results where pytest prints no summary."""
        lost = self._json_report.lost()
        if lost is not None:
            self._fail(session, f"lost: the JSON report {lost} could not be written")
        if session.exitstatus == pytest.ExitCode.INTERNAL_ERROR:
            self._terminal.results(self._end, self.folder.path)

    def _fail(self, session: pytest.Session, line: str) -> None:
        """Let the run not pass, and say why."""
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self._terminal.fault(line)


RUN = pytest.StashKey[RunSession]()
"""The session, in pytest's configuration; missing where pytest only shows its help or the options are wrong."""


def _interruption(session: pytest.Session) -> str | None:
    reason = session.shouldfail or session.shouldstop
    if reason:
        return str(reason)
    return "interrupted" if session.exitstatus == pytest.ExitCode.INTERRUPTED else None

"""The lifecycle of a run: check the options, start, plan, and complete it.

Every process of a run has its `RunSession`. The one where all results come together, which is the only process or
xdist's controller, also keeps the run's folder and reports; in workers these steps do nothing.
"""

import json
import os
import threading
from collections.abc import Generator, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.human.agent import HUMAN, HumanAgent
from mpcbench.benchmark.agents.local.server import LocalServer
from mpcbench.benchmark.agents.mcp.agent import MCP, McpAgent
from mpcbench.benchmark.harness.case_failure import case_failure, is_whole
from mpcbench.benchmark.harness.case_reports import CaseReports, RunEnd
from mpcbench.benchmark.harness.ending import Signals, follow
from mpcbench.benchmark.harness.episode_runner import EpisodeRunner
from mpcbench.benchmark.harness.local_server import local_model, start_if_needed
from mpcbench.benchmark.harness.open_files import allow_files
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.preflight import preflight
from mpcbench.benchmark.harness.recalling import in_words, recalled, remember
from mpcbench.benchmark.harness.registry import UsersAgent, agents_of, hiding
from mpcbench.benchmark.harness.reporting import complete_json, problem_lines, result_lines, run_block
from mpcbench.benchmark.harness.resuming import resumable, run_path, with_earlier
from mpcbench.benchmark.harness.run_display import RunDisplay
from mpcbench.benchmark.harness.run_info import data_versions, run_info
from mpcbench.benchmark.harness.selection import replayable, select, with_planned
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.stopping import StopSign
from mpcbench.benchmark.harness.trial import TrialResult
from mpcbench.benchmark.progress.in_flight import InFlight
from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.lock import RunLock
from mpcbench.evaluation.runs.options import OPTIONS, Subject
from mpcbench.evaluation.runs.run_files import JSON_REPORT_FILE
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.evaluation.statistics.summary import Summary
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
        if workers and MCP in self.settings.models:
            raise SettingsError(
                f"-n: not with --model {MCP}, whose episodes have one address; --concurrency has several in flight"
            )
        workers = workers or 1
        local = None if self.is_worker else local_model(self.settings, workers)
        self.agents = agents_of(self.settings, self.dataset, local)
        if self._people and getattr(config.option, "numprocesses", None):
            raise SettingsError(f"-n: --model {HUMAN} plays one episode at a time; leave -n out")
        self.cases = replayable(cases, self.agents)
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
        self._reports = CaseReports(self.settings, self.cases, self.folder)
        self._end = RunEnd()
        self._begun = False
        """Whether the folder is this process's to write; never in a worker."""

        self._flown: list[str] = []
        """What came of the preflight."""

        self._loading = False
        self._json_report: dict[str, Any] | None = None
        self._idle = self.is_worker or any(getattr(config.option, name, False) for name in _LOOKING)
        self._server = None if local is None or self._idle else LocalServer(local)
        if not self.is_worker:
            info = run_info(self.folder.path.name, now, self.settings, options, self.dataset, levels, self.agents)
            self._info = info if self.settings.resume is None else resumable(self.folder, info)
        if not self._idle and getattr(config.option, "json_report", None) is False:
            config.option.json_report = True
            config.option.json_report_file = None
            config.option.json_report_verbosity = -1  # says nothing of it in the terminal
        self._older_report = self._report_stat()

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
            RunFolder.create(self.folder.path, self._info)
        else:
            self._info = resumable(RunFolder(self.folder.path), self._info)  # another session may just have ended
            self.folder.make_ready()
            self.folder.results()  # a damaged file ends the run before anything starts
        self._write_info()
        try:
            StopSign(self.folder).reserve()
        except OSError as error:
            raise RunError(_unwritable(self.folder, error)) from None
        self._begun = True
        self._in_flight.open()
        self._write_addresses()
        if not self._recalled:
            remember(self.config, self._info.options)
        self._signals.take()
        self._invite()

    def judge(self, case: Case, result: TrialResult) -> None:
        """Raise `CaseFailure` if the episode is an error, or not what `--fail-on` asks for."""
        __tracebackhide__ = True
        trial = None if result.error is not None else self.runner.trial_of(case)
        scores = result.episode.scores
        if trial is None or scores is None or self.settings.fail_on.fails(scores):
            file = self._shown(self.folder.episode_file(case))
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

    def _invite(self) -> None:
        """Tell the person where the page of the episodes is, whatever pytest shows."""
        for agent in self._people:
            terminal = self.config.pluginmanager.get_plugin("terminalreporter")
            address = agent.open(self.folder.path, port=0)
            if terminal is not None:
                terminal.write_line(f"{HUMAN}: play at {address}")

    def _as_before(self) -> str:
        """The recalled options, for people; empty without any."""
        return f" as before: {in_words(self._recalled)}" if self._recalled else ""

    def _preflight(self) -> list[str]:
        """What came of the preflight; raises `SettingsError` or `AgentSpecError`."""
        for agent in self._users:
            agent.preflight()
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
        return words + [f"agent: {agent.line()}" for agent in self._users]

    @property
    def _users(self) -> list[UsersAgent]:
        return [agent for agent in self.agents.values() if isinstance(agent, UsersAgent)]

    @property
    def _people(self) -> list[HumanAgent]:
        return [agent for agent in self.agents.values() if isinstance(agent, HumanAgent)]

    def collected(self, nodeids: Iterable[str]) -> None:
        """Learn the order of the tests and plan their cases; all workers collect the same."""
        self._reports.collected(nodeids)
        planned = tuple(dict.fromkeys((*self._info.cases, *self._reports.planned()))) if self._begun else ()
        if self._begun and planned != self._info.cases:
            self._info = self._info.model_copy(update={"cases": planned})
            self._write_info()

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
                self._complete(self._end.stopped or _interruption(session))
            except (OSError, RunError) as error:
                cause = _unwritable(self.folder, error) if isinstance(error, OSError) else str(error)
                self._fail(session, f"lost: {cause}; --resume completes the run")
        return result

    def complete_json(self, json_report: dict[str, Any]) -> None:
        """Complete pytest-json-report's report."""
        complete_json(json_report, self._end, self._reports, self.folder, self._shown(self.folder.path))
        levels = sorted({case.level for case in self.cases})
        data = {"versions": data_versions(self.dataset, levels), "sha256": self.dataset.hashes(levels)}
        json_report["mpcbench"] = run_block(self._end, self.settings.described(), data)
        self._json_report = json_report

    def write_terminal(self, terminal: pytest.TerminalReporter) -> None:
        """Print the tables of results, and what is an error or lost."""
        death = None if self._server is None else self._server.death()
        if death is not None:
            terminal.write_line(death, red=True)
        self._write_results(terminal)

    def close(self) -> None:
        """End the servers of models and tools, and give the run free: it is over, or could not begin."""
        if self._server is not None:
            self._server.close()
        for agent in self._users:
            agent.close()
        for person in self._people:
            person.close()
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
        option = self.config.option
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if getattr(option, "json_report", False) and option.json_report_file is not None:
            written = self._report_stat()
            if written is None or written == self._older_report:
                self._fail(session, f"lost: the JSON report {option.json_report_file} could not be written")
        if session.exitstatus == pytest.ExitCode.INTERNAL_ERROR and terminal is not None:
            self._write_results(terminal)

    def _fail(self, session: pytest.Session, line: str) -> None:
        """Let the run not pass, and say why."""
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            terminal.write_line(printable(line), red=True)

    def _report_stat(self) -> tuple[int, int, int] | None:
        """What tells a JSON report from an older one, whatever the clock says; None if there is none."""
        name = getattr(self.config.option, "json_report_file", None)
        try:
            found = Path(name or "").stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _write_results(self, terminal: pytest.TerminalReporter) -> None:
        if self._end.results:
            terminal.write_sep("=", "MPCBench")
            for line in result_lines(self._end):
                terminal.write_line(printable(line))
        for line in problem_lines(self._end):
            terminal.write_line(printable(line), red=True)
        if self._end.results:
            terminal.write_line(f"run: {self._shown(self.folder.path)}")

    def _write_addresses(self) -> None:
        """Tell programs where the episodes of MCP clients are; raises `OSError`."""
        for agent in self._users:
            if isinstance(agent, McpAgent):
                agent.write_address(self.folder.path)

    def _shown(self, path: Path) -> str:
        """A path for people: relative where it lies in the folder of the call."""
        here = self.config.invocation_params.dir
        return str(path.relative_to(here) if path.is_relative_to(here) else path)

    def _write_info(self) -> None:
        try:
            self.folder.write_info(self._info)
        except OSError as error:
            raise RunError(_unwritable(self.folder, error)) from None

    def _complete(self, stopped: str | None) -> None:
        """Complete the folder once all reports are written."""
        self.folder.write_info(self._info.model_copy(update={"stopped": stopped}))
        if self._json_report is not None:
            text = json.dumps(self._json_report, default=str, indent=self.config.option.json_report_indent)
            write_durably(self.folder.path / JSON_REPORT_FILE, text)
        write_report = self._write_report if self.settings.report else None
        write_summary(self.folder, self._end.results, self._end.totals, write_report=write_report)

    def _write_report(self, summary: Summary, out: Path) -> None:
        # They load the templates and the plots.
        from mpcbench.evaluation.report.document import write_report  # noqa: PLC0415
        from mpcbench.evaluation.report.reported_run import ReportedRun  # noqa: PLC0415

        write_report([ReportedRun(self.folder, self._end.results, summary, self.dataset)], out)


RUN = pytest.StashKey[RunSession]()
"""The session, in pytest's configuration; missing where pytest only shows its help or the options are wrong."""


def _interruption(session: pytest.Session) -> str | None:
    reason = session.shouldfail or session.shouldstop
    if reason:
        return str(reason)
    return "interrupted" if session.exitstatus == pytest.ExitCode.INTERRUPTED else None


def _unwritable(folder: RunFolder, error: OSError) -> str:
    return f"{error.filename2 or error.filename or folder.path} could not be written: {(error.strerror or str(error)).lower()}"

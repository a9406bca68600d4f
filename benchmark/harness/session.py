"""The life of a run's folder: made before the first case, planned, and completed when the last one has ended."""

import shutil
import threading
from collections.abc import Generator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.harness.episode_runner import EPISODE_RUNNER
from mpcbench.benchmark.harness.reporting import RunReport
from mpcbench.benchmark.harness.settings import OPTIONS, Settings, resumed
from mpcbench.benchmark.harness.stopping import StopSign
from mpcbench.evaluation.runs.folder import RunError, RunFolder, RunInfo
from mpcbench.evaluation.runs.identity import differences, joined
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.evaluation.statistics.summary import Summary

REPORT_FILE = "report.json"


def merged_options(given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The options of the command line; with `--resume`, what it does not say is as it was.

    Raises:
        SettingsError: `--resume` names no run.
        RunError: the run cannot be read.
    """
    earlier = resumed(given, folder)
    if earlier is None:
        return dict(given)
    stored = RunFolder.open(earlier).info.options
    return {name: stored.get(name) if given[name] in (None, []) else given[name] for name in OPTIONS}


class RunSession:
    """A pytest plugin of the process where all results come together."""

    def __init__(
        self, config: pytest.Config, settings: Settings, folder: RunFolder, info: RunInfo, report: RunReport
    ) -> None:
        self.config = config
        self.settings = settings
        self.folder = folder
        self.info = info
        self.report = report
        self.begun = False
        self.loading = False
        self.own_report = ""
        """Where the JSON report is written, if it was not asked for elsewhere."""

        if settings.resume is not None:
            self.info = _resumable(folder, info)
        option = config.option
        if not report.idle and getattr(option, "json_report", None) is False:
            option.json_report = True
            option.json_report_file = self.own_report = str(folder.path / REPORT_FILE)
            option.json_report_verbosity = -1  # says nothing of it in the terminal

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Make the folder, or take up the earlier run's."""
        if self.report.idle:
            return
        try:
            if self.settings.resume is None:
                RunFolder.create(self.folder.path, self.info)
            else:
                self.folder.results()  # a damaged file is told before anything runs
                self.folder.sweep()
                StopSign(self.folder).take_down()
                self.folder.write_info(self.info)
        except (RunError, OSError) as error:
            raise pytest.UsageError(str(error)) from None
        self.begun = True

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Plan the cases, where this process runs them."""
        self._plan()

    @pytest.hookimpl(optionalhook=True, trylast=True)
    def pytest_xdist_node_collection_finished(self) -> None:
        """Plan the cases that a worker has collected; all of them collect the same."""
        self._plan()

    def _plan(self) -> None:
        cases = [case for case in map(self.report.case_of, self.report.order) if case is not None]
        planned = tuple(dict.fromkeys((*self.info.cases, *cases)))
        if self.begun and planned != self.info.cases:
            self.info = self.info.model_copy(update={"cases": planned})
            self.folder.write_info(self.info)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Complete the folder once all reports are written; a run that was stopped does not exit with 0."""
        examiner = session.config.stash.get(EPISODE_RUNNER, None)
        if examiner is not None:
            examiner.close()
        reason = StopSign(self.folder).take_down() if self.begun else None
        self.report.stopped = reason
        if reason is not None and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        result = yield
        if self.begun:
            self._complete(reason or self._interruption(session))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Load what the end of the run needs, which takes a second, while workers are at work."""
        if not self.loading and hasattr(report, "node"):
            self.loading = True
            threading.Thread(target=import_module, args=("scipy.stats",), daemon=True).start()

    @staticmethod
    def _interruption(session: pytest.Session) -> str | None:
        reason = session.shouldfail or session.shouldstop
        if reason:
            return str(reason)
        return "interrupted" if session.exitstatus == pytest.ExitCode.INTERRUPTED else None

    def _complete(self, stopped: str | None) -> None:
        self.folder.write_info(self.info.model_copy(update={"stopped": stopped}))
        elsewhere = getattr(self.config.option, "json_report_file", None)
        if not self.own_report and self.config.option.json_report and elsewhere and Path(elsewhere).is_file():
            shutil.copyfile(elsewhere, self.folder.path / REPORT_FILE)
        write_report = self._write_report if self.settings.report else None
        write_summary(self.folder, self.report.results, self.report.totals, write_report=write_report)

    def _write_report(self, summary: Summary, out: Path) -> None:
        # They load the templates and the plots.
        from mpcbench.evaluation.report.document import write_report  # noqa: PLC0415
        from mpcbench.evaluation.report.reported_run import ReportedRun  # noqa: PLC0415

        write_report([ReportedRun(self.folder, self.report.results, summary, self.report.dataset)], out)


def _resumable(folder: RunFolder, info: RunInfo) -> RunInfo:
    """The information of the earlier run with what this session adds; raises `RunError` if the two do not fit."""
    earlier = folder.info
    found = list(differences(earlier, info))
    if found:
        raise RunError(f"--resume: {folder.path} cannot be gone on with: it was run with {'; '.join(found)}")
    return joined(earlier, info)

"""The files about a run as a whole: what it is, what is planned, and what it came to."""

from collections.abc import Iterable
from pathlib import Path

from mpcbench.benchmark.harness.case_reports import RunEnd
from mpcbench.benchmark.harness.json_report import JsonReport
from mpcbench.benchmark.harness.resuming import resumable
from mpcbench.benchmark.harness.stopping import StopSign
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.evaluation.statistics.summary import Summary
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.run import Case, RunInfo


class RunWriter:
    """Writes them in the one process that keeps the run's folder.

    Args:
        folder: Of the run.
        info: What is known of the run before it begins.
    """

    def __init__(self, folder: RunFolder, info: RunInfo) -> None:
        self._folder = folder
        self.info = info
        """What run.json holds."""

    def create(self) -> None:
        """Begin a new run, which is locked; raises `RunError` or `OSError`."""
        RunFolder.create(self._folder.path, self.info)
        self._begin()

    def resume(self) -> None:
        """Continue a run that is locked; raises `RunError` or `OSError`."""
        self.info = resumable(RunFolder(self._folder.path), self.info)  # another session may just have ended
        self._folder.make_ready()
        self._folder.results()  # a damaged file ends the run before anything starts
        self._begin()

    def _begin(self) -> None:
        self._write_info()
        try:
            StopSign(self._folder).reserve()
        except OSError as error:
            raise RunError(self.unwritable(error)) from None

    def plan(self, cases: Iterable[Case]) -> None:
        """Add cases to those that are planned; raises `RunError`."""
        planned = tuple(dict.fromkeys((*self.info.cases, *cases)))
        if planned != self.info.cases:
            self.info = self.info.model_copy(update={"cases": planned})
            self._write_info()

    def complete(self, end: RunEnd, stopped: str | None, json_report: JsonReport, dataset: Dataset | None) -> None:
        """Complete the folder once all reports of pytest are written; raises `OSError` or `RunError`.

        Args:
            end: The state of the run.
            stopped: Why it ended early; None if it did not.
            json_report: Of this session.
            dataset: The run's, for the HTML report; None for none.
        """

        def write_html(summary: Summary, out: Path) -> None:
            # They load the templates and the plots.
            from mpcbench.evaluation.report.document import write_report  # noqa: PLC0415
            from mpcbench.evaluation.report.reported_run import ReportedRun  # noqa: PLC0415

            assert dataset is not None
            write_report([ReportedRun(self._folder, end.results, summary, dataset)], out)

        if stopped is not None:
            self._folder.make_ready()  # a process that was stopped in mid-write leaves half a file; no other stores now
        self._folder.write_info(self.info.model_copy(update={"stopped": stopped}))
        json_report.write(self._folder)
        write_summary(self._folder, end.results, end.totals, write_report=None if dataset is None else write_html)

    def unwritable(self, error: OSError) -> str:
        """What could not be written, and why."""
        file = error.filename2 or error.filename or self._folder.path
        return f"{file} could not be written: {(error.strerror or str(error)).lower()}"

    def _write_info(self) -> None:
        try:
            self._folder.write_info(self.info)
        except OSError as error:
            raise RunError(self.unwritable(error)) from None

"""The report of a run so far, which a browser loads again while the run goes on."""

import time
from dataclasses import dataclass
from pathlib import Path

from mpcbench.benchmark.progress.progress_text import progress_line
from mpcbench.benchmark.progress.run_progress import RunProgress
from mpcbench.evaluation.report.document import Live, write_report
from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.identity import data_of
from mpcbench.schema.dataset import COMMITTED, DataError, Dataset


@dataclass
class LiveReport:
    """A file that is written anew from time to time."""

    run: Path
    """The run's folder."""

    out: Path
    seconds: float
    """Between two writings, counted from the end of one, and until the page loads itself again."""

    _due: float = 0.0

    def keep(self, progress: RunProgress) -> None:
        """Write it if it is due, as a page that loads itself again; nothing before the first episode."""
        if time.monotonic() < self._due:
            return
        snapshot = progress.look()
        if snapshot.done:
            self._write(Live(f"The run goes on: {progress_line(snapshot)}.", reload_seconds=self.seconds))

    def close(self, progress: RunProgress, *, ended: bool) -> None:
        """Write it a last time, as a page that stays as it is."""
        snapshot = progress.look()
        if snapshot.done:
            self._write(None if ended else Live(f"The run had not ended: {progress_line(snapshot)}."))

    def _write(self, live: Live | None) -> None:
        folder = RunFolder.open(self.run)
        write_report([ReportedRun.read(folder, _data(folder))], self.out, live)
        self._due = time.monotonic() + self.seconds


def _data(folder: RunFolder) -> Dataset | None:
    try:
        return data_of(folder.info, None, COMMITTED)
    except DataError:  # then there are no timelines
        return None

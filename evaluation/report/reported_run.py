"""A run as a report gets it."""

from collections.abc import Sequence
from dataclasses import dataclass

from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.summary_files import run_summary
from mpcbench.evaluation.statistics.summary import Summary
from mpcbench.schema.dataset import Dataset, UnknownInstanceError
from mpcbench.schema.episode import Episode
from mpcbench.schema.level4.exam import AnyExam, any_exam
from mpcbench.schema.result import Result
from mpcbench.schema.run import Case, RunInfo


@dataclass(frozen=True)
class ReportedRun:
    """A run's folder, its results and their summary, and, if available, the data that it ran on."""

    folder: RunFolder
    results: Sequence[Result]
    summary: Summary
    dataset: Dataset | None = None

    @classmethod
    def read(cls, folder: RunFolder, dataset: Dataset | None = None) -> "ReportedRun":
        """The run with its results read and summed up.

        Args:
            folder: The run's folder.
            dataset: The data that it ran on, as `evaluation.runs.identity.data_of` finds them; None if unavailable.

        Raises:
            RunError: the run cannot be read.
            MixedVersionsError: its episodes carry more than one grading version.
        """
        results = folder.results()
        return cls(folder, results, run_summary(folder.info, results), dataset)

    @property
    def info(self) -> RunInfo:
        """What ran."""
        return self.folder.info

    def episode(self, case: Case) -> Episode | None:
        """An episode, read from its file; raises `RunError`."""
        return self.folder.episode(case)

    def exam(self, case: Case) -> AnyExam | None:
        """What an episode is judged by; None if the data are not available."""
        if self.dataset is None:
            return None
        try:
            return any_exam(self.dataset, case.instance_id)
        except UnknownInstanceError:
            return None

"""The data of a run: which they are, and whether their gold is the oracle's."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from mpcbench.benchmark.harness.run_info import data_versions
from mpcbench.evaluation.diagnosis.level4.shown import KNOWN
from mpcbench.evaluation.runs.folder import RUN_FILE, RunFolder
from mpcbench.oracle import Solution, UnresolvedError, resolve, solve
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import LadderSolution
from mpcbench.oracle.level4.solve import solve as solve_ladder
from mpcbench.schema.dataset import COMMITTED, Dataset, labels_path
from mpcbench.schema.exam import Exam
from mpcbench.schema.level4.exam import AnyExam, any_exam
from mpcbench.schema.model import AnyLevel
from mpcbench.schema.versions import GENERATOR_VERSION


@dataclass
class RunData:
    """The data that a run ran on."""

    folder: RunFolder
    dataset: Dataset
    _checked: dict[str, str | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Which data they are, for the first line."""
        hashes = self.dataset.hashes(self._levels)
        if hashes == Dataset(COMMITTED).hashes(self._levels):
            return f"the committed data {GENERATOR_VERSION}"
        digest = sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()
        return f"NOT THE COMMITTED DATA: SHA-256 {digest}, in {self.dataset.folder}"

    def findings(self) -> Iterator[str]:
        """What `run.json` says of the data, and where they lie."""
        if self.dataset.folder.resolve().is_relative_to(self.folder.path.resolve()):
            yield f"{self.dataset.folder}: the data lie in the run's folder; whoever wrote the run could write them"
        recorded = self.folder.info.data
        missing = self.dataset.hashes(self._levels).keys() - recorded.sha256.keys()
        if missing:
            yield f"{RUN_FILE}: $.data.sha256: lacks {min(missing)}"
        versions, others = (data_versions(self.dataset, levels) for levels in (self._levels, self.dataset.all_levels))
        if recorded.versions != {level: others.get(level) for level in versions.keys() | recorded.versions.keys()}:
            yield f"{RUN_FILE}: $.data.versions: not those of the data"

    def gold_findings(self, instance_id: str) -> Iterator[str]:
        """Whether the label's gold is the oracle's, said once for an instance; raises `DataError`."""
        if instance_id not in self._checked:
            self._checked[instance_id] = self._gold(instance_id)
            if self._checked[instance_id] is not None:
                yield str(self._checked[instance_id])

    def _gold(self, instance_id: str) -> str | None:
        exam = any_exam(self.dataset, instance_id)
        place = f"{labels_path(exam.instance.level)}: {instance_id}"
        try:
            solution = _solved(exam)
        except (UnresolvedError, SearchLimitError) as error:
            return f"{place}: {error}"
        if (solution.gold, solution.digest) != (exam.label.gold, exam.label.digest):
            return f"{place}: the gold is not the oracle's"
        return None

    @property
    def _levels(self) -> list[AnyLevel]:
        return sorted({case.level for case in self.folder.info.cases} & set(self.dataset.all_levels))


def _solved(exam: AnyExam) -> Solution | LadderSolution:
    """The oracle's solution; raises `UnresolvedError` or `SearchLimitError`."""
    if isinstance(exam, Exam):
        return solve(resolve(exam.world, exam.instance))
    return solve_ladder(knowledge_of(exam.world, exam.instance, KNOWN.of(exam.world)))

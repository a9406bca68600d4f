"""A standing: one model at one level in one run, as the summary of that run has it. No number is computed here."""

from collections.abc import Sequence
from typing import NamedTuple

from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.statistics.attribution import AttributionRow, attribution_rows
from mpcbench.evaluation.statistics.averages import LevelSummary


class ModelResult(NamedTuple):
    """A row of the tables and plots."""

    run: int
    """The place of its run in the report, from 0."""

    row: LevelSummary
    attribution: AttributionRow | None
    """The proven causes; None where the run sought none."""


def model_results(runs: Sequence[ReportedRun]) -> list[ModelResult]:
    """All model_results, by level, model and run."""
    found = []
    for place, run in enumerate(runs):
        proven = {(one.level, one.model): one for one in attribution_rows(run.results)}
        found += [ModelResult(place, row, proven.get((row.level, row.model))) for row in run.summary.rows]
    return sorted(found, key=lambda one: (one.row.level, one.row.model, one.run))

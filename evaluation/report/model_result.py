"""The result of one model at one level in one run, as the summary of that run has it. No number is computed here."""

from collections.abc import Sequence
from typing import NamedTuple

from mpcbench.evaluation.report.reported_run import ReportedRun
from mpcbench.evaluation.statistics.attribution import AttributionRow, attribution_rows
from mpcbench.evaluation.statistics.averages import LevelSummary


class ModelResult(NamedTuple):
    """What a line of the tables, or a row of the plots, shows."""

    run: int
    """The place of its run in the report, from 0."""

    summary: LevelSummary
    attribution: AttributionRow | None
    """The proven causes; None where none were sought."""


def model_results(runs: Sequence[ReportedRun]) -> list[ModelResult]:
    """All results, by level, model and run."""
    found = []
    for place, run in enumerate(runs):
        proven = {(one.level, one.model): one for one in attribution_rows(run.results)}
        found += [ModelResult(place, one, proven.get((one.level, one.model))) for one in run.summary.rows]
    return sorted(found, key=lambda one: (one.summary.level, one.summary.model, one.run))

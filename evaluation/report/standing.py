"""A standing: one model at one level in one run, as the summary of that run has it. No number is computed here."""

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.attribution import AttributionRow, attribution_rows
from evaluation.report.reported_run import ReportedRun
from evaluation.row import Row


class Standing(NamedTuple):
    """A row of the tables and plots."""

    run: int
    """The place of its run in the report, from 0."""

    row: Row
    attribution: AttributionRow | None
    """The proven causes; None where the run sought none."""


def standings(runs: Sequence[ReportedRun]) -> list[Standing]:
    """All standings, by level, model and run."""
    found = []
    for place, run in enumerate(runs):
        proven = {(one.level, one.model): one for one in attribution_rows(run.results)}
        found += [Standing(place, row, proven.get((row.level, row.model))) for row in run.summary.rows]
    return sorted(found, key=lambda one: (one.row.level, one.row.model, one.run))

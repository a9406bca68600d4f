"""What the best guess is worth without one source: measured on data that nothing was fitted to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mpcbench.benchmark.agents.baselines.known import BaselineInput, baseline_input
from mpcbench.benchmark.agents.baselines.options import Case, hit
from mpcbench.benchmark.agents.baselines.variants import variants
from mpcbench.benchmark.agents.baselines.without import Missing
from mpcbench.evaluation.statistics import Estimate, share
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.model import Level


class BatteryRow(NamedTuple):
    """What one way of guessing scores on one data set."""

    level: Level
    missing: Missing
    variant: str
    data: str
    """The name of the data set."""

    exact_match: Estimate
    f1: Estimate


class Bounds(NamedTuple):
    """What no variant may exceed on held-out data; None for no bound."""

    exact_match: float | None
    f1: float | None


def bounds(level: Level, missing: Missing) -> Bounds:
    """The bounds of what can be missing at a level; to ignore the policy's ID is no missing source."""
    match missing:
        case Missing.EVERYTHING:
            return Bounds(0.01, 0.06)
        case Missing.POLICY_ID:
            return Bounds(None, None)
        case Missing.ROOMS:
            return Bounds(0.02, None)
        case _:
            return Bounds(0.02, 0.20 if level == 1 else 0.15)


def measured(level: Level, missing: Missing, train: Dataset, tests: Mapping[str, Dataset]) -> list[BatteryRow]:
    """Every variant, fitted to one data set, on each of the others; raises `DataError`."""
    learned_from = _inputs(train, level)
    (minutes, _), *_ = Counter(known.problem.duration for known in learned_from).most_common(1)
    fitted = variants(missing, [Case.of(known, missing, minutes) for known in learned_from])
    rows = []
    for name, dataset in tests.items():
        cases = [Case.of(known, missing, minutes) for known in _inputs(dataset, level)]
        for variant in fitted:
            hits = [hit(variant.pick(case), case) for case in cases]
            exact, f1 = share([one.exact for one in hits]), share([one.f1 for one in hits])
            assert exact is not None
            assert f1 is not None
            rows.append(BatteryRow(level, missing, variant.name, name, exact, f1))
    return rows


def excesses(rows: Sequence[BatteryRow], data: str) -> Iterator[str]:
    """Which variants exceed the bounds on a data set, one line each."""
    for row in rows:
        for what, estimate, most in zip(
            ("exact match", "F1"), (row.exact_match, row.f1), bounds(row.level, row.missing), strict=True
        ):
            if row.data == data and most is not None and estimate.mean > most:
                yield f"level {row.level} without {row.missing}: {what} {estimate.mean:.3f} of {row.variant!r}, more than {most}"


def _inputs(dataset: Dataset, level: Level) -> list[BaselineInput]:
    return [baseline_input(dataset, instance) for instance in dataset.instances(level)]

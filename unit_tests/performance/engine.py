"""How many times faster the engine is than the archive's oracle and than CP-SAT, on the same instances."""

from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from timeit import Timer
from typing import NamedTuple

from mpcbench.archive.v1 import legacy_oracle
from mpcbench.oracle import resolve, solve
from mpcbench.schema import Instance
from mpcbench.schema.dataset import Dataset
from unit_tests.oracle.cp_sat import feasible_digest, feasible_set
from unit_tests.performance.figure import Figure

INSTANCES = 9
_ENGINE_RUNS = 20
_REPETITIONS = 5


class Seconds(NamedTuple):
    """The processor time that each solver takes for one instance: the best of some repetitions."""

    engine: float
    archive: float
    cp_sat: float


class DisagreementError(RuntimeError):
    """The solvers do not find the same feasible set, so that their times cannot be compared."""


def figures(dataset: Dataset) -> Iterator[Figure]:
    """The median ratios over some level-3 instances, spread evenly."""
    instances = dataset.instances(3)
    chosen = instances[:: max(1, len(instances) // INSTANCES)][:INSTANCES]
    records = dataset.world(3).model_dump(mode="json")
    times = [_time(dataset, instance, records) for instance in chosen]
    milliseconds = 1e3 * median(time.engine for time in times)
    yield Figure("engine: one level-3 instance", f"{milliseconds:.3g} ms (median of {len(times)})", "", None)
    yield _ratio("the archive's oracle", [time.archive / time.engine for time in times], 20)
    yield _ratio("CP-SAT", [time.cp_sat / time.engine for time in times], 100)


def _ratio(name: str, ratios: list[float], target: float) -> Figure:
    note = f"median; {min(ratios):.3g} to {max(ratios):.3g}"
    return Figure.at_least(f"engine: faster than {name}", median(ratios), target, " times", note)


def _time(dataset: Dataset, instance: Instance, records: dict[str, object]) -> Seconds:
    # What a world derives from its records once, it has for all instances, so each solver runs once unmeasured.
    world = dataset.world(3)
    task = instance.model_dump(mode="json")
    digest = solve(resolve(world, instance)).digest
    if not digest == legacy_oracle.label(records, task)["digest"] == feasible_digest(world, instance):
        raise DisagreementError(f"{instance.instance_id}: the solvers find different candidates")
    return Seconds(
        engine=_best(lambda: solve(resolve(world, instance)), _ENGINE_RUNS),
        archive=_best(lambda: legacy_oracle.label(records, task)),
        cp_sat=_best(lambda: feasible_set(world, instance)),
    )


def _best(call: Callable[[], object], runs: int = 1) -> float:
    return min(Timer(call, timer=process_time).repeat(_REPETITIONS, runs)) / runs

"""How many times faster the engine is on level-4 tasks than the archive's oracle and than CP-SAT."""

from collections.abc import Iterator, Sequence
from statistics import median
from time import process_time
from timeit import Timer

from mpcbench.archive.v2 import ladder_oracle
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import Knowledge, known
from mpcbench.oracle.level4.solve import picks, solve
from mpcbench.schema.level4.instance import LadderInstance
from unit_tests.builders.ladder_office import Office300
from unit_tests.oracle.level4.cp_sat import cp_sat_picks
from unit_tests.performance.engine import DisagreementError
from unit_tests.performance.figure import Figure

SEED = 1
SINGLES, PLANS = 3, 9
_ENGINE_RUNS = 20
_REPETITIONS = 3


def figures() -> Iterator[Figure]:
    """The median ratios over meetings of nine people in three weeks, and over plans of seven to thirteen meetings."""
    office = Office300(SEED)
    indexed = known(office.world)
    records = office.world.model_dump(mode="json")
    singles = [office.single(number) for number in range(SINGLES)]
    tasks = [knowledge_of(office.world, instance, indexed) for instance in singles]
    own = [_engine(task) for task in tasks]
    yield Figure("engine: one level-4 meeting", f"{1e3 * median(own):.3g} ms (median of {SINGLES})", "", None)
    brute = [_archive(records, *pair) for pair in zip(singles, tasks, strict=True)]
    yield _ratio("the archive's oracle, level 4", brute, own, 20)
    yield _ratio("CP-SAT, level 4", [_cp_sat(tasks[0])], own[:1], 100)
    plans = [office.plan(number, meetings=7 + 3 * (number % 3)) for number in range(PLANS)]
    tasks = [knowledge_of(office.world, instance, indexed) for instance in plans]
    own = [_engine(task) for task in tasks]
    found = sum(bool(picks(task)) for task in tasks)
    yield Figure("engine: one plan", f"{1e3 * median(own):.3g} ms (median of {PLANS}, {found} with a gold)", "", None)
    yield _ratio("CP-SAT, plans", [_cp_sat(task) for task in tasks], own, 5)


def _ratio(name: str, others: Sequence[float], own: Sequence[float], target: float) -> Figure:
    ratios = [other / one for other, one in zip(others, own, strict=True)]
    note = f"median; {min(ratios):.3g} to {max(ratios):.3g}"
    return Figure.at_least(f"engine: faster than {name}", median(ratios), target, " times", note)


def _engine(task: Knowledge) -> float:
    return min(Timer(lambda: solve(task), timer=process_time).repeat(_REPETITIONS, _ENGINE_RUNS)) / _ENGINE_RUNS


# The others take seconds for a single meeting, so they run once.


def _archive(records: dict[str, object], instance: LadderInstance, task: Knowledge) -> float:
    began = process_time()
    label = ladder_oracle.label(records, instance.model_dump(mode="json"))
    taken = process_time() - began
    if label["digest"] != solve(task).digest:
        raise DisagreementError(f"{instance.instance_id}: the solvers find different candidates")
    return taken


def _cp_sat(task: Knowledge) -> float:
    began = process_time()
    found = cp_sat_picks(task)
    taken = process_time() - began
    if found != picks(task):
        raise DisagreementError(f"{task.subject}: the solvers find different candidates")
    return taken

"""Where rows come from: the reference agent on fresh or stored instances, or the episodes of runs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.export.splits import Split, split_of
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.identity import data_of
from mpcbench.generate.making import make_instances, whole_world
from mpcbench.generate.parallel import Processes
from mpcbench.generate.shards import index_of
from mpcbench.schema.dataset import COMMITTED, Dataset
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.exam import Exam
from mpcbench.schema.instance import Instance
from mpcbench.schema.model import LADDER, AnyLevel, Level
from mpcbench.schema.run import Case

REFERENCE = "reference"


class ExportError(ValueError):
    """What was asked for cannot be exported; the message is one line."""


def check_levels(where: Path, levels: Iterable[AnyLevel]) -> None:
    """Raise `ExportError` if there is nothing but level 4, from which nothing is exported."""
    if set(levels) == {LADDER}:
        raise ExportError(f"{where}: holds level 4 alone, and export knows levels 1 to 3 only")


@dataclass(frozen=True, slots=True)
class Taken:
    """An episode with its exam and where it comes from."""

    exam: Exam
    episode: Episode
    world_instances: int | None = None
    """The count with which its world is generated again; None where none is known to give that world."""

    run_id: str | None = None
    failure_rate: float | None = None
    """The share of the run's scored episodes of the instance that failed."""

    @property
    def split(self) -> Split:
        """The split that the instance belongs to."""
        return split_of(self.exam.instance.seed)


def fresh_exams(level: Level, seed: int, count: int, workers: int) -> Iterator[Exam]:
    """Certified instances of one world, as `mpcbench generate` makes them; raises `GenerationError`."""
    made = list(make_instances(level, seed, range(count), Processes(workers)))
    world = whole_world(level, seed, made)
    for item in made:
        yield Exam(world, item.instance, item.label)


def stored_exams(dataset: Dataset, level: Level, count: int | None) -> Iterator[Exam]:
    """The first instances of a level of a data set, all by default; raises `DataError`."""
    for instance_id in dataset.instance_ids(level)[:count]:
        yield dataset.exam(instance_id)


def world_instances(dataset: Dataset, level: Level) -> int | None:
    """The count with which a level of a data set is generated again; raises `DataError`.

    None if instances are missing, as in one shard of several: what the others add to the world is missing, too, and the
    files do not say how many others there are.
    """
    numbers = {index_of(instance.instance_id) for instance in dataset.instances(level)}
    return len(numbers) if numbers == set(range(len(numbers))) else None


def attempt(exam: Exam, agent: Agent, name: str, settings: Settings) -> Episode:
    """One graded episode of an agent."""
    case = Case(exam.instance.instance_id, exam.instance.level, name)
    return Trial(case, exam, settings).run(agent).episode


def demonstration(exam: Exam, settings: Settings, world_instances: int | None = None) -> Taken:
    """The reference agent's episode, an exact match that saw every record that it needs; raises `ExportError`."""
    episode = attempt(exam, reference, REFERENCE, settings)
    if not is_exact(episode):
        raise ExportError(f"{exam.instance.instance_id}: the reference agent does not find the gold")
    return Taken(exam, episode, world_instances)


def is_exact(episode: Episode) -> bool:
    """Whether it is a whole solution: an exact match after every needed record, with nothing handed over."""
    return episode.outcome is Outcome.PASSED and not episode.records_missed and as_usual(episode)


def as_usual(episode: Episode) -> bool:
    """Whether its agent was told no more than usual: nothing revealed, and no tags."""
    return episode.reveal is None and episode.tags == "hidden"


def without_test_names(taken: Iterable[Taken]) -> Iterator[Taken]:
    """All but instances that are named like a test: at level 3 the name is nearly all that a task says."""
    return (one for one in taken if not is_named_like_a_test(one.exam.instance))


def is_named_like_a_test(instance: Instance) -> bool:
    """Whether an instance for other purposes than tests has a meeting that is called like one of the committed data."""
    return split_of(instance.seed) is not Split.TEST and instance.meeting in _test_names(instance.level)


@cache
def _test_names(level: Level) -> frozenset[str]:
    return frozenset(instance.meeting for instance in Dataset(COMMITTED).instances(level))


def run_episodes(paths: Iterable[Path], dataset: Path | None, levels: Iterable[Level]) -> Iterator[Taken]:
    """The scored episodes of runs; raises `RunError`, and `DataError` where a run's data are not found."""
    wanted = set(levels)
    for path in paths:
        folder = RunFolder.open(path)
        check_levels(path, {case.level for case in folder.cases()})
        data = data_of(folder.info, dataset, COMMITTED)
        scored, failed = Counter[str](), Counter[str]()
        for result in folder.results():
            scored[result.instance_id] += result.outcome is not Outcome.ERROR
            failed[result.instance_id] += result.outcome is Outcome.FAILED
        for case in folder.cases():
            episode = folder.episode(case) if case.level in wanted else None
            if episode is None or episode.outcome is Outcome.ERROR:
                continue
            name = case.instance_id
            yield Taken(data.exam(name), episode, None, folder.info.run_id, failed[name] / scored[name])

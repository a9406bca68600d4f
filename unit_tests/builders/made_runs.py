"""Runs made without pytest, for tests of what reads them."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from mpcbench.benchmark.harness.episode_runner import EpisodeRunner
from mpcbench.benchmark.harness.registry import agents_of
from mpcbench.benchmark.harness.run_info import run_info
from mpcbench.benchmark.harness.selection import select
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.summary_files import write_summary
from mpcbench.schema.dataset import Dataset
from unit_tests.builders.committed import DATASET

INSTANCES = ("level1-003", "level1-042", "level2-017")
MODELS = ("reference", "flawed:too-many", "flawed:prose-only")


def committed() -> Dataset:
    return DATASET


def made_run(
    path: Path, models: Iterable[str] = MODELS, instances: Iterable[str] = INSTANCES, **options: str
) -> RunFolder:
    """A finished run on some committed instances."""
    return made_run_on(committed(), path, models, instances, **options)


def made_run_on(
    data: Dataset, path: Path, models: Iterable[str], instances: Iterable[str], **options: str
) -> RunFolder:
    """A finished run on some instances of a data set."""
    given = {"model": list(models), "instance": list(instances), **options}
    settings = Settings.from_options(given, Path())
    cases = select(data, settings)
    agents = agents_of(settings, data)
    created = datetime(2027, 1, 9, 12, tzinfo=UTC)
    info = run_info(path.name, created, settings, given, data, {case.level for case in cases}, agents)
    folder = RunFolder.create(path, info.model_copy(update={"cases": cases}))
    runner = EpisodeRunner(settings, data, agents, folder, str)
    for case in cases:
        runner.run(case)
    write_summary(folder, folder.results())
    return folder

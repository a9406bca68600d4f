"""The fixtures and hooks of the benchmark: from the command line to one test a case, and its record."""

import gc
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import MissingKeyError
from mpcbench.benchmark.agents.endpoint.models import ModelsFileError, OptionError
from mpcbench.benchmark.agents.local.weights import LocalModelError
from mpcbench.benchmark.agents.protocol import Agent
from mpcbench.benchmark.harness.episode_runner import EPISODE_RUNNER, EpisodeRunner
from mpcbench.benchmark.harness.local_server import LocalModelRun, local_model
from mpcbench.benchmark.harness.pool import EpisodePool
from mpcbench.benchmark.harness.record import PROPERTY, encode
from mpcbench.benchmark.harness.registry import agents_of, hiding
from mpcbench.benchmark.harness.reporting import RunReport
from mpcbench.benchmark.harness.run_info import run_info
from mpcbench.benchmark.harness.scheduling import dealing, upcoming
from mpcbench.benchmark.harness.selection import case_id, replayable, select, with_planned
from mpcbench.benchmark.harness.session import RunSession, merged_options
from mpcbench.benchmark.harness.settings import OPTIONS, RUNS, Settings, SettingsError
from mpcbench.benchmark.harness.stopping import NotRunError
from mpcbench.benchmark.harness.trial import Trial, TrialResult
from mpcbench.evaluation.runs.folder import Case, RunError, RunFolder, new_run_id
from mpcbench.evaluation.runs.identity import SELECTING
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.episode import Episode
from mpcbench.schema.model_output import well_formed
from mpcbench.schema.result import result_of

pytest_plugins = [
    "mpcbench.benchmark.harness.options"
]  # also where the suite is installed, without a checkout's conftest

WORKER_INPUT = "mpcbench_run"
"""Under which a worker is told the run's folder."""

_COLLECTED_AFTER = 10_000
"""New containers between two garbage collections; Python's own number is 700 or 2,000, by its version."""


@dataclass(frozen=True, slots=True)
class Run:
    """What the command line asks for, found possible."""

    settings: Settings
    dataset: Dataset
    cases: tuple[Case, ...]
    agents: dict[str, Agent]
    folder: RunFolder
    hide: Callable[[str], str]
    """Takes secrets out of texts."""


RUN = pytest.StashKey[Run]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Check the options before anything runs, and report where all results come together."""
    if config.option.help:
        return
    # Worlds are many values that stay, which the collector would look through again and again while they come.
    gc.set_threshold(_COLLECTED_AFTER)
    worker_input: dict[str, Any] | None = getattr(config, "workerinput", None)
    try:
        given = {name: config.getoption(f"--{name}") for name in OPTIONS}
        options = merged_options(given, config.invocation_params.dir)
        settings = Settings.from_options(options, config.invocation_params.dir)
        dataset = Dataset.open(settings.dataset)
        cases = select(dataset, settings)
        if settings.resume is not None and not any(given.get(name) for name in SELECTING):
            cases = with_planned(cases, RunFolder.open(settings.resume).info.cases)
        levels = {case.level for case in cases}
        for level in levels:
            dataset.require(level)
        local = None if worker_input else local_model(settings, config)
        agents = agents_of(settings, dataset, local)
        cases = replayable(cases, agents)
        now = datetime.now(UTC)
        path = Path(worker_input[WORKER_INPUT]) if worker_input else _run_path(settings, config, now)
        run = Run(settings, dataset, cases, agents, RunFolder(path), hiding(agents.values()))
        config.stash[RUN] = run
        if worker_input is None:
            info = run_info(path.name, now, settings, options, dataset, levels, agents)
            report = RunReport(config, settings, dataset, cases, run.folder)
            session = RunSession(config, settings, run.folder, info, report)
            config.pluginmanager.register(report, "mpcbench-run-report")
            config.pluginmanager.register(session, "mpcbench-run-session")
            if local is not None and not report.idle:
                config.pluginmanager.register(LocalModelRun(local, cases, run.folder), "mpcbench-local-model")
    except (
        SettingsError, DataError, OptionError, MissingKeyError, ModelsFileError, RunError, LocalModelError
    ) as error:  # fmt: skip
        raise pytest.UsageError(str(error)) from None


def _run_path(settings: Settings, config: pytest.Config, now: datetime) -> Path:
    named = settings.resume or settings.run_dir
    if named is not None:
        return named
    runs = config.invocation_params.dir / RUNS
    taken = [path.name for path in runs.iterdir()] if runs.is_dir() else []
    return runs / new_run_id(now, settings.models, taken)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Keep workers with many threads small: glibc gives each a memory pool, though but one of Python's allocates."""
    if config.stash[RUN].settings.concurrency > 1:
        os.environ.setdefault("MALLOC_ARENA_MAX", "2")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where the run's folder is."""
    node.workerinput[WORKER_INPUT] = str(node.config.stash[RUN].folder.path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal all cases out at once where workers run ahead of pytest."""
    return dealing(config, log) if config.stash[RUN].settings.concurrency > 1 else None


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Store nothing more when a worker ends, as when an interrupt ends it with episodes in flight."""
    examiner = session.config.stash.get(EPISODE_RUNNER, None)
    if examiner is not None:
        examiner.close()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Let what is alive at the end be: pytest walks all of it ten times, in search of lost warnings."""
    gc.freeze()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of every case."""
    if "case" in metafunc.fixturenames:
        run = metafunc.config.stash[RUN]
        # Many at a time end soonest if the longest begin first, and hard cases take the most turns.
        cases = sorted(run.cases, key=lambda case: -case.level) if run.settings.concurrency > 1 else run.cases
        metafunc.parametrize("case", cases, ids=[case_id(case) for case in cases])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep secrets out of the error texts, and lone surrogates, which a worker could not send."""
    report = yield
    if report.longrepr is None:
        return report
    text = report.longreprtext
    fit = item.config.stash[RUN].hide(well_formed(text))
    if text != fit:
        report.longrepr = fit
    return report


@pytest.fixture(scope="session")
def run(pytestconfig: pytest.Config) -> Run:
    """The run; its data set reads a level when the first of its cases comes."""
    return pytestconfig.stash[RUN]


@pytest.fixture(scope="session")
def examiner(run: Run, pytestconfig: pytest.Config) -> EpisodeRunner:
    """What runs and stores the episodes of this process."""
    examiner = EpisodeRunner(run.settings, run.dataset, run.agents, run.folder, run.hide)
    pytestconfig.stash[EPISODE_RUNNER] = examiner
    return examiner


@pytest.fixture(scope="session")
def pool(run: Run, examiner: EpisodeRunner, request: pytest.FixtureRequest) -> Generator[EpisodePool[TrialResult]]:
    """The episodes in flight."""
    pool = EpisodePool(examiner.run, run.settings.concurrency, lambda: upcoming(request.session))
    yield pool
    pool.close()


@pytest.fixture
def episode(
    case: Case, run: Run, pool: EpisodePool[TrialResult], record_property: Callable[[str, object], None]
) -> Episode:
    """The episode, run or found stored, and recorded; an error where it is one."""
    try:
        result = pool.result(case)
    except NotRunError as error:
        pytest.skip(f"not run: {error}")
    record_property(PROPERTY, run.hide(encode(result_of(result.episode))))
    if result.error is not None:
        pytest.fail(result.error, pytrace=False)
    return result.episode


@pytest.fixture
def trial(case: Case, episode: Episode, examiner: EpisodeRunner) -> Trial:  # noqa: ARG001 - the episode comes first
    """The trial of the case."""
    return examiner.trial_of(case)

"""The fixtures and hooks of the benchmark: from the command line to one test a case, and its record."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

import pytest

from benchmark.agents.agent import Agent
from benchmark.agents.endpoint import MissingKeyError
from benchmark.agents.registry import agents_of
from benchmark.cases import Case, select
from benchmark.models import ModelsFileError, OptionError
from benchmark.reporting import RunReport
from benchmark.reporting_record import PROPERTY, encode
from benchmark.settings import OPTIONS, Settings, SettingsError
from benchmark.tools.toolbox import Toolbox
from benchmark.trial import Exam, void
from evaluation.episode import Episode, Fault
from evaluation.model_output import well_formed
from schema.dataset import DataError, Dataset


@dataclass(frozen=True, slots=True)
class Run:
    """What the command line asks for, found possible."""

    settings: Settings
    dataset: Dataset
    cases: tuple[Case, ...]
    agents: dict[str, Agent]


RUN = pytest.StashKey[Run]()


def pytest_configure(config: pytest.Config) -> None:
    """Check the options before anything runs, and report where all results come together."""
    if config.option.help:
        return
    options = {name: config.getoption(f"--{name}") for name in OPTIONS}
    try:
        settings = Settings.from_options(options, config.invocation_params.dir)
        dataset = Dataset.open(settings.dataset)
        cases = select(dataset, settings)
        for level in {case.level for case in cases}:
            dataset.require(level)
        run = Run(settings, dataset, cases, agents_of(settings, dataset))
    except (SettingsError, DataError, OptionError, MissingKeyError, ModelsFileError) as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[RUN] = run
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(RunReport(config, settings, dataset, run.cases), "mpcbench-run-report")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of every case."""
    if "case" in metafunc.fixturenames:
        cases = metafunc.config.stash[RUN].cases
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep lone surrogates out of the error texts: a worker could not send them."""
    report = yield
    text = report.longreprtext
    if text != well_formed(text):
        report.longrepr = well_formed(text)
    return report


@pytest.fixture(scope="session")
def run(pytestconfig: pytest.Config) -> Run:
    """The run; its data set reads a level when the first of its cases comes."""
    return pytestconfig.stash[RUN]


@pytest.fixture
def exam(case: Case, run: Run, record_property: Callable[[str, object], None]) -> Exam:
    """What the case is judged by; where the data are wrong, a void record."""
    try:
        return Exam(
            case=case,
            world=run.dataset.world(case.level),
            instance=next(
                instance for instance in run.dataset.instances(case.level) if instance.instance_id == case.instance_id
            ),
            label=run.dataset.labels(case.level)[case.instance_id],
            settings=run.settings,
        )
    except DataError as error:
        record_property(PROPERTY, encode(void(case, run.settings, Fault(kind="harness", message=str(error)))))
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.fixture
def toolbox(exam: Exam) -> Toolbox:
    """The case's tools with an empty log."""
    return exam.toolbox()


@pytest.fixture
def agent(case: Case, run: Run) -> Agent:
    """The agent that the case measures."""
    return run.agents[case.model]


@pytest.fixture
def episode(exam: Exam, agent: Agent, toolbox: Toolbox, record_property: Callable[[str, object], None]) -> Episode:
    """The episode, run and recorded; an error where it is void."""
    trial = exam.judged(agent, toolbox)
    record_property(PROPERTY, encode(trial.episode))
    if trial.error is not None:
        pytest.fail(trial.error, pytrace=False)
    return trial.episode

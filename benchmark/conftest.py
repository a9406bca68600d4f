"""The fixtures and hooks of the benchmark: each hook hands its event to the `RunSession` of this process."""

import gc
import os
from collections.abc import Callable, Generator, Sequence
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import MissingKeyError
from mpcbench.benchmark.agents.endpoint.models import ModelsFileError, OptionError
from mpcbench.benchmark.agents.local.weights import LocalModelError
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.benchmark.harness.case_failure import CaseFailure, show
from mpcbench.benchmark.harness.case_reports import is_error, with_fields
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.pool import EpisodePool
from mpcbench.benchmark.harness.record import PROPERTY, encode
from mpcbench.benchmark.harness.scheduling import dealing, upcoming
from mpcbench.benchmark.harness.selection import case_id
from mpcbench.benchmark.harness.session import RUN, WORKER_INPUT, RunSession
from mpcbench.benchmark.harness.stopping import NotRunError
from mpcbench.benchmark.harness.trial import TrialResult
from mpcbench.evaluation.runs.folder import RunError
from mpcbench.schema.dataset import DataError
from mpcbench.schema.result import result_of
from mpcbench.schema.run import Case
from mpcbench.schema.untrusted_text import printable, well_formed

pytest_plugins = [
    "mpcbench.benchmark.harness.pytest_options"
]  # also where the suite is installed, without a checkout's conftest

_COLLECTED_AFTER = 10_000
"""New containers between two garbage collections; Python's own number is 700 or 2,000, by its version."""

_USAGE_ERRORS = (
    SettingsError, DataError, OptionError, MissingKeyError, ModelsFileError, RunError, LocalModelError
)  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Check the options before anything runs."""
    if config.option.help:
        return
    # Worlds consist of many long-lived objects, which the garbage collector would traverse repeatedly while they load.
    gc.set_threshold(_COLLECTED_AFTER)
    try:
        run = config.stash[RUN] = RunSession(config)
    except _USAGE_ERRORS as error:
        raise pytest.UsageError(printable(str(error))) from None
    # A checkout that cannot be written keeps no cache, and the run is whole without.
    config.addinivalue_line("filterwarnings", "ignore::pytest.PytestCacheWarning")
    if not run.is_worker:
        config.pluginmanager.register(ReportHooks(run), "mpcbench-reports")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Make the run's folder, before any worker starts."""
    try:
        session.config.stash[RUN].start()
    except (RunError, SettingsError, OSError, LocalModelError, AgentSpecError) as error:
        raise pytest.UsageError(printable(str(error))) from None


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Name the local model, and say how users' agents are isolated."""
    return config.stash[RUN].header()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of every case."""
    if "case" in metafunc.fixturenames:
        run = metafunc.config.stash[RUN]
        # Starting the longest cases first finishes soonest; the hardest level takes the most turns.
        cases = sorted(run.cases, key=lambda case: -case.level) if run.settings.concurrency > 1 else run.cases
        metafunc.parametrize("case", cases, ids=[case_id(case) for case in cases])


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Plan the cases, where this process runs them."""
    try:
        session.config.stash[RUN].collected(item.nodeid for item in session.items)
    except RunError as error:
        raise pytest.UsageError(printable(str(error))) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give failures their one line; keep secrets out of texts, and lone surrogates, which a worker could not send."""
    report = yield
    if report.longrepr is None:
        return report
    if call.excinfo is not None and isinstance(call.excinfo.value, CaseFailure):
        show(report, call.excinfo.value, item.config.option.tbstyle)
    text = report.longreprtext
    fit = item.config.stash[RUN].hide(well_formed(text))
    if text != fit:
        report.longrepr = fit
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Tell errors from failures: both come from the test itself."""
    return ("error", "E", "ERROR") if is_error(report) else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """End the run, around everything that writes reports."""
    return (yield from session.config.stash[RUN].finish(session))


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End what the run started, and skip the search for lost warnings: pytest walks all live objects ten times."""
    run = config.stash.get(RUN, None)
    if run is not None:
        run.close()
    gc.freeze()


def pytest_terminal_summary(config: pytest.Config) -> None:
    """Print the results."""
    config.stash[RUN].write_terminal()


class ReportHooks:
    """Hooks that must be registered as a plugin, in the process that collects all results."""

    def __init__(self, run: RunSession) -> None:
        self.run = run

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        """Show how far the run is, once workers and collection have had their say."""
        self.run.test_begins()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None]:
        """Gather the reports of the cases, behind everything else that sees them."""
        if self.run.config.getoption("xmlpath", None):
            with_fields(report)
        yield
        last = self.run.reported(report)
        if last is not None:
            self.run.config.hook.pytest_runtest_logreport(report=last)

    @pytest.hookimpl(optionalhook=True, trylast=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Make an error of the case during which a worker died."""
        self.run.crashed(crashitem, report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """Complete pytest-json-report's report."""
        self.run.complete_json(json_report)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Keep workers with many threads small: glibc gives each a memory pool, although only one of them allocates at a time."""
    if config.stash[RUN].settings.concurrency > 1:
        os.environ.setdefault("MALLOC_ARENA_MAX", "2")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where the run's folder is, and who its controller is."""
    node.workerinput[WORKER_INPUT] = node.config.stash[RUN].for_workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal all cases out at once where workers run ahead of pytest."""
    return dealing(config, log) if config.stash[RUN].settings.concurrency > 1 else None


@pytest.hookimpl(optionalhook=True, trylast=True)
def pytest_xdist_node_collection_finished(node: Any, ids: Sequence[str]) -> None:
    """Plan the cases that a worker has collected."""
    node.config.stash[RUN].collected(ids)


@pytest.fixture(scope="session")
def run(pytestconfig: pytest.Config) -> RunSession:
    """The run; its data set reads a level when the first of its cases comes."""
    return pytestconfig.stash[RUN]


@pytest.fixture(scope="session")
def pool(run: RunSession, request: pytest.FixtureRequest) -> Generator[EpisodePool[TrialResult]]:
    """The episodes in flight."""
    pool = EpisodePool(run.runner.run, run.settings.concurrency, lambda: upcoming(request.session))
    yield pool
    pool.close()


@pytest.fixture
def result(
    case: Case, run: RunSession, pool: EpisodePool[TrialResult], record_property: Callable[[str, object], None]
) -> TrialResult:
    """The episode, run or found stored, and recorded. Pytest reports nothing of a case that is interrupted here."""
    if not run.asks_for(case):
        pytest.skip("left out: the staircase of --adaptive does not ask for it")
    try:
        result = pool.result(case)
    except NotRunError as error:
        pytest.skip(f"not run: {error}")
    run.ended(case, result)
    record_property(PROPERTY, run.hide(encode(result_of(result.episode))))
    return result

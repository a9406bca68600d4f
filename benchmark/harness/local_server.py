"""A run with a local model: a pytest plugin of the process that starts the workers."""

from collections.abc import Sequence

import pytest

from mpcbench.benchmark.agents.local.model import LocalModel
from mpcbench.benchmark.agents.local.server import LocalServer
from mpcbench.benchmark.agents.local.weights import LocalModelError
from mpcbench.benchmark.harness.settings import LOCAL, Settings
from mpcbench.evaluation.runs.folder import Case, RunError, RunFolder
from mpcbench.schema.episode import Outcome


def local_model(settings: Settings, config: pytest.Config) -> LocalModel | None:
    """What `--model local` runs; None if it is not selected. Raises `LocalModelError`."""
    if LOCAL not in settings.models:
        return None
    workers = getattr(config.option, "numprocesses", None) or 1
    return LocalModel.prepare(
        settings.local,
        in_flight=workers * settings.concurrency,
        message_limited=settings.endpoint.max_tokens is not None,
    )


class LocalModelRun:
    """Starts the server before the workers, prints which model runs and how its server ended, and ends it.

    The workers need not agree on who starts it and who is the last to need it: their common parent does both.
    """

    def __init__(self, model: LocalModel, cases: Sequence[Case], folder: RunFolder) -> None:
        self.server = LocalServer(model)
        self.cases = tuple(case for case in cases if case.model == LOCAL)
        self.folder = folder

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Start the server, unless every episode is stored already; a run that cannot have one does not begin."""
        if self._finished():
            return
        try:
            self.server.start()
        except LocalModelError as error:
            raise pytest.UsageError(str(error)) from None

    def pytest_report_header(self) -> list[str]:
        """Which model, file and settings run."""
        return [f"local: {line}" for line in self.server.lines()]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line if the server died during the run."""
        death = self.server.death()
        if death is not None:
            terminalreporter.write_line(death, red=True)

    def pytest_unconfigure(self) -> None:
        """The run is over, or could not begin."""
        self.server.close()

    def _finished(self) -> bool:
        """Whether nothing is left for the model to do."""
        try:
            stored = (self.folder.episode(case) for case in self.cases)
            return all(episode is not None and episode.outcome is not Outcome.ERROR for episode in stored)
        except RunError:  # the run itself will say what is wrong
            return False

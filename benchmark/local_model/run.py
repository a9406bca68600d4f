"""A run with a local model: a pytest plugin of the process that starts the workers."""

import pytest

from benchmark.local_model.server import LocalServer


class LocalModelRun:
    """Prints which model runs and how its server ended, and ends the server with the run."""

    def __init__(self, server: LocalServer) -> None:
        self.server = server

    def pytest_report_header(self) -> list[str]:
        """Which model, file and settings run."""
        return [f"local: {line}" for line in self.server.lines()]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line if the server died during the run."""
        death = self.server.death()
        if death is not None:
            terminalreporter.write_line(f"{death}; episodes since then are void", red=True)

    def pytest_unconfigure(self) -> None:
        """The run is over, or could not begin."""
        self.server.close()

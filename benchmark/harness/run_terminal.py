"""What a run writes to the terminal beside pytest."""

from pathlib import Path

import pytest

from mpcbench.benchmark.harness.case_reports import RunEnd
from mpcbench.benchmark.harness.reporting import problem_lines, result_lines
from mpcbench.schema.untrusted_text import printable


class RunTerminal:
    """The terminal of a session; without pytest's reporter nothing is written.

    Args:
        config: Of pytest.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @property
    def reporter(self) -> pytest.TerminalReporter | None:
        """Pytest's, once it is there."""
        found: pytest.TerminalReporter | None = self._config.pluginmanager.get_plugin("terminalreporter")
        return found

    def fault(self, text: str) -> None:
        """Write a line that is seen."""
        if self.reporter is not None:
            self.reporter.write_line(printable(text), red=True)

    def results(self, end: RunEnd, folder: Path) -> None:
        """Print the tables of results, and what is an error or lost.

        Args:
            end: The state of the run.
            folder: Of the run.
        """
        if self.reporter is None:
            return
        if end.results:
            self.reporter.write_sep("=", "MPCBench")
            for line in result_lines(end):
                self.reporter.write_line(printable(line))
        for line in problem_lines(end):
            self.fault(line)
        if end.results:
            self.reporter.write_line(f"run: {self.shown(folder)}")

    def shown(self, path: Path) -> str:
        """A path for people: relative where it lies in the folder of the call."""
        here = self._config.invocation_params.dir
        return str(path.relative_to(here) if path.is_relative_to(here) else path)

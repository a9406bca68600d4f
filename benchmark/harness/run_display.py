"""What a session shows while it runs: live lines in a terminal, a line a minute in CI, nothing elsewhere."""

import os
from typing import Any

import pytest

from mpcbench.benchmark.progress.live_display import LiveDisplay, Ticker
from mpcbench.benchmark.progress.progress_text import progress_line
from mpcbench.benchmark.progress.run_progress import RunProgress
from mpcbench.evaluation.runs.folder import RunError, RunFolder
from mpcbench.schema.untrusted_text import printable

LINE_SECONDS = 60.0
"""Between two lines of a log."""


class RunDisplay:
    """The display of a run in the process that collects all results.

    Pytest's own output goes on: while there are live lines, it appears above them.
    """

    def __init__(self, config: pytest.Config, folder: RunFolder) -> None:
        self._config = config
        self._progress = RunProgress(folder)
        self._terminal: Any = None
        self._writer: Any = None
        self._file: Any = None
        self._shown: LiveDisplay | Ticker | None = None
        self._begun = False

    def start(self) -> None:
        """Begin, where it is of use; only the first call counts."""
        if self._begun:
            return
        self._begun = True
        self._terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        self._writer = getattr(self._terminal, "_tw", None)
        self._file = getattr(self._writer, "_file", None)
        if self._file is None or self._config.option.verbose < 0:
            return
        if self._is_live():
            live = LiveDisplay(self._progress, self._file, self._writer.fullwidth)
            self._writer._file = live.above  # noqa: SLF001 - pytest has no other way to its output
            self._shown = live
        elif os.environ.get("CI"):
            self._shown = Ticker(LINE_SECONDS, self._write_line)
        if self._shown is not None:
            self._shown.start()

    def close(self) -> None:
        """End, before the results."""
        shown, self._shown, self._begun = self._shown, None, True
        if shown is None:
            return
        shown.close()
        if isinstance(shown, LiveDisplay):
            self._writer._file = self._file  # noqa: SLF001

    def _is_live(self) -> bool:
        """Whether lines can be drawn again: not without a terminal, nor where tests or a debugger write to it."""
        option = self._config.option
        plain = os.environ.get("TERM", "dumb") == "dumb" or option.capture == "no" or option.usepdb
        return not plain and bool(self._file.isatty())

    def _write_line(self) -> None:
        try:
            line = progress_line(self._progress.look())
        except RunError:  # the end of the run says what is wrong
            return
        self._terminal.ensure_newline()
        self._terminal.write_line(printable(line))

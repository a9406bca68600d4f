"""The JSON report of pytest-json-report, of which every run keeps a copy."""

import json
from pathlib import Path
from typing import Any

import pytest

from mpcbench.evaluation.runs.durable_file import write_durably
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.evaluation.runs.run_files import JSON_REPORT_FILE


class JsonReport:
    """The report of a session.

    Args:
        config: Of pytest.
        is_kept: Whether the run keeps it, though the user has not asked for one.
    """

    def __init__(self, config: pytest.Config, *, is_kept: bool) -> None:
        self._option = config.option
        if is_kept and getattr(self._option, "json_report", None) is False:
            self._option.json_report = True
            self._option.json_report_file = None
            self._option.json_report_verbosity = -1  # says nothing of it in the terminal
        self._older = self._stat()
        self.content: dict[str, Any] | None = None
        """The report, once it is complete."""

    def lost(self) -> str | None:
        """The file that the user has asked for, if this session has not written it."""
        file = getattr(self._option, "json_report_file", None)
        if not getattr(self._option, "json_report", False) or file is None:
            return None
        written = self._stat()
        return str(file) if written is None or written == self._older else None

    def write(self, folder: RunFolder) -> None:
        """Keep it in the run's folder; raises `OSError`."""
        if self.content is not None:
            text = json.dumps(self.content, default=str, indent=self._option.json_report_indent)
            write_durably(folder.path / JSON_REPORT_FILE, text)

    def _stat(self) -> tuple[int, int, int] | None:
        """What tells a report from an older one, whatever the clock says; None if there is none."""
        name = getattr(self._option, "json_report_file", None)
        try:
            found = Path(name or "").stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

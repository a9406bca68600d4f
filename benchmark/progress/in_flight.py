"""Which episodes of a run are in flight: an empty file for each, in a folder that goes with the session."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.run import Case

_NAME = "in-flight"


@dataclass(frozen=True)
class InFlight:
    """The episodes in flight of all processes of a run. No failure to note one disturbs the run."""

    run: RunFolder

    def open(self) -> None:
        """Begin with none, whatever a killed session left."""
        self.close()
        with suppress(OSError):
            self._folder.mkdir()

    def close(self) -> None:
        """Remove the folder, unless it is a link."""
        shutil.rmtree(self._folder, ignore_errors=True)

    @contextmanager
    def noted(self, case: Case) -> Iterator[None]:
        """Note a case while it runs."""
        if self._folder.is_symlink():  # what it leads to is not the run's
            yield
            return
        file = self._folder / case.file_name
        with suppress(OSError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666))
        try:
            yield
        finally:
            with suppress(OSError):
                file.unlink()

    def longest(self) -> tuple[str, float] | None:
        """The case that has been running longest, and for how many seconds; None if none is known to run."""
        found = []
        with suppress(OSError):
            for entry in os.scandir(self._folder):
                with suppress(OSError):
                    found.append((entry.stat(follow_symlinks=False).st_mtime, entry.name))
        if not found:
            return None
        since, name = min(found)
        return unquote(name.removesuffix(".json")), max(0.0, time.time() - since)

    @property
    def _folder(self) -> Path:
        return self.run.path / _NAME

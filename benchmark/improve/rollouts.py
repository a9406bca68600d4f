"""Runs of the suite on some instances with other instructions: what an optimiser tries."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mpcbench.benchmark.improve.conversations import ImproveError
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Outcome

_ENDED = {0, 1}
"""The exit codes of a run that measured every case."""

OWN_OPTIONS: Final = frozenset(
    f"--{name}"
    for name in (
        "dataset",
        "fail-on",
        "instance",
        "instructions",
        "level",
        "limit",
        "report",
        "resume",
        "run-dir",
        "shard",
        "trials",
    )
)
"""Those that the runs get from here."""


@dataclass
class Rollouts:
    """Makes runs, one after the other, each in a folder of its own."""

    dataset: Dataset
    options: Sequence[str]
    """Those of `mpcbench run` that say which model is measured, and how."""

    folder: Path
    """Where the runs go."""

    made: int = 0

    def run(self, instances: Sequence[str], instructions: str) -> list[Episode]:
        """One episode of each instance, in their order.

        Raises:
            ImproveError: the run did not measure every instance.
        """
        self.made += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"run{self.made:03}"
        told = self.folder / f"instructions{self.made:03}.txt"
        told.write_text(instructions, encoding="utf-8")
        chosen = [argument for name in dict.fromkeys(instances) for argument in ("--instance", name)]
        own = ["--dataset", self.dataset.folder, "--instructions", told, "--run-dir", path, "--fail-on", "never"]
        command = [sys.executable, "-m", "mpcbench", "run", "-q", "--report", "off", *own, *chosen, *self.options]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode not in _ENDED:
            if not path.exists():  # nothing was measured
                told.unlink()
                with suppress(OSError):
                    self.folder.rmdir()
            raise ImproveError(f"{path}: mpcbench run ended with {done.returncode}: {_why(done.stderr + done.stdout)}")
        return self._episodes(path, instances)

    def _episodes(self, path: Path, instances: Sequence[str]) -> list[Episode]:
        found = {episode.instance_id: episode for episode in RunFolder.open(path).episodes()}
        for name in instances:
            episode = found.get(name)
            if episode is None or episode.outcome is Outcome.ERROR:
                why = (
                    "is missing"
                    if episode is None or episode.fault is None
                    else f"is an error: {episode.fault.message}"
                )
                raise ImproveError(f"{path}: {name} {why}; an error is no score, so nothing can be learned from it")
        return [found[name] for name in instances]


def _why(output: str) -> str:
    """The line of a run's output that says best why it ended: the last that names an error, or else the last."""
    said = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in said if "error: " in line.lower()]
    return (errors or said or ["silently"])[-1]

"""One shard of a run, as a task that any node can do: it takes values and returns the run's folder as bytes."""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mpcbench.schema.dataset import COMMITTED

_MOST_OUTPUT = 4_000


class ShardJob(NamedTuple):
    """A shard to be run."""

    number: int
    """From 1."""

    of: int
    arguments: Sequence[str]
    """The options of the run, without `--shard` and `--run-dir`."""

    @property
    def name(self) -> str:
        """As `--shard` takes it."""
        return f"{self.number}/{self.of}"


class ShardDone(NamedTuple):
    """A shard that was run."""

    job: ShardJob
    status: int
    """Pytest's exit code."""

    output: str
    """The end of what it printed."""

    packed: bytes
    """The run's folder as a tar file; empty if there is none."""


def run_shard(job: ShardJob) -> ShardDone:
    """Run a shard in a process of its own and a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run"
        done = subprocess.run(  # noqa: S603 - the same program with the user's own options
            [
                *(sys.executable, "-m", "mpcbench", "run", *job.arguments, "--shard", job.name),
                *("--run-dir", str(folder), "--report", "off", "-p", "no:cacheprovider"),
            ],
            cwd=scratch,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (_HOME, os.environ.get("PYTHONPATH"))))},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        packed = _packed(folder) if (folder / "run.json").is_file() else b""
    return ShardDone(job, done.returncode, done.stdout[-_MOST_OUTPUT:], packed)


def unpack(done: ShardDone, folder: Path) -> None:
    """Put a shard's run where no folder is yet; it appears there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacking-") as scratch:
        with tarfile.open(fileobj=io.BytesIO(done.packed)) as archive:
            archive.extractall(scratch, filter="data")
        (Path(scratch) / "run").rename(folder)


_HOME = str(COMMITTED if (COMMITTED / "mpcbench").is_dir() else COMMITTED.parent)
"""Where the package can be imported from: a checkout, or the environment that it is installed in."""


def _packed(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname="run")
    return packed.getvalue()

"""A whole process, timed, with the memory that its children needed."""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]
_POLL_SECONDS = 0.1


class Finished(NamedTuple):
    """What a process said and took."""

    output: str
    """What it wrote to standard output."""

    seconds: float
    """By the wall clock, the interpreter's start and end included."""

    child_megabytes: float | None
    """The largest resident set that one direct child had at any time; None without children or without /proc."""


class ProcessError(RuntimeError):
    """A measured process failed, so that its figures mean nothing."""


def run(*arguments: str) -> Finished:
    """Run `python -m ...` in the checkout to its end, as a user would.

    Raises:
        ProcessError: it did not exit with 0.
    """
    peaks = [0.0]
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", *arguments], cwd=CHECKOUT, stdout=output)
        while process.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
            peaks += _peaks_of_children(process.pid)
        seconds = time.perf_counter() - started
        output.seek(0)
        said = output.read()
    if process.returncode:
        raise ProcessError(f"exit code {process.returncode}: python -m {' '.join(arguments)}\n{said[-2000:]}")
    return Finished(said, seconds, max(peaks) or None)


def _peaks_of_children(parent: int) -> Iterator[float]:
    """The high-water mark, in MB, that the kernel keeps of the resident set of each direct child."""
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # processes come and go
            text = status.read_text()
            peak = re.search(r"^VmHWM:\s*(\d+) kB", text, re.MULTILINE)
            if peak and re.search(rf"^PPid:\s*{parent}$", text, re.MULTILINE):
                yield int(peak[1]) * 1024 / 1e6

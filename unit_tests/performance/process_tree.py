"""What a process and all its descendants take: wall time, processor time and memory."""

import os
import re
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from unit_tests.performance.process import CHECKOUT, ProcessError

_POLL_SECONDS = 0.2
_PROC = Path("/proc")


class Taken(NamedTuple):
    """What a command took, from its start to its end."""

    output: str
    """What it wrote."""

    begun: float
    """When it was started, in seconds since 1970."""

    seconds: float
    """By the wall clock."""

    cpu_seconds: float
    """User and system time of the process and of all descendants that were waited for."""

    megabytes: float | None
    """The most that all processes held together at any time, sampled five times a second; None without /proc."""

    memory: str
    """What was added up: `PSS` counts pages that processes share once, `RSS` counts them for each."""


def take(command: Sequence[str], folder: Path = CHECKOUT, environment: Mapping[str, str] | None = None) -> Taken:
    """Run a command to its end. No other child of this process may end meanwhile.

    Python keeps compiled modules, as it does unless it is told not to.

    Raises:
        ProcessError: it did not exit with 0.
    """
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    variables |= environment or {}
    before = _waited_for()
    peaks, memory = [0.0], "PSS"
    with tempfile.TemporaryFile("w+") as output:
        begun, started = time.time(), time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, env=variables)
        while process.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
            held = [_held(one) for one in _tree(process.pid)]
            peaks.append(sum(kilobytes for kilobytes, _ in held) * 1024 / 1e6)
            if any(kind == "RSS" for _, kind in held):
                memory = "RSS"
        seconds = time.perf_counter() - started
        output.seek(0)
        said = output.read()
    if process.returncode:
        raise ProcessError(f"exit code {process.returncode}: {' '.join(command)}\n{said[-2000:]}")
    return Taken(said, begun, seconds, _waited_for() - before, max(peaks) or None, memory)


def _waited_for() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tree(root: int) -> Iterator[int]:
    """A process and its descendants."""
    children: dict[int, list[int]] = {}
    for stat in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):  # processes come and go
            # The name in brackets may hold anything.
            _, _, rest = stat.read_text().rpartition(")")
            children.setdefault(int(rest.split()[1]), []).append(int(stat.parent.name))
    found = [root] if children else []
    for process in found:
        found += children.get(process, [])
    yield from found


def _held(process: int) -> tuple[int, str]:
    """Kilobytes, and how they were counted; none of a process that has ended."""
    for file, name in (("smaps_rollup", "Pss"), ("status", "VmRSS")):
        with suppress(OSError):
            found = re.search(rf"^{name}:\s*(\d+) kB", (_PROC / str(process) / file).read_text(), re.MULTILINE)
            if found:
                return int(found[1]), name.upper().removeprefix("VM")
    return 0, "PSS"

"""Processes of tests of the local model, looked at from outside."""

import subprocess
import time
from collections.abc import Callable


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent to notice does not."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True)
    return shown.stdout.strip()[:1] not in {"", "Z"}


def children(pid: int) -> dict[int, str]:
    """The command lines of the direct children that run, by process."""
    shown = subprocess.run(
        ["ps", "-ww", "-A", "-o", "pid=,ppid=,stat=,args="], check=True, capture_output=True, text=True
    )
    rows = (line.split(None, 3) for line in shown.stdout.splitlines())
    return {int(row[0]): row[3] for row in rows if len(row) == 4 and int(row[1]) == pid and row[2][0] != "Z"}


def comes_true(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether a condition holds within a time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True

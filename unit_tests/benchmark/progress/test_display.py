"""What a run shows while it runs, in a terminal and in CI."""

import os
import pty
import re
import sys
from pathlib import Path

import pytest

from mpcbench.benchmark.harness import run_display
from mpcbench.schema.dataset import COMMITTED
from unit_tests.benchmark.harness.test_harness import PLUGINS, run

pytest.importorskip("rich")

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def in_terminal(*arguments: str, term: str = "xterm") -> str:
    """What a process writes to a terminal, without control sequences."""
    process, terminal = pty.fork()
    if process == 0:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "CI"))}
        own = {"TERM": term, "COLUMNS": "150", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(COMMITTED)}
        os.chdir(COMMITTED)
        os.execve(sys.executable, [sys.executable, *arguments], kept | own)
    written = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the process has ended
            break
        if not part:
            break
        written += part
    os.close(terminal)
    os.waitpid(process, 0)
    return _CONTROL.sub("", written.decode()).replace("\r", "")


def benchmark(folder: Path, *arguments: str) -> tuple[str, ...]:
    plugins = [part for plugin in PLUGINS[:2] for part in ("-p", plugin)]
    shown = ("--report=off", "--level=1", "--limit=6", "--model=noop", f"--run-dir={folder}", "--tb=no")
    return ("-m", "pytest", "benchmark", *plugins, "-p", "no:cacheprovider", *shown, *arguments)


@pytest.mark.slow  # processes in a terminal
@pytest.mark.parametrize("workers", [(), ("-n2", "--concurrency=2")])
def test_live_lines(tmp_path: Path, workers: tuple[str, ...]) -> None:
    """In a terminal the run shows how far it is, and pytest's own output stays whole above it."""
    written = in_terminal(*benchmark(tmp_path / "run", *workers))
    before, _, after = written.partition(" MPCBench ")

    assert "6/6 (100%)" in before
    assert "noop: exact match 0.0% [0, 39], F1 0.000 [0.00, 0.39]" in before
    assert "FFFFFF" in before
    assert after.count("FAILED benchmark/test_instances.py::test_instance[") == 6


@pytest.mark.slow  # a process in a terminal
@pytest.mark.parametrize("option", ["-q", "-s"])
def test_no_live_lines_where_they_disturb(tmp_path: Path, option: str) -> None:
    """Not with -q, and not where an agent may print."""
    assert "6/6" not in in_terminal(*benchmark(tmp_path / "run", option))


@pytest.mark.slow  # processes in a terminal
def test_watch_in_a_terminal(tmp_path: Path) -> None:
    """It shows a run that is over on one line."""
    in_terminal(*benchmark(tmp_path / "run"))

    assert "6/6 (100%)" in in_terminal("-m", "mpcbench", "watch", str(tmp_path / "run"), "--once")


@pytest.mark.parametrize("ci", [True, False])
def test_lines_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ci: bool) -> None:
    """Without a terminal there is a line from time to time in CI, and none elsewhere."""
    monkeypatch.setattr(run_display, "LINE_SECONDS", 0.05)
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", "true")
    done = run(tmp_path, "--model=reference", "--level=2", "--limit=8")
    lines = [line for line in done.output.splitlines() if re.match(r"\d/8 \(\d+%\) · ", line)]

    assert pytest.ExitCode.OK == done.code
    assert ci == bool(lines)

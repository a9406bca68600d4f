"""Faults of the machine and of those who use it, in real processes: signals, kills, two sessions, a full disk."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.practice_endpoint import EndpointServer, Solver, logged
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import COMMITTED
from unit_tests.benchmark.harness.test_endurance import Endpoint, kill, started, wait_until
from unit_tests.marks import EXHAUSTIVE

pytestmark = pytest.mark.slow  # kills and interrupts runs

WORKERS = ("-n2", "--concurrency=2")
ONE = ("--concurrency=4",)
DISK_BYTES = 2**20
"""Room for several episodes beyond the four that may be in flight, which would otherwise sometimes leave no room for any."""

PATIENT_SECONDS = 120
"""After so long without an end, a run hangs."""

PAIRWISE = {
    ("SIGINT", False, ONE),
    ("SIGINT", True, WORKERS),
    ("SIGTERM", True, ONE),
    ("SIGTERM", False, WORKERS),
    ("SIGHUP", False, ONE),
    ("SIGHUP", True, WORKERS),
}
"""Each signal with both ways of sending it and both ways of running, and these with each other."""

SIGNALLED = [
    pytest.param(*case, marks=() if case in PAIRWISE else EXHAUSTIVE)
    for case in product(("SIGINT", "SIGTERM", "SIGHUP"), (False, True), (ONE, WORKERS))
]
"""The signal, whether it is sent to all processes, and how the run is made."""

EPISODES = 100
"""How many episodes level 1 has; its runs start fastest."""


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    log = tmp_path_factory.mktemp("endpoint") / "requests.jsonl"
    with EndpointServer(Solver(reference), latency=0.1, keeps_requests=False, log=log) as server:
        yield Endpoint(server.base_url, log)


def begun(folder: Path, endpoint: Endpoint, *arguments: str, episodes: int = 2) -> "subprocess.Popen[bytes]":
    """A run of level 1 that has stored some episodes and has many to go."""
    process = started(folder, endpoint.url, "--model=m", "--level=1", f"--run-dir={folder / 'run'}", *arguments)
    wait_until(lambda: len(RunFolder(folder / "run").episode_files()) >= episodes)
    return process


def exit_code(process: "subprocess.Popen[bytes]", folder: Path) -> int:
    """How the process ends, which a busy machine may take long for; one that hangs shows where each thread stands."""
    try:
        return process.wait(PATIENT_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        process.wait(PATIENT_SECONDS)
        pytest.fail(f"no end after {PATIENT_SECONDS} s:\n{output(folder)}")


def output(folder: Path) -> str:
    return (folder / "output.txt").read_text()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in RunFolder(folder / "run").episode_files()}


def evaluation(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "evaluation", *map(str, arguments)]
    return subprocess.run(command, cwd=COMMITTED, check=False, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("way", [ONE, WORKERS])
def test_run_has_one_session_at_a_time(endpoint: Endpoint, tmp_path: Path, way: tuple[str, ...]) -> None:
    """A second process that resumes a live run ends with one line that names the first, which goes on."""
    first = begun(tmp_path, endpoint, *way)
    (tmp_path / "second").mkdir()
    second = started(tmp_path / "second", endpoint.url, f"--resume={tmp_path / 'run'}")
    code = exit_code(second, tmp_path / "second")
    alive = first.poll() is None
    commands = {
        name: evaluation(name, tmp_path / "run", *rest)
        for name, *rest in (["verify"], ["merge", "--out", tmp_path / "merged"], ["report"], ["rescore"])
    }
    first.send_signal(signal.SIGTERM)
    finished = exit_code(first, tmp_path)

    assert (4, True, 2) == (code, alive, finished)
    assert output(tmp_path / "second").startswith(
        f"ERROR: {tmp_path / 'run'}: in use by process {first.pid} on {os.uname().nodename} since "
    )
    for name in ("verify", "merge", "report"):
        assert 2 == commands[name].returncode
        assert f"in use by process {first.pid} on " in commands[name].stderr
    assert 0 == commands["rescore"].returncode
    assert f"in use by process {first.pid} on " in commands["rescore"].stderr
    assert not (tmp_path / "merged").exists()
    assert 0 == evaluation("verify", tmp_path / "run").returncode


def test_nothing_is_stored_after_the_controller_died(endpoint: Endpoint, tmp_path: Path) -> None:
    """Its workers end at once, and the run can be resumed without delay."""
    process = begun(tmp_path, endpoint, *WORKERS, "--limit=10")
    process.kill()
    process.wait()
    time.sleep(0.5)
    before = contents(tmp_path)
    time.sleep(1.5)
    after = contents(tmp_path)
    resumed = exit_code(started(tmp_path, endpoint.url, f"--resume={tmp_path / 'run'}", *WORKERS), tmp_path)

    assert before == after
    assert 0 == resumed
    assert before.items() <= contents(tmp_path).items()


def test_session_waits_for_workers_whose_controller_died(endpoint: Endpoint, tmp_path: Path) -> None:
    """A session that begins at that very moment meets no worker of the last."""
    process = begun(tmp_path, endpoint, *WORKERS, "--limit=5")
    process.kill()
    process.wait()
    resumed = exit_code(started(tmp_path, endpoint.url, f"--resume={tmp_path / 'run'}", *WORKERS), tmp_path)

    assert 0 == resumed, output(tmp_path)
    assert 0 == evaluation("verify", tmp_path / "run").returncode


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("name", "group", "way"), SIGNALLED)
def test_signal_ends_a_run_in_order(
    endpoint: Endpoint, tmp_path: Path, name: str, way: tuple[str, ...], *, group: bool
) -> None:
    """Sent to the first process or to all, it leaves a table, a reason, and a run that verifies and can be resumed."""
    process = begun(tmp_path, endpoint, *way)
    number = getattr(signal, name)
    if group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    try:
        code = exit_code(process, tmp_path)
        before = contents(tmp_path)
        time.sleep(0.5)
    finally:
        kill(process)
    verified = evaluation("verify", tmp_path / "run")
    info = RunFolder.open(tmp_path / "run").info
    expected = f"interrupted by {name}"

    assert 2 == code, output(tmp_path)
    assert before == contents(tmp_path)
    assert expected == info.stopped
    assert "level  model" in output(tmp_path)
    assert f"not run: {EPISODES - len(before)} of {EPISODES} episodes; --resume runs them" in output(tmp_path)
    assert f"stopped: {expected}\n" in output(tmp_path)
    assert 0 == verified.returncode, verified.stdout
    assert not any(json.loads(content)["outcome"] == "error" for content in before.values())


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("way", [ONE, WORKERS])
@pytest.mark.parametrize("first", ["SIGINT", "SIGTERM"])
def test_further_signals_do_not_break_the_end(
    endpoint: Endpoint, tmp_path: Path, first: str, way: tuple[str, ...]
) -> None:
    """Somebody who is impatient gets the same table and the same run."""
    process = begun(tmp_path, endpoint, *way)
    process.send_signal(getattr(signal, first))
    try:
        end = time.monotonic() + PATIENT_SECONDS
        while process.poll() is None and time.monotonic() < end and "run: " not in output(tmp_path):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.02)
        code = exit_code(process, tmp_path)
        before = contents(tmp_path)
        time.sleep(0.5)
    finally:
        kill(process)
    verified = evaluation("verify", tmp_path / "run")

    assert 2 == code, output(tmp_path)
    assert "Traceback" not in output(tmp_path)
    assert "level  model" in output(tmp_path)
    assert before == contents(tmp_path)
    # Of two that arrive at once, Python handles the one with the lower number first.
    assert RunFolder.open(tmp_path / "run").info.stopped in {f"interrupted by {first}", "interrupted by SIGINT"}
    assert 0 == verified.returncode, verified.stdout


@pytest.mark.parametrize("way", [ONE, WORKERS])
def test_folder_that_is_removed_during_the_run(endpoint: Endpoint, tmp_path: Path, way: tuple[str, ...]) -> None:
    """The run ends soon, with one line that says so, and makes no folder anew."""
    process = begun(tmp_path, endpoint, *way)
    (tmp_path / "run").rename(tmp_path / "moved")
    try:
        code = exit_code(process, tmp_path)
    finally:
        kill(process)
    lost = [line for line in output(tmp_path).splitlines() if line.startswith("lost")]

    assert 1 == code, output(tmp_path)
    assert [f"lost: {tmp_path / 'run'}: the folder was removed or moved during the run"] == lost
    assert "Traceback" not in output(tmp_path)
    assert not (tmp_path / "run").exists()


def test_ignored_hangup_stays_ignored(endpoint: Endpoint, tmp_path: Path) -> None:
    """As under nohup."""
    earlier = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = begun(tmp_path, endpoint, "--limit=2", *ONE)
    finally:
        signal.signal(signal.SIGHUP, earlier)
    process.send_signal(signal.SIGHUP)

    assert 0 == exit_code(process, tmp_path), output(tmp_path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder that holds a few episodes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("way", [ONE, WORKERS])
def test_full_disk_stops_the_run(endpoint: Endpoint, tmp_path: Path, small_disk: Path, way: tuple[str, ...]) -> None:
    """The first episode that cannot be stored is the last but for those in flight, and one line says why."""
    (tmp_path / "run").symlink_to(small_disk / "run")
    begun_at = time.time()
    process = started(tmp_path, endpoint.url, "--model=m", f"--run-dir={small_disk / 'run'}", *way)
    code = exit_code(process, tmp_path)
    stored = contents(tmp_path)
    tried = {request.episode for request in logged(endpoint.log) if request.time > begun_at}
    lines = output(tmp_path).splitlines()

    assert 2 == code, output(tmp_path)
    assert 0 < len(stored) < 300
    assert len(tried) <= len(stored) + 2 * 4
    assert 1 == len(
        [line for line in lines if line.startswith("stopped: ") and "could not be stored: no space" in line]
    )
    assert "Traceback" not in output(tmp_path)
    assert "level  model" in output(tmp_path)
    assert len(lines) < 40


@pytest.mark.parametrize(
    ("way", "needed"), [(("--concurrency=64",), 224), (("-n3", "--concurrency=5"), 47), (("-n2",), 40)]
)
def test_few_descriptors_are_told_before_anything_runs(
    endpoint: Endpoint, tmp_path: Path, way: tuple[str, ...], needed: int
) -> None:
    """A run that may open fewer files than it needs says how many; one that may open enough passes."""
    command = f"ulimit -n 40; exec {sys.executable} -m pytest -p xdist.plugin -p pytest_jsonreport.plugin benchmark"
    options = [f"--base-url={endpoint.url}", "--model=m", "--limit=2", f"--run-dir={tmp_path / 'run'}", *way]
    ended = subprocess.run(
        ["bash", "-c", " ".join([command, "--report=off", "-p no:cacheprovider", *options])],
        cwd=COMMITTED,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert (0 if needed <= 40 else 4) == ended.returncode
    assert "Traceback" not in ended.stdout + ended.stderr
    if needed > 40:
        assert f" needs {needed} open files, and the limit is 40: raise it (ulimit -n {needed})" in ended.stderr
        assert 1 == len((ended.stdout + ended.stderr).strip().splitlines())

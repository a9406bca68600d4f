"""Runs against a slow or faulty endpoint, killed at any moment: nothing that ended is lost, and nothing runs twice."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.practice_endpoint import Chaos, EndpointServer, Solver, episode_key, logged
from mpcbench.benchmark.practice_endpoint.recording import Recording
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import COMMITTED
from unit_tests.benchmark.harness.test_harness import PLUGINS, without_times
from unit_tests.builders.committed import DATASET
from unit_tests.marks import EXHAUSTIVE

pytestmark = pytest.mark.slow  # kills runs, and runs all instances against a faulty endpoint

KILLS = 20
KILLS_IN_CI = 4
WAYS = (("--concurrency=4",), ("-n2", "--concurrency=2"))
INSTANCES = ("--level=1", "--level=2", "--limit=5")
LATENCY_SECONDS = 0.02
SOON_SECONDS = 60


class Endpoint(NamedTuple):
    url: str
    log: Path


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    log = tmp_path_factory.mktemp("endpoint") / "requests.jsonl"
    with EndpointServer(Solver(reference), latency=LATENCY_SECONDS, keeps_requests=False, log=log) as server:
        yield Endpoint(server.base_url, log)


def started(folder: Path, url: str, *arguments: str) -> "subprocess.Popen[bytes]":
    """A run of the benchmark in a process group of its own, which writes to the folder `run`."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COV", "OPENAI"))}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plugins = [part for plugin in PLUGINS[:2] for part in ("-p", plugin)]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *plugins,
        "-p",
        "no:cacheprovider",
        "benchmark",
        "--report=off",
        "--preflight=off",
        f"--base-url={url}",
    ]
    with (folder / "output.txt").open("ab") as output:
        return subprocess.Popen(
            [*command, *arguments], cwd=COMMITTED, env=environment, stdout=output, stderr=output, start_new_session=True
        )


def finished(folder: Path, url: str, *arguments: str) -> Any:
    """The report of a run to its end, up to times."""
    code = started(folder, url, *arguments).wait(SOON_SECONDS * 5)

    assert code == 0, (folder / "output.txt").read_text()
    report = without_times(json.loads((folder / "run" / "report.json").read_text()))
    del report["mpcbench"]["settings"]
    return report


def kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def whole(endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, float]:
    """The report of a run that nobody kills, and how many seconds it took."""
    folder = tmp_path_factory.mktemp("whole")
    begun = time.monotonic()
    report = finished(folder, endpoint.url, "--model=m", *INSTANCES, *WAYS[1], f"--run-dir={folder / 'run'}")
    return report, time.monotonic() - begun


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=() if number < KILLS_IN_CI else EXHAUSTIVE) for number in range(KILLS)]
)
def test_killed_run_is_resumed(number: int, endpoint: Endpoint, whole: tuple[Any, float], tmp_path: Path) -> None:
    """Killed with all its processes at a random moment and resumed, a run gives the report of one in one piece."""
    report, seconds = whole
    way = WAYS[number % len(WAYS)]
    process = started(tmp_path, endpoint.url, "--model=m", *INSTANCES, *way, f"--run-dir={tmp_path / 'run'}")
    time.sleep(Random(number).uniform(0, seconds))
    kill(process)
    killed_at = time.time()
    folder = RunFolder(tmp_path / "run")
    begun = folder.run_file.is_file()
    stored = {file: file.read_bytes() for file in folder.episode_files()} if begun else {}
    ended = {episode_key(json.loads(content)["task"]) for content in stored.values()}
    again = ("--resume=" if begun else "--run-dir=") + str(folder.path)
    resumed = finished(tmp_path, endpoint.url, again, *(() if begun else ("--model=m", *INSTANCES)), *way)
    asked = {request.episode for request in logged(endpoint.log) if request.time > killed_at}

    assert report == resumed
    assert stored == {file: file.read_bytes() for file in stored}
    assert ended.isdisjoint(asked)


def test_workers_end_with_their_controller(endpoint: Endpoint, tmp_path: Path) -> None:
    """Where only the first process is killed, the others do not go on to spend money."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc to see the processes")
    process = started(tmp_path, endpoint.url, "--model=m", *WAYS[1], f"--run-dir={tmp_path / 'run'}")
    try:
        folder = RunFolder(tmp_path / "run")
        wait_until(lambda: len(folder.episode_files()) > 2)
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        children = [pid for pid in pids if parent(pid) == process.pid]
        process.kill()
        process.wait()
        wait_until(lambda: not any(map(alive, children)))
    finally:
        kill(process)

    assert len(children) >= 2


def wait_until(condition: Any) -> None:
    end = time.monotonic() + SOON_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def status(pid: int, name: str) -> str:
    with suppress(OSError):
        found = re.search(rf"^{name}:\s*(\S+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
        return found[1] if found else ""
    return ""


def parent(pid: int) -> int:
    return int(status(pid, "PPid") or 0)


def alive(pid: int) -> bool:
    return status(pid, "State") not in {"", "Z", "X"}


def test_faults_of_the_endpoint_change_no_score(tmp_path: Path) -> None:
    """With a fifth of all requests failing in ways that pass, all 300 episodes have the scores that they have without."""
    recording = Recording.of(DATASET)
    chaos = Chaos(rate=0.2, seed=7)
    arguments = ("--model=m", "-n2", "--concurrency=32", "--fail-on=never")
    scores = []
    for folder, trouble in ((tmp_path / "quiet", None), (tmp_path / "faulty", chaos)):
        folder.mkdir()
        with EndpointServer(recording, chaos=trouble, keeps_requests=True) as server:
            finished(folder, server.base_url, *arguments, f"--run-dir={folder / 'run'}")
            hit = sum(request.fault is not None for request in server.requests)
            requests = len(server.requests)
        scores.append(
            [(result.instance_id, result.outcome, result.scores) for result in RunFolder(folder / "run").results()]
        )
        shutil.rmtree(folder)

    assert 0.17 < hit / requests < 0.23
    assert len(scores[0]) == 300
    assert scores[0] == scores[1]

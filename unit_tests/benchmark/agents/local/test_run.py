"""Whole runs of `pytest benchmark --model local`, with the reference agent in the place of a model."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Outcome
from unit_tests.benchmark.agents.local import stand_in_xllamacpp
from unit_tests.benchmark.agents.local.gguf_files import TINY, write_gguf
from unit_tests.benchmark.agents.local.processes import alive, children, comes_true

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at processes as POSIX systems have them")

PROCESS = re.compile(r"^local: process (\d+) at ", re.MULTILINE)
GONE = "the server of --model local is gone"


class Finished(NamedTuple):
    """A run that is over."""

    code: int
    output: str
    folder: RunFolder

    @property
    def server(self) -> int:
        (pid,) = PROCESS.findall(self.output)
        return int(pid)

    def outcomes(self) -> list[Outcome]:
        return [episode.outcome for episode in self.folder.episodes()]


class Bench:
    """Starts runs whose outputs all are in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run_folder = RunFolder(folder / "run")
        self.weights = write_gguf(folder / "tiny.gguf")
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "MPCBENCH"))},
            "PYTHONPATH": stand_in_xllamacpp.install(folder / "packages"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "COLUMNS": "200",
        }

    @contextmanager
    def started(self, *arguments: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
        plugins = ("-p", "xdist.plugin", "-p", "pytest_jsonreport.plugin", "-p", "no:cacheprovider")
        new = (
            "--level=1",
            "--limit=4",
            "--report=off",
            "--model=local",
            f"--gguf={self.weights}",
            f"--run-dir={self.run_folder.path}",
        )
        options = () if any(argument.startswith("--resume") for argument in arguments) else new
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *plugins, "benchmark", *options, *arguments],
            cwd=COMMITTED,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()

    def run(self, *arguments: str, **environment: str) -> Finished:
        with self.started(*arguments, **environment) as process:
            output, _ = process.communicate(timeout=300)
        return Finished(process.returncode, output, self.run_folder)

    def stored(self) -> int:
        return len(self.run_folder.episode_files()) if self.run_folder.path.exists() else 0


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def server_of(process: "subprocess.Popen[str]") -> int:
    """The process of the server, read from the run's header."""
    assert process.stdout is not None
    for line in process.stdout:
        if found := PROCESS.match(line):
            return int(found[1])
    raise AssertionError("no server was started")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run with two workers that nothing happened to."""
    return Bench(tmp_path_factory.mktemp("whole")).run("-n", "2")


@pytest.fixture
def resuming(bench: Bench, whole: Finished) -> Bench:
    """A bench on which that run can be resumed."""
    shutil.copytree(whole.folder.path, bench.run_folder.path)
    return bench


def test_one_server_serves_all_workers(whole: Finished) -> None:
    """There is one server, it is named in the output, and it ends with the run."""
    assert 0 == whole.code, whole.output
    assert [Outcome.PASSED] * 4 == whole.outcomes()
    assert not alive(whole.server)


def test_model_is_part_of_what_ran(whole: Finished) -> None:
    """The run records weights, hash and settings, and neither key nor address, which are new in every run."""
    described = whole.folder.info.agents["local"]

    assert isinstance(described, dict)
    assert str(described["weights_sha256"]) in whole.output
    assert ("Tiny", 4096, None) == (described["weights"], described["context_tokens"], described["base_url"])
    assert not any("127.0.0.1" in file.read_text() for file in whole.folder.files() if file.suffix != ".html")


def test_runs_without_work_for_it_have_no_server(resuming: Bench) -> None:
    """Nothing is started where no test runs, and nothing where every episode is stored."""
    listed = resuming.run("--collect-only", "-q", f"--run-dir={resuming.folder / 'none'}")
    again = resuming.run("-n", "0", f"--resume={resuming.run_folder.path}")

    assert (0, []) == (listed.code, PROCESS.findall(listed.output)), listed.output
    assert (0, []) == (again.code, PROCESS.findall(again.output)), again.output


@pytest.mark.slow  # kills the server
def test_dead_server_ends_the_run_which_can_be_resumed(bench: Bench) -> None:
    """What was in flight is an error, nothing more is begun, one line says so, and a later run does the rest."""
    done = bench.run("-n", "2", "--max-retries=0", STAND_IN_DIES_AFTER="12")
    before = {episode.instance_id: episode for episode in done.folder.episodes()}
    errors = [episode for episode in before.values() if episode.outcome is Outcome.ERROR]

    assert done.code != 0
    assert 1 <= len(errors) <= 2
    assert all(episode.fault and "the server of --model local died" in episode.fault.message for episode in errors)
    assert GONE in str(done.folder.info.stopped)
    assert f"the server of --model local (process {done.server}) died: SIGKILL" in done.output
    assert not alive(done.server)

    resumed = bench.run("-n", "0", f"--resume={bench.run_folder.path}")
    after = {episode.instance_id: episode for episode in resumed.folder.episodes()}
    assert (0, [Outcome.PASSED] * 4) == (resumed.code, resumed.outcomes()), resumed.output
    assert all(after[name] == episode for name, episode in before.items() if episode.outcome is not Outcome.ERROR)


@pytest.mark.slow  # kills the run
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("ending", "workers"), [(signal.SIGKILL, "2"), (signal.SIGINT, "2"), (signal.SIGINT, "0")])
def test_nothing_outlives_the_run(bench: Bench, workers: str, ending: signal.Signals) -> None:
    """Whether the run is killed or interrupted as with Ctrl-C, no server and no worker is left."""
    with bench.started("-n", workers, "--limit=60") as process:
        server = server_of(process)
        assert comes_true(lambda: bench.stored() > 0)
        family = children(process.pid)

        assert server in family
        if ending is signal.SIGINT:
            os.killpg(process.pid, ending)  # as a terminal does
        else:
            process.kill()
        process.communicate(timeout=300)
        assert comes_true(lambda: not any(alive(pid) for pid in family))


@pytest.mark.parametrize(
    ("arguments", "accident", "line"),
    [
        (["--gguf=no-such.gguf"], "", f"ERROR: --gguf: {COMMITTED}/no-such.gguf: No such file or directory"),
        (
            ["--gguf=README.md"],
            "",
            f"ERROR: --gguf: {COMMITTED}/README.md: not a GGUF file (it does not begin with GGUF)",
        ),
        (["--chat-template=no-such"], "", f"ERROR: --chat-template: {COMMITTED}/no-such: No such file or directory"),
        (["--context=8"], "", "ERROR: --context: 8 is less than 512 tokens"),
        (["--base-url=http://127.0.0.1:1/v1"], "", "ERROR: --base-url: --model local has a server of its own"),
        (
            [],
            "refuse",
            f"ERROR: --model local: tiny.gguf cannot be served: llama_model_load: {stand_in_xllamacpp.FIRST_ERROR}",
        ),
    ],
)
def test_what_cannot_be_served_is_one_line(bench: Bench, arguments: list[str], accident: str, line: str) -> None:
    """The run does not begin: a usage error of one line, and no folder."""
    done = bench.run("-n", "0", *arguments, **{stand_in_xllamacpp.STAND_IN: accident} if accident else {})

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert [line] == [said for said in done.output.splitlines() if said.strip()]
    assert not done.folder.path.exists()


def test_other_weights_do_not_resume_a_run(resuming: Bench) -> None:
    """Episodes of different weights are never mixed; the same weights under another name go on."""
    other = write_gguf(resuming.folder / "other.gguf", {**TINY, "general.name": "Other"})
    same = write_gguf(resuming.folder / "same.gguf")
    resume = f"--resume={resuming.run_folder.path}"

    refused = resuming.run("-n", "0", resume, f"--gguf={other}")
    resumed = resuming.run("-n", "0", resume, f"--gguf={same}", "--instance=level1-001")

    assert pytest.ExitCode.USAGE_ERROR == refused.code
    assert "local: weights Tiny, not Other" in refused.output
    assert (0, [Outcome.PASSED] * 5) == (resumed.code, resumed.outcomes()), resumed.output

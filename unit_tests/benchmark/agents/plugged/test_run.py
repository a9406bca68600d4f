"""Whole runs with users' agents."""

import json
from pathlib import Path

import pytest

from mpcbench.evaluation.__main__ import main as evaluation
from mpcbench.evaluation.runs.folder import RunFolder
from mpcbench.schema.dataset import Dataset
from unit_tests.benchmark.agents.plugged.plugged_trials import copied, isolated
from unit_tests.benchmark.harness.test_harness import run


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    return copied("user_agents", folder)


@isolated
def test_run_with_workers(file: Path, dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One agent's failures change nothing about another's episodes; the record says what ran, and verify accepts it."""
    models = [f"--model={name}" for name in (f"{file}:broken", f"{file}:limited", "noop")]
    done = run(tmp_path, f"--dataset={dataset.folder}", "--level=1", "--limit=2", *models, "-n2", "--concurrency=2")
    alone = run(tmp_path / "alone", f"--dataset={dataset.folder}", "--level=1", "--limit=2", "--model=noop")
    info = RunFolder.open(done.folder).info
    outcomes = {name.partition("-")[2].partition("-")[2]: outcome for name, outcome in done.outcomes().items()}
    found = evaluation(["verify", str(done.folder)])

    assert {f"{file}:broken": "failed", f"{file}:limited": "error", "noop": "failed"} == outcomes
    assert f"agent: {file}:broken: isolated by " in done.output
    assert {"bubblewrap", "namespaces"} >= {str((info.agents[f"{file}:broken"] or {})["isolation"])}
    for name in ("level1-001-noop", "level1-004-noop"):
        (here, there) = ({**one.episode(name), "seconds": 0} for one in (done, alone))
        assert there == here
    assert 0 == found, capsys.readouterr().out


def test_agent_that_does_not_load_ends_the_run(file: Path, dataset: Dataset, tmp_path: Path) -> None:
    """One line says why; no folder is made."""
    done = run(tmp_path, f"--dataset={dataset.folder}", f"--model={file}:missing", own_process=True)

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert (
        f"ERROR: --model {file}:missing: the agent cannot be loaded: there is no 'missing' in user_agents"
        in done.output
    )
    assert not done.folder.exists()


def test_run_in_process(file: Path, dataset: Dataset, tmp_path: Path) -> None:
    """The output and the record say that nothing isolates the agent; such a run is not resumed otherwise."""
    arguments = (f"--dataset={dataset.folder}", f"--model={file}:quiet", "--level=1", "--limit=1")
    done = run(tmp_path, *arguments, "--in-process")
    stored = json.loads((done.folder / "run.json").read_text())["agents"][f"{file}:quiet"]

    assert ("in-process", None) == (stored["isolation"], stored["timeout_seconds"])
    assert f"agent: {file}:quiet: not isolated: in the process of the run, without a time limit" in done.output


@isolated
def test_run_is_not_resumed_with_another_agent(dataset: Dataset, tmp_path: Path) -> None:
    """An agent whose file has changed since is another one."""
    file = tmp_path / "agent.py"
    file.write_text("def agent(task, tools, budget): return 'x'")
    first = run(tmp_path, f"--dataset={dataset.folder}", f"--model={file}:agent", "--level=1", "--limit=1")
    file.write_text("def agent(task, tools, budget): return 'y'")
    again = run(tmp_path, f"--resume={first.folder}")

    assert pytest.ExitCode.USAGE_ERROR == again.code
    assert "cannot be resumed: it was run with" in again.output
    assert "file sha256" in again.output

"""docs/your-agent.md: its first agent runs as it says, and its adapters solve tasks with their frameworks."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.benchmark.practice_endpoint import EndpointServer, Solver
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Outcome
from mpcbench.schema.run import Case
from unit_tests.benchmark.agents.plugged.plugged_trials import agent_of
from unit_tests.builders.committed import DATASET

PAGE = (COMMITTED / "docs" / "your-agent.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r'^```python title="(.*?)"\n(.*?)^```$', PAGE, re.DOTALL | re.MULTILINE))
ADAPTERS = [name for name in PROGRAMS if name != "my_agent.py"]
FRAMEWORKS = Path(sys.prefix) / "agents"
"""Where `make agents` installs them, away from the packages of the project."""


@pytest.mark.slow  # a whole run
def test_first_agent(tmp_path: Path) -> None:
    """The command on the page prints the table on the page."""
    (tmp_path / "my_agent.py").write_text(PROGRAMS["my_agent.py"])
    command, shown = re.findall(r"^```(?:sh|text)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[:2]
    options = command.split()[2:]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-c",
            COMMITTED / "benchmark" / "installed.ini",
            COMMITTED / "benchmark",
            "-p",
            "no:cacheprovider",
            *options,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(COMMITTED)},
        capture_output=True,
        text=True,
        check=False,
    )
    header, *table = shown.splitlines()

    assert 0 == done.returncode, done.stdout
    assert header.split(": ")[:2] in [line.split(": ")[:2] for line in done.stdout.splitlines()]
    assert [] == [line for line in table if line not in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapters_are_short(name: str) -> None:
    """Each has at most 40 lines."""
    assert len(PROGRAMS[name].splitlines()) <= 40


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with EndpointServer(Solver(reference)) as server:
        yield server.base_url


@pytest.mark.slow  # imports frameworks
@pytest.mark.skipif(not FRAMEWORKS.is_dir(), reason="make agents installs the frameworks")
@pytest.mark.parametrize("name", ADAPTERS)
def test_adapters_solve_tasks(name: str, endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reference agent as their model they give its answer, its calls and its tokens, isolated."""
    (tmp_path / name).write_text(PROGRAMS[name])
    for variable, value in (
        ("OPENAI_API_KEY", "sk-practice"),
        ("OPENAI_BASE_URL", endpoint),
        ("PYTHONPATH", FRAMEWORKS),
    ):
        monkeypatch.setenv(variable, str(value))
    exam = DATASET.exam("level2-000")
    trial = Trial(Case("level2-000", 2, name), exam, Settings.from_options({"max-turns": "100"}, Path()))
    agent = agent_of(tmp_path / name, "agent", DATASET, AgentOptions(("model=practice",)))
    agent.preflight()
    episode, expected = trial.run(agent).episode, trial.run(reference).episode
    assert episode.reply is not None
    assert episode.reply.usage is not None

    assert Outcome.PASSED is episode.outcome, episode.reply.failure or episode.fault
    assert [(call.name, call.result) for call in expected.tool_calls] == [
        (call.name, call.result) for call in episode.tool_calls
    ]
    assert len(expected.tool_calls) + 1 == episode.reply.turns
    assert (100 * episode.reply.turns, 20 * episode.reply.turns) == (
        episode.reply.usage.input_tokens,
        episode.reply.usage.output_tokens,
    )
    assert exam.instance.task[0] in json.dumps(episode.reply.messages, ensure_ascii=False)

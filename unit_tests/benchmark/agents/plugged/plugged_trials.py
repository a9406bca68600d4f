"""Trials of agents that tests name as users do."""

import shutil
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.plugged.agent import AgentOptions, PluggedAgent
from mpcbench.benchmark.agents.plugged.isolation import Isolation, best_isolation
from mpcbench.benchmark.agents.plugged.sandbox import Sandbox
from mpcbench.benchmark.agents.plugged.spec import AgentSpec
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial, TrialResult
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.run import Case

USERS = Path(__file__).parent / "users"

isolated = pytest.mark.skipif(
    best_isolation() is Isolation.NONE, reason="neither bubblewrap nor user namespaces work on this machine"
)


def copied(name: str, folder: Path) -> Path:
    """A copy of a file of agents where agents may see it: the tests are hidden from them."""
    return Path(shutil.copy(USERS / f"{name}.py", folder))


def agent_of(file: Path, name: str, dataset: Dataset, options: AgentOptions | None = None) -> PluggedAgent:
    options = options or AgentOptions()
    spec = AgentSpec.of(f"{file}:{name}", file.parent, options.arguments())
    assert spec is not None
    return PluggedAgent(spec, options, Sandbox(dataset.folder, (file.parent / "runs",)))


def tried(agent: PluggedAgent, dataset: Dataset) -> TrialResult:
    """An episode of an agent on the first instance of level 1."""
    exam = dataset.exam("level1-001")
    return Trial(Case("level1-001", 1, "agent"), exam, Settings.from_options({}, Path())).run(agent)

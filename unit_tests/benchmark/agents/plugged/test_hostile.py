"""Agents that cheat or do damage score 0, or are refused by name; nothing else changes."""

import os
import socket
import time
from hashlib import sha256
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.harness.trial import run_episode
from mpcbench.schema.dataset import COMMITTED, Dataset
from mpcbench.schema.episode import Episode, Outcome
from unit_tests.benchmark.agents.plugged.plugged_trials import agent_of, copied, isolated, tried

pytestmark = isolated

NOTHING_FOUND = (
    "reads_labels", "reads_through_proc", "reads_history", "reads_runs", "imports_oracle", "walks_memory",
    "rewrites_files", "kills_others", "leaves_children", "writes_nan", "answers_what_it_is_not",
)  # fmt: skip
REFUSED = {
    "dies_among_children": "the agent's process ended with exit code 0 before it answered",
    "patches_grading": "the agent wrote to the connection with the run",
    "answers_a_million": "the agent sent more than 24 MiB at once",
    "sleeps": "the agent gave no answer within 3 s",
    "floods": "the agent printed more than 64 MiB",
    "calls_forever": "the agent made more than 2,000 tool calls",
    "calls_without_listening": "the agent gave no answer within 3 s",
    "calls_hugely": "the agent made a tool call of more than 1,048,576 characters",
    "calls_deeply": "the agent wrote to the connection with the run",
    "talks_nonsense": "the agent wrote to the connection with the run",
    "hangs_up": "the agent closed its connection with the run",
    "answers_nan": "TypeError: the agent returned a float, which is neither a text nor an object with one as its `text`",
    "exits": "SystemExit: 0 (hostile_agents.py, line ",
    "kills_itself": "the agent's process was ended by SIGKILL, perhaps for lack of memory",
    "recurses": "RecursionError: maximum recursion depth exceeded",
}


@pytest.fixture(scope="module")
def file(folder: Path, dataset: Dataset) -> Path:
    """The agents, with a run beside them whose episode holds the gold."""
    stored = folder / "runs" / "earlier" / "episodes"
    stored.mkdir(parents=True)
    episode = run_episode(reference, dataset.exam("level1-001"))
    (stored / "level1-001-reference.json").write_text(episode.model_dump_json())
    return copied("hostile_agents", folder)


def hostile(
    file: Path, name: str, dataset: Dataset, *, in_process: bool = False, seconds: float = 60.0, port: int = 0
) -> Episode:
    places = {"root": COMMITTED, "data": dataset.folder, "runs": file.parent / "runs"}
    args = (*(f"{key}={value}" for key, value in places.items()), f"pid={os.getpid()}", f"port={port}")
    options = AgentOptions(args, timeout_seconds=seconds, in_process=in_process)
    return tried(agent_of(file, name, dataset, options), dataset).episode


def state(*folders: Path) -> str:
    """The names and the content of all files."""
    files = sorted(path for folder in folders for path in folder.rglob("*.json*") if path.is_file())
    return sha256(b"".join(str(file).encode() + file.read_bytes() for file in files)).hexdigest()


@pytest.mark.parametrize("name", NOTHING_FOUND)
def test_nothing_is_found_or_changed(file: Path, dataset: Dataset, name: str) -> None:
    """The agent answers, and its answer is scored: 0. Data, runs and repository are as they were."""
    places = (dataset.folder, file.parent / "runs", COMMITTED / "oracles", COMMITTED / "instances")
    before = state(*places)
    episode = hostile(file, name, dataset)
    assert episode.scores is not None

    assert (Outcome.FAILED, 0.0, None) == (episode.outcome, episode.scores.f1, episode.reply and episode.reply.failure)
    assert before == state(*places)


@pytest.mark.slow  # kills processes
@pytest.mark.parametrize("name", REFUSED)
def test_agent_is_refused(file: Path, dataset: Dataset, name: str) -> None:
    """The episode scores 0, and the record says why; the run goes on."""
    started = time.monotonic()
    episode = hostile(file, name, dataset, seconds=3.0 if name in {"sleeps", "calls_without_listening"} else 60.0)
    assert episode.scores is not None

    assert (Outcome.FAILED, 0.0) == (episode.outcome, episode.scores.f1)
    assert str(episode.answer_error).startswith(REFUSED[name])
    assert len(episode.tool_calls) <= 2_000
    assert time.monotonic() - started < 50


@pytest.mark.parametrize("name", ["leaves_children", "dies_among_children"])
def test_no_process_is_left(
    file: Path, dataset: Dataset, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an agent has started ends with its episode, in whichever session it is; its working folder is gone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hostile(file, name, dataset, port=port)

    assert refused(port)
    assert [] == list(tmp_path.iterdir())


def refused(port: int) -> bool:
    """Whether nobody listens any more, soon: the kernel ends the children after the first process."""
    for _ in range(50):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("name", ["reads_labels", "imports_oracle", "reads_runs"])
def test_the_same_agents_find_it_without_isolation(file: Path, dataset: Dataset, name: str) -> None:
    """They fail for lack of the files, and not of skill."""
    assert Outcome.PASSED is hostile(file, name, dataset, in_process=True).outcome

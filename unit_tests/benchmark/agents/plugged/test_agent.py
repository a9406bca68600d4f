"""Users' agents in real processes: what they are given, what they return, and what their failures become."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.plugged.agent import AgentOptions, PluggedAgent
from mpcbench.benchmark.agents.plugged.isolation import Isolation
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.evaluation.runs.options import DEFAULT_MAX_TURNS
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Finish, Outcome, Usage
from unit_tests.benchmark.agents.plugged.plugged_trials import agent_of, copied, isolated, tried

each_way = pytest.mark.parametrize("in_process", [False, True], ids=["process", "in-process"])


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    return copied("user_agents", folder)


def episode_of(file: Path, name: str, dataset: Dataset, **options: Any) -> Episode:
    return tried(agent_of(file, name, dataset, AgentOptions(**options)), dataset).episode


@each_way
def test_answer_is_scored(file: Path, dataset: Dataset, in_process: bool) -> None:
    """An agent that returns the gold passes; what it is given with --agent-arg is decoded as JSON."""
    gold = dataset.exam("level1-001").label.gold
    told = json.dumps([candidate.model_dump(mode="json", exclude_none=True) for candidate in gold])
    episode = episode_of(file, "told", dataset, args=(f"candidates={told}",), in_process=in_process)

    assert (Outcome.PASSED, 1) == (episode.outcome, episode.reply and episode.reply.turns)


@each_way
def test_tools_are_called_in_three_ways(file: Path, dataset: Dataset, in_process: bool) -> None:
    """As functions, with a mapping and with JSON text: the results and the log are alike."""
    episode = episode_of(file, "caller", dataset, in_process=in_process)
    assert episode.reply is not None
    given = json.loads(str(episode.reply.messages[0]["content"]))
    policy, *others = given["results"]

    assert json.loads(policy)["policy_id"] == "POL-01"
    assert [policy] * 3 + ["error: no tool 'no_tool'; the tools are get_calendar, get_policy"] == others
    assert [1, 2, 7, 7, 8] == [call.turn for call in episode.tool_calls]
    assert [{"keyword": "POL-01"}] * 4 + [{}] == [call.arguments for call in episode.tool_calls]
    assert 9 == episode.reply.turns
    assert (episode.task, "level1-001", 1) == tuple(given["task"][name] for name in ("text", "instance_id", "trial"))
    assert {"max_turns": DEFAULT_MAX_TURNS, "seconds": None if in_process else 1800.0} == given["budget"]
    assert ["get_calendar", "get_policy"] == [schema["function"]["name"] for schema in given["schemas"]]


@each_way
def test_classes_are_made_anew(file: Path, dataset: Dataset, in_process: bool) -> None:
    """Each episode has an instance of its own, with the arguments, of a module of its own."""
    agent = agent_of(file, "Counter", dataset, AgentOptions(("start=3",), in_process=in_process))
    replies = [tried(agent, dataset).episode.reply for _ in range(2)]

    assert [5, 5] == [reply.turns for reply in replies if reply is not None]
    assert [Usage(input_tokens=5, output_tokens=7)] * 2 == [reply.usage for reply in replies if reply is not None]


@each_way
def test_exception_is_the_agents_failure(file: Path, dataset: Dataset, in_process: bool) -> None:
    """The episode scores 0; the record says what was raised and where, from the agent's own code on."""
    episode = episode_of(file, "broken", dataset, in_process=in_process)
    assert episode.reply is not None
    assert episode.scores is not None
    first, *rest = str(episode.reply.failure).splitlines()
    line = file.read_text().splitlines().index('    raise ValueError("no luck\\nat all")') + 1

    assert (Outcome.FAILED, 0.0) == (episode.outcome, episode.scores.f1)
    assert f"ValueError: no luck at all (user_agents.py, line {line})" == first == episode.answer_error
    assert ("no_answer", Finish.FAILURE) == (episode.answer_status, episode.reply.finish)
    assert ["", "Traceback (most recent call last):", f'  File "{file}", line {line}, in broken'] == rest[:3]
    assert in_process or ["It printed:", "before the end"] == rest[-2:]
    assert 1 == len(episode.tool_calls)


@each_way
def test_endpoint_that_refuses_is_an_error(file: Path, dataset: Dataset, in_process: bool) -> None:
    """An exception that comes from HTTP 429 is no failure of the agent; the traceback is shown and stored."""
    result = tried(agent_of(file, "limited", dataset, AgentOptions(in_process=in_process)), dataset)

    assert result.episode.fault is not None
    assert (Outcome.ERROR, "endpoint") == (result.episode.outcome, result.episode.fault.kind)
    assert result.episode.fault.message.startswith("RuntimeError: cannot go on (user_agents.py")
    assert "RateLimitError: slow down" in str(result.error)
    assert "RateLimitError: slow down" in str(result.episode.reply and result.episode.reply.failure)


def test_process_has_a_clean_environment(file: Path, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys reach the agent; nothing of the harness does, neither modules nor variables."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-12345")
    monkeypatch.setenv("MPCBENCH_LOCAL_URL", "http://127.0.0.1:1")
    episode = episode_of(file, "place", dataset)
    assert episode.reply is not None
    said: Any = episode.reply.messages[0]

    assert "sk-12345" == said["environment"]["OPENAI_API_KEY"]
    assert not [name for name in said["environment"] if name.startswith(("PYTEST", "MPCBENCH"))]
    assert [] == said["modules"]
    assert said["pid"] != os.getpid()
    assert not Path(said["folder"]).exists()


def test_secrets_of_the_environment_are_hidden(file: Path, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of variables that are called keys or tokens are in no text."""
    monkeypatch.setenv("MY_TOKEN", "abcdefgh")

    assert "is ***" == agent_of(file, "quiet", dataset).secrets.hide("is abcdefgh")


def test_output_may_be_long(file: Path, dataset: Dataset) -> None:
    """What an agent prints is read while it works."""
    assert Outcome.FAILED is episode_of(file, "chatty", dataset, args=("lines=500000",)).outcome


@isolated
def test_description(file: Path, dataset: Dataset) -> None:
    """The record names the agent, its arguments, the hash of its file and what isolates it."""
    agent = agent_of(file, "quiet", dataset, AgentOptions(("a=1", "b=x", "a=2"), timeout_seconds=5.0))
    described = agent.described()

    assert {"a": 2, "b": "x"} == described["args"]
    assert ("user_agents:quiet", 5.0) == (described["agent"], described["timeout_seconds"])
    assert 64 == len(str(described["file_sha256"]))
    assert described["isolation"] in {Isolation.BUBBLEWRAP, Isolation.NAMESPACES}
    assert agent.line() == f"{file}:quiet: isolated by {described['isolation']}"


@pytest.mark.parametrize(
    ("name", "args", "why"),
    [
        ("missing", (), "there is no 'missing' in user_agents"),
        ("NUMBER", (), "a int cannot be called"),
        ("one_argument", (), "it takes (task) and is called with (task, tools, budget): too many positional arguments"),
        ("quiet", ("x=1",), "got an unexpected keyword argument 'x'"),
        ("Counter", ("x=1",), "it takes (start: int = 0) -> None and is called with (x=...)"),
    ],
)
@each_way
def test_agent_that_does_not_load(
    file: Path, dataset: Dataset, in_process: bool, name: str, args: tuple[str, ...], why: str
) -> None:
    """One line says what is wrong, before the first episode."""
    agent = agent_of(file, name, dataset, AgentOptions(args, in_process=in_process))
    with pytest.raises(AgentSpecError) as caught:
        agent.preflight()

    assert f"--model {file}:{name}: the agent cannot be loaded: " in str(caught.value)
    assert why in str(caught.value)


_LEAVES_TRACES = """
from pathlib import Path

def trace(text):
    with Path(__file__).with_name("traces").open("a") as file:
        print(text, file=file)
"""


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import not_there", "ModuleNotFoundError: No module named 'not_there' (agent.py, line 1)"),
        ("def agent(:", "loaded: SyntaxError: invalid syntax (agent.py, line 1)"),
        ("import sys\nsys.exit('enough')", "SystemExit: enough (agent.py, line 2)"),
        ("import os\nos._exit(3)", "the agent's process ended with exit code 3 before it answered"),
    ],
)
def test_module_that_does_not_load(tmp_path: Path, dataset: Dataset, source: str, why: str) -> None:
    """One line says what its code did."""
    file = tmp_path / "agent.py"
    file.write_text(source)
    with pytest.raises(AgentSpecError) as caught:
        agent_of(file, "agent", dataset).preflight()

    assert why in str(caught.value)


def test_agent_that_loads(tmp_path: Path, dataset: Dataset) -> None:
    """Its module is run, and it is not called."""
    file = tmp_path / "agent.py"
    file.write_text(f"{_LEAVES_TRACES}\ntrace('loaded')\n\ndef agent(task, tools, budget):\n    trace('called')\n")
    agent_of(file, "agent", dataset, AgentOptions(in_process=True)).preflight()

    assert "loaded\n" == (tmp_path / "traces").read_text()


@isolated
def test_agent_in_a_hidden_folder(dataset: Dataset) -> None:
    """The harness says so, and what to do."""
    file = dataset.folder / "oracles" / "agent.py"
    file.touch()
    with pytest.raises(AgentSpecError) as caught:
        agent_of(file, "quiet", dataset)
    file.unlink()

    assert str(caught.value).endswith(
        f"agent.py is in {dataset.folder.resolve()}/oracles, which is hidden from agents; "
        "move it elsewhere, or use --in-process"
    )


def test_process_that_cannot_start_is_an_error(file: Path, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the machine is no failure of the agent."""
    monkeypatch.setattr("mpcbench.benchmark.agents.plugged.sandbox.confined", lambda *_: ["/bin/sh", "-c", "exit 9"])
    episode = episode_of(file, "quiet", dataset)

    assert episode.fault is not None
    assert (Outcome.ERROR, "harness") == (episode.outcome, episode.fault.kind)
    assert "exit code 9" in episode.fault.message


def test_agents_are_independent_of_one_another(file: Path, dataset: Dataset) -> None:
    """The same agent serves episodes of several threads."""
    agent: PluggedAgent = agent_of(file, "caller", dataset)
    with ThreadPoolExecutor(4) as pool:
        episodes = [result.episode for result in pool.map(lambda _: tried(agent, dataset), range(8))]

    assert 1 == len({json.dumps([call.model_dump() for call in episode.tool_calls]) for episode in episodes})

"""Programs as agents, in real processes: what they are given, what they print, and how they end."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp_types", reason="make mcp installs the MCP SDK")

from mpcbench.benchmark.agents.command.agent import CommandAgent
from mpcbench.benchmark.agents.command.spec import CommandSpec
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.plugged.sandbox import Sandbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.evaluation.__main__ import main as evaluation
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Episode, Outcome
from mpcbench.schema.run import Case
from unit_tests.benchmark.agents.plugged.plugged_trials import isolated
from unit_tests.benchmark.harness.test_harness import run

CALL = """\
call() {
    python3 -c '
import json, sys, os, urllib.request
body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": sys.argv[1], "arguments": json.loads(sys.argv[2])}}
headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
request = urllib.request.Request(os.environ["MPCBENCH_MCP_URL"], json.dumps(body).encode(), headers)
print(json.load(urllib.request.urlopen(request))["result"]["content"][0]["text"])' "$1" "$2"
}
"""

Tried = Callable[..., Episode]


@pytest.fixture
def tried(dataset: Dataset, tmp_path: Path) -> Iterator[Tried]:
    """Runs a shell script as an agent, on the first instance of level 1."""
    agents = []

    def run_script(script: str, *, interpreter: str = "#!/bin/sh", **options: Any) -> Episode:
        file = tmp_path / "agent.sh"
        file.write_text(f"{interpreter}\n{script}\n")
        file.chmod(0o755)
        spec = CommandSpec.of("command:./agent.sh", tmp_path)
        agents.append(CommandAgent(spec, AgentOptions(**options), Sandbox(dataset.folder, (tmp_path / "runs",))))
        trial = Trial(Case("level1-001", 1, "c"), dataset.exam("level1-001"), Settings.from_options({}, Path()))
        return trial.run(agents[-1]).episode

    yield run_script
    for agent in agents:
        agent.close()


@pytest.fixture
def gold(dataset: Dataset) -> str:
    found = dataset.exam("level1-001").label.gold
    return json.dumps({"candidates": [one.model_dump(mode="json", exclude_none=True) for one in found]})


def failure(episode: Episode) -> str:
    assert episode.reply is not None
    assert Outcome.FAILED is episode.outcome
    return str(episode.reply.failure).partition("\n")[0]


def test_printed_answer(tried: Tried, gold: str) -> None:
    """The last JSON object on standard output counts; calls over MCP are logged."""
    episode = tried(
        f"{CALL}\necho '{{\"candidates\": []}}'\ncall get_policy '{{\"keyword\": \"POL-01\"}}' >&2\necho 'So: {gold}'"
    )

    assert Outcome.PASSED is episode.outcome, episode.reply
    assert [("get_policy", 1)] == [(call.name, call.turn) for call in episode.tool_calls]
    assert episode.reply is not None
    assert ["stdout", "stderr"] == [message["role"] for message in episode.reply.messages]


def test_submitted_answer(tried: Tried, gold: str) -> None:
    """It counts before whatever is printed and however the program ends, which is ended if it goes on."""
    episode = tried(f"{CALL}\ncall submit_answer '{gold}'\necho '{{\"candidates\": []}}'\nexit 3")

    assert Outcome.PASSED is episode.outcome, episode.reply


def test_what_a_program_is_given(tried: Tried, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task in three ways, the address in two, in an empty folder, with the user's environment."""
    monkeypatch.setenv("MY_KEY", "sk-12345")
    episode = tried(
        'cat > stdin.txt; cmp stdin.txt "$MPCBENCH_TASK_FILE" && printf "%s\\n" "$MPCBENCH_TASK" | cmp - stdin.txt || exit 9\n'
        'rm stdin.txt; ls -A; pwd; cat "$MPCBENCH_MCP_CONFIG"; head -c 1 "$MPCBENCH_SCHEMA_FILE"; echo; cat "$MPCBENCH_TASK_FILE"\n'
        'echo "$MPCBENCH_MCP_URL $MPCBENCH_INSTANCE $MPCBENCH_TRIAL $MPCBENCH_AGENT_ARGS $MY_KEY"',
        args=("model=x",),
    )
    assert episode.reply is not None
    folder, *lines = episode.reply.text.strip().splitlines()
    url, *others = lines[-1].split(" ", maxsplit=1)
    config = json.loads("\n".join(lines[: lines.index("}") + 1]))

    assert not Path(folder).exists()
    assert {"mcpServers": {"mpcbench": {"type": "http", "url": url}}} == config
    assert ['level1-001 1 {"model": "x"} sk-12345'] == others
    assert dataset.exam("level1-001").instance.task[0] in episode.reply.text


@pytest.mark.parametrize(
    ("script", "options", "why"),
    [
        ("exit 3", {}, "the program ended with exit code 3 before it answered"),
        ("exit 137", {}, "the program was ended by SIGKILL, perhaps for lack of memory"),
        ("sleep 60 & sleep 60", {"timeout_seconds": 0.3}, "the program gave no answer within 0.3 s"),
        ("yes", {}, "the program printed more than 64 MiB"),
        ("yes >&2", {}, "the program printed more than 64 MiB"),
    ],
)
def test_failures(tried: Tried, script: str, options: dict[str, Any], why: str) -> None:
    """What goes wrong in the program is its failure, and the record says what."""
    assert why == failure(tried(script, **options))


def test_failure_shows_the_output(tried: Tried) -> None:
    """The end of both streams follows."""
    episode = tried("echo half; echo broken >&2; exit 1")
    assert episode.reply is not None

    assert str(episode.reply.failure).endswith("It printed:\nhalf\nbroken")


def test_nothing_printed(tried: Tried) -> None:
    """A program that says nothing gave no answer."""
    assert "no_answer" == tried("true").answer_status


def test_endpoint_that_fails(tried: Tried) -> None:
    """By exit code 75 a program says that it was not its fault; the episode is an error."""
    episode = tried("echo 'HTTP 429: slow down' >&2; exit 75")

    assert episode.fault is not None
    assert (Outcome.ERROR, "endpoint") == (episode.outcome, episode.fault.kind)
    assert "the program says that its endpoint failed: HTTP 429: slow down" == episode.fault.message


def test_children_end_with_the_program(tried: Tried, tmp_path: Path) -> None:
    """What it has started in its process group is killed, and holds nothing up."""
    mark = tmp_path / "mark"
    tried(f"(sleep 0.5; touch {mark}; echo late) & echo done")
    time.sleep(1)

    assert not mark.exists()


def test_other_programs_are_out_of_reach(tried: Tried) -> None:
    """The server of the tools does not say where other episodes are."""
    ask = (
        "import os, urllib.request; urllib.request.urlopen(os.environ['MPCBENCH_MCP_URL'].rsplit('/', 2)[0] + '/next')"
    )
    episode = tried(f'python3 -c "{ask}" 2>&1 | tail -n 1')

    assert episode.reply is not None
    assert "urllib.error.HTTPError: HTTP Error 404: Not Found\n" == episode.reply.text


@isolated
def test_labels_are_hidden(tried: Tried, dataset: Dataset) -> None:
    """The folders with the gold are empty."""
    episode = tried(f"ls -A {dataset.folder}/oracles {dataset.folder}/instances | grep jsonl; true")

    assert episode.reply is not None
    assert "" == episode.reply.text


@isolated
@pytest.mark.slow  # a whole run with processes
def test_run_with_workers(dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A whole run; the record names the program and what isolates it, and verify accepts it."""
    file = tmp_path / "agent.sh"
    file.write_text("#!/bin/sh\necho '{\"candidates\": []}'\n")
    file.chmod(0o755)
    options = (f"--dataset={dataset.folder}", "--level=1", "--limit=2", f"--model=command:{file}")
    done = run(tmp_path, *options, "-n2", "--concurrency=2", own_process=True)
    (agent,) = json.loads((done.folder / "run.json").read_text())["agents"].values()

    assert ["failed", "failed"] == list(done.outcomes().values())
    assert f"agent: command:{file}: isolated by " in done.output
    assert (f"command:{file}", 64) == (agent["agent"], len(agent["file_sha256"]))
    assert 0 == evaluation(["verify", str(done.folder)]), capsys.readouterr().out


def test_in_process_is_refused(dataset: Dataset, tmp_path: Path) -> None:
    """One line says why."""
    done = run(tmp_path, f"--dataset={dataset.folder}", "--model=command:true", "--in-process", reports=False)

    assert "ERROR: --in-process: not with --model command:true, which is a process of its own" in done.output

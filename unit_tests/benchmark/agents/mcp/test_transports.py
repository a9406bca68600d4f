"""The reference agent over stdio and over HTTP does what it does in process; needs the MCP SDK."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("mcp_types", reason="make mcp installs the MCP SDK")

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError

from mpcbench.benchmark.agents.mcp.agent import McpAgent, episode_name
from mpcbench.benchmark.agents.mcp.episode import McpEpisode
from mpcbench.benchmark.agents.mcp.http_server import EpisodeServer
from mpcbench.benchmark.agents.mcp.protocol_server import server_of
from mpcbench.benchmark.agents.plugged.agent import AgentOptions
from mpcbench.benchmark.agents.plugged.spec import AgentSpecError
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.schema.model import Level
from mpcbench.schema.run import Case
from unit_tests.benchmark.agents.mcp.mcp_client import called_over_pipes, over_pipes
from unit_tests.benchmark.agents.mcp.parity import OverHttp, differing
from unit_tests.builders.committed import DATASET
from unit_tests.builders.ladder_episodes import plan

SAMPLE: list[tuple[Level, str]] = [(1, "level1-007"), (2, "level2-042"), (3, "level3-017"), (3, "level3-071")]


@pytest.fixture(scope="module")
def over_http() -> Iterator[OverHttp]:
    over_http = OverHttp()
    yield over_http
    over_http.agent.close()


def trial_of(level: Level, instance_id: str, trial: int = 1) -> Trial:
    return Trial(Case(instance_id, level, "mcp", trial), DATASET.exam(instance_id), Settings.from_options({}, Path()))


@pytest.mark.parametrize(("level", "instance_id"), SAMPLE)
def test_transports_agree(over_http: OverHttp, level: Level, instance_id: str) -> None:
    """The log, the answer and the scores are those of the agent in process."""
    trial = trial_of(level, instance_id)
    expected = trial.run(reference).episode

    assert [] == differing(expected, trial.run(over_pipes).episode)
    assert [] == differing(expected, trial.run(over_http).episode)


def test_plan_of_level_4_is_found_over_pipes() -> None:
    """With the tools of level 4, and an answer that names its meetings."""
    scene = plan(Random(2), 2)

    assert scene.gold == scene.answer(over_pipes)


def test_connection_over_pipes_ends_with_the_episode() -> None:
    """Neither the client nor the server outlives the answer, or hundreds of them would share a process."""
    before = set(threading.enumerate())
    trial_of(1, "level1-007").run(over_pipes)
    started = set(threading.enumerate()) - before
    for thread in started:
        thread.join(20)

    assert [] == [thread.name for thread in started if thread.is_alive()]


def test_overhead_of_stdio() -> None:
    """A call costs at most 3 ms of processor time more than in process."""
    trial = trial_of(3, "level3-017")
    log = trial.run(reference).episode.tool_calls
    seconds = []
    results = []
    for again in (1, 9):
        before = time.process_time()
        results.append(called_over_pipes(trial.task, trial.toolbox(), log * again))
        seconds.append(time.process_time() - before)
    tools, before = trial.toolbox(), time.process_time()
    for call in log * 8:
        assert isinstance(call.arguments, dict)
        tools.call(call.name, call.arguments)
    in_process = time.process_time() - before
    overhead = (seconds[1] - seconds[0] - in_process) / (8 * len(log))

    assert [call.result for call in log] == results[0]
    assert overhead < 0.003, f"{overhead * 1e3:.2f} ms"


def test_unknown_names_are_errors_of_the_protocol() -> None:
    """A prompt or resource that is not there is named, with the one that is."""
    trial = trial_of(1, "level1-007")
    episode = McpEpisode(trial.task, trial.toolbox())

    async def ask() -> list[str]:
        said = []
        async with Client(server_of(episode)) as client:
            assert [episode.task] == [
                one.model_dump()["text"] for one in (await client.read_resource("mpcbench://task")).contents
            ]
            for request in (client.get_prompt("x"), client.read_resource("mpcbench://x")):
                with pytest.raises(MCPError) as caught:
                    await request
                said.append(str(caught.value))
        return said

    assert ["no prompt 'x'; there is task", "no resource mpcbench://x; there is mpcbench://task"] == anyio.run(ask)


def test_addresses(over_http: OverHttp) -> None:
    """What is not open is not found; web pages get nothing; trials have names of their own."""
    requests = [
        Request(f"{over_http.agent.server.url}/level1-000/mcp"),
        Request(f"{over_http.agent.server.url}/next", headers={"Origin": "x"}),
    ]
    statuses = []
    for request in requests:
        with pytest.raises(HTTPError) as caught:
            urlopen(request, timeout=30)
        statuses.append(caught.value.code)
        caught.value.close()

    assert [404, 403] == statuses
    assert "level1-007-trial2" == episode_name(trial_of(1, "level1-007", 2).task)


def test_port_that_is_taken() -> None:
    """One line says so, before the run."""
    server = EpisodeServer()
    port = server.url.rpartition(":")[2]
    with pytest.raises(AgentSpecError, match=f"^--model mcp: port {port} cannot be opened: address already in use"):
        McpAgent(AgentOptions((f"port={port}",))).preflight()
    server.close()

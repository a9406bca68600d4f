"""What the comparison with a bare client and with other harnesses rests on."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.practice_endpoint import EndpointServer
from mpcbench.benchmark.practice_endpoint.recording import Recording
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, entry
from unit_tests.builders.committed import DATASET
from unit_tests.performance.bare_client import bodies, play
from unit_tests.performance.process import ProcessError
from unit_tests.performance.process_tree import take


@pytest.fixture(scope="module")
def recording() -> Recording:
    return Recording.of(DATASET, limit=1)


def said(body: dict[str, Any]) -> dict[str, Any]:
    """What a request says; of the model's own messages the calls, as endpoints add fields to these."""
    messages = [
        {"tool_calls": message["tool_calls"]} if message["role"] == "assistant" else message
        for message in body["messages"]
    ]
    return {"messages": messages, "tools": body["tools"]}


class TestBareClient:
    def test_sends_what_the_harness_sends(self, recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
        """The requests are the same, one for one, so that their cost can be subtracted."""
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        for episode in recording.episodes:
            task = Task(episode.instance_id, recording.systems[str(episode.level)], episode.text)
            tools = Toolbox(Sources(DATASET.world(episode.level)), tools_of_level(episode.level))
            with EndpointServer(recording) as server:
                EndpointAgent(entry(), EndpointOptions(base_url=server.base_url))(task, tools, Budget(40))

            sent = [said(request.body) for request in server.requests]
            # The bodies of an episode share one growing list of messages.
            assert sent == [said(body) for body in bodies(recording, episode)]

    def test_gets_the_recorded_answers(self, recording: Recording) -> None:
        """Every episode comes to its end."""
        with EndpointServer(recording) as server:
            answers = asyncio.run(play(recording, recording.episodes, server.base_url, 2))

        assert [episode.answer for episode in recording.episodes] == answers
        assert sum(len(episode.turns) + 1 for episode in recording.episodes) == server.served


class TestProcessTree:
    CHILD = (
        "import time; held = bytearray(50_000_000); end = time.process_time() + 0.3\nwhile time.process_time() < end: 0"
    )
    PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]]); print('done')"

    def test_counts_descendants(self) -> None:
        """Processor time and memory are those of all processes together."""
        taken = take([sys.executable, "-c", self.PARENT, self.CHILD])

        assert "done\n" == taken.output
        assert 0.3 < taken.cpu_seconds < taken.seconds + 0.2
        if Path("/proc/self/status").exists():
            assert taken.megabytes is not None
            assert 50 < taken.megabytes < 150

    def test_failure(self) -> None:
        """The figures of a command that failed mean nothing."""
        with pytest.raises(ProcessError, match=r"^exit code 3: .*\nwhy"):
            take([sys.executable, "-c", "print('why'); raise SystemExit(3)"])

"""The stand-in endpoint as a process: latency, logs, recordings and the command line."""

import gc
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.practice_endpoint import (
    Conversation,
    EndpointServer,
    FaultKind,
    Logged,
    ModelTurn,
    Scripted,
    episode_key,
    logged,
)
from mpcbench.benchmark.practice_endpoint.recording import Recording
from mpcbench.schema.dataset import COMMITTED
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, entry
from unit_tests.benchmark.practice_endpoint.requests import ANSWER, answered, asked, body, bomb
from unit_tests.builders.committed import DATASET


class TestServer:
    def test_latency_holds_up_nobody_else(self) -> None:
        """Fifty answers that are each delayed come together."""
        with EndpointServer(Scripted([ANSWER]), latency=0.2) as server:

            def send(_: int) -> float:
                before = time.monotonic()
                with asked(server) as response:
                    response.read()
                return time.monotonic() - before

            before = time.monotonic()
            with ThreadPoolExecutor(50) as pool:
                took = list(pool.map(send, range(50)))

        assert 0.2 <= min(took)
        assert time.monotonic() - before < 50 * 0.2 / 2

    def test_brains_that_block_do_not_block_others(self) -> None:
        """Brains run beside one another unless they are quick."""
        meeting = threading.Barrier(3, timeout=10)

        def brain(_: Conversation) -> ModelTurn:
            meeting.wait()
            return ANSWER

        with EndpointServer(brain) as server, ThreadPoolExecutor(3) as pool:

            def send(_: int) -> int:
                with asked(server) as response:
                    return response.status

            assert [200] * 3 == list(pool.map(send, range(3)))

    def test_closes_while_a_brain_blocks(self) -> None:
        """A brain that never ends keeps nobody."""
        never = threading.Event()

        def brain(_: Conversation) -> ModelTurn:
            never.wait(10)
            return ANSWER

        before = time.monotonic()
        with EndpointServer(brain) as server, pytest.raises(TimeoutError), asked(server, timeout=0.05):
            pass
        never.set()

        assert time.monotonic() - before < 5

    def test_closes_connections_that_it_has_hardly_accepted(self) -> None:
        """No socket is left to the garbage collector, which would warn of it in whatever test comes next."""
        gc.collect()  # what others left
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ResourceWarning)
            for _ in range(60):
                with EndpointServer(Scripted([])) as server:
                    port = urlsplit(server.base_url).port
                    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
                for client in clients:
                    client.close()
            gc.collect()

        assert [] == [str(warning.message) for warning in caught]

    @pytest.mark.parametrize(("after", "expected"), [(0, [401, 401, 401]), (2, [200, 200, 401])])
    def test_denies_the_key(self, after: int, expected: list[int]) -> None:
        """From some request on, or from the first, the key is refused."""
        with EndpointServer(Scripted([ANSWER]), denied_after=after) as server:
            found = []
            for _ in range(3):
                with asked(server) as response:
                    found.append(response.status)

        assert expected == found

    @pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"])
    def test_bodies_that_are_no_request(self, content: bytes) -> None:
        """What is no JSON object is refused."""
        assert 400 == answered(Scripted([ANSWER]), content=content)[0]

    def test_forgets_requests_where_it_is_told_to(self, tmp_path: Path) -> None:
        """A server that runs for long counts its requests and logs them in a file."""
        log = tmp_path / "log"
        options: dict[str, Any] = {"keeps_requests": False, "log": log, "chaos": bomb(FaultKind.DRIP_BODY)}
        before = time.time()
        with EndpointServer(Scripted([ANSWER]), denied_after=1, **options) as server:
            for _ in range(2):
                with asked(server) as response:
                    response.read()

        key, path = episode_key("What do the notes say?"), "/v1/chat/completions"
        first, second = logged(log)
        assert (2, []) == (server.served, server.requests)
        assert Logged(first.time, path, key, 1, "drip-body") == first
        assert Logged(second.time, path, None, None, "401") == second
        assert before <= first.time <= second.time <= time.time()


@pytest.fixture(scope="module")
def recording() -> Recording:
    return Recording.of(DATASET, limit=1)


class TestRecording:
    @pytest.mark.parametrize("level", [1, 2, 3])
    def test_is_the_reference_agent(self, level: int, recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
        """An agent served from a recording makes the calls and gives the answer of the reference agent."""
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        (recorded,) = (episode for episode in recording.episodes if episode.level == level)
        world = DATASET.world(recorded.level)
        task = Task(recorded.instance_id, system_prompt(recorded.level, world.timezone), recorded.text)
        alone, behind = (Toolbox(Sources(world), tools_of_level(recorded.level)) for _ in range(2))
        with EndpointServer(recording) as server:
            reply = EndpointAgent(entry(), EndpointOptions(base_url=server.base_url))(task, behind, Budget(40))

        assert reference(task, alone, Budget(40)).text == reply.text
        made = [(call.name, call.arguments, call.result) for call in alone.log]
        assert made == [(call.name, call.arguments, call.result) for call in behind.log]
        assert len({call.turn for call in alone.log}) + 1 == reply.turns < len(made) + 1

    def test_survives_a_file(self, recording: Recording, tmp_path: Path) -> None:
        """What is written is read again."""
        path = tmp_path / "recording.json"
        recording.write(path)

        assert recording == Recording.read(path)

    def test_unknown_task(self, recording: Recording) -> None:
        """A task that was not recorded is refused, not guessed."""
        status, content = answered(recording)

        assert 400 == status
        assert b"no such task in the recording: 'What do the notes say?'" in content


class TestCommandLine:
    COMMAND = (sys.executable, "-m", "benchmark.practice_endpoint")

    def test_options(self, tmp_path: Path) -> None:
        """Faults, latency and the log are chosen by options; SIGTERM ends the server, which says what it served."""
        options = ["--fault-rate", "1", "--faults", "unavailable", "--fault-seed", "3", "--fault-tries", "1"]
        options += ["--latency", "0.1", "--deny-after", "2", "--log", str(tmp_path / "log")]
        with subprocess.Popen([*self.COMMAND, *options], cwd=COMMITTED, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            url = process.stdout.readline().strip()
            statuses = []
            before = time.monotonic()
            for _ in range(3):
                request = urllib.request.Request(f"{url}/chat/completions", body(Api.CHAT))
                request.add_header("Authorization", "Bearer any")
                with pytest.raises(urllib.error.HTTPError) as caught:
                    urllib.request.urlopen(request)
                statuses.append(caught.value.code)
                caught.value.close()
            took = time.monotonic() - before
            process.terminate()
            said = process.stdout.read()

        # The reference agent cannot read a task that is none.
        assert [503, 500, 401] == statuses
        assert took >= 0.3
        assert ["unavailable", None, "401"] == [line.fault for line in logged(tmp_path / "log")]
        assert ("stopped after 3 requests\n", 0) == (said, process.returncode)

    def test_port_that_is_taken(self, capsys: pytest.CaptureFixture[str]) -> None:
        """One line names it."""
        from mpcbench.benchmark.practice_endpoint.__main__ import main  # noqa: PLC0415

        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(SystemExit) as caught:
                main(["--port", str(port)])

        assert 2 == caught.value.code
        assert capsys.readouterr().err.endswith(f"error: port {port}: Address already in use\n")

    @pytest.mark.parametrize(
        ("options", "complaint"),
        [
            (["--fault-rate", "2"], "rate: 2.0 is not between 0 and 1"),
            (["--fault-rate", "0.1", "--faults", "dorp"], "'dorp' is not a fault"),
            (["--latency", "-1"], "-1 is not a number of seconds"),
            (["--log", "/no/such/folder/log"], "No such file or directory"),
            (["--port", "99999"], "99999 is not a port"),
        ],
    )
    def test_wrong_options(self, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
        """What cannot be served is one line of error."""
        from mpcbench.benchmark.practice_endpoint.__main__ import main  # noqa: PLC0415

        with pytest.raises(SystemExit) as caught:
            main(options)

        assert 2 == caught.value.code
        assert complaint in capsys.readouterr().err.splitlines()[-1]

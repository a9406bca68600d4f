"""The request that precedes a run."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.practice_endpoint import Conversation, EndpointServer, ModelTurn, Solver
from unit_tests.benchmark.harness.test_harness import run
from unit_tests.benchmark.practice_endpoint.requests import ANSWER

ONE = ("--level=1", "--limit=1")


@pytest.fixture
def endpoint() -> Iterator[EndpointServer]:
    with EndpointServer(Solver(reference)) as server:
        yield server


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_one_request_to_each_model(endpoint: EndpointServer, tmp_path: Path, workers: tuple[str, ...]) -> None:
    """Whatever the number of processes, each model is asked once before the run, and the cost is said."""
    arguments = (f"--base-url={endpoint.base_url}", "--model=o4-mini,mine", *ONE, *workers)
    with_it = run(tmp_path, *arguments)
    asked = len(endpoint.requests)
    run(tmp_path, *arguments, "--preflight=off")

    assert pytest.ExitCode.OK == with_it.code
    assert 2 == asked - (len(endpoint.requests) - asked)
    assert "preflight: o4-mini called a tool after " in with_it.output
    assert "tokens, $0.00" in with_it.output
    assert "tokens, price unknown; not part of the run)" in with_it.output


def test_dead_endpoint_ends_the_run_at_once(closed_port: int, tmp_path: Path) -> None:
    """A port without a server is one line, and no run is begun."""
    before = time.monotonic()
    done = run(tmp_path, f"--base-url=http://127.0.0.1:{closed_port}/v1", "--model=m", *ONE)

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert time.monotonic() - before < 20
    assert f"ERROR: preflight: m: no answer from 127.0.0.1:{closed_port}: " in done.output
    assert not done.folder.exists()


def test_dead_endpoint_without_a_preflight(closed_port: int, tmp_path: Path) -> None:
    """Three refused connections end the run."""
    url = f"http://127.0.0.1:{closed_port}/v1"
    done = run(tmp_path, f"--base-url={url}", "--model=m", "--level=1", "--limit=5", "--preflight=off")

    assert pytest.ExitCode.INTERRUPTED == done.code
    assert "(3 tries in a row without an answer" in done.output
    assert "not run: 5 of 5 episodes" in done.output


def test_refused_key_ends_the_run(tmp_path: Path) -> None:
    """The line names the key."""
    with EndpointServer(Solver(reference), key="right") as server:
        done = run(tmp_path, f"--base-url={server.base_url}", "--model=m", *ONE)

    assert pytest.ExitCode.USAGE_ERROR == done.code
    assert "access denied; is the key in " in done.output
    assert not done.folder.exists()


def test_model_that_calls_no_tool(tmp_path: Path) -> None:
    """It is told, and the run goes on: the model may be so weak."""

    def brain(_: Conversation) -> ModelTurn:
        return ANSWER

    with EndpointServer(brain) as server:
        done = run(tmp_path, f"--base-url={server.base_url}", "--model=m", *ONE, "--fail-on=never")

    assert pytest.ExitCode.OK == done.code
    assert "preflight: m answered without calling a tool after " in done.output


def test_resumed_run_asks_only_for_what_is_missing(endpoint: EndpointServer, tmp_path: Path) -> None:
    """A whole run sends nothing at all."""
    whole = run(tmp_path, f"--base-url={endpoint.base_url}", "--model=m", *ONE)
    sent = len(endpoint.requests)
    again = run(tmp_path, f"--resume={whole.folder}")

    assert pytest.ExitCode.OK == again.code
    assert sent == len(endpoint.requests)


def test_agents_without_an_endpoint_need_none(tmp_path: Path) -> None:
    """Nothing is said of them."""
    done = run(tmp_path, "--model=reference", *ONE)

    assert pytest.ExitCode.OK == done.code
    assert "preflight" not in done.output

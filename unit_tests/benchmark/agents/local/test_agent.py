"""The agent `local`: where it finds its server, and what it says of a dead one."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import OptionError, model_entry
from mpcbench.benchmark.agents.local.agent import LocalAgent
from mpcbench.benchmark.agents.local.model import LocalOptions
from mpcbench.benchmark.agents.local.serve import KEY_VARIABLE
from mpcbench.benchmark.agents.local.server import URL_VARIABLE
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task, UnusableEndpointError
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.option_values import SettingsError
from mpcbench.benchmark.harness.registry import agents_of, hiding
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.practice_endpoint import EndpointServer, ModelTurn, Scripted
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.episode import Reply
from unit_tests.builders.small_worlds import world

TASK = Task("level1-001", "system", "task")
ANSWER = '{"candidates": []}'
NOWHERE = Path("nowhere")


def settings(*models: str, **options: str) -> Settings:
    return Settings.from_options({"model": models, **options}, NOWHERE)


def toolbox() -> Toolbox:
    return Toolbox(Sources(world(1), show_tags=False), ())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EndpointServer]:
    with EndpointServer(JsonSpeaking(Scripted([ModelTurn(text=ANSWER)])), key="the-key-of-the-run") as server:
        monkeypatch.setenv(URL_VARIABLE, server.base_url)
        monkeypatch.setenv(KEY_VARIABLE, "the-key-of-the-run")
        yield server


def agent(*given: str, **options: float) -> LocalAgent:
    return LocalAgent(model_entry("local"), EndpointOptions(**options), given)  # type: ignore[arg-type]


def test_server_may_come_after_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent asks the server that the environment names when an episode begins."""
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    made = agent()
    with EndpointServer(JsonSpeaking(Scripted([ModelTurn(text=ANSWER)])), key="k-of-the-run") as server:
        monkeypatch.setenv(URL_VARIABLE, server.base_url)
        monkeypatch.setenv(KEY_VARIABLE, "k-of-the-run")
        replies = [made(TASK, toolbox(), Budget(3)).text for _ in range(2)]
        bodies = [request.body for request in server.requests]

    assert [ANSWER] * 2 == replies
    assert {"local"} == {body["model"] for body in bodies}


def test_key_of_the_run_is_hidden(server: EndpointServer) -> None:
    """The key is younger than the agent, and no file may hold it all the same."""
    made = agent()
    hide = hiding([made])
    made(TASK, toolbox(), Budget(3))

    assert server.requests
    assert "it is ***" == hide("it is the-key-of-the-run")


@pytest.mark.parametrize("named", [True, False])
def test_without_a_server_nothing_is_begun(monkeypatch: pytest.MonkeyPatch, named: bool) -> None:
    """An episode is not begun where no server was started, or where it is gone: the run ends."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv(KEY_VARIABLE, "k-of-the-run")
    if named:
        monkeypatch.setenv(URL_VARIABLE, f"http://127.0.0.1:{port}/v1")
    else:
        monkeypatch.delenv(URL_VARIABLE, raising=False)

    with pytest.raises(UnusableEndpointError, match=r"\Athe server of --model local is gone\Z"):
        agent()(TASK, toolbox(), Budget(3))


def test_death_amid_an_episode_voids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The episode is an error with the one cause; the next episode ends the run."""
    monkeypatch.setenv(KEY_VARIABLE, "k-of-the-run")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv(URL_VARIABLE, f"http://127.0.0.1:{listening.getsockname()[1]}/v1")

        def dying(*_: object) -> Reply:
            listening.close()
            raise EndpointError("no answer")

        made = agent()
        monkeypatch.setattr(made, "_endpoint", lambda _: dying)
        with pytest.raises(EndpointError) as caught:
            made(TASK, toolbox(), Budget(3))

    assert EndpointError is type(caught.value)
    assert "the server of --model local died: no answer" == str(caught.value)


def test_failures_of_a_living_server_are_its_own(server: EndpointServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that answers with an error has not died."""
    monkeypatch.setenv(KEY_VARIABLE, "another-key")
    monkeypatch.setattr("mpcbench.benchmark.agents.local.agent._DYING_SECONDS", 0.1)

    with pytest.raises(UnusableEndpointError) as caught:
        agent()(TASK, toolbox(), Budget(3))
    assert str(caught.value).startswith(f"HTTP 401 from {server.base_url.split('/')[2]}: access denied")


def test_waiting_is_patient_unless_told_otherwise() -> None:
    """A message may wait for its turn for an hour, and hardly anything is tried again; both can be set."""
    assert (3600.0, 2) == (agent()._options.timeout_seconds, agent()._options.max_retries)
    patient = agent("--request-timeout", "--max-retries", timeout_seconds=5.0, max_retries=7)
    assert (5.0, 7) == (patient._options.timeout_seconds, patient._options.max_retries)


def test_description_has_no_address(server: EndpointServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address and key are new in every run and no part of what ran."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    described = agent().described()

    assert (None, "json", True) == (described["base_url"], described["tool_protocol"], described["structured_output"])
    assert server.base_url not in str(described)


def test_other_endpoints_go_where_they_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """--base-url is for the other models of a run; with the local one alone it is an error."""
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    made = agents_of(settings("local", "other", **{"base-url": "http://127.0.0.1:9/v1"}), Dataset(NOWHERE))

    assert [LocalAgent, EndpointAgent] == [type(one) for one in made.values()]
    with pytest.raises(SettingsError, match=r"\A--base-url: --model local has a server of its own\Z"):
        agents_of(settings("local", "reference", **{"base-url": "http://127.0.0.1:9/v1"}), Dataset(NOWHERE))


def test_options_that_it_does_not_take_are_found_before_the_run() -> None:
    """As with every other model."""
    with pytest.raises(OptionError, match="reasoning effort"):
        agents_of(settings("local", **{"reasoning-effort": "low"}), Dataset(NOWHERE))


def test_it_costs_nothing() -> None:
    """So a budget in dollars can be set beside it."""
    assert {"local"} == set(agents_of(settings("local", **{"budget-usd": "1"}), Dataset(NOWHERE)))


def test_options_of_the_local_model() -> None:
    """Files belong to the folder of the call; without the local model they are errors."""
    given = {"gguf": "w.gguf", "chat-template": "/t.jinja", "context": "4096"}

    assert LocalOptions(NOWHERE / "w.gguf", Path("/t.jinja"), 4096) == settings("local", **given).local
    for name, value in given.items():
        with pytest.raises(SettingsError, match=rf"\A--{name}: only with --model local\Z"):
            settings("reference", **{name: value})
    with pytest.raises(SettingsError, match=r"\A--context: '-1' is not a whole number from 1\Z"):
        settings("local", context="-1")
    with pytest.raises(SettingsError, match=r"\A--gguf: ' ' is no file\Z"):
        settings("local", gguf=" ")

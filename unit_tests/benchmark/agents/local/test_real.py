"""The real server with the real default weights, as far as the benchmark depends on what they do."""

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol, model_entry
from mpcbench.benchmark.agents.local.agent import LocalAgent
from mpcbench.benchmark.agents.local.model import LocalModel, LocalOptions
from mpcbench.benchmark.agents.local.server import LocalServer
from mpcbench.benchmark.agents.local.weights import LocalModelError, Weights
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema.episode import Finish, Reply
from unit_tests.benchmark.agents.endpoint.episodes import OPENAI_APIS
from unit_tests.benchmark.agents.local.processes import alive
from unit_tests.builders.small_worlds import world


def missing() -> str | None:
    """Why there is no real model here."""
    try:
        LocalModel.prepare(LocalOptions(), in_flight=1)
    except LocalModelError as error:
        return str(error)
    return None


REASON = missing()
pytestmark = [
    pytest.mark.local_model,
    pytest.mark.slow,  # runs a real model
    pytest.mark.skipif(REASON is not None, reason=str(REASON)),
]

CONTEXT = 1024
SYSTEM = "You look up a policy with the tool, and then you answer."


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    model = LocalModel.prepare(LocalOptions(context_tokens=CONTEXT), in_flight=2)
    with LocalServer(model) as server:
        yield server


def answered(
    text: str, *, max_turns: int = 2, protocol: ToolProtocol = ToolProtocol.JSON, api: Api = Api.CHAT
) -> tuple[Reply, Toolbox]:
    """The reply of the model to a task, and the tools that it had."""
    options = EndpointOptions(api=api, tool_protocol=protocol, temperature=0.0, max_tokens=30)
    schema = answer_schema(1)
    tools = Toolbox(Sources(world(1), show_tags=False), tools_of_level(1)[1:])
    task = Task("level1-001", SYSTEM, text, answer_schema=schema)
    return LocalAgent(model_entry("local"), options)(task, tools, Budget(max_turns)), tools


@pytest.mark.usefixtures("server")
def test_turns_are_held_to_the_schema() -> None:
    """Each turn is one JSON object of the protocol, and a tool call among them is run."""
    reply, tools = answered("What does the policy POL-01 say?")
    first, last = (str(one["content"]) for one in reply.messages if one["role"] == "assistant")

    assert {"tool", "arguments"} == json.loads(first).keys()
    assert ["get_policy"] == [call.name for call in tools.log]
    assert reply.forced_final
    assert reply.finish in {Finish.STOP, Finish.LENGTH}
    assert '"candidates"' in last


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("api", OPENAI_APIS)
def test_prompts_beyond_the_context_are_errors(api: Api) -> None:
    """A prompt longer than the context is an error, since the model has written nothing."""
    with pytest.raises(EndpointError, match="as long as the benchmark's own prompt"):
        answered("word " * 2 * CONTEXT, api=api)


@pytest.mark.usefixtures("server")
def test_episodes_beyond_the_slots_wait() -> None:
    """More episodes at a time than the server has slots for all come to their end."""
    with ThreadPoolExecutor(4) as threads:
        replies = list(threads.map(lambda number: answered(f"Policy POL-0{number}?", max_turns=1)[0], range(4)))

    assert all(reply.turns == 1 and reply.text for reply in replies)


@pytest.mark.usefixtures("server")
def test_native_protocol_reaches_the_model() -> None:
    """With tools instead of a schema the model answers too, if only in prose."""
    reply, _ = answered("Say hello.", max_turns=1, protocol=ToolProtocol.NATIVE)

    assert reply.text


def test_truncated_weights_are_one_line(tmp_path: Path) -> None:
    """Where the last tensor is cut, which the header does not tell, the server's own error is shown."""
    file = tmp_path / "cut.gguf"
    shutil.copyfile(Weights.of_package().path, file)
    os.truncate(file, file.stat().st_size - 16)
    server = LocalServer(LocalModel.prepare(LocalOptions(file), in_flight=1))

    with pytest.raises(LocalModelError) as caught:
        server.start()
    assert "cut.gguf cannot be served: llama_model_load: error loading model: tensor" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not alive(server.pid)


def test_templates_take_the_place_of_the_weights_own(tmp_path: Path) -> None:
    """A template of the user's decides what the model reads; a broken one is one line."""
    file = tmp_path / "chat.jinja"
    file.write_text("{% for message in messages %}")
    with pytest.raises(LocalModelError, match=r"\A[^\n]*cannot be served: common_chat_templates_init: error: [^\n]+\Z"):
        LocalServer(LocalModel.prepare(LocalOptions(None, file, CONTEXT), in_flight=1)).start()

    file.write_text("{% for message in messages %}{{ message['content'] }}{% endfor %}")
    tokens = []
    for template in (None, file):
        with LocalServer(LocalModel.prepare(LocalOptions(None, template, CONTEXT), in_flight=1)):
            reply, _ = answered("What does the policy POL-01 say?", max_turns=1)
            assert reply.usage is not None
            tokens.append(reply.usage.input_tokens or 0)
    assert tokens[1] < tokens[0]

"""How large the transcript of an episode may become."""

import json
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.endpoint import exchange
from mpcbench.benchmark.agents.endpoint.json_protocol import TurnError, read_calls
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol
from mpcbench.benchmark.agents.endpoint.turn import LARGEST_TRANSCRIPT, stored_size
from mpcbench.benchmark.practice_endpoint import EndpointServer, ModelCall, ModelTurn, Scripted
from mpcbench.evaluation.runs.durable_file import LARGEST
from mpcbench.schema.episode import Finish, Usage
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, OPENAI_APIS, note_call, run, toolbox
from unit_tests.benchmark.agents.endpoint.raw_server import RawServer, response
from unit_tests.benchmark.agents.endpoint.test_transport import script_on

APIS = pytest.mark.parametrize("api", OPENAI_APIS)
ANSWER = ModelTurn(text='{"candidates": []}')
MOST = 4_000


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transcript may have only a few bytes."""
    monkeypatch.setattr(exchange, "LARGEST_TRANSCRIPT", MOST)


@APIS
@pytest.mark.usefixtures("_small")
class TestFullTranscript:
    def test_grows_until_it_is_full(self, api: Api) -> None:
        """A model that writes on and on ends truncated, with the turns that fit and all of its tokens."""
        tools = toolbox()
        with EndpointServer(Scripted([ModelTurn(text="x" * 900, calls=(note_call("colour"),))] * 10)) as server:
            reply = run(server, api, tools)

        assert ("", Finish.LENGTH, reply.turns) == (reply.text, reply.finish, len(server.requests))
        assert 3 <= reply.turns < 10
        assert MOST - 1_300 < stored_size(reply.messages) <= MOST
        assert list(range(1, reply.turns)) == [call.turn for call in tools.log]
        assert list(reply.messages) == server.requests[-1].body["messages" if api is Api.CHAT else "input"]
        assert Usage(
            input_tokens=100 * reply.turns,
            cached_input_tokens=40 * reply.turns,
            output_tokens=20 * reply.turns,
            reasoning_tokens=5 * reply.turns,
        ) == reply.usage  # fmt: skip

    def test_one_turn_that_is_too_large(self, api: Api) -> None:
        """A final message that does not fit is truncated; every byte counts, and not every character."""
        texts = ["\N{SNOWMAN}" * (MOST // 4), "x" * MOST]
        for text in texts:
            with EndpointServer(Scripted([ModelTurn(text=text)])) as server:
                reply = run(server, api)

            assert ("", Finish.LENGTH, 1, 2) == (reply.text, reply.finish, reply.turns, len(reply.messages))

    def test_results_that_do_not_fit(self, api: Api) -> None:
        """Calls whose results do not fit are neither shown nor logged, and those after them are not run."""
        calls = (note_call("colour"),) * 3 + (ModelCall("x" * 1_000, "{}"),) * 3
        tools = toolbox()
        with EndpointServer(Scripted([ModelTurn(calls=calls[:1]), ModelTurn(calls=calls), ANSWER])) as server:
            reply = run(server, api, tools)

        assert (Finish.LENGTH, 2, [1]) == (reply.finish, reply.turns, [call.turn for call in tools.log])

    def test_just_fits(self, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        """An exchange as large as the limit is kept."""
        script = [ModelTurn(calls=(note_call("colour"),)), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            size = stored_size(run(server, api).messages)
            for most, finish in ((size + 20, Finish.STOP), (size - 20, Finish.LENGTH)):
                monkeypatch.setattr(exchange, "LARGEST_TRANSCRIPT", most)

                assert finish == run(server, api).finish


def test_many_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number that no model needs, calls count for more than their bytes."""
    monkeypatch.setattr(exchange, "FREE_CALLS", 4)
    monkeypatch.setattr(exchange, "CALL_SIZE", LARGEST_TRANSCRIPT // 4)
    turn = ModelTurn(calls=(note_call("colour"),) * 3)
    tools = toolbox()
    with EndpointServer(Scripted([turn] * 9)) as server:
        reply = run(server, Api.CHAT, tools)

    assert (Finish.LENGTH, 3, [1, 1, 1, 2, 2, 2]) == (reply.finish, reply.turns, [call.turn for call in tools.log])


def test_calls_in_one_message() -> None:
    """More calls than any model writes in one message are the model's mistake."""
    text = json.dumps({"calls": [{"tool": "get_note", "arguments": {}}] * 10_001})
    with pytest.raises(TurnError, match="more than 10,000 calls"):
        read_calls(text)


@APIS
def test_json_protocol(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit holds for tool calls as text, too."""
    monkeypatch.setattr(exchange, "LARGEST_TRANSCRIPT", MOST)
    call = ModelTurn(text='{"tool": "get_note", "arguments": {"keyword": "colour"}}' + " " * 900)
    with EndpointServer(Scripted([call] * 10)) as server:
        reply = run(server, api, protocol=ToolProtocol.JSON)

    assert (Finish.LENGTH, reply.turns) == (reply.finish, len(server.requests))
    assert stored_size(reply.messages) <= MOST


MEASURE = (
    "\nreply = agent(TASK, toolbox(), BUDGET)\n"
    "from mpcbench.benchmark.harness.record import as_json_text\n"
    "print(reply.finish, len(agent.secrets.hide(as_json_text(reply))))\n"
    "with open('/proc/self/status') as file:\n    lines = file.readlines()\n"
    "print(*(int(line.split()[1]) // 1000 for line in lines if line.startswith('VmHWM:')))\n"
)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.slow  # hundreds of MiB
def test_memory_of_calls() -> None:
    """Thousands of calls in every turn leave a run below 400 MB, which needs more than the agent alone."""
    calls = [{"id": f"c{n}", "type": "function", "function": {"name": "x", "arguments": "{}"}} for n in range(9_999)]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    body = {"choices": [{"message": message, "finish_reason": "tool_calls"}]}
    with RawServer([response(json.dumps(body).encode())]) as server, script_on(server.base_url, MEASURE) as process:
        output, errors = process.communicate(timeout=120)
    finish, _, peak = output.split()

    assert (0, "", "length") == (process.returncode, errors, finish)
    assert int(peak) < 300


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.slow  # hundreds of MiB
@pytest.mark.parametrize(
    ("character", "length"),
    [
        ("\N{CJK UNIFIED IDEOGRAPH-4E2D}", 4_000_000),
        ("\N{GRINNING FACE}", 3_900_000),
        ("x", 4_000_000),
        ("\N{CJK UNIFIED IDEOGRAPH-4E2D}", 600_000),
        ("\x01", 600_000),
    ],
)
def test_memory(character: str, length: int) -> None:
    """Two long texts in each turn neither take the process to 400 MB nor its record beyond what can be stored."""
    message = {
        "role": "assistant",
        "content": character * length,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {
                    "name": "get_note",
                    "arguments": json.dumps({"keyword": character * length}, ensure_ascii=False),
                },
            }
        ],
    }
    body = {"choices": [{"message": message, "finish_reason": "tool_calls"}]}
    answer = response(json.dumps(body, ensure_ascii=False).encode())
    with RawServer([answer]) as server, script_on(server.base_url, MEASURE) as process:
        output, errors = process.communicate(timeout=120)
    finish, stored, peak = output.split()

    assert (0, "", "length") == (process.returncode, errors, finish)
    assert int(stored) <= LARGEST_TRANSCRIPT + 10_000 < LARGEST
    assert int(peak) < 400

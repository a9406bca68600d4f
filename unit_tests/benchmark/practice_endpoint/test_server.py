"""The stand-in endpoint: it refuses what the real one refuses, and serves agents as models."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from openai import OpenAI

from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.practice_endpoint import Conversation, EndpointServer, ModelCall, ModelTurn, Scripted, Solver
from mpcbench.benchmark.practice_endpoint.brains import Exchange, OfferedTool
from mpcbench.benchmark.practice_endpoint.requests import texts_of
from mpcbench.schema.episode import Finish, Reply
from unit_tests.benchmark.agents.endpoint.episodes import BUDGET, KEY, KEY_VARIABLE, OPENAI_APIS, TASK, run, toolbox

SAYS = {"role": "user", "content": "What do the notes say?"}
CHAT_CALL = {"id": "call_1_0", "type": "function", "function": {"name": "get_note", "arguments": "{}"}}
CHAT_CALLS = {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]}
CALL = {"type": "function_call", "id": "fc_1_0_r", "call_id": "call_1_0", "name": "get_note", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "call_1_0", "output": "nothing"}
CHAT_RESULT = {"role": "tool", "tool_call_id": "call_1_0", "content": "nothing"}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed:rs_1"}
REPLAYS: dict[Api, tuple[str, str, list[dict[str, Any]]]] = {
    Api.CHAT: ("/chat/completions", "messages", [CHAT_CALLS, CHAT_RESULT]),
    Api.RESPONSES: ("/responses", "input", [REASONING, CALL, OUTPUT]),
}
CHAT_TOOL = {"type": "function", "function": {"name": "get_note", "parameters": {"type": "object"}}}


def chat_format(**changes: Any) -> dict[str, Any]:
    """A format of chat completions that holds a message to a schema, changed."""
    schema = {"type": "object", "anyOf": [{"type": "object"}]}
    return {"type": "json_schema", "json_schema": {"name": "turn", "schema": schema, "strict": False, **changes}}


def post(server: EndpointServer, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """The status and the decoded body of a raw request."""
    request = urllib.request.Request(
        f"{server.base_url}{path}", json.dumps(body).encode(), headers={"Authorization": "Bearer any"}
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@pytest.fixture(scope="module")
def server() -> Iterator[EndpointServer]:
    with EndpointServer(Scripted([ModelTurn(text="first"), ModelTurn(text="second")])) as server:
        yield server


class TestChecks:
    @pytest.mark.parametrize(
        ("fields", "complaint"),
        [
            ({"messages": [SAYS, CHAT_CALLS]}, "did not have response messages: call_1_0"),
            ({"messages": [SAYS, CHAT_CALLS, SAYS]}, "did not have response messages: call_1_0"),
            ({"messages": [SAYS, {"role": "tool", "tool_call_id": "call_1_0", "content": ""}]}, "must be a response"),
            ({"messages": [{"role": "robot", "content": ""}]}, "Invalid value: 'robot'"),
            ({"messages": []}, "empty array"),
            ({"messages": "hello"}, "Invalid type for 'messages'"),
            ({}, "Missing required parameter: 'messages'"),
            ({"messages": [SAYS], "tools": []}, "empty array"),
            ({"messages": [SAYS], "tools": [{"type": "function", "name": "get_note"}]}, "tools[].type"),
            ({"messages": [SAYS], "store": False}, "Unknown parameter: 'store'"),
            ({"messages": [SAYS], "tool_choice": "none"}, "'tool_choice' is only allowed when 'tools' are specified"),
            ({"messages": [SAYS], "parallel_tool_calls": True}, "'parallel_tool_calls' is only allowed when 'tools'"),
            ({"messages": [SAYS], "tools": [CHAT_TOOL], "tool_choice": "never"}, "Invalid value: 'never'"),
            ({"messages": [SAYS], "response_format": {"type": "xml"}}, "Invalid value for 'response_format'"),
            ({"messages": [SAYS], "response_format": chat_format(name="")}, "'response_format.json_schema.name'"),
            ({"messages": [SAYS], "response_format": chat_format(schema={})}, "schema must be a JSON Schema of 'type:"),
            ({"messages": [SAYS], "response_format": chat_format(strict=True)}, "root schema must not be anyOf"),
            ({"messages": [SAYS], "response_format": chat_format(mode=1)}, "'response_format.json_schema.mode'"),
        ],
    )
    def test_chat_completions(self, server: EndpointServer, fields: dict[str, Any], complaint: str) -> None:
        """A malformed request is refused with an error object."""
        status, body = post(server, "/chat/completions", {"model": "m", **fields})

        assert 400 == status
        assert complaint in body["error"]["message"]

    @pytest.mark.parametrize(
        ("fields", "complaint"),
        [
            ({"input": [SAYS, REASONING, CALL]}, "No tool output found for function call call_1_0"),
            ({"input": [SAYS, OUTPUT]}, "No tool call found for function call output with call_id call_1_0"),
            ({"input": [SAYS, CALL, OUTPUT]}, "without its required 'reasoning' item: 'rs_1'"),
            ({"input": [SAYS, {**REASONING, "encrypted_content": "?"}, CALL, OUTPUT]}, "could not be verified"),
            ({"input": [SAYS, {"type": "thought"}]}, "Invalid value: 'thought'"),
            ({"messages": [SAYS]}, "Missing required parameter: 'input'"),
            ({"input": [SAYS], "max_completion_tokens": 1}, "Unknown parameter: 'max_completion_tokens'"),
            ({"input": [SAYS], "tool_choice": "none"}, "'tool_choice' is only allowed when 'tools' are specified"),
            ({"input": [SAYS], "response_format": chat_format()}, "Unknown parameter: 'response_format'"),
            ({"input": [SAYS], "text": {"format": {"type": "xml"}}}, "Invalid value for 'text.format'"),
            ({"input": [SAYS], "text": {"format": {"type": "json_schema"}}}, "invalid parameter: 'text.format.name'"),
        ],
    )
    def test_responses(self, server: EndpointServer, fields: dict[str, Any], complaint: str) -> None:
        """A malformed request is refused with an error object."""
        status, body = post(server, "/responses", {"model": "m", **fields})

        assert 400 == status
        assert complaint in body["error"]["message"]

    def test_reasoning_is_lost_unless_stored_or_encrypted(self, server: EndpointServer) -> None:
        """Without a store a reasoning item is of use only with its encrypted content."""
        bare = {name: value for name, value in REASONING.items() if name != "encrypted_content"}
        status, _ = post(server, "/responses", {"model": "m", "input": [SAYS, bare, CALL, OUTPUT], "store": False})

        assert 404 == status

    @pytest.mark.parametrize("api", OPENAI_APIS)
    def test_a_sound_request_gets_the_next_turn(self, server: EndpointServer, api: Api) -> None:
        """The request itself says which turn it is."""
        path, key, exchange = REPLAYS[api]
        status, body = post(server, path, {"model": "m", key: [SAYS, *exchange]})

        assert 200 == status
        assert "second" in json.dumps(body)

    @pytest.mark.parametrize(
        ("api", "settings"),
        [
            (Api.CHAT, {"top_p": 0.9, "seed": 1, "stop": ["END"], "service_tier": "flex"}),
            (Api.RESPONSES, {"top_p": 0.9, "service_tier": "flex"}),
        ],
    )
    def test_settings_of_models_are_taken(self, server: EndpointServer, api: Api, settings: dict[str, Any]) -> None:
        """What models.toml can ask for is what the APIs have; it changes nothing here."""
        path, key, exchange = REPLAYS[api]
        status, _ = post(server, path, {"model": "m", key: [SAYS, *exchange], **settings})

        assert 200 == status

    def test_unknown_path(self, server: EndpointServer) -> None:
        """Any other address is not found."""
        assert 404 == post(server, "/completions", {"model": "m"})[0]


def chain(task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG001 - every agent's signature
    """An agent whose second call depends on the result of its first."""
    colour = tools.call("get_note", {"keyword": "colour"}, turn=1)
    number = tools.call("get_note", {"keyword": "number" if "blue" in colour else "colour"}, turn=2)
    return Reply(text=f"{task.system_prompt} {task.text} {tools.tools[0].name}: {colour} {number}")


@pytest.mark.parametrize("api", OPENAI_APIS)
class TestSolver:
    def test_behind_the_wire_an_agent_does_the_same(self, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        """An agent served as a model makes the same calls with the same answer as by itself."""
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        alone, behind = toolbox(), toolbox()
        with EndpointServer(Solver(chain)) as server:
            reply = run(server, api, behind)

        assert chain(TASK, alone, BUDGET).text == reply.text
        assert (3, Finish.STOP) == (reply.turns, reply.finish)
        assert alone.log == behind.log

    def test_an_agent_that_changes_its_mind_is_found_out(self, api: Api) -> None:
        """A call that is not repeated on replay is a server error."""
        calls = iter([ModelCall("get_note", "{}"), ModelCall("other", "{}")])

        def fickle(task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG001 - every agent's signature
            call = next(calls)
            return Reply(text=tools.call(call.name, call.arguments))

        with EndpointServer(Solver(fickle)) as server:
            path, key, exchange = REPLAYS[api]
            first, _ = post(server, path, {"model": "m", key: [SAYS]})
            second, body = post(server, path, {"model": "m", key: [SAYS, *exchange]})

        assert (200, 500) == (first, second)
        assert "called other where it had called get_note" in body["error"]["message"]


def test_a_command_line_agent_may_rename_tools_and_frame_results() -> None:
    """An agent finds its tool behind the prefix of an MCP client, and reads a result that the client has framed."""

    def looks_up(task: Task, tools: Toolbox, budget: Budget) -> Reply:  # noqa: ARG001 - every agent's signature
        result = tools.call("get_policy", {})
        return Reply(text=f"{tools.tools[0].name}: {result}")

    parameters: dict[str, Any] = {"type": "object"}
    asked = Conversation("", "", (OfferedTool("mpcbench_get_policy", "", parameters),), (), 0)
    framed = "ok: True\nserver: mpcbench\ntool: get_policy\ntext: a\nb\nstructured: None"
    answered = replace(asked, exchanges=(Exchange("mpcbench_get_policy", "{}", 1, framed),))

    assert (ModelCall("mpcbench_get_policy", "{}"),) == Solver(looks_up)(asked).calls
    assert "get_policy: a\nb" == Solver(looks_up)(answered).text


class TestStreams:
    def test_a_stream_says_what_the_whole_answer_says(self) -> None:
        """Texts, calls, the reason of the end and, if asked for, the usage arrive as events."""
        body: Any = {"model": "any", "messages": [SAYS], "tools": [CHAT_TOOL]}
        script = Scripted([ModelTurn(text="Looking.", calls=(ModelCall("get_note", "{}"), ModelCall("get_note", "[")))])
        with EndpointServer(script) as server:
            _, whole = post(server, "/chat/completions", body)
            with OpenAI(base_url=server.base_url, api_key="any") as client:
                completions = client.chat.completions
                *_, last = completions.create(**body, stream=True, stream_options={"include_usage": True})
                with completions.stream(**body) as stream:
                    (streamed,) = stream.get_final_completion().choices

        calls = [(call.function.name, call.function.arguments) for call in streamed.message.tool_calls or ()]
        assert [("get_note", "{}"), ("get_note", "[")] == calls
        assert ("Looking.", "tool_calls") == (streamed.message.content, streamed.finish_reason)
        assert whole["usage"]["prompt_tokens"] == last.usage.prompt_tokens

    def test_errors_do_not_stream(self) -> None:
        """What is rejected has the status and the body that it has without a stream."""
        with EndpointServer(Scripted([ModelTurn(text="first")])) as server:
            status, answer = post(
                server, "/chat/completions", {"model": "any", "messages": [SAYS], "stream": True, "n": 2}
            )

        assert (400, "Unknown parameter: 'n'.") == (status, answer["error"]["message"])


def test_the_developer_is_the_system() -> None:
    """A prompt under the role that newer models call the developer's is the system prompt."""
    told = [{"role": "developer", "content": "Be brief."}, SAYS]

    assert ("Be brief.", SAYS["content"]) == texts_of(told)

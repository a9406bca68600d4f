"""The endpoint agent where something fails: the endpoint, the key or an option."""

import json
import subprocess
import sys
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions, MissingKeyError
from mpcbench.benchmark.agents.endpoint.models import Api, OptionError
from mpcbench.benchmark.agents.endpoint.secrets import Secrets
from mpcbench.benchmark.agents.protocol import AccessDeniedError, EndpointError
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelTurn, Scripted
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Finish
from unit_tests.benchmark.agents.endpoint.episodes import (
    BUDGET,
    KEY,
    KEY_VARIABLE,
    OPENAI_APIS,
    TASK,
    entry,
    note_call,
    run,
    toolbox,
)

APIS = pytest.mark.parametrize("api", OPENAI_APIS)
ANSWER = ModelTurn(text='{"candidates": []}')
NOTE = '{"keyword": "colour"}'
SOON = {"retry-after-ms": "1"}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def failure(api: Api, *faults: Fault, max_retries: int = 0, timeout_seconds: float = 10) -> tuple[str, int]:
    """The message of an episode's error and how many requests were made."""
    with EndpointServer(Scripted([ANSWER]), faults=faults) as server:
        with pytest.raises(EndpointError) as caught:
            run(server, api, max_retries=max_retries, timeout_seconds=timeout_seconds)
        place = server.base_url.removeprefix("http://").removesuffix("/v1")
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(place, "HOST"), len(server.requests)


class TestRetries:
    @APIS
    def test_waits_as_long_as_the_server_asks(self, api: Api) -> None:
        """A rate limit with Retry-After is waited for, and the episode goes on."""
        script = [ModelTurn(calls=(note_call("colour"),)), ANSWER]
        faults = [None, Fault(429, headers={"Retry-After": "1"})]
        with EndpointServer(Scripted(script), faults=faults) as server:
            reply = run(server, api, max_retries=1)
            _, limited, again = (request.at for request in server.requests)

        # The client's own pause before a first retry is half a second at most.
        assert again - limited >= 0.95
        assert (Finish.STOP, 2) == (reply.finish, reply.turns)

    @APIS
    def test_gives_up(self, api: Api) -> None:
        """A server error that stays is an error of the endpoint after the retries allowed."""
        body = b'{"error": {"message": "The engine is\\nover capacity."}}'
        message, requests = failure(api, *[Fault(500, body, SOON)] * 3, max_retries=2)

        assert ("HTTP 500 from HOST: The engine is over capacity. (tried 3 times)", 3) == (message, requests)

    def test_dropped_connection(self) -> None:
        """A connection closed without an answer is tried again."""
        with EndpointServer(Scripted([ANSWER]), faults=[Fault(drop=True)]) as server:
            reply = run(server, Api.CHAT, max_retries=1)

        assert (Finish.STOP, 2) == (reply.finish, len(server.requests))

    def test_bad_requests_are_not_tried_again(self) -> None:
        """What the server refuses for good is sent once."""
        message, requests = failure(Api.CHAT, Fault(400, b'{"error": {"message": "No such model."}}'), max_retries=3)

        assert ("HTTP 400 from HOST: No such model.", 1) == (message, requests)


class TestFailures:
    @APIS
    def test_timeout(self, api: Api) -> None:
        """An answer that does not come in time is an error."""
        message, _ = failure(api, Fault(delay=0.5, drop=True), timeout_seconds=0.1)

        assert "no answer from HOST within 0.1 s" == message

    @APIS
    def test_dropped_connection(self, api: Api) -> None:
        """A connection that is closed without an answer is an error."""
        message, _ = failure(api, Fault(drop=True))

        assert message.startswith("no answer from HOST: RemoteProtocolError")

    def test_nobody_listens(self) -> None:
        """A port without a server is an error."""
        with EndpointServer(Scripted([])) as server:
            pass
        with pytest.raises(EndpointError, match=r"^no answer from 127\.0\.0\.1:\d+: ConnectError"):
            run(server, Api.CHAT)

    @APIS
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b'{"choices": [', "the response is not valid JSON: '{\"choices\": ['"),
            (b"", "the response is not valid JSON: ''"),
            (b"\xff\xfe", "the response is not valid JSON: '\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}'"),
            (b'{"usage": nan}', "the response is not valid JSON: '{\"usage\": nan}'"),
            (
                b"[" * 100_000,
                f"the response is not valid JSON: '{'[' * 40} [... 99,940 more characters ...] {'[' * 20}'",
            ),
            (b"<html>\n<b>502", "the response is not valid JSON: '<html> <b>502'"),
            (b"[1]", "the response is not a JSON object but list"),
            (b'{"error": {"message": "overloaded"}}', "the endpoint reports an error: overloaded"),
            (b'{"error": "overloaded"}', "the endpoint reports an error: overloaded"),
        ],
    )
    def test_bodies_that_are_no_response(self, api: Api, body: bytes, message: str) -> None:
        """A body without a response is an error, whatever its status says."""
        assert message == failure(api, Fault(body=body))[0]

    @pytest.mark.parametrize(
        ("api", "body", "message"),
        [
            (Api.CHAT, {}, "choices: Field required"),
            (Api.CHAT, {"choices": []}, "choices: List should have at least 1 item"),
            (Api.CHAT, {"choices": [{}]}, "choices.0.message: Field required"),
            (Api.CHAT, {"choices": [{"message": {"content": 1}}]}, "choices.0.message.content.str: Input should be"),
            (
                Api.CHAT,
                {"choices": [{"message": {"tool_calls": ["get_note"]}}]},
                "choices.0.message.tool_calls.0: Input should be",
            ),
            (Api.RESPONSES, {}, "output: Field required"),
            (Api.RESPONSES, {"output": ["text"]}, "output.0: Input should be"),
            (Api.RESPONSES, {"output": [{"type": "message"}]}, "content: Field required"),
            (Api.RESPONSES, {"output": [], "status": "lost"}, "status: Input should be"),
        ],
    )
    def test_responses_that_do_not_fit_the_protocol(self, api: Api, body: dict[str, Any], message: str) -> None:
        """A response with missing fields or other types is an error that names the field."""
        text, _ = failure(api, Fault(body=json.dumps(body).encode()))

        assert text.startswith(f"the response does not fit the protocol: {message}")

    @pytest.mark.parametrize(
        ("api", "body", "message"),
        [
            (
                Api.CHAT,
                {"choices": [{"message": {"content": "x"}, "finish_reason": "error"}]},
                "the response has the unknown finish reason 'error'",
            ),
            (Api.RESPONSES, {"output": [], "status": "cancelled"}, "the response has status 'cancelled'"),
            (
                Api.RESPONSES,
                {"output": [], "status": "incomplete", "incomplete_details": {"reason": "steered"}},
                "the response has the unknown finish reason 'steered'",
            ),
        ],
    )
    def test_responses_that_were_broken_off(self, api: Api, body: dict[str, Any], message: str) -> None:
        """A response that the endpoint broke off for reasons of its own is no answer of the model."""
        assert message == failure(api, Fault(body=json.dumps(body).encode()))[0]

    @APIS
    def test_an_answer_without_a_word(self, api: Api) -> None:
        """No output is an empty message, on either API: the model's answer, and no failure of the endpoint."""
        bodies = {
            Api.CHAT: {"choices": [{"message": {"role": "assistant", "content": None}, "finish_reason": "stop"}]},
            Api.RESPONSES: {"output": [], "status": "completed"},
        }
        with EndpointServer(Scripted([]), faults=[Fault(body=json.dumps(bodies[api]).encode())]) as server:
            reply = run(server, api)

        assert ("", Finish.STOP, 1) == (reply.text, reply.finish, len(server.requests))

    def test_a_call_of_old(self) -> None:
        """A call in the field that came before `tool_calls` is run, and goes back as one of today."""
        message: dict[str, Any] = {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "get_note", "arguments": NOTE},
        }
        body = json.dumps({"choices": [{"message": message, "finish_reason": "function_call"}]}).encode()
        tools = toolbox()
        with EndpointServer(Scripted([ANSWER] * 2), faults=[Fault(body=body)]) as server:
            reply = run(server, Api.CHAT, tools)
            _, _, call, result = server.requests[1].body["messages"]

        assert (Finish.STOP, 2, 1) == (reply.finish, reply.turns, len(tools.log))
        assert [(result["tool_call_id"], "get_note", NOTE)] == [
            (one["id"], one["function"]["name"], one["function"]["arguments"]) for one in call["tool_calls"]
        ]
        assert "function_call" not in call

    @pytest.mark.parametrize("reason", ["tool_calls", "function_call", "tool_use"])
    def test_calls_that_are_none(self, reason: str) -> None:
        """A message that announces calls and holds nothing is a failed turn: the model is told, and goes on."""
        message: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": []}
        body = json.dumps({"choices": [{"message": message, "finish_reason": reason}]}).encode()
        with EndpointServer(Scripted([ANSWER] * 2), faults=[Fault(body=body)]) as server:
            reply = run(server, Api.CHAT)
        _, _, empty, told = server.requests[1].body["messages"]

        assert (ANSWER.text, 2) == (reply.text, reply.turns)
        assert ("(empty message)", True) == (empty["content"], "announces tool calls" in told["content"])

    def test_content_that_is_null(self) -> None:
        """A message without content on the responses API is an empty message."""
        body = {"status": "completed", "output": [{"type": "message", "role": "assistant", "content": None}]}
        with EndpointServer(Scripted([]), faults=[Fault(body=json.dumps(body).encode())]) as server:
            reply = run(server, Api.RESPONSES)

        assert ("", Finish.STOP, 1) == (reply.text, reply.finish, len(server.requests))

    def test_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An answer that takes more memory than there is makes the episode an error with one line."""

        def full(_: Secrets, *args: object) -> str:
            raise MemoryError(args)

        monkeypatch.setattr(Secrets, "hide_and_shorten", full)
        body = json.dumps({"choices": [{"message": {"content": "x" * 100}}]}).encode()

        assert ("the endpoint's answer takes more memory than there is", 1) == failure(
            Api.CHAT, Fault(body=body), max_retries=2
        )

    def test_lone_surrogates(self) -> None:
        """Half a character, which JSON can escape but no text can hold, is replaced and does not end the episode."""
        body = b'{"choices": [{"message": {"role": "assistant", "content": "\\ud83d then \\ud83d\\ude00"}}]}'
        with EndpointServer(Scripted([]), faults=[Fault(body=body)]) as server:
            reply = run(server, Api.CHAT)

        assert "? then \N{GRINNING FACE}" == reply.text
        assert reply.model_dump_json()


class TestKey:
    @APIS
    def test_is_sent_and_never_stored(self, api: Api) -> None:
        """The key reaches the endpoint and is neither in the reply nor in the agent's representation."""
        script = [ModelTurn(calls=(note_call("colour"),), reasons=True), ANSWER]
        with EndpointServer(Scripted(script), key=KEY) as server:
            agent = EndpointAgent(entry(), EndpointOptions(base_url=server.base_url, api=api))
            reply = agent(TASK, toolbox(), BUDGET)

        assert {f"Bearer {KEY}"} == {request.headers["authorization"] for request in server.requests}
        assert KEY not in reply.model_dump_json() + repr(reply) + repr(agent)

    @pytest.mark.parametrize("status", [400, 401, 403, 500])
    def test_is_cut_out_of_errors_that_quote_it(self, status: int) -> None:
        """A server that quotes the key in its complaint does not bring it into the error."""
        body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}."}}).encode()
        with (
            EndpointServer(Scripted([]), faults=[Fault(status, body)]) as server,
            pytest.raises(EndpointError) as caught,
        ):
            run(server, Api.CHAT)

        assert KEY not in str(caught.value)
        assert (None, None) == (caught.value.__cause__, caught.value.__context__)

    def test_refused(self) -> None:
        """A key that the endpoint refuses is an error that names the variable to look at."""
        with EndpointServer(Scripted([]), key="another") as server, pytest.raises(EndpointError, match=KEY_VARIABLE):
            run(server, Api.CHAT)

    @pytest.mark.parametrize(
        ("status", "body"),
        [(400, {"error": "Incorrect API key provided: sk."}), (200, {"error": {"message": "login", "code": 401}})],
    )
    def test_refused_otherwise(self, status: int, body: object) -> None:
        """The line names the variable also where another status refuses the key, and what the endpoint says."""
        with (
            EndpointServer(Scripted([]), faults=[Fault(status, json.dumps(body).encode())]) as server,
            pytest.raises(AccessDeniedError, match=rf": (Incorrect|login).*; is the key in {KEY_VARIABLE} right\?$"),
        ):
            run(server, Api.CHAT)

    def test_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without a key there is an error before the run, which names the variable."""
        monkeypatch.delenv(KEY_VARIABLE)
        with pytest.raises(MissingKeyError, match=f"^{KEY_VARIABLE}: not set; model 'some-model'"):
            EndpointAgent(entry())

    def test_not_needed_where_the_user_names_the_endpoint(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An endpoint given by the user may do without a key."""
        monkeypatch.delenv(KEY_VARIABLE)
        with EndpointServer(Scripted([ANSWER]), key="unused") as server:
            reply = run(server, Api.CHAT)

        assert Finish.STOP == reply.finish

    def test_not_needed_where_the_entry_names_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A model whose entry names no variable gets no key of the environment."""
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        with EndpointServer(Scripted([ANSWER]), key="unused") as server:
            keyless = entry(base_url=server.base_url).model_copy(update={"api_key_env": None})
            reply = EndpointAgent(keyless)(TASK, toolbox(), BUDGET)

        assert Finish.STOP == reply.finish

    def test_white_space_around_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A line break that came along with the key is dropped."""
        monkeypatch.setenv(KEY_VARIABLE, f" {KEY}\n")
        with EndpointServer(Scripted([ANSWER]), key=KEY) as server:
            assert Finish.STOP == run(server, Api.CHAT).finish

    def test_not_a_header(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A key that no header can carry is an error before the run, which does not quote it."""
        monkeypatch.setenv(KEY_VARIABLE, "sk-\N{SNOWMAN}")
        with pytest.raises(MissingKeyError, match=f"^{KEY_VARIABLE}: ") as caught:
            EndpointAgent(entry())

        assert "sk-" not in str(caught.value)


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"temperature": 0.5}, "temperature: model 'some-model' does not take it"),
            ({"base_url": "localhost:8080/v1"}, "base URL: not a URL that starts with http"),
            ({"base_url": "http://[::1/v1"}, "base URL: "),
            ({"base_url": ""}, "base URL: "),
            ({"timeout_seconds": 0}, "timeout: 0 is not a positive number"),
            ({"timeout_seconds": float("nan")}, "timeout: nan is not a positive number"),
            ({"max_retries": -1}, "max retries: -1 is negative"),
        ],
    )
    def test_are_checked_before_the_run(self, options: dict[str, Any], message: str) -> None:
        """An option that cannot be used is an error of one line when the agent is made."""
        with pytest.raises(OptionError) as caught:
            EndpointAgent(entry(temperature=False), EndpointOptions(**options))

        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)

    def test_making_an_agent_does_not_import_the_client(self) -> None:
        """The client library is loaded with the first request."""
        code = (
            "import sys; from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions;"
            "from mpcbench.benchmark.agents.endpoint.models import model_entry;"
            "EndpointAgent(model_entry('gpt-4o'), EndpointOptions(base_url='http://127.0.0.1:9/v1'));"
            "print('openai' in sys.modules)"
        )
        root = COMMITTED
        ran = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)

        assert "False\n" == ran.stdout

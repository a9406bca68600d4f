"""The agent on the APIs of Anthropic and Gemini, over real HTTP: episodes, thoughts, parameters, errors, transcripts."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ModelEntry, OptionError, ToolProtocol, model_entry
from mpcbench.benchmark.agents.protocol import AccessDeniedError, Budget, EndpointError, UnusableEndpointError
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelCall, ModelTurn, Scripted, Solver, Tokens
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking
from mpcbench.benchmark.practice_endpoint.messages import THOUGHT, signature
from mpcbench.evaluation.report.episode.messages import Called, Returned, Utterance, Voice, parts
from mpcbench.evaluation.verify.transcript import transcript_findings
from mpcbench.schema.episode import Finish, Outcome, Reply, Usage
from mpcbench.schema.run import Case
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, TASK, note_call, toolbox
from unit_tests.builders.committed import DATASET

VENDORS = pytest.mark.parametrize("api", [Api.MESSAGES, Api.GENERATE_CONTENT])
ANSWER = ModelTurn(text='{"candidates": []}')
PATHS = {Api.MESSAGES: "/v1/messages", Api.GENERATE_CONTENT: "/v1/models/some-model:generateContent"}
TURNS = {Api.MESSAGES: "messages", Api.GENERATE_CONTENT: "contents"}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def entry(api: Api, **settings: Any) -> ModelEntry:
    """A model of a vendor."""
    values = {"temperature": True, "reasoning_effort": "any", "max_tokens": 900, **settings}
    return ModelEntry(model="some-model", api=api, api_key_env=KEY_VARIABLE, **values)


def run(
    server: EndpointServer, api: Api, tools: Toolbox | None = None, *, max_turns: int = 10, **options: Any
) -> Reply:
    """One episode of an agent on the server."""
    chosen = EndpointOptions(base_url=server.base_url, max_retries=options.pop("max_retries", 0))
    protocol = options.pop("protocol", None)
    agent = EndpointAgent(entry(api, **options), replace(chosen, tool_protocol=protocol))
    return agent(TASK, toolbox() if tools is None else tools, Budget(max_turns))


@VENDORS
class TestEpisode:
    def test_calls_and_answers(self, api: Api) -> None:
        """Calls are run in their order, their results come back in one message, and the answer ends the episode."""
        script = [ModelTurn(text="I look.", calls=(note_call("number"), note_call("colour"))), ANSWER]
        tools = toolbox()
        with EndpointServer(Scripted(script), key=KEY) as server:
            reply = run(server, api, tools)
            sent = server.requests[-1].body

        assert ["The number is seven.", "The colour is blue."] == [call.result for call in tools.log]
        assert ('{"candidates": []}', Finish.STOP, 2) == (reply.text, reply.finish, reply.turns)
        assert [PATHS[api]] * 2 == [request.path for request in server.requests]
        assert 3 == len(sent[TURNS[api]])
        assert "You look notes up." in json.dumps(sent["system" if api is Api.MESSAGES else "systemInstruction"])

    def test_thoughts_go_back_as_they_came(self, api: Api) -> None:
        """They come back with their signatures, which the server demands, and the transcript keeps and shows them."""
        script = [ModelTurn(calls=(note_call("colour"), note_call("number")), reasons=True), ANSWER]
        with EndpointServer(Scripted(script), key=KEY) as server:
            reply = run(server, api)
            sent = server.requests[-1].body[TURNS[api]]

        (said,) = (turn for turn in sent if turn["role"] in {"assistant", "model"})
        assert said == reply.messages[2]
        assert signature(1) in json.dumps(said)
        shown = [part for message in reply.messages for part in parts(message)]
        assert Utterance(Voice.REASONING, THOUGHT) in shown
        assert ["get_note", "get_note"] == [part.name for part in shown if isinstance(part, Called)]
        assert ["The colour is blue.", "The number is seven."] == [
            part.text for part in shown if isinstance(part, Returned)
        ]

    def test_last_turn(self, api: Api) -> None:
        """In the last turn of the budget the model is asked to answer, and may call no tool."""
        script = [ModelTurn(calls=(note_call("colour"),)), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, max_turns=2)
            last = server.requests[-1].body

        assert reply.forced_final
        assert "none" in json.dumps(last.get("tool_choice") or last.get("toolConfig")).lower()
        assert 3 == len(last[TURNS[api]])

    @pytest.mark.parametrize(
        ("call", "complaint"),
        [
            (ModelCall("get_note", '["colour"]'), "not a JSON object"),
            (ModelCall("get note!", '{"keyword": "colour"}'), "no tool 'get note!'"),
            (ModelCall("get_note", '{"keyword": 7}'), "keyword"),
        ],
    )
    def test_mistakes_of_the_model(self, api: Api, call: ModelCall, complaint: str) -> None:
        """A call that cannot be run is answered with an error, in a form that the API takes back."""
        tools = toolbox()
        with EndpointServer(Scripted([ModelTurn(calls=(call, note_call("colour"))), ANSWER])) as server:
            reply = run(server, api, tools)

        assert Finish.STOP is reply.finish
        assert [True, False] == [call.is_error for call in tools.log]
        assert complaint in tools.log[0].result

    @pytest.mark.parametrize(
        ("turn", "text", "finish"),
        [
            (ModelTurn(text='{"candid', stop="length"), '{"candid', Finish.LENGTH),
            (ModelTurn(calls=(note_call("colour"),), stop="length"), "", Finish.LENGTH),
            (ModelTurn(text="I", stop="content_filter"), "I", Finish.REFUSAL),
            (ModelTurn(refusal="I will not."), "I will not.", Finish.REFUSAL),
            (ModelTurn(text=None, tokens=None), "", Finish.STOP),
        ],
    )
    def test_finish(self, api: Api, turn: ModelTurn, text: str, finish: Finish) -> None:
        """A message that is cut off, refused or empty ends the episode and says how."""
        with EndpointServer(Scripted([turn])) as server:
            reply = run(server, api)

        assert (text, finish) == (reply.text, reply.finish)

    def test_usage(self, api: Api) -> None:
        """Input counts what came from the cache, output what was thought."""
        script = [ModelTurn(calls=(note_call("colour"),), tokens=Tokens(100, 40, 20, 5)), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api)

        assert reply.usage == Usage(input_tokens=200, cached_input_tokens=80, output_tokens=40, reasoning_tokens=10)

    @pytest.mark.parametrize("structured_output", [True, False])
    def test_json_protocol(self, api: Api, structured_output: bool) -> None:
        """Without native calls the same episode runs, held to a schema if the entry says so; silence is answered."""
        script = [ModelTurn(calls=(note_call("colour"),)), ANSWER]
        tools = toolbox()
        with EndpointServer(JsonSpeaking(Scripted(script))) as server:
            reply = run(server, api, tools, protocol=ToolProtocol.JSON, structured_output=structured_output)
            sent = json.dumps(server.requests[0].body)
        with EndpointServer(Scripted([ModelTurn(text=""), ANSWER])) as server:
            patient = run(server, api, protocol=ToolProtocol.JSON)

        assert (["The colour is blue."], 2) == ([call.result for call in tools.log], reply.turns)
        assert structured_output is ("json_schema" in sent or "responseJsonSchema" in sent)
        assert (Finish.STOP, 2) == (patient.finish, patient.turns)


@VENDORS
class TestErrors:
    @pytest.mark.parametrize(
        ("status", "headers", "body"),
        [
            (
                429,
                {"Retry-After": "0.01"},
                {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow."}},
            ),
            (529, {}, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            (503, {}, {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}),
            (200, {}, {"type": "error", "error": {"type": "api_error", "message": "Internal server error"}}),
            (200, {}, {}),
            (200, {}, "not JSON"),
        ],
        ids=["rate-limit", "overloaded", "unavailable", "error-within-success", "nothing", "malformed"],
    )
    def test_pass(self, api: Api, status: int, headers: dict[str, str], body: object) -> None:
        """What may pass is tried again."""
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        with EndpointServer(Scripted([ANSWER]), faults=[Fault(status, content, headers)]) as server:
            reply = run(server, api, max_retries=1)

        assert (Finish.STOP, 2) == (reply.finish, len(server.requests))

    @pytest.mark.parametrize(
        ("status", "error", "kind", "said"),
        [
            (401, {"type": "authentication_error", "message": "invalid x-api-key"}, AccessDeniedError, KEY_VARIABLE),
            (
                400,
                {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"},
                AccessDeniedError,
                "key",
            ),
            (404, {"type": "not_found_error", "message": "model: some-model"}, UnusableEndpointError, "right?"),
            (
                400,
                {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."},
                UnusableEndpointError,
                "credit balance",
            ),
            (400, {"type": "invalid_request_error", "message": "max_tokens: 9 > 8"}, EndpointError, "max_tokens: 9"),
        ],
    )
    def test_stay(self, api: Api, status: int, error: dict[str, Any], kind: type[EndpointError], said: str) -> None:
        """What will not pass is an error, or ends the run, and is not tried again."""
        body = json.dumps({"type": "error", "error": error}).encode()
        with (
            EndpointServer(Scripted([ANSWER]), faults=[Fault(status, body)]) as server,
            pytest.raises(kind, match=re.escape(said)),
        ):
            run(server, api, max_retries=2)

        assert 1 == len(server.requests)

    @pytest.mark.parametrize(
        "message",
        [
            "prompt is too long: 201234 tokens > 200000 maximum",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ],
    )
    def test_outgrown_context(self, api: Api, message: str) -> None:
        """A conversation that has outgrown the context ends the episode, truncated."""
        body = json.dumps({"error": {"type": "invalid_request_error", "message": message}}).encode()
        script = [ModelTurn(calls=(note_call("colour"),)), ANSWER]
        with EndpointServer(Scripted(script), faults=[None, Fault(400, body)]) as server:
            reply = run(server, api)

        assert (Finish.LENGTH, 2) == (reply.finish, reply.turns)

    def test_open_end(self, api: Api) -> None:
        """A reason to stop that nobody knows is the endpoint's error."""
        known = {"content": [], "stop_reason": "bored", "candidates": [{"content": {}, "finishReason": "BORED"}]}
        with (
            EndpointServer(Scripted([]), faults=[Fault(body=json.dumps(known).encode())]) as server,
            pytest.raises(EndpointError, match="unknown finish reason"),
        ):
            run(server, api)


class TestGemini:
    def test_blocked_prompt(self) -> None:
        """A prompt that is blocked is a refusal."""
        body = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 7}}
        with EndpointServer(Scripted([]), faults=[Fault(body=json.dumps(body).encode())]) as server:
            reply = run(server, Api.GENERATE_CONTENT)

        assert (Finish.REFUSAL, 7) == (reply.finish, reply.usage and reply.usage.input_tokens)

    def test_malformed_call(self) -> None:
        """A call that the server could not read is a failed turn, of which the model is told."""
        body = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "index": 0}]}
        with EndpointServer(Scripted([ANSWER, ANSWER]), faults=[Fault(body=json.dumps(body).encode())]) as server:
            reply = run(server, Api.GENERATE_CONTENT)

        assert (Finish.STOP, 2) == (reply.finish, reply.turns)

    def test_calls_without_ids(self) -> None:
        """They go back without, and their results are in the order of the calls."""
        calls = [{"functionCall": {"name": "get_note", "args": {"keyword": word}}} for word in ("colour", "number")]
        body = {"candidates": [{"content": {"role": "model", "parts": calls}, "finishReason": "STOP"}]}
        with EndpointServer(Scripted([ANSWER, ANSWER]), faults=[Fault(body=json.dumps(body).encode())]) as server:
            run(server, Api.GENERATE_CONTENT)
            (_, said, told) = server.requests[-1].body["contents"]

        assert calls == said["parts"]
        assert [
            {"name": "get_note", "response": {"output": text}}
            for text in ("The colour is blue.", "The number is seven.")
        ] == [part["functionResponse"] for part in told["parts"]]

    def test_asked_wait(self) -> None:
        """The wait that Google asks for is within the body."""
        details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s"}]
        error = {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED", "details": details}
        body = json.dumps({"error": error}).encode()
        with EndpointServer(Scripted([ANSWER]), faults=[Fault(429, body)]) as server:
            run(server, Api.GENERATE_CONTENT, max_retries=1)
            first, second = server.requests

        assert second.at - first.at < 0.3


class TestParameters:
    def test_messages(self) -> None:
        """Settings and options are sent as the messages API calls them."""
        with EndpointServer(Scripted([ANSWER])) as server:
            settings = {"top_p": 0.9, "stop": ["END"], "service_tier": "auto", "parallel_tool_calls": False}
            extra = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "output_config": {"x": 1}}
            model = entry(Api.MESSAGES, **settings, extra_body=extra)
            options = EndpointOptions(base_url=server.base_url, temperature=1, reasoning_effort="low", max_retries=0)
            EndpointAgent(model, options)(TASK, toolbox(), Budget(3))
            (request,) = server.requests

        assert {
            "max_tokens": 900,
            "top_p": 0.9,
            "stop_sequences": ["END"],
            "service_tier": "auto",
            "temperature": 1,
            "output_config": {"effort": "low", "x": 1},
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        } == {
            name: value for name, value in request.body.items() if name not in {"model", "messages", "system", "tools"}
        }
        assert ("2023-06-01", KEY, None) == tuple(
            request.headers.get(name) for name in ("anthropic-version", "x-api-key", "authorization")
        )

    def test_gemini(self) -> None:
        """Settings and options are sent as the generateContent API calls them."""
        with EndpointServer(Scripted([ANSWER])) as server:
            extra = {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}}
            model = entry(Api.GENERATE_CONTENT, top_p=0.9, seed=3, stop=["END"], extra_body=extra)
            options = EndpointOptions(base_url=server.base_url, temperature=1, reasoning_effort="low", max_retries=0)
            EndpointAgent(model, options)(TASK, toolbox(), Budget(3))
            (request,) = server.requests

        assert {
            "maxOutputTokens": 900,
            "topP": 0.9,
            "seed": 3,
            "stopSequences": ["END"],
            "temperature": 1,
            "thinkingConfig": {"thinkingLevel": "low", "includeThoughts": True},
        } == request.body["generationConfig"]
        assert (KEY, None) == tuple(request.headers.get(name) for name in ("x-goog-api-key", "authorization"))

    @pytest.mark.parametrize(
        ("api", "settings", "said"),
        [
            (Api.MESSAGES, {"max_tokens": None}, "max tokens: the messages API needs a limit"),
            (Api.MESSAGES, {"seed": 1}, "seed: the messages API has no such parameter"),
            (Api.GENERATE_CONTENT, {"service_tier": "flex"}, "service_tier: the generate-content API has no such"),
            (Api.GENERATE_CONTENT, {"parallel_tool_calls": True}, "parallel_tool_calls: the generate-content API"),
            (
                Api.GENERATE_CONTENT,
                {"extra_body": {"generationConfig": {"temperature": 1}}},
                "extra_body.generationConfig.temperature: use --temperature instead",
            ),
            (Api.MESSAGES, {"extra_body": {"stream": True}}, "extra_body.stream: the benchmark sets it itself"),
        ],
    )
    def test_that_the_api_does_not_take(self, api: Api, settings: dict[str, Any], said: str) -> None:
        """They are errors before anything is sent."""
        with pytest.raises(OptionError, match=said):
            EndpointAgent(entry(api, **settings), EndpointOptions(base_url="http://127.0.0.1:9/v1"))

    def test_api_of_another_vendor(self) -> None:
        """A model of one vendor is not asked for on the API of another, whose host would get its key."""
        with pytest.raises(OptionError, match="is on the messages API"):
            EndpointAgent(entry(Api.MESSAGES), EndpointOptions(api=Api.CHAT))
        with pytest.raises(OptionError, match="base URL"):
            EndpointAgent(entry(Api.MESSAGES), EndpointOptions())


@VENDORS
@pytest.mark.parametrize("protocol", list(ToolProtocol))
def test_run(api: Api, protocol: ToolProtocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference agent behind the API solves an instance, and verify finds the stored transcript as it should be."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    settings = Settings.from_options({"api": api.value, "tool-protocol": protocol.value}, tmp_path)
    with EndpointServer(JsonSpeaking(Solver(reference)), key=KEY) as server:
        options = replace(settings.endpoint, base_url=server.base_url)
        agent = EndpointAgent(model_entry("a-model", api=api), options)
        exam = DATASET.exam("level2-000")
        episode = Trial(Case("level2-000", 2, "a-model"), exam, settings).run(agent).episode

    assert Outcome.PASSED is episode.outcome, episode.fault
    assert [] == list(transcript_findings(episode, agent.described()))
    forged = episode.model_copy(update={"tool_calls": episode.tool_calls[1:]})
    assert [] != list(transcript_findings(forged, agent.described()))

"""The endpoint agent on both APIs: turns, calls, finishes, usage and parameters."""

import json
from dataclasses import replace
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions, MissingKeyError
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelCall, ModelTurn, Scripted, Tokens
from mpcbench.schema.episode import Finish, Usage
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
from unit_tests.benchmark.agents.endpoint.turns import turn_body

APIS = pytest.mark.parametrize("api", OPENAI_APIS)
NAMES = ("x-mpcbench-episode", "x-team", "x-team-key")
ANSWER = ModelTurn(text='{"candidates": []}')


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


@APIS
class TestEpisode:
    def test_answers_at_once(self, api: Api) -> None:
        """A final message in the first turn ends the episode with its text."""
        with EndpointServer(Scripted([ANSWER]), key=KEY) as server:
            reply = run(server, api)

        assert ('{"candidates": []}', Finish.STOP, 1) == (reply.text, reply.finish, reply.turns)

    def test_several_turns_with_one_call_each(self, api: Api) -> None:
        """Each call's result reaches the model in the next turn and the log says which turn made it."""
        script = [ModelTurn(calls=(note_call("colour"),)), ModelTurn(calls=(note_call("number"),)), ANSWER]
        tools = toolbox()
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, tools)

        assert [(1, "The colour is blue."), (2, "The number is seven.")] == [(c.turn, c.result) for c in tools.log]
        assert (3, Finish.STOP) == (reply.turns, reply.finish)

    def test_several_calls_in_one_turn(self, api: Api) -> None:
        """All calls of a turn are answered, in their order."""
        script = [ModelTurn(calls=(note_call("number"), note_call("colour"), note_call("number"))), ANSWER]
        tools = toolbox()
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, tools)

        expected = ["The number is seven.", "The colour is blue.", "The number is seven."]
        assert [(1, result) for result in expected] == [(call.turn, call.result) for call in tools.log]
        given = [message for message in reply.messages if message.get("role") == "tool" or "output" in message]
        assert expected == [message.get("content", message.get("output")) for message in given]

    def test_text_beside_calls_does_not_end_the_episode(self, api: Api) -> None:
        """A message that both says something and calls a tool is not the final one."""
        script = [ModelTurn(text="Let me look.", calls=(note_call("colour"),)), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api)

        assert ('{"candidates": []}', 2) == (reply.text, reply.turns)

    def test_transcript_is_what_went_over_the_wire(self, api: Api) -> None:
        """The stored messages are those of the last request and the answer to it."""
        script = [ModelTurn(calls=(note_call("colour"),), reasons=True), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api)
            last = server.requests[-1].body["messages" if api is Api.CHAT else "input"]

        assert [*last] == [*reply.messages[:-1]]
        assert "assistant" == reply.messages[-1]["role"]
        assert json.loads(reply.model_dump_json())["messages"] == [*reply.messages]

    def test_tools_are_offered_with_their_schemas(self, api: Api) -> None:
        """The request carries name, docstring and parameters of every tool."""
        with EndpointServer(Scripted([ANSWER])) as server:
            run(server, api)
            (sent,) = server.requests[0].body["tools"]

        definition = sent["function"] if api is Api.CHAT else sent
        (tool,) = toolbox().tools
        expected = (tool.name, tool.description, tool.parameters)
        assert expected == (definition["name"], definition["description"], definition["parameters"])

    def test_no_tools(self, api: Api) -> None:
        """An empty set of tools is left out, because endpoints refuse an empty list."""
        tools = toolbox()
        tools.tools = ()
        with EndpointServer(Scripted([ANSWER])) as server:
            reply = run(server, api, tools)

        assert Finish.STOP == reply.finish
        assert "tools" not in server.requests[0].body

    def test_turn_budget(self, api: Api) -> None:
        """Without a forced final turn an episode whose turns run out has no final text; its last calls are not run."""
        script = [ModelTurn(text='{"candidates": []}', calls=(note_call("colour"),))] * 3
        tools = toolbox()
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, tools, max_turns=2, final_turn=False)

        assert ("", Finish.TURNS, 2, 2) == (reply.text, reply.finish, reply.turns, len(server.requests))
        assert [1] == [call.turn for call in tools.log]
        assert ["tool_choice" in request.body for request in server.requests] == [False, False]

    def test_answer_in_the_last_turn(self, api: Api) -> None:
        """A final message in the last turn of the budget counts."""
        with EndpointServer(Scripted([ModelTurn(calls=(note_call("colour"),)), ANSWER])) as server:
            reply = run(server, api, max_turns=2)

        assert Finish.STOP == reply.finish

    def test_one_agent_serves_many_episodes(self, api: Api) -> None:
        """Nothing of an episode reaches the next one."""
        with EndpointServer(Scripted([ModelTurn(calls=(note_call("colour"),)), ANSWER])) as server:
            agent = EndpointAgent(entry(api), EndpointOptions(base_url=server.base_url))
            replies = [agent(TASK, toolbox(), BUDGET) for _ in range(3)]

        assert [replies[0]] * 3 == replies


@APIS
class TestMistakesOfTheModel:
    @pytest.mark.parametrize(
        ("call", "complaint"),
        [
            (ModelCall("get_note", '{"keyword": '), "not valid JSON"),
            (ModelCall("get_note", '["colour"]'), "not a JSON object"),
            (ModelCall("get_note", ""), "keyword"),
            (ModelCall("get_note", '{"word": "colour"}'), "keyword"),
            (ModelCall("get_note", '{"keyword": "smell"}'), "no note 'smell'"),
            (ModelCall("get_notes", '{"keyword": "colour"}'), "no tool 'get_notes'"),
            (ModelCall("get_note", '{"keyword": "\\ud800"}'), "no note"),
        ],
    )
    def test_come_back_as_error_texts(self, api: Api, call: ModelCall, complaint: str) -> None:
        """A call that cannot be run is answered with an error, and the episode goes on."""
        tools = toolbox()
        with EndpointServer(Scripted([ModelTurn(calls=(call, note_call("colour"))), ANSWER])) as server:
            reply = run(server, api, tools)

        assert Finish.STOP == reply.finish
        assert [True, False] == [call.is_error for call in tools.log]
        assert complaint in tools.log[0].result


@APIS
class TestFinish:
    def test_length(self, api: Api) -> None:
        """A message that a token limit cut off is kept and marked."""
        with EndpointServer(Scripted([ModelTurn(text='{"candid', stop="length")])) as server:
            reply = run(server, api)

        assert ('{"candid', Finish.LENGTH) == (reply.text, reply.finish)

    def test_length_within_a_call(self, api: Api) -> None:
        """A call that a token limit cut off is not run."""
        tools = toolbox()
        script = [ModelTurn(calls=(ModelCall("get_note", '{"keyw'),), stop="length")]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, tools)

        assert (Finish.LENGTH, []) == (reply.finish, tools.log)

    def test_content_filter(self, api: Api) -> None:
        """A message that the content filter stopped is a refusal."""
        with EndpointServer(Scripted([ModelTurn(text="I", stop="content_filter")])) as server:
            reply = run(server, api)

        assert Finish.REFUSAL == reply.finish

    def test_refusal(self, api: Api) -> None:
        """A refusal ends the episode with the model's words."""
        with EndpointServer(Scripted([ModelTurn(refusal="I cannot help with that.")])) as server:
            reply = run(server, api)

        assert ("I cannot help with that.", Finish.REFUSAL) == (reply.text, reply.finish)

    def test_silence(self, api: Api) -> None:
        """A final message without a word has an empty text."""
        with EndpointServer(Scripted([ModelTurn(text="")])) as server:
            reply = run(server, api)

        assert ("", Finish.STOP) == (reply.text, reply.finish)


@APIS
class TestUsage:
    def test_is_summed_over_requests(self, api: Api) -> None:
        """Each kind of token is added up over the turns."""
        tokens = [Tokens(100, 40, 20, 5), Tokens(1000, 400, 200, 50)]
        script = [ModelTurn(calls=(note_call("colour"),), tokens=tokens[0]), ModelTurn(text="{}", tokens=tokens[1])]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api)

        expected = Usage(input_tokens=1100, cached_input_tokens=440, output_tokens=220, reasoning_tokens=55)
        assert expected == reply.usage

    def test_is_unknown_where_one_request_lacks_it(self, api: Api) -> None:
        """A sum over some of the requests only is not reported."""
        script = [ModelTurn(calls=(note_call("colour"),), tokens=None), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api)

        assert Usage() == reply.usage

    @pytest.mark.parametrize(
        "count",
        [-1, 10**12 + 1, 10**400, 1e300, 0.5, "many"],
        ids=["negative", "large", "endless", "float", "fraction", "text"],
    )
    def test_absurd_counts_are_unknown(self, api: Api, count: object) -> None:
        """A count that no request can have is none; the others count."""
        names = ("prompt_tokens", "completion_tokens") if api is Api.CHAT else ("input_tokens", "output_tokens")
        body = turn_body(api, content="hello" if api is Api.CHAT else [{"type": "output_text", "text": "hello"}])
        body["usage"] = {names[0]: count, names[1]: 7}
        with EndpointServer(Scripted([]), faults=[Fault(body=json.dumps(body).encode())]) as server:
            reply = run(server, api)

        assert ("hello", Usage(output_tokens=7)) == (reply.text, reply.usage)

    def test_absurd_sums_are_unknown(self, api: Api) -> None:
        """The same holds for a sum over the turns."""
        tokens = Tokens(10**12, 0, 1, 0)
        script = [ModelTurn(calls=(note_call("colour"),), tokens=tokens), ModelTurn(text="{}", tokens=tokens)]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api)

        assert Usage(input_tokens=None, cached_input_tokens=0, output_tokens=2, reasoning_tokens=0) == reply.usage


class TestResponses:
    def test_keeps_reasoning_between_turns(self) -> None:
        """Reasoning items go back encrypted, in their place, and the exchange is not stored on the server."""
        calls = ModelTurn(text="Two notes.", calls=(note_call("colour"), note_call("number")), reasons=True)
        with EndpointServer(Scripted([calls, calls, ANSWER])) as server:
            reply = run(server, Api.RESPONSES)

        output = "function_call_output"
        turn = ["reasoning", "message", "function_call", "function_call", output, output]
        assert ["message"] * 2 + turn * 2 + ["message"] == [m.get("type", "message") for m in reply.messages]
        assert ["sealed:rs_1", "sealed:rs_2"] == [
            m["encrypted_content"] for m in reply.messages if m.get("summary") == []
        ]
        assert [False] * 3 == [request.body["store"] for request in server.requests]

    def test_asks_for_encrypted_reasoning_only_where_the_model_has_it(self) -> None:
        """A model that does not reason refuses to be asked for it."""
        with EndpointServer(Scripted([ANSWER]), unsupported={"include"}) as server:
            options = EndpointOptions(base_url=server.base_url)
            agent = EndpointAgent(entry(Api.RESPONSES, encrypted_reasoning=False), options)

            assert Finish.STOP == agent(TASK, toolbox(), Budget(1)).finish


class TestParameters:
    @pytest.mark.parametrize(
        ("api", "expected"),
        [
            (Api.CHAT, {"reasoning_effort": "low", "max_completion_tokens": 500}),
            (Api.RESPONSES, {"reasoning": {"effort": "low"}, "max_output_tokens": 500}),
        ],
    )
    def test_are_sent_under_the_names_of_the_api(self, api: Api, expected: dict[str, Any]) -> None:
        """Options reach the endpoint under the names that the entry gives for the API chosen."""
        with EndpointServer(Scripted([ANSWER])) as server:
            options = EndpointOptions(
                base_url=server.base_url, api=api, temperature=0.5, reasoning_effort="low", max_tokens=500
            )
            EndpointAgent(entry(), options)(TASK, toolbox(), BUDGET)
            body = server.requests[0].body

        ours = {"model", "messages", "input", "tools", "store", "include"}
        always = {"temperature": 0.5, "parallel_tool_calls": True}
        assert expected | always == {name: value for name, value in body.items() if name not in ours}

    def test_the_entry_may_name_the_endpoint(self) -> None:
        """The base URL of the entry serves where the user gives none."""
        with EndpointServer(Scripted([ANSWER]), key=KEY) as server:
            reply = EndpointAgent(entry(base_url=server.base_url))(TASK, toolbox(), Budget(1))

        assert Finish.STOP == reply.finish


class TestHeaders:
    def test_are_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every request carries the model's headers and says which episode it belongs to; a key is not recorded."""
        monkeypatch.setenv("TEAM_KEY", "team-key-0123456789")
        headers: dict[str, Any] = {"headers": {"X-Team": "blue"}, "headers_env": {"X-Team-Key": "TEAM_KEY"}}
        with EndpointServer(Scripted([ModelTurn(calls=(note_call("colour"),)), ANSWER])) as server:
            model = entry().model_copy(update=headers)
            agent = EndpointAgent(model, EndpointOptions(base_url=server.base_url))
            agent(replace(TASK, trial=3), toolbox(), BUDGET)
            sent = [tuple(request.headers[name] for name in NAMES) for request in server.requests]

        assert [("level1-000/3", "blue", "team-key-0123456789")] * 2 == sent
        assert {"X-Team": "blue", "X-Team-Key": "$TEAM_KEY"} == agent.described()["headers"]
        assert "***" == agent.secrets.hide("team-key-0123456789")

    def test_key_that_is_not_set(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A header whose variable is not set is an error before anything is sent."""
        monkeypatch.delenv("TEAM_KEY", raising=False)
        model = entry().model_copy(update={"headers_env": {"X-Team-Key": "TEAM_KEY"}})
        with pytest.raises(MissingKeyError, match="TEAM_KEY: not set; header X-Team-Key of model 'some-model'"):
            EndpointAgent(model, EndpointOptions(base_url="http://127.0.0.1:9/v1"))

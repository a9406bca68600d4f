"""Both protocols of tool calls on both APIs, and the forced final turn: over real HTTP, on the practice endpoint."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol
from mpcbench.benchmark.agents.protocol import Budget, EndpointError, Task
from mpcbench.benchmark.agents.reference import reference
from mpcbench.benchmark.environment.prompts import FINAL_TURN
from mpcbench.benchmark.environment.tools.toolbox import Tool
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import Trial
from mpcbench.benchmark.practice_endpoint import EndpointServer, Fault, ModelCall, ModelTurn, Scripted, Solver
from mpcbench.benchmark.practice_endpoint.json_brain import JsonSpeaking, written
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema.episode import Finish, Outcome
from mpcbench.schema.model import Level
from mpcbench.schema.run import Case
from unit_tests.benchmark.agents.endpoint.episodes import (
    KEY,
    KEY_VARIABLE,
    OPENAI_APIS,
    TASK,
    entry,
    get_note,
    note_call,
    run,
    toolbox,
)
from unit_tests.builders.committed import DATASET

APIS = pytest.mark.parametrize("api", OPENAI_APIS)
PROTOCOLS = pytest.mark.parametrize("protocol", list(ToolProtocol))
JSON = ToolProtocol.JSON
ANSWER = ModelTurn(text='{"candidates": []}')
CALL = ModelTurn(calls=(note_call("colour"),))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def messages(server: EndpointServer, index: int = -1) -> list[dict[str, Any]]:
    """What a request carried of the exchange."""
    body = server.requests[index].body
    exchange: list[dict[str, Any]] = body.get("messages", body.get("input"))
    return exchange


def sent_schema(body: dict[str, Any]) -> Any:
    """The JSON Schema that a request asks for, None without one."""
    if "response_format" in body:
        return body["response_format"]["json_schema"]["schema"]
    return body["text"]["format"]["schema"] if "text" in body else None


@APIS
@PROTOCOLS
class TestMatrix:
    @pytest.mark.parametrize("keywords", [("colour",), ("number", "colour", "number")], ids=["one", "several"])
    @pytest.mark.parametrize("forced", [False, True], ids=["by-itself", "forced"])
    def test_episode(self, api: Api, protocol: ToolProtocol, keywords: tuple[str, ...], *, forced: bool) -> None:
        """Calls are run and logged alike, and the answer is the final message, asked for or not."""
        calls = ModelTurn(calls=tuple(map(note_call, keywords)))
        tools = toolbox()
        with EndpointServer(JsonSpeaking(Scripted([calls, calls, ANSWER]))) as server:
            reply = run(server, api, tools, protocol=protocol, max_turns=3 if forced else 10)
            exchange = messages(server)

        assert (ANSWER.text, Finish.STOP, 3, forced) == (reply.text, reply.finish, reply.turns, reply.forced_final)
        expected = [(turn, "get_note", {"keyword": keyword}) for turn in (1, 2) for keyword in keywords]
        assert expected == [(call.turn, call.name, call.arguments) for call in tools.log]
        assert not any(call.is_error for call in tools.log)
        assert exchange == [*reply.messages[:-1]]
        assert [False, False, forced] == [
            FINAL_TURN in json.dumps(request.body).replace('\\"', '"') for request in server.requests
        ]

    @pytest.mark.parametrize("forced", [False, True], ids=["off", "on"])
    def test_model_that_never_answers(self, api: Api, protocol: ToolProtocol, *, forced: bool) -> None:
        """It has no answer in the end, asked for one or not, and the calls of its last turn are not run."""
        tools = toolbox()
        script = [CALL] * 4 if protocol is not JSON else [ModelTurn(text=written(CALL.calls))] * 4
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, tools, protocol=protocol, max_turns=3, final_turn=forced)

        assert (Finish.TURNS, 3, forced, 3) == (reply.finish, reply.turns, reply.forced_final, len(server.requests))
        assert [1, 2] == [call.turn for call in tools.log]
        assert (written(CALL.calls) if forced and protocol is JSON else "") == reply.text

    @pytest.mark.parametrize("forced", [False, True], ids=["off", "on"])
    def test_budget_of_one_turn(self, api: Api, protocol: ToolProtocol, *, forced: bool) -> None:
        """The only turn is the last one, so a model is asked for its answer at once."""
        with EndpointServer(Scripted([ANSWER])) as server:
            reply = run(server, api, protocol=protocol, max_turns=1, final_turn=forced)
            said = messages(server)

        assert (ANSWER.text, Finish.STOP, 1, forced) == (reply.text, reply.finish, reply.turns, reply.forced_final)
        assert ["system", "user"] == [message["role"] for message in said]
        assert (f"{TASK.text}\n\n{FINAL_TURN}" if forced else TASK.text) == said[1]["content"]

    @pytest.mark.parametrize(
        ("turn", "finish"),
        [
            (ModelTurn(text='{"candid', stop="length"), Finish.LENGTH),
            (ModelTurn(text="I", stop="content_filter"), Finish.REFUSAL),
            (ModelTurn(refusal="No."), Finish.REFUSAL),
        ],
    )
    @pytest.mark.parametrize("max_turns", [1, 2])
    def test_message_cut_off_or_refused(
        self, api: Api, protocol: ToolProtocol, turn: ModelTurn, finish: Finish, max_turns: int
    ) -> None:
        """It is the last one by either protocol."""
        with EndpointServer(Scripted([turn])) as server:
            reply = run(server, api, protocol=protocol, max_turns=max_turns)

        assert (turn.text or turn.refusal, finish, 1) == (reply.text, reply.finish, reply.turns)

    def test_unknown_tool(self, api: Api, protocol: ToolProtocol) -> None:
        """A call of a tool that is not there is logged and answered with the tools that are."""
        unknown = ModelTurn(calls=(ModelCall("get_notes", "{}"), note_call("colour")))
        tools = toolbox()
        with EndpointServer(Scripted([turn_of(protocol, unknown), ANSWER])) as server:
            reply = run(server, api, tools, protocol=protocol)
            said = json.dumps(messages(server))

        assert Finish.STOP == reply.finish
        assert [("get_notes", True), ("get_note", False)] == [(call.name, call.is_error) for call in tools.log]
        assert "no tool 'get_notes'; the tools are get_note" in said


def turn_of(protocol: ToolProtocol, turn: ModelTurn) -> ModelTurn:
    """The turn, written by the protocol."""
    return ModelTurn(text=written(turn.calls)) if protocol is JSON else turn


@APIS
class TestForcedFinalTurn:
    def test_native_calls_are_forbidden_not_undefined(self, api: Api) -> None:
        """The tools stay in the request, since the exchange has calls of them, but none may be called."""
        with EndpointServer(Scripted([CALL, ANSWER])) as server:
            run(server, api, max_turns=2)
            first, final = (request.body for request in server.requests)

        assert ("tool_choice" in first, final["tool_choice"]) == (False, "none")
        assert first["tools"] == final["tools"]

    def test_json_turn_is_held_to_the_answer(self, api: Api) -> None:
        """Where the endpoint takes a schema, the last one leaves no room for calls."""
        with EndpointServer(JsonSpeaking(Scripted([CALL, ANSWER]))) as server:
            run(server, api, protocol=JSON, max_turns=2)
            first, final = (sent_schema(request.body) for request in server.requests)

        assert 3 == len(first["anyOf"])
        assert list(answer_schema(1)["properties"]) == list(final["properties"])

    def test_model_that_is_held_to_the_answer_gives_one(self, api: Api) -> None:
        """A schema that allows no calls makes a model answer that would call on."""
        tools = toolbox()
        with EndpointServer(JsonSpeaking(Scripted([CALL] * 3))) as server:
            reply = run(server, api, tools, protocol=JSON, max_turns=3)

        assert (ANSWER.text, Finish.STOP, True) == (reply.text, reply.finish, reply.forced_final)
        assert [1, 2] == [call.turn for call in tools.log]

    def test_text_beside_calls_counts(self, api: Api) -> None:
        """What the model says in that turn is the final message, whatever it calls."""
        with EndpointServer(Scripted([CALL, replace(CALL, text="Well: {}")])) as server:
            reply = run(server, api, max_turns=2)

        assert ("Well: {}", Finish.TURNS, True) == (reply.text, reply.finish, reply.forced_final)

    def test_prose_in_place_of_json_counts(self, api: Api) -> None:
        """No turn is left to put it right."""
        with EndpointServer(Scripted([ModelTurn(text="Let me see."), ModelTurn(text="Tuesday.")])) as server:
            reply = run(server, api, protocol=JSON, max_turns=2)

        assert ("Tuesday.", Finish.STOP, True) == (reply.text, reply.finish, reply.forced_final)

    def test_every_call_has_its_result(self, api: Api) -> None:
        """The endpoint, which refuses a call without one, takes the final request after several calls."""
        calls = ModelTurn(calls=(note_call("colour"), ModelCall("nothing", "?")), reasons=True)
        with EndpointServer(Scripted([calls, calls, ANSWER])) as server:
            reply = run(server, api, max_turns=3)

        assert (Finish.STOP, True) == (reply.finish, reply.forced_final)


@APIS
class TestJsonProtocol:
    def test_request_has_no_native_tools(self, api: Api) -> None:
        """The tools are in the system prompt, each with the schema of its arguments."""
        with EndpointServer(Scripted([ANSWER])) as server:
            run(server, api, protocol=JSON)
            body = server.requests[0].body
            system, user = messages(server)

        assert body.keys().isdisjoint({"tools", "tool_choice", "parallel_tool_calls"})
        assert TASK.text == user["content"]
        assert system["content"].startswith(f"{TASK.system_prompt}\n\n")
        (line,) = (line for line in system["content"].splitlines() if line.startswith("{"))
        tool = Tool(get_note)
        expected = {"tool": tool.name, "description": tool.description, "arguments": tool.parameters}
        assert expected == json.loads(line)

    def test_results_say_which_call_they_belong_to(self, api: Api) -> None:
        """All results of a turn come in one message, numbered, with the call and between two marks."""
        calls = ModelTurn(calls=(note_call("colour"), note_call("number")))
        with EndpointServer(JsonSpeaking(Scripted([calls, ANSWER]))) as server:
            run(server, api, protocol=JSON)
            last = messages(server)[-1]

        assert "user" == last["role"]
        assert last["content"] == (
            'Result 1 of 2: get_note {"keyword": "colour"}\n<result>\nThe colour is blue.\n</result>\n\n'
            'Result 2 of 2: get_note {"keyword": "number"}\n<result>\nThe number is seven.\n</result>'
        )

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("", "the message is empty"),
            ("I will look at the notes.", "the message holds no JSON object"),
            (
                '{"tool": "get_note", "arguments": {"keyword": "colour"}',
                "no valid JSON object: Expecting ',' delimiter",
            ),
            ('{"name": "get_note"}', "none of the keys 'tool', 'calls' and 'candidates' but 'name'"),
            ('{"calls": []}', "'calls' is empty"),
            ('{"calls": [{"tool": "get_note", "arguments": {"keyword": "colour"}}, 7]}', "calls[1] is not an object"),
            ('{"tool": "\\ud800\\u001b", "tool": 1}', "the key 'tool' stands twice"),
        ],
    )
    def test_turn_that_is_neither_call_nor_answer(self, api: Api, text: str, complaint: str) -> None:
        """The model is told what is wrong, which costs it a turn and nothing else."""
        tools = toolbox()
        script = [ModelTurn(text=text), ModelTurn(text=written(CALL.calls)), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, tools, protocol=JSON)
            told = messages(server, 1)[-1]

        assert "user" == told["role"]
        assert told["content"].startswith("error: ")
        assert complaint in told["content"]
        assert (ANSWER.text, Finish.STOP, 3) == (reply.text, reply.finish, reply.turns)
        assert [2] == [call.turn for call in tools.log]

    @pytest.mark.parametrize("text", ["", " \n"])
    def test_an_empty_message_goes_back_as_a_placeholder(self, api: Api, text: str) -> None:
        """No message of the transcript is empty, which strict servers refuse."""
        with EndpointServer(Scripted([ModelTurn(text=text), ANSWER])) as server:
            run(server, api, protocol=JSON)
            empty = messages(server, 1)[-2]

        assert ("assistant", True) == (empty["role"], "(empty message)" in json.dumps(empty["content"]))

    def test_never_a_valid_turn(self, api: Api) -> None:
        """A model that only talks comes to the end of its budget, and its last words are graded."""
        with EndpointServer(Scripted([ModelTurn(text=f"Well {number}") for number in range(4)])) as server:
            reply = run(server, api, protocol=JSON, max_turns=4)
            off = run(server, api, protocol=JSON, max_turns=4, final_turn=False)

        assert ("Well 3", Finish.STOP, 4, True) == (reply.text, reply.finish, reply.turns, reply.forced_final)
        assert ("", Finish.TURNS, 4, False) == (off.text, off.finish, off.turns, off.forced_final)

    @pytest.mark.parametrize("wrap", ["{}", "Let me look.\n{}\nThat is all.", "```json\n{}\n```", '{{"turn": {}}}'])
    def test_object_in_prose_or_a_fence(self, api: Api, wrap: str) -> None:
        """Calls and the answer are found wherever they are, and the final text is kept as it was written."""
        tools = toolbox()
        texts = [wrap.format(written(CALL.calls)), wrap.format('{"candidates": []}')]
        with EndpointServer(Scripted([ModelTurn(text=text) for text in texts])) as server:
            reply = run(server, api, tools, protocol=JSON)

        assert (texts[1], Finish.STOP, 2) == (reply.text, reply.finish, reply.turns)
        assert ["The colour is blue."] == [call.result for call in tools.log]

    def test_answer_beside_calls_is_not_final(self, api: Api) -> None:
        """A model that makes up results and answers at once gets the true results first."""
        hasty = ModelTurn(text=f'{written(CALL.calls)}\nThe result is red.\n{{"candidates": []}}')
        with EndpointServer(Scripted([hasty, ANSWER])) as server:
            reply = run(server, api, protocol=JSON)

        assert (ANSWER.text, 2) == (reply.text, reply.turns)

    def test_reasoning_items_go_back(self, api: Api) -> None:
        """A model that reasons gets its own reasoning back before the message that it belongs to."""
        script = [ModelTurn(text=written(CALL.calls), reasons=True), replace(ANSWER, reasons=True)]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, protocol=JSON, max_turns=2)

        kinds = [item.get("type", "message") for item in reply.messages]
        assert kinds.count("reasoning") == (2 if api is Api.RESPONSES else 0)
        assert (Finish.STOP, 2) == (reply.finish, reply.turns)

    def test_bad_arguments(self, api: Api) -> None:
        """What is wrong with the arguments is told and logged as on the native path."""
        bad = ["[]", '"colour"', '{"word": "colour"}', "{}"]
        tools = toolbox()
        script = [ModelTurn(text=f'{{"tool": "get_note", "arguments": {arguments}}}') for arguments in bad]
        with EndpointServer(Scripted([*script, ANSWER])) as server:
            reply = run(server, api, tools, protocol=JSON)

        assert Finish.STOP == reply.finish
        assert [True] * 4 == [call.is_error for call in tools.log]
        words = ["not a JSON object but list", "not valid JSON", "keyword", "keyword"]
        assert all(word in call.result for word, call in zip(words, tools.log, strict=True))

    def test_native_calls_that_nobody_offered(self, api: Api) -> None:
        """They are not run, each is answered, and the episode goes on."""
        tools = toolbox()
        with EndpointServer(Scripted([ModelTurn(calls=(note_call("colour"),) * 2), ANSWER])) as server:
            reply = run(server, api, tools, protocol=JSON)
            told = [message["content" if api is Api.CHAT else "output"] for message in messages(server)[-2:]]

        assert ([], Finish.STOP, 2) == (tools.log, reply.finish, reply.turns)
        assert ["error: this call was not run"] * 2 == [text.partition(".")[0] for text in told]

    def test_roles_alternate(self, api: Api) -> None:
        """After the system prompt user and model take turns, forced or not, as some models' templates demand."""
        script = [ModelTurn(text="Hm."), ModelTurn(text=written(CALL.calls * 2)), ModelTurn(text="?"), ANSWER]
        with EndpointServer(Scripted(script)) as server:
            reply = run(server, api, protocol=JSON, max_turns=4)

        roles = [message["role"] for message in reply.messages]
        assert ["system", "user"] == roles[:2]
        assert all(one != other for one, other in pairwise(roles))


@APIS
class TestStructuredOutput:
    def test_schema_is_sent_where_the_entry_says_so(self, api: Api) -> None:
        """Each request asks for a turn of the protocol; otherwise, and on the native path, for nothing."""
        cases = [(JSON, True), (JSON, False), (ToolProtocol.NATIVE, True)]
        with EndpointServer(Scripted([ANSWER])) as server:
            for protocol, structured_output in cases:
                run(server, api, protocol=protocol, structured_output=structured_output)
            schemas = [sent_schema(request.body) for request in server.requests]

        assert [True, False, False] == [schema is not None for schema in schemas]

    def test_endpoint_that_refuses_the_parameter(self, api: Api) -> None:
        """The error says which setting to change."""
        parameter = "response_format" if api is Api.CHAT else "text"
        with (
            EndpointServer(Scripted([ANSWER]), unsupported={parameter}) as server,
            pytest.raises(EndpointError, match=r"structured_output = false .* models\.toml") as caught,
        ):
            run(server, api, protocol=JSON)

        assert f"'{parameter}' is not supported" in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_other_refusals_are_no_matter_of_the_schema(self, api: Api) -> None:
        """An error about something else does not name the setting."""
        fault = Fault(400, b'{"error": {"message": "No such model."}}')
        with EndpointServer(Scripted([ANSWER]), faults=[fault]) as server, pytest.raises(EndpointError) as caught:
            run(server, api, protocol=JSON)

        assert "structured_output" not in str(caught.value)


class TestWhichProtocol:
    @pytest.mark.parametrize(
        ("option", "own", "tools"),
        [
            (None, ToolProtocol.NATIVE, True),
            (None, JSON, False),
            (ToolProtocol.NATIVE, JSON, True),
            (JSON, ToolProtocol.NATIVE, False),
        ],
    )
    def test_option_before_entry(self, option: ToolProtocol | None, own: ToolProtocol, *, tools: bool) -> None:
        """The entry says which, unless the option does."""
        with EndpointServer(Scripted([ANSWER])) as server:
            options = EndpointOptions(base_url=server.base_url, tool_protocol=option)
            EndpointAgent(entry().model_copy(update={"tool_protocol": own}), options)(TASK, toolbox(), Budget(9))

        assert tools == ("tools" in server.requests[0].body)

    def test_identity_of_an_agent(self) -> None:
        """The description tells all that shapes requests, and no secret."""
        options = EndpointOptions(
            base_url="https://me:secret@host:8/v1?key=secret", api=Api.RESPONSES, tool_protocol=JSON, max_tokens=9
        )
        native = EndpointAgent(entry(), replace(options, tool_protocol=None, api=None)).described()

        assert EndpointAgent(entry(), options).described() == {
            "model": "some-model",
            "api": "responses",
            "base_url": "https://host:8/v1",
            "parameters": {"max_output_tokens": 9},
            "headers": {},
            "parallel_tool_calls": None,
            "encrypted_reasoning": True,
            "tool_protocol": "json",
            "structured_output": True,
            "prices": [],
        }
        assert ("chat", "native", False) == (native["api"], native["tool_protocol"], native["structured_output"])
        assert (True, False) == (native["parallel_tool_calls"], native["encrypted_reasoning"])

    @pytest.mark.parametrize("variable", ["http://127.0.0.1:9/v1", None])
    def test_identity_of_the_default_endpoint(self, variable: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
        """The client's own variable counts where nothing else names an endpoint."""
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        if variable is not None:
            monkeypatch.setenv("OPENAI_BASE_URL", variable)

        assert variable == EndpointAgent(entry()).described()["base_url"]


LEVELS: tuple[Level, ...] = (1, 2, 3)


def trial_of(level: Level, number: int, max_turns: int = 40) -> Trial:
    """A trial on a committed instance."""
    instance_id = DATASET.instances(level)[number].instance_id
    return Trial(
        case=Case(instance_id, level, "some-model"),
        exam=DATASET.exam(instance_id),
        settings=Settings.from_options({"max-turns": str(max_turns)}, Path()),
    )


class TestReferenceAgent:
    @APIS
    @PROTOCOLS
    @pytest.mark.parametrize("level", LEVELS)
    def test_reaches_the_gold(self, api: Api, protocol: ToolProtocol, level: Level) -> None:
        """Behind the wire it makes the same calls with the same results as by itself, and passes."""
        with EndpointServer(JsonSpeaking(Solver(reference))) as server:
            agent = EndpointAgent(entry(), EndpointOptions(base_url=server.base_url, api=api, tool_protocol=protocol))
            for number in (3, 58):
                trial = trial_of(level, number, max_turns=60)
                alone = trial.toolbox()
                reference(trial.task, alone, Budget(60))
                episode = trial.run(agent).episode

                assert (Outcome.PASSED, None) == (episode.outcome, episode.fault)
                assert episode.reply is not None
                assert not episode.reply.forced_final
                assert [called(call) for call in alone.log] == [called(call) for call in episode.tool_calls]

    @APIS
    @PROTOCOLS
    @pytest.mark.parametrize("level", LEVELS)
    def test_reaches_the_gold_in_the_forced_final_turn(self, api: Api, protocol: ToolProtocol, level: Level) -> None:
        """With a budget of just as many turns as it needs, its answer comes when it is asked for."""
        tools = trial_of(level, 7).toolbox()
        reference(trial_of(level, 7).task, tools, Budget(60))
        trial = trial_of(level, 7, max_turns=len(tools.log) + 1)
        with EndpointServer(JsonSpeaking(Solver(reference))) as server:
            agent = EndpointAgent(entry(), EndpointOptions(base_url=server.base_url, api=api, tool_protocol=protocol))
            episode = trial.run(agent).episode

        assert Outcome.PASSED == episode.outcome
        assert episode.reply is not None
        assert (True, len(tools.log) + 1) == (episode.reply.forced_final, episode.reply.turns)


def called(call: Any) -> tuple[Any, ...]:
    """A logged call but for its turn: behind the wire each call takes one."""
    return call.name, call.arguments, call.result, call.records


def test_task_without_an_answer_schema() -> None:
    """An agent that is told of none asks for any object."""
    task = Task("level1-000", "You look notes up.", "What do the notes say?")
    with EndpointServer(JsonSpeaking(Scripted([CALL, ANSWER]))) as server:
        agent = EndpointAgent(entry(), EndpointOptions(base_url=server.base_url, tool_protocol=JSON))
        reply = agent(task, toolbox(), Budget(2))

    assert ANSWER.text == reply.text
    assert {"type": "object"} == sent_schema(server.requests[-1].body)

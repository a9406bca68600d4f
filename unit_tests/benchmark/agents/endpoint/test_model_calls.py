"""What models write in their turns, over the wire: it never ends an episode, and it can be sent back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.endpoint.chat_completions import ChatCompletions
from mpcbench.benchmark.agents.endpoint.model_calls import sendable_arguments, sendable_name
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.endpoint.responses import Responses
from mpcbench.benchmark.agents.endpoint.turn import Wire
from mpcbench.schema.episode import Finish, Reply
from unit_tests.benchmark.agents.endpoint.episodes import KEY, KEY_VARIABLE, OPENAI_APIS
from unit_tests.benchmark.agents.endpoint.turns import ABSENT, ANSWER, check_transcript, run_turn, turn_body

APIS = pytest.mark.parametrize("api", OPENAI_APIS)
COLOUR = '{"keyword": "colour"}'
WIRES: dict[Api, Wire] = {Api.CHAT: ChatCompletions(), Api.RESPONSES: Responses()}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def call(**fields: Any) -> dict[str, Any]:
    return {"id": "call_1", "name": "get_note", "arguments": COLOUR} | fields


def check_sent(api: Api, requests: list[Any]) -> None:
    for request in requests:
        check_transcript(api, request.body["messages" if api is Api.CHAT else "input"])


def nested(depth: int) -> Any:
    value: Any = "colour"
    for _ in range(depth):
        value = {"keyword": value}
    return value


@APIS
class TestOneCall:
    @pytest.mark.parametrize(
        ("fields", "result"),
        [
            ({"arguments": '{"keyword": '}, "error: the arguments are not valid JSON"),
            ({"arguments": ""}, "error: get_note: keyword: Field required"),
            ({"arguments": ABSENT}, "error: get_note: keyword: Field required"),
            ({"arguments": None}, "error: get_note: keyword: Field required"),
            ({"arguments": {}}, "error: get_note: keyword: Field required"),
            ({"arguments": {"keyword": "colour"}}, "The colour is blue."),
            ({"arguments": 5}, "error: the arguments are not a JSON object but int"),
            ({"arguments": True}, "error: the arguments are not a JSON object but bool"),
            ({"arguments": ["colour"]}, "error: the arguments are not a JSON object but list"),
            ({"arguments": "colour"}, "error: the arguments are not valid JSON"),
            ({"arguments": '{"keyword": 7}'}, "error: get_note: keyword: Input should be a valid string"),
            ({"arguments": '{"keyword": NaN}'}, "error: the arguments are not valid JSON"),
            ({"arguments": '{"keyword": -1e999}'}, "error: no note '-inf'"),
            ({"arguments": f'{{"keyword": {"9" * 5000}}}'}, "error: the arguments are not valid JSON"),
            ({"arguments": "[" * 100_000}, "error: the arguments are not valid JSON"),
            ({"arguments": json.dumps(nested(500))}, "error: get_note: keyword: Input should be a valid string"),
            ({"arguments": nested(300)}, "error: get_note: keyword: Input should be a valid string"),
            ({"arguments": json.dumps({"keyword": "x" * 2_000_000})}, "error: no note 'xxxx"),
            ({"arguments": "x" * 2_000_000}, "error: the arguments are not valid JSON"),
            ({"arguments": '{"keyword": "\x00\x1b[2J\u202e"}'}, "error: the arguments are not valid JSON"),
            ({"arguments": json.dumps({"keyword": "\x00\x1b[2J\u202e"})}, r"error: no note '\x00\x1b[2J\u202e'"),
            ({"arguments": '{"keyword": "\\udc00"}'}, "error: no note "),
            ({"arguments": '{"\ud800": "\ud800"}'}, "error: get_note: keyword: Field required"),
            ({"arguments": '{"keyword": "colour", "keyword": "number"}'}, "The number is seven."),
            ({"arguments": "<html><script>alert(1)</script></html>"}, "error: the arguments are not valid JSON"),
            ({"arguments": '{"keyword": "<script>alert(1)</script>"}'}, "error: no note '<script>alert(1)</script>'"),
            ({"name": ABSENT}, "error: no tool ''"),
            ({"name": None}, "error: no tool ''"),
            ({"name": ""}, "error: no tool ''"),
            ({"name": 5}, "error: no tool '5'"),
            ({"name": {"name": "get_note"}}, 'error: no tool \'{"name": "get_note"}\''),
            ({"name": ["get_note"]}, "error: no tool '[\"get_note\"]'"),
            ({"name": "get_notes"}, "error: no tool 'get_notes'"),
            ({"name": "functions.get_note"}, "error: no tool 'functions.get_note'"),
            ({"name": "get_note\x00\n"}, r"error: no tool 'get_note\x00\n'"),
            ({"name": "get_n\ud800te"}, "error: no tool 'get_n?te'"),
            ({"name": "<script>"}, "error: no tool '<script>'"),
            ({"name": "x" * 1_000_000}, "error: no tool 'xxxx"),
            ({"name": "\N{SNOWMAN}"}, "error: no tool '\N{SNOWMAN}'"),
            ({"id": ABSENT}, "The colour is blue."),
            ({"id": None}, "The colour is blue."),
            ({"id": ""}, "The colour is blue."),
            ({"id": " "}, "The colour is blue."),
            ({"id": 0}, "The colour is blue."),
            ({"id": {"id": "call_1"}}, "The colour is blue."),
            ({"id": None, "name": None, "arguments": None}, "error: no tool ''"),
        ],
        ids=lambda value: repr(value)[:60] if isinstance(value, dict) else "",
    )
    def test_is_answered(self, api: Api, fields: dict[str, Any], result: str) -> None:
        """A call with anything in it is run or answered with an error, and the next request is a valid one."""
        reply, log, requests = run_turn(api, turn_body(api, [call(**fields)]))

        assert (ANSWER, Finish.STOP, 2, 2) == (reply.text, reply.finish, reply.turns, len(requests))
        assert [result] == [one.result[: len(result)] for one in log]
        assert [result.startswith("error:")] == [one.is_error for one in log]
        check_sent(api, requests)
        assert reply == Reply.model_validate_json(reply.model_dump_json())


@APIS
class TestSeveralCalls:
    def test_two_hundred_at_once(self, api: Api) -> None:
        """Every call of a turn is answered, however many there are."""
        calls = [call(id=f"call_{number}", name="get_note" if number % 2 else "none") for number in range(200)]
        reply, log, requests = run_turn(api, turn_body(api, calls))

        assert (Finish.STOP, [True, False] * 100) == (reply.finish, [one.is_error for one in log])
        check_sent(api, requests)

    @pytest.mark.parametrize("call_id", ["call_1", "", None, ABSENT, 7])
    def test_same_ids(self, api: Api, call_id: Any) -> None:
        """Calls that share an ID, or have none, each get their own result."""
        keywords = ["colour", "number", "smell"]
        calls = [call(id=call_id, arguments=json.dumps({"keyword": keyword})) for keyword in keywords]
        reply, log, requests = run_turn(api, turn_body(api, calls))

        assert Finish.STOP == reply.finish
        assert ["The colour is blue.", "The number is seven.", "error: no note 'smell'"] == [one.result for one in log]
        check_sent(api, requests)

    def test_what_is_right_stays_as_it_came(self, api: Api) -> None:
        """A sound call goes back just as it was received, with everything that the endpoint added."""
        body = turn_body(api, [call(arguments='{"keyword":\n"colour"}')])
        items = body["choices"][0]["message"]["tool_calls"] if api is Api.CHAT else body["output"]
        items[0]["extra_content"] = {"signature": "s"}
        reply, _, _ = run_turn(api, body)
        sent = reply.messages[2]

        assert items == (sent["tool_calls"] if api is Api.CHAT else [sent])


class TestOddMessages:
    @pytest.mark.parametrize(
        ("content", "text"),
        [
            ([{"type": "text", "text": "one "}, {"type": "text", "text": "two"}], "one two"),
            (["one ", "two"], "one two"),
            ([{"type": "text", "text": None}, {"text": "two"}, {}], "two"),
            ([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "x"}], "x"),
            ([], ""),
            ("<html><script>alert(1)</script>", "<html><script>alert(1)</script>"),
            ('{"candidates": NaN}', '{"candidates": NaN}'),
            ("\x00\x1b[2J", "\x00\x1b[2J"),
            ("\ud800", "?"),
            ("x" * 2_000_000, "x" * 2_000_000),
            ("[" * 200_000, "[" * 200_000),
        ],
        ids=lambda value: repr(value)[:40],
    )
    def test_contents_of_chat(self, content: Any, text: str) -> None:
        """A message is a text or a list of parts, and is what its parts say together."""
        reply, _, _ = run_turn(Api.CHAT, turn_body(Api.CHAT, content=content))

        assert (text, Finish.STOP) == (reply.text, reply.finish)

    @pytest.mark.parametrize(
        ("content", "text"),
        [
            ([{"type": "output_text", "text": "one "}, {"type": "output_text", "text": "two"}], "one two"),
            ([{"type": "output_text", "text": None}, {"type": "other"}], ""),
            ([], ""),
            ("one", "one"),
        ],
    )
    def test_contents_of_responses(self, content: Any, text: str) -> None:
        """A message is a list of parts, or a text."""
        reply, _, _ = run_turn(Api.RESPONSES, turn_body(Api.RESPONSES, content=content))

        assert (text, Finish.STOP) == (reply.text, reply.finish)

    @APIS
    @pytest.mark.parametrize("content", [["let me ", "look"], "let me look", [], None])
    def test_contents_beside_calls_can_be_sent_back(self, api: Api, content: Any) -> None:
        """Whatever form the text beside a call has, the next request is a valid one."""
        if api is Api.RESPONSES and isinstance(content, list):
            content = [{"type": "output_text", "text": text, "annotations": []} for text in content]
        reply, _, requests = run_turn(api, turn_body(api, [call()], content))

        assert Finish.STOP == reply.finish
        if api is Api.CHAT or not isinstance(content, list):
            check_sent(api, requests)

    def test_no_refusal(self) -> None:
        """Some servers say that there is an empty refusal, which is none."""
        body = turn_body(Api.CHAT, content="text")
        body["choices"][0]["message"]["refusal"] = ""
        reply, _, _ = run_turn(Api.CHAT, body)

        assert ("text", Finish.STOP) == (reply.text, reply.finish)

    @pytest.mark.parametrize("role", ["user", None, 5])
    def test_wrong_role(self, role: Any) -> None:
        """What the model says is sent back as its own."""
        body = turn_body(Api.CHAT, [call()])
        body["choices"][0]["message"]["role"] = role
        _, _, requests = run_turn(Api.CHAT, body)
        sent = requests[-1].body["messages"]

        check_sent(Api.CHAT, requests)
        assert ["assistant"] == [message["role"] for message in sent if message.get("tool_calls")]

    @APIS
    @pytest.mark.parametrize(
        "usage",
        [
            ABSENT,
            None,
            [],
            "many",
            {"prompt_tokens": "many", "input_tokens": "many"},
            {"prompt_tokens": -5, "input_tokens": -5},
            {"prompt_tokens_details": 7, "input_tokens_details": [7]},
        ],
    )
    def test_odd_usage(self, api: Api, usage: Any) -> None:
        """A missing or senseless count of tokens is unknown and no fault."""
        body = turn_body(api, [call()])
        if usage is not ABSENT:
            body["usage"] = usage
        reply, _, _ = run_turn(api, body)

        assert Finish.STOP == reply.finish
        assert reply.usage is not None
        assert reply.usage.input_tokens is None


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.just(COLOUR),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=5,
)
CALLS = st.lists(
    st.fixed_dictionaries({}, optional={"id": st.sampled_from(["a", "b"]) | ODD, "name": ODD, "arguments": ODD}),
    min_size=1,
    max_size=4,
)


class TestAnyCalls:
    @APIS
    @given(calls=CALLS)
    def test_are_read_and_can_be_sent_back(self, api: Api, calls: list[dict[str, Any]]) -> None:
        """Whatever calls hold, none is lost, and with their results they can be sent back."""
        wire = WIRES[api]
        turn = wire.read(turn_body(api, calls))

        assert len(calls) == len(turn.calls)
        check_transcript(api, [*turn.items, *(wire.result(one, "text") for one in turn.calls)])

    @given(st.text(st.characters()) | st.sampled_from([COLOUR, '{"a": NaN}', "[1]"]))
    def test_arguments_are_an_object_that_quotes_them_or_is_them(self, arguments: str) -> None:
        """What is sent back is a JSON object: what the model wrote, or one that holds its text."""
        sent = sendable_arguments(arguments)
        value = json.loads(sent)

        assert isinstance(value, dict)
        assert sent in {arguments, "{}"} or ["invalid_arguments"] == [*value]

    @given(st.text())
    def test_sent_names_are_stable(self, name: str) -> None:
        """A name that can be sent is sent as it is."""
        assert sendable_name(name) == sendable_name(sendable_name(name))

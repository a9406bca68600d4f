"""Turns of the JSON protocol: what is read from a message, and the schema that allows exactly these forms."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mpcbench.benchmark.agents.endpoint.json_protocol import TurnError, read_calls, turn_schema
from mpcbench.benchmark.agents.protocol import Task
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.evaluation.scoring.answer import MAX_CHARACTERS, answer_schema
from mpcbench.schema.model import Level

LEVELS: tuple[Level, ...] = (1, 2, 3)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
ARGUMENTS = st.dictionaries(st.text(), SCALARS | st.lists(SCALARS))
CALLS = st.lists(st.fixed_dictionaries({"tool": st.text(), "arguments": ARGUMENTS}), min_size=1)
AROUND = st.sampled_from(["", " ", "\n", "Let me look.\n", "```json\n", "\n```", "} "])


def read(text: str) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in read_calls(text)]


class TestReadCalls:
    @given(CALLS, AROUND, AROUND, st.booleans(), st.booleans())
    def test_calls_that_were_written_are_read(
        self, calls: list[dict[str, Any]], before: str, after: str, as_list: bool, escaped: bool
    ) -> None:
        """One object per call or one list of all, with or without prose: the same calls in the same order."""
        objects: list[Any] = [{"calls": calls}] if as_list else calls
        text = before + "\n".join(json.dumps(item, ensure_ascii=escaped) for item in objects) + after

        expected = [(call["tool"], call["arguments"]) for call in calls]
        assert expected == [(name, json.loads(arguments)) for name, arguments in read(text)]

    @given(st.text() | st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
    def test_any_text_is_calls_an_answer_or_an_error(self, value: Any) -> None:
        """Nothing that a model can write raises anything but `TurnError`, with one line."""
        text = value if isinstance(value, str) else json.dumps(value)
        problem = ""
        try:
            read_calls(text)
        except TurnError as error:
            problem = str(error)

        assert "\n" not in problem

    @pytest.mark.parametrize(
        "text",
        [
            '{"candidates": []}',
            '{"candidates": ["wrong in itself"], "rationale": 1}',
            '{"tool": null, "arguments": null, "calls": [], "candidates": []}',
            'The answer:\n```json\n{"candidates": []}\n```',
            '{"answer": {"candidates": []}}',
        ],
    )
    def test_answer(self, text: str) -> None:
        """An object with candidates and without calls is the final message, right or wrong."""
        assert [] == read(text)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('{"tool": "list_policies"}', [("list_policies", "{}")]),
            ('{"tool": "a", "arguments": "{}"}', [("a", "{}")]),
            ('{"tool": "a", "arguments": null}', [("a", "null")]),
            ('{"thought": "first", "tool": "a", "arguments": {}}', [("a", "{}")]),
            ('{"tool": "a", "arguments": {"candidates": []}}', [("a", '{"candidates": []}')]),
            ('{"tool": "a", "arguments": {"x": "ä"}}', [("a", '{"x": "ä"}')]),
            ('{"tool": "a"} {"calls": [{"tool": "b"}, {"tool": "c"}]}', [("a", "{}"), ("b", "{}"), ("c", "{}")]),
            ('{"calls": [], "tool": "a"}', [("a", "{}")]),
            ('<think>{"tool": "a"}? No, {"tool": "b"}.</think>{"tool": "c"}', [("c", "{}")]),
            ('<think>{"tool": "a"} first.</think>{"candidates": []}', []),
            (
                '{"tool": "a", "arguments": {"x": "</think>"}} {"tool": "</think>"}',
                [("a", '{"x": "</think>"}'), ("</think>", "{}")],
            ),
            ('{"tool": "a"}</think>{"tool": "b", "arguments": {"x": "</think>"}}', [("b", '{"x": "</think>"}')]),
        ],
    )
    def test_forms_of_calls(self, text: str, expected: list[tuple[str, str]]) -> None:
        """Arguments may be missing or written out as text; keys that mean nothing are passed over."""
        assert expected == read(text)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            (" \n", "the message is empty"),
            ("None of it.", "the message holds no JSON object"),
            ("[]", "the message holds no JSON object"),
            ("{}", "the JSON object is empty"),
            ('{"tool": "a"}</think>', "the message is empty"),
            (
                '{"tool": "a"',
                "the message holds no valid JSON object: Expecting ',' delimiter: line 1 column 13 (char 12)",
            ),
            ('{"tool": "a", "arguments": {"x": NaN}}', "the message holds no valid JSON object: NaN is not JSON"),
            ('{"tool": "a", "arguments": ' + "[" * 6 + "]" * 6 + "}", "the JSON object is nested too deeply"),
            (
                '{"a": 1, "b\\n": 2}',
                "the JSON object has none of the keys 'tool', 'calls' and 'candidates' but 'a', 'b'",
            ),
            (
                '{"candidates": {}}',
                "the JSON object has none of the keys 'tool', 'calls' and 'candidates' but 'candidates'",
            ),
            ('{"tool": 1}', "the object has no 'tool' that is the name of a tool"),
            ('{"tool": null}', "'calls' is empty"),
            ('{"calls": {"tool": "a"}}', "'calls' is not a list"),
            ('{"calls": [{"tool": "a"}, {"name": "b"}]}', "calls[1] has no 'tool' that is the name of a tool"),
            ('{"calls": ["a"]}', "calls[0] is not an object"),
            ('{"tool": "a", "arguments": {"x": 1, "x": 2}}', "the key 'x' stands twice in one object"),
        ],
    )
    def test_problems_are_told(self, text: str, problem: str) -> None:
        """A message that is neither is an error that says what is wrong."""
        with pytest.raises(TurnError) as caught:
            read_calls(text)

        assert str(caught.value).startswith(problem)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ('{"a": ' * 100_000, "the message holds no valid JSON object: "),
            (" " * (MAX_CHARACTERS + 1), "the message has 4,000,001 characters, more than 4,000,000"),
        ],
        ids=["deep", "long"],
    )
    def test_monsters(self, text: str, problem: str) -> None:
        """Depth and length are errors like any other."""
        with pytest.raises(TurnError, match=f"^{problem}"):
            read_calls(text)


@pytest.mark.parametrize("level", LEVELS)
class TestTurnSchema:
    def test_is_a_schema_without_references(self, level: Level) -> None:
        """It is valid, its root is an object, and it can be nested anywhere."""
        schema = turn_schema(tools_of_level(level), task(level))
        Draft202012Validator.check_schema(schema)

        assert "object" == schema["type"]
        assert "$ref" not in json.dumps(schema)

    def test_allows_calls_and_the_answer(self, level: Level) -> None:
        """One call, several calls and an answer fit; each form is read as what it is."""
        call = {"tool": "get_policy" if level == 1 else "search_threads", "arguments": {"keyword": "x"}}
        room = {"room_id": "R07"} if level == 3 else {}
        slot = {"start": "2027-02-09T14:30", "end": "2027-02-09T15:00", **room}
        answer = {"candidates": [slot], "rationale": "so"}
        turns = [call, {"calls": [call, call]}, answer]

        assert [True] * 3 == [fits(level, turn) for turn in turns]
        assert [1, 2, 0] == [len(read(json.dumps(turn))) for turn in turns]

    @pytest.mark.parametrize(
        "turn",
        [
            {},
            [],
            {"tool": "no_tool", "arguments": {}},
            {"tool": "get_calendar"},
            {"tool": "get_calendar", "arguments": {}},
            {"tool": "get_calendar", "arguments": {"date": "2027-02-09"}, "thought": "?"},
            {"calls": []},
            {"calls": [{"candidates": []}]},
            {"candidates": [], "calls": []},
            {"candidates": [{"start": "soon", "end": "2027-02-09T15:00"}]},
        ],
    )
    def test_forbids_everything_else(self, level: Level, turn: Any) -> None:
        """No tool that is not offered, no arguments that it does not take, no mixture, no other answer."""
        assert not fits(level, turn)

    def test_holds_the_schema_of_the_answer(self, level: Level) -> None:
        """The last form is the answer as the prompt shows it."""
        assert answer_schema(level) == turn_schema(tools_of_level(level), task(level))["anyOf"][-1]

    def test_without_tools(self, level: Level) -> None:
        """What is left is the answer."""
        (only,) = turn_schema((), task(level))["anyOf"]

        assert ["candidates"] == only["required"]


def task(level: Level) -> Task:
    return Task("level1-000", "", "", answer_schema=answer_schema(level))


def fits(level: Level, turn: Any) -> bool:
    return bool(Draft202012Validator(turn_schema(tools_of_level(level), task(level))).is_valid(turn))

"""Messages are read as far as their shape is known; the rest is handed on."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.episode.messages import Called, Part, Returned, Unknown, Utterance, Voice, parts

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["role", "type", "content", "tool_calls", "refusal", "call_id", "output", "name", "arguments", "summary", "text"]
)
WORDS = st.sampled_from(
    ["user", "assistant", "tool", "system", "function_call", "function_call_output", "reasoning", "message"]
)
MESSAGES = st.dictionaries(
    KEYS, WORDS | JSON | st.lists(st.dictionaries(KEYS, JSON, max_size=3), max_size=3), max_size=6
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "user", "content": "Hello"}, [Utterance(Voice.USER, "Hello")]),
        ({"role": "developer", "content": "Hello"}, [Utterance(Voice.SYSTEM, "Hello")]),
        ({"role": "assistant", "content": None, "refusal": "No"}, [Utterance(Voice.REFUSAL, "No")]),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "No"}]}, [Utterance(Voice.REFUSAL, "No")]),
        (
            {"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": "x"}]},
            [Utterance(Voice.USER, "See"), Unknown({"type": "image_url", "image_url": "x"})],
        ),
        (
            {"role": "assistant", "content": "So", "audio": {"id": 1}, "annotations": [], "function_call": None},
            [Utterance(Voice.ASSISTANT, "So"), Unknown({"audio": {"id": 1}})],
        ),
        (
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"k": 1}}}, "?"]},
            [Called("a", "f", {"k": 1}), Unknown("?")],
        ),
        ({"role": "assistant", "tool_calls": {"function": {}}}, [Unknown({"function": {}})]),
        ({"type": "function_call", "call_id": 1, "name": "f", "arguments": "{}"}, [Called(1, "f", "{}")]),
        (
            {"type": "function_call_output", "call_id": 1, "output": [{"text": "a"}, {"text": "b"}, 3]},
            [Returned(1, "a\nb"), Unknown(3)],
        ),
        ({"type": "function_call", "name": 3}, [Unknown({"type": "function_call", "name": 3})]),
        (
            {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x" * 4000},
            [Unknown({"encrypted_content": "(4,000 characters)"})],
        ),
        ({"role": "judge", "content": "Hello"}, [Unknown({"role": "judge", "content": "Hello"})]),
        ({}, [Unknown({})]),
    ],
)
def test_parts(message: dict[str, Any], expected: list[Part]) -> None:
    """A message falls into its parts."""
    assert expected == [*parts(message)]


@given(MESSAGES)
def test_nothing_is_lost(message: dict[str, Any]) -> None:
    """Every text of a message, but for what names its form, is in one of its parts."""
    told = json.dumps([repr(part) for part in parts(message)])
    of_form = {"role", "type", "name"}
    texts = [value for key, value in message.items() if key not in of_form and isinstance(value, str)]

    assert [] == [text for text in texts if text.strip() and json.dumps(repr(text)[1:-1])[1:-1] not in told]

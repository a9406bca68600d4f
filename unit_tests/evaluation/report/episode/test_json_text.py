"""JSON is laid out for people, with nothing changed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.episode.json_text import pretty, pretty_if_json
from unit_tests.evaluation.report.episode.test_messages import JSON


def test_short_values_stay_on_a_line() -> None:
    """What fits on a line stays on it, so that a table of records is one."""
    rows = [{"title": "Design review " * 4, "start": "2027-02-08T09:00", "end": "2027-02-08T10:00"}] * 2

    assert '{\n "total": 2,\n "events": [\n  ROW,\n  ROW\n ]\n}'.replace("ROW", json.dumps(rows[0])) == pretty(
        {"total": 2, "events": rows}
    )


@given(JSON)
def test_value_is_kept(value: Any) -> None:
    """The text reads back as the value, unless it is nested very deeply."""
    assert value == json.loads(pretty(value))


def test_deep_nesting_is_cut() -> None:
    """What is nested deeply is cut short, and says how much there is."""
    deep: Any = "x" * 1000
    for _ in range(50):
        deep = [deep]
    inner = "[" * 40 + '"' + "x" * 159

    assert f"{' ' * 10}{inner}… (1,082 characters)" == pretty(deep).splitlines()[10]


@pytest.mark.parametrize("text", ["", "plain", '{"a": 1.0, "a": 2}', "{broken", "[1,2]", '{"a":  1}', "[" * 100_000])
def test_other_text_is_kept(text: str) -> None:
    """A text that is no JSON, or that would read differently, stays as it is."""
    assert text == pretty_if_json(text)


@given(JSON.map(lambda value: json.dumps(value, ensure_ascii=False)) | st.text())
def test_only_white_space_changes(text: str) -> None:
    """Without white space the text is the same."""
    assert "".join(text.split()) == "".join(pretty_if_json(text).split())

"""JSON objects in prose."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.scoring.embedded_json import objects_in
from unit_tests.marks import UNTRACED

FLAT = st.dictionaries(st.text(min_size=1), st.none() | st.booleans() | st.integers() | st.text(), min_size=1)


def found(text: str, key: str = "key") -> list[dict[str, Any]]:
    return [decoded.value for decoded in objects_in(text, lambda value: key in value)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"key": 1}', [{"key": 1}]),
        ('First {"key": 1}, then\n```json\n{"key": 2}\n```\n', [{"key": 1}, {"key": 2}]),
        ('{"wrapper": {"key": 1}}', [{"key": 1}]),
        ('{"key": {"key": 1}}', [{"key": {"key": 1}}]),
        ('{"other": 1} {"key": "}"}', [{"key": "}"}]),
        ('{ {"key": 1}', [{"key": 1}]),
        ('{"key": NaN} {"key": 1,}', []),
        ('{"key": ' + "[" * 6 + "]" * 6 + "}", []),
        ("{'key': 1}", []),
        ("", []),
    ],
)
def test_objects_that_are_wanted(text: str, expected: list[dict[str, Any]]) -> None:
    """Every object that is wanted is found once, outermost first, and nothing that is no JSON."""
    assert expected == found(text)


@pytest.mark.parametrize(
    ("text", "repeated"),
    [
        ('{"key": 1, "key": 2}', "key"),
        ('{"key": {"a": 1, "a": 1}}', "a"),
        ('{"key": {"a": 1}, "b": {"a": 1}}', None),
    ],
)
def test_repeated_key(text: str, repeated: str | None) -> None:
    """A key that occurs twice in one object is reported."""
    (only,) = objects_in(text, lambda value: "key" in value)

    assert repeated == only.repeated_key


@given(st.lists(FLAT), st.sampled_from(["", "\n", " and then ", "```json\n", "} ] "]))
def test_what_was_written_is_read(objects: list[dict[str, Any]], between: str) -> None:
    """Objects come back as they were written, in their order, whatever is between them."""
    text = between.join(["", *map(json.dumps, objects), ""])

    assert objects == [decoded.value for decoded in objects_in(text, lambda _: True)]


@UNTRACED
@pytest.mark.parametrize("text", ['{"a":' * 200_000, '{"a": "' * 200_000, '{"a": 1} ' * 100_000])
def test_takes_time_proportional_to_the_text(text: str) -> None:
    """A megabyte made to mislead takes seconds at most."""
    start = time.perf_counter()
    found(text)

    assert time.perf_counter() - start < 20

"""Sanitised model output can be stored as JSON and printed safely."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.schema.untrusted_text import one_line, plain_json, printable, shortened

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=[])), inner),
)


@given(anything)
def test_plain_json_can_be_written_and_read(value: object) -> None:
    """Any value becomes one that strict JSON in UTF-8 holds, and stays it."""
    plain = plain_json(value)

    assert plain == json.loads(json.dumps(plain, allow_nan=False, ensure_ascii=False).encode())
    assert plain == plain_json(plain)


def test_plain_json_leaves_out_what_is_too_deep() -> None:
    """Nesting too deep for JSON parsers is cut; the rest stays."""
    deep: object = 1
    for _ in range(500):
        deep = [deep]

    assert json.dumps(plain_json(deep)).strip("[]") == '"(nested too deeply)"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[31mb\r\n", "a\\x1b[31mb\\r\n"),
        ("\u202eevil\x9b", "\\u202eevil\\x9b"),
        ("caf\u00e9 9:00\u202fam \U0001f600", "caf\u00e9 9:00\u202fam \U0001f600"),
        ("\ud800", "\\ud800"),
    ],
)
def test_printable(text: str, expected: str) -> None:
    """Control and format characters are escaped; line feeds, letters, spaces and emoji stay."""
    actual = printable(text)

    assert expected == actual


@given(st.text(st.characters(exclude_categories=[])), st.integers(10, 50))
def test_one_line_is_one_short_line(text: str, length: int) -> None:
    """Any text becomes one safe line."""
    line = one_line(text, length)

    assert "\n" not in line
    assert printable(line) == line


def test_shortened_keeps_beginning_and_end() -> None:
    """A long text keeps its beginning and its end, and says how much is missing."""
    assert shortened("abcdefghij", 3) == "ab [... 7 more characters ...] j"
    assert shortened("abc", 3) == "abc"

"""JSON is laid out for people, with nothing changed."""

import json
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.episode.json_text import pretty, pretty_if_json
from unit_tests.evaluation.report.episode.test_messages import JSON


def read(text: str) -> Any:
    """The value of a pretty text: only lines of tables hold a bar and no quotation mark."""
    lines: list[str] = []
    for is_table, group in groupby(text.split("\n"), lambda line: " | " in line and '"' not in line):
        if is_table:
            indent = len(lines[-1]) - len(lines[-1].lstrip()) + 1
            columns, *rows = (line[indent:].split(" | ") for line in group)
            lines.append(json.dumps([dict(zip(columns, row, strict=True)) for row in rows])[1:-1])
        else:
            lines += group
    return json.loads("\n".join(lines))


def test_short_values_stay_on_a_line() -> None:
    """What fits on a line stays on it."""
    row = {"title": "Design review " * 4, "messages": 3, "end": "2027-02-08T10:00"}

    assert '{\n "total": 2,\n "events": [\n  ROW,\n  ROW\n ]\n}'.replace("ROW", json.dumps(row)) == pretty(
        {"total": 2, "events": [row, row]}
    )


def test_records_are_a_table() -> None:
    """A list of records with the same keys, all of them plain text, names its columns once."""
    rows = [{"title": title, "start": "2027-02-08T09:00", "end": ""} for title in ("Design review", "Stand-up " * 9)]
    table = ["[", f" {' | '.join(rows[0])}", *(f" {' | '.join(row.values())}" for row in rows), "]"]

    assert table == pretty(rows).split("\n")


@pytest.mark.parametrize("odd", ["a | b", '"a"', "a\nb", "\u202e", 1, None])
def test_other_records_are_json(odd: object) -> None:
    """Records with other values than plain text, or with other keys, keep the form of JSON."""
    rows = [{"title": "Design review " * 9, "room": "R01"}]

    assert [*rows, {"title": odd, "room": "R01"}] == json.loads(pretty([*rows, {"title": odd, "room": "R01"}]))
    assert [*rows, {"room": "R01", "title": ""}] == json.loads(pretty([*rows, {"room": "R01", "title": ""}]))
    assert rows == json.loads(pretty(rows))


CELLS = st.text(min_size=10) | st.sampled_from(["", "|", "Stand-up, 09:00", "a  b", "{", "["])
TABLES = st.lists(st.fixed_dictionaries({"title": CELLS, "": CELLS, "at": CELLS}), min_size=2, max_size=20)


@given(JSON | TABLES | st.fixed_dictionaries({"events": TABLES, "total": JSON}))
def test_value_is_kept(value: Any) -> None:
    """The text reads back as the value, unless it is nested very deeply."""
    assert value == read(pretty(value))


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


@given(JSON.map(lambda value: json.dumps(value, ensure_ascii=False)))
def test_json_is_laid_out(text: str) -> None:
    """JSON on one line is laid out and reads back as its value."""
    assert json.loads(text) == read(pretty_if_json(text))

"""One flat line an episode, the same in every format and as pandas reads it."""

import csv
import io
import json
import sys

import pandas as pd
import pytest
from pyarrow import parquet

from mpcbench.evaluation.runs.episode_table import COLUMNS, MissingPackageError, TableFormat, encode, rows
from mpcbench.schema.cause import Stage
from mpcbench.schema.episode import Attribution, AttributionVerdict, Outcome, RepairTrial, Usage
from unit_tests.builders.results import diagnosis, result

POLICY, TOO_FEW = "integration.constraint_added:policy", "integration.count:too_few"
HOSTILE = '=1+1,"x"\n\u2028é'

FULL = result(
    0.5,
    2,
    model=HOSTILE,
    trial=3,
    reveal="plan",
    tool_calls=7,
    tool_errors=1,
    usage=Usage(input_tokens=100, cached_input_tokens=50, output_tokens=20, reasoning_tokens=10),
    cost_usd=0.25,
    records_missed=("calendar:p001", "policy:POL-01"),
    diagnosis=diagnosis(0.5, 0.75, (TOO_FEW, 1), (POLICY, 2)),
    attribution=Attribution(
        verdict=AttributionVerdict.PROVEN,
        proven=Stage.ACQUISITION,
        trials=(RepairTrial(reveal="records", outcome=Outcome.PASSED, f1=1, exact_match=True),),
    ),
)
ERROR = result(None, 1, level=2)


def test_columns_and_values() -> None:
    """Every column is there, in its order, with plain values."""
    expected = {
        "instance_id": "level1-002",
        "level": 1,
        "model": HOSTILE,
        "trial": 3,
        "grading_version": FULL.grading_version,
        "outcome": "failed",
        "paraphrase": 1,
        "tags": "hidden",
        "reveal": "plan",
        "answer_status": "parsed",
        "answer_error": None,
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "exact_match": False,
        "ranked_match": False,
        "gold": 3,
        "proposed": 3,
        "finish": "stop",
        "turns": 3,
        "tool_calls": 7,
        "tool_errors": 1,
        "input_tokens": 100,
        "cached_input_tokens": 50,
        "output_tokens": 20,
        "reasoning_tokens": 10,
        "cost_usd": 0.25,
        "seconds": 2.0,
        "records_missed": "calendar:p001 policy:POL-01",
        "decomposition": 1.0,
        "acquisition": 0.75,
        "integration": 0.5,
        "stage": "integration",
        "primary_causes": f"{POLICY} {TOO_FEW}",
        "proven": "acquisition",
        "fault_kind": None,
        "fault_message": None,
    }
    (actual,) = rows([FULL])

    assert list(COLUMNS) == list(actual)
    assert expected == actual
    assert {str, int, float, bool, type(None)} == {type(value) for value in actual.values()}


def test_error_has_no_scores() -> None:
    """What is unknown is None, not 0; the reason of an error is shown."""
    (row,) = rows([ERROR])
    known = {name for name, value in row.items() if value is not None}

    assert ("error", "endpoint", "503") == (row["outcome"], row["fault_kind"], row["fault_message"])
    assert known.isdisjoint({"f1", "exact_match", "turns", "input_tokens", "cost_usd", "stage", "primary_causes"})


def test_rows_are_sorted() -> None:
    """By level, instance, model and trial."""
    given = [result(1.0, 0, level=2), result(1.0, 1, trial=2), result(1.0, 1), result(1.0, 1, model="a"), result(1.0)]
    expected = [(1, 0, "m", 1), (1, 1, "a", 1), (1, 1, "m", 1), (1, 1, "m", 2), (2, 0, "m", 1)]

    assert [(level, f"level{level}-{number:03}", *rest) for level, number, *rest in expected] == [
        (row["level"], row["instance_id"], row["model"], row["trial"]) for row in rows(given)
    ]


def test_json_holds_the_rows() -> None:
    """A list of objects, whatever a model wrote."""
    assert rows([FULL, ERROR]) == json.loads(encode([FULL, ERROR], TableFormat.JSON))


def as_pandas_reads(table_format: TableFormat) -> pd.DataFrame:
    content = io.BytesIO(encode([FULL, ERROR], table_format))
    match table_format:
        case TableFormat.CSV:
            return pd.read_csv(content)
        case TableFormat.JSON:
            return pd.read_json(content, orient="records")
        case TableFormat.PARQUET:
            return parquet.read_table(content).to_pandas()


@pytest.mark.parametrize("table_format", TableFormat)
def test_pandas_reads_every_format(table_format: TableFormat) -> None:
    """Numbers are numbers, text is as it was, and what is unknown is missing."""
    frame = as_pandas_reads(table_format)

    assert list(COLUMNS) == list(frame.columns)
    assert frame["model"].tolist() == [f"'{HOSTILE}" if table_format is TableFormat.CSV else HOSTILE, "m"]
    assert frame["f1"].mean() == 0.5
    assert frame["input_tokens"].sum() == 100
    assert frame["turns"].isna().tolist() == [False, True]
    assert frame["primary_causes"].isna().tolist() == [False, True]


def test_parquet_columns_have_types_without_values() -> None:
    """A column of nothing but unknown values has its type all the same, so that tables can be put together."""
    types = parquet.read_schema(io.BytesIO(encode([ERROR], TableFormat.PARQUET)))

    assert ("double", "int64", "bool", "string") == tuple(
        str(types.field(name).type) for name in ("f1", "turns", "exact_match", "stage")
    )


@pytest.mark.parametrize("table_format", TableFormat)
def test_no_episodes_make_an_empty_table(table_format: TableFormat) -> None:
    """CSV and Parquet still name the columns."""
    content = encode([], table_format)

    match table_format:
        case TableFormat.CSV:
            assert content.decode() == ",".join(COLUMNS) + "\n"
        case TableFormat.JSON:
            assert json.loads(content) == []
        case TableFormat.PARQUET:
            assert parquet.read_schema(io.BytesIO(content)).names == list(COLUMNS)


def test_missing_pyarrow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only Parquet needs it; the message says how to get it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    assert encode([FULL], TableFormat.CSV)
    with pytest.raises(MissingPackageError, match="parquet needs pyarrow, which is not installed: pip install pyarrow"):
        encode([FULL], TableFormat.PARQUET)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\r\n=1\r=1"])
def test_text_in_csv_is_no_formula(text: str) -> None:
    """A spreadsheet would run it; numbers stay numbers, and the other formats keep the text."""
    hostile = result(0.5, 2, model=text)
    content = encode([hostile], TableFormat.CSV).decode()
    read = next(csv.DictReader(io.StringIO(content, newline="")))["model"]

    assert "'" + text.replace("\r\n", "\n").replace("\r", "\n") == read
    assert "\r" not in content
    assert text == json.loads(encode([hostile], TableFormat.JSON))[0]["model"]

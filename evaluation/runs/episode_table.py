"""One flat line an episode, for pandas and spreadsheets.

Strings are as the model and the data set wrote them. In CSV, an apostrophe comes before a text that a spreadsheet
would take for a formula: one that begins with =, +, -, @, a tab or a carriage return. Carriage returns become line
feeds, which are quoted, as a reader may begin a new row at one.
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

from mpcbench.evaluation.diagnosis.primary import primary_reasons
from mpcbench.schema.episode import Usage
from mpcbench.schema.result import Result

Cell = str | int | float | bool | None

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a formula of a spreadsheet's cell that begins with it."""

COLUMNS: Final[dict[str, tuple[type[str | int | float | bool], str]]] = {
    "instance_id": (str, "which instance"),
    "level": (int, "1 to 3"),
    "model": (str, "the agent"),
    "trial": (int, "from 1"),
    "grading_version": (str, "only episodes of one version can be compared"),
    "outcome": (str, "passed, failed, or error, which has no scores"),
    "paraphrase": (int, "which text of the task, from 1"),
    "tags": (str, "hidden or shown"),
    "reveal": (str, "what the task revealed: plan, records, constraints; else empty"),
    "answer_status": (str, "parsed, unparsable, truncated, refused, no_answer; empty for an error"),
    "answer_error": (str, "why it could not be parsed"),
    "precision": (float, "0 to 1, of candidates; empty for an error, like all scores"),
    "recall": (float, "0 to 1"),
    "f1": (float, "0 to 1"),
    "exact_match": (bool, "whether the answer is the gold as a set"),
    "ranked_match": (bool, "whether it is in the right order, too"),
    "gold": (int, "number of gold candidates"),
    "proposed": (int, "number of candidates in the answer; empty without one"),
    "finish": (str, "why the agent stopped: stop, length, refusal, turns"),
    "turns": (int, "of the agent"),
    "tool_calls": (int, "of all turns"),
    "tool_errors": (int, "calls that were answered by an error"),
    "input_tokens": (int, "of all requests; empty if unknown, like all tokens"),
    "cached_input_tokens": (int, "part of the input tokens"),
    "output_tokens": (int, "of all requests"),
    "reasoning_tokens": (int, "part of the output tokens"),
    "cost_usd": (float, "empty if unknown"),
    "seconds": (float, "of the whole episode"),
    "records_missed": (str, "required records that no tool showed, with spaces between"),
    "decomposition": (float, "0 to 1, the capability; empty if unknown, like the others"),
    "acquisition": (float, "0 to 1"),
    "integration": (float, "0 to 1"),
    "stage": (str, "the first stage that failed, deduced"),
    "primary_causes": (str, "deduced, with spaces between where several fit equally well"),
    "proven": (str, "the stage that a repair proved; empty if none was tried or none did"),
    "fault_kind": (str, "why it is an error: endpoint, harness, worker"),
    "fault_message": (str, "the same in words"),
}
"""The columns in their order: the type of what is in them, and what that is. Any but the first ten may be empty."""


class TableFormat(StrEnum):
    """How the table is written."""

    CSV = "csv"
    """With a heading; an empty field is unknown."""

    JSON = "json"
    """A list of objects."""

    PARQUET = "parquet"
    """Needs pyarrow, which the extra `parquet` installs."""


class MissingPackageError(RuntimeError):
    """The format needs a package that is not installed."""


def rows(results: Iterable[Result]) -> list[dict[str, Cell]]:
    """One dictionary an episode, its keys those of `COLUMNS`, by level, instance, model and trial."""
    return [_row(one) for one in sorted(results, key=lambda one: (one.level, one.instance_id, one.model, one.trial))]


def encode(results: Iterable[Result], table_format: TableFormat) -> bytes:
    """The table as the content of a file, UTF-8 where it is text.

    Raises:
        MissingPackageError: pyarrow is not installed.
    """
    table = rows(results)
    match table_format:
        case TableFormat.CSV:
            return _csv(table)
        case TableFormat.JSON:
            return (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode()
        case TableFormat.PARQUET:
            return _parquet(table)


def _row(result: Result) -> dict[str, Cell]:
    diagnosis = result.diagnosis
    apart: dict[str, Any] = {
        "records_missed": " ".join(result.records_missed),
        "stage": None if diagnosis is None else diagnosis.stage,
        "primary_causes": None if diagnosis is None else " ".join(sorted(primary_reasons(diagnosis))),
        "proven": None if result.attribution is None else result.attribution.proven,
        "fault_kind": None if result.fault is None else result.fault.kind,
        "fault_message": None if result.fault is None else result.fault.message,
    }
    sources = (result.scores, result.usage or Usage(), None if diagnosis is None else diagnosis.capability, result)
    return {name: _cell(apart[name] if name in apart else _first(sources, name)) for name in COLUMNS}


def _first(sources: Sequence[object], name: str) -> Any:
    """The value of the first source that has such a field."""
    return next((getattr(source, name) for source in sources if hasattr(source, name)), None)


def _cell(value: Any) -> Cell:
    return str(value) if isinstance(value, str) else value  # not an enum's member


def _csv(table: Sequence[dict[str, Cell]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _plain(cell) for name, cell in row.items()} for row in table)
    return text.getvalue().encode()


def _plain(cell: Cell) -> Cell:
    """The cell as no spreadsheet runs it."""
    if not isinstance(cell, str):
        return cell
    return ("'" * cell.startswith(_FORMULA) + cell).replace("\r\n", "\n").replace("\r", "\n")


def _parquet(table: Sequence[dict[str, Cell]]) -> bytes:
    try:
        import pyarrow as pa  # noqa: PLC0415  # an extra, and heavy
        from pyarrow import parquet  # noqa: PLC0415  # the same
    except ImportError:
        raise MissingPackageError(
            "parquet needs pyarrow, which is not installed: pip install pyarrow, or the extra parquet of this project"
        ) from None
    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, (kind, _) in COLUMNS.items()])
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(table), schema=schema), buffer)
    return buffer.getvalue()

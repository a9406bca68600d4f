"""The layout of the Hugging Face hub: one Parquet file for each level and split, and a card."""

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from mpcbench.benchmark.export.row import Provenance, Row
from mpcbench.benchmark.export.splits import FIRST_SEEDS, Split
from mpcbench.evaluation.runs.episode_table import MissingPackageError
from mpcbench.schema.dataset import LEVELS
from mpcbench.schema.model import Level
from mpcbench.schema.versions import CANARY, GENERATOR_VERSION

_ROWS_AT_ONCE: Final = 50

_CARD: Final = """\
---
license: cc-by-4.0
language: [en]
task_categories: [text-generation]
tags: [tool-calling, scheduling, mpcbench]
configs:
{configs}
---
# MPCBench demonstrations

Conversations in which an agent schedules meetings with tools and finds exactly the right options. `messages` are OpenAI
chat messages, `tools` the JSON of the tools' definitions; the other columns say where a row comes from.

| level | split | rows |
|---|---|---:|
{counts}

Data version {version}. Splits have seeds of their own, so they share no world: {seeds}.
Rows with `do_not_train` are for tests only.

{canary}
"""


class ParquetWriters:
    """The Parquet files of an export, each opened with its first row; raises `MissingPackageError` without pyarrow."""

    def __init__(self, folder: Path) -> None:
        try:
            import pyarrow as pa  # noqa: PLC0415  # an extra, and heavy
            from pyarrow import parquet  # noqa: PLC0415  # the same
        except ImportError:
            raise MissingPackageError(
                "hf needs pyarrow, which is not installed: pip install pyarrow, or the extra parquet of this project"
            ) from None
        self._pa, self._parquet = pa, parquet
        self._folder = folder
        self._schema = _schema(pa)
        self._writers: dict[tuple[Level, Split], Any] = {}
        self._waiting: dict[tuple[Level, Split], list[Row]] = {}
        self.counts: dict[tuple[Level, Split], int] = {}

    def write(self, row: Row) -> None:
        """Add a row to the file of its level and split."""
        origin = row["provenance"]
        key = (origin["level"], Split(origin["split"]))
        waiting = self._waiting.setdefault(key, [])
        waiting.append({"messages": row["messages"], "tools": json.dumps(row["tools"], ensure_ascii=False), **origin})
        self.counts[key] = self.counts.get(key, 0) + 1
        if len(waiting) == _ROWS_AT_ONCE:
            self._flush(key)

    def _flush(self, key: tuple[Level, Split]) -> None:
        level, split = key
        if key not in self._writers:
            path = self._folder / f"level{level}" / f"{split}.parquet"
            path.parent.mkdir(exist_ok=True)
            self._writers[key] = self._parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._writers[key].write_table(self._pa.Table.from_pylist(self._waiting[key], schema=self._schema))
        self._waiting[key] = []

    def close(self) -> None:
        """Write what is left."""
        for key, waiting in self._waiting.items():
            if waiting:
                self._flush(key)
        for writer in self._writers.values():
            writer.close()


def write_hugging_face(out: Path, rows: Iterable[Row]) -> int:
    """Write the folder, which is new or empty, and return the number of rows; raises `MissingPackageError`."""
    out.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(mkdtemp(prefix=".export-", dir=out.parent))
    try:
        files = ParquetWriters(aside)
        try:
            for row in rows:
                files.write(row)
        finally:
            files.close()
        (aside / "README.md").write_text(_card(files.counts), encoding="utf-8", newline="\n")
        aside.chmod(0o755)
        aside.replace(out)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return sum(files.counts.values())


def _card(counts: Mapping[tuple[Level, Split], int]) -> str:
    by_level = {level: [split for split in Split if (level, split) in counts] for level in LEVELS}
    configs = [
        line
        for level, splits in by_level.items()
        if splits
        for line in (
            f"  - config_name: level{level}",
            "    data_files:",
            *(f"      - {{split: {split}, path: level{level}/{split}.parquet}}" for split in splits),
        )
    ]
    table = [f"| {level} | {split} | {counts[level, split]:,} |" for level in LEVELS for split in by_level[level]]
    return _CARD.format(
        configs="\n".join(configs),
        counts="\n".join(table),
        version=GENERATOR_VERSION,
        seeds=", ".join(f"{split} from {first:,}" for split, first in FIRST_SEEDS.items()),
        canary=CANARY,
    )


def _schema(pa: Any) -> Any:
    text = pa.string()
    function = pa.struct([("name", text), ("arguments", text)])
    call = pa.struct([("id", text), ("type", text), ("function", function)])
    message = pa.struct([("role", text), ("content", text), ("tool_calls", pa.list_(call)), ("tool_call_id", text)])
    origin = {name: _column(pa, about) for name, about in Provenance.model_json_schema()["properties"].items()}
    fields = {"messages": pa.list_(message), "tools": text, **origin}
    return pa.schema(list(fields.items()), metadata={"canary": CANARY})


def _column(pa: Any, about: Mapping[str, Any]) -> Any:
    """The type of the column for a field, by its JSON Schema."""
    types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "array": pa.list_(pa.string())}
    options = (about, *about.get("anyOf", ()))
    return next((types[one["type"]] for one in options if one.get("type") in types), pa.string())

"""JSONL files: written aside line by line, and moved into place once they are complete."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO

from mpcbench.benchmark.export.openai_format import openai_row
from mpcbench.benchmark.export.row import Row


def as_line(row: Row) -> str:
    """A row as a line of a JSONL file."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"


def write_jsonl(out: Path, rows: Iterable[Row], *, for_openai: bool) -> int:
    """Write the rows, and return how many they are.

    Args:
        out: The file.
        rows: In their order.
        for_openai: Whether in OpenAI's format, with the provenance of each line in a file beside it.
    """
    forms: list[Callable[[Row], Row]] = [openai_row, _provenance] if for_openai else [dict]
    outs = written_files(out, for_openai=for_openai)
    count = 0
    with ExitStack() as stack:
        files = [stack.enter_context(_aside(one)) for one in outs]
        for row in rows:
            count += 1
            for file, form in zip(files, forms, strict=True):
                file.write(as_line(form(row)))
    return count


def _provenance(row: Row) -> Row:
    found: Row = row["provenance"]
    return found


def written_files(out: Path, *, for_openai: bool) -> list[Path]:
    """The files that `write_jsonl` writes."""
    return [out, provenance_file(out)] if for_openai else [out]


def provenance_file(out: Path) -> Path:
    """The file with the provenance of a file in OpenAI's format."""
    return out.with_name(f"{out.stem}.provenance.jsonl")


def easiest_first(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows by level, then by the share of failures in the run, then by how many things decide the gold.

    They wait in a temporary file, since they may not fit into memory.
    """
    with TemporaryFile("w+", encoding="utf-8", newline="\n") as waiting:
        places = []
        for row in rows:
            places.append((_difficulty(row), waiting.tell()))
            waiting.write(as_line(row))
        for _, place in sorted(places):
            waiting.seek(place)
            yield json.loads(waiting.readline())


def _difficulty(row: Row) -> tuple[float, ...]:
    origin = row["provenance"]
    return origin["level"], origin["failure_rate"] or 0.0, origin["load_bearing"]


@contextmanager
def _aside(out: Path) -> Iterator[IO[str]]:
    """A new file beside its place; moved there in the end, or removed where something fails."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(
        "w", encoding="utf-8", newline="\n", dir=out.parent, prefix=".export-", delete=False
    ) as file:
        aside = Path(file.name)
        try:
            yield file
            file.close()
            aside.chmod(0o644)
            aside.replace(out)
        except BaseException:
            aside.unlink()
            raise

"""One data file: read and validated with exact errors, or put into the text that it holds."""

import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from mpcbench.schema.model import Model

M = TypeVar("M", bound=Model)


class DataError(ValueError):
    """A data file is missing or invalid; the message is one line `FILE:LINE: $.json.path: what`."""


def read_text(path: Path) -> str:
    """The content of a text file; raises `DataError` if it is missing or not UTF-8."""
    return io.StringIO(_decoded(_read(path), path), newline=None).read()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 at byte {error.start}") from None


def read_json(path: Path) -> object:
    """The value of a JSON file; raises `DataError` naming the line of a syntax error."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from None


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, without what indents them, and their numbers from 1; blank ones cost no memory."""
    number, counted = 1, 0
    for match in re.finditer(r"\S[^\n]*", text):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        yield number, match[0]


def read_json_lines(path: Path) -> Iterator[tuple[int, object]]:
    """The values of a JSONL file with their line numbers from 1; blank lines are skipped."""
    for number, line in numbered_lines(read_text(path)):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}:{number}: not JSON: {error}") from None


def read_model(path: Path, model: type[M]) -> M:
    """The validated value of a JSON file; raises `DataError`.

    The bytes are validated, since a text with one rare character takes four times their memory.
    """
    content = _read(path)
    try:
        return model.model_validate_json(content, strict=True)
    except ValidationError:
        return _validated(model, _decoded(content, path), path)


def read_jsonl(path: Path, model: type[M]) -> Iterator[tuple[int, M]]:
    """The validated values of a JSONL file with their line numbers from 1; raises `DataError`."""
    for number, line in numbered_lines(read_text(path)):
        yield number, _validated(model, line, path, number)


def _validated(model: type[M], text: str, path: Path, line: int | None = None) -> M:
    """Validate strictly, so that pydantic agrees with JSON Schema: "3" is not a number."""
    try:
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        what, _, where = str(first["ctx"]["error"]).rpartition(" at line ")
        row, _, column = where.partition(" column ")
        raise DataError(f"{path}:{line or row}: not JSON: {what} at column {column}")
    place = f"{path}" if line is None else f"{path}:{line}"
    where = json_path(_location(first["loc"], json.loads(text)))
    raise DataError(f"{place}: {where}: {_one_line(first['msg'])}")


def _location(parts: tuple[int | str, ...], value: Any) -> Iterator[int | str]:
    """The parts of a pydantic location that exist in the value; pydantic also names the chosen member of a union."""
    for place, part in enumerate(parts, start=1):
        if isinstance(part, int) or (isinstance(value, dict) and part in value):
            yield part
            value = value[part]
        elif place == len(parts) and isinstance(value, dict):
            yield part  # a missing field


def json_path(location: Iterable[int | str]) -> str:
    """A location within a JSON value as a one-line JSONPath, such as `$.people[3].name` or `$["a b"]`."""
    return "$" + "".join(
        f".{part}" if isinstance(part, str) and part.isidentifier() else f"[{json.dumps(part)}]" for part in location
    )


def _one_line(message: str) -> str:
    return re.sub(r"\s+", " ", message).strip()


def to_json_text(model: Model, *, spaced: bool = True) -> str:
    """A model as the text of a JSON file, with one line per list item to keep diffs readable.

    Args:
        model: The value.
        spaced: Whether a space follows the commas and colons within an item, which makes large files a tenth larger.
    """
    dump = _compact if spaced else _dense
    fields = []
    for name, value in model.model_dump(mode="json").items():
        if isinstance(value, list) and value:
            items = ",\n".join(f"  {dump(item)}" for item in value)
            fields.append(f" {_compact(name)}: [\n{items}\n ]")
        else:
            fields.append(f" {_compact(name)}: {dump(value)}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def to_jsonl_text(models: Iterable[Model]) -> str:
    """Models as the text of a JSONL file."""
    return "".join(f"{_compact(model.model_dump(mode='json'))}\n" for model in models)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _dense(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

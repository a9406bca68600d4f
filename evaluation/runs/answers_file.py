"""A JSONL file of answers, one a line, to be scored without running an agent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Strict, StrictStr, ValidationError

from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.schema.dataset import DataError, Dataset, json_path, numbered_lines, read_text
from mpcbench.schema.episode import Episode, Reply
from mpcbench.schema.level4.exam import any_exam
from mpcbench.schema.model import Model

_LARGEST = 256 * 2**20
"""Bytes of the largest file that is read; the answers of all instances have less than 1 MB."""


class _Line(Model):
    instance_id: StrictStr
    answer: StrictStr | Annotated[dict[str, Any], Strict()]


class SubmittedAnswer(NamedTuple):
    """One line: the instance and the agent's final message."""

    instance_id: str
    text: str


def read_answers(path: Path, dataset: Dataset) -> list[SubmittedAnswer]:
    """The answers of a file, in its order, without blank lines.

    Raises:
        DataError: the file is missing, or a line is not a JSON object with `instance_id` and `answer`, names an
            instance that the data set lacks or that an earlier line names.
    """
    known = {instance_id for level in dataset.all_levels for instance_id in dataset.instance_ids(level)}
    lines: dict[str, int] = {}
    given = []
    for number, line in _lines(path):
        place = f"{path}:{number}"
        if line.instance_id not in known:
            raise DataError(f"{place}: $.instance_id: no instance {line.instance_id!r} in {dataset.folder}")
        if line.instance_id in lines:
            earlier = lines[line.instance_id]
            raise DataError(f"{place}: $.instance_id: {line.instance_id!r} is on line {earlier} already")
        lines[line.instance_id] = number
        text = line.answer if isinstance(line.answer, str) else json.dumps(line.answer)
        given.append(SubmittedAnswer(line.instance_id, text))
    return given


def grade_answers(given: list[SubmittedAnswer], dataset: Dataset, model: str) -> Iterator[Episode]:
    """The episodes of the answers, in their order; no tool calls are known. Raises `DataError`."""
    for instance_id, text in given:
        exam = any_exam(dataset, instance_id)
        yield grade(exam, Attempt(model=model, task=exam.instance.task[0], reply=Reply(text=text)))


def _lines(path: Path) -> Iterator[tuple[int, _Line]]:
    for number, line in numbered_lines(_text(path)):
        try:
            yield number, _Line.model_validate(json.loads(line, parse_constant=_refuse))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = [part for part in first["loc"] if part not in ("str", "dict[str,any]")]
            what = first["msg"] if first["type"] in ("missing", "extra_forbidden") else _expected(where)
            raise DataError(f"{path}:{number}: {json_path(where)}: {what.lower()}") from None
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}:{number}: not JSON: {error}") from None


def _text(path: Path) -> str:
    """The content of the file, which may be a pipe."""
    if path.is_file() and path.stat().st_size > _LARGEST:
        raise DataError(f"{path}: {path.stat().st_size:,} bytes, and at most {_LARGEST:,} are read")
    return read_text(path)


def _expected(where: list[int | str]) -> str:
    kinds = {"instance_id": "a string", "answer": "a string (the final message) or an object (the answer)"}
    return f"must be {kinds[str(where[0])] if where else 'an object'}"


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON value")

"""The JSON Schema files of the data: generating them from the pydantic models, and checking documents.

JSON Schema and pydantic agree on a document, with these exceptions. Only pydantic rejects:

- a start that is not before its end (events, windows, bans, hours of the day);
- an unknown IANA time zone;
- a record ID, an alias or a notice ID that is not unique within a world;
- at level 4 a monthly series without its weekday, and a date that a series excepts or moves twice;
- a whole number written with a decimal point, such as `45.0`;
- text with half of a surrogate pair, which no UTF-8 file can hold.

Only JSON Schema rejects `true` and `1.0` for level 1. `schema.dataset` checks what spans lines and files: the level
of a file, duplicate instances, instances without a label.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from mpcbench.schema.dataset import json_path
from mpcbench.schema.instance import Instance
from mpcbench.schema.label import Label
from mpcbench.schema.level4.instance import LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.world import LadderWorld
from mpcbench.schema.model import Model
from mpcbench.schema.world import World

FOLDER = Path(__file__).parent
DATA_FILES = ("world.schema.json", "instance.schema.json", "oracle.schema.json")
"""The schemas of a level's files, in the order world, instances, labels; those of level 4 are in its own folder."""

MODELS: Mapping[str, type[Model]] = {
    **dict(zip(DATA_FILES, (World, Instance, Label), strict=True)),
    **dict(zip((f"level4/{name}" for name in DATA_FILES), (LadderWorld, LadderInstance, LadderLabel), strict=True)),
}
"""The model behind each JSON Schema file, by its path in this folder."""

_LONGEST_MESSAGE = 200


class _Generator(GenerateJsonSchema):
    def generate(self, schema: core_schema.CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        return {"$schema": self.schema_dialect, **super().generate(schema, mode)}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """A union selected by its tag, so that an error is reported for the member that the tag names."""
        union = super().tagged_union_schema(schema)
        tag, members = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        return {
            "type": "object",
            "required": [tag],
            "properties": {tag: {"enum": list(members)}},
            "allOf": [
                {"if": {"required": [tag], "properties": {tag: {"const": name}}}, "then": {"$ref": reference}}
                for name, reference in members.items()
            ],
        }


def json_schema(model: type[Model]) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a model."""
    return model.model_json_schema(schema_generator=_Generator)


def schema_texts() -> dict[str, str]:
    """The text of every JSON Schema file, by file name."""
    return {name: json.dumps(json_schema(model), ensure_ascii=False, indent=2) + "\n" for name, model in MODELS.items()}


def first_error(document: Any, name: str) -> str | None:
    """The most relevant error of a document under the JSON Schema file `name`, as `$.path: what`; None if valid."""
    error = best_match(_validator(name).iter_errors(document))
    if error is None:
        return None
    message = re.sub(r"\s+", " ", error.message)
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[: _LONGEST_MESSAGE // 2]} ... {message[-_LONGEST_MESSAGE // 2 :]}"
    return f"{json_path(error.absolute_path)}: {message}"


@cache
def _validator(name: str) -> Validator:
    schema = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    validator: Validator = _Strict(schema, format_checker=_FORMATS)
    return validator


def _pattern(_: Validator, pattern: str, instance: object, __: Mapping[str, Any]) -> Iterator[ValidationError]:
    """Match `$` as ECMA 262 does, at the end only; Python's `$` also matches before a final line feed."""
    if isinstance(instance, str) and not re.search(pattern.replace("$", r"\Z"), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Strict = extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]
_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time", raises=ValueError)
def _is_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value) is not None


@_FORMATS.checks("date", raises=ValueError)
def _is_day(value: object) -> bool:
    return not isinstance(value, str) or date.fromisoformat(value) is not None

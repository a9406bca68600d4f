"""The JSON Schema files match the models, and both judge documents alike."""

import json
from pathlib import PurePosixPath
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from mpcbench.schema.json_schema import FOLDER, MODELS, first_error, schema_texts
from unit_tests.marks import UNTRACED
from unit_tests.schema.documents import DOCUMENTS, documents, mutants

EVENT = "2027-02-08T12:00:00+01:00"


def refused_by_pydantic(document: Any, name: str) -> bool:
    try:
        MODELS[name].model_validate_json(json.dumps(document), strict=True)
    except ValidationError:
        return True
    return False


def edited(name: str, edit: str, value: object) -> Any:
    """The valid document with one value set; the path is dotted."""
    document: Any = DOCUMENTS[name].model_dump(mode="json")
    *parents, last = (int(part) if part.isdigit() else part for part in edit.split("."))
    place = document
    for part in parents:
        place = place[part]
    place[last] = value
    return document


def test_files_are_those_of_the_models() -> None:
    """The committed files are the generated ones, byte for byte; `python -m schema write` makes them so."""
    expected = {name: text.encode() for name, text in schema_texts().items()}
    actual = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.schema.json")}

    assert expected == actual


@pytest.mark.parametrize("name", MODELS)
def test_files_are_json_schemas(name: str) -> None:
    """Each file is a schema of draft 2020-12 with a description."""
    schema = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)

    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert MODELS[name].__name__ == schema["title"]
    assert MODELS[name].__doc__ == schema["description"]


@pytest.mark.parametrize("name", MODELS)
def test_valid_document_has_no_error(name: str) -> None:
    """A document that uses every model is valid for JSON Schema, and so is the dump of it."""
    assert first_error(DOCUMENTS[name].model_dump(mode="json"), name) is None


@UNTRACED
@pytest.mark.parametrize("folder", [".", "level4"])
def test_pydantic_and_json_schema_judge_alike(folder: str) -> None:
    """Of all documents with one change, pydantic rejects exactly those that JSON Schema rejects."""
    expected, actual = set(), set()
    for name, valid, part in documents():
        if PurePosixPath(name).parent != PurePosixPath(folder):
            continue
        for change, document in mutants(valid, part):
            if "timezone" in change:
                continue  # which names there are, only pydantic knows
            if refused_by_pydantic(document, name):
                expected.add((name, change))
            if first_error(document, name) is not None:
                actual.add((name, change))

    assert len(expected) > 1000
    assert expected == actual


@pytest.mark.parametrize(
    ("name", "edit", "value"),
    [
        ("world.schema.json", "timezone", "Europe/Atlantis"),
        ("world.schema.json", "calendars.0.events.0.start", EVENT),
        ("world.schema.json", "room_calendars.0.bookings.0.start", EVENT),
        ("world.schema.json", "documents.0.sections.0.rules.0.start", "17:00"),
        ("world.schema.json", "documents.0.sections.0.rules.0.end", "09:00"),
        ("world.schema.json", "threads.0.messages.0.tags.0.statement.daily.start", "24:00"),
        ("world.schema.json", "threads.0.messages.0.tags.0.statement.start", EVENT),
        ("instance.schema.json", "seed", 1.0),
        ("level4/world.schema.json", "calendars.0.entries.0.start", EVENT),
        ("level4/world.schema.json", "calendars.0.entries.0.recurrence.excepted.0", "2027-02-08"),
        ("level4/world.schema.json", "calendars.0.entries.0.recurrence.frequency", "monthly"),
        ("level4/world.schema.json", "calendars.0.entries.0.recurrence.moved.0.start", EVENT),
        ("level4/world.schema.json", "pages.0.facts.0.alias", "the Dutch thing"),
        ("level4/world.schema.json", "rosters.0.shifts.0.last", "2027-02-07"),
        ("level4/world.schema.json", "sites.0.opening.0.end", "08:00"),
    ],
)
def test_only_pydantic_refuses(name: str, edit: str, value: object) -> None:
    """Pydantic rejects what JSON Schema cannot express."""
    document = edited(name, edit, value)

    assert refused_by_pydantic(document, name)
    assert first_error(document, name) is None


@pytest.mark.parametrize("level", [True, 1.0])
def test_level_written_oddly(level: object) -> None:
    """`true` is no level for JSON Schema, whatever pydantic thinks; 1.0 is one for both."""
    document = edited("instance.schema.json", "level", level)

    assert not refused_by_pydantic(document, "instance.schema.json")
    assert (level is True) == (first_error(document, "instance.schema.json") is not None)


@pytest.mark.parametrize(
    ("name", "edit", "value", "expected"),
    [
        ("instance.schema.json", "references.statements.0.minutes", 17, "17 is not a multiple of 15"),
        ("world.schema.json", "people.0.person_id", "p1\n", r"'p1\n' does not match '^p[0-9]+$'"),
        ("world.schema.json", "calendars.0.events.0.end", "2027-02-30T10:00:00Z", "is not a 'date-time'"),
    ],
)
def test_error_names_the_place(name: str, edit: str, value: object, expected: str) -> None:
    """The error is that of the union's member that the tag names, with its JSON path."""
    error = first_error(edited(name, edit, value), name)
    assert error is not None
    path, _, message = error.partition(": ")

    assert edit == path.removeprefix("$.").replace("[", ".").replace("]", "")
    assert expected in message


def test_long_message_is_cut() -> None:
    """A message is one line of reasonable length, whatever the document holds."""
    error = first_error({"a\nb": "c\nd" * 999}, "oracle.schema.json")
    assert error is not None

    assert "\n" not in error
    assert len(error) < 250

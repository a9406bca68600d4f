"""Data sets are read with exact errors and written all or nothing."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from mpcbench.schema import CANARY, Instance, Label, World
from mpcbench.schema.dataset import (
    LEVELS,
    DataError,
    Dataset,
    instances_path,
    json_path,
    labels_path,
    read_json,
    read_json_lines,
    read_jsonl,
    to_json_text,
    to_jsonl_text,
    world_path,
    write_files,
)
from mpcbench.schema.exam import Exam
from unit_tests.builders import tiny
from unit_tests.examples import examples
from unit_tests.schema.documents import INSTANCE, LABEL, WORLD
from unit_tests.strategies import GeneratedCase, cases_of_any_level


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set with two instances per level."""
    return tiny.write_dataset(tmp_path / "set")


def edit(path: Path, line: int, change: Callable[[Any], object]) -> None:
    """Change one document of a JSONL file in place; the line counts from 1."""
    lines = path.read_text(encoding="utf-8").splitlines()
    document = json.loads(lines[line - 1])
    change(document)
    lines[line - 1] = json.dumps(document)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def message(read: Callable[[], object]) -> str:
    with pytest.raises(DataError) as caught:
        read()
    return str(caught.value)


def files(folder: Path) -> dict[str, str]:
    """The text of every file below a folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_dataset_gives_what_was_written(folder: Path) -> None:
    """Worlds, instances and labels come back equal, instances in file order."""
    dataset = Dataset.open(folder)

    assert LEVELS == dataset.levels
    for level in LEVELS:
        expected = tuple(tiny.instance(level, number) for number in range(2))

        assert tiny.world(level) == dataset.world(level)
        assert expected == dataset.instances(level)
        assert [instance.instance_id for instance in expected] == dataset.instance_ids(level)
        assert {f"level{level}-{n:03}": tiny.label(level, n) for n in range(2)} == dataset.labels(level)


def test_exam_is_found_by_its_id(folder: Path) -> None:
    """It holds the instance with its world and its label."""
    dataset = Dataset.open(folder)

    for level in LEVELS:
        expected = Exam(tiny.world(level), tiny.instance(level, 1), tiny.label(level, 1))
        assert expected == dataset.exam(f"level{level}-001")


@pytest.mark.parametrize("instance_id", ["level1-002", "level4-000", "level1-", "", "x"])
def test_unknown_instance(folder: Path, instance_id: str) -> None:
    """An ID that the data set lacks is named together with the folder."""
    assert f"{folder}: no instance {instance_id!r}" == message(lambda: Dataset.open(folder).exam(instance_id))


def test_files_are_read_once(folder: Path) -> None:
    """A second look gives the same value without the file."""
    dataset = Dataset.open(folder)
    expected = dataset.world(1), dataset.instances(1), dataset.labels(1)
    for path in (world_path(1), instances_path(1), labels_path(1)):
        (folder / path).unlink()

    assert expected == (dataset.world(1), dataset.instances(1), dataset.labels(1))


def test_hashes_change_with_the_files(folder: Path) -> None:
    """Every existing file has its hash, for all levels or some."""
    dataset = Dataset.open(folder)
    before = dataset.hashes()
    (folder / labels_path(2)).unlink()
    (folder / instances_path(1)).write_text("", encoding="utf-8")
    after = dataset.hashes()

    assert 9 == len(before)
    assert {labels_path(2)} == before.keys() - after.keys()
    assert {instances_path(1)} == {path for path in after if before[path] != after[path]}
    assert {path for path in before if "level3" in path} == dataset.hashes([3]).keys()


def test_folder_without_levels(tmp_path: Path) -> None:
    """A folder that holds no instances is no data set."""
    expected = f"{tmp_path}: no data set: it has no instances/instances_level1.jsonl and no other level"

    assert expected == message(lambda: Dataset.open(tmp_path))


@pytest.mark.parametrize("path", [world_path(1), instances_path(1), labels_path(1)])
def test_missing_file(folder: Path, path: str) -> None:
    """A missing file is named."""
    dataset = Dataset.open(folder)
    (folder / path).unlink()

    assert f"{folder / path}: no such file or directory" == message(
        lambda: (dataset.world(1), dataset.instances(1), dataset.labels(1))
    )


def test_file_that_is_not_utf_8(folder: Path) -> None:
    """The position of the first bad byte is reported."""
    path = folder / instances_path(1)
    path.write_bytes(b'{"a": "\xff"}')

    assert f"{path}: not UTF-8 at byte 7" == message(lambda: Dataset.open(folder).instances(1))


@pytest.mark.parametrize("read", [Dataset.instances, Dataset.instance_ids])
def test_malformed_line(folder: Path, read: Callable[[Dataset, int], object]) -> None:
    """A line that is not JSON is named by its number, counting blank lines."""
    path = folder / instances_path(1)
    first = path.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f"{first}\n\n{{]\n", encoding="utf-8")

    assert message(lambda: read(Dataset.open(folder), 1)).startswith(f"{path}:3: not JSON: ")


def test_malformed_world(folder: Path) -> None:
    """A world that is not JSON is named with the line of the error."""
    path = folder / world_path(1)
    path.write_text('{\n"seed": 1,\n]', encoding="utf-8")

    assert message(lambda: Dataset.open(folder).world(1)).startswith(f"{path}:3: not JSON: ")
    assert message(lambda: read_json(path)).startswith(f"{path}:3: not JSON: ")


def test_deeply_nested_json(tmp_path: Path) -> None:
    """Excessive nesting is an error of the file, not a crash."""
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000, encoding="utf-8")

    assert message(lambda: read_json(path)).startswith(f"{path}: not JSON: ")
    assert message(lambda: list(read_json_lines(path))).startswith(f"{path}:1: not JSON: ")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda document: document.update(seed="7"), "$.seed: Input should be a valid integer"),
        (lambda document: document.update({"a b\n": 7}), r'$["a b\n"]: Extra inputs are not permitted'),
        (lambda document: document.pop("meeting"), "$.meeting: Field required"),
        (lambda document: document.update(canary="none"), f"$.canary: Input should be '{CANARY}'"),
        (lambda document: document.update(schema_version="2"), "$.schema_version: Input should be '1'"),
        (lambda document: document["task"].pop(), "$.task: Tuple should have at least 3 items after validation, not 2"),
        (
            lambda document: document["references"].update(statements=[{"kind": "site", "site": 1}]),
            "$.references.statements[0].site: Input should be a valid string",
        ),
        (
            lambda document: document["references"].update(statements=[{"kind": "duration", "minutes": 17}]),
            "$.references.statements[0].minutes: Input should be a multiple of 15",
        ),
        (
            lambda document: document["references"].update(statements=[{"kind": "site"}]),
            "$.references.statements[0].site: Field required",
        ),
        (
            lambda document: document["references"].update(statements=[{"kind": "nonsense"}]),
            "$.references.statements[0]: Input tag 'nonsense' found using 'kind' does not match",
        ),
        (
            lambda document: document["references"].update(statements=[{"kind": "deadline", "at": 1_801_734_600}]),
            "$.references.statements[0].at: Input should be a valid datetime",
        ),
        (lambda document: document.update(level=2), "$.level: 2 in the file of level 1"),
        (lambda document: document.update(instance_id="level1-000"), "$.instance_id: 'level1-000' is not unique"),
    ],
)
def test_wrong_instance(folder: Path, change: Callable[[Any], object], expected: str) -> None:
    """An error in the second line is reported with file, line and JSON path."""
    path = folder / instances_path(1)
    edit(path, 2, change)
    actual = message(lambda: Dataset.open(folder).instances(1))

    assert actual.startswith(f"{path}:2: {expected}")
    assert "\n" not in actual


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda label: label.update(level=2), "$.level: 2 in the file of level 1"),
        (lambda label: label.update(instance_id="level1-000"), "$.instance_id: 'level1-000' is not unique"),
        (lambda label: label.update(gold=[]), "$.gold: Tuple should have at least 1 item after validation, not 0"),
    ],
)
def test_wrong_label(folder: Path, change: Callable[[Any], object], expected: str) -> None:
    """Labels are checked as instances are."""
    path = folder / labels_path(1)
    edit(path, 2, change)

    assert f"{path}:2: {expected}" == message(lambda: Dataset.open(folder).labels(1))


def test_instance_without_label(folder: Path) -> None:
    """The instance that has no label is named."""
    path = folder / labels_path(1)
    edit(path, 2, lambda label: label.update(instance_id="level1-777"))

    assert f"{path}: no label for 'level1-001'" == message(lambda: Dataset.open(folder).labels(1))


def test_world_of_another_level(folder: Path) -> None:
    """A world in the file of another level is refused."""
    path = folder / world_path(1)
    path.write_text(to_json_text(tiny.world(2)), encoding="utf-8")

    assert f"{path}: $.level: 2 in the file of level 1" == message(lambda: Dataset.open(folder).world(1))


@pytest.mark.parametrize("line", ["[]", "{}", '{"instance_id": 3}'])
def test_line_without_instance_id(folder: Path, line: str) -> None:
    """Reading only the IDs needs one on every line."""
    path = folder / instances_path(1)
    path.write_text(f"{line}\n", encoding="utf-8")

    assert f"{path}:1: $.instance_id: missing" == message(lambda: Dataset.open(folder).instance_ids(1))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((), "$"),
        (("people", 3, "name"), "$.people[3].name"),
        (("a b", 0, ""), '$["a b"][0][""]'),
        (("line\nfeed",), r'$["line\nfeed"]'),
    ],
)
def test_json_path(parts: tuple[int | str, ...], expected: str) -> None:
    """A path is one line, and field names that are not identifiers are quoted."""
    assert expected == json_path(parts)


@given(cases_of_any_level())
@examples(25)
def test_text_gives_the_value_back(case: GeneratedCase) -> None:
    """A value read from its own text is equal, and so is the text of that value."""
    world, instance = case
    text, line = to_json_text(world), to_jsonl_text([instance])

    assert world == World.model_validate_json(text, strict=True)
    assert instance == Instance.model_validate_json(line, strict=True)
    assert text == to_json_text(World.model_validate_json(text, strict=True))
    assert json.loads(text) == world.model_dump(mode="json")


def test_texts_compare_well_line_by_line(tmp_path: Path) -> None:
    """Each record of a world and each label has its own line, in UTF-8 as people read it."""
    world = WORLD.model_copy(update={"people": tuple(p.model_copy(update={"name": "Zoë"}) for p in WORLD.people)})
    lines = to_json_text(world).splitlines()
    path = tmp_path / "labels.jsonl"
    path.write_text(to_jsonl_text([LABEL, LABEL]), encoding="utf-8")

    assert "{" == lines[0]
    assert "}" == lines[-1]
    assert 1 == sum('"name": "Zoë"' in line for line in lines)
    assert [(1, LABEL), (2, LABEL)] == list(read_jsonl(path, Label))


def test_line_separators_within_text_do_not_end_a_line(tmp_path: Path) -> None:
    """Only line feeds end a line of a JSONL file: texts may hold any other separator."""
    path = tmp_path / "instances.jsonl"
    instance = INSTANCE.model_copy(update={"meeting": "a\u2028b\x85c\x0cd\re\nf"})
    write_files(tmp_path, {path.name: to_jsonl_text([instance])})

    assert [(1, instance)] == list(read_jsonl(path, Instance))


def test_write_files_writes_all(tmp_path: Path) -> None:
    """Files appear in folders that are made for them, older ones are replaced, others stay, nothing else is left."""
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    (tmp_path / "other.txt").write_text("other", encoding="utf-8")
    write_files(tmp_path, {"a.txt": "new\n", "deep/er/b.txt": "ü"})

    assert {"a.txt": "new\n", "other.txt": "other", "deep/er/b.txt": "ü"} == files(tmp_path)
    assert b"new\n" == (tmp_path / "a.txt").read_bytes()


def test_write_files_fails_while_writing(tmp_path: Path) -> None:
    """If the second text cannot be encoded, the first is not written either."""
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_files(tmp_path, {"a.txt": "new", "b.txt": "half a pair: \ud800"})

    assert {"a.txt": "old"} == files(tmp_path)


def test_write_files_cannot_replace_a_folder(tmp_path: Path) -> None:
    """If a folder blocks the second file, the first is not written either."""
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(IsADirectoryError):
        write_files(tmp_path, {"a.txt": "new", "b.txt": "new"})

    assert {"a.txt": "old"} == files(tmp_path)


def test_write_files_fails_while_placing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the third file cannot be put in place, the first two are restored: one old, one absent."""
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    replace = Path.replace

    def failing(self: Path, target: str | os.PathLike[str]) -> Path:
        if Path(target).name == "c.txt":
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(PermissionError):
        write_files(tmp_path, {"a.txt": "new", "b.txt": "new", "c.txt": "new"})

    assert {"a.txt": "old"} == files(tmp_path)

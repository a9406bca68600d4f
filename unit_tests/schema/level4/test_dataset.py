"""Level 4 of a data set is read with exact errors, and only when it is asked for."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpcbench.schema.__main__ import main
from mpcbench.schema.dataset import (
    COMMITTED,
    DataError,
    Dataset,
    data_sets,
    instances_path,
    labels_path,
    to_json_text,
    world_path,
    write_files,
)
from mpcbench.schema.level4.dataset import LadderExam, ladder_texts
from mpcbench.schema.level4.world import LadderWorld
from unit_tests.builders import tiny
from unit_tests.schema.level4_documents import INSTANCE, LABEL, WORLD
from unit_tests.schema.test_dataset import edit

INSTANCES = tuple(INSTANCE.model_copy(update={"instance_id": f"level4-{n:03}", "rung": 1 + n}) for n in range(2))
LABELS = tuple(LABEL.model_copy(update={"instance_id": f"level4-{n:03}", "rung": 1 + n}) for n in range(2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set of level 4 with two instances."""
    write_files(tmp_path / "set", ladder_texts(WORLD, INSTANCES, LABELS))
    return tmp_path / "set"


def message(read: Callable[[], object]) -> str:
    with pytest.raises(DataError) as caught:
        read()
    return str(caught.value)


def test_ladder_gives_what_was_written(folder: Path) -> None:
    """World, instances and labels come back equal, and an exam joins them."""
    dataset = Dataset.open(folder)
    ladder = dataset.ladder

    assert ((), (4,), True) == (dataset.levels, dataset.all_levels, dataset.has_ladder)
    assert (WORLD, INSTANCES) == (ladder.world, ladder.instances)
    assert {label.instance_id: label for label in LABELS} == ladder.labels
    assert {"level4-000": 1, "level4-001": 2} == ladder.rungs
    assert ["level4-000", "level4-001"] == dataset.instance_ids(4)
    assert LadderExam(WORLD, INSTANCES[1], LABELS[1]) == ladder.exam("level4-001")
    assert [folder] == data_sets(folder)
    assert 3 == len(dataset.hashes())
    assert {} == dataset.hashes([1, 2, 3])


def test_all_levels_in_one_folder(folder: Path) -> None:
    """Level 4 joins the others without changing what they give."""
    tiny.write_dataset(folder)
    dataset = Dataset.open(folder)

    assert ((1, 2, 3), (1, 2, 3, 4)) == (dataset.levels, dataset.all_levels)
    assert 12 == len(dataset.hashes())
    assert 9 == len(dataset.hashes([1, 2, 3]))


def test_files_are_read_once(folder: Path) -> None:
    """A second look gives the same value without the file."""
    ladder = Dataset.open(folder).ladder
    expected = ladder.world, ladder.instances, ladder.labels
    for path in (world_path(4), instances_path(4), labels_path(4)):
        (folder / path).unlink()

    assert expected == (ladder.world, ladder.instances, ladder.labels)


@pytest.mark.parametrize("path", [world_path(4), instances_path(4), labels_path(4)])
def test_missing_file(folder: Path, path: str) -> None:
    """A missing file is named."""
    ladder = Dataset.open(folder).ladder
    (folder / path).unlink()

    assert f"{folder / path}: no such file or directory" == message(
        lambda: (ladder.world, ladder.instances, ladder.labels)
    )


@pytest.mark.parametrize("instance_id", ["level4-002", "level1-000", "x"])
def test_unknown_instance(folder: Path, instance_id: str) -> None:
    """An ID that level 4 lacks is named together with the folder."""
    assert f"{folder}: no instance {instance_id!r}" == message(lambda: Dataset.open(folder).ladder.exam(instance_id))


@pytest.mark.parametrize(
    ("path", "change", "expected"),
    [
        (instances_path(4), {"schema_version": "1"}, "$.schema_version: Input should be '2'"),
        (instances_path(4), {"level": 3}, "$.level: Input should be 4"),
        (instances_path(4), {"rung": 0}, "$.rung: Input should be greater than or equal to 1"),
        (instances_path(4), {"instance_id": "level4-000"}, "$.instance_id: 'level4-000' is not unique"),
        (labels_path(4), {"gold": []}, "$.gold: Tuple should have at least 1 item after validation, not 0"),
        (labels_path(4), {"instance_id": "level4-000"}, "$.instance_id: 'level4-000' is not unique"),
    ],
)
def test_wrong_line(folder: Path, path: str, change: dict[str, Any], expected: str) -> None:
    """An error in the second line is reported with file, line and JSON path."""
    edit(folder / path, 2, lambda document: document.update(change))
    ladder = Dataset.open(folder).ladder

    assert f"{folder / path}:2: {expected}" == message(lambda: (ladder.instances, ladder.labels))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"instance_id": "level4-777"}, "no label for 'level4-001'"),
        ({"rung": 7}, "$.rung: 7 in the label of 'level4-001', which is on rung 2"),
    ],
)
def test_label_that_does_not_fit(folder: Path, change: dict[str, Any], expected: str) -> None:
    """Every instance has a label of its rung."""
    edit(folder / labels_path(4), 2, lambda label: label.update(change))

    assert f"{folder / labels_path(4)}: {expected}" == message(lambda: Dataset.open(folder).ladder.labels)


def test_no_instances(folder: Path) -> None:
    """An empty file of instances is an error."""
    path = folder / instances_path(4)
    path.write_text("\n", encoding="utf-8")

    assert f"{path}: no instances" == message(lambda: Dataset.open(folder).ladder.instances)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{\n"seed": 1,\n]', ":3: not JSON: "),
        (b'{"a": "\xff"}', ": not UTF-8 at byte 7"),
        (b"{}", ": $.generator_version: Field required"),
    ],
)
def test_malformed_world(folder: Path, content: bytes, expected: str) -> None:
    """What is wrong with a world is said with its place."""
    path = folder / world_path(4)
    path.write_bytes(content)

    assert message(lambda: Dataset.open(folder).ladder.world).startswith(f"{path}{expected}")


def test_text_of_a_world(folder: Path) -> None:
    """Each record has its own line, without spaces, and reads as the same value as a spaced text."""
    text = (folder / world_path(4)).read_text(encoding="utf-8")

    assert '  {"room_id":"R01","name":"Ash","site":"Harbour","floor":-1,"capacity":4,"equipment":["projector"]}' in (
        text.splitlines()
    )
    assert json.loads(text) == json.loads(to_json_text(WORLD))
    assert WORLD == LadderWorld.model_validate_json(text, strict=True)


def test_check_of_a_valid_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m schema check` checks level 4 by its own schemas."""
    code = main(["check", str(folder)])
    printed = capsys.readouterr()

    assert (0, "") == (code, printed.err)
    assert "level 4: a world, 2 instances and 2 labels are valid\n" == printed.out


def test_check_of_a_wrong_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors are found by JSON Schema, and then by the models."""
    edit(folder / instances_path(4), 1, lambda document: document.update(rung="3"))
    first = main(["check", str(folder)]), capsys.readouterr().err
    write_files(folder, ladder_texts(WORLD, INSTANCES, LABELS))
    edit(folder / labels_path(4), 2, lambda document: document.update(instance_id="level4-000"))
    second = main(["check", str(folder)]), capsys.readouterr().err

    assert (2, f"error: {folder / instances_path(4)}:1: $.rung: '3' is not of type 'integer'\n") == first
    assert (2, f"error: {folder / labels_path(4)}:2: $.instance_id: 'level4-000' is not unique\n") == second


def test_other_levels_do_without_the_models_of_level_4() -> None:
    """Importing and opening data sets does not import them."""
    code = (
        "import sys; from mpcbench.schema.dataset import COMMITTED, Dataset; Dataset.open(COMMITTED).instances(1); "
        "print([name for name in sys.modules if name.startswith('mpcbench.schema.level4')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=COMMITTED, capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout

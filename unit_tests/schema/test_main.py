"""`python -m schema` writes the JSON Schema files and says in one line each what is wrong with a data set."""

import json
import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from mpcbench.schema import __main__ as command
from mpcbench.schema.__main__ import main
from mpcbench.schema.dataset import COMMITTED, instances_path, labels_path, world_path
from mpcbench.schema.json_schema import schema_texts
from unit_tests.builders import tiny
from unit_tests.schema.test_dataset import edit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.write_dataset(tmp_path / "set", levels=(1, 3))


def errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines on standard error of a check that fails, without the folder's name."""
    code = main(["check", str(folder)])
    printed = capsys.readouterr()

    assert code == 2
    assert "" == printed.out
    return [line.removeprefix("error: ").removeprefix(f"{folder}/") for line in printed.err.splitlines()]


def test_check_of_a_valid_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for every level says what was checked."""
    code = main(["check", str(folder)])
    printed = capsys.readouterr()

    assert code == 0
    assert "" == printed.err
    assert [f"level {level}: a world, 2 instances and 2 labels are valid" for level in (1, 3)] == (
        printed.out.splitlines()
    )


def test_check_names_every_wrong_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first error of every document is reported, across all files."""
    edit(folder / instances_path(1), 1, lambda document: document.update(seed="7"))
    edit(folder / instances_path(1), 2, lambda document: document.pop("task"))
    edit(folder / labels_path(1), 2, lambda document: document.update(digest="0"))
    world = json.loads((folder / world_path(3)).read_text(encoding="utf-8"))
    world["people"][1]["age"] = 42
    (folder / world_path(3)).write_text(json.dumps(world), encoding="utf-8")

    assert [
        f"{instances_path(1)}:1: $.seed: '7' is not of type 'integer'",
        f"{instances_path(1)}:2: $: 'task' is a required property",
        f"{labels_path(1)}:2: $.digest: '0' does not match '^[0-9a-f]{{64}}$'",
        f"{world_path(3)}: $.people[1]: Additional properties are not allowed ('age' was unexpected)",
    ] == errors(folder, capsys)


def test_check_knows_the_rules_of_pydantic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What JSON Schema cannot express is checked, too, once per file."""
    world = json.loads((folder / world_path(1)).read_text(encoding="utf-8"))
    world["timezone"] = "Europe/Atlantis"
    (folder / world_path(1)).write_text(json.dumps(world), encoding="utf-8")
    edit(folder / instances_path(1), 2, lambda document: document.update(instance_id="level1-000"))

    assert [
        f"{world_path(1)}: $.timezone: Value error, unknown IANA time zone 'Europe/Atlantis'",
        f"{instances_path(1)}:2: $.instance_id: 'level1-000' is not unique",
    ] == errors(folder, capsys)


def test_check_misses_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A level with one of its files needs all three."""
    (folder / instances_path(1)).unlink()
    (folder / world_path(1)).unlink()

    assert [
        f"{world_path(1)}: no such file or directory",
        f"{instances_path(1)}: no such file or directory",
    ] == errors(folder, capsys)


def test_check_of_malformed_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines that are not JSON are named by number."""
    (folder / world_path(1)).write_text('{\n"seed" 1}', encoding="utf-8")
    (folder / labels_path(1)).write_text("\n{}}\n", encoding="utf-8")

    assert [
        f"{world_path(1)}:2: not JSON: Expecting ':' delimiter at column 8",
        f"{labels_path(1)}:2: not JSON: Extra data: line 1 column 3 (char 2)",
    ] == errors(folder, capsys)


def test_check_of_no_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without any data file is no data set."""
    assert [f"{tmp_path}: no data set: it has no instances/instances_level1.jsonl and no other level"] == (
        errors(tmp_path, capsys)
    )


def test_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The files are written from the models."""
    monkeypatch.setattr(command, "FOLDER", tmp_path)
    code = main(["write"])
    written = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.json")}

    assert code == 0
    assert capsys.readouterr().out == f"wrote {', '.join(schema_texts())} in {tmp_path}\n"
    assert schema_texts() == {name: path.read_text(encoding="utf-8") for name, path in written.items()}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
def test_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Help exits with 0 and says what the command does."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 0
    assert "python -m schema" in capsys.readouterr().out


def test_progress_is_for_terminals(folder: Path) -> None:
    """A terminal sees the progress; a file or pipe does not."""
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    line = [sys.executable, "-m", "schema", "check", str(folder)]
    piped = subprocess.run(line, capture_output=True, text=True, check=True, cwd=COMMITTED)
    subprocess.run(line, stdout=subprocess.DEVNULL, stderr=end, check=True, cwd=COMMITTED)
    os.set_blocking(terminal, False)
    shown = os.read(terminal, 100_000).decode()
    os.close(end)
    os.close(terminal)

    assert "" == piped.stderr
    assert "0/6" in shown

"""`python -m generate`."""

import subprocess
import sys
from pathlib import Path

import pytest

from mpcbench.generate import making
from mpcbench.generate.__main__ import main
from mpcbench.generate.making import files_of
from mpcbench.schema.dataset import COMMITTED, Dataset
from unit_tests.generate.samples import SEED, made


def contents(folder: Path) -> dict[str, str]:
    """All files below a folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def small(folder: Path, *more: str) -> list[str]:
    return ["--level", "1", "--count", "3", "--workers", "1", "--out", str(folder), *more]


def usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line of a usage error."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


def test_makes_a_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """World, instances and labels appear in the folder, and nothing else."""
    folder = tmp_path / "new" / "data"

    assert main(small(folder)) == 0
    assert contents(folder) == files_of(1, SEED, [made(1, index) for index in range(3)])
    assert capsys.readouterr().out == f"3 certified instances written to {folder}\n"


def test_shards_join_to_the_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two shards made apart and joined are the set made at once."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(folders, start=1):
        assert main(small(folder, "--shard", f"{number}/2")) == 0
    assert [Dataset(folder).instance_ids(1) for folder in folders] == [["level1-000", "level1-002"], ["level1-001"]]

    assert main(["join", *map(str, folders), "--out", str(tmp_path / "whole")]) == 0
    assert contents(tmp_path / "whole") == files_of(1, SEED, [made(1, index) for index in range(3)])
    assert capsys.readouterr().out.endswith(f"joined in {tmp_path / 'whole'}, shards: 2\n")


def test_another_seed(tmp_path: Path) -> None:
    """The files contain the seed."""
    assert main(["--level", "1", "--count", "1", "--seed", "42", "--workers", "1", "--out", str(tmp_path)]) == 0
    assert Dataset(tmp_path).world(1).seed == Dataset(tmp_path).instances(1)[0].seed == 42


def test_describes_a_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of its levels, or those asked for; a level that it lacks is an error."""
    main(small(tmp_path))
    capsys.readouterr()

    assert main(["describe", str(tmp_path)]) == 0
    everything = capsys.readouterr().out
    assert everything.startswith("## The level matrix, measured\n\n|  | level 1 |\n")
    assert main(["describe", str(tmp_path), "--level", "1"]) == 0
    assert everything == capsys.readouterr().out
    assert main(["describe", str(tmp_path), "--level", "3"]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path}: no level 3 in this data set\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "5"], "argument --level: invalid choice: 5 (choose from 1, 2, 3, 4)"),
        (["--rung", "0"], "argument --rung: not a whole number from 1: '0'"),
        (
            ["--mechanisms", "alias,luck"],
            "argument --mechanisms: no mechanism 'luck'; the mechanisms are alias, role, ",
        ),
        (["--mechanisms", ""], "argument --mechanisms: no mechanism ''; the mechanisms are alias, role, "),
        (["--mechanisms", "role,role"], "argument --mechanisms: 'role' is given twice"),
        (["--rung", "2", "--out", "x"], "--rung is an option of level 4 alone: add --level 4, and no other level"),
        (
            ["--level", "3", "--mechanisms", "alias", "--out", "x"],
            "--mechanisms is an option of level 4 alone: add --level 4, and no other level",
        ),
        (["--level", "4", "--rung", "2"], "--out is required for any data other than the committed set"),
        (
            ["--level", "4", "--count", "181", "--out", "x"],
            "level 4 has one world of at most 180 instances a seed: leave out --world-size, and give --count up to 180",
        ),
        (["--level", "4", "--world-size", "5", "--out", "x"], "level 4 has one world of at most 180 instances a seed"),
        (["--count", "0"], "argument --count: not a whole number from 1: '0'"),
        (["--world-size", "5001"], "argument --world-size: at most 5000 instances: '5001'"),
        (["--world-size", "5"], "--out is required for any data other than the committed set"),
        (["--workers", "-1"], "argument --workers: not a whole number from 1: '-1'"),
        (["--shard", "3/2"], "argument --shard: not of the form I/K with I from 1 to K: '3/2'"),
        (["--shard", "half"], "argument --shard: not of the form I/K with I from 1 to K: 'half'"),
        (["--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["--seed", "1"], "--out is required for any data other than the committed set"),
        (["--count", "5"], "--out is required for any data other than the committed set"),
        (["--shard", "1/2"], "--out is required for any data other than the committed set"),
        (["nonsense"], "unrecognized arguments: nonsense"),
        (["join", "somewhere"], "the following arguments are required: --out"),
    ],
)
def test_usage_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and the last line says what is wrong."""
    assert message in usage_error(arguments, capsys)


def test_out_must_not_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is rejected before anything is generated."""
    target = tmp_path / "file"
    target.touch()

    assert f"argument --out: not a folder: '{target}'" in usage_error(small(target), capsys)


@pytest.mark.parametrize("command", ["describe", "join"])
def test_missing_folder(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line names the folder; nothing is written."""
    out = ["--out", str(tmp_path / "out")] if command == "join" else []

    assert main([command, str(tmp_path / "missing"), *out]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {tmp_path / 'missing'}: no data set: ")
    assert error.count("\n") == 1
    assert contents(tmp_path) == {}


def test_broken_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line names file, line and path."""
    main(small(tmp_path))
    path = tmp_path / "instances/instances_level1.jsonl"
    path.write_text(path.read_text().replace('"level": 1', '"level": "one"', 1))
    capsys.readouterr()

    assert main(["describe", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {path}:1: $.level: ")
    assert error.count("\n") == 1


def test_unwritable_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that cannot be made is one line, too."""
    (tmp_path / "file").touch()

    assert main(small(tmp_path / "file" / "data")) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_nothing_is_written_when_a_level_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Old files stay as they were, and there are no new ones."""
    main(small(tmp_path))
    before = contents(tmp_path)
    monkeypatch.setattr(making, "_MOST_TRIES", 0)
    capsys.readouterr()

    assert main(small(tmp_path)) == 2
    assert capsys.readouterr().err == "error: level 1, instance 0: none of 0 samples passed\n"
    assert before == contents(tmp_path)


@pytest.mark.parametrize("command", [[], ["describe"], ["join"]])
def test_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every command explains itself."""
    with pytest.raises(SystemExit) as caught:
        main([*command, "--help"])
    text = capsys.readouterr().out

    assert caught.value.code == 0
    assert text.startswith(" ".join(["usage: python -m generate", *command]))
    assert command or "examples:" in text


def test_runs_as_a_module() -> None:
    """Arguments come from the command line, the exit code goes back to the shell."""
    command = [sys.executable, "-m", "generate", "describe", "/nowhere"]
    done = subprocess.run(command, cwd=COMMITTED, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: /nowhere: no data set: ")

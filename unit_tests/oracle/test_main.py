"""`python -m oracle` labels a data set, compares labels, or says in one line what is wrong."""

import json
from pathlib import Path

import pytest

from mpcbench.oracle.__main__ import main
from mpcbench.schema import Label
from mpcbench.schema.dataset import instances_path, labels_path, read_jsonl, to_jsonl_text, world_path
from unit_tests.builders import tiny
from unit_tests.schema.documents import LABEL
from unit_tests.schema.test_dataset import edit, files

DIGEST = "0" * 64


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny.write_dataset(tmp_path / "set", levels=(1, 3))


def test_summary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without an action, the size of the feasible sets is printed, by level."""
    longer = {"kind": "duration", "minutes": 90}
    edit(folder / instances_path(1), 1, lambda document: document["references"]["statements"].append(longer))
    code = main([str(folder), "--level", "1"])

    assert code == 0
    assert capsys.readouterr().out == (
        "level  instances  feasible: fewest  median    most\n    1          2                29      32      35\n"
    )


def test_levels_come_in_order_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A level asked for twice is solved once."""
    main([str(folder), "--level", "3", "--level", "1", "--level", "3"])

    assert ["level", "1", "3"] == [line.split()[0] for line in capsys.readouterr().out.splitlines()]


def test_level_without_instances(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty file of instances is invalid input, so that no check passes vacuously."""
    (folder / instances_path(1)).write_text("", encoding="utf-8")

    assert main([str(folder), "--level", "1"]) == 2
    assert capsys.readouterr().err == f"error: {folder / instances_path(1)}: no instances\n"


def test_out_gives_the_stored_labels_back(folder: Path, tmp_path: Path) -> None:
    """Labels that the oracle agrees with are written as they are, byte for byte, certificate and all."""
    path = folder / labels_path(3)
    kept = {"certificate": LABEL.model_dump(mode="json")["certificate"], "sources": ["rooms"]}
    for line in (1, 2):
        edit(path, line, lambda label: label.update(kept))
    path.write_text(to_jsonl_text(label for _, label in read_jsonl(path, Label)), encoding="utf-8")
    code = main([str(folder), "--out", str(tmp_path / "out")])

    assert code == 0
    assert {name: text for name, text in files(folder).items() if "oracles" in name} == files(tmp_path / "out")


def test_out_drops_what_no_longer_holds(folder: Path, tmp_path: Path) -> None:
    """A certificate of another gold is not copied, nor is that of a missing label."""
    edit(folder / labels_path(1), 1, lambda label: label.update(digest=DIGEST))
    (folder / labels_path(3)).unlink()
    code = main([str(folder), "--out", str(tmp_path)])
    (_, changed), (_, same) = read_jsonl(tmp_path / labels_path(1), Label)
    (_, new), _ = read_jsonl(tmp_path / labels_path(3), Label)
    bare = {"records": (), "requirements": (), "sources": (), "certificate": None}

    assert code == 0
    assert tiny.label(1).model_copy(update=bare) == changed
    assert tiny.label(1, 1) == same
    assert tiny.label(3).model_copy(update=bare) == new


def test_check_of_right_labels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal labels are counted."""
    assert main([str(folder), "--check"]) == 0
    assert "4 of 4 labels match the oracle\n" == capsys.readouterr().out


def test_check_names_the_first_difference(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gold, counts and digest are compared, in that order, over all instances."""
    true = tiny.label(1)
    gold = [*true.model_dump(mode="json")["gold"]]
    moved = [gold[0], {**gold[1], "end": "2027-02-08T23:00:00+01:00"}]
    path = folder / labels_path(1)
    edit(path, 1, lambda label: label.update(gold=moved, digest=DIGEST))
    edit(path, 2, lambda label: label.update(gold=gold[:1], digest=DIGEST))
    path = folder / labels_path(3)
    edit(path, 1, lambda label: label["counts"].update(policy=0))
    edit(path, 2, lambda label: label.update(digest=DIGEST))
    code = main([str(folder), "--check"])
    counts, digest = tiny.label(3).counts, tiny.label(3).digest

    assert code == 1
    assert [
        f"level1-000: gold[1].end is 2027-02-08T23:00:00+01:00 in the label, {gold[1]['end']} by the oracle",
        "level1-001: the length of gold is 1 in the label, 2 by the oracle",
        f"level3-000: counts.policy is 0 in the label, {counts.policy} by the oracle",
        f"level3-001: digest is {DIGEST} in the label, {digest} by the oracle",
        "0 of 4 labels match the oracle",
    ] == capsys.readouterr().out.splitlines()


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The single error line for invalid input."""
    code = main(arguments)
    printed = capsys.readouterr()

    assert code == 2
    assert "" == printed.out
    assert 1 == printed.err.count("\n")
    return printed.err.removeprefix("error: ").rstrip("\n")


def test_bad_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without instances is no data set."""
    assert refused([str(tmp_path)], capsys).startswith(f"{tmp_path}: no data set")


def test_level_that_the_folder_lacks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file that would hold the level is named."""
    expected = f"{folder / instances_path(2)}: no such file"

    assert expected == refused([str(folder), "--level", "2"], capsys)


def test_missing_labels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing labels cannot be checked."""
    (folder / labels_path(3)).unlink()

    assert f"{folder / labels_path(3)}: no such file or directory" == refused([str(folder), "--check"], capsys)


def test_instance_that_cannot_be_resolved(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An instance that lacks a statement is named, and nothing is written."""
    edit(folder / instances_path(3), 2, lambda document: document["references"].update(statements=[]))
    expected = f"{folder / instances_path(3)}: level3-001: nothing states the window"

    assert expected == refused([str(folder), "--out", str(tmp_path / "out")], capsys)
    assert not (tmp_path / "out").exists()


def test_instance_with_too_few_candidates(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An instance with fewer candidates than it asks for cannot be labelled."""
    world = json.loads((folder / world_path(1)).read_text(encoding="utf-8"))
    busy = {"event_id": "e9", "title": "Away", "start": "2027-02-08T00:00+01:00", "end": "2027-02-09T16:00+01:00"}
    world["calendars"][0]["events"].append(busy)
    (folder / world_path(1)).write_text(json.dumps(world), encoding="utf-8")
    expected = f"{folder / instances_path(1)}: level1-000: 0 feasible candidates, 2 wanted"

    assert expected == refused([str(folder), "--out", str(tmp_path / "out")], capsys)
    assert not (tmp_path / "out").exists()


def test_place_that_cannot_be_written(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in the place of the folder is an error of one line."""
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert "File exists" in refused([str(folder), "--out", str(tmp_path / "file")], capsys)


@pytest.mark.parametrize("arguments", [["--level", "5"], ["--out", "x", "--check"], ["--help"]])
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown levels and actions that exclude each other end with 2, help with 0; all show the usage."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    printed = capsys.readouterr()

    assert (0 if arguments == ["--help"] else 2) == caught.value.code
    assert (printed.out + printed.err).startswith("usage: python -m oracle")

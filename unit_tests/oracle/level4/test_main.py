"""`python -m oracle` labels and checks level 4 as it does the other levels."""

from pathlib import Path

import pytest

from mpcbench.oracle.__main__ import main
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.solve import solve
from mpcbench.schema import Duration
from mpcbench.schema.dataset import instances_path, labels_path, write_files
from mpcbench.schema.level4.dataset import ladder_texts
from mpcbench.schema.level4.instance import Change, EntryChanged, LadderInstance
from mpcbench.schema.level4.label import LadderLabel
from mpcbench.schema.level4.mechanism import LadderSource
from mpcbench.schema.level4.world import LadderWorld
from unit_tests.builders.ladder import MEETING, entry, instance, said, world
from unit_tests.schema.level4_documents import LABEL
from unit_tests.schema.test_dataset import edit, files

MOVED = Change(when_shown=("calendar:p1",), edit=EntryChanged(person_id="p1", entry=entry("09:00", "09:30")))
WORLD = world(calendars={"p1": (entry("10:30", "11:00"),)})
INSTANCES = (
    instance(said(Duration(minutes=30))),
    instance(change=MOVED).model_copy(update={"instance_id": "level4-001", "rung": 2}),
)


def label_of(records: LadderWorld, task: LadderInstance) -> LadderLabel:
    """The label with everything that only generation knows."""
    knowledge = knowledge_of(records, task)
    solution = solve(knowledge)
    return LABEL.model_copy(
        update={
            "instance_id": task.instance_id,
            "rung": task.rung,
            "gold": solution.gold,
            "gold_before": () if knowledge.before is None else solve(knowledge.before).gold,
            "counts": solution.counts,
            "digest": solution.digest,
        }
    )


LABELS = tuple(label_of(WORLD, one) for one in INSTANCES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path / "set", ladder_texts(WORLD, INSTANCES, LABELS))
    return tmp_path / "set"


def test_summary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The number of feasible candidates is printed."""
    assert main([str(folder)]) == 0
    assert capsys.readouterr().out == (
        "level  instances  feasible: fewest  median    most\n    4          2                 7     7.5       8\n"
    )


def test_labels_that_match(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gold, the gold before a change, counts and digest are compared."""
    assert main([str(folder), "--check"]) == 0
    assert capsys.readouterr().out == "2 of 2 labels match the oracle\n"


@pytest.mark.parametrize(
    ("line", "field", "expected"),
    [
        (1, "gold", "level4-000: gold[0].start is 2027-03-01T05:00:00+00:00 in the label, 2027-03-01T09:00:00+00:00"),
        (2, "gold_before", "level4-001: gold_before[0].start is 2027-03-01T05:00:00+00:00 in the label, "),
    ],
)
def test_labels_that_differ(
    folder: Path, capsys: pytest.CaptureFixture[str], line: int, field: str, expected: str
) -> None:
    """The first difference of a label is named."""
    edit(
        folder / labels_path(4),
        line,
        lambda label: label[field][0].update(start="2027-03-01T05:00:00+00:00"),
    )

    assert main([str(folder), "--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(expected)
    assert "1 of 2 labels match the oracle" == lines[1]


def test_out_gives_the_stored_labels_back(folder: Path, tmp_path: Path) -> None:
    """Labels that the oracle agrees with are written as they are, byte for byte."""
    assert main([str(folder), "--out", str(tmp_path / "out")]) == 0
    assert {name: text for name, text in files(folder).items() if "oracles" in name} == files(tmp_path / "out")


def test_labels_from_scratch(folder: Path, tmp_path: Path) -> None:
    """Without labels, or with others, only the answer is written."""
    (folder / labels_path(4)).unlink()

    assert main([str(folder), "--out", str(tmp_path)]) == 0
    (tmp_path / instances_path(4)).parent.mkdir()
    (tmp_path / instances_path(4)).write_text(
        (folder / instances_path(4)).read_text(encoding="utf-8"), encoding="utf-8"
    )
    labels = tuple(_labels(tmp_path))
    bare = {"load": 0, "sources": (), "records": (), "certificate": None}
    assert tuple(label.model_copy(update=bare) for label in LABELS) == labels
    assert LadderSource.ROOMS in LABELS[0].sources


def _labels(folder: Path) -> tuple[LadderLabel, ...]:
    return tuple(
        LadderLabel.model_validate_json(line)
        for line in (folder / labels_path(4)).read_text(encoding="utf-8").splitlines()
    )


def test_task_without_an_answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An instance with fewer candidates than wanted, or that leaves something open, is invalid input."""
    path = folder / instances_path(4)
    long = {"kind": "said", "about": MEETING, "statement": {"kind": "duration", "minutes": 180}}
    edit(path, 1, lambda document: document["references"]["statements"].append(long))
    first = main([str(folder)]), capsys.readouterr().err
    edit(path, 1, lambda document: document["references"].update(statements=[]))
    second = main([str(folder)]), capsys.readouterr().err

    assert (2, f"error: {path}: level4-000: 0 candidates, 3 wanted\n") == first
    assert second[0] == 2
    assert second[1].startswith(f"error: {path}: level4-000: ")

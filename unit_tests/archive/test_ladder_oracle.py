"""The archive's oracle of level 4 on tiny worlds whose answers a reader can check by hand."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mpcbench.archive.v2 import ladder_oracle
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.schema.level4.statements import Agenda
from unit_tests.builders import ladder
from unit_tests.builders.ladder import entry, instance, said, starts, world
from unit_tests.oracle.level4.test_misreadings import EXAMPLES

SERIES: dict[str, Any] = {
    "timezone": "Europe/Berlin",
    "frequency": "weekly",
    "interval": 1,
    "weekdays": [],
    "nth": None,
    "until": "2027-12-31",
    "excepted": [],
    "moved": [],
}


def days(first: str, **rule: Any) -> list[str]:
    """The dates on which a series of half an hour takes place."""
    series = {
        "event_id": "e1",
        "status": "busy",
        "start": f"{first}T09:00:00+01:00",
        "end": f"{first}T09:30:00+01:00",
        "recurrence": {**SERIES, **rule},
    }
    return [one["day"].isoformat() for one in ladder_oracle.occurrences(series)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"until": "2027-03-16"}, ["2027-03-02", "2027-03-09", "2027-03-16"]),
        ({"until": "2027-03-16", "interval": 2}, ["2027-03-02", "2027-03-16"]),
        ({"until": "2027-03-08", "weekdays": [0, 1, 4]}, ["2027-03-02", "2027-03-05", "2027-03-08"]),
        ({"until": "2027-03-16", "excepted": ["2027-03-09"]}, ["2027-03-02", "2027-03-16"]),
        ({"frequency": "daily", "interval": 3, "until": "2027-03-08"}, ["2027-03-02", "2027-03-05", "2027-03-08"]),
        (
            {"frequency": "monthly", "weekdays": [1], "nth": 1, "until": "2027-05-31"},
            ["2027-03-02", "2027-04-06", "2027-05-04"],
        ),
        (
            {"frequency": "monthly", "weekdays": [4], "nth": -1, "interval": 2, "until": "2027-07-31"},
            ["2027-03-26", "2027-05-28", "2027-07-30"],
        ),
    ],
)
def test_days_of_series(rule: dict[str, Any], expected: list[str]) -> None:
    """A series that begins on Tuesday 2 March 2027 takes place on the dates of its rule."""
    assert expected == days("2027-03-02", **rule)


def test_series_keep_their_wall_clock() -> None:
    """09:00 in Berlin is 08:00 UTC before 28 March 2027 and 07:00 from then on."""
    series = {
        "event_id": "e1",
        "status": "busy",
        "start": "2027-03-22T09:00:00+01:00",
        "end": "2027-03-22T09:30:00+01:00",
        "recurrence": {**SERIES, "until": "2027-03-29"},
    }
    expected = [ladder_oracle.minute("2027-03-22T08:00:00Z"), ladder_oracle.minute("2027-03-29T07:00:00Z")]

    assert expected == [one["start"] for one in ladder_oracle.occurrences(series)]


def test_gold_counts_and_digest_of_a_bare_task() -> None:
    """Busy until 10:00, the review has five slots, and the gold is the first three of them with the only room."""
    records = world(calendars={"p1": [entry("08:00", "10:00")]}).model_dump(mode="json")
    label = ladder_oracle.label(records, instance().model_dump(mode="json"))

    assert ["10:00", "10:15", "10:30"] == [one["start"][11:16] for one in label["gold"]]
    assert {"generated": 9, "agreed": 9, "available": 5, "rooms": 5} == label["counts"]
    assert {"R01"} == {one["room_id"] for one in label["gold"]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_mechanisms_have_their_gold(name: str) -> None:
    """What the archive finds for the worked example of a mechanism is what the reader found by hand."""
    example = EXAMPLES[name]
    label = ladder_oracle.label(*(part.model_dump(mode="json") for part in example.task))
    found = [one["start"] for one in label["gold"]]
    texts = [one[11:16] if one[8:10] == "01" else f"{one[8:10]} {one[11:16]}" for one in found]

    assert example.gold == texts == starts(example.knowledge)


def test_impossible_tasks_are_refused() -> None:
    """A plan whose meetings are unknown people's is refused in words, not labelled."""
    task = instance(said(Agenda(meetings=("First", "alias:nowhere")))).model_dump(mode="json")

    with pytest.raises(ValueError, match="the alias 'nowhere' is not defined"):
        ladder_oracle.label(world().model_dump(mode="json"), task)
    assert not issubclass(SearchLimitError, ValueError)


def test_command_prints_a_label_a_line(tmp_path: Path) -> None:
    """Run as a program it reads the two files and prints JSON lines."""
    (tmp_path / "world.json").write_text(ladder.world().model_dump_json(), encoding="utf-8")
    (tmp_path / "instances.jsonl").write_text(instance().model_dump_json() + "\n", encoding="utf-8")
    command = [sys.executable, str(Path(ladder_oracle.__file__)), "world.json", "instances.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    label = json.loads(done.stdout)

    assert "level4-000" == label["instance_id"]
    assert ["09:00", "09:15", "09:30"] == [one["start"][11:16] for one in label["gold"]]

"""The committed files are valid, whole and marked."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from mpcbench.oracle.__main__ import main as oracle
from mpcbench.schema import CANARY, GENERATOR_VERSION, SCHEMA_VERSION, Window
from mpcbench.schema.__main__ import main as schema
from mpcbench.schema.dataset import (
    ALL_LEVELS,
    LEVELS,
    instances_path,
    labels_path,
    read_json,
    to_json_text,
    to_jsonl_text,
    world_path,
)
from mpcbench.schema.model import Level, minute_of_day
from unit_tests.builders.committed import DATASET, INSTANCES
from unit_tests.generate.samples import SEED
from unit_tests.marks import UNTRACED

pytestmark = UNTRACED

each_level = pytest.mark.parametrize("level", LEVELS)


def headers(level: Level) -> list[tuple[str, dict[str, Any]]]:
    """The kind that a document of a level must have, and the document."""
    world = read_json(DATASET.folder / world_path(level))
    assert isinstance(world, dict)
    found = [("world", world)]
    for kind, path in (("instance", instances_path(level)), ("label", labels_path(level))):
        text = (DATASET.folder / path).read_text(encoding="utf-8")
        found += [(kind, json.loads(line)) for line in text.splitlines()]
    return found


@pytest.mark.slow  # checks all committed documents, twice
def test_json_schema_and_pydantic_find_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Every document is valid by JSON Schema and by pydantic, and every instance has its label."""
    code = schema(["check"])
    captured = capsys.readouterr()

    assert code == 0
    assert captured.err == ""
    assert captured.out.splitlines() == [
        f"level {level}: a world, {INSTANCES} instances and {INSTANCES} labels are valid" for level in ALL_LEVELS
    ]


@each_level
def test_every_document_carries_the_header(level: Level) -> None:
    """Canary, versions, seed and level are in the world and in every line."""
    documents = headers(level)

    assert len(documents) == 1 + 2 * INSTANCES
    for kind, document in documents:
        header = {name: document[name] for name in ("canary", "schema_version", "generator_version", "seed")}
        assert header == {
            "canary": CANARY,
            "schema_version": SCHEMA_VERSION,
            "generator_version": GENERATOR_VERSION,
            "seed": SEED,
        }
        assert (document["kind"], document["level"]) == (kind, level)


@each_level
def test_ids_count_from_zero(level: Level) -> None:
    """Instances and labels are in the order of their numbers, none left out."""
    expected = [f"level{level}-{number:03d}" for number in range(INSTANCES)]

    assert expected == DATASET.instance_ids(level)
    assert expected == list(DATASET.labels(level))


@each_level
def test_files_are_what_their_values_are_written_as(level: Level) -> None:
    """Reading and writing again changes no byte."""
    texts = {
        world_path(level): to_json_text(DATASET.world(level)),
        instances_path(level): to_jsonl_text(DATASET.instances(level)),
        labels_path(level): to_jsonl_text(DATASET.labels(level).values()),
    }

    for path, text in texts.items():
        assert text.encode() == (DATASET.folder / path).read_bytes(), path


@each_level
def test_texts_and_meetings_are_unique(level: Level) -> None:
    """No two instances ask about the same meeting, and no paraphrase occurs twice within a task."""
    instances = DATASET.instances(level)

    assert len({instance.meeting for instance in instances}) == INSTANCES
    assert all(len(set(instance.task)) == 3 for instance in instances)


@each_level
def test_nothing_in_an_instance_gives_the_answer_away(level: Level) -> None:
    """A task text speaks of no other time of day than the window's daily hours, and of none at level 3."""
    told = set()
    for instance in DATASET.instances(level):
        windows = [statement for statement in instance.references.statements if isinstance(statement, Window)]
        hours = {
            minute_of_day(time) for window in windows if window.daily for time in (window.daily.start, window.daily.end)
        }
        for text in instance.task:
            times = set(times_of_day(text))
            told |= times
            assert times <= hours, text

    assert bool(told) is (level < 3)


def times_of_day(text: str) -> Iterator[int]:
    """The times of day that a text names, such as 8:30, 08:30, 8am and 8:30 pm, in minutes."""
    for hour, minute, half in re.findall(r"\b(\d{1,2})(?::(\d\d))?(?:\s?([ap])m)?\b", text):
        if minute or half:
            afternoon = 12 * 60 if half == "p" and hour != "12" else 0
            yield int(hour) * 60 + int(minute or 0) + afternoon


def test_oracle_finds_the_stored_labels(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m oracle --check` finds every gold, count and digest as stored."""
    code = oracle(["--check"])

    assert code == 0
    assert capsys.readouterr().out == f"{4 * INSTANCES} of {4 * INSTANCES} labels match the oracle\n"

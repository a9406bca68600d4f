"""Pairs: the right next message, and one with a single mistake, for the same conversation."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.flawed import FLAWS, flawed_agent
from mpcbench.benchmark.export.pairs import flawed_pairs, trial_pairs
from mpcbench.benchmark.export.sources import Taken, attempt, demonstration
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.oracle import resolve
from mpcbench.schema.cause import Stage
from unit_tests.benchmark.export.exported import TEST, exported
from unit_tests.builders.committed import DATASET

SETTINGS = Settings.from_options({}, Path())
LATE = {Stage.INTEGRATION.value, Stage.FORMAT.value}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Those of one instance of each level."""
    return exported(tmp_path_factory.mktemp("pairs") / "pairs.jsonl", "preference", *TEST, "--count", "1")


def calls(message: dict[str, Any]) -> list[tuple[str, Any]]:
    functions = [call["function"] for call in message.get("tool_calls", ())]
    return [(function["name"], json.loads(function["arguments"])) for function in functions]


def test_pairs_are_about_one_mistake(pairs: list[dict[str, Any]]) -> None:
    """The diagnosis of the rejected run names what its only flaw should cause, and nothing else."""
    assert {1, 2, 3} == {pair["provenance"]["level"] for pair in pairs}
    for pair in pairs:
        found = pair["provenance"]
        assert found["mistake"]
        assert set(found["mistake"]) <= set(FLAWS[found["flaw"]].expected)


def test_messages_differ_at_the_failing_step(pairs: list[dict[str, Any]]) -> None:
    """Where the answer alone is wrong, both are answers; elsewhere the right one makes calls that were not made yet."""
    for pair in pairs:
        (chosen,), (rejected,) = pair["chosen"], pair["rejected"]
        made = [call for message in pair["prompt"] for call in calls(message)]

        assert pair["prompt"][-1]["role"] in {"user", "tool"}
        assert (chosen["content"], calls(chosen)) != (rejected["content"], calls(rejected))
        if pair["provenance"]["mistake"][0].partition(".")[0] in LATE:
            assert [] == calls(chosen) == calls(rejected)
        else:
            assert calls(chosen)
            assert [] == [call for call in calls(chosen) if call in made]


def with_namesakes() -> Iterator[str]:
    """The instances of level 3 that somebody attends who has a namesake."""
    world = DATASET.world(3)
    names = Counter(person.name for person in world.people)
    for instance in DATASET.instances(3):
        if any(names[world.person_by_id[one].name] > 1 for one in resolve(world, instance).participants):
            yield instance.instance_id


def test_right_call_and_wrong_call_of_a_namesake() -> None:
    """The pair is cut before the first call that the demonstration does not make."""
    exam = DATASET.exam(next(with_namesakes()))
    right = demonstration(exam, SETTINGS)
    (found,) = (
        row for row in flawed_pairs(right, SETTINGS, "acquisition") if row["provenance"]["flaw"] == "wrong-homonym"
    )
    (chosen,), (rejected,) = found["chosen"], found["rejected"]

    assert {"get_calendar"} == {name for name, _ in calls(chosen)} == {name for name, _ in calls(rejected)}
    assert calls(chosen)[0] != calls(rejected)[0]


@pytest.mark.parametrize(
    ("kind", "reasons"),
    [
        ("over_filter", {"integration.constraint_added"}),
        ("constraint_omitted:busy", {"integration.constraint_omitted:busy", "integration.record_overlooked:event"}),
        ("decomposition", {"decomposition.source_never_queried"}),
    ],
)
def test_mistakes_can_be_chosen(kind: str, reasons: set[str], tmp_path: Path) -> None:
    """By a nickname, a cause with or without its detail, or a stage; a flaw may be explained in two ways."""
    found = exported(tmp_path / "p.jsonl", "preference", *TEST, "--level", "2", "--count", "3", "--mistake", kind)
    mistakes = {mistake for pair in found for mistake in pair["provenance"]["mistake"]}

    assert mistakes
    assert {one for one in mistakes if one not in reasons and one.partition(":")[0] not in reasons} == set()


def test_steps_of_a_mistake_are_pairs_without_the_mistake(tmp_path: Path) -> None:
    """The prompt is cut at the step at which such a mistake is made."""
    options = (*TEST, "--level", "1", "--count", "1", "--mistake", "acquisition")
    pairs = exported(tmp_path / "p.jsonl", "preference", *options)
    steps = exported(tmp_path / "s.jsonl", "steps", *options)

    assert pairs
    assert [(pair["prompt"], pair["chosen"]) for pair in pairs] == [(one["prompt"], one["completion"]) for one in steps]


def test_trials_of_a_model_make_pairs() -> None:
    """A failed trial answers too early, or wrongly; a passed one says what comes next."""
    exam = DATASET.exam("level2-000")
    right = demonstration(exam, SETTINGS)
    early = attempt(exam, flawed_agent("skips-calendar"), "reference", SETTINGS)
    wrong = attempt(exam, flawed_agent("too-many"), "reference", SETTINGS)
    taken = [right, Taken(exam, early), Taken(exam, wrong)]
    found = list(trial_pairs(taken, None))

    assert [["get_calendar"], []] == [[name for name, _ in calls(pair["chosen"][0])] for pair in found]
    assert [[], []] == [calls(pair["rejected"][0]) for pair in found]
    assert 1 == len(list(trial_pairs(taken, "integration")))
    assert [] == list(trial_pairs(taken[1:], None))

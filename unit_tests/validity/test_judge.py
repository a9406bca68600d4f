"""The judge of a diagnosis."""

import json

import pytest

from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence, Stage
from unit_tests.builders.tiny import episode, gold_text
from unit_tests.validity.judge import Expected, Verdict, judge, matches, symptoms_of

BUSY = "integration.constraint_omitted:busy"
BUFFER = "integration.constraint_omitted:buffer_min"
COUNT = "integration.count:too_few"
UNSEEN = "acquisition.record_never_seen:calendar"
EXPECTED = Expected((BUSY,), (BUFFER,), record="calendar:p001", symptoms=("acquisition.*", COUNT))


def diagnosis(*explanations: str) -> Diagnosis:
    """Explanations of reasons joined by " + ", each perhaps followed by " @" and its record."""
    causes = []
    for number, explanation in enumerate(explanations, start=1):
        for said in explanation.split(" + "):
            reason, _, record = said.partition(" @")
            evidence = (Evidence(record=record),) if record else ()
            # Built unchecked, since reasons of a later vocabulary have to be judged as well.
            causes.append(Cause.model_construct(reason=reason, alternative=number, evidence=evidence))
    return Diagnosis.model_construct(
        stage=Stage.INTEGRATION,
        causes=tuple(causes),
        capability=Capability(decomposition=1, acquisition=1, integration=0.5),
    )


@pytest.mark.parametrize(
    ("expected", "explanations"),
    [
        ("right", [BUSY]),
        ("right", [f"{BUSY} @calendar:p001"]),
        ("right", [f"{BUSY} @calendar:p002", f"{BUSY} @calendar:p001"]),
        ("right", [COUNT, BUSY]),
        ("right", [f"{BUSY} @task"]),
        ("right", [f"{BUSY} + {UNSEEN}"]),
        ("acceptable", [BUFFER]),
        ("acceptable", [f"{BUSY} + {BUFFER}"]),
        ("acceptable", [COUNT, "integration.off_grid", BUSY]),
        ("acceptable", [f"{BUSY} @calendar:p00{number}" for number in (3, 2, 1)]),
        ("symptom", ["observed.infeasible:busy"]),
        ("symptom", [COUNT]),
        ("symptom", [UNSEEN]),
        ("symptom", [COUNT, "integration.off_grid", "integration.room_missing", BUSY]),
        ("unexplained", ["unexplained"]),
        ("false", ["integration.off_grid"]),
        ("false", [f"{BUSY} @calendar:p002"]),
        ("false", [f"{BUSY} + integration.off_grid"]),
        ("false", ["observed.infeasible:busy + integration.off_grid"]),
    ],
)
def test_verdicts(expected: str, explanations: list[str]) -> None:
    """A diagnosis is judged by its reasons, by the record that it names, and by how many explanations it leaves."""
    assert expected == judge(diagnosis(*explanations), EXPECTED)


def test_an_observation_can_be_what_is_expected() -> None:
    """Where the failure itself is a habit that can be observed, the observation is right."""
    found = diagnosis("observed.one_per_day")

    assert Verdict.RIGHT == judge(found, Expected(("observed.one_per_day",)))
    assert Verdict.SYMPTOM == judge(found, Expected(()))


def test_repeated_candidate_counts_once() -> None:
    """An answer whose candidates are the first of the gold again and again has too few, as many as it may give."""
    gold = json.loads(gold_text(1))["candidates"]
    again = episode(1, json.dumps({"candidates": gold[:1] * len(gold)}))

    assert len(gold) > 1
    assert COUNT in symptoms_of(again)
    assert COUNT not in symptoms_of(episode(1, gold_text(1)))


@pytest.mark.parametrize(
    ("expected", "pattern"),
    [
        (True, "integration.ranking:tie_break"),
        (True, "integration.ranking"),
        (True, "integration.*"),
        (False, "integration.rank"),
        (False, "integration.ranking:latest_first"),
    ],
)
def test_patterns(expected: bool, pattern: str) -> None:
    """A pattern without a detail stands for all details, and an asterisk for anything."""
    assert expected == matches("integration.ranking:tie_break", (pattern,))

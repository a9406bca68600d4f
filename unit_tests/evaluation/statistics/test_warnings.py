"""Warnings: levels without room to differ, and instances that weak models solve and the strongest never."""

from typing import Any

import pytest

from mpcbench.evaluation.statistics.summary import summary_of
from mpcbench.evaluation.statistics.summary_text import table
from mpcbench.evaluation.statistics.warnings import SummaryWarning, WarningKind
from mpcbench.schema.episode import Fault
from mpcbench.schema.result import Result
from unit_tests.builders.results import result


def run(model: str, *scores: float | None, level: int = 1, trial: int = 1) -> list[Result]:
    return [
        result(f1, number, model=model, level=2 if level == 2 else 1, trial=trial) for number, f1 in enumerate(scores)
    ]


def kinds(*runs: list[Result]) -> list[tuple[WarningKind, int, tuple[str, ...]]]:
    found = summary_of([one for results in runs for one in results]).warnings
    return [(one.kind, one.level, one.models) for one in found]


@pytest.mark.parametrize(
    ("f1", "n", "expected"),
    [
        (1.0, 72, []),
        (1.0, 73, [WarningKind.SATURATED]),
        (0.0, 72, []),
        (0.0, 73, [WarningKind.FLOOR]),
        (None, 80, []),
    ],
)
def test_saturated_and_floor(f1: float | None, n: int, expected: list[WarningKind]) -> None:
    """The whole interval has to lie beyond the bound, not the average alone."""
    assert expected == [kind for kind, _, _ in kinds(run("m", *[f1] * n))]


def test_ceilings_by_design_are_no_news() -> None:
    """A model that is meant to be the ceiling or the floor is not warned of; others are."""
    given = run("ceiling", *[1.0] * 80) + run("m", *[1.0] * 80)
    found = summary_of(given, by_design={"ceiling"}).warnings

    assert [("m",)] == [one.models for one in found]
    assert found[0].text(str) == "level 1 is saturated for m: F1 lies in [0.954, 1.000]"


def test_inverted_instances() -> None:
    """Solved by a weaker model in more than half of its trials, and by the strongest in none."""
    strong = run("strong", 1.0, 1.0, 0.9, 0.0, None, 1.0) + run("strong", 1.0, 1.0, 0.9, 0.0, None, 1.0, trial=2)
    weak = run("weak", 0.0, 1.0, 1.0, 1.0, 1.0, 0.0) + run("weak", 0.0, 1.0, 1.0, 0.5, 1.0, 0.0, trial=2)
    found = summary_of([*strong, *weak, *run("weaker", 0.0, 0.0, 1.0, 1.0)]).warnings

    assert found == (
        SummaryWarning(
            kind=WarningKind.INVERTED,
            level=1,
            models=("strong",),
            instances=("level1-002", "level1-003"),
            solved_by=("weak", "weaker"),
        ),
    )
    assert found[0].text(lambda name: f"<{name}>") == (
        "level 1: <strong> never solved what <weak>, <weaker> did, with a lower F1: <level1-002>, <level1-003>"
    )


def test_instance_that_the_strongest_solved_once_is_not_inverted() -> None:
    """One pass of several trials shows that it can be solved."""
    strong = run("strong", 1.0, 0.0, 1.0) + run("strong", 1.0, 1.0, 1.0, trial=2)

    assert kinds(strong, run("weak", 0.0, 1.0, 0.0)) == []


def test_equally_strong_models_all_have_to_miss_it() -> None:
    """With the same average F1 no one is the weaker."""
    first, second = run("first", 1.0, 0.0, 0.5), run("second", 0.0, 1.0, 0.5)

    assert kinds(first, second) == []
    assert kinds(first, second, run("weak", 0.0, 0.0, 1.0)) == [(WarningKind.INVERTED, 1, ("first", "second"))]


def test_levels_are_apart() -> None:
    """Who is the strongest is asked at each level anew; a model alone is not compared."""
    given = run("a", 1.0, 1.0, 0.0), run("b", 0.0, 0.0, 1.0), run("a", 0.5, 1.0, level=2), run("b", 1.0, 0.9, level=2)

    assert [(WarningKind.INVERTED, 1, ("a",)), (WarningKind.INVERTED, 2, ("b",))] == kinds(*given)
    assert kinds(run("b", 0.0, 0.0, 1.0)) == []


def test_only_some_instances_are_named() -> None:
    """Five are, and how many more there are is said."""
    found = summary_of(run("a", *[0.9] * 9) + run("b", *[1.0] * 7, 0.0, 0.0)).warnings

    assert len(found[0].instances) == 7
    assert found[0].text(str).endswith("level1-003, level1-004 and 2 more")


def test_errors_after_the_first_turn() -> None:
    """Errors of the endpoint after the model had answered are named by model; they may hide failures of the model."""
    late = Fault(kind="endpoint", message="HTTP 400")
    results = [
        result(None, 1, fault=late, turns=2),
        result(None, 2, fault=late, turns=0),
        result(None, 3, fault=Fault(kind="harness", message="x"), turns=2),
        result(0.5, 4),
        result(None, 1, model="other", fault=late, turns=None),
    ]
    (warning,) = summary_of(results).warnings

    assert (WarningKind.LATE_ERRORS, ("m",), ("level1-001",)) == (warning.kind, warning.models, warning.instances)
    assert (
        "level 1: m had answered before the endpoint failed in 1 instances, which may hide failures of the model: "
        "level1-001"
    ) == warning.text(str)


def test_exact_match_without_the_needed_records_is_unearned() -> None:
    """It is counted, in each trial, and named; a wrong answer is not, nor a model that needs no records by design."""
    missed: dict[str, Any] = {"records_missed": ("thread:T0001",)}
    odd = [result(1.0, 3, trial=trial, model=model, **missed) for model in ("m", "random") for trial in (1, 2)]
    found = summary_of([*odd, result(0.5, 4, **missed), result(1.0, 5)], by_design={"random"})

    assert [2, 2] == [row.unearned for row in found.rows]
    assert [(WarningKind.UNEARNED, ("m",), ("level1-003",))] == [
        (one.kind, one.models, one.instances) for one in found.warnings
    ]
    assert found.warnings[0].text(str) == (
        "level 1: m has exact matches without being shown the needed records: level1-003"
    )
    assert "F1 [95%]  unearned  errors" in table(found)

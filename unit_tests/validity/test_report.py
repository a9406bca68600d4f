"""The report on the diagnosis: its tables, its targets, and the figures that the data must bear out."""

from pathlib import Path

import pytest

from mpcbench.schema.cause import Stage
from unit_tests.builders.committed import DATASET
from unit_tests.marks import UNTRACED
from unit_tests.validity.finding import Finding, Group
from unit_tests.validity.judge import Verdict
from unit_tests.validity.kit import SECOND
from unit_tests.validity.measure import FEW, USUAL, measured
from unit_tests.validity.report import SAMPLE, missed, report, summary

pytestmark = UNTRACED

REPORT = Path(__file__).resolve().parents[2] / "docs" / "validity.md"
BUSY = (frozenset({"integration.constraint_omitted:busy"}),)


def finding(group: Group, verdict: Verdict, name: str = SECOND[0]) -> Finding:
    stages = frozenset({Stage.INTEGRATION})
    return Finding(group, name, "level1-001", verdict, BUSY, Stage.INTEGRATION, stages)


def test_summary() -> None:
    """The groups come in order, the held-out agents first, with the share of each verdict."""
    verdicts = (Verdict.RIGHT, Verdict.RIGHT, Verdict.ACCEPTABLE, Verdict.FALSE)
    lines = summary([finding(Group.HELD_OUT, verdict) for verdict in verdicts]).splitlines()

    assert lines[2].startswith(
        "| held-out flawed agents | 4 | 50.0% | 25.0% | 0.0% | 0.0% | 25.0% | right or acceptable"
    )
    assert lines[3].startswith("| mutants | 0 | - | - | - | - | - |")


def test_details() -> None:
    """Each agent has a row, also where it gave no wrong answer, with what is expected and what was diagnosed."""
    found = [finding(Group.SECOND, Verdict.FALSE), finding(Group.MUTANTS, Verdict.RIGHT, "integrate.choose")]
    lines = report(found, USUAL, found).splitlines()
    (first,) = (line for line in lines if line.startswith(f"| `{SECOND[0]}`"))
    (second,) = (line for line in lines if line.startswith(f"| `{SECOND[1]}`"))

    assert "| 1 | 0 | 0 | 0 | 0 | 1 |" in first
    assert first.endswith("| integration.constraint_omitted:busy (1) |")
    assert "| 0 | 0 | 0 | 0 | 0 | 0 |" in second
    assert "| `integrate.choose` | 1 | 1 | 0 | 0 | 0 | 0 |  | integration.constraint_omitted:busy (1) |" in lines


@pytest.mark.parametrize(
    ("expected", "group", "verdicts"),
    [
        ([], Group.HELD_OUT, [Verdict.RIGHT] * 80 + [Verdict.UNEXPLAINED] * 15 + [Verdict.ACCEPTABLE] * 5),
        (["held-out"], Group.HELD_OUT, [Verdict.RIGHT] * 79 + [Verdict.UNEXPLAINED] * 15 + [Verdict.FALSE] * 3),
        (["mutants"], Group.MUTANTS, [Verdict.RIGHT] * 84 + [Verdict.SYMPTOM] * 16),
        (["mutants"], Group.MUTANTS, [Verdict.RIGHT] * 96 + [Verdict.FALSE] * 4),
        ([], Group.NEAR, [Verdict.UNEXPLAINED] * 96 + [Verdict.FALSE] * 4),
        (["near"], Group.NEAR, [Verdict.UNEXPLAINED] * 95 + [Verdict.FALSE] * 5),
        (["own"], Group.OWN, [Verdict.RIGHT] * 96 + [Verdict.ACCEPTABLE] * 4),
        ([], Group.FIRST, [Verdict.FALSE]),
    ],
)
def test_targets(expected: list[str], group: Group, verdicts: list[Verdict]) -> None:
    """A target is missed where the share of a group's verdicts is on its wrong side."""
    found = [finding(group, verdict) for verdict in verdicts]

    assert expected == [miss.split()[0].rstrip(":") for miss in missed(found)]


@pytest.mark.slow  # runs a few agents of each group
def test_committed_report() -> None:
    """The sample at the end of docs/validity.md is what the code finds today; `make validity` writes it anew."""
    few = measured(DATASET, FEW, lambda _: None, jobs=0)

    assert summary(few) == REPORT.read_text(encoding="utf-8").rpartition(SAMPLE)[2]

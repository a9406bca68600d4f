"""The report on the diagnosis: its rules of what is right, and its figures, which the data must bear out."""

from pathlib import Path

import pytest

from evaluation.diagnosis import Capability, Cause, Diagnosis, Stage
from schema.dataset import Dataset
from unit_tests.validity.bench import explanations
from unit_tests.validity.claim import Claim
from unit_tests.validity.finding import Finding, is_right
from unit_tests.validity.report import sample, tables

ROOT = Path(__file__).resolve().parents[2]
BUFFER = "integration.constraint_omitted:buffer_min"
BUSY = "integration.constraint_omitted:busy"
COUNT = "integration.count:too_many"
THREAD = "acquisition.record_never_seen:thread"
ROOM = "acquisition.record_never_seen:room"


def told(*reasons: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(reason.split(" + ")) for reason in reasons)


@pytest.mark.parametrize(
    ("expected", "explained", "true", "stage"),
    [
        (True, told(BUFFER), [(BUFFER,)], Stage.INTEGRATION),
        (True, told(BUSY, BUFFER), [(BUFFER,)], Stage.INTEGRATION),
        (False, told(BUSY, COUNT, BUFFER), [(BUFFER,)], Stage.INTEGRATION),
        (False, told(BUSY), [(BUFFER,)], Stage.INTEGRATION),
        (False, told("unexplained"), [(BUFFER,)], Stage.INTEGRATION),
        (False, told(f"{BUFFER} + {COUNT}"), [(BUFFER,)], Stage.INTEGRATION),
        (True, told(f"{BUFFER} + {COUNT}"), [(BUFFER,), (COUNT,)], Stage.INTEGRATION),
        (False, told(BUFFER), [(BUFFER,), (COUNT,)], Stage.INTEGRATION),
        (True, told(f"{THREAD} + {ROOM}"), [(THREAD,)], Stage.ACQUISITION),
        (False, told(ROOM), [(THREAD,)], Stage.ACQUISITION),
    ],
)
def test_when_a_reason_is_right(
    expected: bool, explained: tuple[frozenset[str], ...], true: list[tuple[str, ...]], stage: Stage
) -> None:
    """The true reasons must be one explanation of at most two, and all of it where the task was changed."""
    assert expected == is_right(explained, true, stage)


def test_explanations() -> None:
    """Causes of one number are one explanation, and the same reasons with other evidence count once."""
    causes = (
        Cause(reason=BUFFER, alternative=1),
        Cause(reason=COUNT, alternative=1),
        Cause(reason=BUSY, alternative=2),
        Cause(reason=BUSY, alternative=3),
    )
    capability = Capability(decomposition=1, acquisition=1, integration=0.5)

    assert told(f"{BUFFER} + {COUNT}", BUSY) == explanations(
        Diagnosis(stage=Stage.INTEGRATION, causes=causes, capability=capability)
    )


def test_tables() -> None:
    """The tables count right stages, right reasons and claims about random answers."""
    found = [
        Finding("omits-buffer", 1, "level1-001", Stage.INTEGRATION, Stage.INTEGRATION, told(BUFFER), True),
        Finding("omits-buffer", 1, "level1-002", Stage.INTEGRATION, Stage.ACQUISITION, told(THREAD), False),
    ]
    kind = "any feasible candidates"
    claimed = [Claim(kind, "level1-001", told("unexplained")), Claim(kind, "level1-002", told(BUSY, COUNT))]
    lines = tables(found, claimed).splitlines()

    assert "| stage | 1 | 2 | 50.0% | ≥ 99% |" in lines
    assert "| false claims about random answers | 1 | 2 | 50.0% | ≤ 5% |" in lines
    assert "| integration | 0 | 0 | 1 | 1 | 0 |" in lines
    assert f"| `omits-buffer` | 2 | 50.0% | 50.0% | {THREAD} (1)<br>{BUFFER} (1) |" in lines
    assert f"| any feasible candidates | 2 | 1 | {BUSY} or {COUNT} (1) |" in lines


def test_committed_report() -> None:
    """The sample at the end of docs/validity.md is what the code finds today; `make validity` writes it anew."""
    committed = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")

    assert sample(Dataset.open(ROOT)) == committed.rpartition("instance\n\n")[2]

"""The findings: when the diagnosis of a flawed agent is right, and whether its evidence is."""

import pytest

from mpcbench.benchmark.agents.flawed import FLAWS, PAIRS
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence, Stage, stage_of
from mpcbench.schema.episode import ToolCall
from unit_tests.builders.committed import DATASET
from unit_tests.marks import UNTRACED
from unit_tests.validity.bench import Bench, explanations
from unit_tests.validity.finding import is_evidence_right, is_right, is_shown, of_own
from unit_tests.validity.touched import TOUCHED

pytestmark = UNTRACED

BUFFER = "integration.constraint_omitted:buffer_min"
BUSY = "integration.constraint_omitted:busy"
COUNT = "integration.count:too_many"
THREAD = "acquisition.record_never_seen:thread"
ROOM = "acquisition.record_never_seen:room"


def diagnosed(*reasons: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(reason.split(" + ")) for reason in reasons)


@pytest.mark.parametrize(
    ("expected", "explained", "true", "stage"),
    [
        (True, diagnosed(BUFFER), [(BUFFER,)], Stage.INTEGRATION),
        (True, diagnosed(BUSY, BUFFER), [(BUFFER,)], Stage.INTEGRATION),
        (False, diagnosed(BUSY, COUNT, BUFFER), [(BUFFER,)], Stage.INTEGRATION),
        (False, diagnosed(BUSY), [(BUFFER,)], Stage.INTEGRATION),
        (False, diagnosed("unexplained"), [(BUFFER,)], Stage.INTEGRATION),
        (False, diagnosed(f"{BUFFER} + {COUNT}"), [(BUFFER,)], Stage.INTEGRATION),
        (True, diagnosed(f"{BUFFER} + {COUNT}"), [(BUFFER,), (COUNT,)], Stage.INTEGRATION),
        (False, diagnosed(BUFFER), [(BUFFER,), (COUNT,)], Stage.INTEGRATION),
        (True, diagnosed(f"{THREAD} + {ROOM}"), [(THREAD,)], Stage.ACQUISITION),
        (False, diagnosed(ROOM), [(THREAD,)], Stage.ACQUISITION),
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

    assert diagnosed(f"{BUFFER} + {COUNT}", BUSY) == explanations(
        Diagnosis(stage=Stage.INTEGRATION, causes=causes, capability=capability)
    )


def evidence(*causes: tuple[str, int, tuple[str, ...]]) -> Diagnosis:
    """Causes by their reason, alternative and records."""
    return Diagnosis(
        stage=Stage.INTEGRATION,
        causes=tuple(
            Cause(
                reason=reason,
                alternative=number,
                evidence=tuple(Evidence(record=record, values={"holds": 1, "used": None}) for record in records),
            )
            for reason, number, records in causes
        ),
        capability=Capability(decomposition=1, acquisition=1, integration=0.5),
    )


@pytest.mark.parametrize(
    ("expected", "causes"),
    [
        (True, [(BUFFER, 1, ("policy:POL-01",))]),
        (True, [(BUFFER, 1, ("policy:POL-02",)), (BUFFER, 2, ("policy:POL-01",))]),
        (True, [(BUFFER, 1, ("policy:POL-01",)), (BUSY, 2, ("calendar:p001",))]),
        (False, [(BUFFER, 1, ("policy:POL-02",))]),
        (False, [(BUFFER, 1, ("policy:POL-01", "policy:POL-02"))]),
        (False, [(BUFFER, 1, ())]),
        (False, [(BUFFER, number, (f"policy:POL-0{number}",)) for number in (1, 2, 3)]),
    ],
)
def test_when_evidence_is_right(expected: bool, causes: list[tuple[str, int, tuple[str, ...]]]) -> None:
    """The true records, and no others, must be named by one alternative among at most two of the true reason."""
    assert expected == is_evidence_right(evidence(*causes), [((BUFFER,), {"policy:POL-01"})])


@pytest.mark.parametrize(
    ("expected", "change"),
    [
        (True, {}),
        (False, {"record": None}),
        (False, {"values": {"holds": 1}}),
        (False, {"tool_call": 2}),
        (False, {"tool_call": None}),
    ],
)
def test_when_evidence_is_whole(expected: bool, change: dict[str, object]) -> None:
    """Evidence names its record, what holds, what was used, and the first call that showed it."""
    whole = Evidence(record="policy:POL-01", values={"holds": 1, "used": 2}, tool_call=1)
    found = evidence((BUFFER, 1, ()))
    cause = found.causes[0].model_copy(update={"evidence": (whole.model_copy(update=change),)})
    call = ToolCall(turn=1, name="x", arguments={}, result="", is_error=False, records=("policy:POL-01",))

    assert expected == is_shown(found.model_copy(update={"causes": (cause,)}), [call, call])


def test_every_flaw_has_its_records() -> None:
    """For each flaw but those of the format it is known which records its evidence has to name."""
    assert {name for name, flaw in FLAWS.items() if stage_of(flaw.expected[0]) is not Stage.FORMAT} == {*TOUCHED}


@pytest.mark.slow  # runs every flawed agent
@pytest.mark.parametrize("name", [*FLAWS, *PAIRS])
def test_every_cause_has_evidence(name: str) -> None:
    """Of each flawed agent and pair of flaws, every cause names its record, its values and its call."""
    found = next(of_own(Bench(DATASET), name, 1, None))

    assert found.is_shown

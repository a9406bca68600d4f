"""A failure in one line and in a dozen."""

import json

import pytest

from mpcbench.evaluation.scoring.brief import brief, verdict
from mpcbench.schema.cause import Capability, Cause, Diagnosis, Evidence, Stage
from mpcbench.schema.episode import Episode, Fault, ToolCall
from unit_tests.builders import tiny

WRONG = json.dumps({"candidates": [{"start": "2027-02-08T10:00", "end": "2027-02-08T11:00"}]})


def test_wrong_answer_is_summed_up() -> None:
    """The whole text, as a person reads it."""
    episode = tiny.episode(1, WRONG, calls=tuple(map(tiny.call, ("calendar:p001", "policy:POL-01"))))
    expected = """\
failed   F1 0.00 · ignored the buffer around events (integration): POL-01 (and 1 more)
task     Find slots for the Heron pricing review.
missed   2 of 2: Mon 2027-02-08 10:15-11:15, Mon 2027-02-08 10:30-11:30
wrong    1 of 1: Mon 2027-02-08 10:00-11:00
why      Ignored the buffer around events (integration): policy:POL-01 (tool call 2): buffer of 10 minutes
why      Too few options (integration): task: 2 options; in the answer: 1 option
calls    2 in 1 turn"""

    assert expected == brief(episode, tiny.exam(1))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("T82199: Heron pricing review", "F1 0.00 · listed T82199, never opened (acquisition)"),
        ("no threads", "F1 0.00 · never found T82199 (acquisition)"),
    ],
)
def test_record_never_seen(result: str, expected: str) -> None:
    """Of a record that was never shown it says whether a tool result had named it."""
    call = tiny.call("calendar:p001").model_copy(update={"result": result})

    assert expected == verdict(diagnosed("acquisition.record_never_seen:thread", "thread:T82199", calls=(call,)))


def test_causes_that_are_about_no_record() -> None:
    """They are named alone."""
    assert "F1 0.00 · too many options (integration)" == verdict(diagnosed("integration.count:too_many", None))


def test_error_tells_its_cause() -> None:
    """On one line, whatever the message holds."""
    fault = Fault(kind="endpoint", message="HTTP 500\n\x1b[31m no luck \ud800")
    episode = tiny.episode(1, WRONG).model_copy(update={"fault": fault, "scores": None})

    assert "error · endpoint: HTTP 500 \\x1b[31m no luck \ufffd" == verdict(episode)


def test_nothing_is_too_long() -> None:
    """However much a model writes, there are at most nine lines of at most 240 characters."""
    many = [{"start": f"2027-02-{day:02}T10:00", "end": f"2027-02-{day:02}T11:00"} for day in range(1, 28)] * 30
    episode = tiny.episode(1, json.dumps({"candidates": many}))
    lines = brief(episode.model_copy(update={"task": "x\n" * 5_000}), tiny.exam(1)).splitlines()

    assert len(lines) <= 9
    assert max(map(len, lines)) <= 240


def diagnosed(reason: str, record: str | None, calls: tuple[ToolCall, ...] = ()) -> Episode:
    cause = Cause(reason=reason, evidence=(Evidence(record=record),))
    nothing = Capability(decomposition=None, acquisition=None, integration=None)
    diagnosis = Diagnosis(stage=Stage(reason.partition(".")[0]), causes=(cause,), capability=nothing)
    return tiny.episode(1, WRONG, calls=calls).model_copy(update={"diagnosis": diagnosis})

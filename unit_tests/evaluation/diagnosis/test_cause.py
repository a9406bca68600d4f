"""The vocabulary of causes: every reason is well formed, has its stage and reads well."""

import pytest
from pydantic import ValidationError

from mpcbench.schema.cause import Cause, Reason, Stage, in_words, is_observed, reason_text, stage_of


@pytest.mark.parametrize("reason", Reason)
def test_reason_can_be_stored(reason: Reason) -> None:
    """Every reason is a valid cause, with and without a detail, whose stage is the first part of its name.

    What is only observed has no stage.
    """
    is_cause = reason is not Reason.UNEXPLAINED and not is_observed(reason.value)
    expected = Stage(reason.value.split(".")[0]) if is_cause else None
    actual = Cause(reason=reason.value).stage

    assert expected == actual
    assert stage_of(reason.value) == expected


@pytest.mark.parametrize("reason", ["", "integration", "planning.ranking", "integration.Ranking", "unexplained:x"])
def test_other_words_are_refused(reason: str) -> None:
    """What is not of the form `stage.reason:detail` cannot be stored."""
    with pytest.raises(ValidationError):
        Cause(reason=reason)


@pytest.mark.parametrize(
    ("reason", "detail", "expected"),
    [
        (Reason.CONSTRAINT_ADDED, "policy", "Over-filtering by a policy nobody asked for (integration)"),
        (Reason.CONSTRAINT_OMITTED, "lunch_block", "Ignored the lunch break (integration)"),
        (Reason.COUNT, "too_few", "Too few options (integration)"),
        (Reason.RECORD_NEVER_SEEN, "room_calendar", "Never saw a needed room calendar (acquisition)"),
        (Reason.SOURCE_NEVER_QUERIED, "threads", "Never queried the source threads (decomposition)"),
        (Reason.VALUE_WRONG, "touching", "Took touching events for overlapping ones (integration)"),
        (Reason.UNEXPLAINED, "", "Unexplained"),
    ],
)
def test_reason_in_words(reason: Reason, detail: str, expected: str) -> None:
    """A reason is said in plain words, with its stage."""
    assert expected == in_words(reason_text(reason, detail))

"""An episode's outcome: passed, failed with a status, or void; never a score for a fault."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.schema.episode import GRADING_VERSION, Episode, Fault, Finish, Outcome, Scores
from mpcbench.schema.model import Level
from unit_tests.builders import tiny
from unit_tests.examples import examples

ZERO = Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False)
WRONG = json.dumps({"candidates": [{"start": "2027-02-08T10:15", "end": "2027-02-08T11:15"}], "rationale": "early"})


@pytest.mark.parametrize("level", [1, 2, 3])
def test_gold_answer_passes(level: Level) -> None:
    """The gold, written as an answer, is an exact and ranked match at every level."""
    actual = tiny.episode(level, tiny.gold_text(level))

    assert actual.outcome is Outcome.PASSED
    assert Scores(precision=1, recall=1, f1=1, exact_match=True, ranked_match=True) == actual.scores
    assert actual.gold == actual.answer
    assert actual.violations == ()


def test_wrong_answer_fails_with_reasons() -> None:
    """A wrong answer is scored, stored with its rationale and explained; the grading version is recorded."""
    actual = tiny.episode(1, WRONG, calls=(tiny.call("calendar:p001"),))

    assert actual.outcome is Outcome.FAILED
    assert actual.answer_status == "parsed"
    assert actual.answer == ({"start": "2027-02-08T10:15:00+01:00", "end": "2027-02-08T11:15:00+01:00"},)
    assert actual.rationale == "early"
    assert [one["place"] for one in actual.violations] == [None]
    assert actual.records_missed == ("policy:POL-01",)
    assert actual.grading_version == GRADING_VERSION


@pytest.mark.parametrize("text", ["", " \n", "I cannot help.", '{"candidates": 1}'])
@pytest.mark.parametrize(
    ("finish", "status"),
    [
        (Finish.STOP, "unparsable"),
        (Finish.LENGTH, "truncated"),
        (Finish.REFUSAL, "refused"),
        (Finish.TURNS, "no_answer"),
    ],
)
def test_no_answer_scores_zero(text: str, finish: Finish, status: str) -> None:
    """Without an answer the scores are 0 and the status says why the agent stopped; an empty text has no error."""
    actual = tiny.episode(1, text, finish=finish)
    blank = not text.strip()

    assert actual.outcome is Outcome.FAILED
    assert actual.scores == ZERO
    assert actual.answer is None
    assert actual.answer_status == ("no_answer" if blank and finish is Finish.STOP else status)
    assert (actual.answer_error is None) == blank


@pytest.mark.parametrize("finish", Finish)
def test_answer_that_parses_is_scored_however_the_agent_stopped(finish: Finish) -> None:
    """A whole answer before the cut counts like any other."""
    actual = tiny.episode(1, tiny.gold_text(1), finish=finish)

    assert (actual.outcome, actual.answer_status) == (Outcome.PASSED, "parsed")


@pytest.mark.parametrize("text", ["", tiny.gold_text(1)])
def test_fault_is_void_and_has_no_scores(text: str) -> None:
    """A fault makes the episode an error without scores, even where there is an answer."""
    actual = tiny.episode(1, text, fault=Fault(kind="endpoint", message="503"))

    assert actual.outcome is Outcome.ERROR
    assert (actual.scores, actual.answer, actual.answer_status) == (None, None, None)


def test_neither_reply_nor_fault_is_refused() -> None:
    """An episode of which nothing is known cannot be graded."""
    with pytest.raises(ValueError, match="neither a reply nor a fault"):
        tiny.episode(1, reply=None)


def test_unknown_calls_say_nothing_of_what_was_seen() -> None:
    """Without a log of calls no record is called missed and no violation seen or unseen."""
    actual = tiny.episode(1, WRONG.replace("10:15", "10:00"), calls=None)

    assert actual.records_missed == ()
    assert {one["seen"] for found in actual.violations for one in found["violations"]} == {None}  # type: ignore[call-overload,index,union-attr]


def test_hostile_reply_can_be_stored() -> None:
    """Lone surrogates, endless nesting and numbers that JSON lacks do not stop an episode from being written."""
    deep: dict[str, object] = {}
    for _ in range(1000):
        deep = {"a": deep}
    call = tiny.call("calendar:p001", name="\ud800", keyword="\udfff", number=float("nan"), deep=deep)
    text = '\ud800 {"candidates": [{"start": "2027-02-08T10:00", "end": "2027-02-08T11:00", "room_id": "\\ud800"}]}'
    episode = tiny.episode(3, text, calls=(call,))

    assert episode == Episode.model_validate_json(episode.model_dump_json())
    assert episode.answer_status == "parsed"


@given(st.text(), st.sampled_from(Finish), st.sampled_from([1, 3]))
@examples(50)
def test_grading_is_pure(text: str, finish: Finish, level: Level) -> None:
    """The same reply always gives the same episode, scored or not parsed, and never an exception."""
    expected = tiny.episode(level, text, finish=finish)
    actual = tiny.episode(level, text, finish=finish)

    assert expected == actual
    assert expected.scores is not None

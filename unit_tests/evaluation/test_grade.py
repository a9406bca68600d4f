"""An episode's outcome: passed, failed with a status, or an error; never a score for a fault."""

import json
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mpcbench.benchmark.environment.reveal_constraints import suitable_rooms
from mpcbench.benchmark.environment.setting import toolbox_of
from mpcbench.evaluation.grade import Attempt, grade
from mpcbench.evaluation.scoring.score import proposal_key
from mpcbench.oracle import resolve
from mpcbench.schema.episode import (
    GRADING_VERSION,
    AnswerCandidate,
    Episode,
    Fault,
    Finish,
    Outcome,
    Reply,
    Reveal,
    Scores,
)
from mpcbench.schema.model import Level
from unit_tests.builders import small_ladder, tiny
from unit_tests.builders.chosen_instances import with_spare_rooms
from unit_tests.builders.committed import DATASET
from unit_tests.examples import examples

ZERO = Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False)
WRONG = json.dumps({"candidates": [{"start": "2027-02-08T10:15", "end": "2027-02-08T11:15"}], "rationale": "early"})


@pytest.mark.parametrize("level", [1, 2, 3])
def test_gold_answer_passes(level: Level) -> None:
    """The gold, written as an answer, is an exact and ranked match at every level."""
    actual = tiny.episode(level, tiny.gold_text(level))

    assert actual.outcome is Outcome.PASSED
    assert Scores(precision=1, recall=1, f1=1, exact_match=True, ranked_match=True) == actual.scores
    assert actual.answer is not None
    assert [*map(proposal_key, actual.gold)] == [*map(proposal_key, actual.answer)]
    assert actual.violations == ()


def test_rooms_are_those_of_the_world() -> None:
    """A room given by its name, or by its ID in another spelling, is stored and scored as the room."""
    gold = json.loads(tiny.gold_text(3))
    names = {room.room_id: room.name for room in tiny.exam(3).world.rooms}
    by_name, spelled = (
        tiny.episode(3, json.dumps({"candidates": [one | {"room_id": written(one)} for one in gold["candidates"]]}))
        for written in (lambda one: names[one["room_id"]], lambda one: one["room_id"].lower().replace("r", "r "))
    )

    assert [Outcome.PASSED] * 2 == [by_name.outcome, spelled.outcome]
    assert by_name.answer == spelled.answer == tiny.episode(3, tiny.gold_text(3)).answer


def test_wrong_answer_fails_with_reasons() -> None:
    """A wrong answer is scored, stored with its rationale and explained; the grading version is recorded."""
    actual = tiny.episode(1, WRONG, calls=(tiny.call("calendar:p001"),))

    assert actual.outcome is Outcome.FAILED
    assert actual.answer_status == "parsed"
    assert actual.answer == (AnswerCandidate(tiny.at("2027-02-08 10:15"), tiny.at("2027-02-08 11:15")),)
    assert actual.rationale == "early"
    assert [one.place for one in actual.violations] == [None]
    assert actual.records_missed == ("policy:POL-01",)
    assert actual.grading_version == GRADING_VERSION


def test_candidates_are_stored_as_text() -> None:
    """Times are ISO 8601 with any seconds and offset, a room is there only if named, and all is read back alike."""
    rows = [
        {"start": "1500-01-01T10:00:00+00:53:28", "end": "2027-02-08T11:15:30.250000+01:00"},
        {"start": "2027-02-08T10:15:00+01:00", "end": "2027-02-08T11:15:00+01:00", "room_id": "R01"},
    ]
    text = json.dumps({"candidates": [{"start": "1500-01-01T10:00", "end": "2027-02-08T11:15:30.25"}, rows[1]]})
    episode = tiny.episode(3, text)
    stored = json.loads(episode.model_dump_json())

    assert rows == stored["answer"]
    assert {"start", "end", "room_id"} == {*stored["gold"][0]}
    assert {"start", "end"} == {*json.loads(tiny.episode(1, "").model_dump_json())["gold"][0]}
    assert {"place", "start", "end", "room_id", "violations"} == {*stored["violations"][0]}
    assert rows[0] == {name: stored["violations"][0][name] for name in ("start", "end")}
    assert episode == Episode.model_validate(stored)


@pytest.mark.parametrize("change", [{"end": "2027-02-08T11:15:00"}, {"end": "soon"}, {"place": 1}])
def test_stored_candidate_is_checked(change: dict[str, object]) -> None:
    """A time without an offset, no time at all and an unknown key are refused."""
    stored = json.loads(tiny.episode(1, WRONG).model_dump_json())
    stored["answer"][0] |= change

    with pytest.raises(ValidationError):
        Episode.model_validate(stored)


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
def test_fault_is_an_error_and_has_no_scores(text: str) -> None:
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
    assert {one.seen for found in actual.violations for one in found.violations} == {None}


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


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("reveal", ["records", "constraints"])
def test_what_is_revealed_counts_as_seen(place: int, reveal: Reveal) -> None:
    """An agent to which the records are revealed has seen the bookings of every suitable room, required or not."""
    instance = next(islice(with_spare_rooms(), place, None))
    exam = DATASET.exam(instance.instance_id)
    rooms = suitable_rooms(resolve(exam.world, exam.instance))
    booked = [
        {"start": booking.start.isoformat(), "end": booking.end.isoformat(), "room_id": room.room_id}
        for room in rooms
        for booking in exam.world.bookings_by_room[room.room_id][:1]
    ]
    attempt = Attempt(
        model="agent",
        task=exam.instance.task[0],
        reply=Reply(text=json.dumps({"candidates": booked})),
        tool_calls=(),
        reveal=reveal,
    )
    found = [one for wrong in grade(exam, attempt).violations for one in wrong.violations]
    unseen = {record for one in found for record in one.unseen}

    assert {f"room_calendar:{room.room_id}" for room in rooms} - {*exam.label.records} != set()
    assert set() == unseen


@given(st.text(), st.sampled_from(Finish), st.sampled_from([1, 3]))
@examples(50)
def test_grading_is_pure(text: str, finish: Finish, level: Level) -> None:
    """The same reply always gives the same episode, scored or not parsed, and never an exception."""
    expected = tiny.episode(level, text, finish=finish)
    actual = tiny.episode(level, text, finish=finish)

    assert expected == actual
    assert expected.scores is not None


@pytest.mark.parametrize(("without", "passed"), [("calendar:p1", True), ("calendar:p2", False)])
def test_gold_is_that_of_the_world_when_the_answer_is_given(without: str, passed: bool) -> None:
    """Ada's new entry is not there until her calendar has been shown: then the answer from before it is the right one."""
    exam = small_ladder.exam(3)
    tools = toolbox_of(exam)
    small_ladder.read_all(tools)
    calls = tuple(call for call in tools.log if without not in call.records)
    before = [
        {"start": one.start.isoformat(), "end": one.end.isoformat(), "room_id": one.room_id}
        for one in exam.label.gold_before
    ]
    reply = Reply(text=json.dumps({"candidates": before}))
    episode = grade(exam, Attempt(model="m", task="", reply=reply, tool_calls=calls))

    assert (episode.outcome is Outcome.PASSED) is passed
    assert grade(exam, Attempt(model="m", task="", reply=reply)).outcome is Outcome.FAILED
    assert grade(exam, Attempt.of(episode)) == episode
    assert episode.ladder == grade(exam, Attempt(model="m", task="", reply=reply)).ladder

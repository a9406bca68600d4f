"""The answer at level 4 is read as at level 3, with the name of the meeting where several are planned."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mpcbench.evaluation.scoring.answer import AnswerError, answer_schema
from mpcbench.evaluation.scoring.ladder_answer import (
    LadderAnswer,
    LadderAnswerCandidate,
    ladder_answer_schema,
    parse_ladder_answer,
)
from mpcbench.schema import Room

ZONE = ZoneInfo("Europe/Berlin")
SLOT = {"start": "2027-02-09T14:30:00", "end": "2027-02-09T15:30:00", "room_id": "R01"}
PLANNED = {"meeting": "Heron review", **SLOT}
AGENDA = ("Heron review", "Curlew workshop")
ROOMS = (Room(room_id="R01", name="Ash", site="Harbour", floor=1, capacity=8, equipment=()),)

offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
aware = st.datetimes(datetime.fromisoformat("1000-01-02"), datetime.fromisoformat("2999-12-30"), timezones=offsets)
texts = st.none() | st.text(st.characters(exclude_categories=["Cs"]))


def parsed(*slots: dict[str, Any], plan: bool = True) -> tuple[LadderAnswerCandidate, ...]:
    text = json.dumps({"candidates": slots})
    return parse_ladder_answer(text, ZONE, ROOMS, AGENDA if plan else ()).candidates


def test_a_single_meeting_has_the_schema_of_level_3() -> None:
    """A slot and a room are asked for, nothing else."""
    assert answer_schema(3) == ladder_answer_schema(plan=False)


def test_a_plan_asks_for_the_meeting_first() -> None:
    """An option of a plan is meeting, start, end and room, all of them required."""
    item = ladder_answer_schema(plan=True)["properties"]["candidates"]["items"]

    assert ["meeting", "start", "end", "room_id"] == list(item["properties"]) == item["required"]
    assert item["additionalProperties"] is False


@pytest.mark.parametrize(("plan", "slot"), [(True, PLANNED), (False, SLOT)])
def test_schema_and_parser_agree(plan: bool, slot: dict[str, Any]) -> None:
    """What fits the schema is read; a time that is none fits neither."""
    validator = Draft202012Validator(ladder_answer_schema(plan=plan))

    assert validator.is_valid({"candidates": [slot]})
    assert 1 == len(parsed(slot, plan=plan))
    assert not validator.is_valid({"candidates": [slot | {"start": "noon"}]})
    with pytest.raises(AnswerError, match=r"candidates\[0\]\.start"):
        parsed(slot | {"start": "noon"}, plan=plan)


@given(st.lists(st.tuples(aware, aware, texts, texts), max_size=5), texts)
def test_parser_reads_what_was_written(
    given: list[tuple[datetime, datetime, str | None, str | None]], rationale: str | None
) -> None:
    """A plan written as JSON comes back with the same instants, rooms, meetings, order and rationale."""
    rows = [
        {"meeting": meeting, "start": start.isoformat(), "end": end.isoformat(), "room_id": room}
        for start, end, room, meeting in given
    ]
    expected = LadderAnswer(
        tuple(
            LadderAnswerCandidate(start.astimezone(UTC), end.astimezone(UTC), room, meeting)
            for start, end, room, meeting in given
        ),
        rationale,
    )
    text = f"Here it is: {json.dumps({'candidates': rows, 'rationale': rationale})}"

    assert expected == parse_ladder_answer(text, UTC, agenda=("x",))


def test_names_of_meetings_and_rooms_are_known_however_they_are_spaced() -> None:
    """Case and white space of a meeting's name do not matter, a room may be called by its name."""
    (found,) = parsed(PLANNED | {"meeting": "heron  Review ", "room_id": "ash"})

    assert ("Heron review", "R01") == (found.meeting, found.room_id)
    assert datetime.fromisoformat("2027-02-09T14:30+01:00") == found.start


def test_other_names_are_kept() -> None:
    """A wrong or missing name makes the option wrong, not the answer unreadable."""
    assert ["the Dutch thing", None] == [one.meeting for one in parsed(PLANNED | {"meeting": "the Dutch thing"}, SLOT)]


def test_a_single_meeting_ignores_names_of_meetings() -> None:
    """Keys that the schema does not have are left out of account."""
    (found,) = parsed(PLANNED, plan=False)

    assert found.meeting is None


def test_an_answer_without_candidates_is_an_error() -> None:
    """The error says what is missing."""
    with pytest.raises(AnswerError, match="candidates"):
        parse_ladder_answer("I cannot tell.", ZONE, agenda=AGENDA)

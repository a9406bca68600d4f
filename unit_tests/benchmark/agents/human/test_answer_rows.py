"""Answers as people type them."""

import json

import pytest

from mpcbench.benchmark.agents.human.answer_rows import Row, RowError, answer_json, rows_of


@pytest.mark.parametrize(
    "text",
    [
        "2027-02-17 17:30-18:15 R23 2027-02-18 9:00-9:45",
        "Wed 2027-02-17 17:30-18:15 R23, Thu 2027-02-18 9:00-9:45",
        "2027-02-17 17:30\u201318:15 R23\n2027-02-18T9:00 to 9:45\n",
        " 2027-02-17 17:30/18:15, R23; Thursday, 2027-02-18 9:00 - 9:45",
    ],
)
def test_rows_are_read_however_they_are_separated(text: str) -> None:
    """One behind the other, one a line, with or without weekdays and rooms."""
    expected = [Row("2027-02-17", "17:30", "18:15", "R23"), Row("2027-02-18", "9:00", "9:45")]

    assert expected == rows_of(text, with_rooms=True, with_meetings=False)


@pytest.mark.parametrize(
    "text",
    [
        "2027-02-17 17:30-18:15 R23 Heron review, part 2 2027-02-18 9:00-9:45 R7 Kick-off",
        "Wed 2027-02-17 17:30-18:15, R23, Heron review, part 2\n2027-02-18T9:00 to 9:45 R7 Kick-off\n",
    ],
)
def test_rows_of_a_plan_name_their_meeting(text: str) -> None:
    """Behind the ID of the room, whatever words the name has."""
    expected = [
        Row("2027-02-17", "17:30", "18:15", "R23", "Heron review, part 2"),
        Row("2027-02-18", "9:00", "9:45", "R7", "Kick-off"),
    ]

    assert expected == rows_of(text, with_rooms=True, with_meetings=True)


def test_rows_become_the_json_of_an_answer() -> None:
    """Hours get two digits; rows that were left empty do not count."""
    rows = [
        Row("2027-02-18", "9:00", "9:45"),
        Row("", " ", ""),
        Row("2027-02-17", "17:30", "18:15", "The Nest", " Kick-off "),
    ]
    expected = [
        {"start": "2027-02-18T09:00", "end": "2027-02-18T09:45"},
        {"start": "2027-02-17T17:30", "end": "2027-02-17T18:15", "room_id": "The Nest", "meeting": "Kick-off"},
    ]

    assert {"candidates": expected} == json.loads(answer_json(rows))


@pytest.mark.parametrize(
    ("rows", "message"),
    [([Row("", "", "")], "no row holds an option"), ([Row("2027-02-18", "", "9:45")], "row 1: the start is missing")],
)
def test_rows_that_lack_something_are_no_answer(rows: list[Row], message: str) -> None:
    """The message names the row and what is missing."""
    with pytest.raises(RowError, match=message):
        answer_json(rows)

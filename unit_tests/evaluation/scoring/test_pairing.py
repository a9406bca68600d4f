"""Gold and answer are beside one another, each candidate with its place in the other."""

from mpcbench.evaluation.scoring.pairing import paired
from mpcbench.schema.episode import AnswerCandidate
from unit_tests.builders import tiny


def slot(hour: int, room_id: str | None = None) -> AnswerCandidate:
    return AnswerCandidate(tiny.at(f"2027-02-08 {hour:02}:00"), tiny.at(f"2027-02-08 {hour + 1:02}:00"), room_id)


def test_every_candidate_has_its_place_in_the_other_list() -> None:
    """Wrong ones have no rank, missed ones no place, and a repeated one names its first place."""
    found = paired([slot(9), slot(10), slot(11)], [slot(9), slot(12), slot(11), slot(12), slot(9)])

    assert [(1, 1), (2, None), (3, 3)] == [(one.rank, one.place) for one in found.gold]
    assert [(1, 1, 1), (2, 2, None), (3, 3, 3), (4, 2, None), (5, 1, 1)] == [
        (one.place, one.first, one.rank) for one in found.answer
    ]


def test_text_says_what_a_candidate_of_the_answer_is() -> None:
    """Right or wrong, its rank where that is another, and what it repeats."""
    found = paired([slot(9), slot(10)], [slot(10), slot(12), slot(9), slot(12), slot(9)])

    assert ["right, ranks 2", "wrong", "right, ranks 1", "wrong, repeats 2", "right, ranks 1, repeats 3"] == [
        one.text for one in found.answer
    ]
    assert ["right"] == [one.text for one in paired([slot(9)], [slot(9)]).answer]


def test_another_room_is_another_candidate() -> None:
    """Only the same times in the same room are the same."""
    found = paired([slot(9, "R01")], [slot(9, "R02"), slot(9)])

    assert [None] == [one.place for one in found.gold]
    assert ["wrong", "wrong"] == [one.text for one in found.answer]

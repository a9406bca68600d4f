"""Scores compare sets of instants and rooms; F1 is 1 if and only if the sets are equal."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.scoring.score import EmptyGoldError, score
from mpcbench.schema.episode import AnswerCandidate, Scores

candidates = st.builds(
    lambda hour, length, room, offset: AnswerCandidate(
        (datetime(2027, 2, 9, tzinfo=UTC) + timedelta(hours=hour)).astimezone(timezone(timedelta(hours=offset))),
        datetime(2027, 2, 9, tzinfo=UTC) + timedelta(hours=hour + length),
        room,
    ),
    st.integers(0, 3),
    st.integers(1, 2),
    st.sampled_from([None, "R01"]),
    st.integers(-5, 5),
)
answers = st.lists(candidates, max_size=8)
golds = st.lists(candidates, min_size=1, max_size=8)


def slots(*hours: int) -> list[AnswerCandidate]:
    start = datetime(2027, 2, 9, tzinfo=UTC)
    return [AnswerCandidate(start + timedelta(hours=hour), start + timedelta(hours=hour + 1)) for hour in hours]


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ((1, 2), (1, 2), Scores(precision=1, recall=1, f1=1, exact_match=True, ranked_match=True)),
        ((2, 1), (1, 2), Scores(precision=1, recall=1, f1=1, exact_match=True, ranked_match=False)),
        ((1, 1, 2), (1, 2), Scores(precision=1, recall=1, f1=1, exact_match=True, ranked_match=False)),
        ((1, 2, 3), (1,), Scores(precision=1 / 3, recall=1, f1=0.5, exact_match=False, ranked_match=False)),
        ((1,), (1, 2, 3), Scores(precision=1, recall=1 / 3, f1=0.5, exact_match=False, ranked_match=False)),
        ((4,), (1, 2), Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False)),
        ((), (1, 2), Scores(precision=0, recall=0, f1=0, exact_match=False, ranked_match=False)),
    ],
)
def test_scores_of_small_answers(answer: tuple[int, ...], gold: tuple[int, ...], expected: Scores) -> None:
    """The scores of answers that can be worked out by hand, the empty one among them."""
    actual = score(slots(*answer), slots(*gold))

    assert expected == actual


def test_empty_gold_is_an_error() -> None:
    """Nothing can be scored against nothing, not even an empty answer."""
    with pytest.raises(EmptyGoldError):
        score([], [])


def test_room_is_part_of_a_candidate() -> None:
    """The same slot in another room, or in none, is another candidate."""
    (slot,) = slots(1)
    gold = [AnswerCandidate(slot.start, slot.end, "R01")]
    expected = (1.0, 0.0, 0.0)
    actual = tuple(score([AnswerCandidate(slot.start, slot.end, room)], gold).f1 for room in ("R01", "R02", None))

    assert expected == actual


def test_repeated_hour_is_two_instants() -> None:
    """02:30 before and after the clock goes back are different candidates, though Python calls the times equal."""
    first = datetime(2027, 10, 31, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    second = first.replace(fold=1)
    hour = timedelta(hours=1)
    answer = [AnswerCandidate(first, (first.astimezone(UTC) + hour))]
    gold = [AnswerCandidate(second, (first.astimezone(UTC) + hour))]

    assert first == second
    assert score(answer, gold).f1 == 0


def test_seconds_matter() -> None:
    """A candidate that starts within the right minute but not at its beginning is wrong."""
    (slot,) = slots(1)
    late = AnswerCandidate(slot.start + timedelta(seconds=1), slot.end)

    assert score([late], [slot]).f1 == 0


@given(answers, golds)
def test_f1_is_one_exactly_for_exact_matches(answer: list[AnswerCandidate], gold: list[AnswerCandidate]) -> None:
    """F1 is 1 if and only if the answer is an exact match, and a ranked match is always an exact one."""
    scores = score(answer, gold)

    assert (scores.f1 == 1) == scores.exact_match
    assert scores.exact_match or not scores.ranked_match


@given(answers, golds)
def test_scores_lie_between_zero_and_one(answer: list[AnswerCandidate], gold: list[AnswerCandidate]) -> None:
    """No score leaves its range, and F1 lies between precision and recall."""
    scores = score(answer, gold)
    low, high = sorted((scores.precision, scores.recall))

    assert low >= 0
    assert high <= 1
    assert low - 1e-12 <= scores.f1 <= high + 1e-12


@given(answers, golds, st.randoms(use_true_random=False))
def test_order_matters_only_to_ranked_match(
    answer: list[AnswerCandidate], gold: list[AnswerCandidate], random: object
) -> None:
    """A shuffled and repeated answer has the same precision, recall, F1 and exact match."""
    shuffled = [*answer, *answer[:2]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    expected = score(answer, gold).model_dump(exclude={"ranked_match"})
    actual = score(shuffled, gold).model_dump(exclude={"ranked_match"})

    assert expected == actual


@given(golds, golds)
def test_precision_mirrors_recall(one: list[AnswerCandidate], other: list[AnswerCandidate]) -> None:
    """With answer and gold exchanged, precision and recall change places and F1 stays."""
    forth, back = score(one, other), score(other, one)

    assert (forth.precision, forth.recall, forth.f1) == (back.recall, back.precision, back.f1)


@given(answers, golds)
def test_one_more_right_candidate_raises_f1(answer: list[AnswerCandidate], gold: list[AnswerCandidate]) -> None:
    """Adding a gold candidate never lowers F1."""
    assert score([*answer, gold[0]], gold).f1 >= score(answer, gold).f1
